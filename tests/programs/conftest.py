import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.core.course.rubric import Limits
from grader.programs import built, program, series
from grader.programs.built import Built
from grader.programs.program import Program
from grader.programs.recipes import PYTHON, Recipe
from grader.programs.terminal import Terminal

Opens = Callable[[str], Terminal]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opens]:
    """Give what runs a Python program in a terminal; all of them end with the test."""
    terminals: list[Terminal] = []

    def run(source: str) -> Terminal:
        folder = tmp_path / str(len(terminals))
        folder.mkdir()
        (folder / "program.py").write_text(source)
        recipe = Recipe("Python", "program.py", (), (PYTHON, "-s", "program.py"), (PYTHON,))
        terminals.append(Built(recipe, folder, Limits(memory_mb=400)).opened())
        return terminals[-1]

    yield run
    for terminal in terminals:
        terminal.close()


@pytest.fixture(autouse=True)
def closed_programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every program of a test when that has ended."""
    made: list[Program] = []
    begin = Program.__init__

    def begun(self: Program, *given: Any) -> None:
        made.append(self)
        begin(self, *given)

    monkeypatch.setattr(Program, "__init__", begun)
    yield
    for player in made:
        player.close()


FEW = 20


@pytest.fixture(autouse=True)
def bare_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start Python without looking for packages: these programs need none, and start thousands of times."""
    command = built._command

    def bare(words: Sequence[str]) -> list[str]:
        first, *others = command(words)
        return [first, *(("-S",) if words[0] == PYTHON else ()), *others]

    monkeypatch.setattr(built, "_command", bare)


@pytest.fixture(autouse=True)
def few_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a fifth of its share of the time for games, and few of them, where no more are asked for."""
    monkeypatch.setattr(program, "_FOR_GAMES", program._FOR_GAMES / 5)
    monkeypatch.setattr(program, "_FOR_OTHER_SIDE", program._FOR_OTHER_SIDE / 5)
    marker = request.node.get_closest_marker("games")
    monkeypatch.setattr(series, "_MOST_GAMES", marker.args[0] if marker else FEW)


if sys.platform != "linux":
    pytest.skip("programs are run on Linux alone", allow_module_level=True)
