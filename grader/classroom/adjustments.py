"""What changes a grade beside its cases: decisions of a person, and late work.

Decisions lie in files that no grading overwrites. `adjustments.yaml` is written by hand, `marks.yaml` by the
page for marking: an adjustment with its time, and with what else a page can say.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from grader.classroom import gradebooks
from grader.classroom.entries import Entry, date_in, grouped
from grader.classroom.records import LateWork, Record
from grader.classroom.sheet import Sheet, matched
from grader.core.course.rubric import Late, Rubric, seconds_in
from grader.core.errors import UserError, meant
from grader.core.grade import Comment, Count, CriterionScore, Deduction, Grade, RequestAnswer, Tally
from grader.core.messages import _, alternatives, figure, in_language
from grader.core.scores import make_grade, to_decide
from grader.core.values import Written, printable, said
from grader.course import strict_yaml
from grader.course.strict_yaml import validated
from grader.report.wording import place_of

ADJUSTMENTS: Final = "adjustments.yaml"
MARKS: Final = "marks.yaml"
FILES: Final = (ADJUSTMENTS, MARKS)
_MOST_MARKS: Final = 50_000_000
"""Bytes of decisions that are read: a large class with much to say has some megabytes."""


class Adjustment(Written):
    """One decision: points of a criterion or of the total, a change to them, or that late work is excused."""

    student: str = said("The student, as in the gradebook, or as grades/ names the file.", min_length=1)
    criterion: str | None = said("The criterion of the rubric; without it the total is meant.", default=None)
    points: float | None = said("What it earns instead.", default=None, ge=0)
    delta: float | None = said("What is added to its score, or taken off.", default=None)
    late: Literal["excused"] | None = said(
        "Nothing is taken off for having been handed in late.", default=None
    )
    comment: str = said("The reason, which the student reads.", min_length=1)
    by: str = said("The person who decided.", min_length=1)

    def __post_init__(self) -> None:
        if self._given != 1:
            raise ValueError(
                _("give either 'points' (what it earns instead), 'delta' (what is added) or 'late: excused'")
            )

    @property
    def _given(self) -> int:
        """How many of the three things that may be decided are."""
        return sum(value is not None for value in (self.points, self.delta, self.late))

    @property
    def gives_points(self) -> bool:
        """Whether it says points, or a change to them."""
        return self.points is not None or self.delta is not None

    def applied_to(self, points: float) -> float:
        """Return what points become by it."""
        return max(0.0, self.points if self.points is not None else points + (self.delta or 0.0))

    @property
    def about(self) -> str:
        """What is decided, in a word: a criterion, the total, or late work."""
        return "late" if self.late else self.criterion or "total"

    @property
    def place(self) -> str:
        """Where in the source it is, if it is about a line."""
        return ""

    def text(
        self, after: float = 0.0, points: float = 0.0, before: float | None = None, level: str = ""
    ) -> str:
        """Return the decision in a line for the student; `before` is what the grader gave, if it did."""
        comment = " ".join(self.comment.split())
        reason = comment.rstrip(".") if comment not in ("", level) else ""
        if self.late and reason:
            return _("Late work is excused (decided by {by}): {reason}", by=self.by, reason=reason)
        if self.late:
            return _("Late work is excused (decided by {by})", by=self.by)
        how = [level] if level else [figure(f"{self.delta:+g}")] if self.delta is not None else []
        if before is not None and self.points is not None:
            how.append(_("{points:g} by the grader", points=before))
        how += [*filter(None, [self.place]), _("marked by {by}", by=self.by)]
        about = self.criterion[:1].upper() + self.criterion[1:] if self.criterion else _("Total")
        parts = {"about": about, "after": after, "points": points, "how": ", ".join(how), "reason": reason}
        if reason:
            return _("{about}: {after:g} of {points:g} ({how}): {reason}", **parts)
        return _("{about}: {after:g} of {points:g} ({how})", **parts)


class Mark(Adjustment):
    """One decision that was made on the page; it may be a comment alone, or that somebody has looked."""

    id: str = said("Its own name, by which it is changed or undone.", pattern="^[0-9a-f]{8,32}$")
    at: str = said("When it was made.")
    comment: str = said("The reason, or the answer, which the student reads.", default="")
    line: int | None = said("The line of the source that is meant.", default=None, ge=1)
    file: str = said("The module that came with the file, if the line is in one.", default="")
    request: str = said("What the student asked, if this is an answer to it.", default="")
    seen: bool = said("Somebody has looked: nothing is left to decide.", default=False)
    earlier: bool = said(
        "The file has changed since: found by comparing times, and not written.", default=False
    )

    @property
    def place(self) -> str:
        """Where in the source it is, if it is about a line."""
        place = place_of(self.file, self.line)
        return _("{place} of an earlier version", place=place) if place and self.earlier else place

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment, perhaps with points taken off or added."""
        return bool(self.comment) and self.points is None and not (self.late or self.request or self.seen)

    def __post_init__(self) -> None:
        given = self._given
        if given > 1 or not (given or self.comment or self.request or self.seen):
            raise ValueError(
                _("a mark is 'points', 'delta', 'late: excused', a comment, an answer, or 'seen'")
            )


