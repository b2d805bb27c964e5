"""The rule functions that stand in for a submission's wrong ones, on every board."""

import ast
import marshal
from typing import Any

import pytest

from grader.core.asking import rules
from grader.core.game import oracle
from grader.core.game.board import empty_cells, from_lists, to_lists
from grader.core.game.oracle import FUNCTIONS


def received(name: str) -> Any:
    """Return a rule function as a worker makes it from what it is sent."""
    source, tables = marshal.loads(rules.sent(name))
    names = {**tables}
    exec(source, names)
    return names[name]


RULES = {name: received(name) for name in FUNCTIONS if name != "minimax"}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_is_sent_says_nothing_of_its_origin_and_needs_no_other(name: str) -> None:
    source, tables = marshal.loads(rules.sent(name))
    assert set(tables) <= {"X", "O", "EMPTY", "CELLS", "LINES", "WORTH"}
    assert ("LINES" in tables) == (name in ("winner", "terminal", "utility"))
    assert b"grader" not in rules.sent(name)
    given = {tree.id for tree in ast.walk(ast.parse(source)) if isinstance(tree, ast.Name)}
    defined = {tree.name for tree in ast.walk(ast.parse(source)) if isinstance(tree, ast.FunctionDef)}
    assert not (set(FUNCTIONS) & given) - defined, "it needs another rule function"


@pytest.mark.parametrize("name", ["player", "actions", "winner", "terminal", "utility"])
def test_a_rule_is_right_on_every_board(name: str) -> None:
    for board in FUNCTIONS[name].domain.members():
        right, found = FUNCTIONS[name].answer(board), RULES[name](to_lists(board))
        assert found == right and type(found) is (set if name == "actions" else type(right))


def test_result_is_right_for_every_action_and_copies() -> None:
    for board in oracle.running():
        lists = to_lists(board)
        for action in empty_cells(board):
            assert from_lists(RULES["result"](lists, action)) == oracle.successors(board)[action]
        assert lists == to_lists(board)


@pytest.mark.parametrize("action", [(0, 0), (3, 0), (-1, 0), (0, 3)])
def test_result_refuses_what_is_not_valid(action: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a valid action"):
        RULES["result"]([["X", None, None], [None] * 3, [None] * 3], action)


def test_marks_that_nobody_knows_break_nothing() -> None:
    odd = [["x", "x", "x"], [1, None, "O"], [None, None, None]]
    assert RULES["winner"](odd) == "x" and RULES["terminal"](odd) and RULES["utility"](odd) == -1
    assert (0, 0) not in RULES["actions"](odd) and (1, 1) in RULES["actions"](odd)
    assert RULES["result"](odd, (1, 1))[1] == [1, RULES["player"](odd), "O"]
