"""Planted faults, one a file and named after it: each must lose exactly these criteria, and no other."""

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import pytest

from grader import rubric
from grader.grade import Grade
from grader.grading import DEFAULT_RUBRIC
from grader.session import Settings, graded, prepared
from grader.submission import read
from tests.conftest import SUBMISSIONS

RUNNING = "player actions result winner terminal utility minimax"
FAULTS = {
    "actions_gives_a_list": "actions",
    "actions_misses_the_last_column": "actions result minimax",
    "actions_swaps_row_and_column": "actions",
    "code_is_untidy": "quality",
    "constants_are_renamed": RUNNING,
    "file_exits_on_import": RUNNING,
    "file_has_a_syntax_error": RUNNING + " quality",
    "file_imports_numpy": RUNNING,
    "file_raises_on_import": RUNNING,
    "functions_are_not_written": RUNNING,
    "minimax_ends_the_program": "minimax",
    "minimax_gives_a_list": "minimax",
    "minimax_gives_value_and_action": "minimax",
    "minimax_is_not_written": "minimax",
    "minimax_maximises_for_both": "minimax",
    "minimax_moves_on_a_finished_board": "minimax",
    "minimax_never_ends": "minimax",
    "minimax_reads_the_keyboard": "minimax",
    "minimax_stops_at_depth_two": "minimax",
    "minimax_takes_the_first_free_cell": "minimax",
    "player_has_an_extra_argument": "player",
    "player_o_starts": "player result minimax",
    "player_prints_and_is_right": "",
    "result_accepts_a_taken_cell": "result",
    "result_accepts_negative_indices": "result",
    "result_changes_the_board_itself": "result minimax",
    "result_copies_the_outer_list_only": "result minimax",
    "result_takes_one_argument": "result minimax",
    "terminal_forgets_the_tie": "terminal minimax",
    "terminal_forgets_the_win": "terminal minimax",
    "terminal_gives_a_number": "terminal",
    "utility_gives_none_for_a_tie": "utility minimax",
    "utility_is_missing": "utility minimax",
    "utility_scales_by_ten": "utility",
    "winner_gives_false_for_none": "winner",
    "winner_is_a_variable": "winner terminal utility minimax",
    "winner_misses_columns": "winner terminal utility minimax",
    "winner_misses_the_anti_diagonal": "winner terminal utility minimax",
}
CORRECT = sorted(file.stem for file in (SUBMISSIONS / "correct").glob("*.py"))
NOT_RECALLED = {"counts_nodes_in_a_global", "memory_in_a_global_dict"}
Grades = dict[str, "Future[Grade]"]
IMPATIENT = {"deadline": 1.0, "strikes": 1, "sweep_budget": 4.0}


@pytest.fixture(scope="session")
def grades() -> Iterator[Grades]:
    """Give the grade of every file, made in two processes while the tests look at them."""
    with ProcessPoolExecutor(2) as pool:
        yield {file.stem: pool.submit(grade_of, file) for file in sorted(SUBMISSIONS.glob("*/*.py"))}


def grade_of(path: Path) -> Grade:
    loaded = rubric.load(DEFAULT_RUBRIC)
    limits = loaded.limits.model_copy(update=IMPATIENT)
    settings = Settings(ahead=False)
    with prepared(read(path, 1000), loaded.model_copy(update={"limits": limits}), settings) as grading:
        return graded(grading, settings)


def test_every_file_is_in_the_table() -> None:
    assert {file.stem for file in (SUBMISSIONS / "faults").glob("*.py")} == set(FAULTS)
    assert len(FAULTS) >= 30


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_loses_its_criteria_and_no_other(name: str, grades: Grades) -> None:
    grade = grades[name].result()
    lost = {one.id for one in grade.criteria if one.score < one.points and not one.bonus}
    assert lost == set(FAULTS[name].split())
    assert grade.grader_errors == ()


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_submission_keeps_every_point(name: str, grades: Grades) -> None:
    grade = grades[name].result()
    assert grade.score == grade.points
    assert grade.sweep is not None
    assert grade.sweep.recalled == (name not in NOT_RECALLED)


def test_lost_functions_are_lost_with_one_reason(grades: Grades) -> None:
    grade = grades["utility_is_missing"].result()
    (utility,) = (one for one in grade.criteria if one.id == "utility")
    assert utility.score == 0
    assert {verdict.reason for verdict in utility.verdicts} == {"The file defines no function `utility`."}


@pytest.mark.parametrize(
    ("name", "reason", "score"),
    [
        ("file_has_a_syntax_error", "SyntaxError: unmatched ')' (line 40)", 0),
        ("file_raises_on_import", "IndexError: list index out of range (line 11)", 5),
        ("file_imports_numpy", "line 8 imports numpy. The file was not run.", 5),
        ("functions_are_not_written", "still to be written", 5),
    ],
)
def test_what_cannot_run_keeps_at_most_its_style(
    name: str, reason: str, score: float, grades: Grades
) -> None:
    grade = grades[name].result()
    assert grade.score == score
    for criterion in grade.criteria:
        if criterion.id in RUNNING.split():
            assert criterion.score == 0
            assert all(reason in verdict.reason for verdict in criterion.verdicts if verdict.weight) or (
                name == "functions_are_not_written"
            )
