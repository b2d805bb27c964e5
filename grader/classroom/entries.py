"""An entry: one student's hand-in as it was found, before anybody grades it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
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


def with_keys(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, each with a name of its own for its files, the same on every run."""
    ordered = sorted(entries, key=lambda entry: (entry.student.casefold(), entry.submission))
    slugs = Counter(slug(entry.student) for entry in ordered)
    return [
        replace(entry, key=name if slugs[name] == 1 else f"{name}-{_mark(entry)}")
        for entry in ordered
        for name in [slug(entry.student)]
    ]


def slug(student: str) -> str:
    """Return a student's name as the name of a file."""
    name = re.sub(r"[^\w.-]+", "_", student).strip("._")
    return name[:80] or "unnamed"


def _mark(entry: Entry) -> str:
    """Return what tells a student from another of the same name."""
    told = next(iter(entry.ids.values()), "")
    return slug(told) if told else hashlib.sha256(entry.submission.encode()).hexdigest()[:6]
