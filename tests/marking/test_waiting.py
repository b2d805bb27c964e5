"""Who waits for a person: the most urgent first, and what settles it."""

from dataclasses import replace
from typing import Any

import pytest

from grader.classroom.adjustments import Mark, decided
from grader.core.grade import DoesNotRun, Pruning, Search, Status, Unrun, Verdict
from grader.core.scores import make_grade
from grader.marking.desk import Urgency, Waiting, place, waiting
from grader.marking.marks import Student
from tests.marking.made import RUBRIC, grade, record


def mark(**given: Any) -> Mark:
    return Mark(student="s0", id="0" * 8, at="", by="B", **given)


def of(before: Any, *own: Mark, requests: Any = (), alike: Any = ()) -> Waiting:
    after = decided(before, own, RUBRIC)
    return waiting(Student(before, own, after), RUBRIC, requests=requests, alike=alike)


ADA = record("s0", "Ada", grade("a"))
FAULT = record("s0", "Ada", None, status="grader_error", why="Traceback\nOSError: x")
NOTHING = record("s0", "Ada", None, why="There is no file.")
COUNTED = dict.fromkeys(("taken_shallow", "taken_deep", "missed_shallow", "missed_deep", "too_early"), 0)
SEARCH = Search(pruning=Pruning.UNDECIDED, **COUNTED, boards=(), calls={})
BROKEN = record(
    "s0", "Ada", replace(grade("a"), does_not_run=DoesNotRun(why=Unrun.NOT_PYTHON, sentence="No."))
)
SKIPPED = Verdict(id="a", status=Status.SKIPPED, weight=1, earned=None, reason="r")
UNSEEN = record("s0", "Ada", make_grade(RUBRIC, "a", [("player", SKIPPED)], seconds=1, submission_seconds=1))
UNTOLD = record("s0", "Ada", replace(grade("a"), search=SEARCH))


@pytest.mark.parametrize(
    ("found", "urgency", "left"),
    [
        (of(ADA), Urgency.BY_HAND, 1),
        (of(ADA, mark(criterion="design", points=0)), Urgency.NONE, 0),
        (of(ADA, mark(seen=True)), Urgency.BY_HAND, 1),
        (of(ADA, mark(points=7)), Urgency.NONE, 0),
        (of(ADA, requests=[("why", False)]), Urgency.REQUEST, 2),
        (of(ADA, requests=[("why", True)]), Urgency.BY_HAND, 1),
        (of(ADA, alike=["Bob"]), Urgency.ALIKE, 2),
        (of(ADA, mark(criterion="design", points=1), alike=["Bob"]), Urgency.ALIKE, 1),
        (of(ADA, mark(criterion="design", points=1), mark(seen=True), alike=["Bob"]), Urgency.NONE, 0),
        (of(FAULT), Urgency.FAULT, 1),
        (of(FAULT, mark(points=7)), Urgency.NONE, 0),
        (of(NOTHING), Urgency.NOT_GRADABLE, 1),
        (of(NOTHING, mark(comment="Where is it?")), Urgency.NOT_GRADABLE, 1),
        (of(NOTHING, mark(seen=True)), Urgency.NONE, 0),
        (of(BROKEN), Urgency.UNRUN, 2),
        (of(BROKEN, mark(criterion="design", points=1)), Urgency.UNRUN, 1),
        (of(BROKEN, mark(criterion="player", points=1)), Urgency.BY_HAND, 1),
        (of(BROKEN, mark(seen=True)), Urgency.BY_HAND, 1),
        (of(UNSEEN), Urgency.UNDECIDED, 2),
        (of(UNSEEN, mark(criterion="player", points=1)), Urgency.BY_HAND, 1),
        (of(UNTOLD), Urgency.UNDECIDED, 2),
        (of(UNTOLD, mark(criterion="extra", points=5)), Urgency.BY_HAND, 1),
    ],
)
def test_what_waits_and_what_settles_it(found: Waiting, urgency: Urgency, left: int) -> None:
    assert (found.urgency, len(found.open)) == (urgency, left)
    assert found.is_marked == (left == 0)


def test_a_criterion_by_hand_has_a_queue_of_its_own() -> None:
    design = mark(criterion="design", points=1)
    assert of(ADA).queues == {"design": "design waits", "Everybody": "design waits"}
    assert of(ADA, design).queues == {"design": "", "Everybody": ""}
    both = of(BROKEN, requests=[("why?", False)])
    assert both.queues == {
        "To look at": "asks: why?, and 1 more",
        "design": "design waits",
        "Everybody": "asks: why?, and 2 more",
    }
    assert of(BROKEN, design).queues == {"To look at": "No", "design": "", "Everybody": "No"}
    assert Waiting("n", ()).queues == {"Everybody": ""}


def test_the_most_urgent_comes_first_and_who_needs_nobody_last() -> None:
    done = of(ADA, mark(criterion="design", points=0))
    found = {"d": done, "a": of(ADA), "b": of(NOTHING), "c": of(FAULT)}
    queue = [Waiting("n", ()), *(replace(waiting, key=key) for key, waiting in found.items())]
    queue.sort(key=lambda waiting: place(waiting, shuffled=False))
    assert [waiting.key for waiting in queue] == ["c", "b", "a", "d", "n"]
    keys = [f"s{number}" for number in range(20)]
    many = [replace(of(ADA), key=key) for key in keys]
    shuffled = [waiting.key for waiting in sorted(many, key=lambda waiting: place(waiting, shuffled=True))]
    assert shuffled != keys and sorted(shuffled) == sorted(keys)
