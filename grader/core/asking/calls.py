"""Calls of a submission's functions, and how they are sent to its worker."""

import marshal
from collections.abc import Iterable
from typing import NamedTuple

from grader.core.game.board import Board

Arguments = tuple[Board] | tuple[Board, object]


class Calls(NamedTuple):
    """Calls of one function, each once, and the same as its worker reads them."""

    arguments: list[Arguments]
    packed: bytes


def calls_once(calls: Iterable[Arguments]) -> Calls:
    """Return calls, each once: a class that is asked them again and again keeps them."""
    arguments = list(dict.fromkeys(calls))
    return Calls(arguments, packed(arguments))


def packed(calls: list[Arguments]) -> bytes:
    """Return calls as a worker reads them."""
    return marshal.dumps(calls)
