"""What came of one call: the submission answered, raised, or lost its worker. Frozen, checked, plain."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from grader.game.board import Board, to_lists
from grader.sandbox.decode import data_of, printable, value_of


@dataclass(frozen=True)
class Returned:
    """The call gave a value; `board_after` holds the board it was given if the call changed that.

    Then `shares` says what of that board is in the value: itself, its rows, or nothing.
    """

    value: Any
    changed: bool = False
    board_after: Any = None
    shares: str = ""


@dataclass(frozen=True)
class Raised:
    """The call raised an exception; the line is the last one within the submission, 0 when unknown."""

    error: str
    message: str
    line: int
    changed: bool = False
    board_after: Any = None

    def __str__(self) -> str:
        text = f"{self.error}: {self.message}" if self.message else self.error
        return f"{text} (line {self.line})" if self.line else text


@dataclass(frozen=True)
class Missing:
    """The submission has no such name."""


class Loss(StrEnum):
    """How a worker was lost during a call."""

    DEADLINE = "deadline"
    DEATH = "death"
    BREACH = "breach"


@dataclass(frozen=True)
class Lost:
    """The call took the worker with it, or was not asked because too many calls before it had."""

    loss: Loss
    detail: str
    asked: bool = True


@dataclass(frozen=True)
class NotLoaded:
    """The submission could not be run at all: why, and how its worker was lost if it was."""

    why: str
    loss: Loss | None = None
    raised: bool = False


Reply = Returned | Raised | Missing | Lost | NotLoaded


_MOST_KNOWN: Final = 20_000
_known: dict[bytes, Reply] = {}


def reply_of(payload: bytes) -> Reply:
    """Return the reply in a payload; raise ValueError for anything a worker does not write.

    Most payloads come again and again, from one submission to the next, so replies are shared.
    """
    reply = _known.get(payload)
    if reply is None:
        reply = _decoded(payload)
        if len(_known) < _MOST_KNOWN:
            _known[payload] = reply
    return reply


def replies_of(payloads: Sequence[bytes]) -> list[Reply]:
    """Return the replies in payloads; raise ValueError for anything a worker does not write."""
    known = list(map(_known.get, payloads))
    if all(known):
        return known  # type: ignore[return-value]
    return [reply_of(payload) for payload in payloads]


@lru_cache(maxsize=_MOST_KNOWN, typed=True)
def reply_with(value: Hashable) -> Reply:
    """Return the reply that an answer with this value becomes: the very same object, to be told by identity.

    Text of nine cells is a board.
    """
    if isinstance(value, str) and len(value) == 9:  # most of them, and nothing in them to doubt
        payload = f'["returned",["b","{value}"]]'.encode("ascii")
        return _known.setdefault(payload, Returned(to_lists(Board(value))))
    return reply_of(f'["returned",{_written(value)}]'.encode("ascii"))


def _written(value: object) -> str:
    """Return a right answer as a worker writes it."""
    if isinstance(value, tuple):
        return "".join(['["t"', *(f",{_written(item)}" for item in value), "]"])
    if isinstance(value, frozenset):
        return "".join(['["s"', *sorted(f",{_written(item)}" for item in value), "]"])
    return json.dumps(value)


def _decoded(payload: bytes) -> Reply:
    match data_of(payload):
        case ["returned", value]:
            return Returned(value_of(value))
        case ["returned", value, board, ("itself" | "rows" | "nothing") as shares]:
            return Returned(value_of(value), True, value_of(board), shares)
        case ["raised", str(error), str(message), int(line)]:
            return Raised(printable(error), printable(message), line)
        case ["raised", str(error), str(message), int(line), list() | None as board, "nothing"]:
            return Raised(printable(error), printable(message), line, True, value_of(board))
        case ["missing"]:
            return Missing()
        case _:
            raise ValueError("not a reply")
