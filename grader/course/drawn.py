"""What YAML says as Python code would: a drawing is a board, a list is a tuple."""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, WithJsonSchema

from grader.core.game import board as game
from grader.core.game.board import Board

_BOARD_SCHEMA: Final[dict[str, Any]] = {
    "description": "Three rows of X, O and . as a text block, or as a list of three texts.",
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
    ],
}


def _drawn(value: object) -> Board:
    if isinstance(value, list) and all(isinstance(row, str) for row in value):
        return game.parse(value)
    if isinstance(value, str):
        return game.parse(value)
    raise ValueError("a board is three rows of three cells, each X, O or .")


def _frozen(value: object) -> object:
    """Return YAML data as the values that Python code would write: lists become tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


Drawn = Annotated[Board, BeforeValidator(_drawn), WithJsonSchema(_BOARD_SCHEMA)]
Given = Annotated[Any, BeforeValidator(_frozen)]
