"""Programs that talk as real ones do, each played rightly: driven without a word of configuration, and charged for nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.core.course.course import ProgramQuestion as Question
from grader.core.course.rubric import HowToRun, Limits
from grader.core.errors import NotGradable, UserError
from grader.core.grade import Status
from grader.programs import discovery
from grader.programs.built import missing_tools
from grader.programs.check import check_program
from grader.programs.game import Waits
from grader.programs.program import Program
from grader.programs.recipes import Recipe, recipe_for
from grader.programs.results import program_notes
from tests.programs.talkers.manners import MANNERS, MORE, handed_in, question

LIMITS = Limits(load=60, deadline=20, total=120, memory_mb=1024)
SHORT = Limits(load=60, deadline=20, total=30, memory_mb=1024)
pytestmark = pytest.mark.exhaustive
MUST: tuple[Any, ...] = ("play", "be_optimal", "never_lose", "end", "announce")


ALSO: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("yes_in_polish", "levels_by_no_known_word", "confirms_each_move"), ("let_choose",)),
    **dict.fromkeys(("sides_in_the_menu", "sides_on_one_line"), ("let_choose",)),
    "emoji_for_marks": ("be_x",),
    **dict.fromkeys(("heads_or_tails", "rows_with_their_names"), ("let_choose", "start")),
    "any_letter_for_a_mark": ("be_x", "let_choose"),
}


@pytest.mark.parametrize("name", MANNERS)
def test_it_is_driven_and_charged_for_nothing(name: str) -> None:
    recipe = recipe_for(handed_in(name))
    assert isinstance(recipe, Recipe)
    if absent := missing_tools(recipe):
        pytest.skip(f"no {absent[0]} on this machine")
    assert charged(name, MUST) == {}


@pytest.mark.parametrize("name", MORE)
def test_what_was_once_not_driven_is_driven_in_other_words(name: str) -> None:
    assert charged(name, (*MUST, *ALSO.get(name, ()))) == {}


@pytest.mark.parametrize("opening", range(9))
def test_a_mark_that_is_where_one_was_typed_by_accident_is_no_game(opening: int) -> None:
    """Given a question in which anything counts as no, the program's first move is not taken for ours."""
    program = Program(handed_in("in_russian", opens=opening), LIMITS, HowToRun())
    assert program.discover() == "" and program.play().games and not program.play().faults
    assert [answer for _, answer in program.play().manner.answered] == ["n"]


def test_a_number_that_is_refused_for_its_square_is_taken_tells_how_squares_are_counted() -> None:
    """Given a program that has square 2: it refuses 2, which would be free if squares were counted downwards."""
    (game,) = handed_in("better_luck", you="O", first="me", opens=1, junk="again")
    last = game.content.replace(b"value(board, side, other)[1]", b"free[-1]")
    program = Program((replace(game, content=last),), LIMITS, HowToRun())
    assert last != game.content and program.discover() == ""
    assert program.play().manner.scheme.name == "1-9"


def test_the_side_that_a_menu_names_is_the_one_that_begins() -> None:
    assert charged("sides_in_the_menu", ("be_x", "start")) == {}


def charged(name: str, must: Sequence[Any]) -> dict[str, str]:
    """Return what a program is charged for, of what it must do."""
    program = Program(handed_in(name), LIMITS, HowToRun())
    assert program.discover() == ""
    found = {case: check_program(Question(id="q", check="program", must=case), program) for case in must}
    assert program.play().games and not program.doubts
    return {case: outcome.reason for case, outcome in found.items() if outcome.status is not Status.PASSED}


def test_of_several_players_the_strongest_is_judged_and_the_others_are_named() -> None:
    program = Program(handed_in("name_menu_mark_and_start"), LIMITS, HowToRun())
    assert program.discover() == ""
    assert "3" in [answer for _, answer in program.play().manner.answered]
    assert any("Other answers lead to a game, too" in note for note in program_notes(program))


def test_what_is_not_driven_says_what_would_help() -> None:
    hidden = handed_in("sides_in_the_menu", board="(a board that nobody sees)")
    program = Program(hidden, LIMITS, HowToRun())
    with pytest.raises(NotGradable, match=r"answers: \['") as told:
        assert program.discover()
    assert "squares: 1-9" in str(told.value)


def test_the_middle_may_have_a_word_of_its_own() -> None:
    names = [
        f"{row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")
    ]
    names[4] = "centre"
    program = Program(handed_in("squares_by_words", typed="names", names=names), LIMITS, HowToRun())
    assert program.discover() == "" and program.play().manner.scheme.typed(4) == ("centre",)


def test_a_question_is_no_choice_where_chance_decides() -> None:
    """Given a name that is asked for in words nobody knows, and a coin that is tossed for who starts."""
    talks = {"setup": [question("Hoe heet je? ", None)], "first": "chance"}
    program = Program(handed_in("tight_bars", **talks), LIMITS, HowToRun())
    told = check_program(Question(id="q", check="program", must="let_choose"), program)
    assert told.reason == "It does not ask the user for X or O, or who starts."


def test_words_for_squares_that_were_guessed_cost_nothing_where_some_are_refused() -> None:
    """Given names that are listed nowhere, of which the grader knows some, nobody is charged for the others."""
    names = [
        f"{row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")
    ]
    names[4] = "heart"
    program = Program(handed_in("squares_by_words", typed="names", names=names), SHORT, HowToRun())
    with pytest.raises(NotGradable, match="some are taken, some are not"):
        assert program.discover()


def test_words_for_squares_that_there_was_no_time_to_try_are_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def to_the_end(*given: Any) -> bool:
        monkeypatch.setattr(Waits, "is_over", True)
        return True

    monkeypatch.setattr(discovery, "takes_all", to_the_end)
    program = Program(handed_in("squares_by_words"), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="too busy to play it in time"):
        assert program.discover()


def test_a_person_may_say_how_squares_are_typed() -> None:
    program = Program(handed_in("three_columns_of_blanks"), LIMITS, HowToRun(squares="row then column 1"))
    assert program.discover() == "" and program.play().manner.scheme.name == "row then column 1"
    with pytest.raises(UserError, match="'diagonal' is none of 1-9, 0-8, keypad"):
        assert Program(handed_in("tight_bars"), LIMITS, HowToRun(squares="diagonal")).discover()
