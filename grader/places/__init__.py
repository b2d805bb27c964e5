"""Places: systems in which instructors grade, by name; those that read a file, and those that take a pack."""

from collections.abc import Sequence
from typing import Final

from grader.core.errors import UserError, nearest
from grader.core.messages import _

WRITTEN_FOR: Final = ("gradescope", "classroom50", "prairielearn", "vpl", "junit", "markdown")
PACKED_FOR: Final = ("gradescope", "classroom50", "check50", "prairielearn", "vpl", "actions", "site")
SITE: Final = "site"
"""The students' own browsers."""

FOR_PROGRAMS: Final = ("gradescope", "classroom50", "actions")
"""Those that hand over a whole folder, to a machine that has compilers or gets them."""

FOR_INSTRUCTORS: Final = ("gradescope",)
"""Those where nobody but instructors reads anything of a pack, wherever it lies and whatever runs there."""

HIDES_CASES: Final = ("gradescope", "prairielearn", "vpl")
"""Those that keep the course itself from students."""


def unknown(place: str, known: Sequence[str], what_for: str) -> UserError:
    """Return the error about a place that is not known, with the nearest one that is."""
    near = nearest(place, known)
    about = {"place": place, "known": ", ".join(known), "near": near}
    if what_for == "write" and near:
        told = _("there is no place '{place}' to write for: there are {known}; is {near} meant?", **about)
    elif what_for == "write":
        told = _("there is no place '{place}' to write for: there are {known}", **about)
    elif near:
        told = _("there is no place '{place}' to pack for: there are {known}; is {near} meant?", **about)
    else:
        told = _("there is no place '{place}' to pack for: there are {known}", **about)
    return UserError(told)
