"""Gradescope's results.json: a test for each criterion, and the hidden cases for instructors only.

The score at the top overrides the sum of the tests: it is the total, bonus and deductions included.
Where there is no score, none is given anywhere; the reason is the submission's output.
"""

import json
from typing import Any, Final

from grader.places.told import Row, Told
from grader.places.words import body, listed, name, points, summary, taken_off

_VISIBLE: Final = "visible"
_HIDDEN: Final = "hidden"


def write(told: Told) -> str:
    """Return results.json."""
    rows = told.judged()
    tests = [_test(count, row, len(rows)) for count, row in enumerate(rows, 1)]
    tests += [_note(reason) for reason in taken_off(told)]
    tests += _for_instructors(rows)
    result: dict[str, Any] = {
        "output": "\n".join([summary(told), *told.notes]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": _VISIBLE,
        "stdout_visibility": _HIDDEN,
        "execution_time": told.grade.seconds,
        "tests": tests or [_note(summary(told))],
    }
    if told.gradable:
        result["score"] = told.final
    if told.gradable and told.leaderboard:
        result["leaderboard"] = _leaderboard(told)
    return json.dumps(result, ensure_ascii=False, indent=1) + "\n"


def _test(count: int, row: Row, rows: int) -> dict[str, Any]:
    test: dict[str, Any] = {"number": str(count), "name": name(row), "visibility": _VISIBLE}
    test["output"] = "\n".join(filter(None, (f"{points(row)}.", body(row, rows))))
    if row.score is None:
        return test
    test["score"] = row.score
    if not row.bonus:
        test["max_score"] = row.points
        test["status"] = "passed" if row.full else "failed"
    elif row.full:
        test["status"] = "passed"
    return test


def _note(text: str) -> dict[str, Any]:
    """Return a row without a score."""
    return {"name": text.splitlines()[0], "status": "failed", "output": text, "visibility": _VISIBLE}


def _for_instructors(rows: list[Row]) -> list[dict[str, Any]]:
    """Return a row with all hidden cases, if there are any: it has no score, and students never see it."""
    hidden = [(row.id, listed(row.hidden())) for row in rows if row.hidden()]
    lines = [line for name, cases in hidden for line in (name, *(f"  {case}" for case in cases))]
    if not lines:
        return []
    return [{"name": "Hidden cases", "visibility": _HIDDEN, "status": "passed", "output": "\n".join(lines)}]


def _leaderboard(told: Told) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [{"name": "points", "value": told.final, "order": "desc"}]
    if told.grade.first_move:
        seconds = told.grade.first_move.seconds
        entries.append({"name": "first move (s)", "value": seconds, "order": "asc"})
    return entries
