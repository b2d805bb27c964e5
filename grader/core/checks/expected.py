"""What is right: the reply that is expected to each call, and what is wrong with any other."""

import marshal
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from operator import is_
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.asking.reply import PLAIN, Alien, Arguments, Reply, Returned, right_payloads, right_reply
from grader.core.checks.reasons import Reason, because
from grader.core.game import oracle
from grader.core.game.board import (
    CELLS,
    Action,
    Board,
    O,
    X,
    as_action,
    cells_in,
    empty_cells,
    from_lists,
    is_over,
    rows,
    side_to_move,
    taken_cells,
    winner,
    winning_line,
)
from grader.core.game.oracle import FUNCTIONS, right_answer
from grader.core.messages import alternatives


def fault(function: str, board: Board, action: Action | None, value: Any) -> Reason | None:
    """Return what is wrong with an answer, for its author, or None when it is right."""
    if isinstance(value, Alien):
        return because("alien", function=function, what=value.what)
    is_none_right = function == "winner" or (function == "minimax" and is_over(board))
    if value is None and not is_none_right:
        return because("none", function=function, turn=_turn(board) if function == "player" else "")
    return _FAULTS[function](board, action, value)


def expected_text(function: str, board: Board, action: Action | None) -> str:
    """Return the right answer the way a student would write it."""
    right = right_answer(function, board, action)
    if function == "minimax" and right is not None:
        assert isinstance(right, frozenset)
        return alternatives([str(cell) for cell in sorted(right)])
    return value_text(right)


def value_text(value: Any) -> str:
    """Return a value the way a student would write it; a board as three rows."""
    if isinstance(value, str) and len(value) == 9 and not value.strip("XO."):
        return "\n".join(rows(Board(value)))
    board = from_lists(value)
    if board is not None:
        return "\n".join(rows(board))
    if type(value) in (set, frozenset):
        inside = ", ".join(sorted(repr(item) for item in value))
        return f"{{{inside}}}" if inside else "set()"
    return _clipped(repr(value), 200)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _turn(board: Board) -> Reason:
    return because("turn", x=board.count(X), o=board.count(O), side=side_to_move(board))


def _player(board: Board, action: Action | None, value: Any) -> Reason | None:
    return None if type(value) is str and value == side_to_move(board) else _turn(board)


def _actions(board: Board, action: Action | None, value: Any) -> Reason | None:
    right = set(empty_cells(board))
    if type(value) is not set:
        return because("not-a-set", type=type(value).__name__)
    if value == right and all(type(i) is int and type(j) is int for i, j in value):
        return None
    strange = [item for item in value if item not in CELLS]
    if strange:
        return because("no-action-in-set", item=repr(strange[0]))
    missing, extra = (str(min(cells)) if cells else "" for cells in (right - value, value - right))
    known = missing or extra
    return because("wrong-cells", missing=missing, extra=extra) if known else because("no-whole-numbers")


def _result(board: Board, action: Action | None, value: Any) -> Reason | None:
    assert action is not None
    got = from_lists(value)
    if got == oracle.successors(board)[action]:
        return None
    if got is None:
        strange = [cell for cell in cells_in(value) if cell not in (X, O, None)]
        mark = _clipped(repr(strange[0]), 40) if strange else ""
        return because("wrong-mark", mark=mark) if strange else because("not-a-board")
    if got == board:
        return because("old-board", side=side_to_move(board), action=action)
    if got[CELLS.index(action)] != side_to_move(board):
        return because("wrong-cell", side=side_to_move(board), action=action)
    return because("other-cells", action=action)


def _winner(board: Board, action: Action | None, value: Any) -> Reason | None:
    line, champion = winning_line(board), winner(board)
    if value is champion is None or (type(value) is str and value == champion):
        return None
    if line:
        return because("winning-line", champion=champion, line=line)
    if value is False or value == 0:
        return because("none-not-false", value=repr(value))
    return because("no-winner")


def _terminal(board: Board, action: Action | None, value: Any) -> Reason | None:
    over, line = is_over(board), winning_line(board)
    if value is over:
        return None
    if type(value) is not bool:
        return because("not-a-bool", type=type(value).__name__)
    if line:
        return because("over-by-line", champion=winner(board), line=line)
    return because("over-by-full-board" if over else "goes-on")


