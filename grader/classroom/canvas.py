"""Canvas's gradebook, filled in as it was exported: its ids, its sections, and one assignment's column.

The importer goes by the positions of the first columns, so they are taken over; columns of other
assignments are left out, so that importing changes nothing of them.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from grader.classroom.gradebook import final, refuse_maximum
from grader.classroom.records import Record
from grader.classroom.sheet import Matching, Row, Sheet, Way, as_number, by_name, known_by, matched
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.report.text import number

_ASSIGNMENT: Final = re.compile(r"\A(?P<title>.*)\((?P<id>\d+)\)\s*+\Z")
_POSSIBLE: Final = "points possible"
_TEST_STUDENT: Final = "Student, Test"


def fill(
    sheet: Sheet, records: Sequence[Record], rubric: Rubric, wanted: str | None, apart: Collection[str] = ()
) -> tuple[str, Matching[Record]]:
    """Return the gradebook with everybody's grade, and who is who; who has none keeps what was there."""
    own = _own_columns(sheet)
    column = _column(sheet, own, rubric, wanted)
    _hold_points(sheet, column, rubric)
    students = [at for at, row in enumerate(sheet.rows) if at and _is_student(row)]
    rows = [sheet.rows[at] for at in students]
    matching = matched(records, rows, _ways(own), apart, numbers=1)  # the first way is by Canvas's number
    grades = ((students[at], final(record)) for at, record in matching.of_row.items())
    shown = {at: number(grade) for at, grade in grades if grade is not None}
    filled = [(*row[:own], shown.get(at, row[column])) for at, row in enumerate(sheet.rows)]
    return sheet.text(filled), matching


def _own_columns(sheet: Sheet) -> int:
    """Return how many columns are about the students: they end with the section."""
    header = sheet.header
    first = next((at for at, name in enumerate(header) if _ASSIGNMENT.fullmatch(name)), len(header))
    section = [at for at in range(2, first) if "Section" in header[at]]
    if len(header) < 3 or "Student" not in header[0] or "ID" not in header[1] or not section:
        raise UserError(
            "is no gradebook of Canvas, which begins with Student, ID and ends these columns with Section: "
            "export it again (Grades, Export)",
            file=sheet.file,
            line=1,
        )
    return section[-1] + 1


def _column(sheet: Sheet, own: int, rubric: Rubric, wanted: str | None) -> int:
    """Return the assignment's column: by its number, by its title, or the only one that there is."""
    found = {
        at: (match["id"], match["title"].rstrip())
        for at, name in enumerate(sheet.header)
        if at >= own and (match := _ASSIGNMENT.fullmatch(name))
    }
    by_id = [at for at, (one, _) in found.items() if one == wanted]
    title = (wanted or rubric.title).strip().casefold()
    by_title = [at for at, (_, one) in found.items() if one.strip().casefold() == title]
    chosen = by_id or by_title or (list(found) if wanted is None else [])
    if len(chosen) == 1:
        return chosen[0]
    there = "; ".join(sheet.header[at] for at in found) or "none"
    asked = f"no assignment '{wanted}'" if wanted and not chosen else "not one assignment that is meant"
    raise UserError(f"has {asked}: say --canvas-id with a number of these: {there}", file=sheet.file, line=1)


def _hold_points(sheet: Sheet, column: int, rubric: Rubric) -> None:
    """Raise UserError for a column that cannot be filled, or is not worth what the rubric gives."""
    for row in sheet.rows[1:]:
        if _POSSIBLE not in row[0].casefold():
            continue
        if "read only" in row[column].casefold():
            raise UserError("has this assignment's column as read only: choose another one", file=sheet.file)
        possible = as_number(row[column])
        if possible is not None:
            refuse_maximum(sheet.file, possible, f"{number(possible)} points possible", rubric)


def _is_student(row: Row) -> bool:
    """Return whether a row is about somebody: not about points, and not Canvas's own test student."""
    about = row[0].strip()
    return bool(about) and _POSSIBLE not in about.casefold() and about != _TEST_STUDENT


def _ways(own: int) -> list[Way]:
    return [
        (lambda record: [record.ids.get("canvas", "")], lambda row: [row[1]]),
        (known_by, lambda row: row[1:own]),
        *by_name(lambda row: [row[0]]),
    ]
