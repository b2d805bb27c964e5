"""Decisions as a page sends them: held against what is on the disk, written there, and undone again."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

from grader.classroom.adjustments import Mark
from grader.classroom.folder import source_of
from grader.core.errors import UserError
from grader.core.text import lines_of, printable, printable_lines
from grader.core.values import Value
from grader.marking.desk import Desk, Seat, same, subject
from grader.marking.marks import Changed, revision

_LONGEST: Final = 5_000
_MOST_UNDONE: Final = 1_000
_MOST_CHANGED: Final = 10_000
_LONGEST_NAME: Final = 100


class Wish(Value):
    """What somebody decides on the page.

    `kind` says how: points in the place of others, a comment beside others, late work excused, an answer to a
    request, a new request, or that nothing is left to decide.
    """

    student: int
    kind: Literal["points", "comment", "late", "answer", "request", "seen"]
    by: str
    revision: str = ""
    """Of what it is about, when it was seen."""
    criterion: str | None = None
    points: float | None = None
    delta: float | None = None
    comment: str = ""
    line: int | None = None
    file: str = ""
    request: str = ""
    asked: int | None = None
    """Which of the student's requests is answered."""
    mark: str = ""
    """The comment that is changed, or taken away."""
    remove: bool = False
    everybody: str = ""
    """A named mistake: whoever made it gets the same. With a mark: all who have that comment."""


class Undo(Value):
    """What somebody takes back, and whom the page shows."""

    operation: str
    student: int


@dataclass(frozen=True)
class Operation:
    """What was changed: it can be undone as long as nobody has changed it since."""

    id: str
    removed: tuple[Mark, ...]
    added: tuple[Mark, ...]
    left: int = 0
    """How many keep what they have, where everybody of a kind was meant."""


