"""The desk at which a class is marked: its records with all decisions, and the queue of students who wait.

A student whom a person must look at is in one queue; each criterion that a person judges, of everybody, has
its own queue. The most urgent comes first.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path, PurePath
from threading import RLock
from typing import Any, Final

from grader.classroom import adjustments, records
from grader.classroom.adjustments import Adjustment, Mark, decided, mine, stamp_of
from grader.classroom.entries import grouped
from grader.classroom.outputs import Closing
from grader.classroom.records import AlikePair, ClassState, Record, Source
from grader.classroom.sheet import turned
from grader.classroom.similarity import rarity
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.core.grade import Grade
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
        return tuple(reason for reason in self.reasons if not reason.settled)

    @property
    def urgency(self) -> Urgency:
        """That of the most urgent reason that is left."""
        return min((reason.urgency for reason in self.open), default=Urgency.NONE)

    @cached_property
    def queues(self) -> dict[str, str]:
        """The queues that the student is in, with what is left to do there; nothing where all is done."""
        names = dict.fromkeys(reason.queue for reason in self.reasons)
        left = {name: [reason for reason in self.open if reason.queue == name] for name in names}
        return {name: _in_short(reasons) for name, reasons in {**left, EVERYBODY: self.open}.items()}

    @property
    def is_marked(self) -> bool:
        """Whether a person was needed, and has done all."""
        return bool(self.reasons) and not self.open


def waiting(
    student: Student, rubric: Rubric, *, requests: Iterable[tuple[str, bool]], alike: Iterable[str]
) -> Waiting:
    """Return one student of the queue; requests come with whether they are answered, alike with names."""
    before, own, after = student.before, student.own, student.after
    seen = any(isinstance(decision, Mark) and decision.seen for decision in own)
    given = {decision.criterion for decision in own if decision.gives_points}
    found = [(Urgency.REQUEST, _("asks: {text}", text=text), answered) for text, answered in requests]
    if before.status == "grader_error":
        found.append((Urgency.FAULT, _("the grader failed: {why}", why=before.in_short), bool(given) or seen))
    elif before.status == "not_graded":
        found.append((Urgency.NOT_GRADABLE, before.in_short, bool(given) or seen))
    elif before.unrun:
        by_hand = {criterion.id for criterion in rubric.all_criteria() if criterion.by_hand}
        found.append((Urgency.UNRUN, before.unrun, bool(given - by_hand) or seen))
    reasons = [WaitingReason(*reason) for reason in found]
    for name, criterion in before.criteria.items():
        left = after.criteria.get(name)
        if criterion.undecided:
            text = _("too little of {criterion} was seen", criterion=name)
            reasons.append(WaitingReason(Urgency.UNDECIDED, text, not (left and left.undecided)))
        elif criterion.by_hand and before.status == "graded":
            judged = name not in after.to_judge
            marked, waits = _("{criterion} is marked", criterion=name), _("{criterion} waits", criterion=name)
            reasons.append(WaitingReason(Urgency.BY_HAND, marked if judged else waits, judged, name))
    for name in before.unjudged:
        text = _("nothing of {criterion} could be judged", criterion=name)
        reasons.append(WaitingReason(Urgency.UNDECIDED, text, seen or name not in after.unjudged))
    if before.undecided:
        text = _("the bonus is for a person to decide")
        reasons.append(WaitingReason(Urgency.UNDECIDED, text, not after.undecided or seen))
    for name in alike:
        text = _("the file is like that of {student}", student=name)
        reasons.append(WaitingReason(Urgency.ALIKE, text, seen))
    return Waiting(before.key, tuple(sorted(reasons, key=lambda reason: reason.urgency)))


def _in_short(reasons: Sequence[WaitingReason]) -> str:
    """Return the first of some reasons, and how many there are beside it."""
    if not reasons:
        return ""
    first, others = reasons[0].text.rstrip("."), len(reasons) - 1
    if not others:
        return first
    return ngettext("{reason}, and {count} more", "{reason}, and {count} more", others, reason=first)


def place(waiting: Waiting, *, shuffled: bool) -> tuple[Urgency, bool, str]:
    """Return the sort key of the queue; names are no part of it if they are hidden."""
    return waiting.urgency, not waiting.reasons, shuffle(waiting.key) if shuffled else ""


def shuffle(key: str) -> str:
    """Return a sort key that is unrelated to the student's name, the same on every day."""
    return hashlib.sha256(key.encode()).hexdigest()


_HIDDEN: Final = "▒▒▒"
# the fields of a grade that hold the grader's own names
_CODES: Final = ("schema", "id", "code", "status", "function", "aspect", "policy", "instead", "visibility")


