"""The desk at which a class is marked: its records with all decisions, and the queue of students who wait.

A student whom a person must look at is in one queue; each criterion that a person judges, of everybody, has
its own queue. The most urgent comes first.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path, PurePath
from threading import RLock
from typing import Any, Final

from markupsafe import Markup

from grader.classroom import adjustments, records
from grader.classroom.adjustments import Adjustment, Mark, decided, mine, stamp_of
from grader.classroom.entries import grouped
from grader.classroom.outputs import Closing
from grader.classroom.records import AlikePair, ClassState, Record, Source
from grader.classroom.sheet import turned
from grader.classroom.similarity import rarity
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.core.grade import Grade, Verdict
from grader.core.messages import _, later, ngettext, own_text
from grader.core.values import plain, value_of, without_accents
from grader.marking.marks import (
    REQUESTS,
    Marks,
    RegradeRequest,
    Scribe,
    Student,
    about,
    load_requests,
    revision,
)
from grader.report.pages import highlighted
from grader.report.wording import agenda, search_sentences

LOOK: Final = later("To look at")
EVERYBODY: Final = later("Everybody")
"""The queues beside those of criteria, which are called by the criteria's ids: these have no capitals.

These are their ids; the page shows them in its language.
"""


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
class WaitingReason:
    """Why a person has to look at somebody, and whether that is done."""

    urgency: Urgency
    text: str
    settled: bool
    queue: str = LOOK


@dataclass(frozen=True)
class Waiting:
    """One student in the queue."""

    key: str
    reasons: tuple[WaitingReason, ...]

    @cached_property
    def open(self) -> tuple[WaitingReason, ...]:
        """What is left to do."""
        return tuple(one for one in self.reasons if not one.settled)

    @property
    def urgency(self) -> Urgency:
        """That of the most urgent reason that is left."""
        return min((one.urgency for one in self.open), default=Urgency.NONE)

    @cached_property
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
    reasons = [
        WaitingReason(Urgency.REQUEST, _("asks: {text}", text=text), answered) for text, answered in requests
    ]
    if before.status == "grader_error":
        text = _("the grader failed: {why}", why=before.in_short)
        reasons.append(WaitingReason(Urgency.FAULT, text, settled))
    elif before.status == "not_graded":
        reasons.append(WaitingReason(Urgency.NOT_GRADABLE, before.in_short, settled))
    elif before.unrun:
        by_hand = {one.id for one in rubric.all_criteria() if one.by_hand}
        reasons.append(WaitingReason(Urgency.UNRUN, before.unrun, bool(given - by_hand) or seen))
    for name, one in before.criteria.items():
        left = after.criteria.get(name)
        if one.undecided:
            text = _("too little of {criterion} was seen", criterion=name)
            reasons.append(WaitingReason(Urgency.UNDECIDED, text, not (left and left.undecided)))
        elif one.by_hand and before.status == "graded":
            judged = name not in after.to_judge
            marked, waits = _("{criterion} is marked", criterion=name), _("{criterion} waits", criterion=name)
            reasons.append(WaitingReason(Urgency.BY_HAND, marked if judged else waits, judged, name))
    for name in before.unjudged:
        judged = seen or name not in after.unjudged
        text = _("nothing of {criterion} could be judged", criterion=name)
        reasons.append(WaitingReason(Urgency.UNDECIDED, text, judged))
    if before.undecided:
        text = _("the bonus is for a person to decide")
        reasons.append(WaitingReason(Urgency.UNDECIDED, text, not after.undecided or seen))
    reasons += [
        WaitingReason(Urgency.ALIKE, _("the file is like that of {student}", student=name), seen)
        for name in alike
    ]
    return Waiting(before.key, tuple(sorted(reasons, key=lambda one: one.urgency)))


def _in_short(reasons: Sequence[WaitingReason]) -> str:
    """Return the first of some reasons, and how many there are beside it."""
    if not reasons:
        return ""
    first, others = reasons[0].text.rstrip("."), len(reasons) - 1
    if not others:
        return first
    return ngettext("{reason}, and {count} more", "{reason}, and {count} more", others, reason=first)


def place(one: Waiting, *, shuffled: bool) -> tuple[Urgency, bool, str]:
    """Return what orders the queue; shuffled by what no name tells, if names are hidden."""
    return one.urgency, not one.reasons, shuffle(one.key) if shuffled else ""


def shuffle(key: str) -> str:
    """Return what orders students so that no name tells it, the same on every day."""
    return hashlib.sha256(key.encode()).hexdigest()


_HIDDEN: Final = "▒▒▒"
_CODES: Final = ("schema", "id", "code", "status", "function", "aspect", "policy", "instead", "visibility")
"""What a grade has by the grader's own names."""


