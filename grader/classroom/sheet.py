"""A CSV file that came from an LMS and goes back there: read and written in the form that it has."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

from grader.core.errors import UserError

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
        stream = StringIO()
        writer = csv.writer(
            stream, delimiter=self.delimiter, quoting=csv.QUOTE_ALL, lineterminator=self.line_end
        )
        writer.writerows(rows)
        return self.mark + stream.getvalue()


def read(file: Path) -> Sheet:
    """Return a file's cells, every row as long as the header; raise UserError for what is no such file."""
    try:
        raw = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=file) from None
    except UnicodeDecodeError:
        raise UserError("is not a CSV file in UTF-8: download it again as CSV", file=file) from None
    text = raw.removeprefix(_MARK)
    first = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        rows = [tuple(row) for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error as error:
        raise UserError(f"is not a CSV file: {error}", file=file) from None
    if not rows:
        raise UserError("is empty: download it again", file=file)
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) > width and any(row[width:]):
            raise UserError(f"row {number} has more cells than there are columns", file=file)
    whole = tuple((*row, *("",) * (width - len(row)))[:width] for row in rows)
    end = "\r\n" if first.endswith("\r") else "\n"
    return Sheet(file, whole, delimiter, _MARK if raw != text else "", end)


def as_number(cell: str) -> float | None:
    """Return the number in a cell, with a point or a comma, or None."""
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return None
