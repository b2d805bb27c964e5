"""The solved game: every reachable board, its value and its optimal actions. The only source of truth.

It is read from a table that `scripts/solve_game` makes of the rules; a test solves the game again.
"""

from functools import cache
from itertools import islice

from grader.core.game import solved
from grader.core.game.board import EMPTY, Action, Board, O, X, empty_cells
from grader.core.messages import _, ngettext


@cache
def _following() -> dict[Board, tuple[Board, ...]]:
    """Return every reachable board with those after each legal action, fewest marks first."""
    found = boards()
    after = map(found.__getitem__, map(int, solved.AFTER.split()))
    sizes = _tree_sizes().items()
    return {board: tuple(islice(after, board.count(EMPTY))) if size > 1 else () for board, size in sizes}


@cache
def _values() -> dict[Board, int]:
    """Return the value of every reachable board under optimal play: 1 when X wins, -1 when O does, else 0."""
    signs = {"+": 1, "-": -1, "=": 0}
    return dict(zip(boards(), map(signs.__getitem__, solved.VALUES.replace(" ", "")), strict=True))


@cache
def _tree_sizes() -> dict[Board, int]:
    return dict(zip(boards(), map(int, solved.SIZES.split()), strict=True))


@cache
def boards() -> tuple[Board, ...]:
    """Return all 5,478 reachable boards, fewest marks first."""
    return tuple(solved.BOARDS.split())  # type: ignore[arg-type]


@cache
def running() -> tuple[Board, ...]:
    """Return the 4,520 reachable boards on which the game goes on."""
    return tuple(board for board, size in _tree_sizes().items() if size > 1)


@cache
def finished() -> tuple[Board, ...]:
    """Return the 958 reachable boards on which the game is over."""
    return tuple(board for board, size in _tree_sizes().items() if size == 1)


def following(board: Board) -> tuple[Board, ...]:
    """Return the boards after each empty cell is taken, in their order; none after a finished board."""
    return _following()[board]


@cache
def successors(board: Board) -> dict[Action, Board]:
    """Return what each legal action leads to; nothing on a finished board."""
    after = _following()[board]
    return dict(zip(empty_cells(board), after, strict=True)) if after else {}


def value(board: Board) -> int:
    """Return what optimal play makes of the board: 1 when X wins, -1 when O does, 0 for a tie."""
    return _values()[board]


def is_optimal(board: Board, action: Action) -> bool:
    """Return whether an action is legal and keeps the board's value."""
    after, cells, values = _following()[board], empty_cells(board), _values()
    return bool(after) and action in cells and values[after[cells.index(action)]] == values[board]


@cache
def optimal_actions(board: Board) -> frozenset[Action]:
    """Return every action that keeps the board's value; none on a finished board."""
    values = _values()
    kept = values[board]
    return frozenset([action for action, after in successors(board).items() if values[after] == kept])


def tree_size(board: Board) -> int:
    """Return how many nodes a search without pruning visits from the board, itself included."""
    return _tree_sizes()[board]


def unreachable(board: Board) -> str | None:
    """Return why no game leads to the board, or None when one does."""
    if board in _values():
        return None
    x, o = board.count(X), board.count(O)
    if x not in (o, o + 1):
        return _(
            "X has {x} marks and O has {o}: X starts and they alternate, so X has as many as O or one more",
            x=x,
            o=o,
        )
    return ngettext(
        "no game leads here: somebody went on after the game was over ({count} marks)",
        "no game leads here: somebody went on after the game was over ({count} marks)",
        x + o,
    )