class Mask:
    """Hides a student's name and numbers in texts and sources, and the names of all the others."""

    def __init__(self, record: Record, everybody: re.Pattern[str]) -> None:
        whole = [*turned(record.student), *record.ids.values(), record.key, record.key.replace("_", " ")]
        self._own = _pattern([*whole, record.submission])
        self._everybody = everybody
        self._parts = _pattern(re.split(r"\W+|_", record.student), apart=True)

    def text(self, text: str) -> str:
        """Return a text without the names, and without the parts of the student's own."""
        return _hide(self._parts, self._whole(text))

    def _whole(self, text: str) -> str:
        """Return a text without the whole names."""
        return _hide(self._everybody, _hide(self._own, text))

    def grade(self, grade: Grade) -> Grade:
        """Return a grade without the whole names in whatever it shows."""
        return value_of(Grade, self._data(plain(grade)))

    def _data(self, data: Any) -> Any:
        if isinstance(data, str):
            return self._whole(data)
        if isinstance(data, list):
            return [self._data(item) for item in data]
        if isinstance(data, dict):
            return {key: item if key in _CODES else self._data(item) for key, item in data.items()}
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
        return "\n".join(self._line(self._whole(line)) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        code, mark, comment = line.partition("#")
        is_text = line.lstrip().startswith(('"""', "'''")) or not re.search(r"[=(\[]", line)
        return _hide(self._parts, line) if is_text else code + mark + _hide(self._parts, comment)


def names_of(records: Iterable[Record]) -> re.Pattern[str]:
    """Return a pattern of the name of anybody in a class: a copied file tells whose it was."""
    return _pattern(name for record in records for name in turned(record.student))


def _hide(pattern: re.Pattern[str], text: str) -> str:
    """Return a text without the matches of a pattern, however accents are written in it, or left out."""
    if text.isascii():  # most are: there is nothing to fold
        return pattern.sub(_HIDDEN, text)
    parts = [without_accents(char) for char in text]
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
    """Return a pattern of names; digits and underscores may follow a name, unless it has to stand apart."""
    known = {without_accents(name.strip()) for name in names if len(name.strip()) > 2}
    either = "|".join(map(re.escape, sorted(known, key=lambda name: (-len(name), name)))) or "(?!)"
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
        self._refresh()

    def _open(self, kept: ClassState, stamp: object) -> None:
        """Read a class that was graded, or graded again."""
        self.kept = kept
        self._records = {record.key: record for record in records.students(self.out, kept)}
        self._everybody = names_of(self._records.values())
        self._seats = {}
        if not self._records:
            raise UserError(_("there is nobody in it: grade the class first"), file=self.out)
        self.marks = Marks(self.out, kept.rubric, self._names, self._lock)
        if self._class_stamp is not None:
            self.scribe.end()

        def is_current() -> bool:
            decided = adjustments.stamp(self.out) == self._decided
            return decided and stamp_of(self.out / records.STATE) == stamp

        self.scribe = Scribe(Closing(self.out, kept), is_current)
        keys = sorted(self._records, key=shuffle) if self.anonymous else list(self._records)
        for key in keys:  # a number means the same student for as long as a page may be open
            self._numbers.setdefault(key, len(self._numbers) + 1)
        self.numbers = {key: self._numbers[key] for key in keys}

    def _names(self) -> Iterable[tuple[str, str]]:
        """Yield whom a decision may be about: everybody in the class, and who was in it before."""
        yield from ((record.student, key) for key, record in self._records.items())
        yield from ((file.stem, file.stem) for file in (self.out / records.FOLDER).glob("*.json"))

    def _refresh(self) -> None:
        """Take in what anybody has changed on the disk."""
        with self._lock:
            stamp = stamp_of(self.out / records.STATE)
            if stamp != self._class_stamp or not stamp:
                self._open(records.load_class(self.out), stamp)
                self._class_stamp, self._stamp = stamp, None
            decided, asked = adjustments.stamp(self.out), stamp_of(self.out / REQUESTS)
            if (decided, asked) != self._stamp:
                self._take_seats()
                self._decided, self._stamp = decided, (decided, asked)
                self.scribe.follow(list(self._seats.values()))

    def _take_seats(self) -> None:
        """Make the seats anew of everybody about whom something was decided or asked."""
        decisions: tuple[Adjustment, ...] = (*self.marks.read(adjustments.ADJUSTMENTS), *self.marks.all())
        about = grouped((decision.student, decision) for decision in decisions)
        asked = grouped((request.key, request) for request in load_requests(self.out, self._records.values()))
        for key, before in self._records.items():
            names = dict.fromkeys((before.student, key))  # which may be the same
            own = mine(before, [decision for name in names for decision in about.get(name, ())])
            number, known = self.numbers[key], self._seats.get(self.numbers[key])
            typed = [mark.request for mark in own if isinstance(mark, Mark) and mark.request]
            asks = (*(RegradeRequest(key, text) for text in typed), *asked.get(key, ()))
            requests = tuple({request.text: request for request in asks}.values())
            if known and known.before is before and (known.own, known.requests) == (own, requests):
                continue
            after = decided(before, own, self.kept.rubric, self.kept.late.get(key))
            found = waiting(
                Student(before, own, after),
                self.kept.rubric,
                requests=[(request.text, answer_to(request, own) is not None) for request in requests],
                alike=[self.name(pair.keys[1]) for pair in self.alike(key)],
            )
            reasons = tuple(replace(reason, text=self.hidden(key, reason.text)) for reason in found.reasons)
            found = replace(found, reasons=reasons) if self.anonymous else found
            self._seats[number] = Seat(before, own, after, number, self.name(key), found, requests)

    def alike(self, key: str) -> list[AlikePair]:
        """Return the pairs of files that are alike of which a student's is one, with that one first."""
        known, found = self.numbers.keys(), self.kept.alike
        return [
            pair if pair.keys[0] == key else replace(pair, keys=pair.keys[::-1], shares=pair.shares[::-1])
            for pair in (found.pairs if found else ())
            if key in pair.keys and set(pair.keys) <= known
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
            self._refresh()
            return sorted(self._seats.values(), key=lambda seat: place(seat.waiting, shuffled=self.anonymous))

    def seat(self, number: int) -> Seat:
        """Return the student with a number; raise KeyError if there is none."""
        with self._lock:
            self._refresh()
            return self._seats[number]

    def _needing(self) -> list[Waiting]:
        """Return those who need a person, or did."""
        with self._lock:
            return [seat.waiting for seat in self._seats.values() if seat.waiting.reasons]

    def tally(self) -> tuple[int, int]:
        """Return how many are marked, and how many need a person."""
        needing = self._needing()
        return sum(waiting.is_marked for waiting in needing), len(needing)

    def queues(self) -> list[tuple[str, int, int]]:
        """Return the queues, each with how many are done in it, and how many need somebody there."""
        left = grouped(pair for waiting in self._needing() for pair in waiting.queues.items())
        names = [LOOK, *(criterion.id for criterion in self.kept.rubric.all_criteria()), EVERYBODY]
        found = [(name, left.get(name, [])) for name in names if name in left or name == EVERYBODY]
        return [(name, texts.count(""), len(texts)) for name, texts in found]

    def revision(self, seat: Seat, about: str) -> str:
        """Return what changes when what is decided about something changes, or what it is decided on."""
        own = [decision for decision in seat.own if subject(decision) == about]
        return f"{seat.before.fingerprint[:8]}-{revision(own) if own else ''}"

    def mistakes(self) -> dict[str, list[Seat]]:
        """Return who made each mistake that was named."""
        with self._lock:
            seats = list(self._seats.values())
        return grouped((mistake, seat) for seat in seats for mistake in seat.before.mistakes)

    def bank(self) -> list[tuple[Mark, int]]:
        """Return the comments that were used, the most used first, with how many have each."""
        used = grouped((same(mark), mark) for mark in self.marks.all() if mark.is_comment)
        return sorted(((marks[-1], len(marks)) for marks in used.values()), key=lambda pair: -pair[1])

    def whole(self, seat: Seat) -> Record:
        """Return all of a student's record, with the decisions, and without the name if names are hidden."""
        known, record = self._last_read
        if known != (seat.key, seat.before.fingerprint):
            record = records.load(self.out, seat.key)
            record = record.without_faulty_tests(self.kept.faulty_tests) if record else None
            self._last_read = (seat.key, seat.before.fingerprint), record
        found = decided(record or seat.before, seat.own, self.kept.rubric, self.kept.late.get(seat.key))
        if not self.anonymous:
            return found
        grade, why = found.grade, self.hidden(seat.key, found.why)
        grade = replace(self._mask(seat.key).grade(grade), submission=seat.name) if grade else None
        empty: dict[str, Any] = {"ids": {}, "notes": (), "attempts": ()}
        return replace(found, student=seat.name, submission=seat.name, grade=grade, why=why, **empty)

    def end(self) -> None:
        """Write what is still to be written, also of a class that was graded again meanwhile."""
        self._refresh()
        self.scribe.end()

    def change(self, without: Iterable[str], new: Sequence[Mark]) -> None:
        """Write a change of marks to the disk, and let everything follow."""
        self.marks.change(set(without), new)
        self._refresh()


def subject(decision: Adjustment) -> str:
    """Return what a decision is about: a criterion, the total, a line, a request, or all of it."""
    if isinstance(decision, Mark):
        if decision.request:
            return f"request {hashlib.sha256(decision.request.encode()).hexdigest()[:12]}"
        if decision.seen:
            return "seen"
        if decision.criterion is None and not (decision.gives_points or decision.late):
            return f"line {decision.file}:{decision.line}" if decision.line else "comment"
    return decision.about


def same(mark: Mark) -> object:
    """Return what makes two comments one and the same of the bank."""
    return mark.comment, mark.criterion, mark.delta


def answer_to(request: RegradeRequest, own: Iterable[Adjustment]) -> Mark | None:
    """Return the answer to a request, if there is one."""
    marks = (mark for mark in own if isinstance(mark, Mark) and mark.request == request.text)
    return next((mark for mark in marks if mark.comment), None)


def context(desk: Desk, seat: Seat) -> dict[str, Any]:
    """Return what the template of a student takes."""
    record = desk.whole(seat)
    grade, marks = record.grade, [mark for mark in seat.own if isinstance(mark, Mark)]
    comments = [mark for mark in marks if mark.is_comment]
    judged = decided(seat.before, (), desk.kept.rubric, desk.kept.late.get(seat.key)).total
    source, made = desk.source(seat), desk.mistakes()
    files = [("", source.name, highlighted(source.text, source.name))] if source else []
    files += [(name, name, highlighted(text)) for name, text in (source.helpers if source else ())]
    return {
        "seat": seat,
        "record": record,
        "grade": grade,
        "rubric": desk.kept.rubric,
        "judged": judged,
        "rows": list(_rows(desk, seat, judged)),
        "revisions": {subject(decision): desk.revision(seat, subject(decision)) for decision in seat.own},
        "plain_revision": desk.revision(seat, ""),
        "adjustments": [decision for decision in seat.own if not isinstance(decision, Mark)],
        "revision": revision,
        "comments": [mark for mark in comments if not mark.line],
        "on_lines": grouped(((mark.file, mark.line), mark) for mark in comments if mark.line),
        "requests": [_asked(desk, seat, request, grade) for request in seat.requests],
        "late": next((deduction for deduction in grade.deductions if deduction.late), None)
        if grade
        else None,
        "excused": next((decision for decision in seat.own if decision.late), None),
        "seen": next((mark for mark in marks if mark.seen), None),
        "alike_urgency": Urgency.ALIKE,
        "alike": [
            (desk.numbers[pair.keys[1]], desk.name(pair.keys[1]), pair.shares, rarity(pair))
            for pair in desk.alike(seat.key)
        ],
        "files": files,
        "mistakes": [(name, len(made[name])) for name in seat.before.mistakes],
    }


def _rows(desk: Desk, seat: Seat, judged: float | None) -> Iterator[dict[str, Any]]:
    """Yield the criteria and the total: what the grader gave, what a person gave, and why."""
    marks = [mark for mark in seat.own if isinstance(mark, Mark) and mark.points is not None]
    given, rubric = {mark.criterion: mark for mark in marks}, desk.kept.rubric
    for criterion in sorted(rubric.all_criteria(), key=lambda criterion: not criterion.by_hand):
        name, after = criterion.id, seat.after.criteria.get(criterion.id)
        yield {
            "criterion": replace(criterion, description=own_text(criterion.description)),
            "judged": seat.before.judged(name),
            "now": seat.after.judged(name),
            "given": given.get(name),
            "revision": desk.revision(seat, name),
            "bonus": rubric.is_bonus(name),
            "waits": name in seat.after.to_judge or bool(after and after.undecided),
        }
    about = _("All of it, in the place of what the criteria give")
    yield {
        "criterion": Criterion(id="total", description=about, points=rubric.points),
        "judged": judged,
        "now": seat.after.total,
        "given": given.get(None),
        "revision": desk.revision(seat, "total"),
        "bonus": False,
        "waits": False,
    }


def _asked(desk: Desk, seat: Seat, request: RegradeRequest, grade: Grade | None) -> dict[str, Any]:
    """Return a request, the cases that it is about, and the answer."""
    known = subject(Mark(student=seat.key, id="0" * 8, at="", by="", request=request.text))
    return {
        "text": desk.hidden(seat.key, request.text),
        "cases": about(request, grade)[:3] if grade else [],
        "answer": answer_to(request, seat.own),
        "revision": desk.revision(seat, known),
    }
