"""Who is to blame when minimax fails: itself, or a rule function it relies on? A fault is charged once."""

from itertools import combinations
from typing import Final

from grader.checks.answers import fault
from grader.checks.outcome import Context, Outcome, passed
from grader.checks.rights import doubtful, every_call
from grader.checks.sweep import BETWEEN_LOOKS, fault_of, sweep_order
from grader.course.questions import FollowThrough
from grader.game.interface import FUNCTIONS
from grader.grade import Status
from grader.sandbox.client import Client
from grader.sandbox.recalled import NotRecalled, RecalledCopy
from grader.sandbox.reply import Returned

_MOST_TRIALS: Final = 16
_SHARE: Final = 0.15
"""The part of all the time that a submission may take which trials may."""


def check_follow_through(question: FollowThrough, context: Context) -> Outcome:
    """Find the smallest set of wrong rule functions with whose correction minimax plays perfectly."""
    if not context.client.looks_runnable():
        return Outcome(Status.SKIPPED, "The file does not run.")
    if not context.sweeper.sweep().faults:
        return passed("minimax stands on its own")
    wrong = _wrong_rules(context.client)
    if not wrong:
        return passed("No rule function is wrong: the fault is in `minimax` itself.", restores=False)
    trials = _Trials(context.client)
    if not trials.play_perfectly(wrong):
        return passed("Even with correct rule functions this `minimax` is not right.", restores=False)
    sets = [one for size in range(1, len(wrong)) for one in combinations(wrong, size)]
    smallest = next((one for one in sets[:_MOST_TRIALS] if trials.play_perfectly(one)), wrong)
    names = " and ".join(f"`{name}`" for name in smallest)
    return passed(f"With a correct {names} this `minimax` plays perfectly.", restores=True)


def _wrong_rules(client: Client) -> tuple[str, ...]:
    """Return the rule functions with a wrong answer on some board (asked before, so this is quick)."""
    return tuple(name for name in FUNCTIONS if name != "minimax" and not _is_right(client, name))


def _is_right(client: Client, name: str) -> bool:
    boards = FUNCTIONS[name].domain.members()
    replies = client.ask(name, every_call(name, boards))
    for call, reply in doubtful(name, boards, replies):
        action = call[1] if len(call) == 2 else None
        if not isinstance(reply, Returned) or reply.changed:
            return False
        if fault(name, call[0], action, reply.value):  # type: ignore[arg-type]
            return False
    return True


class _Trials:
    """Copies of a submission with rule functions replaced; together they take a small share of its time."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._left = _SHARE * client.limits.total

    def play_perfectly(self, replaced: tuple[str, ...]) -> bool:
        """Return whether minimax is right on every board with the grader's own functions in these places."""
        if self._left <= 0:
            return False
        copy = RecalledCopy(self._client, sweep_order(), replace=replaced)
        try:
            for number, (board, reply) in enumerate(copy.answers()):
                if fault_of(board, reply) or (number % BETWEEN_LOOKS == 0 and copy.spent > self._left):
                    return False
        except NotRecalled:
            return False
        finally:
            copy.close()
            self._left -= copy.spent
            self._client.seconds += copy.seconds
        return True
