"""The sweep: minimax is asked about every board, by the copy that remembers if possible.

No wrong answer of that copy costs a point before the untouched submission has given it too, and a sample of its
right answers is asked again as well. On any difference its answers are thrown away and the submission is asked
itself, cheapest boards first, as far as the rubric's budget goes.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from grader.checks.answers import fault
from grader.game import oracle
from grader.game.board import Action, Board, is_over, marks
from grader.sandbox.client import Client
from grader.sandbox.recalled import NotRecalled, RecalledCopy
from grader.sandbox.reply import Missing, NotLoaded, Reply, Returned

_SAMPLE: Final = 48
_SECOND_LOOK: Final = 3.0
"""Seconds for asking wrong answers again while at least one is confirmed."""

_CHEAP: Final = 10_000
"""Nodes of a full search that is asked again without a second thought."""


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
        """Return the boards among these whose answer counts."""
        return [board for board in boards if board in self.replies and board not in self.unconfirmed]

    def policy(self) -> dict[Board, Action]:
        """Return the legal moves that were given on running boards."""
        return {
            board: reply.value
            for board, reply in self.replies.items()
            if not is_over(board)
            and isinstance(reply, Returned)
            and type(reply.value) is tuple
            and reply.value in oracle.successors(board)
        }

    def how(self) -> str:
        """Return how the answers were obtained, for the reason of a verdict."""
        asked = f"{len(self.replies):,} boards asked in {self.seconds:.1f} s"
        if self.recalled:
            return f"{asked}, with recall"
        return f"{asked}, without recall: {self.why_plain}"


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
        if self._copy is None and self._sweep is None and self._recall and not self._client.load_failure():
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

    def _swept(self) -> Sweep:
        failure = self._client.load_failure()
        if failure:
            return Sweep({board: failure for board in oracle.boards()}, 0.0, False, failure.why)
        if not self._recall:
            return plain_sweep(self._client, "switched off")
        self.begin()
        assert self._copy
        try:
            replies = dict(self._copy.answers())
        except NotRecalled as why:
            return plain_sweep(self._client, str(why))
        finally:
            self.close()
        seconds = time.perf_counter() - self._started
        return _second_look(self._client, replies, seconds)


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
    """Ask the untouched submission for every wrong answer and some right ones; return what can be relied on."""
    faults = faults_of(replies)
    changed = [board for board, reply in replies.items() if getattr(reply, "changed", False)]
    right = [board for board in replies if board not in faults and oracle.tree_size(board) < 300]
    sample = right[:: max(1, len(right) // _SAMPLE)]
    by_chance = any(
        module.partition(".")[0] in ("random", "secrets") for _, module in client.outline().imports
    )
    doubtful = sorted({*faults, *changed}, key=oracle.tree_size)
    cheap = [board for board in doubtful if oracle.tree_size(board) <= _CHEAP]
    dear = [board for board in doubtful if oracle.tree_size(board) > _CHEAP]
    again = client.ask_within("minimax", sample + cheap, _SECOND_LOOK, client.limits.deadline)
    if dear and not any(board in again for board in faults):
        budget = client.limits.sweep_budget
        again |= client.ask_within("minimax", dear, budget, budget)
    for board, reply in again.items():
        agree = reply == replies[board] or (by_chance and board not in faults and not fault_of(board, reply))
        if not agree:
            return plain_sweep(client, "its copy with recall answered differently")
    unconfirmed = frozenset(board for board in doubtful if board not in again)
    return Sweep(replies, seconds, True, unconfirmed=unconfirmed, faults=faults)


def plain_sweep(client: Client, why: str) -> Sweep:
    """Ask the submission itself, cheapest boards first, as far as deadline and budget go."""
    started = time.perf_counter()
    budget, deadline = client.limits.sweep_budget, client.limits.deadline
    replies: dict[Board, Reply] = {}
    rate = 0.0
    cheapest_first = sorted(oracle.boards(), key=lambda board: (oracle.tree_size(board) > 1, -marks(board)))
    for _, group in groupby(cheapest_first, key=lambda board: (is_over(board), marks(board))):
        boards = sorted(group, key=oracle.tree_size)
        left = budget - (time.perf_counter() - started)
        if left <= 0 or rate * oracle.tree_size(boards[-1]) > deadline / 2:
            break
        before = client.seconds
        replies |= client.ask_within("minimax", boards, left, deadline)
        asked = sum(oracle.tree_size(board) for board in boards if board in replies)
        rate = (client.seconds - before) / asked if asked else 0.0
        if boards[0] in replies and isinstance(replies[boards[0]], Missing | NotLoaded):
            break
    return Sweep(replies, time.perf_counter() - started, False, why, faults=faults_of(replies))
