"""Drawings of boards as real programs have them, and what must be read from each."""

from collections.abc import Mapping
from typing import Final

import pytest

from grader.core.game.board import START, Board, rows
from grader.programs.boards import (
    can_be_won,
    comes_before,
    is_fresh,
    latest,
    opening,
    readings,
    shown,
    with_one_more,
)

XO: Final = {"X": "X", "O": "O"}
DRAWINGS: Final[dict[str, str]] = {
    "inner bars": " X | O |  \n---+---+---\n   | X |  \n---+---+---\n   |   | O",
    "inner bars, short rules": "X|O| \n-----\n |X| \n-----\n | |O",
    "rules with bars": " X | O |  \n---|---|---\n   | X |  \n---|---|---\n   |   | O ",
    "outer bars": "+---+---+---+\n| X | O |   |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n|   |   | O |\n+---+---+---+",
    "doubled bars": "| X || O ||   |\n---------------\n|   || X ||   |\n---------------\n|   ||   || O |",
    "underscores": "X O _\n_ X _\n_ _ O",
    "dashes": "X O -\n- X -\n- - O",
    "long dashes": "X O —\n— X —\n— — O",
    "question marks": "X O ?\n? X ?\n? ? O",
    "digits of the cells": "X O 3\n4 X 6\n7 8 O",
    "digits of the cells from 0, with bars": " X | O | 2 \n 3 | X | 5 \n 6 | 7 | O ",
    "tabs, as a screen shows them": "X       O       _\n_       X       _\n_       _       O",
    "fixed width": "  X  O   \n     X   \n        O",
    "three together": "XO_\n_X_\n__O",
    "lists": "['X', 'O', ' ']\n[' ', 'X', ' ']\n[' ', ' ', 'O']",
    "lists with None": "['X', 'O', None]\n[None, 'X', None]\n[None, None, 'O']",
    "one list of lists": "[['X', 'O', ''], ['', 'X', ''], ['', '', 'O']]",
    "brackets": "[X][O][ ]\n[ ][X][ ]\n[ ][ ][O]",
    "wide brackets with labels": "    A   B   C\n1 [ X][ O][  ]\n2 [  ][ X][  ]\n3 [  ][  ][ O]",
    "labels before bars": "    1   2   3\n1 | X | O |   |\n2 |   | X |   |\n3 |   |   | O |",
    "labels before tokens": "  0 1 2\n0 X O .\n1 . X .\n2 . . O",
    "small letters": " x | o |  \n   | x |  \n   |   | o",
    "stars": " X * O *  \n***********\n   * X *  \n***********\n   *   * O",
    "colons with labels": "     A   B   C\n 1   X : O : .\n 2   . : X : .\n 3   . : . : O",
    "dashes, three together": "XO-\n-X-\n--O",
    "a frame": "#############\n# X | O |   #\n#   | X |   #\n#   |   | O #\n#############",
    "three lines a cell": "   |   |\n X | O |\n   |   |\n-----------\n   |   |\n   | X |\n   |   |\n-----------\n   |   |\n   |   | O\n   |   |",
    "three lines a cell with underscores": "     |     |\n  X  |  O  |\n_____|_____|_____\n     |     |\n     |  X  |\n_____|_____|_____\n     |     |\n     |     |  O\n     |     |",
    "cells with a bottom line": "_X_|_O_|___\n___|_X_|___\n   |   | O ",
    "lines of a box": " X │ O │  \n───┼───┼───\n   │ X │  \n───┼───┼───\n   │   │ O",
    "a legend before it": "1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9\n\n X | O |  \n---+---+---\n   | X |  \n---+---+---\n   |   | O",
    "a legend beside it": " X | O |          1 | 2 | 3\n---+---+---     ---+---+---\n   | X |          4 | 5 | 6\n---+---+---     ---+---+---\n   |   | O        7 | 8 | 9",
    "a legend without bars beside it": "   X | O |          1 2 3\n  -----------\n     | X |          4 5 6\n  -----------\n     |   | O        7 8 9",
    "a legend without bars before it": "1 2 3      X | O |\n          -----------\n4 5 6        | X |\n          -----------\n7 8 9        |   | O",
    "a legend before it, with outer bars": "|7|8|9|     |X|O| |\n|4|5|6|     | |X| |\n|1|2|3|     | | |O|",
    "a legend beside it, three together": "XO-  123\n-X-  456\n--O  789",
    "a legend without bars behind a box": "  ║ X ║ O ║   ║      1 2 3\n  ╠═══╬═══╬═══╣\n  ║   ║ X ║   ║      4 5 6\n  ╠═══╬═══╬═══╣\n  ║   ║   ║ O ║      7 8 9",
    "letters of the cells": "| X | O | c |\n| d | X | f |\n| g | h | O |",
    "colons and dotted rules": " X : O :   \n...:...:...\n   : X :   \n...:...:...\n   :   : O",
    "colons between bars": ".-----------.\n| X : O : 3 |\n|...:...:...|\n| 4 : X : 6 |\n|...:...:...|\n| 7 : 8 : O |\n'-----------'",
    "marks in brackets that touch": "[X][O] 3\n 4 [X] 6\n 7  8 [O]",
    "numbers between stars": "*************\n* X * O * 3 *\n*************\n* 4 * X * 6 *\n*************\n* 7 * 8 * O *\n*************",
    "numbers in the corners": "+-----+-----+-----+\n|     |     |9    |\n|  X  |  O  |     |\n+-----+-----+-----+\n|4    |     |6    |\n|     |  X  |     |\n+-----+-----+-----+\n|1    |2    |     |\n|     |     |  O  |\n+-----+-----+-----+",
    "numbers in the corners that stay": " 1     | 2     | 3\n   X   |   O   |\n       |       |\n-------+-------+-------\n 4     | 5     | 6\n       |   X   |\n       |       |\n-------+-------+-------\n 7     | 8     | 9\n       |       |   O\n       |       |",
    "words before the rows": "          left  middle  right\n    top     X      O      -\n middle     -      X      -\n bottom     -      -      O",
    "words and numbers before the rows": "      col 1  col 2  col 3\nrow 1    X      O      -\nrow 2    -      X      -\nrow 3    -      -      O",
    "words and numbers before bars": "        1   2   3\nRow 1  X | O |  \n      ---|---|---\nRow 2    | X |  \n      ---|---|---\nRow 3    |   | O",
    "a legend without bars behind cells with a bottom line": "_X_|_O_|___        1 2 3\n___|_X_|___        4 5 6\n   |   | O         7 8 9",
    "words and letters before bars": "Zeile A: X | O | .\nZeile B: . | X | .\nZeile C: . | . | O",
    "blanks in a frame": "---------\n| X O   |\n|   X   |\n|     O |\n---------",
    "blanks in a frame, a legend beside it": "   +-----------+\n   | X   O     |      | 1   2   3 |\n   |     X     |      | 4   5   6 |\n   |         O |      | 7   8   9 |\n   +-----------+",
    "blanks in a frame farther in": "   +-----------+\n   | X   O     |\n   |     X     |\n   |         O |\n   +-----------+",
    "a bar behind the numbers of rows": "  | 1 2 3\n--+------\n1 | X O .\n2 | . X .\n3 | . . O",
    "an array of letters": "[['X' 'O' ' ']\n [' ' 'X' ' ']\n [' ' ' ' 'O']]",
    "a matrix in quotes": "     [,1] [,2] [,3]\n[1,] \"X\"  \"O\"  \" \"\n[2,] \" \"  \"X\"  \" \"\n[3,] \" \"  \" \"  \"O\"",
    "a dictionary": "{1: 'X', 2: 'O', 3: ' ', 4: ' ', 5: 'X', 6: ' ', 7: ' ', 8: ' ', 9: 'O'}",
    "a table with NaN": "     A    B    C\n1    X    O  NaN\n2  NaN    X  NaN\n3  NaN  NaN    O",
    "a word for what is free": "Fila 1       X       O   libre\nFila 2   libre       X   libre\nFila 3   libre   libre       O",
    "round brackets": "( X )( O )(   )\n(   )( X )(   )\n(   )(   )( O )",
    "a star at the last move": " X | O*|   \n---|---|---\n   | X |   \n---|---|---\n   |   | O ",
    "arrows at the last move": "| X |>O<| 3 |\n| 4 | X | 6 |\n| 7 | 8 | O |",
    "semicolons behind the cells": "X;O; ;\n ;X; ;\n ; ;O;",
    "blanks below a header": "   1 2 3\n1: X O\n2:   X\n3:     O",
    "an older board before it": " X |   |  \n   | X |  \n   |   | O\nMy move:\n X | O |  \n   | X |  \n   |   | O",
}  # fmt: skip
BOARD: Final = Board("XO..X...O")
LEGEND: Final = "Squares are numbered:\n1|2|3\n4|5|6\n7|8|9"
ROUND: Final = {"X": ["\\ /", " X ", "/ \\"], "O": ["/-\\", "|O|", "\\-/"], ".": ["   "] * 3}
HASHES: Final = {
    "X": ["#   #", " # # ", "  #  ", " # # ", "#   #"],
    "O": [" ### ", "#   #", "#   #", "#   #", " ### "],
    ".": ["     "] * 5,
}


