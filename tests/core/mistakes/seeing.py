"""Faulty functions, written as a student would, asked about every board of their domain in this process."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.checks.expected import every_call
from grader.core.game.board import Board, is_over, to_lists
from grader.core.game.oracle import FUNCTIONS
from grader.core.mistakes.family import Key, SeenReplies

X, O, EMPTY = "X", "O", None
Rows = list[list[str | None]]
Faulty = Callable[..., Any]


def reply_to(faulty: Faulty, call: Arguments) -> Reply:
    """Return what a worker would say of a call."""
    board = to_lists(call[0])
    try:
        value = faulty(board, *call[1:])
    except Exception as error:
        return Raised(
            type(error).__name__, str(error), error.__traceback__.tb_lineno if error.__traceback__ else 0
        )
    if board != to_lists(call[0]):
        shares = "itself" if value is board else "nothing"
        if (
            type(value) is list
            and value is not board
            and any(row is given for row in value for given in board)
        ):
            shares = "rows"
        return Returned(copy.deepcopy(value), True, board, shares)
    return Returned(value)


def calls_of(function: str) -> Sequence[Arguments]:
    """Return all questions about a function; of minimax, those about running games."""
    boards = FUNCTIONS[function].domain.members()
    if function == "minimax":
        boards = tuple(board for board in boards if not is_over(board))
    return every_call(function, boards)


def seen(
    function: str, faulty: Faulty, others: dict[str, dict[Board, Key]] | None = None, alone: bool = False
) -> SeenReplies:
    """Return what a faulty function answers to all questions."""
    calls = calls_of(function)
    return SeenReplies(function, calls, [reply_to(faulty, call) for call in calls], others or {}, alone=alone)


# --- right functions, for faulty ones to be built on ---

LINES = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def player(board: Rows) -> str:
    taken = sum(cell is not EMPTY for row in board for cell in row)
    return O if taken % 2 else X


def actions(board: Rows) -> set[tuple[int, int]]:
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def winner(board: Rows, lines: list[list[tuple[int, int]]] = LINES) -> str | None:
    for line in lines:
        for mark in (X, O):
            if all(board[i][j] == mark for i, j in line):
                return mark
    return None


def terminal(board: Rows) -> bool:
    return winner(board) is not None or not actions(board)


def utility(board: Rows) -> int:
    return {X: 1, O: -1, None: 0}[winner(board)]


def result(board: Rows, action: tuple[int, int]) -> Rows:
    after = [row[:] for row in board]
    after[action[0]][action[1]] = player(board)
    return after
