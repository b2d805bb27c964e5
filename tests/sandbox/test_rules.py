"""The rule functions that stand in for a submission's wrong ones, on every board."""

import marshal
from types import FunctionType
from typing import Any

import pytest

from grader.game import oracle
from grader.game.board import empty_cells, from_lists, to_lists
from grader.game.interface import FUNCTIONS
from grader.sandbox import rules

RULES: dict[str, Any] = {
    name: getattr(rules, name) for name in ("player", "actions", "result", "winner", "terminal", "utility")
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_is_sent_is_the_same_and_says_nothing_of_its_origin(name: str) -> None:
    sent = rules.sent(name)
    code, tables = marshal.loads(sent)
    assert set(tables) <= {"_LINES", "_CELLS"}
    assert b"grader" not in sent
    others = set(RULES) - {name}
    assert not others & set(code.co_names), "it needs another rule function"
    function = FunctionType(code, {"__builtins__": __builtins__, **tables})
    lists = [["X", None, None], ["O", "X", None], [None, None, "X"]]
    arguments = (lists, (0, 1)) if name == "result" else (lists,)
    assert function(*arguments) == RULES[name](*arguments)


@pytest.mark.parametrize("name", ["player", "actions", "winner", "terminal", "utility"])
def test_a_rule_is_right_on_every_board(name: str) -> None:
    for board in FUNCTIONS[name].domain.members():
        assert RULES[name](to_lists(board)) == FUNCTIONS[name].answer(board)


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
