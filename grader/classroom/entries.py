"""An entry: one student's submission as it was found, before it is graded; and entries from a roster.

A roster is a CSV with a line for each student, and where the submission is: a path, or a git address. Dates
are read as people, rosters and LMSs write them.
"""

import csv
import hashlib
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, Union

from grader.core import system
from grader.core.course.rubric import Attempts, Rubric, seconds_in
from grader.core.course.submission import Folder, helpers_of
from grader.core.errors import UserError
from grader.core.messages import _, active, in_language, known_code
from grader.core.values import OneLine, Value, lines_of, printable, said

if TYPE_CHECKING:
    from grader.classroom.records import Record

NUMBERS: Final = {
    "Moodle": (("moodle", "Identifier"),),
    "Canvas": (("canvas", "ID"), ("SIS User ID",), ("SIS Login ID",)),
}
"""What an LMS knows a student by: of each group the first id that there is."""


LANGUAGE: Final = "language"
"""The column of a roster, and the name among a student's ids, for the language of the student's texts."""


class Attempt(Value):
    """Another submission of the same student, which does not count."""

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
    """By how many seconds, where that is known."""
    date: str = ""
    """When it was handed in, where that is known."""
    tries: "tuple[Entry, ...]" = ()
    """All submissions of the student in their order, where there are several; this is the one that counts."""
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

    def language(self, rubric: Rubric) -> str:
        """Return the language of the student's texts, by its code: what the roster says, else the rubric."""
        return self.ids.get(LANGUAGE) or rubric.language