class Decisions:
    """Carries out what is decided at a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._done: dict[str, Operation] = {}

    def decide(self, wish: Wish) -> Operation:
        """Write a decision to the disk; raise Changed if it is about something else than was seen."""
        desk = self._desk
        with desk.marks.alone():
            seat = desk.seat(wish.student)
            if wish.kind == "answer":
                wish = replace(wish, request=_asked(wish, seat))
            self._hold(wish, seat)
            old = self._meant(wish, seat)
            new = [] if wish.remove else self._new(wish, seat, old)
            if not wish.mark and wish.revision != desk.revision(seat, _about(wish, new, old)):
                raise Changed
            left = 0
            if wish.everybody and not wish.mark:
                others = [one for one in desk.mistakes().get(wish.everybody, ()) if one.key != seat.key]
                copies = [one for other in others for one in _copied(new, other)]
                left = len(others) - len({one.student for one in copies})
                new += copies
            done = self._write(old, new, left)
            desk.marks.keep_marker(printable(wish.by.strip()))
            return done

    def undo(self, operation: str) -> Operation:
        """Take a decision back; raise Changed if somebody has decided otherwise since."""
        done = self._done.get(operation)
        if done is None:
            raise UserError("that can no longer be undone")
        with self._desk.marks.alone():
            now = {one.id: one for one in self._desk.marks.all()}
            added, back = {one.id for one in done.added}, {one.id for one in done.removed}
            if any(now.get(one.id) != one for one in done.added) or (back - added) & now.keys():
                raise Changed
            return self._write(done.added, list(done.removed))

    def _write(self, old: Sequence[Mark], new: Sequence[Mark], left: int = 0) -> Operation:
        self._desk.change([one.id for one in old], new)
        done = Operation(secrets.token_hex(8), tuple(old), tuple(new), left)
        self._done[done.id] = done
        while len(self._done) > _MOST_UNDONE:
            self._done.pop(next(iter(self._done)))
        return done

    def _hold(self, wish: Wish, seat: Seat) -> None:
        """Raise UserError for what cannot be meant."""
        rubric = self._desk.kept.rubric
        criterion = rubric.criterion(wish.criterion) if wish.criterion else None
        if wish.criterion and criterion is None:
            raise UserError(rubric.unknown(wish.criterion))
        most = criterion.points if criterion else sum(one.points for one in rubric.all_criteria())
        if wish.points is not None and not 0 <= wish.points <= most:
            raise UserError(f"{criterion.id if criterion else 'the total'} takes 0 to {most:g} points")
        if wish.delta is not None and not -_MOST_CHANGED <= wish.delta <= _MOST_CHANGED:
            raise UserError(f"a change is at most {_MOST_CHANGED:,} points")
        if not wish.by.strip():
            raise UserError("say who you are, above: the student reads who decided")
        if max(len(wish.comment), len(wish.request)) > _LONGEST:
            raise UserError(f"a text has at most {_LONGEST:,} characters")
        if len(wish.by) > _LONGEST_NAME:
            raise UserError(f"a name has at most {_LONGEST_NAME} characters")
        if wish.everybody and not wish.mark and wish.everybody not in self._desk.mistakes():
            raise UserError("nobody has made that mistake any more")
        if wish.points is None and wish.kind == "points" and not wish.remove:
            raise UserError("how many points?")
        if wish.kind in ("comment", "answer") and not wish.comment.strip() and not wish.remove:
            raise UserError("there is nothing in the comment")
        if wish.line is not None and not 1 <= wish.line <= self._lines(wish, seat):
            raise UserError(f"there is no line {wish.line}")

    def _lines(self, wish: Wish, seat: Seat) -> int:
        source = source_of(self._desk.out, seat.key)
        texts = {"": source.text, **dict(source.helpers)} if source else {}
        return len(lines_of(texts.get(wish.file, "")))

    def _meant(self, wish: Wish, seat: Seat) -> list[Mark]:
        """Return the marks in whose place the decision comes."""
        own = [one for one in seat.own if isinstance(one, Mark)]
        if wish.mark:
            found = [one for one in own if (one.id, revision(one)) == (wish.mark, wish.revision)]
            if not found:
                raise Changed
            if wish.everybody:
                return [one for one in self._desk.marks.all() if same(one) == same(found[0])]
            return found
        return [one for one in own if _replaces(wish, one)]

    def _new(self, wish: Wish, seat: Seat, old: Sequence[Mark]) -> list[Mark]:
        told: dict[str, Any] = {
            "by": printable(wish.by.strip()),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "comment": printable_lines(wish.comment.strip()),
        }
        if wish.mark:
            return [replace(one, **told, criterion=wish.criterion, delta=wish.delta) for one in old]
        if wish.kind == "points":
            told |= {"criterion": wish.criterion, "points": wish.points}
        elif wish.kind == "comment":
            told |= {"criterion": wish.criterion, "delta": wish.delta, "line": wish.line, "file": wish.file}
        elif wish.kind == "late":
            told |= {"late": "excused"}
        elif wish.kind == "seen":
            told |= {"seen": True}
        else:
            told |= {"request": printable_lines(wish.request.strip())}
        return [Mark(student=seat.key, id=secrets.token_hex(8), **told)]


def _asked(wish: Wish, seat: Seat) -> str:
    """Return the request that is answered."""
    if wish.asked is None or not 0 <= wish.asked < len(seat.requests):
        raise UserError("there is no such request")
    return seat.requests[wish.asked].text


def _about(wish: Wish, new: Sequence[Mark], old: Sequence[Mark]) -> str:
    """Return what a decision is about; one that takes something away tells it by what is there."""
    known = next(iter((*new, *old)), None)
    if known:
        return subject(known)
    return {"points": wish.criterion or "total"}.get(wish.kind, wish.kind)


def _replaces(wish: Wish, one: Mark) -> bool:
    """Return whether a decision comes in the place of a mark."""
    match wish.kind:
        case "points":
            return one.points is not None and one.criterion == wish.criterion
        case "late":
            return one.late is not None
        case "seen":
            return one.seen
        case "answer" | "request":
            return one.request == wish.request
    return False


def _copied(new: Iterable[Mark], other: Seat) -> Iterator[Mark]:
    """Yield marks for another student, without a line; what that one has already stays."""
    own = [one for one in other.own if isinstance(one, Mark)]
    for one in new:
        has = [mark for mark in own if mark.points is not None and mark.criterion == one.criterion]
        if not (has if one.points is not None else any(same(mark) == same(one) for mark in own)):
            yield replace(one, line=None, file="", student=other.key, id=secrets.token_hex(8))
