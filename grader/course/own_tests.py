"""An instructor's own tests, read and not run: what is wrong with them is told with all else."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from grader.core.course.rubric import Rubric
from grader.core.errors import UserError, meant

MARK: Final = "criterion"
"""The mark of pytest's that names the criterion of a test."""

_TAKES: Final = ("id", "weight", "visibility")


def examined(file: Path, rubric: Rubric | None) -> Iterator[UserError]:
    """Yield what is wrong with a file of tests: that it is no Python, or a mark that cannot be meant."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        yield UserError(f"not valid Python: {error.msg}", file=file, line=error.lineno)
        return
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in (f"pytest.mark.{MARK}", f"mark.{MARK}"):
            for message in _wrong_in(call, rubric):
                yield UserError(message, file=file, line=call.lineno)


def _wrong_in(call: ast.Call, rubric: Rubric | None) -> Iterator[str]:
    """Yield what is wrong with a mark, as far as it is written out."""
    given = {one.arg: one.value for one in call.keywords if one.arg}
    yield from wrong_arguments(len(call.args), given)
    name = next(iter(call.args), given.get("id"))
    if rubric and isinstance(name, ast.Constant) and rubric.criterion(str(name.value)) is None:
        yield rubric.unknown(str(name.value))


def wrong_arguments(count: int, names: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with the arguments of a mark: so many without a name, and those with one."""
    for name in names:
        if name not in _TAKES:
            yield f"the mark '{MARK}' takes no '{name}'{meant(name, _TAKES)}"
    if count > 1:
        yield f"the mark '{MARK}' takes one id: name what else is given, as in weight=2"
