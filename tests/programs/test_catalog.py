"""Every program of the catalogue, driven without a word of configuration, gets the verdicts that it must get."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from grader.core.course.submission import Submission
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
from tests.programs.catalog import BY_NAME, FIXTURES, HANDED_IN, Fixture
from tests.sharing import some

RUBRIC = rubric_of("cpsc352")
SECONDS = 600.0
"""In all, where a fault shows seldom; few of them are for games."""

MANY = 500
SHOWS: dict[str, Callable[[Series], bool]] = {
    "last_square_is_a_draw": lambda series: any(
        "." not in game.path[-1] and winner(game.path[-1]) for game in series.games
    ),
    "chooses_at_random": lambda series: series.by_chance and series.beaten,
    "opens_at_random": lambda series: series.by_chance and len(series.games) > 5,
    "asks_mark_and_tosses_a_coin": lambda series: len(series.sides) > 1 and len(series.games) > 3,
    "keypad": lambda series: len(series.sides) > 1 and len(series.games) > 3,
    "two_marks_in_one_turn": lambda series: bool(series.faults),
}
"""When it has shown what is special about it, where that may take many games: more would tell nothing new."""

DRIVEN = [fixture for fixture in FIXTURES if fixture.outcome == "graded"]


@contextmanager
def played(name: str) -> Iterator[tuple[Program, Grade]]:
    settings = Settings(RUBRIC, fixtures_of(RUBRIC))
    course = course_with(settings, {"total": SECONDS if name in SHOWS else 60.0})
    submission = Submission(name, HANDED_IN / name, b"", folder=BY_NAME[name].files())
    with opened(submission, course, settings) as client:
        grade = graded(client, settings)
        assert isinstance(client.subject, Played)
        yield client.subject.program, grade


def skip_without_tools(name: str) -> None:
    recipe = recipe_for(BY_NAME[name].files())
    assert isinstance(recipe, Recipe)
    absent = missing_tools(recipe)
    if absent:
        pytest.skip(f"no {absent[0]} on this machine")


def test_enough_programs_in_enough_languages() -> None:
    assert len(FIXTURES) >= 24 and len({fixture.language for fixture in FIXTURES}) >= 5
    assert len([case for case in FIXTURES if case.fails - {"is-x", "starts", "row-major", "choice"}]) >= 10
    in_folders = {fixture.name for fixture in FIXTURES if not fixture.manner}
    assert in_folders == {folder.name for folder in HANDED_IN.iterdir()}


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("case", some(DRIVEN, 4, lambda case: case.name))
def test_a_program_gets_its_verdicts(case: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_tools(case.name)
    if case.name in SHOWS:
        complete = vars(Seen)["complete"].fget
        is_enough = property(lambda series: SHOWS[case.name](series) or complete(series))
        monkeypatch.setattr(Series, "complete", is_enough)
        monkeypatch.setattr(series, "_MOST_GAMES", MANY)
    with played(case.name) as (program, grade):
        verdicts = {
            verdict.id: verdict
            for criterion in grade.criteria
            for verdict in criterion.verdicts
            if not criterion.by_hand
        }
        failed = {name for name, verdict in verdicts.items() if verdict.status.is_bad}
        judged = {name for name, verdict in verdicts.items() if verdict.status.counts}
        assert failed == case.fails & judged, [verdicts[name].reason for name in failed ^ case.fails]
        assert len(judged) == len(verdicts), "every case could be judged"
        games = program.play()
        assert games.manner.scheme.name.replace(", comma", "") == case.typed.replace(", ", " ")
        assert set(games.sides) == {"program": {"X"}, "user": {"O"}, "random": {"X", "O"}}[case.starts]
        if case.mark:
            assert set(games.signs) == {case.mark.upper()}
        assert not case.sampled or games.by_chance
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
