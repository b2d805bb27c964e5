"""Values: frozen dataclasses with described fields, their way to JSON and back, and text from strangers.

Descriptions and bounds of fields are for validation (`grader.course.strict_yaml`) and for the schemas.
Text from strangers keeps the letters, marks, symbols and blanks of every script. All else becomes Python's
escape, so that nothing steers a terminal, hides, turns around or begins a new line.
"""

import codecs
import json
import math
import re
import unicodedata
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from grader.core.messages import _

_CODING: Final = re.compile(rb"\A[ \t\f]*+#[^\r\n]*?coding[:=][ \t]*+([-\w.]{1,40})", re.ASCII)
"""How a coding is declared, in one of the first two lines."""

_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""How texts begin that say what they are written in; the longer mark before the one that it begins with."""

_BLANKS: Final = frozenset("\u00a0\u1680\u202f\u205f\u3000").union(map(chr, range(0x2000, 0x200B)))
"""Blanks of other widths: Python does not count them as printable, but they are only blanks."""

_KEPT_IN_LINES: Final = _BLANKS | frozenset("\n\t")


def printable(text: str) -> str:
    """Return a stranger's text as one line that every terminal, file and form can take."""
    return text if text.isprintable() else _escaped(text, _BLANKS)


def printable_lines(text: str) -> str:
    """Return a stranger's text of several lines; they end at `\\n`, and tabs stay."""
    return text if text.isprintable() else _escaped(with_plain_ends(text), _KEPT_IN_LINES)


def _escaped(text: str, kept: Iterable[str]) -> str:
    return "".join(char if char.isprintable() or char in kept else repr(char)[1:-1] for char in text)


def source_text(source: bytes) -> str:
    """Return a source as Python reads it: by its byte order mark, or by the coding that it declares."""
    try:
        return source.decode(coding_of(source))
    except (LookupError, UnicodeError):
        return source.decode("utf-8", "replace")


def coding_of(source: bytes) -> str:
    """Return the coding of a source, by Python's name for it; raise LookupError if there is no such one."""
    for mark, coding in _BYTE_ORDER_MARKS.items():
        if source.startswith(mark):
            return coding
    for line in source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 2)[:2]:
        declared = _CODING.match(line)
        if declared:
            return codecs.lookup(declared[1].decode("ascii")).name
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


def is_wide(source: bytes) -> bool:
    """Return whether a source is in UTF-16 or UTF-32 by its byte order mark, which Python does not run."""
    return source.startswith(tuple(mark for mark, coding in _BYTE_ORDER_MARKS.items() if "8" not in coding))


def as_utf8(source: bytes) -> bytes:
    """Return a source in UTF-8, whatever it declares; raise UnicodeError if it cannot be read.

    Lines stay as they are, but for the name of the coding.
    """
    lines = source.decode(coding_of(source)).encode("utf-8", "surrogatepass").split(b"\n", 2)
    return b"\n".join([*map(_with_utf8, lines[:2]), *lines[2:]])


def _with_utf8(line: bytes) -> bytes:
    """Return a line that declares UTF-8 if it declares a coding."""
    declared = _CODING.match(line)
    return line[: declared.start(1)] + b"utf-8" + line[declared.end(1) :] if declared else line


def with_plain_ends(text: str) -> str:
    """Return a text whose lines all end at `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as Python and linters count them: ended by `\\r\\n`, `\\r` or `\\n` alone.

    `str.splitlines` counts more of them: a form feed or U+2028 in a comment would be the end of a line too.
    """
    found = with_plain_ends(text).split("\n")
    return found if found[-1] else found[:-1]


def percent(share: float) -> str:
    """Return a share in per cent: never all where something is missing, never none where there is some."""
    of_all = min(99.0, max(1.0, 100 * share)) if 0 < share < 1 else 100 * share
    return _("{share:.0f} %", share=of_all)


def without_accents(text: str) -> str:
    """Return a text with plain letters in the place of those with accents.

    Accents that stand alone go first: a heap of them takes the square of its size to sort.
    """
    if text.isascii():
        return text
    letters = "".join(char for char in text if not unicodedata.combining(char))
    apart = unicodedata.normalize("NFKD", letters)
    return "".join(char for char in apart if not unicodedata.combining(char))


OneLine = Annotated[str, printable]
SomeLines = Annotated[str, printable_lines]
"""Texts in which there may be something that a stranger wrote: they are escaped once, here."""


def said(
    description: str = "", *, default: Any = MISSING, default_factory: Any = MISSING, **bounds: Any
) -> Any:
    """Return a field with its description and bounds."""
    metadata = {"description": description, **bounds} if description else bounds
    return field(default=default, default_factory=default_factory, metadata=metadata)


class Reads:
    """Annotation: how a value is converted from what a person wrote, and its schema.

    `also` is the schema of another form that may be written.
    """

    def __init__(
        self,
        convert: Callable[[object], object],
        schema: dict[str, Any] | None = None,
        also: dict[str, Any] | None = None,
    ) -> None:
        self.convert, self.schema, self.also = convert, schema, also


