"""The six rule functions, correct: they replace a submission's wrong ones to find the faulty one.

They wrap the board's own rules, so that nothing in the grader is a solution of the assignment that could be
copied. A worker receives only those that are replaced, so each is complete in itself, but for a few tables.
"""

import ast
import inspect
import marshal
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

from grader.core.game import board as game
from grader.core.game.oracle import FUNCTIONS


class _Rule(NamedTuple):
    """How a rule function answers from the nine cells, and which of the board's own rules it asks for it."""

    body: str
    asks: tuple[Callable[..., Any], ...] = ()


_RULES: Final = {
    "player": _Rule("return side_to_move(cells)", (game.side_to_move,)),
    "actions": _Rule("return {cell for cell, mark in zip(CELLS, cells) if mark == EMPTY}"),
    "result": _Rule(
        "if tuple(action) not in CELLS or cells[3 * action[0] + action[1]] != EMPTY:\n"
        "    raise ValueError('not a valid action')\n"
        "after = [list(row) for row in board]\n"
        "after[action[0]][action[1]] = side_to_move(cells)\n"
        "return after",
        (game.side_to_move,),
    ),
    "winner": _Rule("return winner(cells)", (game.winning_line, game.winner)),
    "terminal": _Rule("return is_over(cells)", (game.winning_line, game.is_over)),
    "utility": _Rule("return WORTH.get(winner(cells), -1)", (game.winning_line, game.winner)),
}
_TABLES: Final = {
    **{name: getattr(game, name) for name in ("X", "O", "EMPTY", "CELLS", "LINES")},
    "WORTH": {game.X: 1, None: 0},
}
_CELLS: Final = "cells = [EMPTY if cell is None else cell for row in board for cell in row]"


@cache
def sent(function: str) -> bytes:
    """Return a rule function as it is sent to a worker of any Python: its source, and the tables it needs."""
    rule = _RULES[function]
    parameters = ", ".join(FUNCTIONS[function].parameters)
    lines = (f"    {line}\n" for line in (_CELLS, *rule.body.splitlines()))
    tree = ast.parse(f"def {function}({parameters}):\n{''.join(lines)}")
    outer = tree.body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body[:0] = [_alone(asked) for asked in rule.asks]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return marshal.dumps((ast.unparse(tree), {name: _TABLES[name] for name in _TABLES if name in names}), 2)


def _alone(function: Callable[..., Any]) -> ast.stmt:
    """Return one of the board's rules without what only we need: its memory, and the names of types."""
    (found,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(found, ast.FunctionDef)
    found.decorator_list, found.returns = [], None
    for parameter in found.args.args:
        parameter.annotation = None
    return found
