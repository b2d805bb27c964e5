"""What all values are made of: fields with what is said of them, and texts that strangers may have written.

Values are frozen dataclasses. What is said of a field (a description, bounds) is for whoever validates data
from outside into them, and for the schemas: see `grader.course.validation`.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from types import FunctionType
from typing import Annotated, Any, ClassVar, dataclass_transform, get_args, get_origin

from grader.core.text import printable, printable_lines

OneLine = Annotated[str, printable]
SomeLines = Annotated[str, printable_lines]
"""Texts in which there may be something that a stranger wrote: whoever shows a grade need not look again."""


def said(
    description: str = "", *, default: Any = MISSING, default_factory: Any = MISSING, **bounds: Any
) -> Any:
    """Return a field with what is said of it."""
    metadata = {"description": description, **bounds} if description else bounds
    return field(default=default, default_factory=default_factory, metadata=metadata)


class Reads:
    """In an annotation: how a value is read from what a person wrote, and what a schema says of it.

    `also` is a schema of what else may be written.
    """

    def __init__(
        self,
        convert: Callable[[object], object],
        schema: dict[str, Any] | None = None,
        also: dict[str, Any] | None = None,
    ) -> None:
        self.convert, self.schema, self.also = convert, schema, also


class _Made:
    """What values share. To those who look at one it is a frozen dataclass.

    It is made without writing and compiling methods for every class, which would take most of the start.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}
    _parts: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)
        cls._parts = fields(cls)

    def __init__(self, *given: Any, **named: Any) -> None:
        values, own = named, self.__dict__
        for one, part in zip(self._parts, given, strict=False):
            values.setdefault(one.name, part)
        for one in self._parts:
            if one.name in values:
                own[one.name] = values.pop(one.name)
            elif one.default is not MISSING:
                own[one.name] = one.default
            elif one.default_factory is not MISSING:
                own[one.name] = one.default_factory()
            else:
                raise TypeError(f"{type(self).__name__} needs {one.name}")
        if values or len(given) > len(self._parts):
            raise TypeError(f"{type(self).__name__} has no {', '.join(values) or 'so many parts'}")
        self.__post_init__()

    def __post_init__(self) -> None:
        """Look at the values when all are there."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(self.__dict__[one.name] == other.__dict__[one.name] for one in self._parts)

    def __hash__(self) -> int:
        values = (self.__dict__[one.name] for one in self._parts)
        return hash((type(self), *(tuple(one.items()) if type(one) is dict else one for one in values)))

    def __repr__(self) -> str:
        told = ", ".join(f"{one.name}={self.__dict__[one.name]!r}" for one in self._parts)
        return f"{type(self).__name__}({told})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@dataclass_transform(frozen_default=True, field_specifiers=(said, field))
class Frozen(_Made):
    """A value that never changes."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(said, field))
class Named(_Made):
    """A value that never changes, whose fields are given by their names."""


class Written(Named):
    """A value that people write, in a rubric or a fixture: no key that it does not have."""


class Value(Named):
    """A value of a grade: what a stranger may have written in it is made text."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, clean in _strangers_texts(kind):
            value = getattr(self, name)
            if value:
                self.__dict__[name] = _cleaned(value, clean)


@cache
def _strangers_texts(kind: Any) -> tuple[tuple[str, Callable[[str], str]], ...]:
    """Return the fields of a class that hold texts of strangers, each with what makes them printable."""
    return tuple((one.name, clean) for one in fields(kind) for clean in _cleaners(one.type))


def _cleaners(hint: Any) -> Iterator[Callable[[str], str]]:
    if get_origin(hint) is Annotated:
        yield from (one for one in hint.__metadata__ if isinstance(one, FunctionType))
    else:
        for part in get_args(hint):
            yield from _cleaners(part)


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, tuple):
        return tuple(map(clean, value))
    if isinstance(value, dict):
        return {clean(key): clean(text) for key, text in value.items()}
    return clean(value)
