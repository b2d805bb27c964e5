"""How long a function is asked that hangs or takes its worker along, so that grading always ends."""

from collections import defaultdict

from grader.core.asking.allowance import Allowance
from grader.core.asking.carrier import WorkerLost
from grader.core.asking.reply import Loss, Lost
from grader.core.course.limits import Limits


class Patience:
    """Counts what each function of a submission has cost, and says when it is enough."""

    def __init__(self, limits: Limits, allowance: Allowance) -> None:
        self._limits, self._allowance = limits, allowance
        self._strikes: defaultdict[str, list[Lost]] = defaultdict(list)
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

    def spend(self, function: str, seconds: float) -> None:
        """Count seconds against a function."""
        self._spent[function] += seconds

    def left(self, function: str) -> float:
        """Return the seconds for which a function may still be asked."""
        return self._limits.sweep_budget - self._spent[function]

    def given_up(self, function: str) -> Lost | None:
        """Return the reply for a function that has lost too many workers, or taken too long over all."""
        if self._allowance.used_up:
            return _not_asked(Loss.DEADLINE, f"for {self._allowance.sentence}")
        strikes = self._strikes[function]
        if len(strikes) >= self._limits.strikes:
            return Lost(strikes[-1].loss, f"not asked after {len(strikes)} calls like that", asked=False)
        if self.left(function) <= 0:
            took = f"its calls had taken {self._limits.sweep_budget:g} seconds together"
            return _not_asked(Loss.DEADLINE, f"for {took}")
        return None


def _not_asked(loss: Loss, why: str) -> Lost:
    return Lost(loss, f"not asked, {why}", asked=False)
