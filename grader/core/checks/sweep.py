"""The sweep: minimax is asked about every board, by the copy that remembers if possible.

No wrong answer of that copy is shown before the untouched submission has given it too; all those that are
cheap are asked again, and some with each number of marks, and a sample of its right answers as well. On any
difference its answers are thrown away and the submission is asked itself.
"""

import time
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.recalled import NotRecalled, RecalledCopy
from grader.core.asking.reply import Reply, Returned
from grader.core.checks.plain import plain_sweep, silent_sweep
from grader.core.checks.swept import Sweep, fault_of, faults_of
from grader.core.game import oracle
from grader.core.game.board import Board, is_over, marks

_SAMPLE: Final = 32
_SILENT: Final = 100
"""Running boards without a single answer, after which a spread over the whole game decides."""

_RECALL: Final = 0.5
"""The part of the budget in which a copy with recall has to be done: else it is of no use."""

BETWEEN_LOOKS: Final = 64
"""Boards between two looks at the clock."""

_SECOND_LOOK: Final = 15_000
"""Nodes of full searches for which wrong answers are asked again, the cheapest first: about half a second.

Counted in nodes and not in seconds, so that the same submission gets the same grade each time."""

_SECOND_FAILURES: Final = 20
"""Boards without an answer that are asked again. An exception is never remembered, so a sample will do."""


class Sweeper:
    """Sweeps a submission once, when the first check needs it; `begin` starts the work ahead of that."""

    def __init__(self, client: Client, recall: bool = True) -> None:
        self._client = client
        self._recall = recall
        self._copy: RecalledCopy | None = None
        self._started = 0.0
        self._sweep: Sweep | None = None

    def begin(self) -> None:
        """Let the recalled copy work in a process of its own from now on."""
        if self._copy is None and self._sweep is None and self._recall and self._client.looks_runnable():
            self._started = time.perf_counter()
            self._copy = RecalledCopy(self._client, sweep_order())

    def close(self) -> None:
        """End the work that nobody waited for."""
        if self._copy:
            self._copy.close()
            self._copy = None

    def sweep(self) -> Sweep:
        """Return the sweep of the submission."""
        if self._sweep is None:
            self._sweep = self._swept()
        return self._sweep

    def confirms(self, board: Board) -> bool:
        """Return whether the submission itself gives the same wrong answer; it is asked if need be."""
        sweep, budget = self.sweep(), self._client.limits.sweep_budget
        if board not in sweep.unconfirmed:
            return True
        again = self._client.ask_within("minimax", [board], budget, budget)
        return board in again and _agree(board, sweep.replies[board], again[board], by_chance=False)

    def _swept(self) -> Sweep:
        failure = self._client.load_failure()
        if failure:
            self.close()
            replies: dict[Board, Reply] = dict.fromkeys(oracle.boards(), failure)
            return Sweep(replies, 0.0, False, failure.why, faults=faults_of(replies))
        if not self._recall:
            return plain_sweep(self._client, "switched off")
        self.begin()
        if self._copy is None:  # its source could not be read whole, and yet it runs
            return plain_sweep(self._client, "its source cannot be read")
        try:
            return self._recalled(self._copy)
        except NotRecalled as why:
            return plain_sweep(self._client, str(why))
        finally:
            self.close()

    def _recalled(self, copy: RecalledCopy) -> Sweep:
        """Return what the copy with recall answers; raise NotRecalled where it cannot stand for the file."""
        replies: dict[Board, Reply] = {}
        asked, is_answered = 0, False
        for board, reply in copy.answers():
            replies[board] = reply
            if not is_answered and not is_over(board):
                asked, is_answered = asked + 1, isinstance(reply, Returned)
                if asked == _SILENT and not is_answered:
                    if nothing := silent_sweep(self._client):
                        return nothing
                    is_answered = True
            if len(replies) % BETWEEN_LOOKS == 0 and copy.spent > _RECALL * self._client.limits.sweep_budget:
                raise NotRecalled("it takes too long even with recall")
        self._client.seconds += copy.seconds
        return _second_look(self._client, replies, time.perf_counter() - self._started)


@cache
def sweep_order() -> tuple[Board, ...]:
    """Return all boards, the fullest first: each answer then needs but one move more than is remembered."""
    return oracle.boards()[::-1]


def _second_look(client: Client, replies: dict[Board, Reply], seconds: float) -> Sweep:
    """Ask the untouched submission for every wrong answer and some right ones; return what both say."""
    faults = faults_of(replies)
    changed = [board for board, reply in replies.items() if getattr(reply, "changed", False)]
    right = [board for board in replies if board not in faults and oracle.tree_size(board) < 200]
    sample = right[:: max(1, len(right) // _SAMPLE)]
    imported = {module.partition(".")[0] for _, module, _ in client.outline().imports}
    by_chance = not imported.isdisjoint(("random", "secrets"))
    silent = [board for board, reply in replies.items() if not isinstance(reply, Returned)]
    wrong = {*faults, *changed}.difference(silent[_SECOND_FAILURES:])
    doubtful = _of_each_kind_first(wrong)
    budget = client.limits.sweep_budget
    again = client.ask_within(
        "minimax", sample + doubtful, budget, client.limits.deadline, kind="a second look"
    )
    if wrong and not doubtful:  # only dear ones are in doubt, and one at least has to be confirmed
        again |= client.ask_within("minimax", sorted(wrong, key=oracle.tree_size), budget, budget)
    if not all(_agree(board, replies[board], reply, by_chance) for board, reply in again.items()):
        return plain_sweep(client, "its copy with recall answered differently")
    unconfirmed = frozenset(board for board in wrong if board not in again)
    return Sweep(replies, seconds, True, unconfirmed=unconfirmed, faults=faults)


def _of_each_kind_first(wrong: set[Board]) -> list[Board]:
    """Return boards to ask again, as many as may be: one with each number of marks, then the cheapest."""
    cheapest = sorted(wrong, key=lambda board: (oracle.tree_size(board), board))
    firsts = list({marks(board): board for board in reversed(cheapest)}.values())[::-1]
    ordered = [board for board in dict.fromkeys(firsts + cheapest) if oracle.tree_size(board) < _SECOND_LOOK]
    return ordered[: bisect_right(list(accumulate(map(oracle.tree_size, ordered))), _SECOND_LOOK)]


def _agree(board: Board, recalled: Reply, again: Reply, by_chance: bool) -> bool:
    """Return whether copy and submission say the same: equal values, no answer either, or equal luck."""
    if not isinstance(recalled, Returned):
        return not isinstance(again, Returned)
    return recalled == again or (by_chance and not fault_of(board, recalled) and not fault_of(board, again))
