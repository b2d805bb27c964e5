"""Moodle's grading worksheet, filled in as it was downloaded: its identifiers, its language, its columns.

Moodle leaves a grade out, silently, that is above the maximum. So a grade ends there, and the comment says
what is above it. A comment that is there stays, and ours follows it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from grader.classroom.columns import PARTICIPANT, Columns, columns_of
from grader.classroom.gradebook import Capped, above, as_html, final, safe
from grader.classroom.matching import Matching, Way, by_name, known_by, matched
from grader.classroom.records import Record
from grader.classroom.sheet import Row, Sheet, as_number
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.report.text import number


@dataclass(frozen=True)
class Filled:
    """A worksheet filled in, and what a person should know about it."""

    text: str
    capped: tuple[Capped, ...]
    matching: Matching
    columns: Columns
    locked: tuple[str, ...]
    """Whose grade goes into a row that Moodle will not change."""


def check(sheet: Sheet, rubric: Rubric) -> None:
    """Raise UserError for a worksheet that cannot be filled in by this rubric."""
    columns = columns_of(sheet)
    for row in sheet.rows[1:]:
        _maximum(sheet, row, columns, rubric)


def fill(
    sheet: Sheet,
    records: Sequence[Record],
    comments: Sequence[str],
    rubric: Rubric,
    apart: Collection[str] = (),
) -> Filled:
    """Return the worksheet with everybody's grade and comment; who has none keeps the row as it was.

    Nothing goes in for those who stand apart, given by their keys.
    """
    columns = columns_of(sheet)
    rows = sheet.rows[1:]
    said = {record.key: text for record, text in zip(records, comments, strict=True)}
    matching = matched(records, rows, _ways(columns), apart)
    comma = columns.maximum is not None and any("," in row[columns.maximum] for row in rows)
    filled, capped, locked = [sheet.header], [], []
    for position, row in enumerate(rows):
        record = matching.of_row.get(position)
        grade = final(record) if record else None
        if record is None or grade is None:
            filled.append(row)
            continue
        maximum = _maximum(sheet, row, columns, rubric)
        cells, comment = list(row), said[record.key]
        if grade > maximum:
            capped.append(Capped(record.student, grade, maximum))
            comment = f"{comment} {above(grade, maximum)}"
        shown = number(min(grade, maximum))
        cells[columns.grade] = shown.replace(".", ",") if comma else shown
        if columns.comment is not None:
            cells[columns.comment] = _with(row[columns.comment], as_html(comment))
        if columns.locked(row):
            locked.append(record.student)
        filled.append(tuple(cells))
    return Filled(sheet.text(filled), tuple(capped), matching, columns, tuple(locked))


def _with(before: str, comment: str) -> str:
    """Return a comment after the one that is there, once."""
    if not before.strip():
        return safe(comment)
    return before if comment in before else f"{before} {comment}"


def _maximum(sheet: Sheet, row: Row, columns: Columns, rubric: Rubric) -> float:
    """Return what a row's grade may be at most; raise UserError if it is not what the rubric gives."""
    full = rubric.scale_to or rubric.points
    if columns.maximum is None:
        return full
    maximum = as_number(row[columns.maximum])
    if maximum is None:
        raise UserError("is graded by a scale, not by points: set the assignment to points", file=sheet.file)
    with_bonus = full * (1 + sum(one.points for one in rubric.bonus) / rubric.points)
    if not full <= maximum <= with_bonus:
        raise UserError(
            f"has a maximum of {number(maximum)}, but the rubric gives {number(full)}: "
            f"say 'scale_to: {number(maximum)}' in the rubric, or change the assignment",
            file=sheet.file,
        )
    return maximum


def _ways(columns: Columns) -> list[Way]:
    def participant(row: Row) -> list[str]:
        match = PARTICIPANT.fullmatch(row[columns.identifier])
        return [match["number"]] if match else []

    def identity(row: Row) -> list[str]:
        return [row[at] for at in columns.identity]

    return [
        (lambda record: [record.ids.get("moodle", "")], participant),
        (lambda record: [record.ids.get("Identifier", "")], lambda row: [row[columns.identifier]]),
        (known_by, identity),
        *by_name(identity),
    ]
