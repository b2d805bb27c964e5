"""Every program of the catalogue, driven without a word of configuration, gets the verdicts that it must get."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.core.course.submission import read_program
from grader.core.errors import NotGradable
from grader.core.game.board import winner
from grader.core.grade import Grade
from grader.course.courses import fixtures_of, rubric_of
from grader.grading.session import Settings, graded, opened
from grader.programs import series
from grader.programs.built import missing_tools
from grader.programs.check import Played
from grader.programs.program import Program
from grader.programs.recipes import Recipe, recipe_for
from grader.programs.seen import Seen
from grader.programs.series import Series
from tests.judged import course_with
from tests.programs.catalog import FIXTURES, Fixture
from tests.sharing import some

HANDED_IN = Path(__file__).parent / "handed_in"
RUBRIC = rubric_of("cpsc352")
SECONDS = 600.0
"""In all, where a fault shows seldom; few of them are for games."""

MANY = 500
SHOWS: dict[str, Callable[[Series], bool]] = {
    "last_square_is_a_draw": lambda series: any(
        "." not in one.path[-1] and winner(one.path[-1]) for one in series.games
    ),
    "chooses_at_random": lambda series: series.by_chance and series.beaten,
    "opens_at_random": lambda series: series.by_chance and len(series.games) > 5,
    "asks_mark_and_tosses_a_coin": lambda series: len(series.sides) > 1 and len(series.games) > 3,
    "keypad": lambda series: len(series.sides) > 1 and len(series.games) > 3,
    "two_marks_in_one_turn": lambda series: bool(series.faults),
}
"""When it has shown what is special about it, where that may take many games: more would tell nothing new."""

DRIVEN = [one for one in FIXTURES if one.outcome == "graded"]


@contextmanager
def played(name: str) -> Iterator[tuple[Program, Grade]]:
    settings = Settings(RUBRIC, fixtures_of(RUBRIC))
    course = course_with(settings, {"total": SECONDS if name in SHOWS else 60.0})
    with opened(read_program(HANDED_IN / name), course, settings) as one:
        grade = graded(one, settings)
        assert isinstance(one.subject, Played)
        yield one.subject.program, grade


def skip_without_tools(name: str) -> None:
    recipe = recipe_for(read_program(HANDED_IN / name).folder or ())
    assert isinstance(recipe, Recipe)
    absent = missing_tools(recipe)
    if absent:
        pytest.skip(f"no {absent[0]} on this machine")


def test_enough_programs_in_enough_languages() -> None:
    assert len(FIXTURES) >= 24 and len({one.language for one in FIXTURES}) >= 5
    assert len([one for one in FIXTURES if one.fails - {"is-x", "starts", "row-major", "choice"}]) >= 10
    assert {one.name for one in FIXTURES} == {one.name for one in HANDED_IN.iterdir()}


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("one", some(DRIVEN, 4, lambda one: one.name))
def test_a_program_gets_its_verdicts(one: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_tools(one.name)
    if one.name in SHOWS:
        complete = vars(Seen)["complete"].fget
        is_enough = property(lambda series: SHOWS[one.name](series) or complete(series))
        monkeypatch.setattr(Series, "complete", is_enough)
        monkeypatch.setattr(series, "_MOST_GAMES", MANY)
    with played(one.name) as (program, grade):
        verdicts = {
            verdict.id: verdict
            for criterion in grade.criteria
            for verdict in criterion.verdicts
            if not criterion.by_hand
        }
        failed = {name for name, verdict in verdicts.items() if verdict.status.is_bad}
        judged = {name for name, verdict in verdicts.items() if verdict.status.counts}
        assert failed == one.fails & judged, [verdicts[name].reason for name in failed ^ one.fails]
        assert len(judged) == len(verdicts), "every case could be judged"
        games = program.play()
        assert games.manner.scheme.name.replace(", comma", "") == one.typed.replace(", ", " ")
        assert set(games.sides) == {"program": {"X"}, "user": {"O"}, "random": {"X", "O"}}[one.starts]
        if one.mark:
            assert set(games.signs) == {one.mark.upper()}
        assert not one.sampled or games.by_chance
        assert grade.policy and grade.grader_errors == ()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["draws_no_board", "needs_a_package"])
def test_a_program_that_cannot_be_driven_costs_nothing(name: str) -> None:
    with pytest.raises(NotGradable) as error, played(name):
        pass
    told = str(error.value)
    assert "not gradable" in told
    assert (
        ("What was tried" in told and "Blindfold" in told)
        if name == "draws_no_board"
        else "colorfuldice" in told
    )


@pytest.mark.exhaustive
def test_what_the_compiler_says_is_shown() -> None:
    skip_without_tools("does_not_compile")
    with played("does_not_compile") as (_, grade):
        assert grade.score == 0
        assert grade.does_not_run is not None
        said = grade.does_not_run.said or ""
        assert "expected" in said and "main.cpp:34" in said