def pictures(drawn: Mapping[str, list[str]], bar: str, rule: str, label: str) -> str:
    """Return the board with marks over several lines, and a label at the middle of each row."""
    rows = []
    for row in range(3):
        cells = [drawn[sign] for sign in BOARD[3 * row : 3 * row + 3]]
        lines = [bar.join(parts) for parts in zip(*cells, strict=True)]
        named = [f"{row + 1 if at == len(lines) // 2 else ' '}{label}{line}" for at, line in enumerate(lines)]
        rows.append("\n".join(line.rstrip() for line in named))
    return f"\n{rule}\n".join(rows)


DRAWINGS["pictures with a letter"] = pictures(ROUND, "  |  ", "  -------+-------+-------", "   ")
DRAWINGS["pictures of one sign"] = pictures(HASHES, "  %  ", "%" * 30, "     ")
WIDE: Final = {at: at + 0xFEE0 for at in range(0x21, 0x7F)} | {0x20: 0x3000}
DRAWINGS["full-width signs"] = DRAWINGS["labels before bars"].translate(WIDE)
BEFORE: Final = Board("X...X...O")


PICTURES_AND_NUMBERS: Final = """\
  \\ /  #  /-\\  #
   X   #  |O|  #  (3)
  / \\  #  \\-/  #
#######################
       #  \\ /  #
  (4)  #   X   #  (6)
       #  / \\  #
#######################
       #       #  /-\\
  (7)  #  (8)  #  |O|
       #       #  \\-/
"""
DRAWINGS["pictures and numbers between rules of one sign"] = PICTURES_AND_NUMBERS


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_board_is_read_from_its_drawing(name: str) -> None:
    found = latest(DRAWINGS[name].splitlines(), with_one_more(BEFORE, "O"), {})
    assert found and (found[0], dict(found[1])) == (BOARD, XO)


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_other_board_is_read_that_could_follow(name: str) -> None:
    """Given a drawing, of all boards that one more O can make only one is there."""
    found = {
        board
        for reading in readings(DRAWINGS[name].splitlines())
        for board in with_one_more(BEFORE, "O")
        if reading.signs_of(board, XO) is not None
    }
    assert found == {BOARD}


