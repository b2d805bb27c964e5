"""PrairieLearn's results.json: a score from 0 to 1, and `gradable: false` where there is none.

What is above 1 would make it ungradable, so a bonus fills up what is missing and no more; the message says
all of it. Everything in the file reaches the student, so hidden cases are counted, not shown.
"""

import json
from typing import Any

from grader.places.told import Row, Told
from grader.places.words import body, name, points, summary, taken_off


def write(told: Told) -> str:
    """Return results.json."""
    return json.dumps(_result(told), ensure_ascii=False, indent=1) + "\n"


def _result(told: Told) -> dict[str, Any]:
    problem = told.problem or (summary(told) if told.not_python else "")
    if problem:
        errors = [row.text for row in told.judged() if row.text] or [problem]
        return {"gradable": False, "format_errors": errors, "message": problem}
    above = told.grade.total > told.grade.points
    more = ["The score ends at full marks: what is above them is not in it."] if above else []
    return {
        "gradable": True,
        "score": round(min(1.0, told.share), 6),
        "message": "\n".join([summary(told), *more, *taken_off(told)]),
        "output": "\n".join(told.notes),
        "tests": [_test(row, len(told.rows)) for row in told.judged()],
    }


def _test(row: Row, rows: int) -> dict[str, Any]:
    """Return a row; one worth nothing is shown in grey, so a bonus that was not earned is no red cross."""
    in_grey = row.score is None or row.bonus
    return {
        "name": name(row),
        "points": 0 if in_grey else row.score,
        "max_points": 0 if in_grey else row.points,
        "message": f"{points(row)}.",
        "output": body(row, rows),
    }