def _utility(board: Board, action: Action | None, value: Any) -> Reason | None:
    right = oracle.value(board)
    if type(value) in (int, float) and value == right:
        return None
    return because({1: "utility-of-x", -1: "utility-of-o", 0: "utility-of-tie"}[right])


def _minimax(board: Board, action: Action | None, value: Any) -> Reason | None:
    if is_over(board):
        return None if value is None else because("move-at-end")
    is_action = as_action(value) is not None and type(value[0]) is type(value[1]) is int
    if is_action and oracle.is_optimal(board, value):
        return None
    if type(value) is tuple and len(value) == 2 and type(value[1]) is tuple:
        return because("value-and-action")
    if type(value) is not tuple:
        return because("action-not-a-tuple", type=type(value).__name__)
    if not is_action or value not in CELLS:
        return because("no-action")
    if value not in empty_cells(board):
        return because("cell-taken", action=value)
    me, (other, sign) = side_to_move(board), (O, 1) if side_to_move(board) == X else (X, -1)
    before, after = sign * oracle.value(board), sign * oracle.value(oracle.successors(board)[value])
    better = min(oracle.optimal_actions(board))
    return because(
        "not-the-best", side=me, other=other, action=value, better=better, won=before == 1, loses=after == -1
    )


_FAULTS: Final[dict[str, Callable[[Board, Action | None, Any], Reason | None]]] = {
    "player": _player,
    "actions": _actions,
    "result": _result,
    "winner": _winner,
    "terminal": _terminal,
    "utility": _utility,
    "minimax": _minimax,
}


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


def known_answers(client: Client, replace: Collection[str] = ()) -> dict[str, bytes]:
    """Return what functions are known to answer, for a copy with recall, which then need not call them.

    The replaced ones are right; others have been asked on every board, and use none of those.
    """
    reach = client.outline().reach
    known = dict[str, bytes]()
    for name in _LOOKED_UP:
        if name in replace:
            known[name] = _right_answers(name)
        elif not replace or (name in reach and not {*reach[name]} & {*replace}):
            known |= _own_answers(client, name)
    return known


_LOOKED_UP: Final = ("player", "result", "winner", "terminal", "utility")
"""Not `actions`: the order in which a set gives its members decides between moves of one value."""


def _own_answers(client: Client, function: str) -> dict[str, bytes]:
    """Return what a function has answered on each board, or nothing; of `result`, if all of it is right."""
    boards = FUNCTIONS[function].domain.members()
    calls = every_call(function, boards)
    replies = () if client.is_right(function, calls) else client.known(function, calls)
    if replies is None:
        return {}
    if not replies or not doubtful(function, boards, replies):
        return {function: _right_answers(function)}
    if function == "result":
        return {}
    answers: Any = {
        board: reply.value
        for board, reply in zip(boards, replies, strict=True)
        if isinstance(reply, Returned) and not reply.changed and type(reply.value) in _IMMUTABLE
    }
    return {function: marshal.dumps(answers, PLAIN)}


@cache
def _right_answers(function: str) -> bytes:
    """Return the right answers as they are sent to a worker; of `result`, whose turn it is."""
    answers: Any = oracle.right_answers("player" if function == "result" else function)
    return marshal.dumps(answers, PLAIN)


_IMMUTABLE: Final = (type(None), bool, int, float, str)


@lru_cache(maxsize=1_000)
def rights(function: str, boards: tuple[Board, ...]) -> list[Reply | None]:
    """Return the right reply to each call; of minimax none: several may be right."""
    return list(map(right_reply, right_payloads(function, boards))) or [None] * len(boards)


@cache
def moves_by_reply() -> dict[int, Action | None]:
    """Return each cell, and None, by the identity of the reply with it: such replies are stored for good."""
    moves: dict[Action | None, str] = {None: "null", **{cell: f'["t",{cell[0]},{cell[1]}]' for cell in CELLS}}
    return {id(right_reply(f'["returned",{text}]'.encode())): move for move, text in moves.items()}
