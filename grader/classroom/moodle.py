"""Moodle's grading worksheet, filled in as it was downloaded: its identifiers, its language, its columns.

Moodle leaves a grade out, silently, that is above the maximum. So a grade ends there, and the comment says
what is above it. A comment that is there stays, and ours follows it.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from grader.classroom.gradebook import Capped, above, as_html, final, refuse_maximum, safe
from grader.classroom.records import Record
from grader.classroom.sheet import Matching, Row, Sheet, Way, as_number, by_name, known_by, matched
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.report.text import number

_MODIFIED: Final = re.compile(r"\A.+\((?P<what>[^()]+)\)\s*+\Z")
_COMMENTS: Final = (
    "comment", "komment", "coment", "commento", "коммент", "комента", "opmerking", "palaute", "feedback",
    "retroalimenta", "ruckmeldung", "aterkoppling", "komentar", "コメント", "评语", "反馈", "意见",
)  # fmt: skip
"""Parts of what the column of comments is called, in Moodle's languages, without accents."""

_STATUS: Final = (
    "stat", "estad", "estat", "stan", "stav", "tila", "durum", "сост", "стат", "状", "ステータス",
)  # fmt: skip
"""How the word for status begins."""

_NO: Final = {
    "no", "nein", "non", "nao", "nee", "nej", "nei", "nie", "ne", "ei", "nem", "нет", "ні", "いいえ", "否",
}  # fmt: skip
"""What is said where a grade cannot be changed."""


@dataclass(frozen=True)
class Columns:
    """Where things stand in a worksheet; some may be missing."""

    identifier: int
    grade: int
    maximum: int | None
    comment: int | None
    identity: tuple[int, ...]
    """Who is meant: the full name, and what else a site shows before the status; without one, the name."""
    changeable: int | None
    status: int | None = None
    submitted: int | None = None
    """When it was handed in."""

    @property
    def name(self) -> int:
        """The column to call somebody by: the full name, or the identifier where names are kept back."""
        return self.identity[0] if self.identity else self.identifier

    def locked(self, row: Row) -> bool:
        """Return whether a row says that its grade cannot be changed."""
        return self.changeable is not None and _bare(row[self.changeable]) in _NO


def columns_of(sheet: Sheet) -> Columns:
    """Return where things stand; raise UserError for a file that is no worksheet."""
    header = [_bare(name) for name in sheet.header]
    modified, grade = _graded(header)
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
    status = next((at for at in range(identifier + 1, grade) if header[at].startswith(_STATUS)), None)
    return Columns(
        identifier,
        grade,
        maximum=grade + 1 if grade + 1 < modified and not _MODIFIED.fullmatch(header[grade + 1]) else None,
        comment=_comments(sheet, header, modified),
        identity=tuple(range(identifier + 1, min(identifier + 2, grade) if status is None else status)),
        changeable=_changeable(header, grade, modified),
        status=status,
        submitted=next((at for at in range(grade + 1, modified) if _MODIFIED.fullmatch(header[at])), None),
    )


def _bare(text: str) -> str:
    """Return a text in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    return unicodedata.normalize("NFKC", "".join(one for one in apart if not unicodedata.combining(one)))


def _graded(header: Sequence[str]) -> tuple[int, int | None]:
    """Return 'Last modified (grade)' and the column of grades.

    That one is called what stands in the brackets, or begins like it. Columns with brackets may follow, so
    the last that fits is meant.
    """
    bracketed = [
        (at, match["what"].strip()) for at, name in enumerate(header) if (match := _MODIFIED.fullmatch(name))
    ]
    for modified, word in reversed(bracketed):
        if word in header[:modified]:
            return modified, header.index(word)
    for modified, word in reversed(bracketed):
        alike = [at for at, name in enumerate(header[:modified]) if name[:3] == word[:3] and " " not in name]
        if alike:
            return modified, alike[0]
    return 0, None


def _identifies(sheet: Sheet, at: int) -> bool:
    """Return whether a column holds the participants' numbers: a word and a number in every row."""
    cells = [row[at] for row in sheet.rows[1:]]
    words = {cell.rstrip("0123456789").rstrip() for cell in cells}
    return len(words) == 1 and "" not in words and all(re.fullmatch(r"\A\D*+\d++", cell) for cell in cells)


