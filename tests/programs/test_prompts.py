"""Questions as real programs put them: what is asked, and what is answered so that the program begins."""

import pytest

from grader.programs.prompts import Kind, Wish, answers, asked, likely_families
from grader.programs.squares import Family

QUESTIONS = [
    ("Do you want to be X or O? ", Kind.MARK, "O", "X"),
    ("Choose your symbol (x/o): ", Kind.MARK, "o", "x"),
    ("Choose X or O\nChosen: ", Kind.MARK, "O", "X"),
    ("Press 1 for X, 2 for O: ", Kind.MARK, "2", "1"),
    ("Play as 1) X or 2) O ?", Kind.MARK, "2", "1"),
    ("Would you like to play as X? (y/n) ", Kind.MARK, "n", "y"),
    ("Do you want to go first? (y/n): ", Kind.WHO, "n", "y"),
    ("Would you like to start? Enter 'Y' or 'N': ", Kind.WHO, "N", "Y"),
    ("Do you want to play first? (yes/no) ", Kind.WHO, "no", "yes"),
    ("Should the computer go first? (y/n) ", Kind.WHO, "y", "n"),
    ("Who goes first?\n1. You\n2. Computer\nChoice: ", Kind.WHO, "2", "1"),
    ("Who starts, human or computer? ", Kind.WHO, "computer", "human"),
    ("Who goes first? (p = player, c = computer): ", Kind.WHO, "c", "p"),
    ("Do you want to be X or O? X always goes first. ", Kind.MARK, "O", "X"),
    ("Shall I start (y/n)? ", Kind.WHO, "y", "n"),
    ("Who goes first, you or HAL? ", Kind.WHO, "HAL", "you"),
    ("Do you want to go first or second? ", Kind.WHO, "second", "first"),
    (
        "1. Human vs Human\n2. Human vs Computer\n3. Computer vs Computer\n4. Quit\nYour choice: ",
        Kind.MENU,
        "2",
        "2",
    ),
    ("1) Play\n2) Rules\n3) Exit\n> ", Kind.MENU, "1", "1"),
    ("Choose a difficulty:\n1. Easy\n2. Medium\n3. Hard\n> ", Kind.DIFFICULTY, "3", "3"),
    ("Difficulty (easy, medium, impossible): ", Kind.DIFFICULTY, "impossible", "impossible"),
    ("What is your name? ", Kind.NAME, "Alex", "Alex"),
    ("Enter the size of the board: ", Kind.SIZE, "3", "3"),
    ("Do you take the first move this time? (true/false) ", Kind.WHO, "false", "true"),
    ("Noughts or crosses? ", Kind.MARK, "noughts", "crosses"),
    ("Heads or tails? ", Kind.EITHER, "Heads", "Heads"),
    ("How many players? ", Kind.PLAYERS, "1", "1"),
    ("Press Enter to continue...", Kind.ENTER, "", ""),
    ("Do you want to see the rules? (y/n)", Kind.RULES, "n", "n"),
]


@pytest.mark.parametrize(
    ("text", "kind", "so_it_begins", "so_i_begin"), QUESTIONS, ids=lambda value: str(value)[:30]
)
def test_a_question_is_known_and_answered(text: str, kind: Kind, so_it_begins: str, so_i_begin: str) -> None:
    question = asked(text)
    assert question.kind is kind
    assert answers(question, Wish.PROGRAM)[0] == so_it_begins
    assert answers(question, Wish.USER)[0] == so_i_begin


@pytest.mark.parametrize(
    "text",
    [
        "Enter your move (1-9): ",
        "Your turn, X: ",
        "Where do you want to go? ",
        "Row: ",
        "Enter row and column: ",
        "You are O and the computer is X. X starts.\n _ _ _\n _ _ _\n _ _ _\nWhat is your move? ",
        "X moves first. Good luck!\nPlayer X, choose a square: ",
        "",
        "> ",
        "Elige una casilla (1-9): ",
        "    A B C\n  1 - - -\n  2 - X -\n  3 - - -\n\nDitt drag (rad och kolumn, t.ex. 2B): ",
    ],
)
def test_a_move_is_asked_for(text: str) -> None:
    assert asked(text).kind is Kind.MOVE


def test_one_line_may_ask_for_two_things_one_after_the_other() -> None:
    level = asked("1 - Fácil\n2 - Impossível\nOpção: ")
    first = asked("Quem vai jogar?\n1 - Ana\n2 - Computador\nOpção: ")
    assert (level.kind, first.kind) == (Kind.DIFFICULTY, Kind.MENU)
    assert level.signature == first.signature and level.key != first.key
    assert answers(level, Wish.PROGRAM)[0] == "2" == answers(first, Wish.PROGRAM)[0]


def test_the_same_prompt_is_known_again_whatever_number_is_in_it() -> None:
    assert asked("Move 1, your square: ").signature == asked("Move 12, your square: ").signature


@pytest.mark.parametrize(
    ("line", "family"),
    [
        ("Enter your move (1-9): ", Family.NUMBER),
        ("Enter a square, 1-9 in row-major order: ", Family.NUMBER),
        ("Enter row and column: ", Family.PAIR),
        ("Enter row,col (e.g. 1,2): ", Family.COMMA),
        ("Row: ", Family.LINES),
        ("Your square, like b2 > ", Family.LETTER),
        ("Row letter and column number, like B 2: ", Family.CAPITAL_APART),
        ("Say it in words, like upper left: ", Family.WORDS),
        ("You can insert in the following positions : 2 3 5 8 9", Family.NUMBER),
        ("Squares are 1..9, left to right, top to bottom", Family.NUMBER),
    ],
)
def test_the_words_tell_how_a_move_is_typed(line: str, family: Family) -> None:
    assert likely_families(line)[0] is family


def test_words_that_do_not_tell_leave_all_ways_open() -> None:
    assert likely_families("Your move: ") == []


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("Enter position [0, 8]: ", Family.NUMBER),
        ("Choose [1,9]", Family.NUMBER),
        ("a number between 1 and 9", Family.NUMBER),
        ("0..8", Family.NUMBER),
        ("Enter your move (row, col): ", Family.COMMA),
        ('move as a b ie "1 1"', Family.PAIR),
        ("Enter row and column (0, 1, or 2) separated by space:", Family.PAIR),
        ("Enter moves white space separated ex: 1,1", Family.COMMA),
        ("Enter row [0, 2]: ", Family.LINES),
        ("free squares: 1, 2, 3, 5", Family.NUMBER),
        ("Available moves: a1,a2,a3,b1", Family.LETTER),
    ],
)
def test_what_a_prompt_states_is_typed_first(prompt: str, first: Family) -> None:
    assert likely_families(prompt)[0] is first
