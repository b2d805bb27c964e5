"""The grader in a student's browser, in a worker that the page can end; here: what a site knows.

It is written when the site is made, and read when a file is checked.
"""

from typing import Final

from grader.core.course.course import Course
from grader.core.course.rubric import Limits
from grader.core.game.oracle import FUNCTIONS
from grader.core.messages import Own
from grader.core.values import Frozen

# what a second in a browser counts: there Python takes 1.6 to 2.6 times as long as elsewhere
PACE: Final = 0.4


# what a page is informed of before it is asked: to read the file, to run it, or a function
ASKED: Final = ("read", "load", *FUNCTIONS, "initial_state")
# seconds in which a source is read: nothing of it runs, so only a busy machine can take that long
_READING: Final = 60.0
# so many times what a submission may take, a check may take on the page, however it is spent
_WHOLE: Final = 5.0


def seconds(limits: Limits) -> dict[str, float]:
    """Return what a page waits for: an answer to each kind of question, and a check in all."""
    return {"read": _READING, "load": limits.load, "call": limits.deadline, "total": _WHOLE * limits.total}


class Site(Frozen):
    """What a site is made for: the public part of a course, and what is looked at elsewhere."""

    course: Course
    in_all: dict[str, float]  # the points of each criterion in the instructor's grade
    elsewhere: Own = ""  # what of the instructor's grade the site can check, and what else counts there
