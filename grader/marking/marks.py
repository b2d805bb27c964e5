"""The file of marks: a change is on the disk before anybody is told of it, and nobody's is overwritten."""

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.classroom.adjustments import ADJUSTMENTS, MARKS, Adjustment, Mark, load, stamp_of
from grader.classroom.folder import remembered
from grader.core.course.rubric import Rubric
from grader.core.files import write
from grader.core.plain import plain
from grader.course import strict_yaml

_LOCK: Final = ".marks.lock"
_MARKERS: Final = ".markers.json"
"""What those who mark are called, by their numbers on this machine: students read it."""

_HEAD: Final = (
    "# Written by the page for marking ('mark'); a grading never changes it.\n"
    "# What you write by hand goes into adjustments.yaml.\n"
)


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
        return str(remembered(self._out / _MARKERS).get(str(os.getuid()), ""))

    def keep_marker(self, name: str) -> None:
        """Keep the name under which this user marks the class."""
        if name != self.marker():
            known = {**remembered(self._out / _MARKERS), str(os.getuid()): name}
            write(self._out / _MARKERS, json.dumps(known))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep everybody else from deciding meanwhile, also in other processes."""
        with self._lock, (self._out / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
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
