"""The desk at which a class is marked: its records, all decisions about them, and what follows from these."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock

from grader.classroom import adjustments, folder, records
from grader.classroom.adjustments import Adjustment, Mark, decided, mine, stamp_of
from grader.classroom.closing import Closing, Pages
from grader.classroom.entries import grouped
from grader.classroom.folder import AlikePair, Kept, Source
from grader.classroom.records import Record
from grader.core.errors import UserError
from grader.marking.marks import Marks, revision
from grader.marking.mask import Mask, names_of
from grader.marking.requests import REQUESTS, Request
from grader.marking.requests import load as load_requests
from grader.marking.scribe import Scribe
from grader.marking.waiting import EVERYBODY, LOOK, Student, Waiting, place, shuffle, waiting


@dataclass(frozen=True)
class Seat(Student):
    """One student at the desk: also the number that a page knows, and the name that it shows."""

    number: int
    name: str
    waiting: Waiting
    requests: tuple[Request, ...]


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
        self._class_stamp: object = None
        self._look_again()

    def _open(self, kept: Kept) -> None:
        """Read a class that was graded, or graded again."""
        self.kept = kept
        self._records = {one.key: one for one in folder.students(self.out, kept)}
        self._everybody = names_of(self._records.values())
        self._seats = {}
        if not self._records:
            raise UserError("there is nobody in it: grade the class first", file=self.out)
        self.marks = Marks(self.out, kept.rubric, self._names, self._lock)
        pages = Pages(self.out, kept.rubric, len(self._records)) if kept.html else None
        if self._class_stamp is not None:
            self.scribe.end()
        stamp = stamp_of(self.out / folder.STATE)
        self.scribe = Scribe(
            Closing(self.out, kept, pages), lambda: stamp_of(self.out / folder.STATE) == stamp
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
            stamp = stamp_of(self.out / folder.STATE)
            if stamp != self._class_stamp or not stamp:
                self._open(folder.load(self.out))
                self._class_stamp, self._stamp = stamp, None
            now = adjustments.stamp(self.out), stamp_of(self.out / REQUESTS)
            if now != self._stamp:
                self._take_seats()
                self._stamp = now
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

    def _seat(self, before: Record, own: tuple[Adjustment, ...], requests: tuple[Request, ...]) -> Seat:
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
        return f"Student {self.numbers[key]}" if self.anonymous else self._records[key].student

    def hidden(self, key: str, text: str) -> str:
        """Return what a student wrote, without the name if names are hidden."""
        return self._mask(key).text(text) if self.anonymous else text

    def source(self, seat: Seat) -> Source | None:
        """Return what a student handed in, without the name if names are hidden."""
        found = folder.source_of(self.out, seat.key)
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


def _requests(key: str, own: Iterable[Adjustment], asked: Iterable[Request]) -> tuple[Request, ...]:
    """Return what a student asks: in the file of requests, or as it was typed in on the page."""
    typed = [Request(key, one.request) for one in own if isinstance(one, Mark) and one.request]
    return tuple({one.text: one for one in (*typed, *asked)}.values())


def answer_to(request: Request, own: Iterable[Adjustment]) -> Mark | None:
    """Return the answer to a request, if there is one."""
    marks = (one for one in own if isinstance(one, Mark) and one.request == request.text)
    return next((one for one in marks if one.comment), None)