def listed(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a class by name, each with a key, and with what is odd about its numbers.

    The key is a name of its own for its files, the same on every run.
    """
    ordered = sorted(map(_as_text, entries), key=lambda entry: (entry.student.casefold(), entry.submission))
    namesakes = Counter(slug(entry.student).casefold() for entry in ordered)
    taken: set[str] = set()
    found = []
    for entry in ordered:
        name = slug(entry.student)
        base = name if namesakes[name.casefold()] == 1 else f"{name}-{_distinction(entry)}"
        keys = chain([base], (f"{base}-{number}" for number in count(2)))
        key = next(key for key in keys if key.casefold() not in taken)
        taken.add(key.casefold())
        found.append(replace(entry, key=key))
    having = {(entry.key, lms): 0 for lms in NUMBERS for _known, same in shared(found, lms) for entry in same}
    systems = grouped(having)
    return [_with_note(entry, systems[entry.key]) if entry.key in systems else entry for entry in found]


def _with_note(entry: Entry, systems: Iterable[str]) -> Entry:
    """Return an entry with a note that its number in an LMS is another's, too."""
    with speaking_to(entry):
        notes = [
            _("Another submission has the same number in {lms}, so no grade goes there by itself.", lms=lms)
            for lms in systems
        ]
    return replace(entry, notes=(*entry.notes, *notes))


def with_earlier_keys(entries: Sequence[Entry], earlier: Iterable["Record"]) -> list[Entry]:
    """Return the entries, each student with the key that an earlier run gave: known by a number in the LMS.

    A key that was given to a student with another number is never given again.
    """
    owners = {record.key.casefold(): numbers_of(record.ids) for record in earlier}
    numbers = grouped((number, record.key) for record in earlier for number in numbers_of(record.ids))
    having = Counter(number for entry in entries for number in numbers_of(entry.ids))
    keys: dict[str, str] = {}
    for entry in entries:
        sole = (number for number in numbers_of(entry.ids) if having[number] == 1)
        same = {key for number in sole for key in numbers.get(number, ())}
        if len(same) == 1:
            keys[entry.key] = same.pop()
    taken = {key.casefold() for key in keys.values()}

    def is_free(key: str, own: dict[Number, None]) -> bool:
        """Return whether a key may be a student's: no system has different numbers for its owner."""
        owner = owners.get(key.casefold(), {})
        systems = {system for system, _number in own} & {system for system, _number in owner}
        return key.casefold() not in taken and (not systems or not own.keys().isdisjoint(owner))

    for entry in entries:
        if entry.key not in keys:
            own, base = numbers_of(entry.ids), f"{slug(entry.student)}-{_distinction(entry)}"
            names = chain([entry.key, base], (f"{base}-{number}" for number in count(2)))
            keys[entry.key] = next(name for name in names if is_free(name, own))
            taken.add(keys[entry.key].casefold())
    return [replace(entry, key=keys[entry.key]) for entry in entries]


def unreadable(entry: Entry, place: Path | None, error: Exception) -> Entry:
    """Return an entry whose files cannot be read: that is this student's problem."""
    why = (error.strerror if isinstance(error, OSError) else "") or str(error)
    name = printable(place.name if place else entry.submission)
    problem = _("{file} cannot be read: {why}.", file=name, why=why)
    return replace(entry, file=None, folder=None, problem=problem)


def speaking_to(entry: Entry) -> AbstractContextManager[None]:
    """Make sentences in the language of a student, where the roster says which that is."""
    return in_language(entry.ids.get(LANGUAGE) or active().code)


def slug(student: str) -> str:
    """Return a student's name as the name of a file."""
    name = re.sub(r"[^\w.-]+", "_", student).strip("._")
    name = name.encode()[:80].decode(errors="ignore").rstrip(".") or "unnamed"
    return f"_{name}" if system.is_reserved(name) else name


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
    """Return the submission that counts, with the others of the same student."""
    if len(tries) < 2:
        return meant
    others = tuple(Attempt(submission=attempt.submission) for attempt in tries if attempt is not meant)
    return replace(meant, tries=tuple(tries), others=others)


def chosen(tries: Sequence[Entry], attempts: Attempts) -> Entry:
    """Return the submission that counts of several in their order; the best is known when all are graded."""
    return of_several(tries, tries[0] if attempts == "first" else tries[-1])


Identified = Union[Entry, "Record"]
"""A student, before or after grading."""

Student = TypeVar("Student", bound=Identified)
Key = TypeVar("Key")
Item = TypeVar("Item")


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return what is paired with one key together, by the key."""
    found: dict[Key, list[Item]] = {}
    for key, item in pairs:
        found.setdefault(key, []).append(item)
    return found


Number = tuple[tuple[str, ...], str]
"""The names under which a system has a student's number, and the number."""


def shared(found: Sequence[Student], lms: str) -> list[tuple[str, list[Student]]]:
    """Return the numbers in an LMS that more than one submission has, each with those submissions."""
    having = grouped((number, student) for student in found for number in numbers_of(student.ids))
    return [
        (number, same)
        for group in NUMBERS[lms]
        for (names, number), same in having.items()
        if names == group and len(same) > 1
    ]


def numbers_of(ids: Mapping[str, str]) -> dict[Number, None]:
    """Return the numbers by which systems know a student."""
    found: dict[Number, None] = {}
    for names in (names for of_lms in NUMBERS.values() for names in of_lms):
        number = next((_normalized_id(name, ids[name]) for name in names if ids.get(name)), "")
        found |= {(names, number): None} if number else {}
    return found


def _normalized_id(name: str, value: str) -> str:
    """Return what is compared of an id: Moodle's 'Participant 7' is 7, and 007 is 7 anywhere."""
    bare = re.sub(r"^[^0-9]+(?=[0-9]+$)", "", value.strip()) if name == "Identifier" else value.strip()
    return (bare.lstrip("0") or "0") if re.fullmatch("[0-9]+", bare) else bare.casefold()


def _distinction(entry: Entry) -> str:
    """Return what tells a student from another of the same name."""
    number = next((ids for name, ids in entry.ids.items() if name != LANGUAGE and ids != entry.student), "")
    return slug(number) if number else hashlib.sha256(entry.submission.encode()).hexdigest()[:6]


_LATE: Final = ("late", "lateness", "late by")
_DATES: Final = ("submitted", "submitted at", "submission date", "handed in", "date", "timestamp")
"""What a roster's columns may be called."""

_FORMS: Final = (
    "%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M",
    "%A, %B %d, %Y, %I:%M %p", "%d.%m.%Y %H:%M", "%d.%m.%Y, %H:%M", "%Y-%m-%d %H:%M:%S %z",
)  # fmt: skip
"""How dates are written, beside the way of programs: days before months, unless the month is a word."""

_NOT_LATE: Final = ("", "0", "no", "false", "00:00:00")


def date_in(text: str) -> str:
    """Return a date as programs write it, or nothing where none can be read."""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip()).isoformat()
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form).isoformat()
    return ""


def _name(column: str) -> str:
    return re.sub(r"[\W_]+", " ", column).strip().casefold()


def lateness_in(columns: Mapping[str, str]) -> tuple[bool, float | None, str]:
    """Return what columns say, by their names: whether somebody was late, by how many seconds, and when."""
    named = {_name(name): value.strip() for name, value in columns.items()}
    late = next((named[name] for name in _LATE if name in named), "")
    date = next((date for name in _DATES if (date := date_in(named.get(name, "")))), "")
    is_late = late.casefold() not in _NOT_LATE
    return is_late, seconds_in(late) if is_late else None, date


_STUDENT: Final = ("student", "name", "full name", "username", "github_username", "login", "email", "id")
_PLACE: Final = (
    "repository", "repo", "student_repository_url", "git", "url", "address", "path", "file", "submission",
)  # fmt: skip
_GIT: Final = ("http://", "https://", "ssh://", "git://", "file://", "git@")
_TIMEOUT: Final = 120
_AT_ONCE: Final = 8


