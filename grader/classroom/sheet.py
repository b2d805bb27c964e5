"""A CSV file that came from an LMS and goes back there, in the form that it has; and whose each row is."""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

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
        if any(row[width:]):
            raise UserError(_("row {row} has more cells than there are columns", row=number), file=file)
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

_UNKNOWN: Final = "\N{LATIN SMALL LETTER X WITH DIAERESIS}"
"""Stands for any letter: no name has it."""

_OF_NO_USE: Final = ("moodle", "canvas", LANGUAGE)
"""Numbers that mean something in their own system only, and what names nobody."""


class Way(NamedTuple):
    """What a student and a row are known by."""

    keys: Callable[[Identified], Iterable[str]]
    row_keys: Callable[[Row], Iterable[str]]
    is_number: bool = False
    """Whether a student and a row that differ in it do not belong together, whatever their names are."""


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
    students: Sequence[S], rows: Sequence[Row], ways: Sequence[Way], apart: Collection[str] = ()
) -> Matching[S]:
    """Return whose each row is: each way in turn matches what is the only one of its kind on both sides.

    Those who stand apart, given by their keys, are never matched; nor is a row that may be theirs.
    """
    of_row: dict[int, S] = {}
    unsure_rows, unsure, theirs = set[int](), set[str](), set[int]()
    left = list(students)
    for way in ways:
        by_key = grouped((key, student) for student in left for key in _compared(way.keys(student)))
        hits: dict[int, dict[str, S]] = {}
        for position, row in enumerate(rows):
            fit = {
                student.key: student
                for key in _compared(way.row_keys(row))
                for student in by_key.get(key, ())
                if not _contradict(student, row, ways)
            }
            if fit and position not in of_row:
                hits[position] = fit
        wanted = Counter(key for fit in hits.values() for key in fit)
        theirs |= {position for position, fit in hits.items() if not fit.keys().isdisjoint(apart)}
        for position, fit in hits.items():
            if position not in theirs and len(fit) == 1 and wanted[next(iter(fit))] == 1:
                of_row[position] = next(iter(fit.values()))
            else:
                unsure_rows.add(position)
                unsure |= set(fit)
        known = {student.key for student in of_row.values()}
        left = [student for student in left if student.key not in known]
    alone = [position for position in range(len(rows)) if position not in of_row]
    return Matching(
        of_row,
        tuple(rows[position] for position in alone if position not in unsure_rows),
        tuple(student for student in left if student.key not in unsure),
        tuple(rows[position] for position in alone if position in unsure_rows),
        tuple(student for student in left if student.key in unsure),
    )


def _compared(keys: Iterable[str]) -> set[str]:
    return set(map(plain, keys)) - {""}


def _contradict(student: Identified, row: Row, ways: Sequence[Way]) -> bool:
    """Return whether a student and a row have different numbers of a kind."""
    numbers = ((_compared(way.keys(student)), _compared(way.row_keys(row))) for way in ways if way.is_number)
    return any(own and cells and own.isdisjoint(cells) for own, cells in numbers)


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
    chars = [char for char in unicodedata.normalize("NFC", text) if char.isalnum() or not char.isascii()]
    unknown = sum(not char.isascii() for char in chars)
    if not unknown or 2 * unknown >= len(chars):
        return ""
    return "".join(char.casefold() if char.isascii() else _UNKNOWN for char in chars)


def by_name(names: Callable[[Row], Iterable[str]]) -> list[Way]:
    """Return the ways in which a record and the names in a row may be the same: exactly, then less so."""

    def way(spelled: Callable[[str], str]) -> Way:
        return Way(
            lambda record: map(spelled, turned(record.student)),
            lambda row: (spelled(order) for name in names(row) for order in turned(name)),
        )

    return [way(str), way(without_accents), way(guessed)]


def turned(name: str) -> list[str]:
    """Return a name as it stands, and 'Last, First' the other way round too."""
    last, comma, first = name.partition(",")
    return [name, f"{first} {last}"] if comma else [name]
