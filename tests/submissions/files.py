"""The submissions as files, for whoever grades paths; they are removed when this process ends."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.submissions import CORRECT
from tests.submissions.faults import FAULTS


@cache
def file_of(name: str) -> Path:
    """Return the file of a submission, correct or faulty, by its name."""
    file = Path(_folder().name) / f"{name}.py"
    file.write_text(CORRECT[name] if name in CORRECT else FAULTS[name].source)
    return file


@cache
def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="tictactoe-submissions-")
