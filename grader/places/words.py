"""How the writers put a grade into words: one sentence on the whole, and a text on each criterion."""

from typing import Final

from grader.core.evidence import Tally
from grader.places.clean import clipped, per_row
from grader.places.rows import UNRUN, Case, Row
from grader.places.told import Told
from grader.report.text import number, shares
from grader.report.words import cases_passed

_SHOWN: Final = 2
"""Cases of a criterion that are shown in full."""

_NAMED: Final = 8


def summary(told: Told) -> str:
    """Return the whole result in a sentence; before it that a file does not run, after it what is left."""
    if told.problem:
        return told.problem
    parts = f" ({number(told.score)} and a bonus of {number(told.bonus)})" if told.bonus else ""
    scaled = ""
    if told.final != told.total or told.out_of != told.points:
        scaled = f", that is {number(told.final)} of {number(told.out_of)}"
    result = f"{number(told.total)} of {number(told.points)} points{parts}{scaled}."
    left = sum(row.points for row in told.rows if row.by_hand)
    waiting = f"A person still judges up to {number(left)} points." if left else ""
    first = f"{UNRUN}." if told.unrun else ""
    return " ".join(
        filter(None, (*told.for_a_person, first, result, _sentence(told.tally), told.right, waiting))
    )


def name(row: Row) -> str:
    """Return what a row is called."""
    return f"{row.id}: {row.description}" + (" (bonus)" if row.bonus else "")


def points(row: Row) -> str:
    """Return what a criterion earned, in a few words."""
    if row.by_hand:
        return f"a person judges this, up to {number(row.points)} points"
    if row.score is None:
        return "no score"
    return shares(row.score, row.points, row.given_back, " bonus points" if row.bonus else " points")


def body(row: Row, rows: int = 1) -> str:
    """Return what a student may read about one criterion of so many; of hidden cases their number."""
    if row.text:
        return f"{row.text}\n{counted(row)}"
    lines = [*row.mistakes, *(f"Hint: {hint}" for hint in row.hints)]
    lines += filter(None, [counted(row)])
    lines += listed(row.public())
    for case in _telling(row):
        lines += ["", f"{case.id}:", *(f"  {line}" for line in case.text.splitlines())]
    return clipped("\n".join(lines), per_row(rows))


def counted(row: Row) -> str:
    """Return how many of the cases that count passed; of hidden ones only that."""
    return _sentence(row.tally)


def listed(cases: list[Case]) -> list[str]:
    """Return a line for each outcome: which passed, and why the others did not, a reason once.

    What counts nothing is a note and no failure.
    """
    passed = [case.id for case in cases if case.passed and case.counts]
    lines = [f"passed: {', '.join(passed)}"] if passed else []
    others: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        if not case.passed:
            named = f"{case.id} ({case.worth})" if case.worth else case.id
            others.setdefault((_outcome(case), case.reason), []).append(named)
    for (outcome, reason), ids in others.items():
        more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        lines.append(f"{outcome}: {', '.join(ids[:_NAMED])}{more}: {reason}")
    return lines


def taken_off(told: Told) -> list[str]:
    """Return what was taken off for something that belongs to no criterion."""
    return [f"{number(points)} points are taken off: {reason}" for points, reason in told.deductions]


def _outcome(case: Case) -> str:
    return case.status.replace("_", " ") if case.counts or not case.status.is_bad else "note"


def _sentence(tally: Tally) -> str:
    passed = cases_passed(tally)
    return f"{passed}." if passed else ""


def _telling(row: Row) -> list[Case]:
    """Return the failed cases that show most, each for a reason of its own, if points were lost."""
    if row.full:
        return []
    failed = {case.reason: case for case in row.public()[::-1] if case.status.is_bad and case.counts}
    return [case for case in list(failed.values())[::-1] if case.text != case.reason][:_SHOWN]
