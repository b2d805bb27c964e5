"""Hostile files, each a real attempt: what it must lose, what the instructor must be told, and that it does no harm.

A file in `files/` is appended to a correct engine, so that it has something to gain. Its header says what it must
lose: everything, the criterion `player` (whose function attacks), or nothing.
"""

import os
import re
from pathlib import Path
from tempfile import gettempdir

import pytest

from grader.core.course.submission import Submission
from grader.core.grade import Grade
from grader.course.courses import ROOT
from grader.grading.session import Settings
from tests.judged import judged
from tests.sharing import some
from tests.submissions import PLAIN

FILES = sorted((Path(__file__).parent / "files").glob("*.py"))
RUBRIC = """\
title: T
criteria:
  - {id: player, description: p, points: 10}
  - {id: winner, description: w, points: 10}
limits: {deadline: 1, load: 1, strikes: 1, sweep_budget: 3}
"""
FIXTURES = {
    "player": "criterion: player\ncases:\n  - id: late\n    boards: running\n    min_marks: 8\n"
    "  - id: start\n    board: [..., ..., ...]\n  - id: same\n    check: unchanged\n    board: [X.., ..., ...]\n",
    "winner": "criterion: winner\ncases:\n  - id: x\n    board: [XXX, OO., ...]\n"
    "  - id: nobody\n    board: [..., ..., ...]\n",
}
LOSES_IN_WASM = {
    "call_rewrites_its_own_file": {"player"},
    "call_small_file_in_its_own_folder": {"player"},
    "source_nested_brackets": {"player", "winner"},
}
"""What files lose in WebAssembly alone: there are no files, and less stack for Python's parser."""

LOST = {"everything": {"player", "winner"}, "player": {"player"}, "nothing": set()}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a small rubric and a few cases."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "rubric.yaml").write_text(RUBRIC)
    (folder / "fixtures").mkdir()
    for name, text in FIXTURES.items():
        (folder / "fixtures" / f"{name}.yaml").write_text(text)
    return folder


def grade_hostile(file: Path, folder: Path) -> tuple[Grade, Grade]:
    """Return the grade of a hostile file, then that of an honest one."""
    own = folder / file.stem
    own.mkdir()
    attack = attack_of(file, own / "tictactoe.py")
    return grade_source(PLAIN + "\n\n" + attack, own, folder), grade_source(PLAIN, own, folder)


def attack_of(file: Path, own: Path) -> str:
    """Return the code of a hostile file that is handed in under a path."""
    return file.read_text().replace("@ROOT@", str(ROOT)).replace("@OWN@", str(own))


def lost_by(grade: Grade) -> set[str]:
    """Return the criteria on which a submission has lost points."""
    return {criterion.id for criterion in grade.criteria if criterion.score < criterion.points}


def grade_source(source: str, own: Path, folder: Path) -> Grade:
    (own / "tictactoe.py").write_text(source)
    settings = Settings(rubric_file=folder / "rubric.yaml", fixtures=folder / "fixtures", recall=False)
    found = Submission("hostile", own / "tictactoe.py", source.encode("utf-8", "surrogatepass"), None)
    return judged(found, settings)


def header(file: Path, key: str) -> str:
    found = re.search(rf"^# {key}: (.*)$", file.read_text(), re.MULTILINE)
    return found[1] if found else ""


def test_there_are_many() -> None:
    assert len(FILES) >= 80


@pytest.mark.parametrize("file", some(FILES, 6, lambda file: file.stem))
def test_a_hostile_file_gets_what_it_deserves(file: Path, folder: Path) -> None:
    hostile, honest = grade_hostile(file, folder)
    assert lost_by(hostile) == LOST[header(file, "loses")]
    assert hostile.grader_errors == ()
    assert header(file, "note") in " ".join(hostile.notes)
    assert honest.score == honest.points
    assert honest.grader_errors == ()
    assert processes_in(f"{Path(gettempdir()).resolve()}/home-{os.getpid()}-") == []
    assert not Path("/tmp/hostile-was-here").exists()
    assert (ROOT / "README.md").stat().st_mode & 0o400


def processes_in(start: str) -> list[str]:
    """Return the processes that work in a folder whose path starts so."""

    def working_folder(process: Path) -> str:
        try:
            return str((process / "cwd").readlink())
        except OSError:
            return ""

    return [
        process.name for process in Path("/proc").glob("[0-9]*") if working_folder(process).startswith(start)
    ]
