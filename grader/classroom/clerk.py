"""A clerk: a process that grades one submission after the other, and can be replaced at any moment.

Between a clerk and who asks it go lengths and JSON, checked and bounded: nothing is unpickled. A clerk that
dies, hangs or talks nonsense takes nobody along: it is replaced, and its task is done once more, by another.
"""

import atexit
import ctypes
import hashlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Final, Self

from grader import __version__
from grader.core.course.course import Course
from grader.core.course.hand_in import Folder
from grader.core.course.submission import NOWHERE, Submission, from_bytes
from grader.core.errors import NotGradable
from grader.core.grade import Grade, student_view
from grader.core.plain import plain, value_of
from grader.course import bundle
from grader.grading.session import Settings, grade_found, load_course
from grader.report import terminal
from grader.report.wording import as_text
from grader.sandbox import private
from grader.sandbox.start import PATH

_ONE_AT_A_TIME: Final = threading.Lock()
"""Grading redirects what pytest prints: a process does one at a time, whatever runs it."""


class _Message:
    """What travels as JSON."""

    def to_bytes(self) -> bytes:
        """Return it as JSON."""
        return json.dumps(plain(self)).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return what is in some JSON; raise ValueError for anything else."""
        try:
            return value_of(cls, json.loads(data))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


@dataclass(frozen=True)
class Configuration:
    """What to grade by: the whole course as contents by path, and the switches."""

    course: tuple[tuple[str, bytes], ...]
    recall: bool = True
    build: str | None = None
    run: str | None = None
    total: float = 0.0
    """Seconds that a submission may take."""
    validated: str = ""
    """The course as it was validated, as JSON."""

    @cached_property
    def digest(self) -> str:
        """What changes whenever a grade might: a file of the course, a switch, the grader itself."""
        found = hashlib.sha256(f"{__version__} {self.recall} {self.build} {self.run}".encode())
        for name, content in self.course:
            found.update(f"\n{name} {len(content)}\n".encode() + content)
        return found.hexdigest()


def configuration(settings: Settings) -> Configuration:
    """Return the files that settings name, read once for the whole class."""
    course = load_course(settings)
    files = tuple(bundle.whole(settings.rubric_file, settings.fixtures).items())
    switches = settings.recall, settings.build, settings.run
    return Configuration(files, *switches, course.rubric.limits.total, json.dumps(plain(course)))


@dataclass(frozen=True)
class Task(_Message):
    """One submission to grade."""

    key: str
    name: str
    source: bytes
    size: int
    configuration: Configuration
    folder: Folder | None = None
    helpers: Folder = ()
    """The modules that the file imports and that came with it."""
    main: str = ""
    """Which file in the folder it is."""


@dataclass(frozen=True)
class Done(_Message):
    """What came of a task: the grade and what the student may read, or why there is none."""

    key: str
    grade: Grade | None = None
    feedback: str = ""
    fault: str = ""
    not_gradable: str = ""


def grade_task(task: Task) -> Done:
    """Grade one submission; a fault of the grader is told, never raised."""
    with _ONE_AT_A_TIME:
        try:
            settings, course = _settings(task.configuration), _course(task.configuration)
            rubric = course.rubric
            if rubric.kind == "program":
                found = Submission(task.name, NOWHERE, b"", folder=task.folder)
            else:
                given = task.name, task.source, task.size, rubric.limits.source_kb, task.folder
                found = from_bytes(*given, helpers=task.helpers, main=task.main, notebooks=rubric.notebooks)
            if not found.is_gradable:
                return Done(task.key, not_gradable=found.problem or "")
            grade = grade_found(found, course, settings)
            return Done(task.key, grade, as_text(terminal.render(student_view(grade))))
        except NotGradable as error:
            return Done(task.key, not_gradable=str(error))
        except Exception:
            return Done(task.key, fault=traceback.format_exc(limit=-5))


@cache
def _settings(wanted: Configuration) -> Settings:
    """Return settings whose files are in a folder that goes when this process ends, or later by another."""
    folder = private.new_folder()
    atexit.register(private.remove, folder)
    bundle.write(dict(wanted.course), folder)
    files = folder / bundle.RUBRIC, folder / bundle.FIXTURES
    return Settings(*files, recall=wanted.recall, ahead=False, build=wanted.build, run=wanted.run)


@cache
def _course(wanted: Configuration) -> Course:
    return value_of(Course, json.loads(wanted.validated))


_DIE_WITH_PARENT: Final = 1
_LENGTH: Final = 8
_MOST_BYTES: Final = 100_000_000
_CHUNK: Final = 1 << 20
_LOOK: Final = 1.0
_LEAVES: Final = 10.0
"""Seconds in which a clerk that is at nothing has left."""

_TIMES: Final = 2.0
"""A grade ends within its limit and a quarter; a clerk may take so many times that limit."""

_BESIDE: Final = 300.0
"""Seconds for what is beside it: to start, and to build a program."""


class ClerkLost(Exception):
    """The clerk died, took too long or said what no clerk says; it has been ended."""


def grade_apart(payload: bytes) -> bytes:
    """Do a task in this thread's clerk; a task that loses two clerks is not gradable."""
    task = Task.from_bytes(payload)
    lost = ""
    for _ in range(2):
        clerk = _clerk()
        try:
            return clerk.ask(payload, _TIMES * task.configuration.total + _BESIDE, task.key)
        except ClerkLost as error:
            if clerk.is_dismissed:
                raise
            lost = str(error)
    return Done(task.key, not_gradable=f"It could not be graded, twice: {lost}.").to_bytes()


