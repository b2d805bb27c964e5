"""What the page shows of a student at the desk, and nothing that tells a name while names are hidden."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from grader.classroom.adjustments import Mark, decided
from grader.classroom.entries import grouped
from grader.classroom.folder import Source
from grader.classroom.similarity import rarity
from grader.core.course.rubric import Criterion
from grader.core.grade import Grade, Verdict
from grader.marking.desk import Desk, Seat, answer_to, subject
from grader.marking.marks import revision
from grader.marking.requests import Request, about
from grader.marking.waiting import Urgency
from grader.report.agenda import agenda
from grader.report.source import highlighted
from grader.report.words import search_sentences


@dataclass(frozen=True)
class Row:
    """A criterion, or the total: what the grader gave, what a person gave, and why."""

    criterion: Criterion
    judged: float | None
    now: float | None
    given: Mark | None
    revision: str
    bonus: bool = False
    waits: bool = False


@dataclass(frozen=True)
class Asked:
    """A request, what it is about, and the answer."""

    text: str
    cases: tuple[tuple[str, Verdict], ...]
    answer: Mark | None
    revision: str


def context(desk: Desk, seat: Seat) -> dict[str, Any]:
    """Return what the template of a student takes."""
    record = desk.whole(seat)
    grade, marks = record.grade, [one for one in seat.own if isinstance(one, Mark)]
    source = desk.source(seat)
    comments = [one for one in marks if one.is_comment]
    judged = decided(seat.before, (), desk.kept.rubric, desk.kept.late.get(seat.key)).total
    return {
        "seat": seat,
        "record": record,
        "grade": grade,
        "rubric": desk.kept.rubric,
        "judged": judged,
        "rows": list(_rows(desk, seat, judged)),
        "revisions": {subject(one): desk.revision(seat, subject(one)) for one in seat.own},
        "plain_revision": desk.revision(seat, ""),
        "adjustments": [one for one in seat.own if not isinstance(one, Mark)],
        "revision": revision,
        "comments": [one for one in comments if not one.line],
        "on_lines": grouped(((one.file, one.line), one) for one in comments if one.line),
        "requests": [_asked(desk, seat, one, grade) for one in seat.requests],
        "items": agenda(grade) if grade else [],
        "searches": search_sentences(grade) if grade else [],
        "late": next((one for one in grade.deductions if one.late), None) if grade else None,
        "excused": next((one for one in seat.own if one.late), None),
        "seen": next((one for one in marks if one.seen), None),
        "alike_urgency": Urgency.ALIKE,
        "alike": [
            (desk.numbers[one.keys[1]], desk.name(one.keys[1]), one.shares, rarity(one))
            for one in desk.alike(seat.key)
        ],
        "files": _files(source),
        "mistakes": [(name, len(desk.mistakes()[name])) for name in seat.before.mistakes],
    }


def _rows(desk: Desk, seat: Seat, judged: float | None) -> Iterable[Row]:
    marks = [one for one in seat.own if isinstance(one, Mark) and one.points is not None]
    given, rubric = {one.criterion: one for one in marks}, desk.kept.rubric
    for criterion in sorted(rubric.all_criteria(), key=lambda one: not one.by_hand):
        name, after = criterion.id, seat.after.criteria.get(criterion.id)
        points = seat.before.judged(name), seat.after.judged(name)
        waits = name in seat.after.to_judge or bool(after and after.undecided)
        known = given.get(name), desk.revision(seat, name)
        yield Row(criterion, *points, *known, rubric.is_bonus(name), waits)
    told = "All of it, in the place of what the criteria give"
    total = Criterion(id="total", description=told, points=rubric.points)
    yield Row(total, judged, seat.after.total, given.get(None), desk.revision(seat, "total"))


def _asked(desk: Desk, seat: Seat, request: Request, grade: Grade | None) -> Asked:
    cases = tuple(about(request, grade)[:3]) if grade else ()
    known = subject(Mark(student=seat.key, id="0" * 8, at="", by="", request=request.text))
    text, answer = desk.hidden(seat.key, request.text), answer_to(request, seat.own)
    return Asked(text, cases, answer, desk.revision(seat, known))


def _files(source: Source | None) -> list[tuple[str, str, tuple[Markup, ...]]]:
    """Return the file and the modules that came with it: what marks call each, its name, and its lines."""
    if source is None:
        return []
    helpers = [(name, name, highlighted(text)) for name, text in source.helpers]
    return [("", source.name, highlighted(source.text, source.name)), *helpers]
