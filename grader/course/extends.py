"""A YAML file that builds on another: what it says replaces or completes what the other says."""

from pathlib import Path
from typing import Any, Final

from grader.core.errors import UserError, Where, nearest
from grader.course import strict_yaml
from grader.course.shipped import course_folder
from grader.course.strict_yaml import Document

KEY: Final = "extends"
LEFT_OUT: Final = "left_out"
_MOST: Final = 5
"""How many files may build on each other."""


def load(file: Path) -> Document:
    """Return a file's content, with all that it builds on; every part knows the file and line it is from."""
    documents = [strict_yaml.load(file)]
    while isinstance(documents[-1].data, dict) and KEY in documents[-1].data:
        if len(documents) == _MOST:
            raise documents[-1].error(f"more than {_MOST} files build on each other: is it a circle?", (KEY,))
        documents.append(strict_yaml.load(_base(documents[-1])))
    merged = documents.pop()
    while documents:
        before = _criteria(merged.data)
        merged = _Merging(merged, documents.pop()).document()
        left_out = [one for one in before if one not in _criteria(merged.data)]
        if left_out:
            merged.data[LEFT_OUT] = [*merged.data.get(LEFT_OUT, ()), *left_out]
    return merged


def chain(file: Path) -> list[Path]:
    """Return a file and all that it builds on."""
    found = [file]
    while (base := base_of(found[-1])) and len(found) < _MOST:
        found.append(base)
    return found


def _criteria(data: Any) -> list[str]:
    """Return the ids of a rubric's criteria, as far as it has the form of one."""
    groups = [data.get(group) for group in ("criteria", "bonus")] if isinstance(data, dict) else []
    return [one["id"] for group in groups if group and _has_ids(group) for one in group]


def base_of(file: Path) -> Path | None:
    """Return the file that one builds on, or None."""
    document = strict_yaml.load(file)
    return _base(document) if isinstance(document.data, dict) and KEY in document.data else None


def _base(document: Document) -> Path:
    """Return the file that a document builds on: a course by its name, or a file beside it."""
    name = document.data[KEY]
    if not isinstance(name, str) or not name:
        raise document.error(f"'{KEY}' names a course, or a file", (KEY,))
    if "/" in name or name.endswith((".yaml", ".yml")):
        file = document.file.parent / name
        if not file.is_file():
            raise document.error(f"there is no file {name} to build on", (KEY,))
        return file
    try:
        return course_folder(name) / "rubric.yaml"
    except UserError as error:
        raise document.error(error.message, (KEY,)) from None


class _Merging:
    """Puts one document over another; members of lists are the same if their ids are."""

    def __init__(self, base: Document, own: Document) -> None:
        self._base, self._own = base, own
        self._lines: dict[Where, int] = {}
        self._files: dict[Where, Path] = {}

    def document(self) -> Document:
        """Return both as one."""
        data = self._merged(self._base.data, (), self._own.data, (), ())
        if isinstance(data, dict):
            data.pop(KEY, None)
        return Document(self._own.file, data, self._lines, self._files)

    def _merged(self, base: Any, base_at: Where, own: Any, own_at: Where, at: Where) -> Any:
        if isinstance(base, dict) and isinstance(own, dict):
            self._note(self._own, own_at, at)
            data = {}
            for key in [*base, *(key for key in own if key not in base)]:
                below = (*base_at, key), (*own_at, key), (*at, key)
                if key not in own:
                    data[key] = self._taken(self._base, base[key], below[0], below[2])
                elif key not in base:
                    data[key] = self._taken(self._own, own[key], below[1], below[2])
                else:
                    data[key] = self._merged(base[key], below[0], own[key], below[1], below[2])
            return data
        if own and _has_ids(base) and _has_ids(own):
            return self._merged_list(base, base_at, own, own_at, at)
        return self._taken(self._own, own, own_at, at)

    def _merged_list(self, base: Any, base_at: Where, own: Any, own_at: Where, at: Where) -> list[Any]:
        self._note(self._own, own_at, at)
        mine = {one["id"]: number for number, one in enumerate(own)}
        data: list[Any] = []
        for number, one in enumerate(base):
            here = (*at, len(data))
            if one["id"] in mine:
                other = mine.pop(one["id"])
                data.append(self._merged(one, (*base_at, number), own[other], (*own_at, other), here))
            else:
                data.append(self._taken(self._base, one, (*base_at, number), here))
        for name, number in mine.items():
            near = nearest(name, [one["id"] for one in base])
            if near and "description" not in own[number]:
                message = f"there is no '{name}' to change: is {near} meant?"
                raise self._own.error(message, (*own_at, number, "id"))
            data.append(self._taken(self._own, own[number], (*own_at, number), (*at, len(data))))
        return data

    def _taken(self, document: Document, data: Any, source: Where, at: Where) -> Any:
        """Take a part over as it is, with its lines."""
        for where in document.lines:
            if where[: len(source)] == source:
                self._note(document, where, (*at, *where[len(source) :]))
        return data

    def _note(self, document: Document, source: Where, at: Where) -> None:
        self._lines[at] = document.line(source)
        self._files[at] = document.file_of(source)


def _has_ids(data: Any) -> bool:
    return isinstance(data, list) and all(
        isinstance(one, dict) and type(one.get("id")) is str for one in data
    )
