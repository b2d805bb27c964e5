"""The quick deepcopy must be told from the real one by nothing but the clock."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.worker.quick import QuickCopy


@pytest.fixture
def quick() -> Iterator[Callable[[Any], Any]]:
    original = copy.deepcopy
    switch = QuickCopy()
    switch.install()
    switch.on = True
    yield copy.deepcopy
    copy.deepcopy = original
    del copy.id  # type: ignore[attr-defined]


SHARED = [None, "X", None]
TUPLE_OF_LIST = ([1],)


@pytest.mark.parametrize(
    "value",
    [
        [["X", None, "O"], [None] * 3, ["O", "X", None]],
        [],
        [[]],
        "text",
        None,
        {"a": [1]},
        [1, [2]],
        [[[1]], [2]],
        [[[1]], [2], [3]],
        [[1], [2]],
        [[1], (2,), [3]],
        (1, [2]),
    ],
)
def test_a_copy_is_equal_and_shares_nothing_that_can_change(quick: Callable[[Any], Any], value: Any) -> None:
    copied = quick(value)
    assert copied == value and type(copied) is type(value)
    if isinstance(value, list):
        assert copied is not value
        assert all(new is not old for new, old in zip(copied, value, strict=True) if isinstance(old, list))


def test_rows_that_are_one_list_stay_one_list(quick: Callable[[Any], Any]) -> None:
    copied = quick([SHARED, SHARED, SHARED])
    assert copied[0] is copied[1] is copied[2] and copied[0] is not SHARED
    copied = quick([SHARED, ["X"], SHARED])
    assert copied[0] is copied[2] and copied[0] is not SHARED


def test_cells_that_can_change_are_copied(quick: Callable[[Any], Any]) -> None:
    copied = quick([[TUPLE_OF_LIST]])
    assert copied[0][0][0] is not TUPLE_OF_LIST[0]
    copied = quick([[None], [None], [TUPLE_OF_LIST]])
    assert copied[2][0][0] is not TUPLE_OF_LIST[0]


def test_a_memo_is_filled_as_ever(quick: Callable[[Any], Any]) -> None:
    memo: dict[int, Any] = {}
    board = [[1], [2]]
    copied = copy.deepcopy(board, memo)
    assert any(value is copied for value in memo.values())
