"""A course: a rubric with its cases, and the file that everybody was given."""

from pathlib import Path

from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.course.template import DESCRIBED, Template
from grader.core.values import Frozen


class Course(Frozen):
    """All that a submission is judged by."""

    rubric: Rubric
    cases: tuple[Case, ...]
    """In the order of their criteria."""
    template: Template = DESCRIBED
    has_tests: bool = False
    """Whether an instructor's own tests belong to it, which only pytest can run."""


class Listed(Frozen):
    """One case, or one test of an instructor's own, as it is going to be asked."""

    file: Path
    line: int
    criterion: str
    id: str
    weight: float
    hidden: bool


def listed(case: Case) -> Listed:
    """Return a case as it is going to be asked."""
    one = case.question
    return Listed(case.file, case.line, case.criterion, one.id, one.weight, one.visibility != "public")
