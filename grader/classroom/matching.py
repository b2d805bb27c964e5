"""Who is who: the rows of an LMS's file and the records of a class, by their ids, then by their names."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grader.classroom.records import Record
from grader.classroom.sheet import Row

Keys = Callable[[Record], Iterable[str]]
RowKeys = Callable[[Row], Iterable[str]]
Way = tuple[Keys, RowKeys]
"""What a record and a row are known by."""


@dataclass(frozen=True)
class Matching:
    """Which record belongs to which row; rows without one, and records without one."""

    of_row: dict[int, Record]
    alone: tuple[Row, ...]
    left: tuple[Record, ...]


def matched(records: Sequence[Record], rows: Sequence[Row], ways: Sequence[Way]) -> Matching:
    """Return who is who: each way in its turn matches what is the only one of its kind on both sides."""
    of_row: dict[int, Record] = {}
    left = list(records)
    for keys, row_keys in ways:
        by_key: dict[str, list[Record]] = {}
        for record in left:
            for key in {plain(one) for one in keys(record)} - {""}:
                by_key.setdefault(key, []).append(record)
        found: dict[int, Record] = {}
        for number, row in enumerate(rows):
            hits = [
                one for key in {plain(one) for one in row_keys(row)} - {""} for one in by_key.get(key, ())
            ]
            if number not in of_row and len({one.key for one in hits}) == 1:
                found[number] = hits[0]
        taken = [record.key for record in found.values()]
        found = {number: record for number, record in found.items() if taken.count(record.key) == 1}
        of_row |= found
        matched_keys = {record.key for record in found.values()}
        left = [record for record in left if record.key not in matched_keys]
    alone = tuple(row for number, row in enumerate(rows) if number not in of_row)
    return Matching(of_row, alone, tuple(left))


def plain(text: str) -> str:
    """Return what is compared of a name or an id: its letters and digits."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def turned(name: str) -> list[str]:
    """Return a name as it stands, and 'Last, First' the other way round too."""
    last, comma, first = name.partition(",")
    return [name, f"{first} {last}"] if comma else [name]
