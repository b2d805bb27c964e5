"""Grades the checkout that it is run in: result.json and release-body.md are written here, or it fails.

The checkout is a student's: no Python is started in it, and none that takes modules from where it stands.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUNDLE = Path(__file__).resolve().parent
RESULT = Path("result.json")
TOLD = BUNDLE / "sentences.json"
SENTENCES = json.loads(TOLD.read_text(encoding="utf-8")) if TOLD.exists() else {}
"""In the language of the course; without that file everything is said in English."""

KEPT = "CLASSROOM ASSIGNMENT SUBMISSION_TAG COMMIT_URL RELEASE_URL REVIEW_URL"
"""What the result says about its submission; the rest of the environment is kept from the grader."""


def _(sentence, **parameters):
    """Return a sentence in the language of the course."""
    return SENTENCES.get(sentence, sentence).format(**parameters)


class NotInstalled(Exception):
    """The grader could not be installed."""


def main() -> int:
    """Grade, and return the exit code: anything but 0 means that there is no score."""
    put_down()
    with tempfile.TemporaryDirectory() as workplace:
        try:
            grader = os.environ.get("GRADER") or install(Path(workplace))
        except NotInstalled as error:
            print(f"The grader could not be installed, so there is no score: {error}", file=sys.stderr)
            tell(_("There is no score: the grader could not be installed, and that is not your fault."))
            return 3
        command = ["bash", str(BUNDLE / "grade.sh"), "classroom50", ".", str(RESULT)]
        around = {**os.environ, "GRADER": grader, "GRADER_KEEP": KEPT}
        code = subprocess.run(command, env={"GRADER_SECONDS": "600", **around}, check=False).returncode
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    if code or not result["max-score"]:
        tell(_("There is no score: the log of this run says why."))
        return code or 3
    tell(_("{score} of {points} points", score=result["score"], points=result["max-score"]))
    return 0


def put_down() -> None:
    """Let the result say that there is none, until there is one; what a student left there goes."""
    if RESULT.is_dir() and not RESULT.is_symlink():
        shutil.rmtree(RESULT)
    RESULT.unlink(missing_ok=True)
    RESULT.write_bytes((BUNDLE / "not-graded/classroom50").read_bytes())


def install(workplace: Path) -> str:
    """Install the grader in an environment of its own, and return its command."""
    wheels = [str(wheel) for wheel in BUNDLE.glob("*.whl")]
    quiet = ["--quiet", "--disable-pip-version-check"]
    python(workplace, sys.executable, "venv", "grader")
    python(workplace, str(workplace / "grader/bin/python"), "pip", "install", *quiet, *wheels)
    return str(workplace / "grader/bin/tictactoe-grader")


def python(workplace: Path, program: str, *module: str) -> None:
    """Run a module away from the checkout, in isolated mode."""
    command = [program, "-I", "-m", *module]
    try:
        done = subprocess.run(
            command, cwd=workplace, capture_output=True, text=True, timeout=300, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise NotInstalled(said[-1] if said else f"{module[0]} failed")


def tell(summary: str) -> None:
    """Give the runner a line to show."""
    if output := os.environ.get("GITHUB_OUTPUT"):
        with Path(output).open("a", encoding="utf-8") as stream:
            print(f"summary={summary}", file=stream)


if __name__ == "__main__":
    sys.exit(main())
