"""What came of a call: the value, and whether the board was left alone, on every board."""

from collections.abc import Callable
from typing import Any

import pytest

from grader.core.game import oracle
from grader.core.game.board import Board
from grader.worker import calling
from grader.worker.calling import Answers
from grader.worker.watch import Lookout

BOARD = Board("XO.X..O..")


class Equal:
    """Says that it equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def answer_of(function: Callable[[Any], object], board: Board = BOARD) -> str:
    (answer,) = Answers(Lookout()).to(function, [(board,)], 1.0)
    return answer


def test_boards_that_are_drawn_beforehand_are_those_that_would_be_drawn_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("_BOARDS", "_TEXTS"):
        monkeypatch.setattr(calling, name, {})
    calling.draw_boards()
    boards, texts = dict[str, Any](), dict[bytes, str]()
    for cells in calling._BOARDS:
        calling._draw(cells, boards, texts)
    assert (boards, texts) == (calling._BOARDS, calling._TEXTS)
    assert boards.keys() >= set(oracle.boards())


def test_a_board_that_is_only_read_is_left_alone() -> None:
    calls = [(board,) for board in oracle.boards() * 2]
    told = Answers(Lookout()).to(lambda board: len([cell for row in board for cell in row]), calls, 1.0)
    assert "\t".join(told).split("\t") == len(calls) * ['["returned",9]']


@pytest.mark.parametrize(
    "change",
    [
        lambda board: board.__setitem__(0, list(board[0])),
        lambda board: board[1].__setitem__(0, "".join(["X"])),
        lambda board: board.__setitem__(slice(None), [row[:] for row in board]),
        lambda board: (board[2].__setitem__(2, "X"), board[2].__setitem__(2, None)),
    ],
    ids=["another row", "an equal mark", "other rows", "and back"],
)
def test_a_board_that_is_the_same_as_before_is_left_alone(change: Callable[[Any], object]) -> None:
    assert answer_of(lambda board: (change(board), 1)[1]) == '["returned",1]'


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda board: board[2].__setitem__(2, "X"), '["b","XO.X..O.X"]'),
        (lambda board: board[0].__setitem__(0, None), '["b",".O.X..O.."]'),
        (lambda board: board.reverse(), '["b","O..X..XO."]'),
        (lambda board: board[1].append("X"), '["l",["l","X","O",null],["l","X",null,null,"X"],["l","O",null,null]]'),
        (lambda board: board[1].clear(), '["l",["l","X","O",null],["l"],["l","O",null,null]]'),
        (lambda board: board.pop(), '["l",["l","X","O",null],["l","X",null,null]]'),
        (lambda board: board.append([]), '["l",["l","X","O",null],["l","X",null,null],["l","O",null,null],["l"]]'),
        (
            lambda board: board[0].__setitem__(0, Equal()),
            '["l",["l",["?","an object of class Equal"],"O",null],["l","X",null,null],["l","O",null,null]]',
        ),
    ],
)  # fmt: skip
def test_every_change_of_the_board_is_seen(change: Callable[[Any], object], after: str) -> None:
    assert answer_of(lambda board: (change(board), 1)[1]) == f'["returned",1,{after},"nothing"]'
    raised = answer_of(lambda board: (change(board), 1 / 0))
    assert raised.startswith('["raised","ZeroDivisionError",') and f',{after},"nothing"]' in raised


def test_what_an_answer_shares_with_a_changed_board_is_told() -> None:
    def itself(board: Any) -> object:
        board[0][2] = "X"
        return board

    assert answer_of(itself) == '["returned",["b","XOXX..O.."],["b","XOXX..O.."],"itself"]'
    assert answer_of(lambda board: list(itself(board))).endswith('"rows"]')  # type: ignore[call-overload]
