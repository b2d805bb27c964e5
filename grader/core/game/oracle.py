"""The solved game, the only source of truth: every reachable board, its value and its optimal actions.

It is read from a table that `scripts/solve_game` makes of the rules; a test solves the game again. The module
also holds what follows from a policy, and the assignment's functions with their domains and right answers.
"""

import json
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from grader.core.game.board import (
    CELLS,
    EMPTY,
    START,
    Action,
    Board,
    O,
    X,
    empty_cells,
    is_over,
    place,
    side_to_move,
)
from grader.core.messages import _, later, ngettext
from grader.core.values import Frozen


@cache
def solved() -> dict[str, str]:
    """Return the table of the solved game, which `scripts/solve_game` writes."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("solved.json").read_bytes())
    return found


@cache
def _following() -> dict[Board, tuple[Board, ...]]:
    """Return every reachable board with those after each legal action, fewest marks first."""
    found = boards()
    after = map(found.__getitem__, map(int, solved()["after"].split()))
    sizes = _tree_sizes().items()
    return {board: tuple(islice(after, board.count(EMPTY))) if size > 1 else () for board, size in sizes}


@cache
def _values() -> dict[Board, int]:
    """Return the value of every reachable board under optimal play: 1 when X wins, -1 when O does, else 0."""
    signs = {"+": 1, "-": -1, "=": 0}
    return dict(zip(boards(), map(signs.__getitem__, solved()["values"]), strict=True))


@cache
def _tree_sizes() -> dict[Board, int]:
    return dict(zip(boards(), map(int, solved()["sizes"].split()), strict=True))


@cache
def boards() -> tuple[Board, ...]:
    """Return all 5,478 reachable boards, fewest marks first."""
    return tuple(solved()["boards"].split())  # type: ignore[arg-type]


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


@cache
def optimal_cells() -> dict[Board, str]:
    """Return for every reachable board the numbers of the cells that keep its value; - if it is finished."""
    return dict(zip(boards(), solved()["optimal"].split(), strict=True))


def is_optimal(board: Board, action: Action) -> bool:
    """Return whether an action is legal and keeps the board's value."""
    return action in optimal_actions(board)


def optimal_actions(board: Board) -> frozenset[Action]:
    """Return every action that keeps the board's value; none on a finished board."""
    return _cells_numbered(optimal_cells()[board])


@cache
def _cells_numbered(numbers: str) -> frozenset[Action]:
    return frozenset(CELLS[int(number)] for number in numbers if number != "-")


def tree_size(board: Board) -> int:
    """Return how many nodes a search without pruning visits from the board, itself included."""
    return _tree_sizes()[board]


def unreachable(board: Board) -> str | None:
    """Return why no game leads to the board, or None when one does."""
    if board in _values():
        return None
    x, o = board.count(X), board.count(O)
    if x not in (o, o + 1):
        sentence = later(
            "X has {x} marks and O has {o}: X starts and they alternate, so X has as many as O or one more"
        )
        return _(sentence, x=x, o=o)
    return ngettext(
        "no game leads here: somebody went on after the game was over ({count} marks)",
        "no game leads here: somebody went on after the game was over ({count} marks)",
        x + o,
    )


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
    after = following(board)
    if not after or side_to_move(board) != side:
        return list(after)
    action = policy.get(board)
    return [] if action is None else [successors(board)[action]]


def _end(policy: Policy, side: str, board: Board) -> str | None:
    """Return how a game ends here for the side that plays the policy; None if it goes on.

    A running board without a legal move is lost by forfeit; one whose move is not known is unseen.
    """
    if not following(board):
        return {side: "won", None: "drawn"}.get(_winner(board), "lost")
    if side_to_move(board) != side:
        return None
    return "unseen" if board not in policy else "lost" if policy[board] is None else None


def play_all(policy: Policy, side: str) -> GameCounts:
    """Return how all games end in which one side plays the policy and the other plays anything."""
    kinds = ("won", "drawn", "lost", "unseen")

    @cache
    def ends(board: Board) -> tuple[int, ...]:
        if end := _end(policy, side, board):
            return tuple([end == kind for kind in kinds])
        return tuple(map(sum, zip(*map(ends, next_boards(policy, side, board)), strict=True)))

    return GameCounts(*map(int, ends(START)))


