"""Planted faults and correct submissions: each must lose exactly its criteria, and no other."""

import random
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from grader.core.course.rubric import GivenBack, Rubric
from grader.core.course.submission import from_bytes, read
from grader.core.grade import CriterionScore, Grade, Verdict, student_view
from grader.core.scores import make_grade
from grader.course import rubric_files
from grader.course.courses import DEFAULT_RUBRIC, ROOT
from grader.places.place_report import of_grade
from grader.report import terminal_report
from grader.report.wording import agenda, as_text
from tests.judged import judged, judged_inside
from tests.places.contracts import hold_everywhere
from tests.sharing import some
from tests.submissions import CORRECT, PLAIN
from tests.submissions.faults import ALL, FAULTS
from tests.submissions.files import file_of

NOT_RECALLED = {"memory_in_a_global_dict"}
NEEDS_A_WALL = {"minimax_ends_the_program", "minimax_never_ends"}
WITHOUT_A_WALL = [name for name in [*FAULTS, *CORRECT] if name not in NEEDS_A_WALL]
_TIMES = re.compile(r"asked in [\d.]+ s")
IMPATIENT: dict[str, Any] = {"deadline": 1.0, "strikes": 1, "sweep_budget": 20.0}


@cache
def grade_of(name: str) -> Grade:
    return judged(read(file_of(name), 1000), limits=IMPATIENT, follow_through=GivenBack(share=0.0))


@cache
def grade_inside(name: str) -> Grade:
    return judged_inside(read(file_of(name), 1000), limits=IMPATIENT, follow_through=GivenBack(share=0.0))


def test_there_are_many() -> None:
    assert len(FAULTS) >= 30


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("name", some(FAULTS, 3))
def test_a_fault_loses_its_criteria_and_no_other(name: str) -> None:
    grade = grade_of(name)
    lost = {row.id for row in grade.criteria if row.score < row.points and not row.bonus}
    assert lost == set(FAULTS[name].loses.split())
    assert grade.grader_errors == ()
    hold_everywhere(of_grade(grade, rubric_files.load(DEFAULT_RUBRIC)))


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("name", some(FAULTS, 3))
def test_a_fault_is_named(name: str) -> None:
    grade = grade_of(name)
    assert (
        "; ".join(f"{mistake.function} {mistake.title}" for mistake in grade.mistakes) == FAULTS[name].mistake
    )
    if grade.mistakes:
        about_functions = [
            verdict for verdict in verdicts(grade) if verdict.function and verdict.status.is_bad
        ]
        assert all(verdict.explained_by or verdict.aspect == "declaration" for verdict in about_functions)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", some(CORRECT, 3))
def test_a_correct_submission_has_no_mistakes(name: str) -> None:
    assert grade_of(name).mistakes == ()


@pytest.mark.parametrize("name", ["winner_misses_columns"])
def test_a_mistake_is_charged_once(name: str) -> None:
    grade = grade_of(name)
    follows = {verdict.function: verdict.follows for verdict in verdicts(grade) if verdict.follows}
    assert follows == {"terminal": ("winner",), "utility": ("winner",), "minimax": ("winner",)}
    kind = rubric_files.load(DEFAULT_RUBRIC)
    again = regraded(grade, kind)
    assert kind.follow_through == GivenBack()
    lost = {row.id for row in again.criteria if row.score < row.points and not row.bonus}
    assert lost == {"winner"}
    assert sum(row.given_back for row in again.criteria) == pytest.approx(again.score - grade.score)


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("name", some(FAULTS, 3))
def test_a_report_for_a_student_is_a_screen(name: str) -> None:
    grade = regraded(grade_of(name), rubric_files.load(DEFAULT_RUBRIC))
    assert len(as_text(terminal_report.render(student_view(grade))).splitlines()) <= 75


def verdicts(grade: Grade) -> list[Verdict]:
    return [verdict for criterion in grade.criteria for verdict in criterion.verdicts]


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", some(CORRECT, 3))
def test_a_correct_submission_keeps_every_point(name: str) -> None:
    grade = grade_of(name)
    assert grade.score == grade.points
    assert grade.sweep is not None
    assert grade.sweep.recalled == (name not in NOT_RECALLED)


@pytest.mark.parametrize("name", ["utility_is_missing"])
def test_lost_functions_are_lost_with_one_reason(name: str) -> None:
    grade = grade_of(name)
    (utility,) = (row for row in grade.criteria if row.id == "utility")
    assert utility.score == 0
    assert {verdict.reason for verdict in utility.verdicts if verdict.weight} == {
        "The file defines no function `utility`."
    }


@pytest.mark.parametrize(
    ("name", "reason", "score"),
    [
        ("file_has_a_syntax_error", "not valid Python: unmatched ')' (line 40)", 0),
        ("file_raises_on_import", "IndexError: list index out of range (line 11)", 5),
        ("file_imports_numpy", "line 7 imports numpy. The file was not run.", 5),
        ("functions_are_not_written", "still to be written", 5),
    ],
)
def test_what_cannot_run_keeps_at_most_its_style(name: str, reason: str, score: float) -> None:
    grade = grade_of(name)
    assert grade.score == score
    for criterion in grade.criteria:
        if criterion.id in ALL.split():
            assert criterion.score == 0
            assert all(reason in verdict.reason for verdict in criterion.verdicts if verdict.weight) or (
                name == "functions_are_not_written"
            )


