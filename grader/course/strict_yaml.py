"""Reads YAML strictly and remembers lines, so that every mistake can be named with its place.

Stricter than YAML: duplicate keys, aliases and tags are errors, and only true, false, null (or None) and
plain numbers are anything but text, so that O, NO and ON stay what they look like.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from grader.core.errors import UserError, Where, together

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_BYTES = 1_000_000
_MAX_DEPTH = 50
_INT = re.compile(r"[-+]?[0-9]{1,15}")
_FLOAT = re.compile(r"[-+]?([0-9]{1,15}\.[0-9]{0,15}|\.[0-9]{1,15})")
_WORDS = {"true": True, "false": False, "True": True, "False": False}
_NULLS = {"", "~", "null", "None"}


@dataclass(frozen=True)
class Document:
    """A YAML file's plain data, and the file and line where each part of it starts."""

    file: Path
    data: Any
    places: dict[Where, tuple[Path, int]]
    faults: tuple[UserError, ...] = ()
    """What is wrong with the text, although it can be read."""

    def place(self, where: Where) -> tuple[Path, int]:
        """Return the file and the line of a part, or of the nearest part around it."""
        while where not in self.places:
            where = where[:-1]
        return self.places[where]

    def line(self, where: Where) -> int:
        """Return the line of a part, or of the nearest part around it."""
        return self.place(where)[1]

    def error(self, message: str, where: Where = ()) -> UserError:
        """Return the error that names the file and the line of a part."""
        file, line = self.place(where)
        return UserError(message, file=file, line=line)

    def where(self, location: tuple[int | str, ...]) -> Where:
        """Return the place that pydantic's location means (it also names members of unions)."""
        where: Where = ()
        for part in location:
            if (*where, part) in self.places:
                where = (*where, part)
        return where


Key = TypeVar("Key")


def repeated(members: Iterable[tuple[Key, dict[str, Any]]]) -> Iterator[tuple[Key, str]]:
    """Yield the key and the id of each member whose id one before it has."""
    seen: set[str] = set()
    for key, member in members:
        name = member.get("id")
        if isinstance(name, str) and name in seen:
            yield key, name
        elif isinstance(name, str):
            seen.add(name)


def load(file: Path, *, most: int = _MAX_BYTES) -> Document:
    """Return the file's content; raise UserError for anything but plain, unambiguous YAML."""
    document = read(file, most=most)
    if document.faults:
        raise together(document.faults)
    return document


def read(file: Path, *, most: int = _MAX_BYTES) -> Document:
    """Return the file's content with its faults; raise UserError if there is no reading on.

    A file of more bytes than `most` is refused.
    """
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=file) from None
    return parsed(raw, file, most=most)


def parsed(raw: bytes, file: Path, *, most: int = _MAX_BYTES) -> Document:
    """Return the content of a file that was read already; raise UserError as `read` does."""
    if len(raw) > most:
        raise UserError(f"is larger than {most:,} bytes", file=file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError("is not UTF-8 text: save it as UTF-8", file=file, line=line) from None
    builder = _Builder(file, yaml.parse(text, Loader=_Loader))
    try:
        data = builder.document()
    except UserError as error:
        builder.faults.append(error)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or "cannot be read"
        where = min(mark.line + 1, len(text.splitlines())) if mark else None  # it may be after the last one
        builder.faults.append(UserError(f"not valid YAML: {problem}", file=file, line=where))
    except yaml.YAMLError as error:
        builder.faults.append(UserError(f"not valid YAML: {str(error).splitlines()[0]}", file=file))
    else:
        return Document(file, data, builder.places, tuple(builder.faults))
    raise together(builder.faults)


class _Builder:
    """Builds plain data from YAML events and notes lines. (PyYAML's own composer crashes on deep nesting.)"""

    def __init__(self, file: Path, events: Iterator[Any]) -> None:
        self.file, self._events = file, events
        self.places: dict[Where, tuple[Path, int]] = {}
        self.faults: list[UserError] = []

    def document(self) -> Any:
        """Return the data of the only document."""
        assert isinstance(next(self._events), yaml.StreamStartEvent)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise UserError("is empty", file=self.file, line=1)
        data = self._value(next(self._events), ())
        assert isinstance(next(self._events), yaml.DocumentEndEvent)
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self._error("a second document (---): one file holds one", after)
        return data

    def _place(self, event: Any) -> tuple[Path, int]:
        return self.file, int(event.start_mark.line) + 1

    def _error(self, message: str, event: Any) -> UserError:
        return UserError(message, file=self.file, line=self._place(event)[1])

    def _value(self, event: Any, where: Where) -> Any:
        self.places.setdefault(where, self._place(event))
        if len(where) > _MAX_DEPTH:
            raise self._error("nested too deeply", event)
        if isinstance(event, yaml.AliasEvent):
            self.faults.append(self._error("aliases (*name) are not allowed: write it out", event))
            return None
        if event.tag is not None:
            self.faults.append(self._error(f"tags ({event.tag}) are not allowed: leave it out", event))
        if isinstance(event, yaml.ScalarEvent):
            return event.value if event.style else _plain(event.value)  # quoted, or a block: text
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(where)
        return self._mapping(where)

    def _list(self, where: Where) -> list[Any]:
        data: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            data.append(self._value(event, (*where, len(data))))
        return data

    def _mapping(self, where: Where) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error("a key must be a word", event)
            key: str = event.value
            if key in data:
                message = f"the key '{key}' is given twice: leave one of them out"
                self.faults.append(self._error(message, event))
            self.places[*where, key] = self._place(event)
            data[key] = self._value(next(self._events), (*where, key))
        return data


def _plain(text: str) -> Any:
    """Return what stands there without quotes: text, unless it is a number, a truth value or nothing."""
    if text in _NULLS:
        return None
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def dump(data: Any) -> bytes:
    """Return data as YAML that `load` reads back as it was; what stood there as a comment is gone."""
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False).encode()


class _Dumper(yaml.SafeDumper):
    """Writes no alias, no text that reads as a number, no number that reads as text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True

    def text(self, value: str) -> yaml.ScalarNode:
        """Return a text; a drawing stays one."""
        quoted = None if isinstance(_plain(value), str) else "'"
        return self.represent_scalar("tag:yaml.org,2002:str", value, "|" if "\n" in value else quoted)

    def number(self, value: float) -> yaml.ScalarNode:
        """Return a number with all of its digits."""
        digits = f"{value:.15f}".rstrip("0")
        return self.represent_scalar("tag:yaml.org,2002:float", f"{digits}0" if digits[-1] == "." else digits)


_Dumper.add_representer(str, _Dumper.text)
_Dumper.add_representer(float, _Dumper.number)
