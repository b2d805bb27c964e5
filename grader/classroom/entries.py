"""An entry: one student's hand-in as it was found, before anybody grades it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """One student and the file that is meant; a problem says why there is none.

    `submission` names the file as the download does. `ids` are what the LMS knows the student by.
    """

    student: str
    submission: str
    file: Path | None = None
    problem: str = ""
    late: bool = False
    notes: tuple[str, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    key: str = ""
    folder: Path | None = None
    """The student's folder, if the file came in one."""


def with_keys(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries by name, each with a name of its own for its files, the same on every run."""
    readable = [
        replace(one, student=_readable(one.student), submission=_readable(one.submission)) for one in entries
    ]
    ordered = sorted(readable, key=lambda entry: (entry.student.casefold(), entry.submission))
    namesakes = Counter(slug(entry.student).casefold() for entry in ordered)
    taken: set[str] = set()
    found = []
    for entry in ordered:
        name = slug(entry.student)
        base = name if namesakes[name.casefold()] == 1 else f"{name}-{_mark(entry)}"
        numbers = (base if number == 1 else f"{base}-{number}" for number in count(1))
        key = next(one for one in numbers if one.casefold() not in taken)
        taken.add(key.casefold())
        found.append(replace(entry, key=key))
    return found


def slug(student: str) -> str:
    """Return a student's name as the name of a file."""
    name = re.sub(r"[^\w.-]+", "_", student).strip("._")
    return name.encode()[:80].decode(errors="ignore") or "unnamed"


def _readable(text: str) -> str:
    """Return a name that any file can hold, whatever bytes it was made of."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _mark(entry: Entry) -> str:
    """Return what tells a student from another of the same name."""
    told = next((value for value in entry.ids.values() if value != entry.student), "")
    return slug(told) if told else hashlib.sha256(entry.submission.encode()).hexdigest()[:6]
