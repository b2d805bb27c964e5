"""Who waits for a person, and why: the most urgent first, and everybody else behind them. Pure.

Whoever needs a look is in one queue; each criterion that a person judges, of everybody, has its own.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from grader.classroom.adjustments import Adjustment, Mark
from grader.classroom.records import Record
from grader.core.course.rubric import Rubric

LOOK: Final = "To look at"
EVERYBODY: Final = "Everybody"
"""The queues beside those of criteria, which are called by the criteria's ids: these have no capitals."""


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
    UNRUN = 3
    UNDECIDED = 4
    ALIKE = 5
    BY_HAND = 6
    NONE = 9


@dataclass(frozen=True)
class Reason:
    """Why a person has to look at somebody, and whether that is done."""

    urgency: Urgency
    text: str
    settled: bool
    queue: str = LOOK


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
    def queues(self) -> dict[str, str]:
        """The queues that the student is in, with what is left to do there; nothing where all is done."""
        names = dict.fromkeys(one.queue for one in self.reasons)
        left = {name: [one for one in self.open if one.queue == name] for name in names}
        return {name: _in_short(open_) for name, open_ in left.items()} | {EVERYBODY: _in_short(self.open)}

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
    elif before.unrun:
        by_hand = {one.id for one in rubric.all_criteria() if one.by_hand}
        reasons.append(Reason(Urgency.UNRUN, before.unrun, bool(given - by_hand) or seen))
    for name, one in before.criteria.items():
        left = after.criteria.get(name)
        if one.undecided:
            text = f"too little of {name} was seen"
            reasons.append(Reason(Urgency.UNDECIDED, text, not (left and left.undecided)))
        elif one.by_hand and before.status == "graded":
            judged = name not in after.to_judge
            reasons.append(
                Reason(Urgency.BY_HAND, f"{name} {'is marked' if judged else 'waits'}", judged, name)
            )
    for name in before.unjudged:
        judged = seen or name not in after.unjudged
        reasons.append(Reason(Urgency.UNDECIDED, f"nothing of {name} could be judged", judged))
    if before.undecided:
        text = "the bonus is for a person to decide"
        reasons.append(Reason(Urgency.UNDECIDED, text, not after.undecided or seen))
    reasons += [Reason(Urgency.ALIKE, f"the file is like that of {name}", seen) for name in alike]
    return Waiting(before.key, tuple(sorted(reasons, key=lambda one: one.urgency)))


def _in_short(reasons: Sequence[Reason]) -> str:
    """Return the first of some reasons, and how many there are beside it."""
    if not reasons:
        return ""
    more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
    return reasons[0].text.rstrip(".") + more


def place(one: Waiting, *, shuffled: bool) -> tuple[Urgency, bool, str]:
    """Return what orders the queue; shuffled by what no name tells, if names are hidden."""
    return one.urgency, not one.reasons, shuffle(one.key) if shuffled else ""


def shuffle(key: str) -> str:
    """Return what orders students so that no name tells it, the same on every day."""
    return hashlib.sha256(key.encode()).hexdigest()
