"""The summary of a class, and of what changed between two folders of its grades."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from grader.classroom import adjustments, gradebooks, records, sheet, similarity
from grader.classroom.adjustments import decided
from grader.classroom.entries import grouped
from grader.classroom.records import Alike, ClassResult, ClassState, Record
from grader.classroom.sheet import turned
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError, nearest
from grader.core.grade import Mistake, Verdict
from grader.core.messages import _, active, listing, ngettext, own_text
from grader.core.values import without_accents
from grader.report.pages import figures_of, spread
from grader.report.terminal_report import grid
from grader.report.wording import Quoted, named, number, outcome

NOTES: Final = "gradebooks.txt"
"""The file of notes; it is there only if there is something to know."""

_BAR = 40
_NAMED = 5
_FILES = (
    "index.html", "gradebook.csv", "canvas.csv", "moodle.csv",
    "reports/", "feedback/", "feedback.zip", "grades/",
)  # fmt: skip
_PAGES = ("index.html", "reports/")


def render(result: ClassResult) -> RenderableType:
    """Return the summary of a class."""
    parts: list[RenderableType] = [_head(result)]
    for warning in warnings(result.kept, result.records):
        parts += ["", Text(warning, style="bold yellow")]
    if result.totals():
        parts += ["", Text(_("Totals"), style="bold"), _spread(result), "", _criteria(result)]
    if mistakes := mistakes_of(result.records):
        parts += ["", Text(_("Mistakes"), style="bold"), _mistakes(mistakes)]
    if failed := most_failed(result.records):
        counts = grid((f"  {case}", str(count)) for case, count in failed)
        parts += ["", Text(_("Failed most often"), style="bold"), counts]
    odd = [f"  {one.student}: {one.to_look_at}" for one in result.records if one.to_look_at]
    if odd:
        parts += ["", Text(_("To look at"), style="bold"), *map(Text, odd)]
    waiting = sum(bool(one.to_judge) for one in result.records)
    if waiting:
        who = ngettext(
            "{count} waits for a person to judge them: run the grader with 'mark {folder}'",
            "{count} wait for a person to judge them: run the grader with 'mark {folder}'",
            waiting,
            folder=result.out,
        )
        parts += ["", Text(who)]
    if result.notes:
        parts += ["", Text(_("Gradebooks (also in {file})", file=NOTES), style="bold")]
        parts += [Padding(Text(note), (0, 0, 0, 2)) for note in result.notes]
    if result.kept.alike:
        parts += ["", *_alike(result, result.kept.alike)]
    written = ", ".join(name for name in _FILES if result.kept.html or name not in _PAGES)
    parts += ["", Text(_("Everything is in {folder}/: {files}.", folder=result.out, files=written))]
    hidden = (
        _("feedback/ is for students; reports/ and grades/ have hidden cases, too.")
        if result.kept.html
        else _("feedback/ is for students; grades/ has hidden cases, too.")
    )
    parts += [Text(hidden)]
    return Group(*parts)


def warnings(kept: ClassState, found: Iterable[Record]) -> list[str]:
    """Return sentences on faulty tests, and on submissions that a busy machine cut off."""
    sentences = [test.sentence for test in kept.faulty_tests]
    count = sum(one.is_cut_off for one in found)
    if count:
        sentences.append(_cut_off(count, is_program=kept.rubric.kind == "program"))
    return sentences


def _cut_off(count: int, *, is_program: bool) -> str:
    if is_program:
        return ngettext(
            "{count} program waited for a processor most of the time, and games are missing. Run the same "
            "command again: it goes on with the games that were not seen. --patient gives ten times the "
            "time.",
            "{count} programs waited for a processor most of the time, and games are missing. Run the same "
            "command again: it goes on with the games that were not seen. --patient gives ten times the "
            "time.",
            count,
        )
    return ngettext(
        "This machine was too busy to ask everything of {count} submission. Run the same command again.",
        "This machine was too busy to ask everything of {count} submissions. Run the same command again.",
        count,
    )


def _head(result: ClassResult) -> Text:
    late = sum(one.late for one in result.records)
    adjusted = sum(one.adjusted for one in result.records)
    rubric, totals = result.kept.rubric, result.totals()
    parts = [_("{graded} of {total} graded", graded=len(totals), total=len(result.records))]
    if figures := figures_of(totals):
        parts.append(
            _(
                "median {median}, mean {mean} of {points}",
                median=number(figures.median),
                mean=number(figures.mean),
                points=number(rubric.points),
            )
        )
    unrun = sum(bool(one.unrun) for one in result.records)
    if unrun:
        parts.append(ngettext("{count} of them did not run", "{count} of them did not run", unrun))
    if late:
        parts.append(ngettext("{count} late", "{count} late", late))
    if adjusted:
        parts.append(ngettext("{count} adjusted by a person", "{count} adjusted by a person", adjusted))
    return Text.assemble((own_text(rubric.title), "bold"), f"\n\n  {', '.join(parts)}")


def _spread(result: ClassResult) -> Table:
    """Return a histogram of the totals."""
    bins = spread(result.totals(), result.kept.rubric.points)
    most = max(count for _low, count in bins)
    lows = [low for low, _count in bins]
    ranges = [_("{low} to {high}", low=number(low), high=number(high)) for low, high in pairwise(lows)] + [
        _("{low} and more", low=number(lows[-1]))
    ]
    return grid(
        (f"  {label}", Text("█" * round(_BAR * count / most), style="blue"), str(count))
        for (_low, count), label in zip(bins, ranges, strict=True)
    )


def _criteria(result: ClassResult) -> Table:
    columns = _("criterion"), Column(_("full marks"), justify="right"), Column(_("mean"), justify="right")
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for criterion in result.kept.rubric.all_criteria():
        found = (one.judged(criterion.id) for one in result.records if one.total is not None)
        earned = [score for score in found if score is not None]
        if earned:
            full = sum(score >= criterion.points for score in earned) / len(earned)
            mean = sum(earned) / len(earned)
            of_points = _("{score} of {points}", score=number(mean), points=number(criterion.points))
            table.add_row(criterion.id, _("{share:.0%}", share=full), of_points)
    return table


def _mistakes(mistakes: Sequence[tuple[Quoted, list[str]]]) -> Table:
    """Return how many students made each mistake, and their names."""
    rows = []
    for mistake, students in mistakes:
        rows.append((f"{len(students):>5}", Text(mistake.text), Text(named(students, _NAMED), style="dim")))
    return grid(rows)


def _alike(result: ClassResult, found: Alike) -> list[RenderableType]:
    """Return the pairs, and what they mean: likeness is a reason to look, and proves nothing."""
    names = {one.key: one.student for one in result.records}
    rows: list[list[RenderableType]] = []
    for pair in found.pairs:
        first, second = (names[key] for key in pair.keys)
        shares = (_("{share:.0%}", share=share) for share in pair.shares)
        rows.append([Text(f"  {first}"), Text(second), *shares, similarity.rarity(pair)])
    explained = [Padding(Text(one), (0, 0, 0, 2)) for one in similarity.words(found, result.kept.rubric)]
    return [Text(similarity.title(found), style="bold"), *([grid(rows)] if rows else ()), *explained]


def mistakes_by_student(found: Iterable[Record]) -> dict[str, list[Quoted]]:
    """Return the mistakes that were named, by the keys of the students.

    A mistake is in the active language if somebody made it who reads that, else in the student's.
    """
    here, graded = active().code, [(one, one.grade.mistakes) for one in found if one.grade]
    known: dict[str, set[str]] = {}
    for one, made in graded:
        for mistake, text in zip(made, one.mistakes, strict=True):
            if one.language == here:
                known.setdefault(mistake.name, set()).add(text)

    def quoted(one: Record, mistake: Mistake, text: str) -> Quoted:
        same = known.get(mistake.name, ())
        is_told_here = one.language != here and len(same) == 1
        return Quoted(next(iter(same)), here) if is_told_here else Quoted(text, one.language)

    return {
        one.key: [quoted(one, mistake, text) for mistake, text in zip(made, one.mistakes, strict=True)]
        for one, made in graded
    }


def mistakes_of(found: Iterable[Record]) -> list[tuple[Quoted, list[str]]]:
    """Return the mistakes that were named, the most frequent first, with the students who made them."""
    records = list(found)
    by_student = mistakes_by_student(records)
    made = grouped((mistake, one.student) for one in records for mistake in by_student.get(one.key, ()))
    return sorted(made.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def most_failed(found: Iterable[Record], most: int = 10) -> list[tuple[str, int]]:
    """Return the cases that most submissions fail, with how many do; files that do not run are left out."""
    return Counter(case for one in found if not one.unrun for case in one.failed).most_common(most)


One = TypeVar("One")

_NO_REASON: Final = ("title", "about", "extends", "left_out", "criteria", "bonus")
"""Keys of a rubric that change no grade, or of which more is said."""


@dataclass(frozen=True)
class Change:
    """One student whose grade is another one now, and why; a total of None stands for no grade."""

    student: str
    before: float | None
    after: float | None
    cases: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Reasons beside the cases: what a person decided, and late work."""


