"""The sweep: minimax is asked about every board, by the copy that remembers if possible.

No wrong answer of that copy costs a point before the untouched submission has given it too, and a sample of
its right answers is asked again as well. On any difference its answers are thrown away and the submission is
asked itself, cheapest boards first, as far as the rubric's budget goes.
"""

import time
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby
from typing import Final

from grader.checks.answers import fault
from grader.game import oracle
from grader.game.board import Action, Board, as_action, is_over, marks
from grader.sandbox.client import Client
from grader.sandbox.recalled import NotRecalled, RecalledCopy
from grader.sandbox.reply import Loss, Lost, Missing, NotLoaded, Reply, Returned

_SAMPLE: Final = 32
_FAILURES: Final = 100
"""Boards in a row without an answer, after which no more are asked."""

BETWEEN_LOOKS: Final = 64
"""Boards between two looks at the clock."""

_SECOND_LOOK: Final = 15_000
"""Nodes of full searches for which wrong answers are asked again, the cheapest first: about half a second.

Counted in nodes and not in seconds, so that the same submission gets the same grade each time."""

_SECOND_FAILURES: Final = 20
"""Boards without an answer that are asked again. An exception is never remembered, so a sample will do."""


@dataclass(frozen=True)
class Sweep:
    """What minimax answers on every board that was asked, and how that was found out."""

    replies: dict[Board, Reply]
    seconds: float
    recalled: bool
    why_plain: str = ""
    unconfirmed: frozenset[Board] = frozenset()
    faults: dict[Board, str] = field(default_factory=dict)

    def counted(self, boards: Iterable[Board]) -> list[Board]:
        """Return the boards among these whose answer counts: it was asked for, unless none was."""
        if self._all_count:
            return list(boards)
        known = [board for board in boards if board in self.replies and board not in self.unconfirmed]
        return [board for board in known if was_asked(self.replies[board])] or known

    @cached_property
    def _all_count(self) -> bool:
        """Whether every board there is was asked, and every answer counts."""
        is_whole = not self.unconfirmed and len(self.replies) == len(oracle.boards())
        return is_whole and self.asked == len(self.replies)

    @cached_property
    def asked(self) -> int:
        """How many boards were asked."""
        return sum(map(was_asked, self.replies.values()))

    @cached_property
    def policy(self) -> dict[Board, Action]:
        """The legal moves that were given on running boards."""
        return {
            board: reply.value
            for board, reply in self.replies.items()
            if isinstance(reply, Returned) and as_action(reply.value) in oracle.successors(board)
        }

    def how(self) -> str:
        """Return how the answers were obtained, for the reason of a verdict."""
        asked = f"{self.asked:,} boards asked in {self.seconds:.1f} s"
        if self.recalled:
            return f"{asked}, with recall"
        return f"{asked}, without recall: {self.why_plain}"


def was_asked(reply: Reply) -> bool:
    """Return whether a reply is one: after too many calls without an answer no more are asked."""
    return not isinstance(reply, Lost) or reply.asked


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
            return Sweep(dict.fromkeys(oracle.boards(), failure), 0.0, False, failure.why)
        if not self._recall:
            return plain_sweep(self._client, "switched off")
        self.begin()
        if self._copy is None:  # its source could not be read whole, and yet it runs
            return plain_sweep(self._client, "its source cannot be read")
        try:
            replies = self._answers_of(self._copy)
        except NotRecalled as why:
            return plain_sweep(self._client, str(why))
        finally:
            self.close()
        seconds = time.perf_counter() - self._started
        return _second_look(self._client, _with_ends(self._client, replies), seconds)

    def _answers_of(self, copy: RecalledCopy) -> dict[Board, Reply]:
        """Return the copy's answers; when it fails time and again, the rest need not be asked."""
        replies: dict[Board, Reply] = {}
        failures = 0
        for board, reply in copy.answers():
            replies[board] = reply
            if not is_over(board):
                failures = 0 if isinstance(reply, Returned) else failures + 1
            if failures == _FAILURES:
                return _given_up(replies)
            if len(replies) % BETWEEN_LOOKS == 0 and copy.spent > self._client.limits.sweep_budget:
                raise NotRecalled("it takes too long even with recall")
        self._client.seconds += copy.seconds
        return replies


def _given_up(replies: dict[Board, Reply]) -> dict[Board, Reply]:
    """Return replies for all boards when minimax gives no answer on any: the rest are not asked."""
    lost = next((reply.loss for reply in replies.values() if isinstance(reply, Lost)), Loss.DEATH)
    unasked = Lost(lost, f"not asked after {_FAILURES} calls without an answer", asked=False)
    return dict.fromkeys(sweep_order(), unasked) | replies


