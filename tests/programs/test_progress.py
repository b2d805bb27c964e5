"""What is kept of a program between two runs, and what of that is believed."""

from pathlib import Path

import pytest

from grader.core.course.rubric import HowToRun
from grader.core.game.board import START, Board
from grader.programs.seen import Progress
from tests.programs.test_languages import folder

KEY = (("O",), "1-9")
GAME = ("X", (START, Board("X........"), Board("XO.......")))


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def progress(text: str = "a", run: str | None = None) -> Progress:
    return Progress(folder(a__py=text), HowToRun(run=run))


def test_games_are_kept_for_the_same_files_commands_answers_and_squares() -> None:
    progress().keep([(KEY, [GAME])])
    assert progress().games(KEY) == [GAME]
    assert progress().games((("X",), "1-9")) == progress().games((("O",), "0-8")) == []
    assert progress("b").games(KEY) == progress(run="./a").games(KEY) == []


def test_nothing_is_kept_where_everything_was_seen(cache: Path) -> None:
    progress().keep([(KEY, [GAME])])
    progress().keep([(KEY, [])])
    assert progress().games(KEY) == [] and not list(cache.rglob("*.json"))


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "[]",
        '{"[\\"O\\", \\"1-9\\"]": [["X", "X......../O........"]]}',
        '{"[\\"O\\", \\"1-9\\"]": [["Z", "........."]]}',
    ],
)
def test_what_cannot_be_is_ignored(cache: Path, damaged: str) -> None:
    progress().keep([(KEY, [GAME])])
    (file,) = cache.rglob("*.json")
    file.write_text(damaged)
    assert progress().games(KEY) == []
