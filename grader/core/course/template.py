"""What everybody was given: lines that stand in it are not the student's own, and cost nothing."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.core.game.interface import CONSTANTS, FUNCTIONS
from grader.core.text import lines_of
from grader.course import strict_yaml

if TYPE_CHECKING:
    from grader.core.course.rubric import Rubric

_EMPTY_ROW: Final = "[EMPTY, EMPTY, EMPTY]"


@dataclass(frozen=True)
class Given:
    """The file that was handed out, or what is known of it."""

    text: str

    @property
    def lines(self) -> frozenset[str]:
        """Its lines as they stand, blank ones left out."""
        return frozenset(line for line in lines_of(self.text) if line.strip())


def load(rubric_file: Path, rubric: "Rubric") -> Given:
    """Return the template that a rubric names, or what the assignment is known to give."""
    if rubric.template is None:
        return DESCRIBED
    file = rubric_file.parent / rubric.template
    try:
        return Given(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        document = strict_yaml.load(rubric_file)
        raise document.error(f"the template {file} cannot be read: {why}", ("template",)) from None


def _described() -> str:
    """Return what every file for this assignment begins as: an import, the names, functions to be written."""
    lines = ["import math"]
    lines += [f"{name} = {value}" for name, value in zip(CONSTANTS, ('"X"', '"O"', "None"), strict=True)]
    lines += ["def initial_state():", f"    return [{_EMPTY_ROW},", f"            {_EMPTY_ROW},"]
    lines += [f"            {_EMPTY_ROW}]"]
    for function in FUNCTIONS.values():
        lines += [f"def {function.name}({', '.join(function.parameters)}):", "    raise NotImplementedError"]
    return "\n".join(lines) + "\n"


DESCRIBED: Final = Given(_described())
"""What is known of the file that the assignment hands out, in our own words."""