def load(file: Path, rubric: Rubric, students: Iterable[tuple[str, str]]) -> tuple[Adjustment, ...]:
    """Return the decisions in a file; raise UserError with the line for one that cannot be meant.

    Students are given by name and key; the key distinguishes two of the same name.
    """
    kind: Any = Mark if file.name == MARKS else Adjustment
    try:
        lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    except UnicodeDecodeError:
        raise UserError(_("is not UTF-8 text: save it as UTF-8"), file=file) from None
    if not any(line.strip() and line.lstrip()[0] != "#" for line in lines):
        return ()  # a file that waits for decisions is no mistake
    document = strict_yaml.load(file, most=_MOST_MARKS)
    found: tuple[Adjustment, ...] = validated(document, tuple[kind, ...])
    by_key = kind is Mark  # the page has written the keys themselves
    keys = grouped((called, key) for name, key in students for called in ((key,) if by_key else (name, key)))
    for number, decision in enumerate(found):
        if wrong := _mistake_in(decision, rubric, keys):
            raise document.error(wrong[1], (number, wrong[0]))
    return found


def _mistake_in(decision: Adjustment, rubric: Rubric, keys: dict[str, list[str]]) -> tuple[str, str] | None:
    """Return what of a decision cannot be meant, and why; None if all can."""
    name = decision.student
    if decision.criterion is not None:
        criterion = rubric.criterion(decision.criterion)
        if criterion is None:
            return "criterion", rubric.unknown(decision.criterion)
        if decision.points is not None and decision.points > criterion.points:
            about = {"criterion": criterion.id, "points": criterion.points}
            return "points", _("{criterion} is worth {points:g} points", **about)
    fitting = sorted(set(keys.get(name, ())))
    if len(fitting) > 1:
        return "student", several(name, fitting)
    if not fitting:
        return "student", _("there is no student '{name}'", name=name) + meant(name, keys)
    return None


def several(name: str, keys: Sequence[str]) -> str:
    """Return the message for a name that more than one student has."""
    return _("several students are called {name}: say {keys}", name=name, keys=alternatives(keys))


def load_all(out: Path, rubric: Rubric, students: Iterable[tuple[str, str]]) -> tuple[Adjustment, ...]:
    """Return all decisions about a class: those written by hand, then those of the page."""
    known = list(students)
    return (*load(out / ADJUSTMENTS, rubric, known), *load(out / MARKS, rubric, known))


def stamp(out: Path) -> object:
    """Return what changes whenever a file of decisions does."""
    return tuple(stamp_of(out / name) for name in FILES)


def stamp_of(file: Path) -> object:
    """Return what changes whenever a file does; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def mine(record: Record, decisions: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """Return the decisions about one student: of a page's, points come before what changes them."""
    by_hand, marks = list[Adjustment](), list[Mark]()
    for decision in decisions:
        if isinstance(decision, Mark):
            marks += [decision] if decision.student == record.key else []
        elif decision.student in (record.key, record.student):
            by_hand.append(decision)
    return (*by_hand, *sorted(marks, key=lambda mark: mark.points is None))


def decided(
    record: Record, decisions: Sequence[Adjustment], rubric: Rubric, late: LateWork | None = None
) -> Record:
    """Return a student's record with all decisions about it, which alone may make a grade."""
    with in_language(record.language):
        return _decided(record, decisions, rubric, late)


