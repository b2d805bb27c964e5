"""What the judge reads of a stranger: a source, a README, a screen. It takes in proportion to its size."""

from collections.abc import Callable

import pytest

from grader.core.course import reading
from grader.core.course.submission import Folder, Handed
from grader.programs.announcements import announced
from grader.programs.check import notes_on
from grader.programs.prompts import asked
from grader.programs.recipes import Recipe, recipe_for
from grader.programs.terminal import plain
from tests.test_patterns import grows_too_fast

UNITS = (
    " ", "\n", "a", "a ", "(", "{", "a b(){\n", "def f():\n", " def f():\n", "require(", "import a ", "int a;\n", "player ", "x/",
    "\u0315\u0316", "\x1b[1;", "\x1b]", "package a;\n", "at a.b(\n", "won. ", "|",
)  # fmt: skip
BEGINNINGS = ("", "readline require", "a", "\nint")
PARTS = 5
"""The texts are tried in so many parts, of which one stands for the others; each has every beginning."""


def handed(name: str, text: str) -> Handed:
    return Handed(name, len(text), text.encode())


def named(name: str) -> Callable[[str], Folder]:
    return lambda text: (handed(name, text), handed(f"other_{name}", "readline input() main"))


READERS: dict[str, Callable[[str], object]] = {
    "the notes on Python": lambda text: notes_on(named("a.py")(text)),
    "the notes on C": lambda text: notes_on(named("a.c")(text)),
    "the recipe of Python": lambda text: recipe_for(named("a.py")(f"input()\n{text}")),
    "the recipe of JavaScript": lambda text: recipe_for(named("a.js")(f"readline\n{text}")),
    "the recipe of Java": lambda text: recipe_for(named("A.java")(text)),
    "the recipe of a Makefile": lambda text: recipe_for(named("Makefile")(text)),
    "the README": lambda text: reading.has("approach", text, {}),
    "who has won": lambda text: announced(text, "X", {"X": "X", "O": "O"}),
    "what is asked": asked,
    "what is printed": lambda text: plain(text.encode()),
}


def made_of(begins: str, unit: str) -> Callable[[int], str]:
    return lambda size: begins + unit * (size // len(unit)) + "\nb("


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(1, PARTS))]
)
@pytest.mark.parametrize("name", READERS)
def test_a_text_is_read_in_proportion_to_its_size(name: str, part: int) -> None:
    texts = [made_of(begins, unit) for unit in UNITS for begins in BEGINNINGS][part::PARTS]
    assert not [told for text in texts if (told := grows_too_fast(READERS[name], text))]


def test_what_many_files_import_is_looked_for_once() -> None:
    """Given two hundred files that could be started, two megabytes together, it is told which one is."""
    files = tuple(handed(f"m{number}.js", "readline " + "import x " * 1_000) for number in range(200))
    first = handed("first.js", "readline\n" + "".join(f"require('./m{number}')\n" for number in range(200)))
    found = recipe_for((*files, first))
    assert isinstance(found, Recipe) and found.main == "first.js"
