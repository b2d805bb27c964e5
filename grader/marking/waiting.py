"""Who waits for a person, and why: the most urgent first, and everybody else behind them. Pure."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from grader.classroom.adjustments import Adjustment, Mark
from grader.classroom.records import Record
from grader.core.course.rubric import Rubric


@dataclass(frozen=True)
class Student:
    """One student's record before and after the decisions about it."""

    before: Record
    own: tuple[Adjustment, ...]
    after: Record

    @property
    def key(self) -> str:
        """What the student's files are called."""
        return self.before.key


class Urgency(IntEnum):
    """What is looked at first."""

    REQUEST = 0
    FAULT = 1
    NOT_GRADABLE = 2
    UNDECIDED = 3
    BY_HAND = 4
    ALIKE = 5
    NONE = 9


@dataclass(frozen=True)
class Reason:
    """Why a person has to look at somebody, and whether that is done."""

    urgency: Urgency
    text: str
    settled: bool


@dataclass(frozen=True)
class Waiting:
    """One student in the queue."""

    key: str
    reasons: tuple[Reason, ...]

    @property
    def open(self) -> tuple[Reason, ...]:
        """What is left to do."""
        return tuple(one for one in self.reasons if not one.settled)

    @property
    def urgency(self) -> Urgency:
        """That of the most urgent reason that is left."""
        return min((one.urgency for one in self.open), default=Urgency.NONE)

    @property
    def is_marked(self) -> bool:
        """Whether a person was needed, and has done all."""
        return bool(self.reasons) and not self.open


def waiting(
    student: Student, rubric: Rubric, *, requests: Iterable[tuple[str, bool]], alike: Iterable[str]
) -> Waiting:
    """Return one student of the queue; requests come with whether they are answered, alike with names."""
    before, own, after = student.before, student.own, student.after
    seen = any(isinstance(one, Mark) and one.seen for one in own)
    given = {one.criterion for one in own if one.gives_points}
    settled = bool(given) or seen
    reasons = [Reason(Urgency.REQUEST, f"asks: {text}", answered) for text, answered in requests]
    if before.status == "grader_error":
        reasons.append(Reason(Urgency.FAULT, f"the grader failed: {before.in_short}", settled))
    elif before.status == "not_graded":
        reasons.append(Reason(Urgency.NOT_GRADABLE, before.in_short, settled))
    for name, one in before.criteria.items():
        left = after.criteria.get(name)
        if one.undecided:
            text = f"too little of {name} was seen"
            reasons.append(Reason(Urgency.UNDECIDED, text, not (left and left.undecided)))
        elif one.by_hand and before.status == "graded":
            judged = not (left and left.by_hand)
            text = f"{name} was judged" if judged else f"{name} is for a person to judge"
            reasons.append(Reason(Urgency.BY_HAND, text, judged))
    if before.undecided:
        bonus = any(name is not None and rubric.is_bonus(name) for name in given)
        reasons.append(Reason(Urgency.UNDECIDED, "the bonus is for a person to decide", bonus or seen))
    reasons += [Reason(Urgency.ALIKE, f"the file is like that of {name}", seen) for name in alike]
    return Waiting(before.key, tuple(sorted(reasons, key=lambda one: one.urgency)))


def place(one: Waiting, *, shuffled: bool) -> tuple[Urgency, bool, str]:
    """Return what orders the queue; shuffled by what no name tells, if names are hidden."""
    return one.urgency, not one.reasons, shuffle(one.key) if shuffled else ""


def shuffle(key: str) -> str:
    """Return what orders students so that no name tells it, the same on every day."""
    return hashlib.sha256(key.encode()).hexdigest()