@dataclass(frozen=True)
class Changes:
    """Everybody who changed, and sentences about both folders."""

    students: tuple[Change, ...]
    notes: tuple[str, ...] = ()


def changes(old: Path, new: Path) -> Changes:
    """Return everybody whose number that goes back or whose cases changed, largest change first."""
    then, now = records.load_if_graded(old), records.load_if_graded(new)
    before, after = _finals(old, then), _finals(new, now)
    found = []
    for key, known in sorted((before | after).items()):
        one, other = before.get(key), after.get(key)
        totals, cases = _totals(one, other), tuple(_changed_cases(_verdicts(one), _verdicts(other)))
        if (one and gradebooks.final(one)) != (other and gradebooks.final(other)) or cases:
            reasons = tuple(_reasons(one, other, old, new))
            found.append(Change(known.student, *totals, cases, reasons))
    found.sort(key=lambda change: -abs((change.after or 0) - (change.before or 0)))
    lacking = [name for name in adjustments.FILES if (old / name).is_file() and not (new / name).is_file()]
    notes = _about_rubrics(then.rubric, now.rubric) if then and now else []
    if lacking and any(one.adjusted for one in before.values()):
        notes.append(
            _(
                "A person's decisions belong to their folder: {old}/ has {files}, and {new}/ has not. "
                "To take them along, copy that there and grade again.",
                old=old,
                new=new,
                files=listing(lacking),
            )
        )
    return Changes(tuple(found), tuple(notes))