def behaviour(grade: Grade) -> Grade:
    """Return a grade without its times, which differ from run to run, and what only a wall can note."""
    sweep = replace(grade.sweep, seconds=0.0) if grade.sweep else None
    untimed = replace(grade, seconds=0.0, submission_seconds=0.0, first_move=None, sweep=sweep, boundary=None)
    return replace(untimed, for_instructors=(), criteria=tuple(map(_untimed, grade.criteria)))


def _untimed(criterion: CriterionScore) -> CriterionScore:
    verdicts = (
        replace(verdict, reason=_TIMES.sub("", verdict.reason), parameters={})
        for verdict in criterion.verdicts
    )
    return replace(criterion, verdicts=tuple(verdicts))


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", some(WITHOUT_A_WALL, 9))
def test_inside_the_grade_is_the_same_as_across_the_wall(name: str) -> None:
    assert behaviour(grade_inside(name)) == behaviour(grade_of(name))


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", some(WITHOUT_A_WALL, 9))
def test_by_pytest_the_grade_is_the_same_as_by_the_loop(name: str) -> None:
    found = read(file_of(name), 1000)
    by_pytest = judged_inside(found, limits=IMPATIENT, follow_through=GivenBack(share=0.0), by_pytest=True)
    assert behaviour(by_pytest) == behaviour(grade_inside(name))


def combinations_of_faults() -> list[str]:
    """Return every fault, and as many pairs and as many triples of them, of different functions."""
    chance = random.Random(38)
    singles = [name for name in FAULTS if name not in NEEDS_A_WALL]
    several = ["+".join(sorted(chance.sample(singles, size))) for size in (2, 3) for _ in range(len(singles))]
    return [name for name in [*singles, *dict.fromkeys(several)] if source_of(name)]


def source_of(names: str) -> str | None:
    """Return the engine with several faults, or None where one leaves no room for another."""
    text = PLAIN
    for name in names.split("+"):
        for change in FAULTS[name].changes:
            try:
                text = change(text)
            except AssertionError:
                return None
    return text


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("names", some(combinations_of_faults(), 24))
def test_what_is_given_back_follows_somebody_who_is_charged(names: str) -> None:
    source = source_of(names) or ""
    found = from_bytes("tictactoe.py", source.encode(), len(source), 1000)
    grade = judged_inside(found, limits=IMPATIENT, follow_through=GivenBack())
    follows: dict[str, set[str]] = {}
    charged: dict[str, float] = {}
    for verdict in verdicts(grade):
        follows.setdefault(verdict.function or "", set()).update(verdict.follows or ())
        charged[verdict.function or ""] = charged.get(verdict.function or "", 0.0) + verdict.lost
    for verdict in verdicts(grade):
        for name in follows[verdict.function or ""] if verdict.given_back else ():
            reached, pending = {name}, [name]
            while pending:
                new = follows[pending.pop()] - reached
                assert verdict.function not in new, "a circle"
                reached |= new
                pending += new
            assert any(charged[end] > 0.004 for end in reached), (verdict.id, name)
    assert any(charged.values()) or not any(verdict.given_back for verdict in verdicts(grade))


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("name", some(FAULTS, 8))
def test_every_lost_point_has_its_reason(name: str) -> None:
    """Given any rule for giving back: what is to be mended costs together what was lost."""
    grade, loaded = grade_of(name), rubric_files.load(DEFAULT_RUBRIC)
    for back in (GivenBack(share=0.0), GivenBack(), GivenBack(share=0.5), GivenBack(at_most=5)):
        again = regraded(grade, replace(loaded, follow_through=back))
        lost = sum(row.points - row.score for row in again.criteria if not row.bonus)
        assert again.does_not_run or sum(item.lost for item in agenda(again)) == pytest.approx(lost, abs=0.03)


@pytest.mark.parametrize(
    ("back", "total"),
    [
        (GivenBack(), 93.02),
        (GivenBack(at_most=20), 87.78),
        (GivenBack(share=0.5, at_most=5), 72.78),
        (GivenBack(share=0), 67.78),
    ],
)
def test_the_docs_say_what_one_fault_gives_back(back: GivenBack, total: float) -> None:
    assert total_by("winner_misses_columns", back) == total
    assert f"| {total} |" in (ROOT / "docs" / "rubric-and-cases.md").read_text()


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("winner_misses_the_anti_diagonal", "`winner` misses a diagonal"),
        ("result_changes_the_board_itself", "`result` changes the board it is given"),
        ("minimax_maximises_for_both", "`minimax` maximises for both players"),
    ],
)
def test_the_docs_say_what_follow_through_does_to_typical_files(name: str, told: str) -> None:
    """Given follow-through of 1, 0.5 and 0, in the order of the table's columns."""
    totals = [total_by(name, GivenBack(share=share)) for share in (1, 0.5, 0)]
    row = " | ".join([told, *(f"{total:g}" for total in totals)])
    assert f"| {row} |" in (ROOT / "docs" / "your-rubric.md").read_text()


def total_by(name: str, back: GivenBack) -> float:
    """Return the total of a file with a fault by the shipped rubric with another rule for giving back."""
    return regraded(grade_of(name), replace(rubric_files.load(DEFAULT_RUBRIC), follow_through=back)).total


def regraded(grade: Grade, rules: Rubric) -> Grade:
    """Return a grade with the same verdicts by another rubric."""
    found = [(row.id, verdict) for row in grade.criteria for verdict in row.verdicts]
    again = make_grade(rules, grade.submission, found, seconds=0, submission_seconds=0)
    return replace(grade, criteria=again.criteria, score=again.score, bonus=again.bonus, total=again.total)
