"""The assignment's interface: its seven functions, where each may be asked, and the right answers."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import Action, Board, empty_cells, is_over, place, side_to_move, winner
from grader.core.values import Frozen


class Boards(StrEnum):
    """A family of reachable boards."""

    ALL = "all"
    RUNNING = "running"
    FINISHED = "finished"

    def members(self) -> tuple[Board, ...]:
        """Return the boards of the family, fewest marks first."""
        return {"all": oracle.boards, "running": oracle.running, "finished": oracle.finished}[self]()


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
        """Return whether the assignment says what the function does on the board."""
        return self.domain is Boards.ALL or is_over(board) == (self.domain is Boards.FINISHED)


@cache
def _actions(board: Board) -> frozenset[Action]:
    return frozenset(empty_cells(board))


def _minimax(board: Board) -> frozenset[Action] | None:
    return None if is_over(board) else oracle.optimal_actions(board)


FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function
    for function in (
        Function("player", ("board",), Boards.RUNNING, side_to_move),
        Function("actions", ("board",), Boards.RUNNING, _actions),
        Function("result", ("board", "action"), Boards.RUNNING, place),
        Function("winner", ("board",), Boards.ALL, winner),
        Function("terminal", ("board",), Boards.ALL, is_over),
        Function("utility", ("board",), Boards.FINISHED, oracle.value),
        Function("minimax", ("board",), Boards.ALL, _minimax),
    )
}


def right_answer(function: str, board: Board, action: Action | None = None) -> object:
    """Return the right answer to a question, as the oracle puts it."""
    return FUNCTIONS[function].answer(*((board,) if action is None else (board, action)))


MENDING: Final = ("player", "actions", "winner", "result", "terminal", "utility", "minimax")
"""The functions in the order in which to mend them: from the leaves up, as a rule."""

CONSTANTS: Final[dict[str, str | None]] = {"X": "X", "O": "O", "EMPTY": None}
