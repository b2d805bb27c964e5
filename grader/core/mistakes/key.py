"""An answer as a key: equal when the answers are, with their types; exceptions by their class."""

from collections.abc import Hashable
from typing import Any, Final

from grader.core.asking.decode import Alien
from grader.core.asking.reply import Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game.board import CELLS, Action, from_lists

Key = Hashable

MISSING: Final = ("missing",)
LOST: Final = ("lost",)
TRUE: Final = ("bool", True)
FALSE: Final = ("bool", False)
_OF_ACTIONS: Final[dict[Action, Key]] = {
    (i, j): ("tuple", (("number", i), ("number", j))) for i, j in CELLS
}


def key_of(reply: Reply) -> Key:
    """Return what came of a call as a key."""
    match reply:
        case Returned():
            return key_of_value(reply.value)
        case Raised():
            return "raised", reply.error
        case Missing() | NotLoaded():
            return MISSING
        case Lost():
            return LOST


def key_of_value(value: Any) -> Key:
    """Return a value as a key: text and None as they are, 1 and 1.0 alike, but True apart from them."""
    if value is None or type(value) is str:
        return value
    if type(value) is bool:
        return TRUE if value else FALSE
    if type(value) in (int, float):
        return number(value)
    if type(value) is list:
        board = from_lists(value)
        return ("board", board) if board is not None else ("list", tuple(map(key_of_value, value)))
    if type(value) is tuple:
        if len(value) == 2 and type(value[0]) is type(value[1]) is int and value in _OF_ACTIONS:
            return _OF_ACTIONS[value]
        return "tuple", tuple(map(key_of_value, value))
    if type(value) in (set, frozenset):
        return type(value).__name__, frozenset(map(key_of_value, value))
    return "alien", value.what if isinstance(value, Alien) else repr(value)


def key_of_action(action: Action) -> Key:
    """Return the key of a cell of the board."""
    return _OF_ACTIONS[action]


def is_raised(key: Key) -> bool:
    """Return whether a key stands for an exception."""
    return type(key) is tuple and key[0] == "raised"


def number(value: float) -> Key:
    """Return the key of a number."""
    return "number", value


def text_of(key: Key) -> str:
    """Return what a key stands for, the way a student would write it."""
    match key:
        case None | str():
            return repr(key)
        case ("bool" | "number", value):
            return repr(value)
        case ("raised", error):
            return f"{error} (raised)"
        case ("tuple", tuple(items)):
            return "(" + ", ".join(map(text_of, items)) + ("," if len(items) == 1 else "") + ")"
        case ("list", tuple(items)):
            return "[" + ", ".join(map(text_of, items)) + "]"
        case ("set" | "frozenset", frozenset() as items):
            return "{" + ", ".join(sorted(map(text_of, items))) + "}" if items else "set()"
        case ("board", str(cells)):
            return " / ".join((cells[:3], cells[3:6], cells[6:]))
        case ("alien", str(what)):
            return what
        case _:
            return "no answer"
