"""What the tests of a class share: a rubric that takes a moment, and submissions for it."""

import csv
import zipfile
from dataclasses import dataclass, field
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
    write_all(tmp_path / "small", {"rubric.yaml": RUBRIC})
    write_all(tmp_path / "small" / "fixtures", FIXTURES)
    return Settings(tmp_path / "small" / "rubric.yaml", tmp_path / "small" / "fixtures")


@dataclass
class Classroom:
    """A class that is graded by the command, one job at a time, into the folder `out`."""

    folder: Path
    settings: Settings
    capsys: pytest.CaptureFixture[str]
    errors: str = field(default="", init=False)
    """What the last command wrote to standard error."""
    printed: str = field(default="", init=False)
    """What it wrote to standard output."""

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def run(self, *words: object, code: int = 0) -> str:
        """Run the command, which ends with a code; return what it printed, in one line."""
        assert main([str(word) for word in words]) == code, self.capsys.readouterr()
        self.printed, self.errors = self.capsys.readouterr()
        return " ".join(self.printed.split())

    def grade(self, *words: object, code: int = 0) -> str:
        """Grade a class by the small rubric; return what was printed, in one line."""
        rubric = ("--rubric", self.settings.rubric_file, "--fixtures", self.settings.fixtures)
        return self.run(*rubric, "--jobs", 1, "--out", self.out, *words, code=code)

    def add_to_rubric(self, text: str) -> None:
        with self.settings.rubric_file.open("a") as rubric:
            rubric.write(text)

    def write(self, name: str, text: str) -> Path:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        return self.folder / name

    def text(self, name: str) -> str:
        return (self.out / name).read_text()

    def table(self, name: str = "gradebook.csv") -> list[dict[str, str]]:
        return table(self.out / name)

    @property
    def totals(self) -> dict[str, str]:
        return {row["student"]: row["total"] for row in self.table()}

    def contents(self) -> dict[Path, bytes]:
        return contents(self.out)


@pytest.fixture
def room(small: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Classroom:
    return Classroom(tmp_path, small, capsys)


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def table(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_all(folder: Path, files: dict[str, str]) -> Path:
    """Write files below a folder, by their paths."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def zipped(file: Path, files: dict[str, str | bytes] | dict[str, str] | dict[str, bytes]) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file
