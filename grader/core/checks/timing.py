"""How long the submission's first move takes: estimated from small boards, or taken for real."""

import math
from functools import cache
from typing import Final

from grader.core.asking.client import Client
from grader.core.evidence import FirstMove
from grader.core.game import oracle
from grader.core.game.board import START, Board, marks

_SAMPLE: Final = ((4, 4), (6, 1))
"""Empty cells, and how many boards with so many are timed."""


def first_move(client: Client, *, for_real: bool) -> FirstMove | None:
    """Return the time of the move on the empty board, or None when it cannot be told.

    The estimate follows how the time grows with the size of the search on small boards, so that a search that
    prunes is not taken for one that does not. The submission itself is timed, never the copy with recall.
    """
    if for_real:
        seconds = client.timed("minimax", [START], client.limits.sweep_budget)
        return None if seconds is None else FirstMove(seconds=round(seconds, 3), estimated=False)
    points = []
    for empty, count in _SAMPLE:
        boards = _sample(empty, count)
        seconds = client.timed("minimax", boards, client.limits.deadline)
        if not seconds:
            return None
        points.append((sum(map(oracle.tree_size, boards)) / len(boards), seconds / len(boards)))
    (small, quick), (large, slow) = points
    growth = min(1.0, max(0.0, math.log(slow / quick) / math.log(large / small)))
    estimate = slow * (oracle.tree_size(START) / large) ** growth
    return FirstMove(seconds=float(f"{estimate:.2g}"), estimated=True)


@cache
def _sample(empty: int, count: int) -> list[Board]:
    """Return so many of the boards with so many empty cells."""
    return [board for board in oracle.running() if marks(board) == 9 - empty][: 600 : 600 // count]