class _Made:
    """Base of all values: each class is a frozen dataclass to its callers.

    It is made without writing and compiling methods for every class, which would take most of the start.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}
    _parts: ClassVar[tuple[Field[Any], ...]] = ()

    _names: ClassVar[dict[str, None]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    _factories: ClassVar[dict[str, Callable[[], Any]]] = {}

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)
        cls._parts = fields(cls)
        cls._names = dict.fromkeys(part.name for part in cls._parts)
        cls._defaults = {part.name: part.default for part in cls._parts if part.default is not MISSING}
        made = (part for part in cls._parts if part.default_factory is not MISSING)
        cls._factories = {part.name: part.default_factory for part in made}  # type: ignore[misc]

    def __init__(self, *given: Any, **named: Any) -> None:
        own = self.__dict__
        own.update(self._defaults)
        own.update(zip(self._names, given, strict=False))
        own.update(named)
        for name, make in self._factories.items():
            if name not in own:
                own[name] = make()
        if own.keys() != self._names.keys() or len(given) > len(self._names):
            missing, unknown = self._names.keys() - own.keys(), own.keys() - self._names.keys()
            wrong = f"has no {', '.join(unknown) or 'so many parts'}"
            if missing:
                wrong = f"needs {', '.join(missing)}"
            raise TypeError(f"{type(self).__name__} {wrong}")
        self.__post_init__()

    def __post_init__(self) -> None:
        """Look at the values when all are there."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(self.__dict__[part.name] == other.__dict__[part.name] for part in self._parts)

    def __hash__(self) -> int:
        values = (self.__dict__[part.name] for part in self._parts)
        return hash(
            (type(self), *(tuple(value.items()) if type(value) is dict else value for value in values))
        )

    def __repr__(self) -> str:
        parts = ", ".join(f"{part.name}={self.__dict__[part.name]!r}" for part in self._parts)
        return f"{type(self).__name__}({parts})"

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
    return tuple((part.name, clean) for part in fields(kind) for clean in _cleaners(part.type))


def _cleaners(hint: Any) -> Iterator[Callable[[str], str]]:
    if get_origin(hint) is Annotated:
        yield from (mark for mark in hint.__metadata__ if isinstance(mark, FunctionType))
    else:
        yield from (clean for part in get_args(hint) for clean in _cleaners(part))


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, tuple):
        return tuple(map(clean, value))
    if isinstance(value, dict):
        return {clean(key): clean(text) for key, text in value.items()}
    return clean(value)


Kind = TypeVar("Kind")


class Unfit(ValueError):
    """Plain data that is not the value it should be."""


def plain(value: Any) -> Any:
    """Return a value as plain data: a float field is a float, also where its value is whole."""
    kind: Any = type(value)
    if kind in (str, int, float, bool, NoneType):
        return value
    if hasattr(kind, "__dataclass_fields__"):
        always = getattr(value, "always_told", None)  # where there are such, blanks are left out
        return {
            name: float(part) if is_real and type(part) is int else plain(part)
            for name, is_real in _parts(kind)
            if (part := getattr(value, name)) is not None or always is None or name in always
        }
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
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
"""Converts plain data to a type; raises ValueError or TypeError for anything else."""


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
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _reader(arguments[0])
    if origin is Literal:
        return lambda data: _fit(data in arguments, data, arguments)
    if origin in (Union, UnionType):
        return partial(_one_of, arguments)
    readers = [_reader(argument) for argument in arguments if argument is not Ellipsis]
    if origin is dict:
        key, value = readers
        return lambda data: {
            key(name): value(item) for name, item in _fit(isinstance(data, dict), data, dict).items()
        }
    if origin is tuple and arguments[-1] is Ellipsis:
        return lambda data: tuple(map(readers[0], _fit(isinstance(data, list), data, list)))
    if origin is tuple:
        return lambda data: tuple(
            read(item) for read, item in zip(readers, _fit(isinstance(data, list), data, list), strict=True)
        )
    raise Unfit(f"nothing is read as {hint}")


def _fit(fits: bool, data: Any, expected: object) -> Any:
    """Return data; raise Unfit if they are not what is expected."""
    if not fits:
        raise Unfit(f"no {expected}: {data!r:.80}")
    return data


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
    readers = _readers(kind)
    unknown = _fit(type(data) is dict, data, kind.__name__).keys() - readers.keys()
    if unknown:
        raise Unfit(f"{kind.__name__} has no {sorted(unknown)}")
    return kind(**{name: readers[name](part) for name, part in data.items()})


@cache
def _readers(kind: Any) -> dict[str, Reader]:
    """Return what reads the fields of a dataclass, by their names."""
    return {name: _reader(hint) for name, hint in _hints(kind).items()}


def _one_of(members: tuple[Any, ...], data: Any) -> Any:
    """Return data as the member of a union that it fits: dataclasses differ by a tag."""
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
    return {part.name: known[part.name] for part in fields(kind)}


@cache
def _parts(kind: Any) -> tuple[tuple[str, bool], ...]:
    """Return the names of a dataclass's fields, each with whether it holds a real number."""
    return tuple((name, hint is float or float in get_args(hint)) for name, hint in _hints(kind).items())


@cache
def _tags(kind: Any) -> tuple[tuple[str, str], ...]:
    """Return the fields that can hold a single literal, which distinguishes the members of a union."""
    literals = [(name, get_args(hint)) for name, hint in _hints(kind).items() if get_origin(hint) is Literal]
    return tuple((name, words[0]) for name, words in literals if len(words) == 1)


_AS_JSON: Final = json.JSONEncoder(ensure_ascii=False).encode


def json_text(data: Any, depth: int = 4, indent: str = "\n") -> str:
    """Return plain data as JSON, with a line for each part down to a depth; what lies deeper is on its line.

    The standard library indents in Python, which takes ten times as long as its encoder in C.
    """
    if not data or depth == 0 or not isinstance(data, dict | list):
        return _AS_JSON(data)
    inner = indent + " "
    if isinstance(data, list):
        parts = [json_text(part, depth - 1, inner) for part in data]
        return "[" + inner + f",{inner}".join(parts) + indent + "]"
    parts = [f"{_AS_JSON(name)}: {json_text(part, depth - 1, inner)}" for name, part in data.items()]
    return "{" + inner + f",{inner}".join(parts) + indent + "}"
