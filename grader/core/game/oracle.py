"""The solved game: every reachable board, its value and its optimal actions. The only source of truth."""

from functools import cache

from grader.core.game.board import CELLS, EMPTY, START, Action, Board, O, X, is_over, side_to_move, winner


@cache
def _successors() -> dict[Board, dict[Action, Board]]:
    """Return every reachable board with what each legal action leads to, fewest marks first."""
    found: dict[Board, dict[Action, Board]] = {}
    layer = {START}
    while layer:
        for board in sorted(layer):
            side = side_to_move(board)
            free = () if is_over(board) else (at for at, mark in enumerate(board) if mark == EMPTY)
            found[board] = {CELLS[at]: Board(board[:at] + side + board[at + 1 :]) for at in free}
        layer = {after for board in layer for after in found[board].values()}
    return found


@cache
def _values() -> dict[Board, int]:
    """Return the value of every reachable board under optimal play: 1 when X wins, -1 when O does, else 0."""
    values: dict[Board, int] = {}
    for board, after in reversed(_successors().items()):
        if after:
            best = max if side_to_move(board) == X else min
            values[board] = best(map(values.__getitem__, after.values()))
        else:
            values[board] = {X: 1, O: -1, None: 0}[winner(board)]
    return values


@cache
def boards() -> tuple[Board, ...]:
    """Return all 5,478 reachable boards, fewest marks first."""
    return tuple(_successors())


@cache
def running() -> tuple[Board, ...]:
    """Return the 4,520 reachable boards on which the game goes on."""
    return tuple(board for board, after in _successors().items() if after)


@cache
def finished() -> tuple[Board, ...]:
    """Return the 958 reachable boards on which the game is over."""
    return tuple(board for board, after in _successors().items() if not after)


def successors(board: Board) -> dict[Action, Board]:
    """Return what each legal action leads to; nothing on a finished board."""
    return _successors()[board]


def value(board: Board) -> int:
    """Return what optimal play makes of the board: 1 when X wins, -1 when O does, 0 for a tie."""
    return _values()[board]


def is_optimal(board: Board, action: Action) -> bool:
    """Return whether an action is legal and keeps the board's value."""
    after = _successors()[board].get(action)
    return after is not None and _values()[after] == _values()[board]


@cache
def optimal_actions(board: Board) -> frozenset[Action]:
    """Return every action that keeps the board's value; none on a finished board."""
    values = _values()
    kept = values[board]
    return frozenset([action for action, after in successors(board).items() if values[after] == kept])


def tree_size(board: Board) -> int:
    """Return how many nodes a search without pruning visits from the board, itself included."""
    return _tree_sizes()[board]


@cache
def _tree_sizes() -> dict[Board, int]:
    sizes: dict[Board, int] = {}
    for board, after in reversed(_successors().items()):
        sizes[board] = 1 + sum(map(sizes.__getitem__, after.values()))
    return sizes


def unreachable(board: Board) -> str | None:
    """Return why no game leads to the board, or None when one does."""
    if board in _values():
        return None
    x, o = board.count(X), board.count(O)
    if x not in (o, o + 1):
        counted = f"X has {x} marks and O has {o}"
        return f"{counted}: X starts and they alternate, so X has as many as O or one more"
    return f"no game leads here: somebody went on after the game was over ({x + o} marks)"
