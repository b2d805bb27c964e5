"""What the tests of a class share: a rubric that takes a moment, and submissions for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.grading.session import Settings
from tests.course.deep import deep
from tests.submissions import PLAIN

__all__ = ["deep"]

RUBRIC = """\
title: A small one
criteria:
  - id: player
    description: Whose turn it is
    points: 8
  - id: terminal
    description: Whether the game is over
    points: 2
"""
FIXTURES = {
    "player.yaml": "criterion: player\ncases:\n  - id: start\n    board: [..., ..., ...]\n  - id: late\n    board: [XOX, OXO, .X.]\n    visibility: hidden\n",
    "terminal.yaml": "criterion: terminal\ncases:\n  - id: start\n    board: [..., ..., ...]\n",
}
WRONG = PLAIN.replace("def player(board):", "def player(board):\n    return O\n\n\ndef other(board):")


@pytest.fixture
def small(tmp_path: Path) -> Settings:
    """Give settings by which a grade takes a moment."""
    folder = tmp_path / "small"
    (folder / "fixtures").mkdir(parents=True)
    (folder / "rubric.yaml").write_text(RUBRIC)
    for name, text in FIXTURES.items():
        (folder / "fixtures" / name).write_text(text)
    return Settings(folder / "rubric.yaml", folder / "fixtures")


Run = Callable[..., int]


@pytest.fixture
def run(small: Settings) -> Run:
    """Give a function that runs the command with the small rubric, one job at a time."""

    def run(*arguments: str | Path) -> int:
        given = ["--rubric", small.rubric_file, "--fixtures", small.fixtures, "--jobs", "1", *arguments]
        return main([str(one) for one in given])

    return run


def write_all(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder, by their paths."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
