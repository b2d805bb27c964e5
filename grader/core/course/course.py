"""What judging needs of a course: its rubric, its cases, and the template that everybody was given."""

from pathlib import Path
from typing import Final

from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.game.interface import CONSTANTS, FUNCTIONS
from grader.core.text import lines_of
from grader.core.values import Frozen

_EMPTY_ROW: Final = "[EMPTY, EMPTY, EMPTY]"


class Template(Frozen):
    """The file that was handed out, or what is known of it."""

    text: str

    @property
    def lines(self) -> frozenset[str]:
        """Its lines as they stand, blank ones left out."""
        return frozenset(line for line in lines_of(self.text) if line.strip())


def _described() -> str:
    """Return what every file for this assignment begins as: an import, the names, functions to be written."""
    lines = ["import math"]
    lines += [f"{name} = {value}" for name, value in zip(CONSTANTS, ('"X"', '"O"', "None"), strict=True)]
    lines += ["def initial_state():", f"    return [{_EMPTY_ROW},", f"            {_EMPTY_ROW},"]
    lines += [f"            {_EMPTY_ROW}]"]
    for function in FUNCTIONS.values():
        lines += [f"def {function.name}({', '.join(function.parameters)}):", "    raise NotImplementedError"]
    return "\n".join(lines) + "\n"


DESCRIBED: Final = Template(_described())
"""What is known of the file that the assignment hands out, in our own words."""


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
