"""The reference engine: full marks are in test_session; here, how much it searches."""

from typing import Any

import pytest

from grader.core.course.submission import locate
from grader.core.errors import NotGradable
from grader.course.courses import DEFAULT_SUBMISSION, fixtures_of, rubric_of
from grader.grading.session import Settings
from tests.judged import grade_submission


def test_the_first_move_visits_few_boards() -> None:
    names: dict[str, Any] = {}
    exec(locate(DEFAULT_SUBMISSION).read_text(), names)
    visited = 0
    search = names["best_move"]

    def counted(*arguments: Any) -> Any:
        nonlocal visited
        visited += 1
        return search(*arguments)

    names["best_move"] = counted
    assert names["minimax"](names["initial_state"]()) == (1, 1)
    assert visited == 1_942


@pytest.mark.parametrize(("course", "total"), [("cs3081", 110), ("cs50ai", 30)])
def test_every_course_that_fits_it_gives_full_marks(course: str, total: float) -> None:
    rubric_file = rubric_of(course)
    grade = grade_submission(DEFAULT_SUBMISSION, Settings(rubric_file, fixtures_of(rubric_file)))
    assert (grade.total, grade.score, grade.notes) == (total, grade.points, ())


def test_the_reference_is_no_terminal_program() -> None:
    rubric_file = rubric_of("cpsc352")
    with pytest.raises(NotGradable):
        grade_submission(DEFAULT_SUBMISSION, Settings(rubric_file, fixtures_of(rubric_file)))
