"""How the writers put a grade into words: one sentence on the whole, and a text on each criterion."""

from typing import Final

from grader.core.evidence import Tally
from grader.core.grade import Status, Verdict
from grader.places.told import UNRUN, Row, Told, clipped, per_row
from grader.report.text import number, shares, worth
from grader.report.words import cases_passed, that_is

_SHOWN: Final = 2
"""Cases of a criterion that are shown in full."""

_NAMED: Final = 8


def summary(told: Told) -> str:
    """Return the whole result in a sentence; before it that a file does not run, after it what is left."""
    if told.problem:
        return told.problem
    grade = told.grade
    parts = f" ({number(grade.score)} and a bonus of {number(grade.bonus)})" if grade.bonus else ""
    result = f"{number(grade.total)} of {number(grade.points)} points{parts}{that_is(grade)}."
    left = sum(row.points for row in told.rows if row.by_hand)
    waiting = f"A person still judges up to {number(left)} points." if left else ""
    first = f"{UNRUN}." if grade.does_not_run else ""
    sentences = (*grade.for_a_person, first, result, counted(grade.tally), told.right, waiting)
    return " ".join(filter(None, sentences))


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
        return f"{row.text}\n{counted(row.tally)}"
    lines = [one.sentence for one in row.mistakes]
    lines += [f"Hint: {one.hint}" for one in row.mistakes if one.hint]
    lines += filter(None, [counted(row.tally)])
    lines += listed(row.public())
    for case in _telling(row):
        lines += ["", f"{case.id}:", *(f"  {line}" for line in row.shown(case).splitlines())]
    return clipped("\n".join(lines), per_row(rows))


def counted(tally: Tally) -> str:
    """Return how many of the cases that count passed, in a sentence; of hidden ones only that."""
    passed = cases_passed(tally)
    return f"{passed}." if passed else ""


def listed(cases: list[Verdict]) -> list[str]:
    """Return a line for each outcome: which passed, and why the others did not, a reason once.

    What counts nothing is a note and no failure.
    """
    passed = [case.id for case in cases if case.status is Status.PASSED and case.weight]
    lines = [f"passed: {', '.join(passed)}"] if passed else []
    others: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        if case.status is not Status.PASSED:
            named = f"{case.id} ({worth(case)})" if worth(case) else case.id
            others.setdefault((_outcome(case), case.reason), []).append(named)
    for (outcome, reason), ids in others.items():
        more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        lines.append(f"{outcome}: {', '.join(ids[:_NAMED])}{more}: {reason}")
    return lines


def taken_off(told: Told) -> list[str]:
    """Return what was taken off for something that belongs to no criterion."""
    return [f"{number(one.points)} points are taken off: {one.reason}" for one in told.grade.deductions]


def _outcome(case: Verdict) -> str:
    return case.status.replace("_", " ") if case.weight or not case.status.is_bad else "note"


def _telling(row: Row) -> list[Verdict]:
    """Return the failed cases that show most, each for a reason of its own, if points were lost."""
    if row.full:
        return []
    failed = {case.reason: case for case in row.public()[::-1] if case.status.is_bad and case.weight}
    return [case for case in list(failed.values())[::-1] if row.shown(case) != case.reason][:_SHOWN]
