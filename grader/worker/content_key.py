"""What is plain data, as bytes: by `marshal`, which tells 1 from True and refuses most of what is not."""

from marshal import dumps

from grader.worker.own import *

SMALL = (type(None), bool, float)
_IMMUTABLE = (*SMALL, int, str)
_CONTAINERS = (tuple, list, set, frozenset, dict)
_MAX_KEY = 4_096
_DEEPEST = 50
_DEEPEST_OBJECT = 8
"""A cell of a board that is an attribute of an argument lies at 6."""


def plain(parts: Any) -> bytes:
    """Return these parts as bytes; raise ValueError when they are not plain data."""
    try:
        content = dumps(parts, 2)
    except ValueError:
        content = dumps(_opened(parts, 0), 2)
    if len(content) > _MAX_KEY:
        raise ValueError("too large to remember")
    return content


def plain_without_buffers(parts: Any) -> bytes:
    """Return the same where some parts may be arrays; raise ValueError for these, too."""
    refuse_buffers(parts)
    return plain(parts)


def is_immutable(value: object) -> bool:
    """Return whether nobody can change a value: a tuple of such values is one, too."""
    if type(value) is not tuple:
        return type(value) in _IMMUTABLE
    for item in value:  # noqa: SIM110 - in half the time of a generator
        if not is_immutable(item):
            return False
    return True


def refuse_buffers(value: Any, depth: int = 0) -> None:
    """Raise ValueError for a value with an array in it, which `marshal` takes for bytes."""
    kind = type(value)
    if kind in _IMMUTABLE:
        return
    if depth > _DEEPEST or (kind not in _CONTAINERS and not _is_own(value)):
        raise ValueError("not plain data")
    items = value if kind in _CONTAINERS else vars(value)
    for item in (*items, *items.values()) if type(items) is dict else items:
        refuse_buffers(item, depth + 1)


def _is_own(value: Any) -> bool:
    """Return whether a value is an instance of the submission's own classes."""
    return getattr(type(value), "__module__", None) == "tictactoe" and hasattr(value, "__dict__")


def _opened(value: Any, depth: int) -> Any:
    """Return a value with instances of the submission's own classes as their class and attributes."""
    if depth > _DEEPEST_OBJECT:
        raise ValueError("nested too deeply")
    if type(value) is tuple or type(value) is list:
        return type(value)([_opened(item, depth + 1) for item in value])
    if _is_own(value):
        return "instance", id(type(value)), _opened(sorted(vars(value).items()), depth + 1)
    return value
