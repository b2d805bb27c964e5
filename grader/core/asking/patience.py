"""How long a function is asked that hangs or takes its worker along, so that grading always ends."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from grader.core.asking.allowance import Allowance
from grader.core.asking.carrier import WorkerLost
from grader.core.asking.reply import Loss, Lost, Raised, Reply, Returned
from grader.core.course.limits import Limits

_RECURSIONS: Final = 200
"""Calls of a function that never answers which may end in a RecursionError: each takes milliseconds."""


class Patience:
    """Counts what each function of a submission has cost, and says when it is enough."""

    def __init__(self, limits: Limits, allowance: Allowance) -> None:
        self._limits, self._allowance = limits, allowance
        self._strikes: defaultdict[str, list[Lost]] = defaultdict(list)
        self._heard: set[str] = set()
        self._recursions: defaultdict[str, int] = defaultdict(int)
        self._returned: set[str] = set()
        self._spent: defaultdict[str, float] = defaultdict(float)

    def strike(self, function: str, lost: WorkerLost) -> Lost:
        """Count a lost worker against a function; return the reply to the call that lost it.

        Who is cut off because all of a submission's time is used up has not been asked to the end.
        """
        if self._allowance.used_up:
            return Lost(lost.loss, lost.detail, asked=False)
        strike = Lost(lost.loss, lost.detail)
        self._strikes[function].append(strike)
        return strike

    def hear(self, function: str) -> None:
        """Remember that a function has answered."""
        self._heard.add(function)

    def ran_out(self, function: str, replies: Sequence[Reply]) -> bool:
        """Count the calls that ran out of memory or of stack against a function; return if that is enough."""
        kinds = set(map(type, replies))
        if Returned in kinds:
            self._returned.add(function)
        if Raised not in kinds:
            return False
        self._recursions[function] += sum(
            isinstance(one, Raised) and one.error == "RecursionError" for one in replies
        )
        if self._recurses(function):
            return True
        found = [one for one in replies if isinstance(one, Raised) and one.is_out_of_memory]
        self._strikes[function] += [Lost(Loss.DEATH, str(one)) for one in found]
        return bool(found) and len(self._strikes[function]) >= self._most(function)

    def _recurses(self, function: str) -> bool:
        """Return whether a function has done nothing but call itself without end, often enough to know."""
        return function not in self._returned and self._recursions[function] >= _RECURSIONS

    def spend(self, function: str, seconds: float) -> None:
        """Count seconds against a function."""
        self._spent[function] += seconds

    def left(self, function: str) -> float:
        """Return the seconds for which a function may still be asked."""
        return self._limits.sweep_budget - self._spent[function]

    def given_up(self, function: str) -> Lost | None:
        """Return the reply for a function that has lost too many workers, or taken too long over all."""
        if self._allowance.used_up:
            return Lost(Loss.DEADLINE, f"not asked, for {self._allowance.sentence}", asked=False)
        strikes = self._strikes[function]
        if len(strikes) >= self._most(function):
            calls = f"{len(strikes)} calls" if len(strikes) > 1 else "a call"
            return Lost(strikes[-1].loss, f"not asked after {calls} like that", asked=False, given_up=True)
        if self._recurses(function):
            why = f"not asked after {self._recursions[function]} calls that raised RecursionError"
            return Lost(Loss.DEATH, why, asked=False, given_up=True)
        if self.left(function) <= 0:
            took = f"its calls had taken {self._limits.sweep_budget:g} seconds together"
            return Lost(Loss.DEADLINE, f"not asked, for {took}", asked=False)
        return None

    def _most(self, function: str) -> int:
        """Return how many workers a function may lose: one, if it never answers and another is given up."""
        most = self._limits.strikes
        others = (len(strikes) for name, strikes in self._strikes.items() if name != function)
        return 1 if function not in self._heard and max(others, default=0) >= most else most
