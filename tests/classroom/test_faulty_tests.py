"""A test of an instructor's that times out for much of a class: it costs nobody a point, and is told first."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.records import FaultyTest, Record, faulty_tests
from grader.cli.main import main
from grader.core.grade import Status, Verdict
from grader.grading.session import Settings
from grader.marking.desk import Desk
from tests.classroom.conftest import WRONG, write_all
from tests.classroom.lines import earned, record
from tests.submissions import PLAIN

TEST = """\
import pytest


@pytest.mark.criterion("player", weight=2)
def test_ends(submission):
    submission.wait()


@pytest.mark.criterion("terminal")
def test_ends_too(submission):
    submission.wait()
"""
WAITS = "\n\ndef wait():\n    return None\n"
HANGS = "\n\ndef wait():\n    while True:\n        pass\n"
CLASS = {
    "ada/tictactoe.py": PLAIN + HANGS,
    "bob/tictactoe.py": WRONG + HANGS,
    "cy/tictactoe.py": PLAIN + WAITS,
    "dee/tictactoe.py": WRONG + WAITS,
}
TOLD = "The test test_ends timed out for 2 of 4: that is a fault of the test, not of the students."

Grade = Callable[[dict[str, str]], Path]


@pytest.fixture
def graded(small: Settings, tmp_path: Path) -> Grade:
    """Give a function that grades a class whose instructor has two tests of a function `wait`."""
    with small.rubric_file.open("a") as rubric:
        rubric.write("limits: {deadline: 0.3, strikes: 1}\n")
    (small.fixtures / "test_own.py").write_text(TEST)

    def graded(files: dict[str, str]) -> Path:
        handed_in, out = write_all(tmp_path / "class", files), tmp_path / "out"
        given = ["--rubric", small.rubric_file, "--fixtures", small.fixtures, "--jobs", "1", "--out", out]
        assert main([str(one) for one in (handed_in, *given)]) == 0
        return out

    return graded


def points(out: Path) -> dict[str, tuple[str, str, str]]:
    """Return everybody's points for `player` and `terminal`, and the status."""
    rows = csv.DictReader(io.StringIO((out / "gradebook.csv").read_text()))
    return {row["student"]: (row["player"], row["terminal"], row["status"]) for row in rows}


EXPECTED = {
    "ada": ("8", "2", "graded"),
    "bob": ("4", "2", "graded, provisional"),
    "cy": ("8", "2", "graded"),
    "dee": ("6", "2", "graded"),
}


@pytest.mark.exhaustive
def test_it_costs_nobody_a_point_and_is_told_first(graded: Grade) -> None:
    """Given four students with two cases and a test for `player`: one of them and one of the two hang."""
    out = graded(CLASS)
    assert points(out) == EXPECTED
    summary = " ".join((out / "summary.txt").read_text().split())
    assert summary.index(TOLD) < summary.index("Totals")
    assert "test_ends_too timed out for 2 of 4" in summary and "player/test_ends " not in summary
    page = (out / "index.html").read_text()
    assert page.index(TOLD) < page.index('id="totals"')
    ada, bob = ((out / "feedback" / f"{name}.txt").read_text() for name in ("ada", "bob"))
    assert "Total  10 / 10" in ada and "Provisional" not in ada
    assert "It timed out for 2 of 4 students, which is a fault of the test" in " ".join(ada.split())
    assert "Provisional: a person still judges up to 4 points." in bob
    assert "does not count, for a fault of its own" in bob
    assert "It timed out for 2 of 4" in (out / "feedback" / "ada.html").read_text()


@pytest.mark.exhaustive
def test_a_person_decides_and_nothing_else_changes(graded: Grade, tmp_path: Path) -> None:
    out = graded(CLASS)
    waiting = [seat.key for seat in Desk(out).seats() if seat.waiting.open]
    assert waiting == ["bob"]
    decision = "- {student: bob, criterion: player, points: 6, comment: It would pass, by: me}\n"
    (out / "adjustments.yaml").write_text(decision)
    assert points(graded(CLASS)) == EXPECTED | {"bob": ("6", "2", "graded, adjusted")}
    desk = Desk(out)
    assert not any(seat.waiting.open for seat in desk.seats())
    whole = {seat.key: desk.whole(seat).criteria["player"].score for seat in desk.seats()}
    assert whole == {"ada": 8, "bob": 6, "cy": 8, "dee": 6}


def test_for_a_quarter_of_a_class_the_fault_is_theirs(graded: Grade) -> None:
    out = graded(CLASS | {"bob/tictactoe.py": WRONG + WAITS})
    assert points(out) == EXPECTED | {"ada": ("4", "1", "graded"), "bob": EXPECTED["dee"]}
    assert "fault of the test" not in (out / "summary.txt").read_text() + (out / "index.html").read_text()
    assert points(graded({"bob/tictactoe.py": WRONG + HANGS})) == EXPECTED  # ada is not graded again


def late(code: str) -> Record:
    verdict = Verdict(id="t", status=Status.TIMED_OUT, weight=1, earned=0, reason="r", code=code)
    return record("a", "A", "a.py", criteria=(earned("player", 0, 8, verdicts=(verdict,)),))


RIGHT = record("b", "B", "b.py", criteria=(earned("player", 8, 8),))
LATE = late("test-timed-out")
UNRUN = record("c", "C", "c.py", criteria=(), unrun="It raises.")
NOBODY = record("d", "D", "", "not_graded")


@pytest.mark.parametrize(
    ("found", "count"),
    [
        ([LATE, RIGHT, RIGHT], (1, 3)),
        ([LATE, RIGHT, RIGHT, RIGHT], None),
        ([LATE, RIGHT, RIGHT, UNRUN, NOBODY], (1, 3)),
        ([late("no-answer"), RIGHT], None),
        ([RIGHT], None),
        ([], None),
    ],
    ids=["a third", "a quarter", "of those that run", "a case, and no test", "nobody", "no class"],
)
def test_more_than_a_quarter_of_the_files_that_run(
    found: list[Record], count: tuple[int, int] | None
) -> None:
    faulty = [FaultyTest(criterion="player", id="t", timed_out=count[0], students=count[1])] if count else []
    assert faulty_tests(found) == tuple(faulty)
    assert faulty_tests([one.lighter() for one in found]) == tuple(faulty)


def test_who_has_no_such_verdict_is_as_before() -> None:
    faulty = faulty_tests([LATE])
    for one in (RIGHT, UNRUN, NOBODY, late("test-failed"), replace(LATE, grade=None)):
        assert one.without_faulty_tests(faulty) is one
    once = LATE.without_faulty_tests(faulty)
    assert once != LATE and once.without_faulty_tests(faulty) is once
