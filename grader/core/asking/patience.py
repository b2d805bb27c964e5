"""How long a function is asked that hangs or takes its worker along, so that grading always ends."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from grader.core.asking.reply import Loss, Lost, Raised, Reply, Returned
from grader.core.asking.worker import Allowance, WorkerLost
from grader.core.course.rubric import Limits
from grader.core.messages import _, ngettext

FINISHED: Final = "finished boards"
FIRST_MOVE: Final = "the empty board"
"""Kinds of boards that minimax is asked last when it answers nothing: many files know these by heart."""

_RECURSIONS: Final = 200
"""Calls of a function that never answers which may end in a RecursionError: each takes milliseconds."""


class Patience:
    """Counts what each function of a submission has cost, and says when it is enough."""

    def __init__(self, limits: Limits, allowance: Allowance, wary: Collection[str] = ()) -> None:
        """Give functions in `wary` a single try: they were given up in the submission itself."""
        self._limits, self._allowance, self._wary = limits, allowance, frozenset(wary)
        self._strikes: defaultdict[str, list[Lost]] = defaultdict(list)
        self._silent: defaultdict[str, list[Lost]] = defaultdict(list)
        """Workers lost by functions that have not answered yet, whatever they were asked."""
        self._not_silent: set[str] = set()
        self._answered: set[str] = set()
        self._recursions: defaultdict[str, int] = defaultdict(int)
        self._returned: set[str] = set()
        self._spent: defaultdict[str, float] = defaultdict(float)

    def strike(self, function: str, lost: WorkerLost) -> Lost:
        """Count a lost worker against a function, or a kind of boards; return the reply to the call.

        A function that is cut off because all time is used up was not asked to the end.
        """
        if self._allowance.used_up:
            return Lost(lost.loss, lost.detail, asked=False)
        strike = Lost(lost.loss, lost.detail)
        self._strikes[function].append(strike)
        return strike

    def lose(self, function: str, lost: WorkerLost, *, by_known_call: bool) -> None:
        """Count a worker that was lost in a cheap call, if the function has never answered.

        A first loss may be by an unknown call; with the next, a board without an answer is known.
        """
        is_known = by_known_call or not self._silent[function]
        if is_known and function not in self._not_silent and not self._allowance.used_up:
            self._silent[function].append(Lost(lost.loss, lost.detail))

    def mark_not_silent(self, function: str) -> None:
        """Remember that a function is not silent: what it loses is counted by the kind of boards alone."""
        self._not_silent.add(function)
        self._silent.pop(function, None)

    @property
    def silent(self) -> frozenset[str]:
        """The functions that were given up without an answer."""
        return frozenset(name for name, lost in self._silent.items() if len(lost) >= self._chances(name))

    def mark_answered(self, function: str, *, returned: bool = False) -> None:
        """Remember that a function, or a kind of boards, was answered, and whether by a value."""
        self._answered.add(function)
        if returned:
            self._returned.add(function)

    def ran_out(self, function: str, replies: Sequence[Reply]) -> bool:
        """Count the calls that ran out of memory or of stack against a function; return if that is enough."""
        kinds = set(map(type, replies))
        if Returned in kinds:
            self._returned.add(function)
        if Raised not in kinds:
            return False
        raised = [reply for reply in replies if isinstance(reply, Raised)]
        self._recursions[function] += sum(reply.error == "RecursionError" for reply in raised)
        if self._recurses(function):
            return True
        found = [reply for reply in raised if reply.is_out_of_memory]
        self._strikes[function] += [Lost(Loss.DEATH, str(reply)) for reply in found]
        return bool(found) and len(self._strikes[function]) >= self._most(function)

    def _recurses(self, function: str) -> bool:
        """Return whether a function has only called itself without end, often enough to know."""
        return function not in self._returned and self._recursions[function] >= _RECURSIONS

    def spend(self, function: str, seconds: float) -> None:
        """Count seconds against a function."""
        self._spent[function] += seconds

    def left(self, function: str) -> float:
        """Return the seconds for which a function may still be asked."""
        return self._limits.sweep_budget - self._spent[function]

    def given_up(self, function: str, kind: str = "") -> Lost | None:
        """Return the reply for a function that has lost too many workers, or taken too long over all.

        One that has answered before is given up by kinds of boards, if it is asked by kinds.
        """
        if self._allowance.used_up:
            return Lost(Loss.DEADLINE, _("not asked, for {why}", why=self._allowance.sentence), asked=False)
        if len(self._silent[function]) >= self._chances(function, kind):
            return _not_asked_after(self._silent[function])
        function = kind or function
        if len(self._strikes[function]) >= self._most(function):
            return _not_asked_after(self._strikes[function])
        if self._recurses(function):
            why = ngettext(
                "not asked after {count} call that raised RecursionError",
                "not asked after {count} calls that raised RecursionError",
                self._recursions[function],
            )
            return Lost(Loss.DEATH, why, asked=False, given_up=True)
        if self.left(function) <= 0:
            why = _(
                "not asked, for its calls had taken {seconds:g} seconds together",
                seconds=self._limits.sweep_budget,
            )
            return Lost(Loss.DEADLINE, why, asked=False)
        return None

    def _most(self, function: str) -> int:
        """Return how many workers a function may lose: one, if it never answers and another is given up."""
        most = self._limits.strikes
        others = (len(strikes) for name, strikes in self._strikes.items() if name != function)
        is_alone = max(others, default=0) < most and not self.silent - {function}
        return most if function in self._answered or is_alone else 1

    def _chances(self, function: str, kind: str = "") -> int:
        """Return how many workers a function may lose in all that answers nothing.

        The first loss may not tell which call it was. The last chance of minimax is kept for what is asked
        last.
        """
        if function in self._wary:
            return 1
        if function != "minimax":
            return max(2, self._limits.strikes)
        return max(2, self._limits.strikes - 1) + kind.startswith((FINISHED, FIRST_MOVE))


def _not_asked_after(strikes: Sequence[Lost]) -> Lost:
    """Return the reply to a call that was not made after others like that."""
    why = ngettext(
        "not asked after a call like that", "not asked after {count} calls like that", len(strikes)
    )
    return Lost(strikes[-1].loss, why, asked=False, given_up=True)
