"""Who was late, and by how much: from the LMS's worksheet, a roster's column, or the hand-in's own record."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from grader.classroom import moodle
from grader.classroom.adjustments import LateWork
from grader.classroom.entries import Entry
from grader.classroom.records import Record
from grader.classroom.roster import date_in
from grader.classroom.sheet import Sheet
from grader.core.course.late import Late, seconds_in
from grader.core.text import printable

_LATE_BY: Final = re.compile(r"(\d[\w ,:.]{0,60}?)\s{1,9}late\b")


def late_work(
    rule: Late | None, entries: Sequence[Entry], records: Sequence[Record], sheet: Sheet | None
) -> tuple[dict[str, LateWork], list[str]]:
    """Return who was late, by their keys, and what a person should know about that."""
    if rule is None:
        return {}, []
    in_sheet = _of_worksheet(sheet, records) if sheet else {}
    found, known, unreadable = {}, False, []
    for entry in entries:
        is_late, late_by, date = in_sheet.get(entry.key, (False, None, ""))
        late_by = entry.late_by if entry.late_by is not None else late_by
        date = entry.date or date
        known = known or bool(entry.late or is_late or late_by is not None or (date and rule.due))
        unreadable += [entry] if date and not rule.due and late_by is None else []
        if late_by is None:
            late_by = rule.seconds_after(date)
        if late_by is not None and late_by > 0:
            found[entry.key] = LateWork(by=late_by)
        elif late_by is None and (entry.late or is_late):
            found[entry.key] = LateWork()
    return found, list(_notes(rule, entries, found, known=known, dated=bool(unreadable)))


def _notes(
    rule: Late, entries: Sequence[Entry], found: Mapping[str, LateWork], *, known: bool, dated: bool
) -> list[str]:
    if not known:
        why = "the rubric does not say when it was due (late: due)" if dated else "no date is known"
        return [f"Nothing was taken off for late work: {why}."]
    unknown = [one.student for one in entries if one.key in found and found[one.key].by is None]
    if not unknown:
        return []
    names = "; ".join(map(printable, unknown))
    return [f"Late, but nobody knows by how much, so {_a_day(rule)} was taken off: {names}."]


def _a_day(rule: Late) -> str:
    return f"one day's {rule.per_day}" if isinstance(rule.per_day, str) else f"{rule.per_day:g} points"


def _of_worksheet(sheet: Sheet, records: Sequence[Record]) -> dict[str, tuple[bool, float | None, str]]:
    """Return what Moodle's worksheet tells of everybody who is in it."""
    columns, of_row = moodle.who_is_who(sheet, records)
    found = {}
    for position, record in of_row.items():
        row = sheet.rows[1:][position]
        status = row[columns.status] if columns.status is not None else ""
        late = _LATE_BY.search(status)
        date = date_in(row[columns.submitted]) if columns.submitted is not None else ""
        is_late = re.search(r"\blate\b", status) is not None
        found[record.key] = is_late, seconds_in(late[1]) if late else None, date
    return found
