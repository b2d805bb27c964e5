"""Rubric files: read, merged over the rubrics that they extend, and validated.

A course is a rubric with its fixtures, by name; some fixtures go with any rubric.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from grader.core.course.rubric import Criterion, HandedIn, Rubric
from grader.core.errors import UserError, Where, nearest, together
from grader.core.messages import _
from grader.course import strict_yaml
from grader.course.courses import course_folder
from grader.course.strict_yaml import Document
from grader.course.strict_yaml import examined as examined_as

KEY: Final = "extends"
LEFT_OUT: Final = "left_out"
_MOST: Final = 5
"""How many files may build on each other."""


def load_extended(file: Path) -> Document:
    """Return a file's content, with all that it builds on; every part knows the file and line it is from."""
    documents = [strict_yaml.read(file)]
    while isinstance(documents[-1].data, dict) and KEY in documents[-1].data:
        if len(documents) == _MOST:
            raise documents[-1].error(
                _("more than {most} files build on each other: is it a circle?", most=_MOST), (KEY,)
            )
        documents.append(strict_yaml.read(_base(documents[-1])))
    merged = documents.pop()
    while documents:
        before = _criterion_ids(merged.data)
        merged = _Merging(merged, documents.pop()).document()
        left_out = [one for one in before if one not in _criterion_ids(merged.data)]
        if left_out:
            merged.data[LEFT_OUT] = [*merged.data.get(LEFT_OUT, ()), *left_out]
    return merged


def chain(file: Path) -> list[Path]:
    """Return a file and all that it builds on."""
    found = [file]
    while (base := base_of(found[-1])) and len(found) < _MOST:
        found.append(base)
    return found


def _criterion_ids(data: Any) -> list[str]:
    """Return the ids of a rubric's criteria, as far as it has the form of one."""
    groups = [data.get(group) for group in ("criteria", "bonus")] if isinstance(data, dict) else []
    return [one["id"] for group in groups if group and _has_ids(group) for one in group]


def base_of(file: Path) -> Path | None:
    """Return the file that one builds on, or None."""
    document = strict_yaml.read(file)
    return _base(document) if isinstance(document.data, dict) and KEY in document.data else None


def _base(document: Document) -> Path:
    """Return the file that a document builds on: a course by its name, or a file beside it."""
    name = document.data[KEY]
    if not isinstance(name, str) or not name:
        raise document.error(_("'{key}' names a course, or a file", key=KEY), (KEY,))
    if "/" in name or name.endswith((".yaml", ".yml")):
        file = document.file.parent / name
        if not file.is_file():
            raise document.error(_("there is no file {name} to build on", name=name), (KEY,))
        return file
    try:
        return course_folder(name) / "rubric.yaml"
    except UserError as error:
        raise document.error(error.message, (KEY,)) from None


class _Part(NamedTuple):
    """A part of a document: its data, and where it is."""

    document: Document
    data: Any
    at: Where = ()

    def below(self, key: int | str) -> "_Part":
        """Return a part of it."""
        return _Part(self.document, self.data[key], (*self.at, key))


class _Merging:
    """Puts one document over another; members of lists are the same if their ids are."""

    def __init__(self, base: Document, own: Document) -> None:
        self._base, self._own = _Part(base, base.data), _Part(own, own.data)
        self._places: dict[Where, tuple[Path, int]] = {}
        self._faults = [*base.faults, *own.faults]

    def document(self) -> Document:
        """Return both as one."""
        data = self._merged(self._base, self._own, ())
        if isinstance(data, dict):
            data.pop(KEY, None)
        return Document(self._own.document.file, data, self._places, tuple(self._faults))

    def _merged(self, base: _Part, own: _Part, at: Where) -> Any:
        if isinstance(base.data, dict) and isinstance(own.data, dict):
            self._places[at] = own.document.place(own.at)
            data = {}
            for key in {**base.data, **own.data}:
                here = (*at, key)
                if key in base.data and key in own.data:
                    data[key] = self._merged(base.below(key), own.below(key), here)
                else:
                    data[key] = self._taken((own if key in own.data else base).below(key), here)
            return data
        if own.data and _has_ids(base.data) and _has_ids(own.data):
            return self._merged_list(base, own, at)
        return self._taken(own, at)

    def _merged_list(self, base: _Part, own: _Part, at: Where) -> list[Any]:
        self._places[at] = own.document.place(own.at)
        mine: dict[str, int] = {}
        for number, one in enumerate(own.data):
            if mine.setdefault(one["id"], number) != number:
                message = _("the id '{id}' is given twice: give it once", id=one["id"])
                self._faults.append(own.document.error(message, (*own.at, number, "id")))
        data: list[Any] = []
        for number, one in enumerate(base.data):
            theirs, here = base.below(number), (*at, number)
            if one["id"] in mine:
                data.append(self._merged(theirs, own.below(mine.pop(one["id"])), here))
            else:
                data.append(self._taken(theirs, here))
        for name, number in mine.items():
            near = nearest(name, [one["id"] for one in base.data])
            if near and "description" not in own.data[number]:
                message = _("there is no '{name}' to change: is {near} meant?", name=name, near=near)
                self._faults.append(own.document.error(message, (*own.at, number, "id")))
                continue
            data.append(self._taken(own.below(number), (*at, len(data))))
        return data

    def _taken(self, part: _Part, at: Where) -> Any:
        """Take a part over as it is, with the places of all that is in it."""
        depth = len(part.at)
        for where, place in part.document.places.items():
            if where[:depth] == part.at:
                self._places[*at, *where[depth:]] = place
        return part.data


