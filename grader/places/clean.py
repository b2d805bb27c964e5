"""What places are told of a text: not without an end, and whether the file was Python at all."""

import re
from typing import Final

from grader.grade import Grade, Status

_MOST: Final = 20_000
_MOST_TOGETHER: Final = 200_000
"""Characters of text about one criterion, and about all of them."""

_NOT_PYTHON: Final = re.compile(
    r"The file (is empty|has [\d.]+ MB|holds a null byte|is not UTF-8|is not valid Python"
    r"|cannot be loaded: (SyntaxError|IndentationError|TabError)\b)"
)


def clipped(text: str, most: int) -> str:
    """Return at most so many characters of a text, and say how many are left out."""
    left_out = len(text) - most
    return text if left_out <= 0 else f"{text[:most]}\n({left_out:,} more characters are left out.)"


def per_row(rows: int) -> int:
    """Return how many characters may be said about one criterion of so many."""
    return max(200, min(_MOST, _MOST_TOGETHER // max(1, rows)))


def not_python(grade: Grade) -> str:
    """Return why a file is not Python at all, if that is why everything failed."""
    verdicts = [one for criterion in grade.criteria for one in criterion.verdicts if one.weight]
    if any(one.status is Status.PASSED for one in verdicts):
        return ""
    return next((one.reason for one in verdicts if _NOT_PYTHON.match(one.reason)), "")
