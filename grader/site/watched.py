"""A submission in the page's worker, watched by the page, which can end it and start Python anew.

The page is told what is asked before it is asked, and hears every answer. If no answer comes in time, or the
interpreter ends, the page starts another one with what it has heard from the carrier that was lost: the same
questions come in the same order, so that one answers from memory, is lost in the same place, and all others
are asked again.
"""

import marshal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, Protocol

from grader.core.asking.allowance import Allowance
from grader.core.asking.carrier import WorkerLost
from grader.core.asking.inside import Inside, Request
from grader.core.asking.reply import Loss
from grader.core.values import Frozen
from grader.site.data import PACE

_HIDDEN: Final = ("grader", "js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "jinja2", "pygments")
"""What a submission would not find elsewhere either; of the grader it needs the worker's side."""

_NEEDED: Final = "grader.worker"


class Page(Protocol):
    """Who watches; a call of it comes back at once."""

    def asking(self, carrier: int, what: str, board: str) -> None:
        """Hear what is asked now; the page knows within how many seconds an answer must come."""

    def heard(self, carrier: int, token: str, text: str, spent: float) -> None:
        """Hear an answer, empty where no more comes, and what the carrier's submission has taken so far."""

    def judged(self, done: int, total: int) -> None:
        """Hear how many cases are judged."""


class Heard(Frozen):
    """What the page heard from a carrier before it was lost: answers in order, and what became of it."""

    answers: tuple[tuple[str, str, float], ...]
    """Each by the token of its question, with the seconds taken until then; the last may be empty."""
    spent: float
    deadline: float | None = None
    """What was over when it was ended; None where it ended by itself."""
    exit_code: int | None = None
    """With which it did."""

    @property
    def lost(self) -> WorkerLost:
        """What its client is told."""
        if self.deadline is not None:
            return WorkerLost(Loss.DEADLINE, f"no answer within {self.deadline:g} seconds")
        how = "for lack of memory or stack" if self.exit_code is None else f"with exit code {self.exit_code}"
        return WorkerLost(Loss.DEATH, f"its process ended {how}")


class Watching:
    """Opens the carriers of one check, and knows which of them were lost before."""

    def __init__(self, page: Page, known: Mapping[int, Heard]) -> None:
        self.page, self.known, self._opened = page, known, 0

    def opens(self, allowance: Allowance) -> "Watched":
        """Open the next carrier."""
        self._opened += 1
        return Watched(allowance, self.page, self._opened, self.known.get(self._opened))


class Watched(Inside):
    """Carries questions to a submission in the same worker, and tells the page before and after each."""

    def __init__(self, allowance: Allowance, page: Page, number: int, known: Heard | None) -> None:
        super().__init__(allowance, PACE)
        self._finders.insert(0, _Hider)
        self._page, self._number, self._known = page, number, known
        self._answers = iter(known.answers if known else ())

    def _answered(self, request: Request) -> bool:
        """Let a request go on to its next reply, from memory if this carrier was lost before."""
        if request.is_over:
            return False
        if self._known:
            return self._remembered(request, self._known)
        self._page.asking(self._number, *_described(request))
        try:
            found = super()._answered(request)
        except Exception:
            self._page.heard(self._number, request.token, "", self._clock.ran)
            raise
        text = request.waiting[-1] if found else ""
        self._page.heard(self._number, request.token, text, self._clock.ran)
        return found

    def _remembered(self, request: Request, known: Heard) -> bool:
        """Let a request hear what was heard before, and lose the carrier where it was lost."""
        token, text, self._clock.ran = next(self._answers, ("", "", known.spent))
        if token != request.token:
            raise known.lost
        if not text:
            request.is_over = True
            return False
        request.hear(text)
        return True

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Let the submission see neither the judge nor the page."""
        aside = {name: sys.modules.pop(name) for name in _hidden(len(sys.modules)) if name in sys.modules}
        try:
            with super()._in_place():
                yield
        finally:
            sys.modules.update(aside)


def _described(request: Request) -> tuple[str, str]:
    """Return what is asked, and on which board: a function by its name, or to read or to load the file."""
    match request.operation, request.arguments:
        case "ask", (str() as name, bytes() as packed, float() as patience):
            calls = [] if patience else _calls(packed)
            return name, str(calls[min(request.heard, len(calls) - 1)][0]) if calls else ""
        case "walk", _:
            return "minimax", ""
        case "call", (str() as name, *_):
            return name, ""
    return "read" if request.operation == "outline" else "load", ""


@lru_cache(maxsize=1)
def _calls(packed: bytes) -> Any:
    """Return the calls of a request: unpacked once, and not for each of its replies."""
    return marshal.loads(packed)


@lru_cache(maxsize=1)
def _hidden(count: int) -> tuple[str, ...]:
    """Return the modules to hide: looked for when their number has changed, for it is asked often."""
    return tuple(filter(_is_hidden, sys.modules))


def _is_hidden(name: str) -> bool:
    return name.partition(".")[0] in _HIDDEN and name != "grader" and not name.startswith(_NEEDED)


class _Hider:
    """A finder that is asked before the others, and refuses what a submission has no business with."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Refuse what is hidden."""
        if _is_hidden(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
