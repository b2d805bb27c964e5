"""Classes that are graded as far as anybody can tell: made up, so that a test takes a moment."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.classroom import records
from grader.classroom.records import ClassState, Record, Source
from grader.core.course.rubric import Criterion, Rubric
from grader.core.grade import Example, Grade, Mistake, Status, Verdict
from grader.core.scores import make_grade
from grader.core.system import write
from grader.core.values import plain
from grader.course.courses import ROOT
from grader.marking.desk import Desk
from grader.report.pages import as_json
from tests.conftest import started

RUBRIC = Rubric(
    title="Tic-Tac-Toe",
    criteria=(
        Criterion(id="player", description="Whose turn it is", points=10),
        Criterion(id="design", description="How it is made", points=20, by_hand=True),
    ),
    bonus=(Criterion(id="extra", description="More", points=5),),
)
SOURCE = "import copy\n\nX = 'X'\n\n\ndef player(board):\n    return 'O'\n"
NAMES = (
    "Ada Lovelace", "Bob Bär", "Carol Shaw", "Dan Ritchie", "Eve O'Neil", "<img src=x onerror=alert(1)>", "Grace Hopper",
    "Hal Nine", "Ida Rhodes", "Jean Sammet", "Kay McNulty", "Lin Wang",
)  # fmt: skip


def grade(name: str, *, wrong: bool = True, **more: Any) -> Grade:
    """Return the grade of a file whose player is wrong, or right."""
    failed = Verdict(
        id="every-board", status=Status.FAILED if wrong else Status.PASSED, weight=1, earned=0 if wrong else 1, function="player",
        reason="O begins." if wrong else "right", board=("...", "...", "..."), call="player(board)", expected="'X'", got="'O'",
        explained_by="player/o-begins" if wrong else None,
    )  # fmt: skip
    example = Example(board=("...", "...", "..."), call="player(board)", expected="'X'", got="'O'")
    mistake = Mistake(id="o-begins", function="player", title="lets O begin", sentence="`player` lets O begin.", boards=(example,))  # fmt: skip
    mistakes = (mistake,) if wrong else ()
    return make_grade(RUBRIC, name, [("player", failed)], seconds=1, submission_seconds=1, mistakes=mistakes, **more)  # fmt: skip


def record(key: str, name: str, found: Grade | None, **more: Any) -> Record:
    """Return what became of a student."""
    status = more.pop("status", "graded" if found else "not_graded")
    return Record(key=key, student=name, submission=f"{name}.py", status=status, grade=found, fingerprint=f"{key:0<16}", **more)  # fmt: skip


def class_of(out: Path, names: Sequence[str] = NAMES, **more: Any) -> Path:
    """Write a class: all but the third have made a mistake, and the fourth handed in nothing."""
    made = []
    for number, name in enumerate(names):
        key = f"s{number}"
        found = None if number == 3 else grade(name, wrong=number != 2)
        made.append(record(key, name, found, why="" if found else "There is no file."))
    return written(out, made, **more)


def written(out: Path, made: Sequence[Record], rubric: Rubric = RUBRIC, source: str = SOURCE, **more: Any) -> Path:  # fmt: skip
    """Write a class of these students, as a grading does."""
    for record in made:
        records.save(out, record)
        if record.grade:
            text = as_json(plain(Source(name="tictactoe.py", text=source)))
            write(out / records.SOURCES / f"{record.key}.json", text, into_new=True)
    records.save_class(out, ClassState(rubric=rubric, keys=tuple(record.key for record in made), **more))
    return out


def leave(desk: Desk) -> None:
    """Stop marking a class that is gone by then: nothing more is written of it, for which a test would wait."""
    (desk.out / records.STATE).unlink(missing_ok=True)
    desk.scribe.end()


def marking(out: Path, *options: str) -> tuple["subprocess.Popen[str]", str]:
    """Start to mark a class; return the process, and the address of its page."""
    command = [sys.executable, str(ROOT / "run_grader.py"), "mark", str(out), *options]
    process = started(command, stdout=subprocess.PIPE, text=True, cwd=out)
    assert process.stdout
    process.stdout.readline()
    return process, process.stdout.readline().strip()
