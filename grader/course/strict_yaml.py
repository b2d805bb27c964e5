"""Reads YAML strictly and remembers lines, so that every mistake can be named with its place.

Stricter than YAML: duplicate keys, aliases and tags are errors, and only true, false, null (or None) and
plain numbers are anything but text, so that O, NO and ON stay what they look like. pydantic
makes values of the data; what does not fit is reported in the words of a person who edits YAML.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic_core import core_schema

from grader.core.course.rubric import SLUG
from grader.core.errors import UserError, Where, nearest, together
from grader.core.grade import Grade, Verdict
from grader.core.messages import _
from grader.core.values import Reads

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
        if isinstance(name, str):
            if name in seen:
                yield key, name
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
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=file) from None
    return parsed(raw, file, most=most)


def parsed(raw: bytes, file: Path, *, most: int = _MAX_BYTES) -> Document:
    """Return the content of a file that was read already; raise UserError as `read` does."""
    if len(raw) > most:
        raise UserError(_("is larger than {most:,} bytes", most=most), file=file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(_("is not UTF-8 text: save it as UTF-8"), file=file, line=line) from None
    builder = _Builder(file, yaml.parse(text, Loader=_Loader))
    try:
        data = builder.document()
    except UserError as error:
        builder.faults.append(error)
    except yaml.YAMLError as error:
        mark, problem = None, str(error).splitlines()[0]
        if isinstance(error, yaml.MarkedYAMLError):
            mark, problem = error.problem_mark or error.context_mark, error.problem or _("cannot be read")
        where = min(mark.line + 1, len(text.splitlines())) if mark else None  # it may be after the last one
        message = _("not valid YAML: {problem}", problem=problem)
        builder.faults.append(UserError(message, file=file, line=where))
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
            raise UserError(_("is empty"), file=self.file, line=1)
        data = self._value(next(self._events), ())
        assert isinstance(next(self._events), yaml.DocumentEndEvent)
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise self._error(_("a second document (---): one file holds one"), after)
        return data

    def _place(self, event: Any) -> tuple[Path, int]:
        return self.file, int(event.start_mark.line) + 1

    def _error(self, message: str, event: Any) -> UserError:
        return UserError(message, file=self.file, line=self._place(event)[1])

    def _value(self, event: Any, where: Where) -> Any:
        self.places.setdefault(where, self._place(event))
        if len(where) > _MAX_DEPTH:
            raise self._error(_("nested too deeply"), event)
        if isinstance(event, yaml.AliasEvent):
            self.faults.append(self._error(_("aliases (*name) are not allowed: write it out"), event))
            return None
        if event.tag is not None:
            self.faults.append(
                self._error(_("tags ({tag}) are not allowed: leave it out", tag=event.tag), event)
            )
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
                raise self._error(_("a key must be a word"), event)
            key: str = event.value
            if key in data:
                message = _("the key '{key}' is given twice: leave one of them out", key=key)
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


Kind = TypeVar("Kind")

_TOO_MANY: Final = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a key that a model does not have, and one that a dataclass does not have."""


def validated(document: Document, kind: type[Kind]) -> Kind:
    """Return a file's data as a value; raise UserError with the lines of all that does not fit."""
    value, wrong = examined(document, kind)
    if value is None or wrong:
        raise together(wrong)
    return value


def examined(document: Document, kind: type[Kind]) -> tuple[Kind | None, list[UserError]]:
    """Return a file's data as a value, None if it is none, and all that is wrong with the file."""
    try:
        adapter: TypeAdapter[Kind] = _adapter(kind)  # type: ignore[arg-type]
        return adapter.validate_python(document.data), list(document.faults)
    except ValidationError as error:
        places = {(fault.file, fault.line) for fault in document.faults}
        misfits = [document.error(sentence, where) for where, sentence in _misfits(error, kind, document)]
        new = [misfit for misfit in misfits if (misfit.file, misfit.line) not in places]
        return None, [*document.faults, *new]


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def schema_text(kind: Any) -> str:
    """Return the JSON Schema of a class: of what people write, or of a grade as it is written."""
    schema = _adapter(kind).json_schema(mode="serialization" if kind is Grade else "validation")
    known = {part.__name__: part for part in _all_kinds(kind)}
    for name, part in [(getattr(kind, "__name__", ""), schema), *schema.get("$defs", {}).items()]:
        if name in known:
            part["description"] = known[name].__doc__.partition("\n\n")[0]
    if kind is Grade:  # blanks are left out of a verdict
        always = [
            field.name for field in fields(Verdict) if field.default is field.default_factory is MISSING
        ]
        schema["$defs"]["Verdict"]["required"] = always
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


def _all_kinds(kind: Any) -> dict[Any, None]:
    """Return all classes that a type is made of."""
    found: dict[Any, None] = {}
    waiting = list(_kinds_in(kind))
    while waiting:
        part = waiting.pop()
        if part not in found:
            found[part] = None
            waiting += [below for hint in _fields(part).values() for below in _kinds_in(hint)]
    return found


