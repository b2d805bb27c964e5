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
TRANSLATED = BUNDLE / "sentences.json"
# in the language of the course; without that file everything is in English
SENTENCES = json.loads(TRANSLATED.read_text(encoding="utf-8")) if TRANSLATED.exists() else {}
# what the result says about its submission; the grader sees nothing else of the environment
KEPT = "CLASSROOM ASSIGNMENT SUBMISSION_TAG COMMIT_URL RELEASE_URL REVIEW_URL"


def _(sentence, **parameters):
    """Return a sentence in the language of the course."""
    return SENTENCES.get(sentence, sentence).format(**parameters)


class NotInstalled(Exception):
    """The grader could not be installed."""


def main() -> int:
    """Grade, and return the exit code: anything but 0 means that there is no score."""
    if RESULT.is_dir() and not RESULT.is_symlink():
        shutil.rmtree(RESULT)
    RESULT.unlink(missing_ok=True)  # nothing is written through what a student left there
    RESULT.write_bytes((BUNDLE / "not-graded/classroom50").read_bytes())
    with tempfile.TemporaryDirectory() as workplace:
        try:
            grader = os.environ.get("GRADER") or install(Path(workplace))
        except NotInstalled as error:
            print(f"The grader could not be installed, so there is no score: {error}", file=sys.stderr)
            show(_("There is no score: the grader could not be installed, and that is not your fault."))
            return 3
        command = ["bash", str(BUNDLE / "grade.sh"), "classroom50", ".", str(RESULT)]
        around = {**os.environ, "GRADER": grader, "GRADER_KEEP": KEPT}
        code = subprocess.run(command, env={"GRADER_SECONDS": "600", **around}, check=False).returncode
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    if code or not result["max-score"]:
        show(_("There is no score: the log of this run says why."))
        return code or 3
    show(_("{score} of {points} points", score=result["score"], points=result["max-score"]))
    return 0


def install(workplace: Path) -> str:
    """Install the grader in an environment of its own, and return its command."""
    pip = ["pip", "install", "--quiet", "--disable-pip-version-check", *map(str, BUNDLE.glob("*.whl"))]
    for program, *module in (
        [sys.executable, "venv", "grader"],
        [str(workplace / "grader/bin/python"), *pip],
    ):
        command = [program, "-I", "-m", *module]  # away from the checkout, in isolated mode
        how = {"cwd": workplace, "capture_output": True, "text": True, "timeout": 300}
        try:
            done = subprocess.run(command, check=False, **how)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotInstalled(str(error)) from None
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise NotInstalled(lines[-1] if lines else f"{module[0]} failed")
    return str(workplace / "grader/bin/tictactoe-grader")


def show(summary: str) -> None:
    """Give the runner a line to show."""
    if output := os.environ.get("GITHUB_OUTPUT"):
        with Path(output).open("a", encoding="utf-8") as stream:
            print(f"summary={summary}", file=stream)


if __name__ == "__main__":
    sys.exit(main())
