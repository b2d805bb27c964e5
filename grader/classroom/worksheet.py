"""Moodle's grading worksheet, filled in as it was downloaded: its identifiers, its language, its columns.

Moodle leaves a grade out, silently, that is above the maximum. So a grade ends there, and the comment says
what is above it. The columns are found by the shape that they have in every language: the word in the
brackets of "Last modified (grade)" names the column of grades.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.classroom.gradebook import Capped, above, final, safe
from grader.classroom.matching import Matching, Way, matched, turned
from grader.classroom.records import Record
from grader.classroom.sheet import Row, Sheet, as_number
from grader.course.rubric import Rubric
from grader.errors import UserError
from grader.report.text import number

_MODIFIED: Final = re.compile(r".+\((?P<what>[^()]+)\)\s*")
_PARTICIPANT: Final = re.compile(r"\D*(?P<number>\d+)")
_COMMENTS: Final = (
    "comment", "komment", "coment", "commento", "коммент", "комента", "opmerking", "palaute", "feedback",
    "retroalimenta", "rückmeldung", "återkoppling", "komentar", "コメント", "评语", "反馈", "意见",
)  # fmt: skip
"""Parts of what the column of comments is called, in Moodle's languages."""


@dataclass(frozen=True)
class Columns:
    """Where things stand in a worksheet; some may be missing."""

    identifier: int
    grade: int
    maximum: int | None
    comment: int | None


@dataclass(frozen=True)
class Filled:
    """A worksheet filled in, and what a person should know about it."""

    text: str
    capped: tuple[Capped, ...]
    matching: Matching
    untold: bool
    """Whether there is no column for comments."""
    name: int
    """The column of names: the one after the identifier."""


def check(sheet: Sheet, rubric: Rubric) -> None:
    """Raise UserError for a worksheet that cannot be filled in by this rubric."""
    columns = columns_of(sheet)
    for row in sheet.rows[1:]:
        _maximum(sheet, row, columns, rubric)


def fill(sheet: Sheet, records: Sequence[Record], comments: Sequence[str], rubric: Rubric) -> Filled:
    """Return the worksheet with everybody's grade and comment; who has none keeps the row as it was."""
    columns = columns_of(sheet)
    rows = sheet.rows[1:]
    said = {record.key: text for record, text in zip(records, comments, strict=True)}
    matching = matched(records, rows, _ways(columns))
    comma = columns.maximum is not None and any("," in row[columns.maximum] for row in rows)
    filled, capped = [sheet.header], []
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
            cells[columns.comment] = safe(comment)
        filled.append(tuple(cells))
    return Filled(
        sheet.text(filled), tuple(capped), matching, columns.comment is None, columns.identifier + 1
    )


def columns_of(sheet: Sheet) -> Columns:
    """Return where things stand; raise UserError for a file that is no worksheet."""
    header = [name.strip() for name in sheet.header]
    modified = [at for at, name in enumerate(header) if _MODIFIED.fullmatch(name)]
    grade = _named_like(header, modified[-1]) if modified else None
    identifier = next((at for at in range(len(header)) if _identifies(sheet, at)), None)
    if grade is None or identifier is None:
        what = (
            "an identifier for each participant"
            if grade is not None
            else "'Grade' and 'Last modified (grade)'"
        )
        raise UserError(
            f"is no grading worksheet of Moodle, for it has no column with {what}: "
            "download it again from the assignment (View all submissions, Download grading worksheet)",
            file=sheet.file,
            line=1,
        )
    after = [at for at in range(modified[-1] + 1, len(header)) if _is_comment(header[at])]
    maximum = grade + 1 if grade + 1 < len(header) and grade + 1 not in modified else None
    return Columns(identifier, grade, maximum, after[0] if after else None)


def _named_like(header: Sequence[str], modified: int) -> int | None:
    """Return the column of grades: it is called what 'Last modified' has in brackets, or begins like it."""
    match = _MODIFIED.fullmatch(header[modified])
    assert match
    word = match["what"].strip().casefold()
    before = [(at, name.casefold()) for at, name in enumerate(header[:modified])]
    exact = [at for at, name in before if name == word]
    alike = [at for at, name in before if name[:3] == word[:3] and " " not in name]
    return next(iter(exact or alike), None)


def _identifies(sheet: Sheet, at: int) -> bool:
    """Return whether a column holds the participants' numbers: a word and a number in every row."""
    cells = [row[at] for row in sheet.rows[1:]]
    words = {re.sub(r"\s*\d+$", "", cell) for cell in cells}
    return len(words) == 1 and "" not in words and all(_PARTICIPANT.fullmatch(cell) for cell in cells)


def _is_comment(name: str) -> bool:
    return any(part in name.casefold() for part in _COMMENTS)


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
        match = _PARTICIPANT.fullmatch(row[columns.identifier])
        return [match["number"]] if match else []

    def others(row: Row) -> list[str]:
        return [cell for at, cell in enumerate(row[: columns.grade]) if at != columns.identifier]

    return [
        (lambda record: [record.ids.get("moodle", "")], participant),
        (lambda record: [record.ids.get("Identifier", "")], lambda row: [row[columns.identifier]]),
        (lambda record: [value for value in record.ids.values() if value != record.student], others),
        (
            lambda record: turned(record.student),
            lambda row: [name for one in others(row) for name in turned(one)],
        ),
    ]
