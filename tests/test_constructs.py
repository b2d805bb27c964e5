"""Every way in which students write gets the grade of what it does, and is asked with recall if it keeps nothing."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from grader.core.course.submission import Handed, from_bytes
from grader.core.game import oracle
from grader.core.grade import Grade
from tests.judged import judged
from tests.submissions import constructs
from tests.submissions.constructs import CONSTRUCTS, FUNCTIONS, engine

REAL_FILES = 267
ORDINARY = [
    pytest.param(name, marks=[pytest.mark.exhaustive] if number % 4 or row.state else [])
    for number, (name, row) in enumerate(CONSTRUCTS.items())
]
"""Every construct; of those that are asked with recall, each fourth one stands for those after it."""

WRONG = [(name, fault) for name, row in CONSTRUCTS.items() for fault in row.faults]


def grade_of(source: str, helpers: tuple[Handed, ...] = ()) -> Grade:
    return judged(from_bytes("tictactoe.py", source.encode(), len(source), 1000, helpers=helpers))


def grade_of_row(name: str, fault: str = "") -> Grade:
    texts = CONSTRUCTS[name].helpers.items()
    return grade_of(
        CONSTRUCTS[name].source(fault), tuple(Handed(file, len(text), text.encode()) for file, text in texts)
    )


@cache
def plain_scores(fault: str) -> dict[str, float]:
    return scores(grade_of(engine(fault)))


def scores(grade: Grade) -> dict[str, float]:
    """Return the score of every function."""
    found = {criterion.id: criterion.score for criterion in grade.criteria if criterion.id in FUNCTIONS}
    assert len(found) == len(FUNCTIONS)
    return found


def assert_recalled_as_expected(name: str, grade: Grade, source: str) -> None:
    row, sweep = CONSTRUCTS[name], grade.sweep
    assert sweep is not None
    assert row.state or sweep.asked == len(oracle.boards())
    assert (sweep.recalled, sweep.why_plain[: len(row.why_plain)]) == (not row.state, row.why_plain), (
        sweep.why_plain
    )
    if row.state:
        named = re.search(r"\(line (\d+)\)", sweep.why_plain)
        assert named and row.state in source.splitlines()[int(named[1]) - 1]
    else:
        assert sweep.why_plain == ""


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("name", ORDINARY)
def test_a_correct_engine_keeps_every_point_in_every_way_of_writing(name: str) -> None:
    grade = grade_of_row(name)
    points = {criterion.id: criterion.points for criterion in grade.criteria if criterion.id in FUNCTIONS}
    assert scores(grade) == points
    assert_recalled_as_expected(name, grade, CONSTRUCTS[name].source())


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("name", "fault"), WRONG)
def test_a_faulty_engine_loses_the_same_points_in_every_way_of_writing(name: str, fault: str) -> None:
    grade = grade_of_row(name, fault)
    assert scores(grade) == plain_scores(fault)
    assert_recalled_as_expected(name, grade, CONSTRUCTS[name].source(fault))


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("fault", sorted({fault for _, fault in WRONG}))
def test_the_faults_lose_points(fault: str) -> None:
    assert plain_scores(fault) != plain_scores("")


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_is_valid_python_that_differs_from_the_plain_engine_and_from_the_others(
    name: str,
) -> None:
    row = CONSTRUCTS[name]
    for fault in ("", *row.faults):
        tree = ast.dump(ast.parse(row.source(fault)))
        assert tree != ast.dump(ast.parse(engine(fault)))
        assert fault == "" or tree != ast.dump(ast.parse(row.source()))
    others = [other.source() for other in CONSTRUCTS.values() if other is not row]
    assert row.source() not in others


def test_every_name_is_in_the_table_once() -> None:
    tree = ast.parse(Path(constructs.__file__).read_text())
    (table,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "CONSTRUCTS"
    )
    assert isinstance(table, ast.Dict)
    names = Counter(key.value for key in table.keys if isinstance(key, ast.Constant))
    assert [name for name, times in names.items() if times > 1] == []
    assert list(names) == list(CONSTRUCTS)


def test_every_construct_is_found_in_one_percent_of_the_real_files() -> None:
    assert [name for name, row in CONSTRUCTS.items() if not 0.01 * REAL_FILES < row.files <= REAL_FILES] == []
