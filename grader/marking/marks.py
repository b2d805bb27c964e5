"""Marks and students' requests on disk, and the thread that rewrites what follows from them.

A change is on the disk before anything is answered, and a decision of somebody else is never overwritten.
"""

import csv
import hashlib
import json
import re
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from grader.classroom.adjustments import MARKS, Adjustment, Mark, load, several, stamp_of
from grader.classroom.outputs import Closing
from grader.classroom.records import Record, remembered
from grader.core import system
from grader.core.course.rubric import Rubric
from grader.core.errors import GraderError, UserError, meant
from grader.core.grade import Grade, Verdict
from grader.core.messages import _
from grader.core.system import locked, write
from grader.core.values import plain, printable_lines
from grader.course import strict_yaml

_LOCK: Final = ".marks.lock"
# the names of those who mark, by their numbers on this machine: students read them
_MARKERS: Final = ".markers.json"
_HEAD: Final = (
    "# Written by the page for marking ('mark'); a grading never changes it.\n"
    "# What you write by hand goes into adjustments.yaml.\n"
)


@dataclass(frozen=True)
class Student:
    """One student's record before and after the decisions about it."""

    before: Record
    own: tuple[Adjustment, ...]
    after: Record

    @property
    def key(self) -> str:
        """What the student's files are called."""
        return self.before.key


class Changed(Exception):
    """Something was decided by somebody else since it was seen."""


class Marks:
    """The decisions about a class, marks and adjustments, as they are on the disk.

    `students` yields the name and key of everybody whom a decision may be about.
    """

    def __init__(
        self,
        out: Path,
        rubric: Rubric,
        students: Callable[[], Iterable[tuple[str, str]]],
        lock: threading.RLock,
    ) -> None:
        self._out, self._rubric, self._students, self._lock = out, rubric, students, lock
        self._known: dict[str, tuple[object, tuple[Adjustment, ...]]] = {}

    def read(self, name: str) -> tuple[Adjustment, ...]:
        """Return the decisions in a file, which is read again only if it has changed."""
        file = self._out / name
        with self._lock:
            stamp = stamp_of(file)
            if name not in self._known or self._known[name][0] != stamp:
                self._known[name] = stamp, load(file, self._rubric, self._students())
            return self._known[name][1]

    def all(self) -> tuple[Mark, ...]:
        """Return the marks."""
        return tuple(mark for mark in self.read(MARKS) if isinstance(mark, Mark))

    def marker(self) -> str:
        """Return the name under which this user has marked the class last; nothing before that."""
        return str(remembered(self._out / _MARKERS).get(system.user(), ""))

    def keep_marker(self, name: str) -> None:
        """Keep the name under which this user marks the class."""
        if name != self.marker():
            known = {**remembered(self._out / _MARKERS), system.user(): name}
            write(self._out / _MARKERS, json.dumps(known))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep everybody else from deciding meanwhile, also in other processes."""
        with self._lock, locked(self._out / _LOCK):
            yield

    def change(self, without: Collection[str], new: Sequence[Mark]) -> None:
        """Replace the marks with some ids by new ones, on the disk; to be done inside `alone`."""
        kept = {mark.id: mark for mark in self.all() if mark.id not in without}
        marks = tuple((kept | {mark.id: mark for mark in new}).values())
        write(self._out / MARKS, _HEAD.encode() + b"".join(map(_text, marks)), durable=True)
        self._known[MARKS] = stamp_of(self._out / MARKS), marks


@cache
def _text(mark: Mark) -> bytes:
    """Return a mark as it is written, without its empty fields."""
    data = plain(mark).items()
    filled = {name: value for name, value in data if value not in (None, "") and value is not False}
    return strict_yaml.dump([filled])


def revision(*parts: object) -> str:
    """Return a short text that changes with what it is made of."""
    return hashlib.sha256(json.dumps([plain(part) for part in parts]).encode()).hexdigest()[:16]


REQUESTS: Final = "requests.csv"


@dataclass(frozen=True)
class RegradeRequest:
    """One student's words; `case` is what they are about, if the file has a column for it."""

    key: str
    text: str
    case: str = ""


