"""Rubric files: read, merged over the rubrics that they extend, and validated.

A course is a rubric with its fixtures, by name; some fixtures go with any rubric.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

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
    """Return a file's content merged over all that it builds on; each part knows its own file and line."""
    merged, *others = reversed(_documents(file))
    for own in others:
        before, faults = _criterion_ids(merged.data), [*merged.faults, *own.faults]
        merged = _merged(merged, own, faults)
        merged = replace(merged, faults=tuple(faults))
        if isinstance(merged.data, dict):
            merged.data.pop(KEY, None)
        left_out = [name for name in before if name not in _criterion_ids(merged.data)]
        if left_out:
            merged.data[LEFT_OUT] = [*merged.data.get(LEFT_OUT, ()), *left_out]
    return merged


def chain(file: Path) -> list[Path]:
    """Return a file and all that it builds on."""
    return [document.file for document in _documents(file)]


def _documents(file: Path) -> list[Document]:
    """Return a file's own content, then that of each file it builds on."""
    found = [strict_yaml.read(file)]
    while isinstance(found[-1].data, dict) and KEY in found[-1].data:
        if len(found) == _MOST:
            message = _("more than {most} files build on each other: is it a circle?", most=_MOST)
            raise found[-1].error(message, (KEY,))
        found.append(strict_yaml.read(_base(found[-1])))
    return found


def _criterion_ids(data: Any) -> list[str]:
    """Return the ids of a rubric's criteria, as far as it has the form of one."""
    groups = [data.get(group) for group in ("criteria", "bonus")] if isinstance(data, dict) else []
    return [criterion["id"] for group in groups if group and _has_ids(group) for criterion in group]


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


def _merged(base: Document, own: Document, faults: list[UserError]) -> Document:
    """Return one document over another; members of lists are the same if their ids are."""
    if isinstance(base.data, dict) and isinstance(own.data, dict):
        parts: dict[Any, Document] = {}
        for key in {**base.data, **own.data}:
            found = [_part(document, key) for document in (base, own) if key in document.data]
            parts[key] = found[0] if len(found) == 1 else _merged(found[0], found[1], faults)
        return _joined(own, parts, {key: part.data for key, part in parts.items()})
    if own.data and _has_ids(base.data) and _has_ids(own.data):
        members = _merged_members(base, own, faults)
        return _joined(own, dict(enumerate(members)), [member.data for member in members])
    return own


def _merged_members(base: Document, own: Document, faults: list[UserError]) -> list[Document]:
    """Return the members of both lists, each of the base's with what the other list changes of it."""
    changes: dict[str, Document] = {}
    for number, member in enumerate(own.data):
        if member["id"] in changes:
            message = _("the id '{id}' is given twice: give it once", id=member["id"])
            faults.append(own.error(message, (number, "id")))
        else:
            changes[member["id"]] = _part(own, number)
    members, ids = [], [member["id"] for member in base.data]
    for number, name in enumerate(ids):
        member, change = _part(base, number), changes.pop(name, None)
        members.append(_merged(member, change, faults) if change else member)
    for name, member in changes.items():
        near = nearest(name, ids)
        if near and "description" not in member.data:
            message = _("there is no '{name}' to change: is {near} meant?", name=name, near=near)
            faults.append(member.error(message, ("id",)))
        else:
            members.append(member)
    return members


def _part(document: Document, key: int | str) -> Document:
    """Return a part of a document as a document."""
    places = {where[1:]: place for where, place in document.places.items() if where[:1] == (key,)}
    return Document(document.file, document.data[key], places)


def _joined(own: Document, parts: dict[Any, Document], data: Any) -> Document:
    """Return a document that consists of parts and lies where another one does."""
    places: dict[Where, tuple[Path, int]] = {(): own.places[()]}
    for key, part in parts.items():
        places |= {(key, *where): place for where, place in part.places.items()}
    return Document(own.file, data, places)


def _has_ids(data: Any) -> bool:
    return type(data) is list and all(
        isinstance(member, dict) and type(member.get("id")) is str for member in data
    )


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
    written = list(_criteria(document.data))
    for where, name in strict_yaml.repeated(written):
        message = _("the criterion '{name}' is given twice: give one of them another id", name=name)
        wrong.append(document.error(message, (*where, "id")))
    points = [criterion.get("points") for (group, _number), criterion in written if group == "criteria"]
    if not rubric.points if rubric else points and all(value == 0 for value in points):
        message = _("the criteria are worth nothing together: give at least one of them points")
        wrong.append(document.error(message, ("criteria",)))
    wrong.sort(key=lambda error: (error.file != file, error.line or 0))
    return rubric or _outline(document.data), wrong


def _criteria(data: Any) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    """Yield the criteria as they were written, each with its place; {} for what has not the form of one."""
    for group in ("criteria", "bonus"):
        members = data.get(group) if isinstance(data, dict) else None
        for number, member in enumerate(members if isinstance(members, list) else ()):
            yield (group, number), member if isinstance(member, dict) else {}


def _outline(data: Any) -> Rubric | None:
    """Return a rubric with the criteria that were written, for cases to be held against; None if unknown."""
    written = [criterion for _place, criterion in _criteria(data)]
    if not written or any(not isinstance(criterion.get("id"), str) for criterion in written):
        return None
    kind, template, left_out = (data.get(key) for key in ("kind", "template", LEFT_OUT))
    if kind not in (None, *get_args(HandedIn)):
        return None
    return Rubric(
        kind=kind or "functions",
        title="",
        criteria=tuple(
            Criterion(id=criterion["id"], description="", points=1.0, by_hand=bool(criterion.get("by_hand")))
            for criterion in written
        ),
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
    places = {written.get("id"): where for where, written in _criteria(document.data)}
    return document.error(message, places[criterion.id])
