"""Plain minimax and alpha-beta over any rules module, so that a comparison is of the search alone.

A rules module has the assignment's six functions `player`, `actions`, `result`, `winner`, `terminal` and
`utility`. Every search returns an action, or None when the game is over, and counts the positions it visits.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

Board = Any
Action = tuple[int, int]
Order = Callable[[Any, Board], Iterable[Action]]

STRONGEST_FIRST = ((1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1))


class Rules(Protocol):
    """What a search needs to know of a game."""

    X: str

    def player(self, board: Board) -> str: ...  # noqa: D102
    def actions(self, board: Board) -> set[Action]: ...  # noqa: D102
    def result(self, board: Board, action: Action) -> Board: ...  # noqa: D102
    def terminal(self, board: Board) -> bool: ...  # noqa: D102
    def utility(self, board: Board) -> int: ...  # noqa: D102


@dataclass
class Nodes:
    """How many positions a search has visited."""

    visited: int = 0


def by_cell(rules: Rules, board: Board) -> Iterable[Action]:
    """Return the actions row by row."""
    return sorted(rules.actions(board))


def strongest_first(rules: Rules, board: Board) -> Iterable[Action]:
    """Return the actions by how many lines their cell lies on: the centre, the corners, the edges."""
    available = rules.actions(board)
    return [action for action in STRONGEST_FIRST if action in available]


def plain(rules: Rules, board: Board, nodes: Nodes) -> Action | None:
    """Search by minimax: every position is visited."""

    def value(board: Board) -> float:
        nodes.visited += 1
        if rules.terminal(board):
            return rules.utility(board)
        best = max if rules.player(board) == rules.X else min
        return best([value(rules.result(board, action)) for action in by_cell(rules, board)])

    nodes.visited += 1
    if rules.terminal(board):
        return None
    best = max if rules.player(board) == rules.X else min
    return best(by_cell(rules, board), key=lambda action: value(rules.result(board, action)))


def alpha_beta(rules: Rules, board: Board, nodes: Nodes, order: Order = by_cell) -> Action | None:
    """Search by alpha-beta: what cannot change the outcome is not visited."""

    def value(board: Board, alpha: float, beta: float) -> tuple[float, Action | None]:
        nodes.visited += 1
        if rules.terminal(board):
            return rules.utility(board), None
        chosen = None
        if rules.player(board) == rules.X:
            best = -math.inf
            for action in order(rules, board):
                reached, _ = value(rules.result(board, action), alpha, beta)
                if reached > best:
                    best, chosen = reached, action
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
            return best, chosen
        best = math.inf
        for action in order(rules, board):
            reached, _ = value(rules.result(board, action), alpha, beta)
            if reached < best:
                best, chosen = reached, action
            beta = min(beta, best)
            if alpha >= beta:
                break
        return best, chosen

    return value(board, -math.inf, math.inf)[1]


def ordered_alpha_beta(rules: Rules, board: Board, nodes: Nodes) -> Action | None:
    """Search by alpha-beta, strong cells first: good moves early cut off more."""
    return alpha_beta(rules, board, nodes, strongest_first)


Search = Callable[[Any, Board, Nodes], Action | None]
SEARCHES: dict[str, Search] = {
    "plain minimax": plain,
    "alpha-beta": alpha_beta,
    "ordered alpha-beta": ordered_alpha_beta,
}
