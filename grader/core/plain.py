"""Values as plain data, for JSON, and back again: by the types that their classes declare."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
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
            name: float(part) if is_real and part is not None else plain(part)
            for name, is_real in _parts(kind)
            if (part := getattr(value, name)) is not None or always is None or name in always
        }
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def frozen(data: Any) -> Any:
    """Return plain data as values that Python code would write: lists become tuples."""
    return tuple(frozen(item) for item in data) if isinstance(data, list) else data


def value_of(kind: type[Kind], data: Any) -> Kind:
    """Return the value of a class in plain data; raise Unfit for anything that is none."""
    try:
        found: Kind = _read(kind, data)
        return found
    except (TypeError, ValueError, RecursionError) as error:
        raise Unfit(str(error)) from None


def _read(hint: Any, data: Any) -> Any:
    """Return plain data as what a type says; raise ValueError or TypeError for anything else."""
    if hint is Any:
        return frozen(data)
    supertype = getattr(hint, "__supertype__", None)
    if supertype:
        return _read(supertype, data)
    if is_dataclass(hint):
        return _dataclass(hint, data)
    if isinstance(hint, type) and get_origin(hint) is None:
        return _single(hint, data)
    arguments = get_args(hint)
    match get_origin(hint):
        case kind if kind is Annotated:
            return _read(arguments[0], data)
        case kind if kind is Literal:
            if data in arguments:
                return data
        case kind if kind in (Union, UnionType):
            return _one_of(arguments, data)
        case kind if kind is tuple and isinstance(data, list):
            if arguments[-1] is Ellipsis:
                return tuple(_read(arguments[0], one) for one in data)
            return tuple(_read(part, one) for part, one in zip(arguments, data, strict=True))
        case kind if kind is dict and isinstance(data, dict):
            return {_read(arguments[0], key): _read(arguments[1], one) for key, one in data.items()}
    raise Unfit(f"{hint} is not {data!r:.80}")


def _single(kind: type, data: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(data)
    if kind is Path and type(data) is str:
        return Path(data)
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise Unfit(f"{kind.__name__} is not {data!r:.80}")
    return data


def _dataclass(kind: Any, data: Any) -> Any:
    if type(data) is not dict:
        raise Unfit(f"no {kind.__name__}: {data!r:.80}")
    hints = _hints(kind)
    unknown = data.keys() - hints.keys()
    if unknown:
        raise Unfit(f"{kind.__name__} has no {sorted(unknown)}")
    return kind(**{name: _read(hints[name], part) for name, part in data.items()})


def _one_of(members: tuple[Any, ...], data: Any) -> Any:
    """Return data as the member of a union that it fits: dataclasses are told apart by a tag."""
    if data is None and NoneType in members:
        return None
    for member in members:
        if is_dataclass(member):
            tags: Any = _tags(member)  # type: ignore[arg-type]
            if isinstance(data, dict) and all(data.get(name) == tag for name, tag in tags):
                return _dataclass(member, data)
            continue
        try:
            return _read(member, data)
        except (TypeError, ValueError):
            continue
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
    return tuple(_find_tags(kind))


def _find_tags(kind: Any) -> Iterator[tuple[str, str]]:
    for name, hint in _hints(kind).items():
        if get_origin(hint) is Literal and len(get_args(hint)) == 1:
            yield name, get_args(hint)[0]
