"""The rule functions that stand in for a submission's wrong ones, on every board."""

from typing import Any

import pytest

from grader.game import oracle
from grader.game.board import empty_cells, from_lists, to_lists
from grader.game.interface import FUNCTIONS
from grader.worker import rules

RULES: dict[str, Any] = dict(rules.RULES)


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
