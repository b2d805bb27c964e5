"""A policy, one move for every board, and what follows: every game it can play, and how to beat it."""

from collections.abc import Collection, Mapping
from functools import cache

from grader.core.game import oracle
from grader.core.game.board import CELLS, START, Action, Board, O, X, is_over, side_to_move, winner
from grader.core.values import Frozen

Policy = Mapping[Board, Action | None]
"""The move on each running board that is known; None where there is no legal one: that board is forfeited."""


class GameCounts(Frozen):
    """How many different games end how, against every possible opponent."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unseen: int = 0
    """Games that come to a board on which the policy is not known."""

    @property
    def games(self) -> int:
        """All games that are known to their end."""
        return self.won + self.drawn + self.lost


def next_boards(policy: Policy, side: str, board: Board) -> list[Board]:
    """Return the boards that can follow when one side plays the policy and the other anything."""
    if is_over(board):
        return []
    if side_to_move(board) != side:
        return list(oracle.following(board))
    action = policy.get(board)
    return [] if action is None else [oracle.successors(board)[action]]


def play_all(policy: Policy, side: str) -> GameCounts:
    """Return how all games end in which one side plays the policy and the other plays anything."""

    @cache
    def ends(board: Board) -> tuple[int, ...]:
        following = next_boards(policy, side, board)
        if following:
            return tuple(map(sum, zip(*map(ends, following), strict=True)))
        if _is_unknown(policy, side, board):
            return 0, 0, 0, 1
        if not is_over(board) or winner(board) == opponent(side):
            return 0, 0, 1, 0
        return (1, 0, 0, 0) if winner(board) else (0, 1, 0, 0)

    won, drawn, lost, unseen = ends(START)
    return GameCounts(won, drawn, lost, unseen)


def seen_of_games(policy: Policy, side: str) -> float:
    """Return the share of games that is known to the end, if the opponent's moves are all as likely."""
    if len(policy) == len(oracle.running()):
        return 1.0

    @cache
    def share(board: Board) -> float:
        following = next_boards(policy, side, board)
        if following:
            return sum(map(share, following)) / len(following)
        return 0.0 if _is_unknown(policy, side, board) else 1.0

    return share(START)


def _is_unknown(policy: Policy, side: str, board: Board) -> bool:
    """Return whether it is the policy's turn and its move is not known."""
    return not is_over(board) and side_to_move(board) == side and board not in policy


def shortest_loss(policy: Policy, side: str, through: Collection[Board] = ()) -> list[Board] | None:
    """Return the boards of the shortest game that the policy loses as this side, or None if it never does.

    A game that ends on a running board is lost by forfeit: the policy has no legal move there. Where
    boards are named, one of them has to be on the way.
    """
    layer = {(START, not through or START in through): [START]}  # ways by their end, and whether they count
    while layer:
        following: dict[tuple[Board, bool], list[Board]] = {}
        for (board, counts), path in layer.items():
            if counts and _is_lost(policy, side, board):
                return path
            for after in next_boards(policy, side, board):
                following.setdefault((after, counts or after in through), [*path, after])
        layer = following
    return None


def _is_lost(policy: Policy, side: str, board: Board) -> bool:
    """Return whether a game ends here for good, and not well."""
    if is_over(board):
        return winner(board) == opponent(side)
    return side_to_move(board) == side and policy.get(board, START) is None


def quickest_win(board: Board) -> list[Board]:
    """Return the boards of the quickest forced win from here, the loser holding out as long as possible."""
    path = [board]
    while not is_over(path[-1]):
        path.append(_hurried(path[-1]))
    return path


def _hurried(board: Board) -> Board:
    """Return what a decided game leads to when the winner hurries and the loser does not."""
    outcome = oracle.value(board)
    same = [after for after in oracle.successors(board).values() if oracle.value(after) == outcome]
    is_winning = outcome == (1 if side_to_move(board) == X else -1)
    return (min if is_winning else max)(same, key=_distance)


@cache
def _distance(board: Board) -> int:
    """Return how many moves that takes."""
    return 0 if is_over(board) else 1 + _distance(_hurried(board))


def move_between(before: Board, after: Board) -> Action:
    """Return the cell that was taken between two boards."""
    return next(cell for cell, old, new in zip(CELLS, before, after, strict=True) if old != new)


def packed(policy: Policy) -> str:
    """Return the policy as a character a board: the cell 0 to 8, - when the game is over.

    A question mark stands for no legal move, a dot for a move that is not known. The boards are in the
    oracle's order: by their number of marks, then by their cells as text.
    """
    signs = {cell: str(number) for number, cell in enumerate(CELLS)} | {None: "?"}
    return "".join(
        "-" if is_over(board) else signs[policy[board]] if board in policy else "."
        for board in oracle.boards()
    )


def opponent(side: str) -> str:
    """Return the other player."""
    return O if side == X else X
