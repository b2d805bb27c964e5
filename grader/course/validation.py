"""What people write becomes values, by pydantic; what does not fit is told in the words of who edits YAML."""

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import core_schema

from grader.core.course.rubric import SLUG
from grader.core.errors import UserError, Where, nearest, together
from grader.core.grade import Grade, Verdict
from grader.core.values import Reads
from grader.course.strict_yaml import Document

Kind = TypeVar("Kind")
Location = tuple[int | str, ...]

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
        told = {(fault.file, fault.line) for fault in document.faults}
        misfits = (document.error(sentence, where) for where, sentence in _misfits(error, kind, document))
        return None, [*document.faults, *(one for one in misfits if (one.file, one.line) not in told)]


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def schema_text(kind: Any) -> str:
    """Return the JSON Schema of a class: of what people write, or of a grade as it is written."""
    schema = _adapter(kind).json_schema(mode="serialization" if kind is Grade else "validation")
    known = {one.__name__: one for one in _all_kinds(kind)}
    for name, part in [(getattr(kind, "__name__", ""), schema), *schema.get("$defs", {}).items()]:
        if name in known:
            part["description"] = known[name].__doc__.partition("\n\n")[0]
    if kind is Grade:  # blanks are left out of a verdict
        always = [one.name for one in fields(Verdict) if one.default is one.default_factory is MISSING]
        schema["$defs"]["Verdict"]["required"] = always
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


def _all_kinds(kind: Any) -> dict[Any, None]:
    """Return all classes that a type is made of."""
    found: dict[Any, None] = {}
    waiting = list(_kinds_in(kind))
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = None
            waiting += [part for hint in _fields(one).values() for part in _kinds_in(hint)]
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
    holding = {one["loc"][:depth] for one in found for depth in range(len(one["loc"]))}
    found = [one for one in found if one["type"] != "too_short" or one["loc"] not in holding]
    missing = {one["loc"] for one in found if one["type"] == "missing"}
    told: dict[Where, tuple[Where, list[str]]] = {}
    for one in sorted(found, key=lambda one: one["type"] == "missing"):
        *around, key = one["loc"] or (None,)
        where, sentence = document.where(one["loc"]), ""
        if one["type"] in _TOO_MANY:
            near = nearest(str(key), [str(loc[-1]) for loc in missing if loc[:-1] == tuple(around)])
            missing.discard((*around, near))
            sentence = _about_key(str(key), near, _keys(kind, around))
        elif one["type"] != "missing" or one["loc"] in missing:
            sentence = _sentence(one, where)
        if sentence:
            place = one["loc"] if one["type"] == "missing" else where
            told.setdefault(place, (where, []))[1].append(sentence)
    return [(where, _any_of(list(dict.fromkeys(sentences)))) for where, sentences in told.values()]


def _any_of(sentences: list[str]) -> str:
    """Return what the members of a union say as one sentence: what they all begin with is said once."""
    start, colon, _ = sentences[0].partition(": ")
    return ", or ".join([sentences[0], *(one.removeprefix(start + colon) for one in sentences[1:])])


def _about_key(key: str, missing: str | None, known: list[str]) -> str:
    """Return the sentence about a key that is not known, with the one that was meant if that can be told."""
    text = f"unknown key '{key}'"
    if missing:
        text += f", and the key '{missing}' is missing"
    near = missing or nearest(key, known)
    return text + (f": did you mean '{near}'?" if near else f" (there are {', '.join(known)})")


def _keys(kind: Any, around: list[int | str]) -> list[str]:
    """Return the keys that are known at a place, given as pydantic does: it also names members of unions."""
    kinds = list(_kinds_in(kind))
    for part in around:
        if isinstance(part, int):
            continue
        below = [_fields(one)[part] for one in kinds if part in _fields(one)]
        if below:
            kinds = [found for annotation in below for found in _kinds_in(annotation)]
        else:
            kinds = [one for one in kinds if part in _tags(one)] or kinds
    return list(dict.fromkeys(name for one in kinds for name in _fields(one)))


def _fields(kind: Any) -> dict[str, Any]:
    """Return the fields of a class, each with its type."""
    return {one.name: one.type for one in fields(kind)}


def _kinds_in(annotation: Any) -> Iterator[type]:
    """Yield the classes that an annotation names."""
    if isinstance(annotation, type) and is_dataclass(annotation):
        yield annotation
    for part in get_args(annotation):
        yield from _kinds_in(part)


def _tags(kind: type) -> tuple[str, ...]:
    """Return the values by which a member of a union is told apart."""
    return tuple(tag for annotation in _fields(kind).values() for tag in get_args(annotation))


def _sentence(error: Any, where: Where) -> str:
    key = error["loc"][-1] if error["loc"] else None
    about = f"'{where[-1]}': " if where and isinstance(where[-1], str) else ""
    match error["type"]:
        case "missing":
            return f"the key '{key}' is missing"
        case "value_error":
            text = str(error["ctx"]["error"])
            return text if about and str(where[-1]) in text else about + text
        case "union_tag_invalid":
            return f"unknown check '{error['ctx']['tag']}': one of {error['ctx']['expected_tags']}"
        case "dict_type" | "dataclass_type":
            return (
                f"'{key}' must hold keys and values" if isinstance(key, str) else "expected keys and values"
            )
        case "tuple_type" | "list_type":
            return f"{about}input should be a list, as [one, two]"
        case "bool_parsing" | "bool_type":
            return f"{about}input should be true or false"
        case "string_pattern_mismatch" if error["ctx"]["pattern"] == SLUG:
            return f"{about}input should be small letters and digits, with single _ or - between them"
        case _:
            message: str = error["msg"]
            return about + message[:1].lower() + message[1:].partition(", unable to")[0]
