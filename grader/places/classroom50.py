"""Classroom 50's result.json: whole numbers, and none above its maximum.

Points are rounded to the nearest whole number, but only full marks become full marks; the exact number
stands beside each rounded one. A bonus is part of the maximum, because a score may not be above it.
Where there is no score the file says 0 of 0, as the place's own runner does, and the command fails.
"""

import json
import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from grader.places.told import Row, Told
from grader.places.words import body, name, points, taken_off
from grader.report.text import number

BODY: Final = "release-body.md"
"""The file beside it that students read."""

_SCHEMA: Final = "classroom50/result/v1"
_LOCAL: Final = "local"
"""Stands for what only the place knows."""


def write(told: Told, around: Mapping[str, str] = os.environ, now: datetime | None = None) -> str:
    """Return result.json; `around` is the environment in which the place runs a grader."""
    commit = around.get("COMMIT_URL") or _LOCAL
    most = sum(row.points for row in told.rows)
    result = {
        "schema": _SCHEMA,
        "classroom": around.get("CLASSROOM") or _LOCAL,
        "assignment": around.get("ASSIGNMENT") or _LOCAL,
        "submission": around.get("SUBMISSION_TAG") or f"submit/{_LOCAL}",
        "commit": commit,
        "release": around.get("RELEASE_URL") or _LOCAL,
        "review": around.get("REVIEW_URL") or commit,
        "datetime": (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": _counted(told, most) if told.gradable else 0,
        "max-score": math.ceil(most) if told.gradable else 0,
        "tests": _tests(told, most) if told.gradable else [],
    }
    return json.dumps(result, ensure_ascii=False, indent=1) + "\n"


def _counted(told: Told, most: float) -> int:
    """Return the total as a whole number; it is in points here, whatever they are scaled to elsewhere."""
    return whole(told.final if told.grade.scaled is None else told.grade.total, most)


def whole(score: float, points: float) -> int:
    """Return a score as a whole number: the nearest, and full marks only for full marks."""
    maximum = math.ceil(points)
    return maximum if score >= points else min(math.floor(score + 0.5), maximum - 1)


def _tests(told: Told, most: float) -> list[dict[str, Any]]:
    tests = [_test(row, len(told.rows)) for row in told.judged()]
    tests += [_remark("taken off", reason, passed=False) for reason in taken_off(told)]
    counted = _counted(told, most)
    if counted != told.grade.total:
        exact = f"The exact total is {number(told.grade.total)}; {counted} is counted."
        tests.append(_remark("rounded", exact))
    return tests


def _test(row: Row, rows: int) -> dict[str, Any]:
    worth = 0.0 if row.score is None else row.points
    return {
        "test-name": name(row),
        "passed": row.full or row.bonus or row.by_hand,
        "score": whole(row.score or 0.0, worth),
        "max-score": math.ceil(worth),
        "message": f"{points(row)}. {body(row, rows)}".strip(),
    }


def _remark(title: str, message: str, *, passed: bool = True) -> dict[str, Any]:
    """Return a row that is worth nothing."""
    return {"test-name": title, "passed": passed, "score": 0, "max-score": 0, "message": message}