class Mask:
    """Hides a student's name and numbers in texts and sources, and the names of all the others."""

    def __init__(self, record: Record, everybody: re.Pattern[str]) -> None:
        whole = [*turned(record.student), *record.ids.values(), record.key, record.key.replace("_", " ")]
        self._own = _pattern([*whole, record.submission])
        self._everybody = everybody
        self._parts = _pattern(re.split(r"\W+|_", record.student), apart=True)

    def text(self, text: str) -> str:
        """Return a text without the names, and without the parts of the student's own."""
        return _hide(self._parts, self.whole(text))

    def whole(self, text: str) -> str:
        """Return a text without the whole names."""
        return _hide(self._everybody, _hide(self._own, text))

    def grade(self, grade: Grade) -> Grade:
        """Return a grade without the whole names in whatever it shows."""
        return value_of(Grade, self._data(plain(grade)))

    def _data(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.whole(data)
        if isinstance(data, list | tuple):
            return [self._data(one) for one in data]
        if isinstance(data, dict):
            return {key: one if key in _CODES else self._data(one) for key, one in data.items()}
        return data

    def source(self, source: Source) -> Source:
        """Return a source without the name; its parts are hidden in comments and in lines of plain text.

        The file has a neutral name, for a student's can be written in many ways in it.
        Everywhere else a part may be a word of the language: somebody is called Max.
        """
        helpers = tuple((self.text(name), self._lines(text)) for name, text in source.helpers)
        name = f"submission{PurePath(source.name).suffix}"
        return Source(name=name, text=self._lines(source.text), helpers=helpers)

    def _lines(self, text: str) -> str:
        return "\n".join(self._line(self.whole(line)) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        code, mark, comment = line.partition("#")
        is_text = line.lstrip().startswith(('"""', "'''")) or not re.search(r"[=(\[]", line)
        return _hide(self._parts, line) if is_text else code + mark + _hide(self._parts, comment)


def names_of(records: Iterable[Record]) -> re.Pattern[str]:
    """Return what finds the name of anybody in a class: a copied file tells whose it was."""
    return _pattern(name for one in records for name in turned(one.student))


def _hide(pattern: re.Pattern[str], text: str) -> str:
    """Return a text without what a pattern finds in it, however its accents are written, or left out."""
    if text.isascii():  # most are: there is nothing to fold
        return pattern.sub(_HIDDEN, text)
    parts = [without_accents(sign) for sign in text]
    starts = [at for at, part in enumerate(parts) for _ in part]
    hidden, end = [], 0
    for match in pattern.finditer("".join(parts)):
        first, last = starts[match.start()], starts[match.end() - 1]
        hidden += [text[end:first], _HIDDEN]
        end = last + 1
        while end < len(text) and not parts[end]:  # an accent of its own
            end += 1
    return "".join([*hidden, text[end:]])


def _pattern(names: Iterable[str], *, apart: bool = False) -> re.Pattern[str]:
    """Return what finds names; digits and underscores may follow one, unless it has to stand apart."""
    known = sorted(
        {without_accents(name.strip()) for name in names if len(name.strip()) > 2}, key=len, reverse=True
    )
    either = "|".join(map(re.escape, known)) or "(?!)"
    letter = r"\w" if apart else r"[^\W\d_]"
    return re.compile(rf"(?<!{letter})(?:{either})(?!{letter})", re.IGNORECASE)


@dataclass(frozen=True)
class Seat(Student):
    """One student at the desk: also the number that a page knows, and the name that it shows."""

    number: int
    name: str
    waiting: Waiting
    requests: tuple[RegradeRequest, ...]


class Desk:
    """A class that is being marked; every answer is from the newest decisions on the disk."""

    scribe: Scribe

    def __init__(self, out: Path, *, anonymous: bool = False) -> None:
        self.out, self.anonymous = out, anonymous
        self._lock = RLock()
        self._seats: dict[int, Seat] = {}
        self._numbers: dict[str, int] = {}
        self._last_read: tuple[object, Record | None] = None, None
        self._stamp: object = None
        self._decided: object = None
        self._class_stamp: object = None
        self._look_again()

    def _open(self, kept: ClassState) -> None:
        """Read a class that was graded, or graded again."""
        self.kept = kept
        self._records = {one.key: one for one in records.students(self.out, kept)}
        self._everybody = names_of(self._records.values())
        self._seats = {}
        if not self._records:
            raise UserError(_("there is nobody in it: grade the class first"), file=self.out)
        self.marks = Marks(self.out, kept.rubric, self._names, self._lock)
        if self._class_stamp is not None:
            self.scribe.end()
        stamp = stamp_of(self.out / records.STATE)
        self.scribe = Scribe(
            Closing(self.out, kept),
            lambda: (
                stamp_of(self.out / records.STATE) == stamp and adjustments.stamp(self.out) == self._decided
            ),
        )
        keys = sorted(self._records, key=shuffle) if self.anonymous else list(self._records)
        for key in keys:  # a number means the same student for as long as a page may be open
            self._numbers.setdefault(key, len(self._numbers) + 1)
        self.numbers = {key: self._numbers[key] for key in keys}

    def _names(self) -> Iterable[tuple[str, str]]:
        """Yield whom a decision may be about: everybody in the class, and who was in it before."""
        yield from ((one.student, key) for key, one in self._records.items())
        yield from ((file.stem, file.stem) for file in (self.out / records.FOLDER).glob("*.json"))

    def _look_again(self) -> None:
        """Take in what has changed on the disk, by whomever."""
        with self._lock:
            stamp = stamp_of(self.out / records.STATE)
            if stamp != self._class_stamp or not stamp:
                self._open(records.load_class(self.out))
                self._class_stamp, self._stamp = stamp, None
            decided, asked = adjustments.stamp(self.out), stamp_of(self.out / REQUESTS)
            if (decided, asked) != self._stamp:
                self._take_seats()
                self._decided, self._stamp = decided, (decided, asked)
                self.scribe.follow(list(self._seats.values()))

    def _take_seats(self) -> None:
        """Let everybody about whom something was decided or asked have a new seat."""
        decisions: tuple[Adjustment, ...] = (*self.marks.adjustments(), *self.marks.all())
        about = grouped((one.student, one) for one in decisions)
        asked = grouped((one.key, one) for one in load_requests(self.out, self._records.values()))
        for key, before in self._records.items():
            names = dict.fromkeys((before.student, key))  # which may be the same
            own = mine(before, [one for name in names for one in about.get(name, ())])
            known = self._seats.get(self.numbers[key])
            requests = _requests(key, own, asked.get(key, []))
            if not known or known.before is not before or (known.own, known.requests) != (own, requests):
                self._seats[self.numbers[key]] = self._seat(before, own, requests)

    def _seat(
        self, before: Record, own: tuple[Adjustment, ...], requests: tuple[RegradeRequest, ...]
    ) -> Seat:
        key, rubric = before.key, self.kept.rubric
        after = decided(before, own, rubric, self.kept.late.get(key))
        alike = [self.name(one.keys[1]) for one in self.alike(key)]
        asked = [(one.text, answer_to(one, own) is not None) for one in requests]
        found = waiting(Student(before, own, after), rubric, requests=asked, alike=alike)
        if self.anonymous:
            hidden = (replace(one, text=self.hidden(key, one.text)) for one in found.reasons)
            found = replace(found, reasons=tuple(hidden))
        return Seat(before, own, after, self.numbers[key], self.name(key), found, requests)

    def alike(self, key: str) -> list[AlikePair]:
        """Return the pairs of files that are alike of which a student's is one, with that one first."""
        known, found = self.numbers.keys(), self.kept.alike
        pairs = [one for one in (found.pairs if found else ()) if key in one.keys and set(one.keys) <= known]
        return [
            one if one.keys[0] == key else replace(one, keys=one.keys[::-1], shares=one.shares[::-1])
            for one in pairs
        ]

    def name(self, key: str) -> str:
        """Return what a student is called on the page."""
        if self.anonymous:
            return _("Student {number}", number=self.numbers[key])
        return self._records[key].student

    def hidden(self, key: str, text: str) -> str:
        """Return what a student wrote, without the name if names are hidden."""
        return self._mask(key).text(text) if self.anonymous else text

    def source(self, seat: Seat) -> Source | None:
        """Return what a student handed in, without the name if names are hidden."""
        found = records.source_of(self.out, seat.key)
        return self._mask(seat.key).source(found) if found and self.anonymous else found

    def _mask(self, key: str) -> Mask:
        return Mask(self._records[key], self._everybody)

    def seats(self) -> list[Seat]:
        """Return everybody, the most urgent first."""
        with self._lock:
            self._look_again()
            return sorted(self._seats.values(), key=lambda one: place(one.waiting, shuffled=self.anonymous))

    def seat(self, number: int) -> Seat:
        """Return the student with a number; raise KeyError if there is none."""
        with self._lock:
            self._look_again()
            return self._seats[number]

    def tally(self) -> tuple[int, int]:
        """Return how many are marked, and how many need a person."""
        with self._lock:
            needing = [one.waiting for one in self._seats.values() if one.waiting.reasons]
        return sum(one.is_marked for one in needing), len(needing)

    def queues(self) -> list[tuple[str, int, int]]:
        """Return the queues, each with how many are done in it, and how many need somebody there."""
        with self._lock:
            needing = [one.waiting.queues for one in self._seats.values() if one.waiting.reasons]
        left = grouped(pair for one in needing for pair in one.items())
        names = [LOOK, *(one.id for one in self.kept.rubric.all_criteria()), EVERYBODY]
        found = [(name, left.get(name, [])) for name in names if name in left or name == EVERYBODY]
        return [(name, texts.count(""), len(texts)) for name, texts in found]

    def revision(self, seat: Seat, about: str) -> str:
        """Return what changes when what is decided about something changes, or what it is decided on."""
        own = [one for one in seat.own if subject(one) == about]
        return f"{seat.before.fingerprint[:8]}-{revision(own) if own else ''}"

    def mistakes(self) -> dict[str, list[Seat]]:
        """Return who made each mistake that was named."""
        with self._lock:
            seats = list(self._seats.values())
        return grouped((mistake, seat) for seat in seats for mistake in seat.before.mistakes)

    def bank(self) -> list[tuple[Mark, int]]:
        """Return the comments that were used, the most used first, with how many have each."""
        used = grouped((same(one), one) for one in self.marks.all() if one.is_comment)
        return sorted(((ones[-1], len(ones)) for ones in used.values()), key=lambda pair: -pair[1])

    def whole(self, seat: Seat) -> Record:
        """Return all of a student's record, with the decisions, and nothing that tells the name if so."""
        found = self._read(seat) or seat.before
        found = decided(found, seat.own, self.kept.rubric, self.kept.late.get(seat.key))
        if self.anonymous:
            mask = self._mask(seat.key)
            grade = replace(mask.grade(found.grade), submission=seat.name) if found.grade else None
            why = self.hidden(seat.key, found.why)
            found = replace(found, student=seat.name, submission=seat.name, ids={}, notes=(), attempts=())
            return replace(found, grade=grade, why=why)
        return found

    def _read(self, seat: Seat) -> Record | None:
        """Return all of a student's record as the grader wrote it; the last one is remembered."""
        known, record = self._last_read
        if known != (seat.key, seat.before.fingerprint):
            record = records.load(self.out, seat.key)
            record = record.without_faulty_tests(self.kept.faulty_tests) if record else None
            self._last_read = (seat.key, seat.before.fingerprint), record
        return record

    def end(self) -> None:
        """Write what is still to be written, also of a class that was graded again meanwhile."""
        self._look_again()
        self.scribe.end()

    def change(self, without: Iterable[str], new: Sequence[Mark]) -> None:
        """Write a change of marks to the disk, and let everything follow."""
        self.marks.change(set(without), new)
        self._look_again()


def subject(one: Adjustment) -> str:
    """Return what a decision is about: a criterion, the total, a line, a request, or all of it."""
    if isinstance(one, Mark):
        if one.request:
            return f"request {hashlib.sha256(one.request.encode()).hexdigest()[:12]}"
        if one.seen:
            return "seen"
        if one.criterion is None and not (one.gives_points or one.late):
            return f"line {one.file}:{one.line}" if one.line else "comment"
    return one.about


def same(one: Mark) -> object:
    """Return what makes two comments one and the same of the bank."""
    return one.comment, one.criterion, one.delta


def _requests(
    key: str, own: Iterable[Adjustment], asked: Iterable[RegradeRequest]
) -> tuple[RegradeRequest, ...]:
    """Return what a student asks: in the file of requests, or as it was typed in on the page."""
    typed = [RegradeRequest(key, one.request) for one in own if isinstance(one, Mark) and one.request]
    return tuple({one.text: one for one in (*typed, *asked)}.values())


def answer_to(request: RegradeRequest, own: Iterable[Adjustment]) -> Mark | None:
    """Return the answer to a request, if there is one."""
    marks = (one for one in own if isinstance(one, Mark) and one.request == request.text)
    return next((one for one in marks if one.comment), None)


@dataclass(frozen=True)
class CriterionRow:
    """A criterion, or the total: what the grader gave, what a person gave, and why."""

    criterion: Criterion
    judged: float | None
    now: float | None
    given: Mark | None
    revision: str
    bonus: bool = False
    waits: bool = False


@dataclass(frozen=True)
class ShownRequest:
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


def evidence(grade: Grade) -> dict[str, Any]:
    """Return what the template of a grade's evidence takes; to be called in the language of the grade."""
    return {"grade": grade, "items": agenda(grade), "searches": search_sentences(grade)}


def _rows(desk: Desk, seat: Seat, judged: float | None) -> Iterable[CriterionRow]:
    marks = [one for one in seat.own if isinstance(one, Mark) and one.points is not None]
    given, rubric = {one.criterion: one for one in marks}, desk.kept.rubric
    for criterion in sorted(rubric.all_criteria(), key=lambda one: not one.by_hand):
        name, after = criterion.id, seat.after.criteria.get(criterion.id)
        shown = replace(criterion, description=own_text(criterion.description))
        points = seat.before.judged(name), seat.after.judged(name)
        waits = name in seat.after.to_judge or bool(after and after.undecided)
        known = given.get(name), desk.revision(seat, name)
        yield CriterionRow(shown, *points, *known, rubric.is_bonus(name), waits)
    told = _("All of it, in the place of what the criteria give")
    total = Criterion(id="total", description=told, points=rubric.points)
    yield CriterionRow(total, judged, seat.after.total, given.get(None), desk.revision(seat, "total"))


def _asked(desk: Desk, seat: Seat, request: RegradeRequest, grade: Grade | None) -> ShownRequest:
    cases = tuple(about(request, grade)[:3]) if grade else ()
    known = subject(Mark(student=seat.key, id="0" * 8, at="", by="", request=request.text))
    text, answer = desk.hidden(seat.key, request.text), answer_to(request, seat.own)
    return ShownRequest(text, cases, answer, desk.revision(seat, known))


def _files(source: Source | None) -> list[tuple[str, str, tuple[Markup, ...]]]:
    """Return the file and the modules that came with it: what marks call each, its name, and its lines."""
    if source is None:
        return []
    helpers = [(name, name, highlighted(text)) for name, text in source.helpers]
    return [("", source.name, highlighted(source.text, source.name)), *helpers]
