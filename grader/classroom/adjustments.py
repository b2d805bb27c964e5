"""Adjustments: a person's decisions about single scores, in a file of their own that is never overwritten."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.classroom.records import Record
from grader.core.course.rubric import Rubric
from grader.core.errors import meant
from grader.core.scores import make_grade
from grader.core.values import Written, said
from grader.course import strict_yaml
from grader.course.validation import validated


class Adjustment(Written):
    """One decision: the points of a criterion, or a change to them."""

    student: str = said(
        min_length=1, description="The student, as in the gradebook, or as grades/ names the file."
    )
    criterion: str = said(description="The criterion of the rubric.")
    points: float | None = said(default=None, ge=0, description="What the criterion earns instead.")
    delta: float | None = said(default=None, description="What is added to its score, or taken off.")
    comment: str = said(min_length=1, description="The reason, which the student reads.")
    by: str = said(min_length=1, description="Who decided.")

    def __post_init__(self) -> None:
        if (self.points is None) == (self.delta is None):
            raise ValueError("give either 'points' (what it earns instead) or 'delta' (what is added)")

    def text(self, before: float, after: float) -> str:
        """Return the decision in a line for the student."""
        reason = self.comment.rstrip(".")
        return f"{self.criterion}: {before:g} becomes {after:g}, decided by {self.by}: {reason}"


def load(file: Path, rubric: Rubric, students: Iterable[tuple[str, str]]) -> tuple[Adjustment, ...]:
    """Return the decisions in a file; raise UserError with the line for one that cannot be meant.

    Students are given by name and key; the key tells two of one name apart.
    """
    if not file.is_file() or not _says_something(file):
        return ()
    document = strict_yaml.load(file)
    found = validated(document, tuple[Adjustment, ...])
    keys: dict[str, set[str]] = {}
    for name, key in students:
        keys.setdefault(name, set()).add(key)
        keys.setdefault(key, set()).add(key)
    for number, one in enumerate(found):
        criterion = rubric.criterion(one.criterion)
        if criterion is None:
            raise document.error(rubric.unknown(one.criterion), (number, "criterion"))
        if one.points is not None and one.points > criterion.points:
            raise document.error(f"{criterion.id} is worth {criterion.points:g} points", (number, "points"))
        if len(keys.get(one.student, ())) > 1:
            named = " or ".join(sorted(keys[one.student]))
            raise document.error(
                f"several students are called {one.student}: say {named}", (number, "student")
            )
        if one.student not in keys:
            hint = meant(one.student, keys)
            raise document.error(f"there is no student '{one.student}'{hint}", (number, "student"))
    return found


def _says_something(file: Path) -> bool:
    """Return whether a file holds more than comments: one that waits for decisions is no mistake."""
    return any(line.strip() and line.lstrip()[0] != "#" for line in file.read_text("utf-8").splitlines())


def adjusted(record: Record, decisions: Sequence[Adjustment], rubric: Rubric) -> Record:
    """Return a student's record with all decisions about it: who had no grade has one by them alone."""
    mine = [one for one in decisions if one.student in (record.student, record.key)]
    if not mine:
        return record
    grade = record.grade or make_grade(rubric, record.submission, (), seconds=0.0, submission_seconds=0.0)
    criteria = {one.id: one for one in grade.criteria}
    score, bonus, told = grade.score, grade.bonus, []
    for one in mine:
        before = criteria[one.criterion]
        wished = one.points if one.points is not None else before.score + (one.delta or 0.0)
        after = min(before.points, max(0.0, wished))
        criteria[one.criterion] = replace(before, score=after, by_hand=False, given_back=0.0)
        told.append(one.text(before.score, after))
        if before.bonus:
            bonus += after - before.score
        else:
            score += after - before.score
    total = round(score + bonus, 2)
    changed = replace(
        grade,
        criteria=tuple(criteria.values()),
        score=round(score, 2),
        bonus=round(bonus, 2),
        total=total,
        scaled=round(total * rubric.scale_to / rubric.points, 2) if rubric.scale_to else None,
        decisions=tuple(told),
    )
    return replace(record, grade=changed)
