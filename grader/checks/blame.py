"""Who is to blame when a function fails: itself, or one that it relies on? A fault is charged once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from grader.checks.answers import fault
from grader.checks.rights import doubtful, every_call
from grader.checks.sweep import BETWEEN_LOOKS, Sweeper, fault_of, sweep_order
from grader.game.interface import FUNCTIONS, MENDING
from grader.sandbox.client import Arguments, Client
from grader.sandbox.recalled import NotRecalled, RecalledCopy
from grader.sandbox.reply import Raised, Reply, Returned

_MOST_TRIALS: Final = 16
_SHARE: Final = 0.15
"""The part of all the time that a submission may take which trials may."""


@dataclass(frozen=True)
class Blame:
    """What was found out about a function: whether it is wrong, and which wrong ones make it so."""

    is_wrong: bool
    suspects: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()


class Blamer:
    """Tries the functions of a submission with the grader's own in the place of wrong ones, each once.

    All trials together take a small share of the submission's time.
    """

    def __init__(self, client: Client, sweeper: Sweeper) -> None:
        self._client, self._sweeper = client, sweeper
        self._left = _SHARE * client.limits.total
        self._known: dict[str, Blame] = {}
        self._right: dict[str, bool] = {}
        self._refusals: list[Arguments] = []

    def must_refuse(self, calls: Sequence[Arguments]) -> None:
        """Hear of calls that `result` has to refuse; it is right only if it does."""
        self._refusals += calls

    def of(self, function: str) -> Blame:
        """Return what is to blame for a function's faults."""
        if function not in self._known:
            self._known[function] = self._found(function)
        return self._known[function]

    def _found(self, function: str) -> Blame:
        if self._is_right(function):
            return Blame(is_wrong=False)
        others = [name for name in MENDING[:-1] if name != function and not self._is_right(name)]
        suspects = tuple(name for name in others if function not in self._follows(name))
        if not suspects or not self._is_right_with(function, suspects):
            return Blame(True, suspects)
        roots = tuple(name for name in suspects if not self._follows(name))
        if roots != suspects and roots and self._is_right_with(function, roots):
            suspects = roots
        sets = [one for size in range(1, len(suspects)) for one in combinations(suspects, size)]
        tried = (one for one in sets[:_MOST_TRIALS] if self._is_right_with(function, one))
        return Blame(True, suspects, next(tried, suspects))

    def _follows(self, function: str) -> tuple[str, ...]:
        """Return whom a function is known to follow: two never follow each other."""
        known = self._known.get(function)
        return known.follows if known else ()

    def _is_right(self, function: str) -> bool:
        if function not in self._right:
            self._right[function] = (
                not self._sweeper.sweep().faults
                if function == "minimax"
                else self._answers_rightly(self._client, function)
            )
        return self._right[function]

    def _is_right_with(self, function: str, replaced: Sequence[str]) -> bool:
        """Return whether a function is right on every board with the grader's own ones in these places."""
        if self._left <= 0:
            return False
        if function == "minimax":
            return self._plays_perfectly(replaced)
        with self._client.mended(replaced) as copy:
            try:
                return self._answers_rightly(copy, function)
            finally:
                self._left -= copy.spent
                self._client.seconds += copy.seconds

    def _answers_rightly(self, client: Client, function: str) -> bool:
        boards = FUNCTIONS[function].domain.members()
        replies = client.ask(function, every_call(function, boards))
        if not all(is_right(function, call, reply) for call, reply in doubtful(function, boards, replies)):
            return False
        return function != "result" or all(
            isinstance(reply, Raised) for reply in client.ask(function, self._refusals)
        )

    def _plays_perfectly(self, replaced: Sequence[str]) -> bool:
        copy = RecalledCopy(self._client, sweep_order(), replace=replaced)
        try:
            for number, (board, reply) in enumerate(copy.answers()):
                wrong = fault_of(board, reply) or getattr(reply, "changed", False)
                if wrong or (number % BETWEEN_LOOKS == 0 and copy.spent > self._left):
                    return False
        except NotRecalled:
            return False
        finally:
            copy.close()
            self._left -= copy.spent
            self._client.seconds += copy.seconds
        return True


def is_right(function: str, call: Arguments, reply: Reply) -> bool:
    """Return whether a reply is the right one, and the board was left alone."""
    if not isinstance(reply, Returned) or reply.changed:
        return False
    action = call[1] if len(call) == 2 else None
    return fault(function, call[0], action, reply.value) is None  # type: ignore[arg-type]


def named(functions: Sequence[str]) -> str:
    """Return functions as they are written in a sentence."""
    return " and ".join(f"`{name}`" for name in functions)
