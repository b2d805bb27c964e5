"""Calls of a submission's functions, and how they are sent to its worker."""

import marshal
from collections.abc import Iterable
from typing import Final, NamedTuple

from grader.core.game.board import Board

PLAIN: Final = 2
"""The version of `marshal` that writes the same value always as the same bytes: later ones write references
where an object happens to be used elsewhere, too."""

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
    return marshal.dumps(calls, PLAIN)