class Clerk:
    """The handle on such a process."""

    program: ClassVar = f"{PATH}from grader.classroom.clerk import serve; serve(tasks, answers)"
    """What it runs, once it knows its two descriptors."""

    def __init__(self) -> None:
        self.is_dismissed = False
        tasks, self._tasks = os.pipe()
        self._answers, answers = os.pipe()
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-c", f"{tasks=}; {answers=}; {self.program}"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(tasks, answers),  # and all others are closed
            )
        finally:
            os.close(tasks)
            os.close(answers)
        self.pid = self._child.pid
        self.end = weakref.finalize(self, _end, self._child, self._tasks, self._answers)
        """Ends it, at once if it is at nothing, and leaves nothing of it behind."""
        _all.add(self)

    def ask(self, payload: bytes, seconds: float, key: str) -> bytes:
        """Return what comes of a task; raise ClerkLost when nothing does within a time, or nonsense."""
        try:
            _send(self._tasks, payload)
            answer = _received(self._answers, seconds)
            if Done.from_bytes(answer).key != key:
                raise ValueError("the answer to another question")
        except TimeoutError:
            lost = f"it was not done within {seconds:g} seconds"
        except (OSError, EOFError):
            lost = "the process that graded it was lost"
        except ValueError:
            lost = "the process that graded it gave no answer that could be read"
        else:
            return answer
        self._child.kill()
        self.end()
        raise ClerkLost(lost)

    @property
    def is_there(self) -> bool:
        """Whether it can be asked."""
        return self.end.alive and self._child.poll() is None


def clerks() -> list[Clerk]:
    """Return the clerks of this process."""
    return [clerk for clerk in list(_all) if clerk.end.alive]


def dismiss() -> None:
    """End all clerks of this process; who waits for one is told, and gets no other."""
    for clerk in clerks():
        clerk.is_dismissed = True
        with suppress(ProcessLookupError):
            os.kill(clerk.pid, signal.SIGKILL)


def serve(tasks: int, answers: int) -> None:
    """Do tasks until nobody is left to ask: this is the clerk's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is its parent's business
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    for descriptor in (tasks, answers):
        os.set_inheritable(descriptor, False)
    with suppress(EOFError, BrokenPipeError):
        while True:
            task = Task.from_bytes(_received(tasks, math.inf))
            _send(answers, grade_task(task).to_bytes())


def _send(descriptor: int, payload: bytes) -> None:
    left = memoryview(len(payload).to_bytes(_LENGTH, "big") + payload)
    while left:
        left = left[os.write(descriptor, left[:_CHUNK]) :]


def _received(descriptor: int, seconds: float) -> bytes:
    """Return the next message; raise TimeoutError, EOFError, or ValueError for one that is too long."""
    began = time.monotonic()
    length = int.from_bytes(_exactly(descriptor, _LENGTH, began, seconds), "big")
    if length > _MOST_BYTES:
        raise ValueError("too long")
    return _exactly(descriptor, length, began, seconds)


def _exactly(descriptor: int, length: int, began: float, seconds: float) -> bytes:
    poll, parts, missing = select.poll(), list[bytes](), length
    poll.register(descriptor, select.POLLIN)
    while missing:
        if not poll.poll(1000 * _LOOK):
            if time.monotonic() - began > seconds * _crowd():
                raise TimeoutError
            continue
        part = os.read(descriptor, min(missing, _CHUNK))
        if not part:
            raise EOFError
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _crowd() -> float:
    """Return how many want each processor of this machine: on a busy one everything takes longer."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _end(child: "subprocess.Popen[bytes]", tasks: int, answers: int) -> None:
    os.close(tasks)  # which tells it
    os.close(answers)
    try:
        child.wait(_LEAVES)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    for folder in private.folders_of(child.pid):
        private.remove(folder)


_own = threading.local()
_all: "weakref.WeakSet[Clerk]" = weakref.WeakSet()


def _clerk() -> Clerk:
    """Return the clerk of this thread, a new one if there is none."""
    known: Clerk | None = getattr(_own, "clerk", None)
    if known is None or not known.is_there:
        known = _own.clerk = Clerk()
    return known