def _changeable(header: Sequence[str], grade: int, modified: int) -> int | None:
    """Return 'Grade can be changed': it follows the maximum, and its name holds the word for the grade."""
    after = range(grade + 2, modified)
    return next((at for at in after if header[grade] in header[at] and "(" not in header[at]), None)


def _comments(sheet: Sheet, header: Sequence[str], modified: int) -> int | None:
    """Return the column of comments: by its name, or the next one if it may hold text."""
    after = range(modified + 1, len(header))
    named = [at for at in after if any(part in header[at] for part in _COMMENTS)]
    if named or not after:
        return named[0] if named else None
    cells = [row[after[0]].strip() for row in sheet.rows[1:]]
    is_text = not any(cell and as_number(cell) is not None for cell in cells)
    return after[0] if is_text and not re.search(r"[(:]", header[after[0]]) else None


@dataclass(frozen=True)
class Filled:
    """A worksheet filled in, and what a person should know about it."""

    text: str
    capped: tuple[Capped, ...]
    matching: Matching[Record]
    columns: Columns
    locked: tuple[str, ...]
    """Whose grade goes into a row that Moodle will not change."""


def check(sheet: Sheet, rubric: Rubric) -> None:
    """Raise UserError for a worksheet that cannot be filled in by this rubric."""
    columns = columns_of(sheet)
    for row in sheet.rows[1:]:
        _maximum(sheet, row, columns, rubric)


def fill(
    sheet: Sheet, records: Sequence[Record], texts: Sequence[str], rubric: Rubric, apart: Collection[str] = ()
) -> Filled:
    """Return the worksheet with everybody's grade and comment; who has none keeps the row as it was."""
    columns = columns_of(sheet)
    rows = sheet.rows[1:]
    said = {record.key: text for record, text in zip(records, texts, strict=True)}
    matching = matched(records, rows, ways(columns), apart, NUMBERS)
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


def participants(sheet: Sheet, filled: Filled) -> dict[str, tuple[str, str]]:
    """Return what a worksheet calls everybody who is in it, by their keys: the name, and the number."""
    rows, columns = sheet.rows[1:], filled.columns
    of_row = ((record.key, rows[at]) for at, record in filled.matching.of_row.items())
    return {key: (row[columns.name], _number(row[columns.identifier])) for key, row in of_row}


def _number(identifier: str) -> str:
    """Return the number behind the word of an identifier."""
    return re.sub(r"\A\D+", "", identifier)


def _with(before: str, comment: str) -> str:
    """Return a comment after the one that is there, once."""
    if not before.strip():
        return safe(comment)
    return before if comment in before else f"{before} {comment}"


def _maximum(sheet: Sheet, row: Row, columns: Columns, rubric: Rubric) -> float:
    """Return what a row's grade may be at most; raise UserError if it is not what the rubric gives."""
    if columns.maximum is None:
        return rubric.scale_to or rubric.points
    maximum = as_number(row[columns.maximum])
    if maximum is None:
        raise UserError("is graded by a scale, not by points: set the assignment to points", file=sheet.file)
    refuse_maximum(sheet.file, maximum, f"a maximum of {number(maximum)}", rubric)
    return maximum


NUMBERS: Final = 1
"""The first of the ways is by Moodle's own number."""


def ways(columns: Columns) -> list[Way]:
    """Return what a record and a row of a worksheet are known by."""

    def identity(row: Row) -> list[str]:
        return [row[at] for at in columns.identity]

    return [
        (lambda record: [record.ids.get("moodle", "")], lambda row: [_number(row[columns.identifier])]),
        (lambda record: [record.ids.get("Identifier", "")], lambda row: [row[columns.identifier]]),
        (known_by, identity),
        *by_name(identity),
    ]
