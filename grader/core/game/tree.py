"""The game from one board on, with any values on its finished boards: what a probed search looks into."""

from functools import cached_property

from grader.core.game.board import EMPTY, Board, X, empty_cells, is_over, place, side_to_move
from grader.core.values import Frozen


class Tree(Frozen):
    """The game from one board on, with a value for each finished board.

    With `level` it goes on until the board is full, so that all finished boards are equally deep.
    """

    root: Board
    values: dict[Board, float]
    level: bool = False

    def is_leaf(self, board: Board) -> bool:
        """Return whether the game is over."""
        return EMPTY not in board if self.level else is_over(board)

    def children(self, board: Board) -> list[Board]:
        """Return the boards after one more move, by cell; none when the game is over."""
        return [] if self.is_leaf(board) else [place(board, action) for action in empty_cells(board)]

    @cached_property
    def exact(self) -> dict[Board, float]:
        """The value of every board under optimal play."""
        known: dict[Board, float] = {}

        def value(board: Board) -> float:
            if board not in known:
                best = max if side_to_move(board) == X else min
                below = [value(child) for child in self.children(board)]
                known[board] = best(below) if below else self.values[board]
            return known[board]

        value(self.root)
        return known

    @cached_property
    def size(self) -> int:
        """How many boards a search without pruning makes."""

        def below(board: Board) -> int:
            return sum(1 + below(child) for child in self.children(board))

        return below(self.root)


def leaves(root: Board, level: bool) -> list[Board]:
    """Return the finished boards that can be reached, in the order of their cells."""
    tree = Tree(root, {}, level)
    layer, found = {root}, set[Board]()
    while layer:
        ended = {board for board in layer if tree.is_leaf(board)}
        found |= ended
        layer = {child for board in layer - ended for child in tree.children(board)}
    return sorted(found)