def seen_of_games(policy: Policy, side: str) -> float:
    """Return the share of games that is known to the end, if the opponent's moves are all as likely."""
    if len(policy) == len(running()):
        return 1.0

    @cache
    def share(board: Board) -> float:
        if end := _end(policy, side, board):
            return float(end != "unseen")
        after = next_boards(policy, side, board)
        return sum(map(share, after)) / len(after)

    return share(START)


def shortest_loss(policy: Policy, side: str, through: Collection[Board] = ()) -> list[Board] | None:
    """Return the boards of the shortest game that the policy loses as this side, or None if it never does.

    Where boards are named, one of them has to be on the way.
    """
    layer = {(START, not through or START in through): [START]}  # ways by their end, and whether they count
    while layer:
        following: dict[tuple[Board, bool], list[Board]] = {}
        for (board, counts), path in layer.items():
            if counts and _end(policy, side, board) == "lost":
                return path
            for after in next_boards(policy, side, board):
                following.setdefault((after, counts or after in through), [*path, after])
        layer = following
    return None


@cache
def quickest_win(board: Board) -> list[Board]:
    """Return the boards of the quickest forced win from here, the loser holding out as long as possible."""
    if is_over(board):
        return [board]
    outcome = value(board)
    is_winning = outcome == (1 if side_to_move(board) == X else -1)
    same = [quickest_win(after) for after in following(board) if value(after) == outcome]
    return [board, *(min if is_winning else max)(same, key=len)]


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
        (signs[policy[board]] if board in policy else ".") if after else "-"
        for board, after in _following().items()
    )


def opponent(side: str) -> str:
    """Return the other player."""
    return O if side == X else X


class Boards(StrEnum):
    """A family of reachable boards."""

    ALL = "all"
    RUNNING = "running"
    FINISHED = "finished"

    def members(self) -> tuple[Board, ...]:
        """Return the boards of the family, fewest marks first."""
        return {"all": boards, "running": running, "finished": finished}[self]()


class Function(Frozen):
    """One function of the assignment: its declaration, its domain and its right answers.

    `answer` takes the board and, for `result` alone, the action. For `minimax` on a running board it
    gives a set of actions, any of which will do; everywhere else there is exactly one right answer.
    """

    name: str
    parameters: tuple[str, ...]
    domain: Boards
    answer: Callable[..., object]

    def allows(self, board: Board) -> bool:
        """Return whether the assignment defines what the function does on the board."""
        return self.domain is Boards.ALL or is_over(board) == (self.domain is Boards.FINISHED)


@cache
def _actions(board: Board) -> frozenset[Action]:
    return frozenset(empty_cells(board))


def _winner(board: Board) -> str | None:
    return None if _following()[board] else _WINNERS[_values()[board]]


_WINNERS: Final = {1: X, -1: O, 0: None}


def _terminal(board: Board) -> bool:
    return not _following()[board]


def _minimax(board: Board) -> frozenset[Action] | None:
    return optimal_actions(board) if following(board) else None


FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function
    for function in (
        Function("player", ("board",), Boards.RUNNING, side_to_move),
        Function("actions", ("board",), Boards.RUNNING, _actions),
        Function("result", ("board", "action"), Boards.RUNNING, place),
        Function("winner", ("board",), Boards.ALL, _winner),
        Function("terminal", ("board",), Boards.ALL, _terminal),
        Function("utility", ("board",), Boards.FINISHED, value),
        Function("minimax", ("board",), Boards.ALL, _minimax),
    )
}


@cache
def right_answers(function: str) -> dict[Board, Any]:
    """Return the right answer of a function of a board alone on every board of its domain."""
    asked = FUNCTIONS[function]
    return {board: asked.answer(board) for board in asked.domain.members()}


def right_answer(function: str, board: Board, action: Action | None = None) -> object:
    """Return the right answer to a question, as the oracle puts it."""
    return FUNCTIONS[function].answer(*((board,) if action is None else (board, action)))


MENDING: Final = ("player", "actions", "winner", "result", "terminal", "utility", "minimax")
"""The functions in the order in which to fix them: callees before callers, as a rule."""

CONSTANTS: Final[dict[str, str | None]] = {"X": "X", "O": "O", "EMPTY": None}
