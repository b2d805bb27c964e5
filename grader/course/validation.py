"""What people write becomes values, by pydantic; what does not fit is told in the words of who edits YAML."""

import json
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import core_schema

from grader.core.errors import Where, nearest
from grader.core.grade import Grade, Verdict
from grader.core.values import Reads
from grader.course.strict_yaml import Document

Kind = TypeVar("Kind")
Location = tuple[int | str, ...]

_TOO_MANY: Final = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a key that a model does not have, and one that a dataclass does not have."""


def validated(document: Document, kind: type[Kind]) -> Kind:
    """Return a file's data as a value; the first thing that does not fit is a UserError with its line."""
    try:
        adapter: TypeAdapter[Kind] = _adapter(kind)  # type: ignore[arg-type]
        return adapter.validate_python(document.data)
    except ValidationError as error:
        where, sentence = _misfit(error, kind, document.where)
        raise document.error(sentence, where) from None


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


def _misfit(error: ValidationError, kind: type, where_is: Callable[[Location], Where]) -> tuple[Where, str]:
    """Return the place in the file and the sentence of what to mend first.

    A key too many comes first: more often than not it is misspelt, and the cause of one that is missing.
    """
    found: list[Any] = error.errors(include_url=False)
    extra = next((one for one in found if one["type"] in _TOO_MANY), None)
    if extra is None:
        where = where_is(found[0]["loc"])
        return where, _sentence(found[0], where)
    *around, key = extra["loc"]
    missing = [
        one["loc"][-1] for one in found if one["type"] == "missing" and one["loc"][:-1] == tuple(around)
    ]
    return where_is(extra["loc"]), _about_key(str(key), missing, _keys(kind, around))


def _about_key(key: str, missing: list[str], known: list[str]) -> str:
    """Return the sentence about a key that is not known, with the one that was meant if that can be told."""
    text = f"unknown key '{key}'"
    if missing:
        text += f", and the key '{missing[0]}' is missing"
    near = nearest(key, known)
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
    match error["type"]:
        case "missing":
            return f"the key '{key}' is missing"
        case "value_error":
            return str(error["ctx"]["error"])
        case "union_tag_invalid":
            return f"unknown check '{error['ctx']['tag']}': one of {error['ctx']['expected_tags']}"
        case "dict_type" | "dataclass_type":
            return (
                f"'{key}' must hold keys and values" if isinstance(key, str) else "expected keys and values"
            )
        case _:
            message: str = error["msg"]
            about = f"'{where[-1]}': " if where and isinstance(where[-1], str) else ""
            return about + message[:1].lower() + message[1:]
