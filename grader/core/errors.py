"""Everything that can go wrong, apart from a submission's own faults (those are verdicts).

GraderError
├── UserError        the user's mistake: names the file, the line and the fix (exit code 2)
├── GraderFault      the grader itself failed: nobody's score (exit code 3)
└── NotGradable      a submission that cannot be graded here: nobody's score either (exit code 3)
    └── MachineBusy  the same for want of time alone: the next run tries again
"""

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Final

from grader.core.messages import _, ngettext

GRADED: Final = 0
BELOW: Final = 1
BAD_INPUT: Final = 2
GRADER_FAILED: Final = 3
"""The command's exit codes."""

_MOST_REPORTED: Final = 100  # mistakes that are reported at once
Where = tuple[Hashable, ...]
"""The keys and numbers that lead to the part of a file in which a mistake is."""


class GraderError(Exception):
    """Base of all errors that the command reports in a sentence, without a traceback."""

    exit_code = GRADER_FAILED


class UserError(GraderError):
    """A mistake in what the user gave: a path, a rubric, a fixture."""

    exit_code = BAD_INPUT

    def __init__(self, message: str, *, file: Path | None = None, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        self.each: tuple[UserError, ...] = ()
        """The mistakes that are reported together, if this is several."""
        super().__init__(str(self))

    def __str__(self) -> str:
        if self.file is None:
            return self.message
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.message}"


class GraderFault(GraderError):
    """The grader could not do its work; no student may lose a point by it."""


class NotGradable(GraderError):
    """A submission that cannot be graded on this machine, or by this grader; a person can."""


class MachineBusy(NotGradable):
    """The machine had no time for a submission: grading it again may give a grade."""


def together(errors: Sequence[UserError]) -> UserError:
    """Return several mistakes as one error, a line each; a single one as it is."""
    each = tuple(mistake for error in errors for mistake in error.each or (error,))
    if len(each) == 1:
        return each[0]
    left = len(each) - _MOST_REPORTED
    more = [ngettext("and {count} more", "and {count} more", left)] if left > 0 else []
    head = ngettext("{count} mistake to fix:", "{count} mistakes to fix:", len(each))
    found = UserError("\n".join([head, *map(str, each[:_MOST_REPORTED]), *more]))
    found.each = each
    return found


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is nearest to an unknown one, or None if none is near."""
    from difflib import get_close_matches  # only a mistake needs it

    return next(iter(get_close_matches(name, list(known), 1)), None)


def meant(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: the nearest known name, or nothing."""
    near = nearest(name, known)
    return _("; is {name} meant?", name=near) if near else ""