def _reasons(before: Record | None, after: Record | None, old: Path, new: Path) -> Iterator[str]:
    """Yield why a grade is another one, beside its cases."""
    if not before or not after:
        yield _("not in {folder}/", folder=old if after else new)
        return
    if before.adjusted != after.adjusted:
        here, there = (old, new) if before.adjusted else (new, old)
        yield _("decided by a person in {here}/, not in {there}/", here=here, there=there)
    else:
        for name, then, now in _both(before.criteria, after.criteria):
            if then and now and then.score != now.score and (then.marked_by or now.marked_by):
                yield _(
                    "{criterion}, by a person: {before} becomes {after}",
                    criterion=name,
                    before=number(then.score),
                    after=number(now.score),
                )
    costs = [number(one.taken_off or 0) for one in (before, after)]
    if costs[0] != costs[1]:
        yield _("taken off for late work: {before} becomes {after}", before=costs[0], after=costs[1])


def _about_rubrics(then: Rubric, now: Rubric) -> list[str]:
    """Return what changed in the rubric, in sentences."""
    points = ({one.id: one.points for one in rubric.all_criteria()} for rubric in (then, now))
    weights = [
        _("{criterion} {before} to {after}", criterion=name, before=_points(a), after=_points(b))
        for name, a, b in _both(*points)
        if a != b
    ]
    others = [
        key.name
        for key in fields(Rubric)
        if key.name not in _NO_REASON and getattr(then, key.name) != getattr(now, key.name)
    ]
    return [
        *([_("Weights changed: {criteria}.", criteria=", ".join(weights))] if weights else ()),
        *([_("Also changed in the rubric: {keys}.", keys=", ".join(others))] if others else ()),
    ]


