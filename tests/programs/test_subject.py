"""What is said of a program beside its games."""

from typing import Literal

import pytest

from grader.core.course.rubric import HowToRun
from grader.core.course.submission import Submission
from grader.core.grade import Grade
from grader.course.courses import fixtures_of, rubric_of
from grader.grading.session import Settings
from grader.programs.wall import find
from tests.judged import judged
from tests.programs.catalog import HANDED_IN
from tests.programs.test_languages import folder

RUBRIC = rubric_of("cpsc352")
SETTINGS = Settings(RUBRIC, fixtures_of(RUBRIC))
SOURCE = HANDED_IN / "overwrites_a_taken_square" / "tic.c"


def grade_of(forgiven: Literal["note"] | float) -> Grade:
    """Return the grade of a program that forgets a header, where that costs so much."""
    if find("gcc") is None:
        pytest.skip("no gcc on this machine")
    text = SOURCE.read_text().replace("best = -2", "best = INT_MIN")
    handed = Submission("ttt", SOURCE.parent, b"", folder=folder(tic__c=text))
    return judged(handed, SETTINGS, limits={"total": 60.0}, program=HowToRun(forgiven=forgiven))


@pytest.mark.exhaustive
def test_a_header_that_is_brought_along_costs_what_the_rubric_says() -> None:
    (deduction,) = grade_of(2.5).deductions
    assert deduction.points == 2.5
    assert deduction.reason.startswith("It was built with headers that it forgets (limits.h")


@pytest.mark.exhaustive
def test_a_header_that_is_brought_along_is_a_note_where_nothing_else_is_said() -> None:
    grade = grade_of("note")
    assert grade.deductions == ()
    (note,) = (note for note in grade.notes if "headers that it forgets" in note)
    assert "The plain way says:" in note and "INT_MIN" in note