def _reading(self: Reads, source: Any, handler: Any) -> Any:
    return core_schema.no_info_before_validator_function(self.convert, handler(source))


def _reading_schema(self: Reads, schema: Any, handler: Any) -> Any:
    own = dict(self.schema) if self.schema else handler(schema)
    return {"anyOf": [self.also, own]} if self.also else own


setattr(Reads, "__get_pydantic_core_schema__", _reading)  # noqa: B010 - the values know nothing of pydantic
setattr(Reads, "__get_pydantic_json_schema__", _reading_schema)  # noqa: B010


def _misfits(error: ValidationError, kind: type, document: Document) -> list[tuple[Where, str]]:
    """Return the place in the file and the sentence of all that does not fit, in the order of pydantic.

    A key that is not known is more often than not misspelt, and the cause of one that is missing: that is one
    misfit. Of a value that fits no member of a union each member says something: that is one, too. A list of
    which nothing fits is not too short.
    """
    found: list[Any] = error.errors(include_url=False)
    holding = {fault["loc"][:depth] for fault in found for depth in range(len(fault["loc"]))}
    found = [fault for fault in found if fault["type"] != "too_short" or fault["loc"] not in holding]
    missing = {fault["loc"] for fault in found if fault["type"] == "missing"}
    misfits: dict[Where, tuple[Where, list[str]]] = {}
    for fault in sorted(found, key=lambda fault: fault["type"] == "missing"):
        *around, key = fault["loc"] or (None,)
        where, sentence = document.where(fault["loc"]), ""
        if fault["type"] in _TOO_MANY:
            near = nearest(str(key), [str(loc[-1]) for loc in missing if loc[:-1] == tuple(around)])
            missing.discard((*around, near))
            sentence = _about_key(str(key), near, _keys(kind, around))
        elif fault["type"] != "missing" or fault["loc"] in missing:
            sentence = _sentence(fault, where)
        if sentence:
            place = fault["loc"] if fault["type"] == "missing" else where
            misfits.setdefault(place, (where, []))[1].append(sentence)
    found = []
    for where, sentences in misfits.values():
        first, *others = dict.fromkeys(sentences)  # the members of a union may begin alike
        start = first[: first.find(": ") + 2] if ": " in first else first
        found.append((where, ", or ".join([first, *(other.removeprefix(start) for other in others)])))
    return found


def _about_key(key: str, missing: str | None, known: list[str]) -> str:
    """Return the sentence about a key that is not known, with the one that was probably meant."""
    if missing:
        return _(
            "unknown key '{key}', and the key '{missing}' is missing: did you mean '{missing}'?",
            key=key,
            missing=missing,
        )
    if near := nearest(key, known):
        return _("unknown key '{key}': did you mean '{near}'?", key=key, near=near)
    return _("unknown key '{key}' (there are {keys})", key=key, keys=", ".join(known))


def _keys(kind: Any, around: list[int | str]) -> list[str]:
    """Return the keys that are known at a place, given as pydantic does: it also names members of unions."""
    kinds = list(_kinds_in(kind))
    for part in around:
        if isinstance(part, int):
            continue
        below = [_fields(holder)[part] for holder in kinds if part in _fields(holder)]
        if below:
            kinds = [found for annotation in below for found in _kinds_in(annotation)]
        else:
            tagged = [
                kind for kind in kinds if any(part in get_args(hint) for hint in _fields(kind).values())
            ]
            kinds = tagged or kinds
    return list(dict.fromkeys(name for found in kinds for name in _fields(found)))


def _fields(kind: Any) -> dict[str, Any]:
    """Return the fields of a class, each with its type."""
    return {field.name: field.type for field in fields(kind)}


def _kinds_in(annotation: Any) -> Iterator[type]:
    """Yield the classes that an annotation names."""
    if isinstance(annotation, type) and is_dataclass(annotation):
        yield annotation
    for part in get_args(annotation):
        yield from _kinds_in(part)


def _sentence(error: Any, where: Where) -> str:
    key = error["loc"][-1] if error["loc"] else None
    about = f"'{where[-1]}': " if where and isinstance(where[-1], str) else ""
    match error["type"]:
        case "missing":
            return _("the key '{key}' is missing", key=key)
        case "value_error":
            text = str(error["ctx"]["error"])
            return text if about and str(where[-1]) in text else about + text
        case "union_tag_invalid":
            return _("unknown check '{tag}': one of {expected_tags}", **error["ctx"])
        case "dict_type" | "dataclass_type":
            if isinstance(key, str):
                return _("'{key}' must hold keys and values", key=key)
            return _("expected keys and values")
        case "tuple_type" | "list_type":
            return about + _("input should be a list, as [one, two]")
        case "bool_parsing" | "bool_type":
            return about + _("input should be true or false")
        case "string_pattern_mismatch" if error["ctx"]["pattern"] == SLUG:
            return about + _("input should be small letters and digits, with single _ or - between them")
        case _:
            message: str = error["msg"]
            return about + message[:1].lower() + message[1:].partition(", unable to")[0]
