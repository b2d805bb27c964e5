"""Equal behaviour, equal grade: how a file is written changes no status and no point, to the last case.

What a budget leaves out of a search without recall is named in the verdict, and is the only difference allowed.
"""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import pytest

from grader.core.course.submission import from_bytes
from grader.core.grade import Grade, Verdict
from grader.grading.session import Settings
from tests.judged import judged
from tests.submissions import CORRECT
from tests.submissions.faults import FAULTS

SOURCES = {
    name: source.replace("copy.deepcopy(board)", "[row[:] for row in board]")  # the same, and quicker
    for name, source in ({name: fault.source for name, fault in FAULTS.items()} | CORRECT).items()
}
QUICK: Final[dict[str, Any]] = {"deadline": 5.0, "sweep_budget": 4.0}
WHOLE: Final[dict[str, Any]] = {"deadline": 60.0, "sweep_budget": 600.0, "total": 1200.0}
SEVEN: Final = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")


class _Inserted(ast.NodeTransformer):
    """Puts statements at the beginning of functions."""

    def __init__(self, statements: str, names: tuple[str, ...] = ()) -> None:
        self._statements, self._names = statements, names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if not self._names or node.name in self._names:
            at = 1 if ast.get_docstring(node) is not None else 0
            node.body[at:at] = ast.parse(self._statements).body
        return node


def counted(source: str) -> str:
    """Return a file whose search fills and empties a list of the module."""
    tree = _Inserted("calls.append(1)\ncalls.clear()", ("minimax", "max_value", "min_value")).visit(
        ast.parse(source)
    )
    return f"calls = []\n{ast.unparse(tree)}\n"


def printed(source: str) -> str:
    """Return a file that prints in every function."""
    return ast.unparse(_Inserted("print('here')").visit(ast.parse(source)))


def by_helpers(source: str) -> str:
    """Return a file whose seven functions call helpers of other names, which call each other."""
    tree = ast.parse(source)
    defined = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name in SEVEN}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in defined and isinstance(node.ctx, ast.Load):
            node.id = f"my_{node.id}"
    doors = []
    for name, one in defined.items():
        given = ", ".join(argument.arg for argument in one.args.args)
        doors.append(f"def {name}({given}):\n    return my_{name}({given})\n")
        one.name = f"my_{name}"
    return ast.unparse(tree) + "\n\n\n" + "\n\n".join(doors)


def as_text(source: str) -> str:
    """Return a file as the other ways of writing it are made: without comments."""
    return ast.unparse(ast.parse(source))


WAYS: Final[dict[str, Callable[[str], str]]] = {
    "a tally": lambda source: (
        f"tally = 0\n{ast.unparse(_Inserted('global tally; tally += 1').visit(ast.parse(source)))}"
    ),
    "a list of the module": counted,
    "prints": printed,
    "imports random": lambda source: f"import random\n{as_text(source)}",
    "helpers of other names": by_helpers,
    "another name": as_text,
    "without recall": as_text,
}
UNRUN: Final = ("file_has_a_syntax_error",)


@cache
def grade_of(name: str, way: str, whole: bool = False) -> Grade:
    source = SOURCES[name]
    if name not in UNRUN:
        source = WAYS[way](source) if way else as_text(source)
    settings = Settings(recall=way != "without recall")
    file = "engine_final.py" if way == "another name" else "tictactoe.py"
    found = from_bytes(file, source.encode(), len(source), 1000)
    return judged(found, settings, limits=WHOLE if whole else QUICK)


def told(grade: Grade) -> Iterator[tuple[str, Verdict]]:
    """Yield every case that behaviour decides: how a file is written is for the others."""
    for criterion in grade.criteria:
        if criterion.id != "quality":
            yield from ((f"{criterion.id}/{one.id}", one) for one in criterion.verdicts)


def difference(name: str, way: str, whole: bool = False) -> list[str]:
    """Return where another way of writing a file changes its grade, but for what a budget has left out."""
    plain, other = dict(told(grade_of(name, "", whole))), dict(told(grade_of(name, way, whole)))
    assert plain.keys() == other.keys()
    found = []
    for case, one in plain.items():
        two = other[case]
        if two.seen is not None and not whole:  # named; what could not be asked counts neither way
            is_due = (
                two.status.value == "skipped"
                or abs((one.earned or 0) - (two.earned or 0)) <= 0.1 * two.weight
            )
        else:
            is_due = (one.status, one.earned) == (two.status, two.earned)
        if not is_due:
            found.append(
                f"{case}: {one.status} {one.earned} / {two.status} {two.earned} {two.seen}: {two.reason}"
            )
    left_out = any(two.seen is not None for two in other.values())
    if not found and not left_out:
        scores = [
            [(c.id, c.score) for c in g.criteria if c.id != "quality"]
            for g in (grade_of(name, "", whole), grade_of(name, way, whole))
        ]
        found += [f"{one} / {two}" for one, two in zip(*scores, strict=True) if one != two]
    return found


SAMPLE: Final = 5
"""Of so many files, one stands for the others."""


def _some() -> Iterator[Any]:
    """Yield each file with one of the ways, all of them in turn."""
    ways = list(WAYS)
    for number, name in enumerate(SOURCES):
        marks = [pytest.mark.exhaustive] if number % SAMPLE else []
        yield pytest.param(name, ways[number % len(ways)], marks=marks)


def test_every_way_is_in_the_sample() -> None:
    assert {one.values[1] for one in _some() if not one.marks} == set(WAYS)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("name", "way"), list(_some()))
def test_another_way_of_writing_a_file_changes_no_grade(name: str, way: str) -> None:
    assert difference(name, way) == []