@pytest.mark.parametrize(
    ("signs", "text"),
    [
        ({"X": "X", "O": "0"}, "X 0 .\n. X .\n. . 0"),
        ({"X": "A", "O": "B"}, "A B .\n. A .\n. . B"),
        ({"X": "1", "O": "2"}, "1 2 0\n0 1 0\n0 0 2"),
        ({"X": "O", "O": "X"}, "O X _\n_ O _\n_ _ X"),
    ],
)
def test_marks_are_whatever_stands_where_they_were_put(signs: Mapping[str, str], text: str) -> None:
    found = latest(text.splitlines(), with_one_more(BEFORE, "O"), {})
    assert found and (found[0], found[1]) == (BOARD, signs)


@pytest.mark.parametrize(
    "text",
    [
        "1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9",
        "0 1 2\n3 4 5\n6 7 8",
        "Welcome to the game\nhave fun now\nyou are X here",
        "--- --- ---\n--- --- ---\n--- --- ---",
    ],
)
def test_legends_rules_and_prose_are_no_boards(text: str) -> None:
    boards = with_one_more(Board("X........"), "O")
    assert latest(text.splitlines(), boards, {}) is None


def test_the_first_move_of_a_program_is_seen() -> None:
    lines = (
        "Welcome!\n\n   |   |  \n---+---+---\n   | X |  \n---+---+---\n   |   |  \nYour move: ".splitlines()
    )
    assert opening(lines) == ("....X....", {"X": "X"})


