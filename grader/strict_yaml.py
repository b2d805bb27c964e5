"""Reads YAML strictly and remembers lines, so that every mistake can be named with its place.

Stricter than YAML: duplicate keys, aliases and tags are errors, and only true, false, null (or None) and
plain numbers are anything but text, so that O, NO and ON stay what they look like.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from grader.errors import UserError

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_BYTES = 1_000_000
_MAX_DEPTH = 50
_INT = re.compile(r"[-+]?[0-9]{1,15}")
_FLOAT = re.compile(r"[-+]?([0-9]{1,15}\.[0-9]{0,15}|\.[0-9]{1,15})")
_WORDS = {"true": True, "false": False, "True": True, "False": False}
_NULLS = {"", "~", "null", "None"}

Where = tuple[Hashable, ...]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Document:
    """A YAML file's plain data, and the line on which each part of it starts."""

    file: Path
    data: Any
    lines: dict[Where, int]

    def line(self, where: Where) -> int:
        """Return the line of a part, or of the nearest part around it."""
        while where not in self.lines:
            where = where[:-1]
        return self.lines[where]

    def error(self, message: str, where: Where = ()) -> UserError:
        """Return the error that names this file and the line of a part."""
        return UserError(message, file=self.file, line=self.line(where))

    def validated(self, model: type[Model]) -> Model:
        """Return the data as a model; the first thing that does not fit is a UserError with its line."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise self.error(_sentence(first), self._where(first["loc"])) from None

    def _where(self, location: tuple[int | str, ...]) -> Where:
        """Return the place that pydantic's location means (it also names members of unions)."""
        where: Where = ()
        for part in location:
            if (*where, part) in self.lines:
                where = (*where, part)
        return where


def load(file: Path) -> Document:
    """Return the file's content; raise UserError for anything but plain, unambiguous YAML."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=file) from None
    if len(raw) > _MAX_BYTES:
        raise UserError(f"is larger than {_MAX_BYTES:,} bytes", file=file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError("is not UTF-8 text: save it as UTF-8", file=file, line=line) from None
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or "cannot be read"
        raise UserError(
            f"not valid YAML: {problem}", file=file, line=mark.line + 1 if mark else None
        ) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        raise UserError(f"not valid YAML: {reason}", file=file) from None
    if node is None:
        raise UserError("is empty", file=file, line=1)
    builder = _Builder(file)
    data = builder.build(node, ())
    return Document(file, data, builder.lines)


class _Builder:
    """Turns YAML nodes into plain data and notes their lines."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lines: dict[Where, int] = {}
        self._seen: set[int] = set()

    def build(self, node: yaml.Node, where: Where) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(where, line)
        if len(where) > _MAX_DEPTH:
            raise UserError("nested too deeply", file=self.file, line=line)
        if id(node) in self._seen:
            raise UserError("aliases (*name) are not allowed: write it out", file=self.file, line=line)
        self._seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if not node.tag.startswith("tag:yaml.org,2002:"):
            raise UserError(f"tags ({node.tag}) are not allowed", file=self.file, line=line)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*where, i)) for i, child in enumerate(node.value)]
        assert isinstance(node, yaml.MappingNode)
        return self._mapping(node, where)

    def _mapping(self, node: yaml.MappingNode, where: Where) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise UserError("a key must be a word", file=self.file, line=line)
            key = key_node.value
            if key in data:
                raise UserError(f"the key '{key}' is given twice", file=self.file, line=line)
            self.lines[(*where, key)] = line
            data[key] = self.build(value_node, (*where, key))
        return data

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        text: str = node.value
        if node.style:  # quoted, or a block
            return text
        if not node.tag.startswith("tag:yaml.org,2002:"):
            line = node.start_mark.line + 1
            raise UserError(f"tags ({node.tag}) are not allowed", file=self.file, line=line)
        if text in _NULLS:
            return None
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
        return text


def _sentence(error: Any) -> str:
    """Return pydantic's finding in the words of someone who edits YAML."""
    key = error["loc"][-1] if error["loc"] else None
    match error["type"]:
        case "extra_forbidden":
            return f"unknown key '{key}'"
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
            about = f"'{key}': " if isinstance(key, str) else ""
            return about + message[:1].lower() + message[1:]
