"""Grades the checkout that it is run in: result.json and release-body.md are written here, or it fails."""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

BUNDLE = Path(__file__).resolve().parent
KEPT = "CLASSROOM ASSIGNMENT SUBMISSION_TAG COMMIT_URL RELEASE_URL REVIEW_URL"
"""What the result says about its submission; the rest of the environment is kept from the grader."""


def main() -> int:
    """Grade, and return the exit code: anything but 0 means that there is no score."""
    with tempfile.TemporaryDirectory() as workplace:
        grader = os.environ.get("GRADER") or install(Path(workplace))
        command = ["bash", str(BUNDLE / "grade.sh"), "classroom50", ".", "result.json"]
        around = {**os.environ, "GRADER": grader, "GRADER_KEEP": KEPT}
        code = subprocess.run(command, env={"GRADER_SECONDS": "600", **around}, check=False).returncode
    result = json.loads(Path("result.json").read_text(encoding="utf-8"))
    tell(result)
    return code or (0 if result["max-score"] else 3)


def install(workplace: Path) -> str:
    """Install the grader in an environment of its own, and return its command."""
    venv.create(workplace / "grader", symlinks=True, with_pip=True)
    wheel = next(BUNDLE.glob("*.whl"))
    pip = [str(workplace / "grader/bin/python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True)
    return str(workplace / "grader/bin/tictactoe-grader")


def tell(result: dict[str, int]) -> None:
    """Give the runner a line to show."""
    if output := os.environ.get("GITHUB_OUTPUT"):
        with Path(output).open("a", encoding="utf-8") as stream:
            print(f"summary={result['score']} of {result['max-score']} points", file=stream)


if __name__ == "__main__":
    sys.exit(main())
