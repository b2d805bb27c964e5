"""One student's before and after: totals with decisions, criteria, and cases with their reasons."""

from pathlib import Path

import pytest

from grader.classroom.class_summary import student_changes
from grader.core.errors import UserError
from grader.report.wording import as_text
from tests.classroom.conftest import Classroom
from tests.marking.made import grade, record, written


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    before = written(tmp_path / "old", [record("s0", "Ada", grade("a")), record("s1", "Bob", grade("b"))])
    after = written(tmp_path / "new", [record("s0", "Ada", grade("a", wrong=False)), record("s1", "Bob", grade("b"))])  # fmt: skip
    (after / "adjustments.yaml").write_text("- student: Ada\n  criterion: design\n  points: 15\n  comment: c\n  by: B\n")  # fmt: skip
    return before, after


def test_a_student_s_before_and_after(both: tuple[Path, Path]) -> None:
    assert as_text(student_changes(*both, "Ada")).splitlines() == [
        *("Ada  0 becomes 25", "", "  player  0 becomes 10", "  design  0 becomes 15", ""),
        *("  player/every-board", "    before: failed: O begins.", "    after: passed: right", ""),
        *("  Decided after", "    Design: 15 of 20 (marked by B): c"),
    ]


def test_nothing_and_nobody(both: tuple[Path, Path]) -> None:
    assert "Nothing changed." in as_text(student_changes(*both, "s1"))
    with pytest.raises(UserError, match="there is no student 'Adda'; is Ada meant"):
        student_changes(*both, "Adda")


def test_the_command(both: tuple[Path, Path], room: Classroom) -> None:
    before, after = both
    assert "Ada 0 becomes 25" in room.run("diff", before, after, "--student", "Ada")
    room.run("diff", before, after, "--student", code=2)
    room.run("--out", after, "--student", "Ada", code=2)


def test_grades_to_compare_with_are_missed_before_anybody_is_graded(room: Classroom) -> None:
    room.write("in/ada.py", "")
    room.grade(room.folder / "in", "--diff", room.folder / "NOPE", code=2)
    assert "NOPE: there are no grades here" in room.errors and not room.out.exists()
