"""What does not fit a model, in the words of someone who edits YAML."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError

from grader.core.errors import Where, nearest

Location = tuple[int | str, ...]

_TOO_MANY: Final = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a key that a model does not have, and one that a dataclass does not have."""


def misfit(
    error: ValidationError, model: type[BaseModel], where_is: Callable[[Location], Where]
) -> tuple[Where, str]:
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
    return where_is(extra["loc"]), _about_key(str(key), missing, _keys(model, around))


def _about_key(key: str, missing: list[str], known: list[str]) -> str:
    """Return the sentence about a key that is not known, with the one that was meant if that can be told."""
    text = f"unknown key '{key}'"
    if missing:
        text += f", and the key '{missing[0]}' is missing"
    near = nearest(key, known)
    return text + (f": did you mean '{near}'?" if near else f" (there are {', '.join(known)})")


def _keys(model: type[BaseModel], around: list[int | str]) -> list[str]:
    """Return the keys that are known at a place, given as pydantic does: it also names members of unions."""
    models: list[type] = [model]
    for part in around:
        if isinstance(part, int):
            continue
        below = [_fields(one)[part] for one in models if part in _fields(one)]
        if below:
            models = [found for annotation in below for found in _models_in(annotation)]
        else:
            models = [one for one in models if part in _tags(one)] or models
    return list(dict.fromkeys(name for one in models for name in _fields(one)))


def _fields(model: Any) -> dict[str, Any]:
    """Return the fields of a model, or of a dataclass, each with its type."""
    if is_dataclass(model):
        return {one.name: one.type for one in fields(model)}
    return {name: one.annotation for name, one in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _tags(model: type) -> tuple[str, ...]:
    """Return the values by which a member of a union is told apart."""
    return tuple(tag for annotation in _fields(model).values() for tag in get_args(annotation))


def _sentence(error: Any, where: Where) -> str:
    key = error["loc"][-1] if error["loc"] else None
    match error["type"]:
        case "missing":
            return f"the key '{key}' is missing"
        case "value_error":
            return str(error["ctx"]["error"])
        case "union_tag_invalid":
            return f"unknown check '{error['ctx']['tag']}': one of {error['ctx']['expected_tags']}"
        case "model_type" | "dict_type" | "model_attributes_type" | "dataclass_type":
            return (
                f"'{key}' must hold keys and values" if isinstance(key, str) else "expected keys and values"
            )
        case _:
            message: str = error["msg"]
            about = f"'{where[-1]}': " if where and isinstance(where[-1], str) else ""
            return about + message[:1].lower() + message[1:]
