"""Who was late, and by how much: from the LMS's worksheet, a roster's column, or the hand-in's own record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from grader.classroom import moodle
from grader.classroom.adjustments import LateWork
from grader.classroom.entries import Entry
from grader.classroom.roster import date_in
from grader.classroom.sheet import Sheet, matched
from grader.core.course.late import Late, seconds_in
from grader.core.text import printable

_LATE_BY: Final = re.compile(r"(\d[\w ,:.]{0,60}?)\s{1,9}late\b")


def late_work(
    rule: Late | None,
    entries: Sequence[Entry],
    sheet: Sheet | None,
    before: Mapping[str, LateWork] | None = None,
) -> tuple[dict[str, LateWork], list[str]]:
    """Return who was late, by their keys, and what a person should know about that.

    `before` is what an earlier run found: it holds for students of whom nothing is known now.
    """
    if rule is None:
        return {}, []
    in_sheet = _of_worksheet(sheet, entries) if sheet else {}
    found, known, dated = {}, False, False
    for entry in entries:
        if (
            before
            and entry.key in before
            and not (entry.late or entry.late_by or entry.date or in_sheet.get(entry.key))
        ):
            found[entry.key], known = before[entry.key], True
            continue
        is_late, late_by, date = in_sheet.get(entry.key, (False, None, ""))
        is_late, date = is_late or entry.late, entry.date or date
        late_by = entry.late_by if entry.late_by is not None else late_by
        known = known or bool(is_late or late_by is not None or (date and rule.due))
        dated = dated or bool(date and not rule.due and late_by is None)
        if late_by is None:
            late_by = rule.seconds_after(date)
        if is_late if late_by is None else late_by > 0:
            found[entry.key] = LateWork(by=late_by)
    if not known:
        why = "the rubric does not say when it was due (late: due)" if dated else "no date is known"
        return found, [f"Nothing was taken off for late work: {why}."]
    unknown = [printable(one.student) for one in entries if one.key in found and found[one.key].by is None]
    day = f"one day's {rule.per_day}" if isinstance(rule.per_day, str) else f"{rule.per_day:g} points"
    note = f"Late, but nobody knows by how much, so {day} was taken off: {'; '.join(unknown)}."
    return found, [note] if unknown else []


def with_lateness(rule: Late | None, entries: Sequence[Entry], late: Mapping[str, LateWork]) -> list[Entry]:
    """Return the entries, late as the rule says; without one, as they say themselves."""
    if rule is None:
        return list(entries)
    are_late = {key for key, work in late.items() if not rule.is_in_time(work.by)}
    return [replace(one, late=one.key in are_late) for one in entries]


def _of_worksheet(sheet: Sheet, entries: Sequence[Entry]) -> dict[str, tuple[bool, float | None, str]]:
    """Return what Moodle's worksheet tells of everybody who is in it."""
    found, columns, rows = {}, moodle.columns_of(sheet), sheet.rows[1:]
    for position, entry in matched(entries, rows, moodle.ways(columns), (), moodle.NUMBERS).of_row.items():
        row = rows[position]
        status = row[columns.status] if columns.status is not None else ""
        late = _LATE_BY.search(status)
        date = date_in(row[columns.submitted]) if columns.submitted is not None else ""
        is_late = re.search(r"\blate\b", status) is not None
        found[entry.key] = is_late, seconds_in(late[1]) if late else None, date
    return found
