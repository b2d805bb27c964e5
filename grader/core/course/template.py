"""What everybody was given: lines that stand in it are not the student's own, and cost nothing."""

from typing import Final

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
