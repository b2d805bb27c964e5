"""What all values are made of: fields with what is said of them, and texts that strangers may have written.

Values are frozen dataclasses. What is said of a field (a description, bounds) is for whoever validates data
from outside into them, and for the schemas: see `grader.course.validation`.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, field, fields
from functools import cache
from types import FunctionType
from typing import Annotated, Any, ClassVar, get_args, get_origin

from grader.core.text import printable, printable_lines

OneLine = Annotated[str, printable]
SomeLines = Annotated[str, printable_lines]
"""Texts in which there may be something that a stranger wrote: whoever shows a grade need not look again."""


def said(
    *, default: Any = MISSING, default_factory: Any = MISSING, description: str = "", **bounds: Any
) -> Any:
    """Return a field with what is said of it."""
    metadata = {"description": description, **bounds} if description else bounds
    return field(default=default, default_factory=default_factory, metadata=metadata)


class Reads:
    """In an annotation: how a value is read from what a person wrote, and what a schema says of it."""

    def __init__(self, convert: Callable[[object], object], schema: dict[str, Any] | None = None) -> None:
        self.convert, self.schema = convert, schema


class Written:
    """A value that people write, in a rubric or a fixture: no key that it does not have."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


class Value:
    """A frozen value of a grade: what a stranger may have written in it is made text."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, clean in _strangers_texts(kind):
            value = getattr(self, name)
            if value:
                object.__setattr__(self, name, _cleaned(value, clean))


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
        return {key: clean(text) for key, text in value.items()}
    return clean(value)
