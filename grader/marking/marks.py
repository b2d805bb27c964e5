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
from pathlib import Path
from typing import Final

from grader.classroom.adjustments import ADJUSTMENTS, MARKS, Adjustment, Mark, load, stamp_of
from grader.classroom.outputs import Closing
from grader.classroom.records import Record, remembered
from grader.core import system
from grader.core.course.rubric import Rubric
from grader.core.errors import GraderError, UserError, nearest
from grader.core.grade import Grade, Verdict
from grader.core.messages import _
from grader.core.system import locked, write
from grader.core.values import plain, printable_lines
from grader.course import strict_yaml

_LOCK: Final = ".marks.lock"
_MARKERS: Final = ".markers.json"
"""What those who mark are called, by their numbers on this machine: students read it."""

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


Students = Callable[[], Iterable[tuple[str, str]]]


class Marks:
    """The decisions about a class, marks and adjustments, as they are on the disk."""

    def __init__(self, out: Path, rubric: Rubric, students: Students, lock: threading.RLock) -> None:
        self._out, self._rubric, self._students = out, rubric, students
        self._known: dict[str, tuple[object, tuple[Adjustment, ...]]] = {}
        self._texts: dict[Mark, bytes] = {}
        self._lock = lock

    def adjustments(self) -> tuple[Adjustment, ...]:
        """Return the adjustments, which somebody has written into their file."""
        return self._read(ADJUSTMENTS)

    def all(self) -> tuple[Mark, ...]:
        """Return the marks."""
        return tuple(one for one in self._read(MARKS) if isinstance(one, Mark))

    def _read(self, name: str) -> tuple[Adjustment, ...]:
        """Return what a file says; one that is unchanged is not read again."""
        file = self._out / name
        with self._lock:
            stamp = stamp_of(file)
            if name not in self._known or self._known[name][0] != stamp:
                self._known[name] = stamp, load(file, self._rubric, self._students())
            return self._known[name][1]

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
        """Put marks in the place of others, given by their ids, on the disk; to be done alone."""
        kept = {one.id: one for one in self.all() if one.id not in without}
        kept |= {one.id: one for one in new}
        marks = tuple(kept.values())
        self._texts = {one: self._texts.get(one) or _text(one) for one in marks}
        write(self._out / MARKS, _HEAD.encode() + b"".join(self._texts.values()), durable=True)
        self._known[MARKS] = stamp_of(self._out / MARKS), marks


def _text(mark: Mark) -> bytes:
    """Return a mark as it is written: what it does not say is left out."""
    told = plain(mark).items()
    said = {name: part for name, part in told if part not in (None, "") and part is not False}
    return strict_yaml.dump([said])


def revision(*parts: object) -> str:
    """Return a short text that changes with what it is made of."""
    return hashlib.sha256(json.dumps([plain(one) for one in parts]).encode()).hexdigest()[:16]


REQUESTS: Final = "requests.csv"


@dataclass(frozen=True)
class RegradeRequest:
    """One student's words; `case` is what they are about, where that is said apart."""

    key: str
    text: str
    case: str = ""


def load_requests(out: Path, students: Iterable[Record]) -> tuple[RegradeRequest, ...]:
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
                raise UserError(
                    _("needs the columns {first} and {second}", first="student", second="text"),
                    file=file,
                    line=1,
                )
            return tuple(_request(row, keys, file, rows.line_num) for row in rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(_("is not a CSV file in UTF-8: {error}", error=error), file=file) from None


def _request(row: dict[str, str], keys: dict[str, set[str]], file: Path, line: int) -> RegradeRequest:
    student, text, case = ((row.get(name) or "").strip() for name in ("student", "text", "case"))
    fitting = sorted(keys.get(student.casefold(), ()))
    if not fitting:
        near = nearest(student.casefold(), keys)
        told = (
            _("there is no student '{student}'; is {near} meant?", student=student, near=near)
            if near
            else _("there is no student '{student}'", student=student)
        )
        raise UserError(told, file=file, line=line)
    if len(fitting) > 1:
        either = _("{names} or {last}", names=", ".join(fitting[:-1]), last=fitting[-1])
        told = _("several students are called {student}: say {either}", student=student, either=either)
        raise UserError(told, file=file, line=line)
    if not text:
        raise UserError(_("{student} asks nothing", student=student), file=file, line=line)
    return RegradeRequest(fitting[0], printable_lines(text), case)


def about(request: RegradeRequest, grade: Grade) -> list[tuple[str, Verdict]]:
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


_PAUSE: Final = 0.2
"""Seconds after a decision in which another may come, before everything is written."""

_QUIET: Final = 2.0
"""Seconds without a decision after which the zip is written, which takes longest."""


class Scribe:
    """A thread that brings feedback, pages, gradebooks and the zip up to the newest decisions."""

    def __init__(self, closing: Closing, is_current: Callable[[], bool] = lambda: True) -> None:
        self._closing, self._is_current = closing, is_current
        self._changed = threading.Condition()
        self._students: Sequence[Student] = ()
        self._told: dict[str, Record] = {}
        self._wanted = self._written = self._packed = 0
        self._ended = False
        self.problem = ""
        """Why the last thing could not be written, if so."""
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
        while self._has_more():
            pass

    def _has_more(self) -> bool:
        """Write what is to be written next, when there is something; return whether there may be more."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._packed != self._wanted)
            if self._packed == self._wanted:
                return False
            packs = self._written == self._wanted
            self._changed.wait_for(
                lambda: self._ended or (packs and self._written != self._wanted), _QUIET if packs else _PAUSE
            )
            if packs and self._written != self._wanted:
                return True  # something was decided: that comes first
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
        return True

    def _write(self, students: Sequence[Student], *, packs: bool) -> None:
        """Write the zip, or all that goes before it.

        Nothing is written of a class that was graded again meanwhile, or of older decisions than there are.
        """
        if not self._is_current():
            return
        if packs:
            self._closing.pack([one.after for one in students])
            return
        for one in students:
            if self._told.get(one.key) is not one.after:
                self._closing.student(one.before, one.own)
                self._told[one.key] = one.after
        if self._is_current():
            self._closing.books([one.after for one in students])
