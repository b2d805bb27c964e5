"""A policy, one move for every board, and what follows: every game it can play, and how to beat it."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import CELLS, START, Action, Board, O, X, is_over, side_to_move, winner
from grader.core.values import Frozen

Policy = Mapping[Board, Action | None]
"""The move on each running board that is known; None where there is no legal one: that board is forfeited."""

_DIGITS: Final = {cell: str(number) for number, cell in enumerate(CELLS)}
_FORFEITED: Final = "?"
_FINISHED: Final = "-"
_UNKNOWN: Final = "."


class Record(Frozen):
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

    def __add__(self, other: "Record") -> "Record":
        return Record(
            self.won + other.won, self.drawn + other.drawn, self.lost + other.lost, self.unseen + other.unseen
        )


def next_boards(policy: Policy, side: str, board: Board) -> list[Board]:
    """Return the boards that can follow when one side plays the policy and the other anything."""
    if is_over(board):
        return []
    if side_to_move(board) != side:
        return list(oracle.successors(board).values())
    action = policy.get(board)
    return [] if action is None else [oracle.successors(board)[action]]


def play_all(policy: Policy, side: str) -> Record:
    """Return how all games end in which one side plays the policy and the other plays anything."""

    @cache
    def record(board: Board) -> Record:
        following = next_boards(policy, side, board)
        if following:
            return sum(map(record, following), Record())
        if _is_unknown(policy, side, board):
            return Record(unseen=1)
        champion = winner(board)
        if not is_over(board) or champion not in (side, None):
            return Record(lost=1)
        return Record(won=1) if champion else Record(drawn=1)

    return record(START)


def seen_of_games(policy: Policy, side: str) -> float:
    """Return the share of games that is known to the end, if the opponent's moves are all as likely."""

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


_At = tuple[Board, bool]
"""A board of a game, and whether the game counts."""


def shortest_loss(policy: Policy, side: str, through: Collection[Board] = ()) -> list[Board] | None:
    """Return the boards of the shortest game that the policy loses as this side, or None if it never does.

    A game that ends on a running board is lost by forfeit: the policy has no legal move there. Where
    boards are named, one of them has to be on the way.
    """
    start = START, not through or START in through
    came_from: dict[_At, _At | None] = {start: None}
    layer = [start]
    while layer:
        for board, counts in layer:
            if counts and _is_lost(policy, side, board):
                return _path(came_from, (board, counts))
        following: dict[_At, _At | None] = {}
        for board, counts in layer:
            for after in next_boards(policy, side, board):
                following.setdefault((after, counts or after in through), (board, counts))
        came_from |= following
        layer = list(following)
    return None


def _is_lost(policy: Policy, side: str, board: Board) -> bool:
    """Return whether a game ends here for good, and not well."""
    if is_over(board):
        return winner(board) == opponent(side)
    return side_to_move(board) == side and policy.get(board, START) is None


def _path(came_from: Mapping[_At, _At | None], end: _At) -> list[Board]:
    path: list[Board] = []
    at: _At | None = end
    while at is not None:
        path.append(at[0])
        at = came_from[at]
    return path[::-1]


def quickest_win(board: Board) -> list[Board]:
    """Return the boards of the quickest forced win from here, the loser holding out as long as possible."""
    path = [board]
    while not is_over(board):
        me = side_to_move(board)
        mine = oracle.value(board) == (1 if me == X else -1)
        same = [
            after for after in oracle.successors(board).values() if oracle.value(after) == oracle.value(board)
        ]
        board = (min if mine else max)(same, key=_distance)
        path.append(board)
    return path


@cache
def _distance(board: Board) -> int:
    """Return how many moves a decided game still takes when the winner hurries and the loser does not."""
    if is_over(board):
        return 0
    mine = oracle.value(board) == (1 if side_to_move(board) == X else -1)
    same = [
        after for after in oracle.successors(board).values() if oracle.value(after) == oracle.value(board)
    ]
    return 1 + (min if mine else max)(map(_distance, same))


def move_between(before: Board, after: Board) -> Action:
    """Return the cell that was taken between two boards."""
    return next(cell for cell, old, new in zip(CELLS, before, after, strict=True) if old != new)


def packed(policy: Policy) -> str:
    """Return the policy as a character a board: the cell 0 to 8, - when the game is over.

    A question mark stands for no legal move, a dot for a move that is not known. The boards are in the
    oracle's order: by their number of marks, then by their cells as text.
    """
    digits = _DIGITS | {None: _FORFEITED}
    return "".join(
        _FINISHED if is_over(board) else digits[policy[board]] if board in policy else _UNKNOWN
        for board in oracle.boards()
    )


def unpacked(text: str) -> Policy:
    """Return the policy that `packed` wrote."""
    pairs: Iterable[tuple[Board, str]] = zip(oracle.boards(), text, strict=True)
    return {
        board: None if char == _FORFEITED else CELLS[int(char)]
        for board, char in pairs
        if char not in (_FINISHED, _UNKNOWN)
    }


def opponent(side: str) -> str:
    """Return the other player."""
    return O if side == X else X
