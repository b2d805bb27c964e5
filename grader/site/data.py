"""What a site knows: written when it is made, read when a file is checked."""

from typing import Final

from grader.core.course.course import Course
from grader.core.values import Frozen

PACE: Final = 0.4
"""What a second in a browser counts: there Python takes 1.6 to 2.6 times as long as elsewhere."""


class Site(Frozen):
    """What a site is made for: the public part of a course, and what is looked at elsewhere."""

    course: Course
    elsewhere: str = ""
    """What the instructor's grade adds, in a sentence."""
