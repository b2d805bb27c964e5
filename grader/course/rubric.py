"""The rubric's file: read, put over what it builds on, and validated."""

from pathlib import Path

from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.course import extends, strict_yaml
from grader.course.validation import validated


def load(file: Path) -> Rubric:
    """Return the rubric in a file; raise UserError with file and line for anything that does not fit."""
    document = extends.load(file)
    rubric = validated(document, Rubric)
    seen: set[str] = set()
    for group, criteria in (("criteria", rubric.criteria), ("bonus", rubric.bonus)):
        for number, criterion in enumerate(criteria):
            if criterion.id in seen:
                raise document.error(f"the criterion '{criterion.id}' is given twice", (group, number, "id"))
            seen.add(criterion.id)
    return rubric


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
    groups = {group: document.data.get(group) or () for group in ("criteria", "bonus")}
    ids = {one["id"]: (group, number) for group, all_ in groups.items() for number, one in enumerate(all_)}
    return document.error(message, ids[criterion.id])