@pytest.mark.parametrize("sign", "*#+")
def test_a_mark_may_be_a_sign_where_every_free_square_is_drawn(sign: str) -> None:
    lines = f"    1   2   3\nA   .   .   .\n\nB   .   {sign}   .\n\nC   .   .   .\n\nSquare:".splitlines()
    assert opening(lines) == ("....X....", {"X": sign})


@pytest.mark.parametrize("rule", ["*************", "* - * - * - *", ""])
def test_a_number_with_what_is_drawn_around_it_is_no_first_move(rule: str) -> None:
    rows = ["* 1 * 2 * 3 *", "* 4 * 5 * 6 *", "* 7 * 8 * 9 *"]
    assert (
        opening(f"{rule}\n{f'{chr(10)}{rule}{chr(10)}'.join(rows)}\n{rule}\nYour move?".splitlines()) is None
    )


def test_a_number_of_a_legend_is_no_first_move() -> None:
    lines = (
        "   ___|___|___        1 2 3\n   ___|___|___        4 5 6\n      |   |           7 8 9".splitlines()
    )
    assert opening(lines) is None
    assert latest(lines, [START], {}) == (START, {})


def test_an_empty_board_is_read_behind_words_and_numbers() -> None:
    lines = "Fila 1    |   |\n       ---|---|---\nFila 2    |   |\n       ---|---|---\nFila 3    |   |".splitlines()
    assert latest(lines, [START], {}) == (START, {})
    assert opening([*lines[:4], "Fila 3    |   | X"]) == (Board("........X"), {"X": "X"})


def test_an_example_in_the_help_is_no_first_move() -> None:
    lines = "For example:\n X |   |  \n   |   |  \n   |   |  \nNow it begins.\n _ | _ | _\n _ | _ | _\n _ | _ | _\n> ".splitlines()
    assert opening(lines) is None


@pytest.mark.parametrize("cell", range(9))
def test_a_first_move_is_seen_between_filler_lines(cell: int) -> None:
    rows = []
    for row in range(3):
        marks = ["X" if 3 * row + column == cell else " " for column in range(3)]
        rows += ["     |     |     ", f"  {marks[0]}  |  {marks[1]}  |  {marks[2]}  ", "_____|_____|_____"]
    assert opening(rows) == ("." * cell + "X" + "." * (8 - cell), {"X": "X"})


@pytest.mark.parametrize("cell", range(9))
def test_in_a_frame_a_mark_stands_in_its_column(cell: int) -> None:
    """Given a frame with one mark in it, of all boards with one mark only that one is there."""
    drawn = ["X" if at == cell else " " for at in range(9)]
    lines = ["---------", *(f"| {' '.join(drawn[at : at + 3])} |" for at in (0, 3, 6)), "---------"]
    found = {
        board
        for reading in readings(lines)
        for board in with_one_more(START, "X")
        if reading.signs_of(board, {}) is not None
    }
    assert found == {"." * cell + "X" + "." * (8 - cell)}


def test_a_new_board_below_is_fresh() -> None:
    won = "X X X\nO O .\n. . .\nI won!".splitlines()
    assert not is_fresh(won, 2)
    assert is_fresh([*won, "New game", ". . .", ". . .", ". . ."], 2)
    begun = [*won, "New game, I begin", ". . .", ". O .", ". . ."]
    assert is_fresh(begun, 2, ["X", "O"]) and not is_fresh(begun, 2)


def test_a_wrong_board_is_shown_as_it_is_drawn() -> None:
    assert shown("X O X\nX X .\n. . O".splitlines(), XO, BOARD) == "XOXXX...O"
    assert shown("X O .\n. X .\n. . O\nInvalid!".splitlines(), XO, BOARD) == BOARD
    assert shown(["That is taken."], XO, BOARD) is None
    assert shown(["X . .", ". . .", ". . ."], XO, BOARD) is None  # older than what is known


def test_what_stood_there_before_is_no_answer() -> None:
    lines = "X O .\n. X .\n. . O\nYour move: ".splitlines()
    assert latest([*lines, "Again please: "], [BOARD], XO, lines) is None
    found = latest([*lines, "X O .", ". X .", ". . O"], [BOARD], XO, lines)
    assert found and found[0] == BOARD


