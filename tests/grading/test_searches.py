"""Several searches in one rubric, and searches that end their worker."""

import shutil
from pathlib import Path

import pytest

from grader.core.grade import Grade, Status
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_SUBMISSION
from grader.grading.session import Settings
from tests.judged import grade_submission

MORE_SEARCHES = """
  - id: other-boards
    check: search
    boards:
      - [XO., ..., .X.]
      - [..X, O.X, ..O]
  - id: the-same-boards
    check: search
    boards:
      - [XO., X.., ..O]
      - [..., O.X, .XO]
      - [..X, O.., ..X]
"""


@pytest.fixture
def searches(tmp_path: Path) -> Path:
    """Give the shipped cases with two more searches."""
    shutil.copytree(DEFAULT_FIXTURES, tmp_path / "fixtures")
    with (tmp_path / "fixtures" / "alpha_beta.yaml").open("a") as file:
        file.write(MORE_SEARCHES)
    return tmp_path / "fixtures"


def graded(path: Path, settings: Settings) -> Grade:
    grade = grade_submission(path, settings)
    statuses = {verdict.status for criterion in grade.criteria for verdict in criterion.verdicts}
    assert Status.GRADER_ERROR not in statuses
    return grade


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("recall", [True, False])
def test_several_searches_in_one_rubric(searches: Path, *, recall: bool) -> None:
    settings = Settings(fixtures=searches, recall=recall, time_first_move=True)
    grade = graded(DEFAULT_SUBMISSION, settings)
    assert (grade.score, grade.total) == (100, 110)


FAULTS = {
    "ends": "import os; os._exit(0)",
    "hangs": "while True: pass",
    "breaks the protocol": "os.write(4, b'x\\n')",
    "fills its memory": "x = [0]\n    while True: x += x",
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("fault", "recall"),
    [
        pytest.param(fault, recall, id=f"{name}, {'recalled' if recall else 'plain'}")
        for name, fault in FAULTS.items()
        for recall in (True, False)
    ],
)
def test_a_search_that_fails_under_the_probe_alone_costs_the_search_alone(
    searches: Path, tmp_path: Path, reference_source: str, fault: str, *, recall: bool
) -> None:
    """Given the reference, which does something forbidden as soon as a value is none of the game."""
    probed = f"def seen(value):\n    if value in (-1, 0, 1): return value\n    {fault}\n"
    file = tmp_path / "tictactoe.py"
    search = reference_source.replace("return utility(board), None", "return seen(utility(board)), None")
    file.write_text(search.replace('X = "X"', f'import os\nX = "X"\n{probed}'))
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text(Settings().rubric_file.read_text().replace("deadline: 5 ", "deadline: 1 "))
    grade = graded(file, Settings(rubric, searches, recall=recall, time_first_move=True))
    (minimax,) = (criterion for criterion in grade.criteria if criterion.id == "minimax")
    assert minimax.score == minimax.points
    (bonus,) = (criterion for criterion in grade.criteria if criterion.id == "alpha_beta")
    assert {verdict.status for verdict in bonus.verdicts} == {Status.SKIPPED}
