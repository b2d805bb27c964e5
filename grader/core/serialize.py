"""Values as plain data, for JSON, and back again: by the types that their classes declare."""

import math
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")


class Unfit(ValueError):
    """Plain data that is not the value it should be."""


def plain(value: Any) -> Any:
    """Return a value as plain data: what is said to be a real number is one, also where it is whole."""
    kind: Any = type(value)
    if hasattr(kind, "__dataclass_fields__"):
        always = getattr(value, "always_told", None)  # where there are such, blanks are left out
        return {
            name: float(part) if is_real and type(part) is int else plain(part)
            for name, is_real in _parts(kind)
            if (part := getattr(value, name)) is not None or always is None or name in always
        }
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return b2a_base64(value, newline=False).decode("ascii")
    return str(value) if isinstance(value, Path) else value


def frozen(data: Any) -> Any:
    """Return plain data as values that Python code would write: lists become tuples."""
    return tuple(frozen(item) for item in data) if isinstance(data, list) else data


def value_of(kind: type[Kind], data: Any) -> Kind:
    """Return the value of a class in plain data; raise Unfit for anything that is none."""
    try:
        return _reader(kind)(data)  # type: ignore[arg-type, no-any-return]
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Unfit(str(error)) from None


Reader = Callable[[Any], Any]
"""Returns plain data as what a type says; raises ValueError or TypeError for anything else."""


@cache
def _reader(hint: Any) -> Reader:
    """Return what reads data of a type: types are looked at once, and data often."""
    if hint is Any:
        return frozen
    supertype = getattr(hint, "__supertype__", None)
    if supertype:
        return _reader(supertype)
    if is_dataclass(hint):
        return partial(_dataclass, hint)
    if isinstance(hint, type) and get_origin(hint) is None:
        return partial(_single, hint)
    arguments = get_args(hint)
    match get_origin(hint):
        case kind if kind is Annotated:
            return _reader(arguments[0])
        case kind if kind is Literal:
            return partial(_literal, arguments)
        case kind if kind in (Union, UnionType):
            return partial(_one_of, arguments)
        case kind if kind is tuple and arguments[-1] is Ellipsis:
            return partial(_several, _reader(arguments[0]))
        case kind if kind is tuple:
            return partial(_parts_of, tuple(map(_reader, arguments)))
        case kind if kind is dict:
            return partial(_pairs, _reader(arguments[0]), _reader(arguments[1]))
    raise Unfit(f"nothing is read as {hint}")


def _literal(words: tuple[Any, ...], data: Any) -> Any:
    if data not in words:
        raise Unfit(f"none of {words}: {data!r:.80}")
    return data


def _several(read: Reader, data: Any) -> Any:
    if not isinstance(data, list):
        raise Unfit(f"no list: {data!r:.80}")
    return tuple(map(read, data))


def _parts_of(readers: tuple[Reader, ...], data: Any) -> Any:
    if not isinstance(data, list):
        raise Unfit(f"no list: {data!r:.80}")
    return tuple(read(one) for read, one in zip(readers, data, strict=True))


def _pairs(read_key: Reader, read: Reader, data: Any) -> Any:
    if not isinstance(data, dict):
        raise Unfit(f"no keys and values: {data!r:.80}")
    return {read_key(key): read(one) for key, one in data.items()}


def _single(kind: type, data: Any) -> Any:
    if kind is float and type(data) in (int, float):
        if not math.isfinite(data):
            raise Unfit(f"no number to count with: {data}")
        return float(data)
    if type(data) is kind:
        return data
    if issubclass(kind, Enum):
        return kind(data)
    if kind is Path and type(data) is str:
        return Path(data)
    if kind is bytes and type(data) is str:
        return a2b_base64(data, strict_mode=True)
    raise Unfit(f"{kind.__name__} is not {data!r:.80}")


def _dataclass(kind: Any, data: Any) -> Any:
    if type(data) is not dict:
        raise Unfit(f"no {kind.__name__}: {data!r:.80}")
    readers = _readers(kind)
    unknown = data.keys() - readers.keys()
    if unknown:
        raise Unfit(f"{kind.__name__} has no {sorted(unknown)}")
    return kind(**{name: readers[name](part) for name, part in data.items()})


@cache
def _readers(kind: Any) -> dict[str, Reader]:
    """Return what reads the fields of a dataclass, by their names."""
    return {name: _reader(hint) for name, hint in _hints(kind).items()}


def _one_of(members: tuple[Any, ...], data: Any) -> Any:
    """Return data as the member of a union that it fits: dataclasses are told apart by a tag."""
    if data is None and NoneType in members:
        return None
    for member in members:
        if is_dataclass(member):
            tags: Any = _tags(member)  # type: ignore[arg-type]
            if isinstance(data, dict) and all(data.get(name) == tag for name, tag in tags):
                return _dataclass(member, data)
        else:
            with suppress(TypeError, ValueError):
                return _reader(member)(data)
    raise Unfit(f"none of {members}: {data!r:.80}")


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields by their names."""
    known = get_type_hints(kind, include_extras=True)
    return {one.name: known[one.name] for one in fields(kind)}


@cache
def _parts(kind: Any) -> tuple[tuple[str, bool], ...]:
    """Return the names of a dataclass's fields, each with whether it holds a real number."""
    return tuple((name, hint is float or float in get_args(hint)) for name, hint in _hints(kind).items())


@cache
def _tags(kind: Any) -> tuple[tuple[str, str], ...]:
    """Return the fields that can hold but one word, which tells the class from others."""
    literals = [(name, get_args(hint)) for name, hint in _hints(kind).items() if get_origin(hint) is Literal]
    return tuple((name, words[0]) for name, words in literals if len(words) == 1)