@dataclass(frozen=True)
class RosterRow:
    """One line of a roster: the entry, which says if its files are nowhere, and where they are now."""

    entry: Entry
    who: str = ""
    """The same for all lines of one student, where a column says when each was handed in."""
    place: Path | None = None


def read_roster(file: Path, workplace: Path) -> list[RosterRow]:
    """Return the lines of a roster; repositories are cloned below the workplace."""
    lines, language = list(_lines(file)), active().code

    def placed(number: int) -> RosterRow:
        with in_language(lines[number].entry.ids.get(LANGUAGE) or language):  # a thread begins in English
            return _placed(lines[number], file, workplace / str(number))

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(placed, range(len(lines))))


def _lines(file: Path) -> Iterator[RosterRow]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            columns = {name.strip().casefold(): name for name in rows.fieldnames or ()}
            student = next((columns[name] for name in _STUDENT if name in columns), None)
            place = next((columns[name] for name in _PLACE if name in columns), None)
            if student is None or place is None:
                wanted = _STUDENT if student is None else _PLACE
                why = _("a roster needs a column named one of: {names}", names=", ".join(wanted))
                raise UserError(why, file=file, line=1)
            for row in rows:
                try:
                    yield _line(row, student, place, columns.get(LANGUAGE))
                except ValueError as error:
                    raise UserError(str(error), file=file, line=rows.line_num) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(_("is not a CSV file in UTF-8: {error}", error=error), file=file) from None


def _line(row: dict[str, str], student: str, place: str, language: str | None) -> RosterRow:
    """Return a line of a roster, by the names of its columns; raise ValueError for what it cannot mean."""
    code = (row[language] or "").strip() if language else ""
    code = known_code(code) if code else ""
    name, address = (row[student] or "").strip(), (row[place] or "").strip()
    if not name:
        raise ValueError(_("a line without a student"))
    ids = {key: value for key, value in row.items() if key and value and key not in (place, language)}
    is_late, late_by, date = lateness_in(ids)
    ids = {key: value for key, value in ids.items() if _name(key) not in (*_LATE, *_DATES)}
    who = " ".join([name, *ids.values()]) if date else ""
    ids |= {LANGUAGE: code} if language else {}
    return RosterRow(Entry(name, address, late=is_late, late_by=late_by, date=date, ids=ids), who)


def _placed(line: RosterRow, file: Path, target: Path) -> RosterRow:
    """Return a line of a roster with the place of its files, which are cloned if they are in a repository."""
    entry, address = line.entry, line.entry.submission
    if not address:
        problem = _("The roster names no place for this student.")
    elif address.startswith(_GIT) or address.endswith(".git"):
        problem = _clone(address, target)
        if not problem:
            committed = _git("-C", str(target), "log", "-1", "--format=%cI").stdout
            return replace(line, place=target, entry=replace(entry, date=entry.date or date_in(committed)))
    else:
        with suppress(OSError, ValueError):
            if (file.parent / address).exists():
                return replace(line, place=file.parent / address)
        problem = _("There is no {file}.", file=address)
    return replace(line, entry=replace(entry, problem=problem))


def _git(*arguments: str, **around: str) -> subprocess.CompletedProcess[str]:
    command, env = ["git", *arguments], os.environ | around
    return subprocess.run(
        command,
        env=env,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_TIMEOUT,
        check=False,
    )


def _clone(address: str, target: Path) -> str:
    """Clone a repository shallowly; nothing in it is run. Return what went wrong, or nothing."""
    how = ["-c", f"core.hooksPath={os.devnull}", "-c", "core.symlinks=false"]
    how += ["-c", "core.autocrlf=false", "clone", "--quiet"]  # the files as they were handed in
    how += ["--depth", "1", "--no-tags", "--no-recurse-submodules", "--", address, str(target)]
    protocols = "file:git:http:https:ssh"
    try:
        done = _git(*how, GIT_TERMINAL_PROMPT="0", GIT_LFS_SKIP_SMUDGE="1", GIT_ALLOW_PROTOCOL=protocols)
    except FileNotFoundError:
        return _("git is not installed, so the repository cannot be cloned.")
    except subprocess.TimeoutExpired:
        return _("{address} could not be cloned within {seconds} seconds.", address=address, seconds=_TIMEOUT)
    if done.returncode == 0:
        return ""
    said = lines_of(done.stderr)
    why = next((line for line in said if line.startswith("fatal: ")), _("git failed")).removeprefix("fatal: ")
    return _("{address} cannot be cloned: {why}.", address=address, why=why.rstrip("."))
