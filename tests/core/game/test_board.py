import itertools

import pytest

from grader.core.game import board as game
from grader.core.game.board import LINES, START, Board, parse

DIAGONAL = parse(["XO.", "OX.", "..X"])


@pytest.mark.parametrize(
    "drawing",
    [
        "XO.\nOX.\n..X",
        "X O .\nO X .\n. . X\n",
        "X|O|.\nO|X|.\n.|.|X",
        ["XO.", "OX.", "..X"],
        "\nXO.\n\nOX.\n..X\n",
    ],
)
def test_a_board_is_read_however_it_is_spaced(drawing: str | list[str]) -> None:
    assert parse(drawing) == "XO.OX...X"


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        *((drawing, "three rows of three cells") for drawing in ("XO.\nOX.", "XO.\nOX.\n..XX", "")),
        ("XO.\nOX.\n..x", "not 'x'"),
        ("XO0\nOX.\n..X", "not '0'"),
    ],
)
def test_a_drawing_that_is_no_board_is_refused_with_a_sentence(drawing: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse(drawing)


def test_rules_on_one_board() -> None:
    assert game.rows(DIAGONAL) == ("XO.", "OX.", "..X")
    assert game.marks(DIAGONAL) == 5
    assert game.side_to_move(DIAGONAL) == "O"
    assert game.empty_cells(DIAGONAL) == ((0, 2), (1, 2), (2, 0), (2, 1))
    assert game.taken_cells(DIAGONAL) == ((0, 0), (0, 1), (1, 0), (1, 1), (2, 2))
    assert game.winning_line(DIAGONAL) == "the diagonal"
    assert game.winner(DIAGONAL) == "X"
    assert game.is_over(DIAGONAL)


def test_x_starts_and_places_its_mark() -> None:
    assert game.side_to_move(START) == "X"
    assert game.place(START, (1, 1)) == "....X...."
    assert game.place(game.place(START, (1, 1)), (0, 0)) == "O...X...."


def test_the_eight_lines_are_the_three_cells_in_a_row() -> None:
    assert len(LINES) == 8
    for cells in LINES.values():
        steps = {cells[1] - cells[0], cells[2] - cells[1]}
        assert len(steps) == 1 and steps <= {1, 2, 3, 4}


def test_a_full_board_without_a_line_is_over_and_nobodys() -> None:
    tie = parse("XOX\nXOO\nOXX")
    assert game.is_over(tie)
    assert game.winner(tie) is None


def test_boards_go_to_lists_and_back() -> None:
    assert game.to_lists(DIAGONAL) == [["X", "O", None], ["O", "X", None], [None, None, "X"]]
    assert game.from_lists(game.to_lists(DIAGONAL)) == DIAGONAL


@pytest.mark.parametrize(
    "value",
    [
        None,
        "XO.OX...X",
        [["X"] * 3] * 2,
        [["X"] * 3, ["X"] * 3, ["X"] * 2],
        (("X",) * 3,) * 3,
        [["x"] * 3] * 3,
        [[0] * 3] * 3,
        [("X",) * 3] * 3,
    ],
)
def test_what_is_no_board_is_told_apart(value: object) -> None:
    assert game.from_lists(value) is None


@pytest.mark.parametrize(
    ("value", "action"),
    [((0, 1), (0, 1)), ((True, 1), (1, 1)), ((1.0, 2), (1, 2)), ((7, 7), (7, 7)), ((-1, 0), (-1, 0))],
)
def test_a_pair_of_numbers_is_an_action(value: object, action: tuple[int, int]) -> None:
    assert game.as_action(value) == action


@pytest.mark.parametrize(
    "value",
    [None, 3, "01", (), (0,), (0, 1, 2), [0, 1], (None, 1), ("0", "1"), ([0], 1), (0, {}), ((0, 1), 1)],
)
def test_nothing_else_is_an_action(value: object) -> None:
    assert game.as_action(value) is None


def test_empty_and_taken_cells_are_all_cells() -> None:
    for cells in itertools.product("XO.", repeat=9):
        board = Board("".join(cells))
        empty = [cell for cell, mark in zip(game.CELLS, board, strict=True) if mark == "."]
        assert list(game.empty_cells(board)) == empty
        assert sorted((*game.empty_cells(board), *game.taken_cells(board))) == list(game.CELLS)
