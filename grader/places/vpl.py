"""Moodle VPL: every line is a comment, and the grade is the last line, once.

A line that begins with the tag of a comment is nothing else, so whatever a submission is called or
answers, it cannot look like a grade. Without a score there is no such line, and VPL gives no grade.
The grade ends at the maximum; a comment says what is above it.
"""

from collections.abc import Iterable
from typing import Final

from grader.places.told import Told
from grader.places.words import body, points, summary, taken_off
from grader.report.text import number

_COMMENT: Final = "Comment :=>>"
_GRADE: Final = "Grade :=>> "


def write(told: Told) -> str:
    """Return what an evaluation prints."""
    lines = [*_title("Result"), *_plain(summary(told)), *_plain(*taken_off(told)), *_plain(*told.notes)]
    grade = min(told.final, told.out_of)
    if told.gradable and told.final > grade:
        above = number(told.final - grade)
        lines += _plain(f"The grade ends at {number(grade)}: {above} above it are not in it.")
    for row in told.judged():
        lines += [*_title(f"{row.id}: {points(row)}"), *_plain("" if row.text else row.description)]
        lines += _plain(body(row, len(told.rows)))
    lines += [f"{_GRADE}{number(grade)}"] if told.gradable else []
    return "".join(f"{line}\n" for line in lines)


def _title(text: str) -> list[str]:
    """Return a title that can be unfolded; one that ended in a bracket could be cut off there."""
    return [f"{_COMMENT}-{' '.join(text.split())}"]


def _plain(*texts: str) -> Iterable[str]:
    """Return text as it stands, every line of it behind the tag."""
    return [f"{_COMMENT}>{line}" for text in texts for line in text.splitlines()]
