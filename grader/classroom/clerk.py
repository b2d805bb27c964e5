"""A clerk: a process that grades one submission after the other, and can be replaced at any moment.

Between a clerk and its parent go lengths and JSON through the clerk's input and output, checked and bounded:
nothing is unpickled. The first message is what to grade by, each other one a task. A clerk that dies, hangs
or sends nonsense is replaced, and its task is done once more, by another clerk.
"""

import atexit
import ctypes
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from io import BufferedReader, FileIO
from typing import IO, ClassVar, Final, TypeVar, cast

from grader import __version__
from grader.classroom.records import Record, Status
from grader.core import system
from grader.core.course.course import Course
from grader.core.course.submission import NOWHERE, Folder, Submission, from_bytes
from grader.core.errors import MachineBusy, NotGradable
from grader.core.grade import student_view
from grader.core.messages import ENGLISH, _, in_language
from grader.core.values import plain, value_of
from grader.course import bundle
from grader.grading.session import Settings, boundary_of, grade_found, limits_of, load_course
from grader.report import terminal_report
from grader.report.wording import as_text
from grader.sandbox import process
from grader.sandbox.start import PATH

Message = TypeVar("Message")


def encoded(message: object) -> bytes:
    """Return a message as it travels: as JSON."""
    return json.dumps(plain(message)).encode("ascii")


def decoded(kind: type[Message], data: bytes) -> Message:
    """Return the message of a kind in some JSON; raise ValueError for anything else."""
    try:
        return value_of(kind, json.loads(data))
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

    boundary: str = ""
    """What submissions run in here, as `boundary_of` found: native or wasm."""

    patient: bool = False

    @cached_property
    def digest(self) -> str:
        """What changes whenever a grade might: a file of the course, a switch, the grader itself."""
        switches = f"{__version__} {self.recall} {self.build} {self.run} {self.boundary} {self.patient}"
        found = hashlib.sha256(switches.encode())
        for name, content in self.course:
            found.update(f"\n{name} {len(content)}\n".encode() + content)
        return found.hexdigest()


def configuration(settings: Settings) -> Configuration:
    """Return the files that settings name, read once for the whole class."""
    course = load_course(settings)
    files = tuple(bundle.whole(settings.rubric_file, settings.fixtures).items())
    switches = settings.recall, settings.build, settings.run
    limits, validated = limits_of(course.rubric, settings), json.dumps(plain(course))
    kind = boundary_of(course.rubric, settings.rubric_file).kind
    return Configuration(files, *switches, limits.total, validated, kind, settings.patient)


@dataclass(frozen=True)
class Task:
    """One submission to grade."""

    key: str
    name: str
    source: bytes
    size: int
    folder: Folder | None = None
    helpers: Folder = ()
    """The modules that the file imports and that came with it."""
    main: str = ""
    """Which file in the folder it is."""
    language: str = ENGLISH
    """What the student reads."""


def grade_task(task: Task, wanted: Configuration) -> Record:
    """Return what came of a task, for a student without a name; a fault of the grader is never raised."""
    not_graded = Record(key=task.key, status="not_graded")
    with in_language(task.language):
        try:
            settings, course = _settings(wanted), _course(wanted, task.language)
            rubric = course.rubric
            if rubric.kind == "program":
                found = Submission(task.name, NOWHERE, b"", folder=task.folder)
            else:
                given = task.name, task.source, task.size, rubric.limits.source_kb, task.folder
                found = from_bytes(*given, helpers=task.helpers, main=task.main, notebooks=rubric.notebooks)
            if not found.is_gradable:
                return replace(not_graded, why=found.problem or "")
            grade = grade_found(found, course, settings)
            feedback, faults = as_text(terminal_report.render(student_view(grade))), grade.grader_errors
        except NotGradable as error:
            return replace(not_graded, why=str(error), machine_was_busy=isinstance(error, MachineBusy))
        except Exception:
            return replace(not_graded, status="grader_error", why=traceback.format_exc(limit=-5))
    status: Status = "grader_error" if faults else "graded"
    return Record(key=task.key, status=status, why="; ".join(faults), grade=grade, feedback=feedback)


@cache
def _settings(wanted: Configuration) -> Settings:
    """Return settings whose files are in a folder that goes when this process ends, or later by another."""
    folder = process.new_folder()
    atexit.register(process.remove, folder)
    bundle.write(dict(wanted.course), folder)
    files = folder / bundle.RUBRIC, folder / bundle.FIXTURES
    return Settings(*files, recall=wanted.recall, build=wanted.build, run=wanted.run, patient=wanted.patient)


@cache
def _course(wanted: Configuration, language: str) -> Course:
    """Return the course, by which grades are in a language."""
    course = value_of(Course, json.loads(wanted.validated))
    return replace(course, rubric=replace(course.rubric, language=language))


_DIE_WITH_PARENT: Final = 1
_LENGTH: Final = 8
_MOST_BYTES: Final = 100_000_000
_CHUNK: Final = 1 << 20
_LOOK: Final = 1.0
_LEAVES: Final = 10.0
"""Seconds in which a clerk that is at nothing has left."""

_TIMES: Final = 6.0
"""Wall-clock limit of a clerk, as a multiple of its submission's limit: the backstop is five times that."""

_BESIDE: Final = 300.0
"""Seconds for what is beside it: to start, and to build a program."""


