"""What does not fit a model, in the words of someone who edits YAML."""

from collections.abc import Callable, Hashable, Iterator
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

Location = tuple[int | str, ...]
Where = tuple[Hashable, ...]


def misfit(
    error: ValidationError, model: type[BaseModel], where_is: Callable[[Location], Where]
) -> tuple[Where, str]:
    """Return the place in the file and the sentence of what to mend first.

    A key too many comes first: more often than not it is misspelt, and the cause of one that is missing.
    """
    found: list[Any] = error.errors(include_url=False)
    extra = next((one for one in found if one["type"] == "extra_forbidden"), None)
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
    near = get_close_matches(key, known, n=1)
    return text + (f": did you mean '{near[0]}'?" if near else f" (there are {', '.join(known)})")


def _keys(model: type[BaseModel], around: list[int | str]) -> list[str]:
    """Return the keys that are known at a place, given as pydantic does: it also names members of unions."""
    models = [model]
    for part in around:
        if isinstance(part, int):
            continue
        below = [one.model_fields[part].annotation for one in models if part in one.model_fields]
        if below:
            models = [found for annotation in below for found in _models_in(annotation)]
        else:
            models = [one for one in models if part in _tags(one)] or models
    return list(dict.fromkeys(name for one in models for name in one.model_fields))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _tags(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the values by which a member of a union is told apart."""
    return tuple(tag for field in model.model_fields.values() for tag in get_args(field.annotation))


def _sentence(error: Any, where: Where) -> str:
    key = error["loc"][-1] if error["loc"] else None
    match error["type"]:
        case "missing":
            return f"the key '{key}' is missing"
        case "value_error":
            return str(error["ctx"]["error"])
        case "union_tag_invalid":
            return f"unknown check '{error['ctx']['tag']}': one of {error['ctx']['expected_tags']}"
        case "model_type" | "dict_type" | "model_attributes_type":
            return (
                f"'{key}' must hold keys and values" if isinstance(key, str) else "expected keys and values"
            )
        case _:
            message: str = error["msg"]
            about = f"'{where[-1]}': " if where and isinstance(where[-1], str) else ""
            return about + message[:1].lower() + message[1:]
