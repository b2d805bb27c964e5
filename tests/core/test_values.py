"""Values: frozen, equal by their parts, and as JSON and back what they were."""

import json
from dataclasses import FrozenInstanceError, field, fields, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from grader.core.grade import FirstMove, Grade, Move, Pruning, Search, Status, Verdict, to_json
from grader.core.values import Frozen, OneLine, Unfit, Value, Written, json_text, plain, said, value_of


class Point(Frozen):
    x: int
    y: int = 0
    names: list[str] = field(default_factory=list)


class Told(Value):
    text: OneLine
    many: tuple[OneLine, ...] = ()
    by_name: dict[str, OneLine] = said(default_factory=dict)


class Circle(Written):
    check: Literal["circle"] = "circle"
    radius: float


class Square(Written):
    check: Literal["square"] = "square"
    side: float | None = None


class Drawing(Written):
    shapes: tuple[Circle | Square, ...]
    file: Path | None = None
    anything: Any = None
    size: tuple[int, int] = (1, 2)


def test_a_value_is_given_by_position_or_by_name_and_never_changes() -> None:
    point = Point(1, y=2)
    assert point == Point(x=1, y=2) != Point(1)
    assert hash(Circle(radius=1)) == hash(Circle(radius=1.0))
    assert repr(point) == "Point(x=1, y=2, names=[])"
    assert [part.name for part in fields(point)] == ["x", "y", "names"]
    assert replace(point, x=3) == Point(3, 2) and point.names is not Point(1).names
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x


@pytest.mark.parametrize(
    "arguments", [((), {}), ((1, 2, [], 4), {}), ((1,), {"z": 3})], ids=["too few", "too many", "unknown"]
)
def test_a_value_that_is_given_wrongly_is_refused(arguments: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*arguments[0], **arguments[1])


def test_what_strangers_wrote_is_text_in_every_place() -> None:
    told = Told(text="a\x1b[2J", many=("b\n",), by_name={"c\r": "d\u202e"})
    assert (told.text, told.many) == (r"a\x1b[2J", (r"b\n",))
    assert told.by_name == {r"c\r": r"d\u202e"}
    assert replace(told, text="e\x00").text == r"e\x00"


def test_values_come_back_from_plain_data() -> None:
    shapes = Circle(radius=2), Square()
    drawing = Drawing(shapes=shapes, file=Path("a/b"), anything=(1, ("x",)), size=(3, 4))
    assert value_of(Drawing, plain(drawing)) == drawing
    assert plain(drawing)["shapes"][0] == {"check": "circle", "radius": 2.0}
    assert type(plain(drawing)["shapes"][0]["radius"]) is float


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"shapes": 3},
        {"shapes": [{"check": "circle"}]},
        {"shapes": [{"check": "circle", "radius": "2"}]},
        {"shapes": [{"check": "circle", "radius": True}]},
        {"shapes": [{"check": "oval"}]},
        {"shapes": [{"check": "square", "side": 1, "edge": 1}]},
        {"shapes": [], "size": [1]},
        {"shapes": [], "size": [1, "2"]},
        {"shapes": [], "file": 3},
        {"shapes": [[[[]]]]},
    ],
)
def test_what_is_none_of_a_class_is_refused(data: Any) -> None:
    with pytest.raises(Unfit):
        value_of(Drawing, data)


def test_a_verdict_leaves_out_its_blanks_and_whole_numbers_are_real_ones() -> None:
    board = ("X..", "...", "...")
    verdict = Verdict(id="a", status=Status.FAILED, weight=1, earned=None, reason="r", board=board)
    told = plain(verdict)
    assert told["earned"] is None and "hint" not in told and type(told["weight"]) is float
    assert value_of(Verdict, told) == verdict


def test_a_grade_is_its_json() -> None:
    figures = dict.fromkeys(("taken_shallow", "taken_deep", "missed_shallow", "missed_deep", "too_early"), 1)
    search = Search(pruning=Pruning.FULL, **figures, boards=(), calls={"result": 3})
    grade = Grade(
        title="T", submission="a.py", score=1, points=2, bonus=0, total=1, scaled=None, criteria=(), seconds=1,
        submission_seconds=0.5, search=search, first_move=FirstMove(seconds=1),
    )  # fmt: skip
    assert value_of(Grade, json.loads(to_json(grade))) == grade
    assert Move(by="X", row=0, column=1).better is None


@pytest.mark.parametrize(
    "data", [[], {}, "é", 1.5, [[]], {"a": {"b": [{"c": [1, {"d": "e"}]}, None]}, "f": []}]
)
def test_text_of_json_is_the_same_data(data: object) -> None:
    assert json.loads(json_text(data)) == data


def test_json_has_a_line_for_each_part_down_to_its_depth() -> None:
    text = json_text({"a": [{"b": [{"c": 1}]}]}, depth=3)
    assert text == '{\n "a": [\n  {\n   "b": [{"c": 1}]\n  }\n ]\n}'