def _decided(
    record: Record, decisions: Sequence[Adjustment], rubric: Rubric, late: LateWork | None
) -> Record:
    own = mine(record, decisions)
    marks = [replace(mark, earlier=mark.at < record.changed_at) for mark in own if isinstance(mark, Mark)]
    own = (*(decision for decision in own if not isinstance(decision, Mark)), *marks)
    if own:
        seen = any(mark.seen and not mark.earlier for mark in marks)
        outdated = not seen and any(mark.earlier and not mark.late for mark in marks)
        by_hand = {criterion.id for criterion in rubric.all_criteria() if criterion.by_hand}
        # points of a criterion that a person judges, of everybody, say nothing about the rest
        seen = seen or any(decision.gives_points and decision.criterion not in by_hand for decision in own)
        record = replace(record, seen=seen, outdated=outdated)
    if late and rubric.late and rubric.late.is_in_time(late.by):
        record, late = replace(record, late=False), None
    excused = [decision for decision in own if decision.late]
    if late and rubric.late:
        record = replace(record, late=not excused)
    answers = tuple(
        RequestAnswer(request=mark.request, answer=mark.comment, by=mark.by)
        for mark in marks
        if mark.request and mark.comment
    )
    said = [mark for mark in marks if mark.comment and not mark.request]
    comments = tuple(_comment(mark) for mark in said if mark.line or not (mark.gives_points or mark.late))
    if record.grade is None and not any(decision.gives_points for decision in own):
        return replace(record, comments=comments, answers=answers) if own else record
    grade = record.grade or make_grade(
        replace(rubric, language=record.language), record.submission, (), seconds=0.0, submission_seconds=0.0
    )
    of_criteria = [decision for decision in own if decision.criterion and decision.gives_points]
    totals = [decision for decision in own if decision.criterion is None and decision.gives_points]
    grade, sentences = _with_criteria(grade, of_criteria, rubric)
    if any(decision.points is not None for decision in totals):
        sentences = [
            _("{decision} (the total stays as it was given)", decision=sentence) for sentence in sentences
        ]
    sentences += [decision.text() for decision in excused]
    if late and rubric.late and not excused:
        grade = _without_late(grade, *rubric.late.taken_off(late.by, grade.total, rubric.points))
    total = grade.total
    for decision in totals:
        total = decision.applied_to(total)
        sentences.append(decision.text(total, rubric.points, record.total))
        if decision.points is not None:  # no criterion waits for anybody
            criteria = tuple(map(_settled, grade.criteria))
            tally = _without_unjudged(grade.tally, grade.tally)
            grade = replace(grade, criteria=criteria, tally=tally, marked_by=decision.by, for_a_person=())
    total = round(total, 2)
    scaled = round(total * rubric.scale_to / rubric.points, 2) if rubric.scale_to else None
    changed = replace(
        grade, total=total, scaled=scaled, decisions=tuple(sentences), comments=comments, answers=answers
    )
    return replace(record, grade=changed)


def _with_criteria(grade: Grade, own: Sequence[Adjustment], rubric: Rubric) -> tuple[Grade, list[str]]:
    """Return a grade with what a person gave for criteria, and a sentence on each.

    Of a criterion that is all by hand, what is taken off is off the whole.
    """
    criteria = {criterion.id: criterion for criterion in grade.criteria}
    score, bonus, tally, sentences = grade.score, grade.bonus, grade.tally, []
    for decision in own:
        before = criteria[decision.criterion or ""]
        judged = before.points if before.by_hand and (decision.delta or 0.0) < 0 else before.score
        after = min(before.points, decision.applied_to(judged))
        criteria[before.id] = replace(
            _settled(before), score=after, by_hand=False, given_back=0.0, marked_by=decision.by
        )
        tally = _without_unjudged(tally, before.tally)
        by_grader = not (before.by_hand or before.unjudged or before.marked_by)
        criterion = rubric.criterion(before.id) if decision.points is not None else None
        level = criterion.level_at(after) if criterion else ""
        sentences.append(decision.text(after, before.points, before.score if by_grader else None, level))
        if before.bonus:
            bonus += after - before.score
        else:
            score += after - before.score
    score, bonus = round(max(0.0, score), 2), round(max(0.0, bonus), 2)
    left = tuple(to_decide(criterion) for criterion in criteria.values() if criterion.undecided)
    grade = replace(grade, criteria=tuple(criteria.values()), tally=tally, for_a_person=left)
    return replace(grade, score=score, bonus=bonus, total=round(score + bonus, 2)), sentences


