"""A course with more in it than a folder of cases: subfolders, a test of the instructor's own, and what that reads."""

import pytest

from grader.core.grade import Grade
from grader.grading.session import Settings

CASE = "criterion: player\ncases:\n  - id: {}\n    board: [X.., ..., ...]\n"
FILES = {
    "more/deeper/player.yaml": CASE.format("in-a-subfolder"),
    "build/player.yaml": CASE.format("in-a-folder-of-any-name"),
    "own/board.txt": ".........",
    "own/helper.py": "from pathlib import Path\n\nTEXT = (Path(__file__).parent / 'board.txt').read_text()\n",
    "own/test_own.py": """\
import helper
import pytest


@pytest.mark.criterion("player")
def test_reads_its_data(submission):
    cells = [None if cell == "." else cell for cell in helper.TEXT]
    assert submission.player([cells[:3], cells[3:6], cells[6:]]) == "X"
""",
    "notes.yml": "no fixture: it goes along\n",
}


@pytest.fixture
def deep(small: Settings) -> Settings:
    """Give settings with a course of many folders."""
    for name, text in FILES.items():
        (small.fixtures / name).parent.mkdir(parents=True, exist_ok=True)
        (small.fixtures / name).write_text(text)
    return small


def verdicts(grade: Grade) -> dict[str, str]:
    """Return the status of every case."""
    return {
        f"{criterion.id}/{verdict.id}": verdict.status.value
        for criterion in grade.criteria
        for verdict in criterion.verdicts
    }