class ClerkLost(Exception):
    """The clerk died, took too long or said what no clerk says; it has been ended."""


def grade_apart(course: bytes, payload: bytes) -> bytes:
    """Do a task in this thread's clerk, by a configuration; a task that loses two clerks is not gradable."""
    task, total = decoded(Task, payload), _total(course)
    lost = ""
    for _attempt in range(2):
        clerk = _clerk(course)
        try:
            with in_language(task.language):
                return clerk.ask(payload, _TIMES * total + _BESIDE, task.key)
        except ClerkLost as error:
            if clerk.is_dismissed:
                raise
            lost = str(error)
    with in_language(task.language):
        why = _("It could not be graded, twice: {why}.", why=lost)
    # The next run tries again.
    return encoded(Record(key=task.key, status="not_graded", why=why, machine_was_busy=True))


@cache
def _total(course: bytes) -> float:
    return decoded(Configuration, course).total


class Clerk:
    """The handle on such a process."""

    program: ClassVar = f"{PATH}from grader.classroom.clerk import serve; serve()"
    """What it runs."""

    def __init__(self, course: bytes) -> None:
        self.course, self._knows_course = course, False
        self.is_dismissed = False
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-c", self.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        assert isinstance(self._child.stdin, FileIO) and isinstance(self._child.stdout, FileIO)
        self._tasks, self._answers = self._child.stdin, cast("IO[bytes]", BufferedReader(self._child.stdout))
        self.pid = self._child.pid
        self.end = weakref.finalize(self, _end, self._child, self._tasks, self._answers)
        """Ends it, at once if it is at nothing, and leaves nothing of it behind."""
        _all.add(self)

    def ask(self, payload: bytes, seconds: float, key: str) -> bytes:
        """Return what comes of a task; raise ClerkLost when nothing does within a time, or nonsense."""
        try:
            with self._killed_after(seconds):
                if not self._knows_course:
                    _send(self._tasks, self.course)
                    self._knows_course = True
                _send(self._tasks, payload)
                answer = _received(self._answers)
            if decoded(Record, answer).key != key:
                raise ValueError("the answer to another question")
        except TimeoutError:
            lost = _("it was not done within {seconds:g} seconds", seconds=seconds)
        except (OSError, EOFError):
            lost = _("the process that graded it was lost")
        except ValueError:
            lost = _("the process that graded it gave no answer that could be read")
        else:
            return answer
        self._child.kill()
        self.end()
        raise ClerkLost(lost)

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        """Kill the process if a time passes, and raise TimeoutError: no pipe can be waited for on Windows."""
        is_over, began, late = threading.Event(), time.monotonic(), False

        def watch() -> None:
            nonlocal late
            while not is_over.wait(_LOOK):
                if time.monotonic() - began > seconds * system.crowd():
                    late = True
                    self._child.kill()
                    return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        except (OSError, EOFError):
            if late:
                raise TimeoutError from None
            raise
        finally:
            is_over.set()
            watcher.join()

    @property
    def is_there(self) -> bool:
        """Whether it can be asked."""
        return self.end.alive and self._child.poll() is None


def clerks() -> list[Clerk]:
    """Return the clerks of this process."""
    return [clerk for clerk in list(_all) if clerk.end.alive]


def dismiss() -> None:
    """End all clerks of this process; a thread that waits for one gets an error, and no other clerk."""
    for clerk in clerks():
        clerk.is_dismissed = True
        with suppress(ProcessLookupError):
            clerk._child.kill()


def serve() -> None:
    """Do tasks until nobody is left to ask: this is the clerk's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is its parent's business
    if system.IS_LINUX:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    with (
        os.fdopen(os.dup(0), "rb") as tasks,
        FileIO(os.dup(1), "wb") as answers,
        FileIO(os.devnull, "r+") as nothing,
    ):
        for stream in (0, 1):  # which whatever runs here may use
            os.dup2(nothing.fileno(), stream)
        with suppress(EOFError, BrokenPipeError):
            wanted = decoded(Configuration, _received(tasks))
            while True:
                task = decoded(Task, _received(tasks))
                _send(answers, encoded(grade_task(task, wanted)))


def _send(stream: FileIO, payload: bytes) -> None:
    left = memoryview(len(payload).to_bytes(_LENGTH, "big") + payload)
    while left:
        left = left[stream.write(left[:_CHUNK]) :]


def _received(stream: IO[bytes]) -> bytes:
    """Return the next message; raise EOFError, or ValueError for one that is too long."""
    length = int.from_bytes(_exactly(stream, _LENGTH), "big")
    if length > _MOST_BYTES:
        raise ValueError("too long")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    found = stream.read(size)
    if len(found) < size:
        raise EOFError
    return found


def _end(child: "subprocess.Popen[bytes]", tasks: FileIO, answers: IO[bytes]) -> None:
    tasks.close()  # which tells it
    try:
        child.wait(_LEAVES)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    answers.close()
    for folder in process.folders_of(child.pid):
        process.remove(folder)


_own = threading.local()
_all: "weakref.WeakSet[Clerk]" = weakref.WeakSet()


def _clerk(course: bytes) -> Clerk:
    """Return the clerk of this thread, a new one if there is none that grades by the course."""
    known: Clerk | None = getattr(_own, "clerk", None)
    if known is not None and known.course != course:
        known.end()
    if known is None or not known.is_there:
        known = _own.clerk = Clerk(course)
    return known
