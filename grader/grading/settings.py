"""What to grade by: the settings of one grade, or of a whole class."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC

if TYPE_CHECKING:
    from grader.core.course.course import Course


@dataclass(frozen=True)
class Settings:
    """What to grade by, and what else to write on the way."""

    rubric_file: Path = DEFAULT_RUBRIC
    fixtures: Path = DEFAULT_FIXTURES
    junitxml: Path | None = None
    recall: bool = True
    ahead: bool = True
    """Whether the copy with recall begins before it is waited for; in a class all cores are busy."""
    time_first_move: bool = False
    build: str | None = None
    run: str | None = None
    """How a program is built and run, if a person says so."""
    patient: bool = False
    """Whether a program has ten times its limits of time."""
    rubric_named: bool = True
    """Whether somebody has named the rubric: if not, a class is graded by that of its last run."""
    fixtures_named: bool = True
    sandbox_kind: str | None = None
    """What confines submissions, if a person says so: else the rubric does."""
    language: str | None = None
    """The language of grades, if a person says so: else the rubric's."""


def load_course(settings: Settings) -> "Course":
    """Return the course that settings name, with what they say otherwise."""
    from grader.course import loading  # whoever reads the command's options needs no course yet

    course = loading.load(settings.rubric_file, settings.fixtures)
    given: dict[str, Any] = {"sandbox_kind": settings.sandbox_kind, "language": settings.language}
    given = {name: value for name, value in given.items() if value is not None}
    return replace(course, rubric=replace(course.rubric, **given)) if given else course
