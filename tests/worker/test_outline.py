from typing import Any

import pytest

from grader.worker.source_outline import outline


def of(source: str) -> dict[str, Any]:
    return outline(source.encode())


def test_functions_with_their_line_parameters_and_stubs() -> None:
    found = of(
        "def player(board):\n    return X\n\n"
        "def result(board, action=None, *rest, key, flag=1, **more):\n    '''Doc.'''\n"
        "    raise NotImplementedError\n"
        "async def later(): ...\n"
    )
    assert found["functions"] == {
        "player": [1, ["board"], False],
        "result": [4, ["board", "action=...", "*rest", "key", "flag=...", "**more"], True],
        "later": [7, [], True],
    }


@pytest.mark.parametrize(
    "body",
    [
        *("pass", "...", "'doc'", "raise NotImplementedError", "raise NotImplementedError('x')"),
        *("print('here')", "calls.append(1)\n    pass", "global n; n += 1; raise NotImplementedError"),
    ],
)
def test_stubs(body: str) -> None:
    assert of(f"def f():\n    {body}\n")["functions"]["f"][2]


@pytest.mark.parametrize("body", ["return None", "raise ValueError", "x = 1", "raise"])
def test_bodies_that_are_no_stubs(body: str) -> None:
    assert not of(f"def f():\n    {body}\n")["functions"]["f"][2]


def test_variables_with_their_constant_values() -> None:
    found = of("X = 'X'\nO: str = 'O'\nEMPTY = None\na, b = 1, 2\nplayer = lambda board: X\n")
    assert found["variables"] == {
        "X": [1, "'X'"],
        "O": [2, "'O'"],
        "EMPTY": [3, "None"],
        "a": [4, "1"],
        "b": [4, "2"],
        "player": [5, "..."],
    }


def test_imports_wherever_they_are() -> None:
    source = """\
import os, numpy as np
from math import inf
from . import helper
def f():
    import pandas.core
    __import__("torch")
    importlib.import_module("scipy")
    import_it("jax")
    __import__("nu" + "mpy")
from importlib import import_module as import_it
try:
    import yaml
except ImportError:
    pass
"""
    assert of(source)["imports"] == [
        (1, "numpy", False),
        (1, "os", False),
        (2, "math", False),
        (3, ".", False),
        (5, "pandas.core", False),
        (6, "torch", True),
        (7, "scipy", True),
        (8, "jax", True),
        (9, "?", True),
        (10, "importlib", True),
        (12, "yaml", False),
    ]


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [(b"def f(:\n", 1, 7), (b"x = 1\n\0\n", 2, 0), (b"x = 1\ny = (\n", 2, 5), (b"\xff\xfe", 1, None)],
)
def test_what_does_not_parse_says_where(source: bytes, line: int, column: int | None) -> None:
    message, found, place = outline(source)["error"]
    assert message
    assert found == line
    assert column is None or place == column


def test_definitions_under_conditions_count() -> None:
    assert "f" in of("if True:\n    def f(): return 1\n")["functions"]


@pytest.mark.parametrize(
    ("source", "used"),
    [
        ("import numpy as np\nx = np.inf\n", True),
        ("import numpy as np\nx = numpy\n", False),
        ("import numpy.linalg\nx = numpy.linalg.norm\n", True),
        ("from numpy import inf, nan\nx = nan\n", True),
        ("from numpy import inf as far\nx = inf\n", False),
        ("from numpy import *\n", True),
    ],
)
def test_whether_an_import_is_used(source: str, used: bool) -> None:
    assert of(source)["imports"] == [(1, source.split()[1], used)]


def test_who_leaves_all_its_work_to_a_helper_is_told_by_the_helper() -> None:
    found = of(
        "def winner(board):\n    'Tells.'\n    return my_winner(board)\n\n\ndef my_winner(board):\n    pass\n\n\n"
        "def terminal(board):\n    return my_winner(board) is not None\n\n\ndef player(board):\n    return X\n"
    )
    assert found["stand_ins"] == {"my_winner": "winner"}
    assert found["functions"]["winner"][2] is True
    assert found["reach"] == {"winner": [], "terminal": ["winner"], "player": []}
