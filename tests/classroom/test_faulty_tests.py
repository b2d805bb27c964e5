"""A test of an instructor's that times out for much of a class: it costs nobody a point, and is told first."""

from dataclasses import replace

import pytest

from grader.classroom.records import FaultyTest, Record, faulty_tests
from grader.core.grade import Status, Verdict
from grader.marking.desk import Desk
from tests.classroom.conftest import WRONG, Classroom, write_all
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


@pytest.fixture(autouse=True)
def tests_of_wait(room: Classroom) -> None:
    """Give a course whose instructor has two tests of a function `wait`."""
    room.add_to_rubric("limits: {deadline: 0.3, strikes: 1}\n")
    room.write("small/fixtures/test_own.py", TEST)


def graded(room: Classroom, files: dict[str, str]) -> dict[str, tuple[str, str, str]]:
    """Grade a class; return everybody's points for `player` and `terminal`, and the status."""
    room.grade(write_all(room.folder / "class", files))
    return {row["student"]: (row["player"], row["terminal"], row["status"]) for row in room.table()}


EXPECTED = {
    "ada": ("8", "2", "graded"),
    "bob": ("4", "2", "graded, provisional"),
    "cy": ("8", "2", "graded"),
    "dee": ("6", "2", "graded"),
}


@pytest.mark.exhaustive
def test_it_costs_nobody_a_point_and_is_told_first(room: Classroom) -> None:
    """Given four students with two cases and a test for `player`: one of them and one of the two hang."""
    assert graded(room, CLASS) == EXPECTED
    summary = " ".join(room.text("summary.txt").split())
    assert summary.index(TOLD) < summary.index("Totals")
    assert "test_ends_too timed out for 2 of 4" in summary and "player/test_ends " not in summary
    page = room.text("index.html")
    assert page.index(TOLD) < page.index('id="totals"')
    ada, bob = (room.text(f"feedback/{name}.txt") for name in ("ada", "bob"))
    assert "Total  10 / 10" in ada and "Provisional" not in ada
    assert "It timed out for 2 of 4 students, which is a fault of the test" in " ".join(ada.split())
    assert "Provisional: a person still judges up to 4 points." in bob
    assert "does not count, for a fault of its own" in bob
    assert "It timed out for 2 of 4" in room.text("feedback/ada.html")


@pytest.mark.exhaustive
def test_a_person_decides_and_nothing_else_changes(room: Classroom) -> None:
    graded(room, CLASS)
    assert [seat.key for seat in Desk(room.out).seats() if seat.waiting.open] == ["bob"]
    decision = "- {student: bob, criterion: player, points: 6, comment: It would pass, by: me}\n"
    room.write("out/adjustments.yaml", decision)
    assert graded(room, CLASS) == EXPECTED | {"bob": ("6", "2", "graded, adjusted")}
    desk = Desk(room.out)
    assert not any(seat.waiting.open for seat in desk.seats())
    whole = {seat.key: desk.whole(seat).criteria["player"].score for seat in desk.seats()}
    assert whole == {"ada": 8, "bob": 6, "cy": 8, "dee": 6}


def test_for_a_quarter_of_a_class_the_fault_is_theirs(room: Classroom) -> None:
    found = graded(room, CLASS | {"bob/tictactoe.py": WRONG + WAITS})
    assert found == EXPECTED | {"ada": ("4", "1", "graded"), "bob": EXPECTED["dee"]}
    assert "fault of the test" not in room.text("summary.txt") + room.text("index.html")
    assert graded(room, {"bob/tictactoe.py": WRONG + HANGS}) == EXPECTED  # ada is not graded again


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
    assert faulty_tests([record.lighter() for record in found]) == tuple(faulty)


def test_who_has_no_such_verdict_is_as_before() -> None:
    faulty = faulty_tests([LATE])
    for same in (RIGHT, UNRUN, NOBODY, late("test-failed"), replace(LATE, grade=None)):
        assert same.without_faulty_tests(faulty) is same
    once = LATE.without_faulty_tests(faulty)
    assert once != LATE and once.without_faulty_tests(faulty) is once
