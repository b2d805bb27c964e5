"""An entry: one student's hand-in as it was found, before anybody grades it."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Final, Protocol, TypeVar

from grader.core.course.hand_in import Folder
from grader.core.course.rubric import Attempts
from grader.core.course.submission import helpers_of
from grader.core.text import printable
from grader.core.values import OneLine, Value, said

NUMBERS: Final = {
    "Moodle": (("moodle", "Identifier"),),
    "Canvas": (("canvas", "ID"), ("SIS User ID",), ("SIS Login ID",)),
}
"""What an LMS knows a student by: of each group the first id that there is."""


class Attempt(Value):
    """Another hand-in of the same student, which does not count."""

    submission: OneLine
    total: float | None = said("What it earned, if it was graded too.", default=None)


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
    late_by: float | None = None
    """By how many seconds, where that is told."""
    date: str = ""
    """When it was handed in, where that is told."""
    tries: "tuple[Entry, ...]" = ()
    """All hand-ins of the student in their order, where there are several; this is the one that counts."""
    others: tuple[Attempt, ...] = ()
    """What does not count of them."""
    notes: tuple[str, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    key: str = ""
    folder: Path | None = None
    """The student's folder, if the file came in one."""

    def helpers(self, source: bytes) -> Folder:
        """Return the modules that the file, given as bytes, imports and that are the student's own."""
        return helpers_of(self.file, source, has_folder=self.folder is not None) if self.file else ()


def with_keys(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries by name, each with a name of its own for its files, the same on every run."""
    ordered = sorted(map(_as_text, entries), key=lambda entry: (entry.student.casefold(), entry.submission))
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


def with_earlier_keys(entries: Sequence[Entry], earlier: Iterable["Identified"]) -> list[Entry]:
    """Return the entries, each student with the key that an earlier run gave: known by a number in the LMS.

    A key that was given to a student with another number is never given again.
    """
    known = list(earlier)
    numbers = grouped((number, one.key) for one in known for number in numbers_of(one.ids))
    having = Counter(number for entry in entries for number in numbers_of(entry.ids))
    owners = {one.key.casefold(): numbers_of(one.ids) for one in known}
    keys: dict[str, str] = {}
    for entry in entries:
        same = {
            key for number in numbers_of(entry.ids) if having[number] == 1 for key in numbers.get(number, ())
        }
        if len(same) == 1:
            keys[entry.key] = same.pop()
    taken = {key.casefold() for key in keys.values()}
    for entry in entries:
        if entry.key in keys:
            continue
        own, base = numbers_of(entry.ids), f"{slug(entry.student)}-{_mark(entry)}"
        names = chain([entry.key, base], (f"{base}-{number}" for number in count(2)))
        keys[entry.key] = next(
            name
            for name in names
            if name.casefold() not in taken and _may_have(own, owners.get(name.casefold(), {}))
        )
        taken.add(keys[entry.key].casefold())
    return [replace(entry, key=keys[entry.key]) for entry in entries]


def _may_have(own: Mapping["Number", None], owner: Mapping["Number", None]) -> bool:
    """Return whether two may be one student: no system has different numbers for them."""
    systems = {system for system, _ in own} & {system for system, _ in owner}
    return not systems or not own.keys().isdisjoint(owner)


def unreadable(entry: Entry, place: Path | None, error: Exception) -> Entry:
    """Return an entry whose files cannot be read: that is this one student's problem."""
    why = (error.strerror if isinstance(error, OSError) else "") or str(error)
    what = printable(place.name) if place else "The file"
    return replace(entry, file=None, folder=None, problem=f"{what} cannot be read: {why}.")


def slug(student: str) -> str:
    """Return a student's name as the name of a file."""
    name = re.sub(r"[^\w.-]+", "_", student).strip("._")
    return name.encode()[:80].decode(errors="ignore") or "unnamed"


def _as_text(entry: Entry) -> Entry:
    """Return an entry in which all that a stranger chose is text."""
    return replace(
        entry,
        student=printable(entry.student),
        submission=printable(entry.submission),
        problem=printable(entry.problem),
        notes=tuple(map(printable, entry.notes)),
        tries=tuple(map(_as_text, entry.tries)),
        ids={printable(name): printable(value) for name, value in entry.ids.items()},
    )


def of_several(tries: Sequence[Entry], meant: Entry) -> Entry:
    """Return the hand-in that counts, with the others of the same student."""
    if len(tries) < 2:
        return meant
    others = tuple(Attempt(submission=one.submission) for one in tries if one is not meant)
    return replace(meant, tries=tuple(tries), others=others)


def chosen(tries: Sequence[Entry], attempts: Attempts) -> Entry:
    """Return the hand-in that counts of several in their order; the best is known when all are graded."""
    return of_several(tries, tries[0] if attempts == "first" else tries[-1])


class Identified(Protocol):
    """A student, before or after grading."""

    @property
    def key(self) -> str:
        """The name of the student's files."""

    @property
    def student(self) -> str:
        """The student's name."""

    @property
    def ids(self) -> Mapping[str, str]:
        """What the LMS knows the student by."""


One = TypeVar("One", bound=Identified)
Key = TypeVar("Key")
Item = TypeVar("Item")


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return what is paired with one key together, by the key."""
    found: dict[Key, list[Item]] = {}
    for key, item in pairs:
        found.setdefault(key, []).append(item)
    return found


def shared(found: Sequence[One], lms: str) -> list[tuple[str, list[One]]]:
    """Return the numbers in an LMS that more than one hand-in has, each with those hand-ins."""
    numbers = []
    for names in NUMBERS[lms]:
        having = grouped((_number(one.ids, names), one) for one in found)
        numbers += [(number, ones) for number, ones in having.items() if number and len(ones) > 1]
    return numbers


Number = tuple[tuple[str, ...], str]
"""The names under which a system has a student's number, and the number."""


def numbers_of(ids: Mapping[str, str]) -> dict[Number, None]:
    """Return the numbers by which systems know a student."""
    groups = (names for of_lms in NUMBERS.values() for names in of_lms)
    return {(names, number): None for names in groups if (number := _number(ids, names))}


def _number(ids: Mapping[str, str], names: Iterable[str]) -> str:
    return next((_bare(name, ids[name]) for name in names if ids.get(name)), "")


def _bare(name: str, value: str) -> str:
    """Return what is compared of an id: Moodle's 'Participant 7' is 7, and 007 is 7 anywhere."""
    bare = re.sub(r"^[^0-9]+(?=[0-9]+$)", "", value.strip()) if name == "Identifier" else value.strip()
    return (bare.lstrip("0") or "0") if re.fullmatch("[0-9]+", bare) else bare.casefold()


def with_notes(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries; those who have one number in an LMS know that nothing goes there."""
    having = {(one.key, lms): None for lms in NUMBERS for _, ones in shared(entries, lms) for one in ones}
    told = grouped(
        (key, f"Another hand-in has the same number in {lms}, so no grade goes there by itself.")
        for key, lms in having
    )
    return [replace(one, notes=(*one.notes, *told.get(one.key, ()))) for one in entries]


def _mark(entry: Entry) -> str:
    """Return what tells a student from another of the same name."""
    told = next((value for value in entry.ids.values() if value != entry.student), "")
    return slug(told) if told else hashlib.sha256(entry.submission.encode()).hexdigest()[:6]