def _points(points: float | None) -> str:
    return _("nothing") if points is None else number(points)


@dataclass(frozen=True)
class ChangedCase:
    """A case that became another one: what came of it then and now, each with its reason."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Whole:
    """All that changed about one student: totals and criteria with all decisions, and single cases."""

    student: str
    totals: tuple[float | None, float | None]
    criteria: tuple[tuple[str, float | None, float | None], ...]
    cases: tuple[ChangedCase, ...]
    decisions: tuple[tuple[str, ...], tuple[str, ...]]


def of_student(old: Path, new: Path, student: str) -> Whole:
    """Return what changed about one student, called by name or as grades/ names the file."""
    folders = finals(old), finals(new)
    before, after = (record_called(student, everybody) for everybody in folders)
    known = after or before
    if known is None:
        raise unknown(student, *folders)
    reasons = _both(_verdicts(before), _verdicts(after))
    cases = (ChangedCase(name, _reason(then), _reason(now)) for name, then, now in reasons)
    return Whole(
        known.student,
        _totals(before, after),
        tuple(one for one in _both(_scores(before), _scores(after)) if one[1] != one[2]),
        tuple(one for one in cases if _timeless(one.before) != _timeless(one.after)),
        (_decisions(before), _decisions(after)),
    )


def _totals(before: Record | None, after: Record | None) -> tuple[float | None, float | None]:
    return before.total if before else None, after.total if after else None


def _both(old: Mapping[str, One], new: Mapping[str, One]) -> list[tuple[str, One | None, One | None]]:
    """Return what either side has by name, with what both have under it."""
    return [(name, old.get(name), new.get(name)) for name in dict.fromkeys([*old, *new])]


def finals(out: Path) -> dict[str, Record]:
    """Return the records of a class by their keys, with decisions and lateness where its folder has them."""
    return _finals(out, records.load_if_graded(out))


def _finals(out: Path, kept: records.ClassState | None) -> dict[str, Record]:
    everybody = {record.key: record for record in records.load_all(out)}
    if kept is None:
        return everybody
    decisions = adjustments.load_all(out, kept.rubric, [(one.student, key) for key, one in everybody.items()])
    return {
        key: decided(
            record.without_faulty_tests(kept.faulty_tests), decisions, kept.rubric, kept.late.get(key)
        )
        for key, record in everybody.items()
    }


def record_called(student: str, everybody: Mapping[str, Record]) -> Record | None:
    """Return the record of a student, called by name, key or first name; None if there is none.

    Capitals and accents make no difference where nobody is called exactly so.
    """
    ways: tuple[tuple[str, Callable[[Record], Iterable[str]]], ...] = (
        (student, lambda record: (record.key, record.student)),
        (_spelled(student), lambda record: map(_spelled, (record.key, *turned(record.student)))),
        (_spelled(student), lambda record: (_spelled(_first(record.student)),)),
    )
    found = ([record for record in everybody.values() if name in way(record)] for name, way in ways)
    fitting = next(filter(None, found), [])
    if len(fitting) > 1:
        raise UserError(adjustments.several(student, [record.key for record in fitting]))
    return fitting[0] if fitting else None


def unknown(student: str, *folders: Mapping[str, Record]) -> UserError:
    """Return the error for a name that nobody has."""
    names = [record.student for everybody in folders for record in everybody.values()]
    firsts = {_first(name): name for name in reversed(names)}
    near = nearest(student, names) or firsts.get(nearest(student, firsts) or "")
    if near:
        return UserError(_("there is no student '{name}'; is {near} meant?", name=student, near=near))
    return UserError(_("there is no student '{name}'", name=student))


def find(out: Path, student: str) -> Record:
    """Return a student of a class; raise UserError for a name that nobody in it has."""
    everybody = finals(out)
    record = record_called(student, everybody)
    if record:
        return record
    for name, why in (
        (
            records.MOODLE,
            _("{name} is in Moodle's worksheet and handed in nothing: there is no grade to show"),
        ),
        (
            records.CANVAS,
            _("{name} is in Canvas's gradebook and handed in nothing: there is no grade to show"),
        ),
    ):
        given = records.given(out, name)
        rows = sheet.read(given).rows[1:] if given else ()
        if _spelled(student) in {_spelled(one) for row in rows for cell in row for one in turned(cell)}:
            raise UserError(why.format(name=student))
    raise unknown(student, everybody)


def _first(name: str) -> str:
    """Return a first name."""
    return next(iter(turned(name)[-1].split()), "")


def _spelled(name: str) -> str:
    """Return what is compared of a name that somebody has typed."""
    return sheet.plain(without_accents(name))


def _verdicts(record: Record | None) -> dict[str, Verdict]:
    scores = record.criteria if record else {}
    return {f"{name}/{one.id}": one for name, score in scores.items() for one in score.verdicts}


def _scores(record: Record | None) -> dict[str, float]:
    return {name: one.score for name, one in record.criteria.items()} if record else {}


def _reason(verdict: Verdict | None) -> str:
    return f"{outcome(verdict.status)}: {verdict.reason}" if verdict else _("not asked")


def _timeless(reason: str) -> str:
    """Return a reason without the seconds in it, in any language: these differ with every run."""
    return re.sub(r"(?<![0-9.,])[0-9][0-9.,]*+ (?:m?s|sec\w+|seg\w+|Sek\w+|ثان\w+|ثوان\w*|ث)\b", "", reason)


def _decisions(record: Record | None) -> tuple[str, ...]:
    if not record or not record.grade:
        return ()
    late = (one.text for one in record.grade.deductions if one.late)
    return (*record.grade.decisions, *late)


def _changed_cases(old: dict[str, Verdict], new: dict[str, Verdict]) -> list[str]:
    """Return the cases that ended otherwise, or earned another share of their weight."""
    if not old or not new:
        return []
    return [
        _("{case}: {before} becomes {after}", case=name, before=_status(then), after=_status(now))
        for name, then, now in _both(old, new)
        if not then or not now or (then.status, then.earned) != (now.status, now.earned)
    ]


def _status(verdict: Verdict | None) -> str:
    return outcome(verdict.status) if verdict else _("not asked")


def render_changes(changes: Changes) -> RenderableType:
    """Return the students who changed, and why: by which cases, decisions and lines of the rubric."""
    notes = [Text(note) for note in changes.notes]
    if not changes.students:
        return Group(_("Nobody's grade changed."), *notes)
    changed = ngettext("{count} changed", "{count} changed", len(changes.students))
    parts: list[RenderableType] = [*notes, Text(changed, style="bold")]
    for one in changes.students:
        became = f"  {_became(one.before, one.after)}"
        parts.append(Text.assemble("  ", (one.student, "bold"), became))
        parts += [Text(f"    {why}") for why in (*one.others, *one.cases)]
    return Group(*parts)


def render_student(whole: Whole) -> RenderableType:
    """Return what changed about one student: totals, criteria, cases with their reasons, and decisions."""
    parts: list[RenderableType] = [Text.assemble((whole.student, "bold"), f"  {_became(*whole.totals)}")]
    if whole.criteria:
        rows = ((f"  {name}", _became(then, now)) for name, then, now in whole.criteria)
        parts += ["", grid(rows)]
    for one in whole.cases:
        reasons = (
            Text(_("before: {reason}", reason=one.before)),
            Text(_("after: {reason}", reason=one.after)),
        )
        parts += ["", Text(f"  {one.name}", style="bold"), *(Padding(one, (0, 0, 0, 4)) for one in reasons)]
    for title, decisions in zip((_("Decided before"), _("Decided after")), whole.decisions, strict=True):
        if decisions:
            parts += ["", Text(f"  {title}", style="bold"), *(Text(f"    {one}") for one in decisions)]
    if len(parts) == 1 and whole.totals[0] == whole.totals[1]:
        parts.append(Text("  " + _("Nothing changed.")))
    return Group(*parts)


def _total(total: float | None) -> str:
    return _("no grade") if total is None else number(total)


def _became(before: float | None, after: float | None) -> str:
    return _("{before} becomes {after}", before=_total(before), after=_total(after))