def load_requests(out: Path, students: Iterable[Record]) -> tuple[RegradeRequest, ...]:
    """Return the requests in a folder; raise UserError with the line for one of nobody in the class."""
    file = out / REQUESTS
    if not file.is_file():
        return ()
    keys: dict[str, set[str]] = {}
    for record in students:
        for name in (record.key, record.student, *record.ids.values()):
            keys.setdefault(name.strip().casefold(), set()).add(record.key)
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            rows.fieldnames = [name.strip().casefold() for name in rows.fieldnames or ()]
            if not {"student", "text"} <= set(rows.fieldnames):
                why = _("needs the columns {first} and {second}", first="student", second="text")
                raise UserError(why, file=file, line=1)
            return tuple(_request(row, keys, file, rows.line_num) for row in rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(_("is not a CSV file in UTF-8: {error}", error=error), file=file) from None


def _request(row: dict[str, str], keys: dict[str, set[str]], file: Path, line: int) -> RegradeRequest:
    student, text, case = ((row.get(name) or "").strip() for name in ("student", "text", "case"))
    fitting = sorted(keys.get(student.casefold(), ()))
    if len(fitting) == 1 and text:
        return RegradeRequest(fitting[0], printable_lines(text), case)
    if not fitting:
        why = _("there is no student '{name}'", name=student) + meant(student.casefold(), keys)
    elif len(fitting) > 1:
        why = several(student, fitting)
    else:
        why = _("{student} asks nothing", student=student)
    raise UserError(why, file=file, line=line)


def about(request: RegradeRequest, grade: Grade) -> list[tuple[str, Verdict]]:
    """Return the cases that a request names, each with its criterion: by their names, or by a function's.

    Of the cases of a function or a criterion, these are the failed ones.
    """
    words = f"{request.case} {request.text}"

    def named(name: str) -> bool:
        return bool(name) and re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", words, re.I) is not None

    cases = [(criterion.id, verdict) for criterion in grade.criteria for verdict in criterion.verdicts]
    return (
        [case for case in cases if named(f"{case[0]}/{case[1].id}")]
        or [case for case in cases if "-" in case[1].id and named(case[1].id)]
        or [
            case
            for case in cases
            if case[1].status.is_bad and any(map(named, (case[0], case[1].function or "")))
        ]
    )


_PAUSE: Final = 0.2  # seconds after a decision in which another may come, before everything is written
_QUIET: Final = 2.0  # seconds without a decision after which the zip is written, which takes longest


class Scribe:
    """A thread that brings feedback, pages, gradebooks and the zip up to the newest decisions."""

    def __init__(self, closing: Closing, is_current: Callable[[], bool]) -> None:
        self._closing, self._is_current = closing, is_current
        self._changed = threading.Condition()
        self._students: Sequence[Student] = ()
        self._last: dict[str, Record] = {}
        self._wanted = self._written = self._packed = 0
        self._ended = False
        self.problem = ""  # why the last thing could not be written, if so
        self._thread = threading.Thread(target=copy_context().run, args=(self._work,), daemon=True)
        self._thread.start()

    def follow(self, students: Sequence[Student]) -> None:
        """Let everything follow from the decisions about everybody in a class."""
        with self._changed:
            self._students = students
            self._wanted += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Write what is still to be written, and stop."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Wait until all is written; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._packed == self._wanted, seconds)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._packed != self._wanted)
                if self._packed == self._wanted:
                    return
                packs = self._written == self._wanted
                if packs:
                    self._changed.wait_for(lambda: self._ended or self._written != self._wanted, _QUIET)
                    if self._written != self._wanted:
                        continue  # something was decided: that comes first
                else:
                    self._changed.wait_for(lambda: self._ended, _PAUSE)
                wanted, students = self._wanted, self._students
            try:
                self._write(students, packs=packs)
                self.problem = ""
            except GraderError as error:
                self.problem = str(error)
            with self._changed:
                self._written = wanted
                self._packed = wanted if packs else self._packed
                self._changed.notify_all()

    def _write(self, students: Sequence[Student], *, packs: bool) -> None:
        """Write the zip, or all that goes before it.

        Nothing is written of a class that was graded again meanwhile, or of older decisions than there are.
        """
        if not self._is_current():
            return
        if packs:
            self._closing.pack([student.after for student in students])
            return
        for student in students:
            if self._last.get(student.key) is not student.after:
                self._closing.student(student.before, student.own)
                self._last[student.key] = student.after
        if self._is_current():
            self._closing.books([student.after for student in students])
