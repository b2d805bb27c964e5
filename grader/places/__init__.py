"""Places: systems in which instructors grade, by name; those that read a file, and those that take a pack."""

from collections.abc import Sequence
from typing import Final

from grader.core.errors import UserError, meant
from grader.core.messages import _

WRITTEN_FOR: Final = ("gradescope", "classroom50", "prairielearn", "vpl", "junit", "markdown")
PACKED_FOR: Final = ("gradescope", "classroom50", "check50", "prairielearn", "vpl", "actions", "site")
SITE: Final = "site"  # the students' own browsers
# those that hand over a whole folder, to a machine that has compilers or gets them
FOR_PROGRAMS: Final = ("gradescope", "classroom50", "actions")
# those where nobody but instructors reads anything of a pack, wherever it lies and whatever runs there
FOR_INSTRUCTORS: Final = ("gradescope",)
HIDES_CASES: Final = ("gradescope", "prairielearn", "vpl")  # those that keep the course itself from students


def unknown(place: str, known: Sequence[str], what_for: str) -> UserError:
    """Return the error about a place that is not known, with the nearest one that is."""
    about = {"place": place, "known": ", ".join(known)}
    if what_for == "write":
        text = _("there is no place '{place}' to write for: there are {known}", **about)
    else:
        text = _("there is no place '{place}' to pack for: there are {known}", **about)
    return UserError(text + meant(place, known))
