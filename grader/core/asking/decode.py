"""The client's half of the wire: what a worker wrote is checked and becomes plain values again.

A worker's line is `TOKEN INDEX PAYLOAD`. Nothing in it is trusted: whatever `encode` would not have written
raises ValueError, and the client treats that as a breach of the protocol.
"""

import json
import math
from typing import Any, Final

from grader.core.game.board import Board, to_lists
from grader.core.messages import later
from grader.core.text import printable
from grader.core.values import Frozen
from grader.worker.wire import MAX_DEPTH, MAX_TEXT


class Alien(Frozen):
    """Stands for a value that is not plain data: an object, an instance of a subclass, something huge."""

    what: str

    def __repr__(self) -> str:
        return self.what


ALIENS: Final = (
    later("an object of class {name}"),
    later("an answer of many parts"),
    later("an integer of many digits"),
    later("something nested deeply"),
    later("a {kind} of {count} items"),
    later("a numpy.{name} ({how} makes it {kind})"),
    later("the number {number}"),
)
"""What a worker calls an answer that is no plain data."""


def data_of(payload: bytes) -> Any:
    """Return the JSON data of a payload."""
    try:
        return _DECODER.decode(payload.decode("ascii"))
    except (ValueError, RecursionError):
        raise ValueError("not JSON as a worker writes it") from None


def _refuse(text: str) -> Any:
    raise ValueError(text)


def _int_of(text: str) -> int:
    return int(text) if len(text) <= _MOST_DIGITS else _refuse(text)


_MOST_DIGITS: Final = 20
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, parse_float=_refuse, parse_int=_int_of)


def value_of(data: Any, depth: int = 0) -> Any:
    """Return the value that encoded data stands for."""
    if data is None or type(data) in (bool, int, str):
        return data
    if type(data) is not list or not data or type(data[0]) is not str or depth > MAX_DEPTH:
        raise ValueError("not a value")
    tag, items = data[0], data[1:]
    if tag == "b":
        return _board_of(items)
    if tag in ("?", "f"):
        if len(items) != 1 or type(items[0]) is not str:
            raise ValueError("not a value")
        return Alien(printable(items[0][: 2 * MAX_TEXT])) if tag == "?" else _float_of(items[0])
    values = [_pair_of(item, depth) if tag == "d" else value_of(item, depth + 1) for item in items]
    try:
        return {"l": list, "t": tuple, "s": set, "z": frozenset, "d": dict}[tag](values)
    except (KeyError, TypeError):  # an unknown tag, or a member that no set can hold
        raise ValueError("not a value") from None


def _board_of(items: list[Any]) -> list[list[str | None]]:
    match items:
        case [str(cells)] if len(cells) == 9 and not cells.strip("XO."):
            return to_lists(Board(cells))
    raise ValueError("not a value")


def _pair_of(data: Any, depth: int) -> Any:
    pair = value_of(data, depth + 1)
    if type(pair) is not tuple or len(pair) != 2:
        raise ValueError("not a value")
    return pair


def _float_of(text: str) -> float | Alien:
    number = float(text)
    return number if math.isfinite(number) else Alien(f"the number {text}")
