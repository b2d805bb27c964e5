"""The plain sweep: the submission itself is asked about as many boards as deadline and budget allow.

First a fixed spread over the whole game, so that neither the order of the boards nor how quick the cheap ones
are decides what is seen. Then the rest, the cheapest first. A board for which the file is merely too slow is
not a fault and not an answer: it was not seen. One on which it hangs, is.
"""

import time
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Loss, Lost, Missing, NotLoaded, Reply, Returned
from grader.core.checks.swept import Sweep, can_go_wrong, faults_of, groups, was_asked
from grader.core.game import oracle
from grader.core.game.board import START, Board, marks

_SEVERAL: Final = 6
"""Boards of the spread with each number of marks."""

_ENDS: Final = 0.25
"""The part of the budget that finished boards may take: they need no search."""


def plain_sweep(client: Client, why: str, budget: float | None = None) -> Sweep:
    """Ask the submission itself: the spread, all ends, then what can go wrong, then the rest."""
    asking = _Asking(client, budget or client.limits.sweep_budget)
    asking.ask_spread()
    asking.ask_ends()
    if not asking.is_silent:
        running = groups(over=False)
        asking.ask_groups([one for one in group if can_go_wrong(one)] for group in running)
        asking.ask_groups([one for one in group if not can_go_wrong(one)] for group in running)
    return asking.swept(why)


def silent_sweep(client: Client) -> Sweep | None:
    """Return the sweep of a submission that answers nothing from the first move to the last, or None."""
    asking = _Asking(client, client.limits.sweep_budget)
    asking.ask_spread()
    if not asking.is_silent:
        return None
    asking.ask_ends()
    return asking.swept("")


@cache
def spread(group: tuple[Board, ...]) -> tuple[Board, ...]:
    """Return several boards of a group, evenly chosen."""
    return tuple(group[at * len(group) // _SEVERAL] for at in range(_SEVERAL)) if len(group) > 1 else group


class _Asking:
    """Asks one submission for its moves, and keeps what it costs."""

    def __init__(self, client: Client, budget: float) -> None:
        self._client, self._budget, self._deadline = client, budget, client.limits.deadline
        self._started, self._before = time.perf_counter(), client.spent
        self._rates: dict[int, float] = {}
        self._stopped = ""
        self.replies: dict[Board, Reply] = {}

    @property
    def is_silent(self) -> bool:
        """Whether no running board has been answered."""
        answered = (one for one, reply in self.replies.items() if isinstance(reply, Returned))
        return not any(map(oracle.successors, answered))

    def ask_spread(self) -> None:
        """Ask a few boards with each number of marks, under the deadline of a call.

        Where nothing has been answered yet and the first of them hangs or dies, one is enough; after a few
        of these, only the first move is asked: the others take more.
        """
        for group in groups(over=False):
            first, *others = spread(group)
            lost = sum(isinstance(one, Lost) for one in self.replies.values())
            if self.is_silent and lost >= self._client.limits.strikes and first != START:
                continue
            self._ask([first], self._deadline)
            reply = self.replies.get(first)
            if reply is None or isinstance(reply, Missing | NotLoaded):  # too slow, and so are those to come
                return
            if not (isinstance(reply, Lost) and self.is_silent):
                self._ask(others, self._deadline)

    def ask_ends(self) -> None:
        """Ask all finished boards; where it hangs or dies on all with one number of marks, no others."""
        end = self._client.spent + _ENDS * self._budget
        for group in groups(over=True):
            self._ask(group, self._deadline, end - self._client.spent)
            heard = [self.replies[one] for one in group if one in self.replies]
            if heard and all(isinstance(one, Lost) for one in heard):
                return

    def ask_groups(self, chosen: Iterable[Sequence[Board]]) -> None:
        """Ask groups of running boards, as long as the budget will do for the whole of the next."""
        for boards in chosen:
            open_ = sorted((one for one in boards if one not in self.replies), key=oracle.tree_size)
            if not open_:
                continue
            pace = self._pace(marks(open_[0]))
            if pace * sum(map(oracle.tree_size, open_)) > self._left:
                self._stopped = f"all of them together may take {self._budget:g} s"
                return
            dear = pace * oracle.tree_size(open_[-1]) > self._deadline / 2
            self._ask(open_, self._left if dear else self._deadline)

    def swept(self, why: str) -> Sweep:
        """Return what was found; who is not there is so on every board."""
        absent = next((one for one in self.replies.values() if isinstance(one, Missing | NotLoaded)), None)
        if absent:
            return Sweep(dict.fromkeys(oracle.boards(), absent), 0.0, False, why)
        return Sweep(
            self.replies,
            time.perf_counter() - self._started,
            False,
            why,
            silent=self.is_silent,
            stopped=self._stopped,
            faults=faults_of(self.replies),
        )

    @property
    def _left(self) -> float:
        return self._budget - (self._client.spent - self._before)

    def _pace(self, number: int) -> float:
        """Return the seconds a node on boards with so many marks, or with the fewest that were timed."""
        return self._rates.get(number) or next(iter(reversed(self._rates.values())), 0.0)

    def _ask(self, boards: Sequence[Board], deadline: float, seconds: float | None = None) -> None:
        """Ask boards with one number of marks; what is only too slow for a call is left out."""
        open_ = [board for board in boards if board not in self.replies]
        if not open_:
            return
        number, before = marks(open_[0]), self._client.spent
        pace = self._pace(number)
        heard = self._client.ask_within(
            "minimax", open_, self._left if seconds is None else seconds, deadline, kind=_kind(open_[0])
        )
        for board, reply in heard.items():
            is_late = isinstance(reply, Lost) and reply.loss is Loss.DEADLINE
            if is_late and was_asked(reply) and pace * oracle.tree_size(board) > self._deadline / 2:
                self._stopped = f"a call may take {self._deadline:g} s"
            elif was_asked(reply):
                self.replies[board] = reply
                continue
            self._client.forget("minimax", board)
        answered = [one for one in heard.values() if isinstance(one, Returned)]
        has_choice = len(oracle.successors(open_[0])) > 1  # others tell no pace
        if has_choice and len(answered) == len(open_):
            self._rates[number] = (self._client.spent - before) / sum(map(oracle.tree_size, open_))


def _kind(board: Board) -> str:
    """Return the kind of boards that are given up together, if they hang or die too often."""
    return f"{'running' if oracle.successors(board) else 'finished'} boards with {marks(board)} marks"
