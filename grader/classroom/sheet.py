"""A CSV file that came from an LMS and goes back there, in the form that it has; and whose each row is."""

import csv
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final, Generic, TypeVar

from grader.classroom.entries import LANGUAGE, Identified, grouped
from grader.core.errors import UserError
from grader.core.messages import _
from grader.core.values import without_accents

_MARK: Final = "\ufeff"
_DELIMITERS: Final = (",", ";", "\t")
Row = tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """The cells of a file, its header first, and how the file is written."""

    file: Path
    rows: tuple[Row, ...]
    delimiter: str = ","
    mark: str = ""
    line_end: str = "\r\n"

    @property
    def header(self) -> Row:
        """The names of the columns."""
        return self.rows[0]

    def text(self, rows: Sequence[Sequence[str]]) -> str:
        """Return other rows, written as this file is."""
        return self.mark + csv_text(rows, self.delimiter, self.line_end)


def csv_text(rows: Iterable[Sequence[str]], delimiter: str = ",", line_end: str = "\r\n") -> str:
    """Return rows as CSV, every cell in quotes."""
    stream = StringIO()
    csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=line_end).writerows(rows)
    return stream.getvalue()


def read(file: Path) -> Sheet:
    """Return a file's cells, every row as long as the header; raise UserError for what is no such file."""
    try:
        raw = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise UserError(_("cannot be read: {error}", error=error.strerror), file=file) from None
    except UnicodeDecodeError:
        raise UserError(_("is not a CSV file in UTF-8: download it again as CSV"), file=file) from None
    text = raw.removeprefix(_MARK)
    first = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        rows = [tuple(row) for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error as error:
        raise UserError(_("is not a CSV file: {error}", error=error), file=file) from None
    if not rows:
        raise UserError(_("is empty: download it again"), file=file)
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) > width and any(row[width:]):
            why = _("row {row} has more cells than there are columns", row=number)
            raise UserError(why, file=file)
    whole = tuple((*row, *("",) * (width - len(row)))[:width] for row in rows)
    end = "\r\n" if first.endswith("\r") else "\n"
    return Sheet(file, whole, delimiter, _MARK if raw != text else "", end)


def as_number(cell: str) -> float | None:
    """Return the number in a cell, with a point or a comma, or None."""
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return None


S = TypeVar("S", bound=Identified)
Way = tuple[Callable[[Identified], Iterable[str]], Callable[[Row], Iterable[str]]]
"""What a student and a row are known by."""

_UNKNOWN: Final = "\N{LATIN SMALL LETTER X WITH DIAERESIS}"
"""Stands for any letter: no name has it."""

_OF_NO_USE: Final = ("moodle", "canvas", LANGUAGE)
"""Numbers that mean something in their own system only, and what names nobody."""


@dataclass(frozen=True)
class Matching(Generic[S]):
    """Which student belongs to which row; rows without one, and students without one.

    Where more than one fits, nothing is matched: these rows and students stand apart.
    """

    of_row: dict[int, S]
    alone: tuple[Row, ...]
    left: tuple[S, ...]
    unsure_rows: tuple[Row, ...] = ()
    unsure: tuple[S, ...] = ()


def matched(
    students: Sequence[S],
    rows: Sequence[Row],
    ways: Sequence[Way],
    apart: Collection[str] = (),
    numbers: int = 0,
) -> Matching[S]:
    """Return whose each row is: each way in turn matches what is the only one of its kind on both sides.

    Those who stand apart, given by their keys, are never matched; nor is a row that may be theirs. The first
    `numbers` ways are by numbers: a student and a row whose numbers differ are not matched by their names.
    """
    of_row: dict[int, S] = {}
    left = list(students)
    unsure_rows: set[int] = set()
    unsure: set[str] = set()
    theirs: set[int] = set()
    for keys, row_keys in ways:
        by_key = grouped((key, one) for one in left for key in set(map(plain, keys(one))) - {""})
        hits: dict[int, dict[str, S]] = {}
        for number, row in enumerate(rows):
            cells = set(map(plain, row_keys(row))) - {""}
            fit = {
                one.key: one
                for key in cells
                for one in by_key.get(key, ())
                if not any(_contradict(one, row, way) for way in ways[:numbers])
            }
            if fit and number not in of_row:
                hits[number] = fit
        wanted = [key for fit in hits.values() for key in fit]
        theirs |= {number for number, fit in hits.items() if not fit.keys().isdisjoint(apart)}
        for number, fit in hits.items():
            if number not in theirs and len(fit) == 1 and wanted.count(next(iter(fit))) == 1:
                of_row[number] = next(iter(fit.values()))
            else:
                unsure_rows.add(number)
                unsure |= set(fit)
        matched_keys = {student.key for student in of_row.values()}
        left = [student for student in left if student.key not in matched_keys]
    alone = [number for number in range(len(rows)) if number not in of_row]
    return Matching(
        of_row,
        tuple(rows[number] for number in alone if number not in unsure_rows),
        tuple(student for student in left if student.key not in unsure),
        tuple(rows[number] for number in alone if number in unsure_rows),
        tuple(student for student in left if student.key in unsure),
    )


def _contradict(student: Identified, row: Row, way: Way) -> bool:
    """Return whether a student and a row have different numbers of one kind."""
    own, cells = (set(map(plain, keys)) - {""} for keys in (way[0](student), way[1](row)))
    return bool(own and cells) and own.isdisjoint(cells)


def known_by(student: Identified) -> list[str]:
    """Return the ids of a student that any system may know."""
    ids = student.ids.items()
    return [value for name, value in ids if name not in _OF_NO_USE and value != student.student]


def plain(text: str) -> str:
    """Return what is compared of a name or an id: its letters and digits."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def guessed(text: str) -> str:
    """Return what is left of a name whose other letters may have been read wrongly, each as a blank one.

    Nothing is left if most of it could be anybody's.
    """
    signs = [one for one in unicodedata.normalize("NFC", text) if one.isalnum() or not one.isascii()]
    unknown = sum(not one.isascii() for one in signs)
    if not unknown or 2 * unknown >= len(signs):
        return ""
    return "".join(one.casefold() if one.isascii() else _UNKNOWN for one in signs)


def by_name(names: Callable[[Row], Iterable[str]]) -> list[Way]:
    """Return the ways in which a record and the names in a row may be the same: exactly, then less so."""

    def way(spelled: Callable[[str], str]) -> Way:
        return (
            lambda record: [spelled(one) for one in turned(record.student)],
            lambda row: [spelled(one) for name in names(row) for one in turned(name)],
        )

    return [way(str), way(without_accents), way(guessed)]


def turned(name: str) -> list[str]:
    """Return a name as it stands, and 'Last, First' the other way round too."""
    last, comma, first = name.partition(",")
    return [name, f"{first} {last}"] if comma else [name]