def _settled(criterion: CriterionScore) -> CriterionScore:
    """Return a criterion about which the grader has no doubt any more, for a person has decided."""
    tally = _without_unjudged(criterion.tally, criterion.tally)
    return replace(criterion, undecided=False, tally=tally)


def _without_unjudged(tally: Tally, decided: Tally) -> Tally:
    """Return a tally without those cases of another one that were not judged."""

    def less(count: Count, left: int) -> Count:
        return replace(count, cases=count.cases - left, not_judged=count.not_judged - left)

    public, hidden = decided.public.not_judged, decided.hidden.not_judged
    return Tally(public=less(tally.public, public), hidden=less(tally.hidden, hidden))


def _without_late(grade: Grade, taken: float, reason: str) -> Grade:
    """Return a grade without what being late costs, if it costs anything: of the score, then of the bonus."""
    of_score = min(taken, grade.score)
    score, bonus = round(grade.score - of_score, 2), round(grade.bonus - (taken - of_score), 2)
    total = round(grade.total - taken, 2)
    late = Deduction(points=taken, reason=reason, late=True)
    return replace(grade, score=score, bonus=bonus, total=total, deductions=(*grade.deductions, late))


def _comment(mark: Mark) -> Comment:
    about: Any = {"by": mark.by, "points": mark.delta, "criterion": mark.criterion}
    if mark.earlier and mark.line:  # which is another line now
        return Comment(text=f"{mark.place[:1].upper()}{mark.place[1:]}: {mark.comment}", **about)
    return Comment(text=mark.comment, line=mark.line, file=mark.file, **about)


_LATE_BY: Final = re.compile(r"(\d[\w ,:.]{0,60}?)\s{1,9}late\b")


def late_work(
    rule: Late | None,
    entries: Sequence[Entry],
    sheet: Sheet | None,
    before: Mapping[str, LateWork] | None = None,
) -> tuple[dict[str, LateWork], list[str]]:
    """Return the students who were late, by their keys, and what a person should know about that.

    `before` is what an earlier run found: it holds for students of whom nothing is known now.
    """
    if rule is None:
        return {}, []
    in_sheet = _of_worksheet(sheet, entries) if sheet else {}
    found, known, dated = dict[str, LateWork](), False, False
    for entry in entries:
        is_said = entry.late or entry.late_by or entry.date or in_sheet.get(entry.key)
        if before and entry.key in before and not is_said:
            found[entry.key], known = before[entry.key], True
            continue
        is_late, late_by, date = in_sheet.get(entry.key, (False, None, ""))
        is_late, date = is_late or entry.late, entry.date or date
        late_by = entry.late_by if entry.late_by is not None else late_by
        known = known or bool(is_late or late_by is not None or (date and rule.due))
        dated = dated or bool(date and not rule.due and late_by is None)
        if late_by is None:
            late_by = rule.seconds_after(date)
        if is_late if late_by is None else late_by > 0:
            found[entry.key] = LateWork(by=late_by)
    if not known and dated:
        return found, [
            _("Nothing was taken off for late work: the rubric does not say when it was due (late: due).")
        ]
    if not known:
        return found, [_("Nothing was taken off for late work: no date is known.")]
    late = (entry for entry in entries if entry.key in found)
    names = "; ".join(printable(entry.student) for entry in late if found[entry.key].by is None)
    if not names:
        return found, []
    about = {"amount": rule.per_day, "names": names}
    if isinstance(rule.per_day, str):
        note = _("Late, but nobody knows by how much, so one day's {amount} was taken off: {names}.", **about)
    else:
        note = _("Late, but nobody knows by how much, so {amount:g} points was taken off: {names}.", **about)
    return found, [note]


def _of_worksheet(sheet: Sheet, entries: Sequence[Entry]) -> dict[str, tuple[bool, float | None, str]]:
    """Return what Moodle's worksheet says of everybody in it."""
    found, columns, rows = {}, gradebooks.columns_of(sheet), sheet.rows[1:]
    for position, entry in matched(entries, rows, gradebooks.ways(columns)).of_row.items():
        row = rows[position]
        status = row[columns.status] if columns.status is not None else ""
        late = _LATE_BY.search(status)
        date = date_in(row[columns.submitted]) if columns.submitted is not None else ""
        is_late = re.search(r"\blate\b", status) is not None
        found[entry.key] = is_late, seconds_in(late[1]) if late else None, date
    return found
