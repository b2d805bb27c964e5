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


def as_text(source: str) -> str:
    """Return a file as the other ways of writing it are made: without comments."""
    return ast.unparse(ast.parse(source))


def with_statements(source: str, statements: str, *names: str) -> str:
    """Return a file with statements at the beginning of its functions."""
    return ast.unparse(_Inserted(statements, names).visit(ast.parse(source)))


def counted(source: str) -> str:
    """Return a file whose search fills and empties a list of the module."""
    search = with_statements(source, "calls.append(1)\ncalls.clear()", "minimax", "max_value", "min_value")
    return f"calls = []\n{search}\n"


def by_helpers(source: str) -> str:
    """Return a file whose seven functions call helpers of other names, which call each other."""
    tree = ast.parse(source)
    defined = {
        node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in SEVEN
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in defined and isinstance(node.ctx, ast.Load):
            node.id = f"my_{node.id}"
    wrappers = []
    for name, function in defined.items():
        given = ", ".join(argument.arg for argument in function.args.args)
        wrappers.append(f"def {name}({given}):\n    return my_{name}({given})\n")
        function.name = f"my_{name}"
    return ast.unparse(tree) + "\n\n\n" + "\n\n".join(wrappers)


WAYS: Final[dict[str, Callable[[str], str]]] = {
    "a tally": lambda source: f"tally = 0\n{with_statements(source, 'global tally; tally += 1')}",
    "a list of the module": counted,
    "prints": lambda source: with_statements(source, "print('here')"),
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


def decided_by_behaviour(grade: Grade) -> dict[str, Verdict]:
    """Return every case that behaviour decides: how a file is written is for the others."""
    criteria = [criterion for criterion in grade.criteria if criterion.id != "quality"]
    return {f"{criterion.id}/{case.id}": case for criterion in criteria for case in criterion.verdicts}


def difference(name: str, way: str, whole: bool = False) -> list[str]:
    """Return where another way of writing a file changes its grade, but for what a budget has left out."""
    grades = grade_of(name, "", whole), grade_of(name, way, whole)
    plain, other = map(decided_by_behaviour, grades)
    assert plain.keys() == other.keys()
    found = []
    for case, first in plain.items():
        second = other[case]
        is_due = (first.status, first.earned) == (second.status, second.earned)
        if second.seen is not None and not whole:  # named; what could not be asked counts neither way
            lost = abs((first.earned or 0) - (second.earned or 0))
            is_due = second.status.value == "skipped" or lost <= 0.1 * second.weight
        if not is_due:
            statuses = f"{first.status} {first.earned} / {second.status} {second.earned} {second.seen}"
            found.append(f"{case}: {statuses}: {second.reason}")
    if not found and all(case.seen is None for case in other.values()):
        scores = [[(c.id, c.score) for c in grade.criteria if c.id != "quality"] for grade in grades]
        found += [f"{first} / {second}" for first, second in zip(*scores, strict=True) if first != second]
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
    assert {sample.values[1] for sample in _some() if not sample.marks} == set(WAYS)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("name", "way"), list(_some()))
def test_another_way_of_writing_a_file_changes_no_grade(name: str, way: str) -> None:
    assert difference(name, way) == []
