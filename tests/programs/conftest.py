import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.core.course.limits import Limits
from grader.programs import program, series
from grader.programs.built import Built
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


FEW = 40


@pytest.fixture(autouse=True)
def few_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a twentieth of its share of the time for games, and so many of them, where no more are asked for."""
    monkeypatch.setattr(program, "_FOR_GAMES", program._FOR_GAMES / 20)
    monkeypatch.setattr(program, "_FOR_OTHER_SIDE", program._FOR_OTHER_SIDE / 20)
    if not request.node.get_closest_marker("all_games"):
        monkeypatch.setattr(series, "_MOST_GAMES", FEW)


if sys.platform != "linux":
    pytest.skip("programs are run on Linux alone", allow_module_level=True)
