"""Whatever plain value a function answers with, it is judged: no answer is the grader's fault."""

import pytest

from grader.core.course.rubric import GivenBack
from grader.core.game.oracle import FUNCTIONS
from tests.conftest import submission_of
from tests.judged import judged_inside
from tests.submissions import PLAIN

ODD = """

_odd = [
    ([0], 1), (0, [1]), ({}, 1), ((0, 1), (1, 1)), (0,), (0, 1, 2), (), (None, None), ("0", "1"), (True, 1), (1.0, 1.0),
    [0, 1], [[0], [1]], {0: [1]}, {(0, 1)}, {frozenset()}, frozenset({(0, 1)}), {((0, 1), 2)}, "X", "x", "", b"X", 0, 1, -1,
    2, True, False, 0.0, 1.0, float("nan"), float("inf"), 10 ** 30, 1j, None, ..., object(), [None] * 3, [[None] * 3] * 3,
    [["X"] * 3] * 3, [[[], {}, ()]] * 3, [[0, 0, 0]] * 3, ((None,) * 3,) * 3, print, int, range(3), KeyError("k"),
]


def NAME(board, *others):
    cells = sum(board, [])
    if cells.count(None) == 9:
        raise KeyError([1])
    at = sum(3 ** i * [None, "X", "O"].index(cell) for i, cell in enumerate(cells))
    return _odd[at % len(_odd)]
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("function", FUNCTIONS)
def test_odd_answers_cost_points_and_nothing_else(function: str) -> None:
    limits = {"deadline": 1.0, "strikes": 1, "sweep_budget": 4.0}
    found = submission_of(PLAIN + ODD.replace("NAME", function))
    grade = judged_inside(found, limits=limits, follow_through=GivenBack(share=0.0))
    assert grade.grader_errors == ()
    (judged,) = (criterion for criterion in grade.criteria if criterion.id == function)
    assert any(verdict.status.is_bad for verdict in judged.verdicts)
