"""Boards of blanks, without a separator: how they are laid out is learned from the screens of a whole game."""

from types import SimpleNamespace
from typing import Any

import pytest

from grader.core.game.board import Board
from grader.core.messages import _, in_language
from grader.programs.boards import latest
from grader.programs.game import Step
from grader.programs.search import Probing, learned
from grader.programs.squares import Family
from tests.pseudo import CODE, known

GAME = ["         ", "X   O    ", "XXO O    ", "XXO OOX  ", "XXOXOOXO "]
FORMS = [
    " {}  {}  {} \n {}  {}  {} \n {}  {}  {} ",
    "{:<6}{:<6}{}\n\n{:<6}{:<6}{}\n\n{:<6}{:<6}{}",
    "{} {} {}\n{} {} {}\n{} {} {}",
]


def screens(form: str) -> list[list[str]]:
    drawn = [[line.rstrip() for line in form.format(*board).split("\n")] for board in GAME]
    return [["Welcome to the game", *lines, "Your move: "] for lines in drawn]


@pytest.mark.parametrize("form", FORMS)
def test_the_columns_explain_every_screen(form: str) -> None:
    seen = screens(form)
    frames = learned(seen)
    assert frames
    board = Board(GAME[2].replace(" ", "."))
    found = latest(seen[2], [board], {"X": "X", "O": "O"}, learned=frames)
    assert found and found[0] == board


@pytest.mark.parametrize("form", ["{}{}{}\n{}{}{}\n{}{}{}", "{}|{}|{}\n{}|{}|{}\n{}|{}|{}"])
def test_a_board_that_comes_after_the_first_move_is_learned(form: str) -> None:
    drawn = [form.format(*board.replace(" ", "-")).split("\n") for board in GAME[1:]]
    seen = [["Your move: "], *([*lines, "Your move: "] for lines in drawn)]
    assert learned(seen)
    found = latest(seen[1], [Board("X...O....")], {}, learned=learned(seen))
    assert found and found[0] == "X...O...."


def test_columns_that_were_not_learned_are_not_guessed() -> None:
    seen = screens(FORMS[0])
    assert latest(seen[1], [Board("X...O....")], {}, learned=()) is None


def test_a_game_that_no_frame_explains_teaches_nothing() -> None:
    seen = screens(FORMS[0])
    assert learned([seen[3], seen[1], seen[4], seen[2]]) == frozenset()
    assert learned([["Welcome", "Your move: "]]) == frozenset()


def test_a_program_that_floods_its_screen_is_given_no_more_letters_in_any_language() -> None:
    game: Any = SimpleNamespace(terminal=SimpleNamespace(said=""), lines=[], crashed=lambda: False)
    nobody: Any = None
    probing = Probing(nobody, nobody, None)
    with known(), in_language(CODE):
        probing.note(game, Step.FLOODS, _(str(Step.FLOODS)))
        assert probing.find_scheme(game, Family.LETTER) is None