def _with_ends(client: Client, replies: dict[Board, Reply]) -> dict[Board, Reply]:
    """Return replies with those on finished boards, which need no search, asked where they were not."""
    unasked = [board for board in oracle.finished() if not was_asked(replies[board])]
    if not unasked:
        return replies
    return replies | client.ask_within("minimax", unasked, client.limits.deadline, client.limits.deadline)


def sweep_order() -> tuple[Board, ...]:
    """Return all boards, the fullest first: each answer then needs but one move more than is remembered."""
    return oracle.boards()[::-1]


def fault_of(board: Board, reply: Reply) -> str | None:
    """Return what is wrong with minimax's reply on a board, or None."""
    return fault("minimax", board, None, reply.value) if isinstance(reply, Returned) else "no answer"


def faults_of(replies: dict[Board, Reply]) -> dict[Board, str]:
    """Return the boards with a wrong answer, and what is wrong."""
    return {board: wrong for board, reply in replies.items() if (wrong := fault_of(board, reply))}


def _second_look(client: Client, replies: dict[Board, Reply], seconds: float) -> Sweep:
    """Ask the untouched submission for every wrong answer and some right ones; return what both say."""
    faults = faults_of(replies)
    changed = [board for board, reply in replies.items() if getattr(reply, "changed", False)]
    right = [board for board in replies if board not in faults and oracle.tree_size(board) < 200]
    sample = right[:: max(1, len(right) // _SAMPLE)]
    by_chance = any(
        module.partition(".")[0] in ("random", "secrets") for _, module, _ in client.outline().imports
    )
    silent = [board for board, reply in replies.items() if not isinstance(reply, Returned)]
    wrong = {*faults, *changed}.difference(silent[_SECOND_FAILURES:])
    doubtful = sorted(wrong, key=oracle.tree_size)
    costs = list(accumulate(map(oracle.tree_size, doubtful)))
    cheap = bisect_right(costs, _SECOND_LOOK)
    budget = client.limits.sweep_budget
    again = client.ask_within("minimax", sample + doubtful[:cheap], budget, client.limits.deadline)
    if doubtful and cheap == 0:  # only dear ones are in doubt, and one at least has to be confirmed
        again |= client.ask_within("minimax", doubtful, budget, budget)
    if not all(_agree(board, replies[board], reply, by_chance) for board, reply in again.items()):
        return plain_sweep(client, "its copy with recall answered differently")
    unconfirmed = frozenset(board for board in doubtful if board not in again)
    return Sweep(replies, seconds, True, unconfirmed=unconfirmed, faults=faults)


def _agree(board: Board, recalled: Reply, again: Reply, by_chance: bool) -> bool:
    """Return whether copy and submission say the same: equal values, no answer either, or equal luck."""
    if not isinstance(recalled, Returned):
        return not isinstance(again, Returned)
    return recalled == again or (by_chance and not fault_of(board, recalled) and not fault_of(board, again))


def plain_sweep(client: Client, why: str) -> Sweep:
    """Ask the submission itself, cheapest boards first, as far as deadline and budget go."""
    started, before_all = time.perf_counter(), client.spent
    budget, deadline = client.limits.sweep_budget, client.limits.deadline
    replies: dict[Board, Reply] = {}
    rate = 0.0
    cheapest_first = sorted(oracle.boards(), key=lambda board: (oracle.tree_size(board) > 1, -marks(board)))
    for _, group in groupby(cheapest_first, key=lambda board: (is_over(board), marks(board))):
        boards = sorted(group, key=oracle.tree_size)
        left = budget - (client.spent - before_all)
        whole = sum(map(oracle.tree_size, boards))
        if rate * whole > left or rate * oracle.tree_size(boards[-1]) > deadline / 2:
            break
        before = client.spent
        replies |= client.ask_within("minimax", boards, left, deadline)
        asked = sum(oracle.tree_size(board) for board in boards if board in replies)
        rate = (client.spent - before) / asked if asked else 0.0
        if boards[0] in replies and isinstance(replies[boards[0]], Missing | NotLoaded):
            break
        unanswered = [board for board in boards if not isinstance(replies.get(board), Returned)]
        if len(unanswered) == len(boards) >= _FAILURES:
            replies = _with_ends(client, _given_up(replies))
            break
    return Sweep(replies, time.perf_counter() - started, False, why, faults=faults_of(replies))
