import math
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

import pytest

from grader.core.asking.reply import Alien, data_of, value_of
from grader.worker.calling import cells_of, encode, encode_error
from grader.worker.wire import MAX_REPLY


def round_trip(value: object) -> Any:
    return value_of(data_of(encode(value).encode()))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**62,
        1.0,
        -0.5,
        "X",
        "",
        'a "quoted"\n\t\x1b text',
        "ü",
        (0, 2),
        [],
        [[None, "X"], ["O", None]],
        [["X", None, "O"], [None, None, None], ["X", "O", "X"]],
        {(0, 1), (2, 2)},
        set(),
        frozenset({1}),
        {"a": 1, (0, 1): [2]},
        (True, 1, 1.0),
    ],
)
def test_plain_values_arrive_as_they_were(value: object) -> None:
    arrived = round_trip(value)
    assert arrived == value
    assert type(arrived) is type(value)
    assert repr(arrived) == repr(value)


class Liar(list[Any]):
    def __eq__(self, other: object) -> bool:
        raise AssertionError("the encoder must not compare")

    def __iter__(self) -> Any:
        raise AssertionError("the encoder must not iterate")

    def __len__(self) -> int:
        raise AssertionError("the encoder must not measure")

    __hash__ = None


class Meta(type):
    def __eq__(cls, other: object) -> bool:
        raise AssertionError("the encoder must not compare classes")

    def __hash__(cls) -> int:
        raise AssertionError("the encoder must not hash classes")


class Strange(metaclass=Meta):
    pass


@pytest.mark.parametrize("value", [Liar([1, 2]), Strange(), object(), len, Strange, 1j, b"x", range(3)])
def test_anything_else_arrives_as_an_alien_and_runs_no_method(value: object) -> None:
    assert isinstance(round_trip(value), Alien)


def test_aliens_name_their_class() -> None:
    assert round_trip(Liar()).what == "an object of class Liar"
    assert round_trip([Strange()])[0].what == "an object of class Strange"


class Cell(NamedTuple):
    row: int
    column: int


class Side(StrEnum):
    X = "X"


class Value(IntEnum):
    WON = 1


class Liars(tuple[int, ...]):
    """A tuple none of whose own methods may be called."""

    __len__ = __iter__ = __getitem__ = __eq__ = __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("value", "plain"), [(Cell(1, 2), (1, 2)), (Side.X, "X"), (Value.WON, 1), (Liars((0, 1)), (0, 1))]
)
def test_an_object_of_a_subclass_is_the_plain_value_that_it_holds(value: object, plain: object) -> None:
    found = round_trip(value)
    assert found == plain and type(found) is type(plain)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("bool_(True)", "a numpy.bool (bool(...) makes it a bool)"),
        ("int64(1)", "a numpy.int64 (int(...) makes it an int)"),
        ("uint8(1)", "a numpy.uint8 (int(...) makes it an int)"),
        ("float64(1)", "a numpy.float64 (float(...) makes it a float)"),
        ("array([1])", "a numpy.ndarray (.tolist() makes it a list)"),
        ("datetime64(1, 's')", "an object of class numpy.datetime64"),
    ],
)
def test_what_looks_like_plain_data_is_told_with_what_makes_it_that(value: str, what: str) -> None:
    made = eval(value, vars(pytest.importorskip("numpy")))
    assert round_trip((0, made)) == (0, Alien(what))


@pytest.mark.parametrize(
    "value", [2**80, -(2**63), [0] * 33, {i: i for i in range(40)}, [[[[[[]]]]]], [["x" * 200] * 32] * 32]
)
def test_giant_values_arrive_as_aliens_of_bounded_size(value: object) -> None:
    assert len(encode(value)) <= MAX_REPLY
    assert "?" in encode(value)


def test_cyclic_values_end() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert "nested deeply" in encode(cycle)


def test_long_text_is_cut() -> None:
    assert len(round_trip("x" * 10_000)) == 201


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_are_none_arrive_as_aliens(number: float) -> None:
    assert isinstance(round_trip(number), Alien)


@pytest.mark.parametrize(
    ("board", "cells"),
    [
        ([["X", None, "O"], [None] * 3, [None] * 3], "X.O......"),
        ([["X", None, "O"], [None] * 3], None),
        ([["X", None, "O"], [None] * 3, [None] * 2], None),
        ([["X", None, "?"], [None] * 3, [None] * 3], None),
        ([["X", None, 0], [None] * 3, [None] * 3], None),
        ([("X", None, "O"), [None] * 3, [None] * 3], None),
        (Liar([[None] * 3] * 3), None),
    ],
)
def test_only_a_plain_board_has_cells(board: object, cells: str | None) -> None:
    assert cells_of(board) == cells


def test_an_exception_arrives_with_its_last_line_in_the_file() -> None:
    code = compile("def f():\n    raise KeyError('k')\nf()\n", "student.py", "exec")
    try:
        exec(code, {})
    except KeyError as error:
        assert data_of(f"[{encode_error(error, ('student.py',))}]".encode()) == ["KeyError", "k", 2]


def test_an_exceptions_own_methods_do_not_run() -> None:
    class Sly(Exception):
        def __str__(self) -> str:
            raise AssertionError("must not run")

        @property
        def args(self) -> Any:  # type: ignore[override]
            raise AssertionError("must not run")

    assert data_of(f"[{encode_error(Sly(object()), ('x',))}]".encode()) == ["Sly", "", 0]
