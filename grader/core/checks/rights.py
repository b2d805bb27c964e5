"""All questions about a function on many boards, and their right replies: told by identity, at once."""

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import is_
from typing import Any

from grader.core.asking.calls import Arguments
from grader.core.asking.reply import (
    Reply,
    reply_with,
    reply_with_action,
    reply_with_actions,
    reply_with_board,
)
from grader.core.game import oracle
from grader.core.game.board import CELLS, Action, Board, empty_cells, taken_cells
from grader.core.game.interface import FUNCTIONS


@lru_cache(maxsize=1_000)
def calls_on(boards: tuple[Board, ...]) -> list[Arguments]:
    """Return a call for each board."""
    return [(board,) for board in boards]


@lru_cache(maxsize=1_000)
def calls_with_actions(boards: tuple[Board, ...]) -> list[Arguments]:
    """Return a call for each legal action on each board."""
    return [(board, action) for board in boards for action in empty_cells(board)]


@lru_cache(maxsize=1_000)
def calls_with_taken_cells(boards: tuple[Board, ...]) -> list[Arguments]:
    """Return a call for each board with a mark, on one of its taken cells, another each time."""
    taken = ((number, board, taken_cells(board)) for number, board in enumerate(boards))
    return [(board, cells[number % len(cells)]) for number, board, cells in taken if cells]


def every_call(function: str, boards: tuple[Board, ...]) -> list[Arguments]:
    """Return all valid calls of a function on these boards."""
    return calls_with_actions(boards) if function == "result" else calls_on(boards)


def doubtful(
    function: str, boards: tuple[Board, ...], replies: Sequence[Reply]
) -> list[tuple[Arguments, Reply]]:
    """Return those of `every_call` whose reply is not the right one as it is usually written."""
    known = rights(function, boards)
    if len(replies) == len(known) and all(map(is_, replies, known)):  # nearly always, and at once
        return []
    asked = zip(every_call(function, boards), replies, known, strict=True)
    return [(call, reply) for call, reply, right in asked if reply is not right]


@lru_cache(maxsize=1_000)
def rights(function: str, boards: tuple[Board, ...]) -> list[Reply | None]:
    """Return the right reply to each call; of minimax none: several may be right."""
    if function == "minimax":
        return [None] * len(boards)
    if function == "result":
        known = {board: reply_with_board(board) for board in oracle.boards()}
        return [known[after] for board in boards for after in oracle.following(board)]
    if function == "actions":
        return list(map(reply_with_actions, map(empty_cells, boards)))
    answer: Any = FUNCTIONS[function].answer
    return list(map(reply_with, map(answer, boards)))


@cache
def moves_by_reply() -> dict[int, Action | None]:
    """Return each cell, and None, by the identity of the reply with it: such replies are kept for good."""
    return {id(reply_with(None)): None, **{id(reply_with_action(cell)): cell for cell in CELLS}}
