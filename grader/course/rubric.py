"""The rubric's file: read, put over what it builds on, and validated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from grader.core.course.rubric import Criterion, HandedIn, Rubric
from grader.core.errors import UserError, together
from grader.course import extends, strict_yaml
from grader.course.strict_yaml import Document
from grader.course.validation import examined as examined_as


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
        document = extends.load(file)
    except UserError as error:
        return None, [error]
    rubric, wrong = examined_as(document, Rubric)
    wrong += [*_given_twice(document), *_worthless(document, rubric)]
    return rubric or _outline(document.data), sorted(wrong, key=lambda one: (one.file != file, one.line or 0))


def _given_twice(document: Document) -> Iterator[UserError]:
    """Yield an error for each criterion whose id another one has."""
    for where, name in strict_yaml.repeated(_criteria(document.data)):
        message = f"the criterion '{name}' is given twice: give one of them another id"
        yield document.error(message, (*where, "id"))


def _worthless(document: Document, rubric: Rubric | None) -> Iterator[UserError]:
    """Yield an error if nobody can earn anything, as far as that is known of a rubric that does not fit."""
    points = [one.get("points") for (group, _), one in _criteria(document.data) if group == "criteria"]
    if not rubric.points if rubric else points and all(one == 0 for one in points):
        message = "the criteria are worth nothing together: give at least one of them points"
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
    left_out = data.get(extends.LEFT_OUT)
    return Rubric(
        kind=kind,
        title="",
        criteria=criteria,
        left_out=tuple(left_out) if isinstance(left_out, list) else (),
        template=template if isinstance(template, str) else None,
    )


def whole_text(file: Path) -> bytes:
    """Return a rubric as text that stands on its own, whatever it builds on."""
    if extends.base_of(file) is None:
        return file.read_bytes()
    return strict_yaml.dump(extends.load(file).data)


def without_case(file: Path, criterion: Criterion, *, weightless: bool = False) -> UserError:
    """Return the error about a criterion that no case judges, or none that counts."""
    wrong = "has no case: add one to a fixture"
    if weightless:
        wrong = "has cases of weight 0 alone, so nobody can earn its points: give one a weight"
    return about_criterion(file, criterion, f"the criterion '{criterion.id}' {wrong}, or say 'by_hand: true'")


def about_criterion(file: Path, criterion: Criterion, message: str) -> UserError:
    """Return an error about a criterion, with its line in the rubric."""
    document = extends.load(file)
    places = {one.get("id"): where for where, one in _criteria(document.data)}
    return document.error(message, places[criterion.id])
