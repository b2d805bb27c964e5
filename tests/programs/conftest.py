import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.core.course.limits import Limits
from grader.programs import program
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


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a twentieth of its share of the time for games: what a busy machine takes does not count among it."""
    monkeypatch.setattr(program, "_FOR_GAMES", program._FOR_GAMES / 20)
    monkeypatch.setattr(program, "_FOR_OTHER_SIDE", program._FOR_OTHER_SIDE / 20)


if sys.platform != "linux":
    pytest.skip("programs are run on Linux alone", allow_module_level=True)