@pytest.mark.parametrize("sign", ["✗", "◯", "★", "@", "A"])
def test_a_mark_may_be_any_sign(sign: str) -> None:
    assert opening(f"{sign} . .\n. . .\n. . .".splitlines()) == ("X........", {"X": sign})


def test_the_empty_board_has_no_marks() -> None:
    assert latest("_ _ _\n_ _ _\n_ _ _".splitlines(), [START], {}) == (START, {})


def test_a_legend_below_a_board_is_no_new_game() -> None:
    """Given a program that has begun, and names the squares below its board."""
    assert opening(f"Board:\nX| |\n | |\n | |\n\n{LEGEND}".splitlines()) == (Board("X........"), {"X": "X"})
    assert opening(f"| X | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 | 9 |\n\n{LEGEND}".splitlines()) is None


def test_numbers_for_marks_in_an_array() -> None:
    """Given numbers of different widths: where brackets touch them, they are no others."""
    lines = ["[[-1  1  0]", " [ 0 -1  0]", " [ 0  0  1]]"]
    assert latest(lines, [BOARD], {}) == (BOARD, {"X": "-1", "O": "1"})


def test_words_for_marks() -> None:
    lines = ["Human | Computer | empty", "empty | Human | empty", "empty | empty | Computer"]
    assert latest(lines, [BOARD], {}) == (BOARD, {"X": "Human", "O": "Computer"})


@pytest.mark.parametrize("cell", range(9))
def test_a_mark_in_wide_brackets_is_where_it_stands(cell: int) -> None:
    cells = ["[ X]" if at == cell else "[  ]" for at in range(9)]
    lines = ["    A   B   C", *(f"{row + 1} {''.join(cells[3 * row : 3 * row + 3])}" for row in range(3))]
    found = opening(lines)
    assert found and found[0].index("X") == cell


def test_what_was_drawn_before_a_question_was_answered_is_no_opening() -> None:
    example = ["a |X| | |", "b | | | |", "c | | | |"]
    assert opening(example) is not None
    assert opening([*example, "Mode?", "Your move:"], before=[*example, "Mode?"]) is None


def test_a_mark_that_is_drawn_before_mine_is_not_mine() -> None:
    """Given a move and a reply that are drawn one after the other, in either order."""
    signs, mine, both = {"X": "X", "O": "O"}, Board("X........"), Board("X...O....")
    without_mine = Board("....O....")
    shown = {
        board: ["|".join(row).replace(".", " ") for row in rows(board)]
        for board in (mine, without_mine, both)
    }
    (frame,) = {
        reading.frame
        for reading in readings(shown[both])
        if reading.as_drawn(signs) == both and reading.kind[0] == "bars"
    }
    right, wrong = ([*shown[first], "", *shown[both]] for first in (mine, without_mine))
    assert not comes_before(right, without_mine, mine, signs, {frame})
    assert comes_before(wrong, without_mine, mine, signs, {frame})


def test_squares_that_are_listed_in_a_sentence_are_no_board() -> None:
    assert not readings(["Positions = [0,1,2,3,4,5,6,7,8]"])
    assert readings(["['X', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ']"])


def test_pictures_that_have_a_column_in_common_are_told_from_bars() -> None:
    """Given rings in a whole column: their sides run through all lines as the bars do."""
    ring, cross, free = ("###", "# #", "###"), ("# #", " # ", "# #"), ("   ",) * 3
    cells = [cross, ring, cross, cross, ring, free, free, ring, free]
    lines: list[str] = []
    for row in range(3):
        lines += [f" |{'|'.join(cell[line] for cell in cells[3 * row : 3 * row + 3])}|" for line in range(3)]
        lines.append("-" * 14)
    signs = {"X": "X", "O": "O"}
    assert Board("XOXXO..O.") in [reading.as_drawn(signs) for reading in readings(lines)]


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (".........", True),
        ("XXXOO....", True),  # it is won
        ("XOXXOOOX.", False),
        ("XOXOOX.X.", True),  # X has the last column if O lets it
        ("XOXOOX.XO", False),  # X has no line any more, and O has no turn
    ],
)
def test_whether_anybody_can_still_win(board: str, expected: bool) -> None:
    assert can_be_won(Board(board)) is expected
