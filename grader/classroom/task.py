"""One submission of a class as a task: it carries all it needs, so any process on any machine can do it.

A task and what comes of it travel as JSON, and are checked where they arrive.
"""

import atexit
import hashlib
import json
import threading
import traceback
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, Self

from grader import __version__
from grader.core.course.course import Course
from grader.core.course.hand_in import Folder
from grader.core.course.submission import NOWHERE, Submission, from_bytes
from grader.core.errors import NotGradable
from grader.core.grade import Grade, student_view
from grader.core.plain import plain, value_of
from grader.course import whole
from grader.grading.session import grade_found, load_course
from grader.grading.settings import Settings
from grader.report import terminal
from grader.report.text import as_text
from grader.sandbox import private

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
    files = tuple(whole.whole(settings.rubric_file, settings.fixtures).items())
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
    whole.write(dict(wanted.course), folder)
    files = folder / whole.RUBRIC, folder / whole.FIXTURES
    return Settings(*files, recall=wanted.recall, ahead=False, build=wanted.build, run=wanted.run)


@cache
def _course(wanted: Configuration) -> Course:
    return value_of(Course, json.loads(wanted.validated))
