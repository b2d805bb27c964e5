"""What students ask to be looked at again: `requests.csv` beside the grades, a line each."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.classroom.records import Record
from grader.core.errors import UserError, meant
from grader.core.grade import Grade, Verdict
from grader.core.text import printable_lines

REQUESTS: Final = "requests.csv"


@dataclass(frozen=True)
class Request:
    """One student's words; `case` is what they are about, where that is said apart."""

    key: str
    text: str
    case: str = ""


def load(out: Path, students: Iterable[Record]) -> tuple[Request, ...]:
    """Return the requests in a folder; raise UserError with the line for one of nobody in the class."""
    file = out / REQUESTS
    if not file.is_file():
        return ()
    keys: dict[str, set[str]] = {}
    for one in students:
        for name in (one.key, one.student, *one.ids.values()):
            keys.setdefault(name.strip().casefold(), set()).add(one.key)
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            rows.fieldnames = [name.strip().casefold() for name in rows.fieldnames or ()]
            if not {"student", "text"} <= set(rows.fieldnames):
                raise UserError("needs the columns student and text", file=file, line=1)
            return tuple(_request(row, keys, file, rows.line_num) for row in rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"is not a CSV file in UTF-8: {error}", file=file) from None


def _request(row: dict[str, str], keys: dict[str, set[str]], file: Path, line: int) -> Request:
    student, text, case = ((row.get(name) or "").strip() for name in ("student", "text", "case"))
    fitting = sorted(keys.get(student.casefold(), ()))
    if not fitting:
        hint = meant(student.casefold(), keys)
        raise UserError(f"there is no student '{student}'{hint}", file=file, line=line)
    if len(fitting) > 1:
        named = " or ".join(fitting)
        raise UserError(f"several students are called {student}: say {named}", file=file, line=line)
    if not text:
        raise UserError(f"{student} asks nothing", file=file, line=line)
    return Request(fitting[0], printable_lines(text), case)


def about(request: Request, grade: Grade) -> list[tuple[str, Verdict]]:
    """Return the cases that a request names, each with its criterion: by their names, or by a function's.

    Of those of a function, or of a criterion, what failed is meant.
    """
    words = f"{request.case} {request.text}"
    everything = [(one.id, verdict) for one in grade.criteria for verdict in one.verdicts]
    by_name = [pair for pair in everything if _says(words, f"{pair[0]}/{pair[1].id}")]
    by_name = by_name or [pair for pair in everything if "-" in pair[1].id and _says(words, pair[1].id)]
    return by_name or [
        (criterion, verdict)
        for criterion, verdict in everything
        if verdict.status.is_bad and (_says(words, criterion) or _says(words, verdict.function or ""))
    ]


def _says(words: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", words, re.I) is not None