def _has_ids(data: Any) -> bool:
    return type(data) is list and all(isinstance(one, dict) and type(one.get("id")) is str for one in data)


def load(file: Path) -> Rubric:
    """Return the rubric in a file; raise UserError with file and line for all that does not fit."""
    rubric, wrong = examined(file)
    if rubric is None or wrong:
        raise together(wrong)
    return rubric


def examined(file: Path) -> tuple[Rubric | None, list[UserError]]:
    """Return the rubric in a file, and all that is wrong with it.

    Of a rubric that does not fit, as much is returned as cases are held against; None if that is not known.
    """
    try:
        document = load_extended(file)
    except UserError as error:
        return None, [error]
    rubric, wrong = examined_as(document, Rubric)
    wrong += [*_given_twice(document), *_worthless(document, rubric)]
    return rubric or _outline(document.data), sorted(wrong, key=lambda one: (one.file != file, one.line or 0))


def _given_twice(document: Document) -> Iterator[UserError]:
    """Yield an error for each criterion whose id another one has."""
    for where, name in strict_yaml.repeated(_criteria(document.data)):
        message = _("the criterion '{name}' is given twice: give one of them another id", name=name)
        yield document.error(message, (*where, "id"))


def _worthless(document: Document, rubric: Rubric | None) -> Iterator[UserError]:
    """Yield an error if nobody can earn anything, as far as that is known of a rubric that does not fit."""
    points = [one.get("points") for (group, _), one in _criteria(document.data) if group == "criteria"]
    if not rubric.points if rubric else points and all(one == 0 for one in points):
        message = _("the criteria are worth nothing together: give at least one of them points")
        yield document.error(message, ("criteria",))


def _criteria(data: Any) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    """Yield the criteria as they were written, each with its place; one without the form of one is empty."""
    for group in ("criteria", "bonus"):
        members = data.get(group) if isinstance(data, dict) else None
        for number, one in enumerate(members if isinstance(members, list) else ()):
            yield (group, number), one if isinstance(one, dict) else {}


def _outline(data: Any) -> Rubric | None:
    """Return a rubric with the criteria that were written, for cases to be held against; None if unknown."""
    written = [one for _, one in _criteria(data)]
    if not written or any(not isinstance(one.get("id"), str) for one in written):
        return None
    kind, template = data.get("kind", "functions"), data.get("template")
    if kind not in get_args(HandedIn):
        return None
    criteria = tuple(
        Criterion(id=one["id"], description="", points=1.0, by_hand=bool(one.get("by_hand")))
        for one in written
    )
    left_out = data.get(LEFT_OUT)
    return Rubric(
        kind=kind,
        title="",
        criteria=criteria,
        left_out=tuple(left_out) if isinstance(left_out, list) else (),
        template=template if isinstance(template, str) else None,
    )


def whole_text(file: Path) -> bytes:
    """Return a rubric as text that stands on its own, whatever it builds on."""
    if base_of(file) is None:
        return file.read_bytes()
    return strict_yaml.dump(load_extended(file).data)


def without_case(file: Path, criterion: Criterion, *, weightless: bool = False) -> UserError:
    """Return the error about a criterion that no case judges, or none that counts."""
    if weightless:
        wrong = _(
            "the criterion '{name}' has cases of weight 0 alone, so nobody can earn its points: give one a "
            "weight, or say 'by_hand: true'",
            name=criterion.id,
        )
    else:
        wrong = _(
            "the criterion '{name}' has no case: add one to a fixture, or say 'by_hand: true'",
            name=criterion.id,
        )
    return about_criterion(file, criterion, wrong)


def about_criterion(file: Path, criterion: Criterion, message: str) -> UserError:
    """Return an error about a criterion, with its line in the rubric."""
    document = load_extended(file)
    places = {one.get("id"): where for where, one in _criteria(document.data)}
    return document.error(message, places[criterion.id])
