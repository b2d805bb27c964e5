"""The summary of a class, and of what changed between two folders of its grades."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
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
from grader.core.messages import _, active, later, listing, ngettext, own_text
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
    rubric, found = result.kept.rubric, result.records
    totals = [record.total for record in found if record.total is not None]
    title, head = (own_text(rubric.title), "bold"), f"\n\n  {', '.join(_head(result, totals))}"
    parts: list[RenderableType] = [Text.assemble(title, head)]
    for warning in warnings(result.kept, found):
        parts += ["", Text(warning, style="bold yellow")]
    if totals:
        bins = spread(totals, rubric.points)
        most, lows = max(count for _low, count in bins), [number(low) for low, _count in bins]
        ranges = [_("{low} to {high}", low=low, high=high) for low, high in pairwise(lows)]
        ranges.append(_("{low} and more", low=lows[-1]))
        histogram = grid(
            (f"  {label}", Text("█" * round(_BAR * count / most), style="blue"), str(count))
            for (_low, count), label in zip(bins, ranges, strict=True)
        )
        parts += ["", Text(_("Totals"), style="bold"), histogram, "", _criteria(result)]
    if mistakes := mistakes_of(found):
        students = grid(
            (f"{len(names):>5}", Text(mistake.text), Text(named(names, _NAMED), style="dim"))
            for mistake, names in mistakes
        )
        parts += ["", Text(_("Mistakes"), style="bold"), students]
    if failed := most_failed(found):
        counts = grid((f"  {case}", str(count)) for case, count in failed)
        parts += ["", Text(_("Failed most often"), style="bold"), counts]
    if odd := [Text(f"  {record.student}: {record.to_look_at}") for record in found if record.to_look_at]:
        parts += ["", Text(_("To look at"), style="bold"), *odd]
    if waiting := sum(bool(record.to_judge) for record in found):
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
    has_pages = result.kept.html
    written = ", ".join(name for name in _FILES if has_pages or name not in _PAGES)
    parts += ["", Text(_("Everything is in {folder}/: {files}.", folder=result.out, files=written))]
    if has_pages:
        hidden = _("feedback/ is for students; reports/ and grades/ have hidden cases, too.")
    else:
        hidden = _("feedback/ is for students; grades/ has hidden cases, too.")
    return Group(*parts, Text(hidden))


def warnings(kept: ClassState, found: Iterable[Record]) -> list[str]:
    """Return sentences on faulty tests, and on submissions that a busy machine cut off."""
    sentences = [test.sentence for test in kept.faulty_tests]
    count = sum(record.is_cut_off for record in found)
    if count and kept.rubric.kind == "program":
        sentences.append(
            ngettext(
                "{count} program waited for a processor most of the time, and games are missing. Run the "
                "same command again: it goes on with the games that were not seen. --patient gives ten "
                "times the time.",
                "{count} programs waited for a processor most of the time, and games are missing. Run the "
                "same command again: it goes on with the games that were not seen. --patient gives ten "
                "times the time.",
                count,
            )
        )
    elif count:
        sentences.append(
            ngettext(
                "This machine was too busy to ask everything of {count} submission. Run the same command "
                "again.",
                "This machine was too busy to ask everything of {count} submissions. Run the same command "
                "again.",
                count,
            )
        )
    return sentences


def _head(result: ClassResult, totals: Sequence[float]) -> list[str]:
    """Return how many were graded, and with what figures."""
    found = result.records
    parts = [_("{graded} of {total} graded", graded=len(totals), total=len(found))]
    if figures := figures_of(totals):
        about = {"median": number(figures.median), "mean": number(figures.mean)}
        points = number(result.kept.rubric.points)
        parts.append(_("median {median}, mean {mean} of {points}", points=points, **about))
    if unrun := sum(bool(record.unrun) for record in found):
        parts.append(ngettext("{count} of them did not run", "{count} of them did not run", unrun))
    if late := sum(record.late for record in found):
        parts.append(ngettext("{count} late", "{count} late", late))
    if adjusted := sum(record.adjusted for record in found):
        parts.append(ngettext("{count} adjusted by a person", "{count} adjusted by a person", adjusted))
    return parts


def _criteria(result: ClassResult) -> Table:
    columns = _("criterion"), Column(_("full marks"), justify="right"), Column(_("mean"), justify="right")
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for criterion in result.kept.rubric.all_criteria():
        found = (record.judged(criterion.id) for record in result.records if record.total is not None)
        earned = [score for score in found if score is not None]
        if earned:
            full = sum(score >= criterion.points for score in earned) / len(earned)
            mean = sum(earned) / len(earned)
            of_points = _("{score} of {points}", score=number(mean), points=number(criterion.points))
            table.add_row(criterion.id, _("{share:.0%}", share=full), of_points)
    return table


def _alike(result: ClassResult, found: Alike) -> list[RenderableType]:
    """Return the pairs, and what they mean: likeness is a reason to look, and proves nothing."""
    names = {record.key: record.student for record in result.records}
    rows: list[list[RenderableType]] = []
    for pair in found.pairs:
        first, second = (names[key] for key in pair.keys)
        shares = (_("{share:.0%}", share=share) for share in pair.shares)
        rows.append([Text(f"  {first}"), Text(second), *shares, similarity.rarity(pair)])
    explained = [
        Padding(Text(sentence), (0, 0, 0, 2)) for sentence in similarity.words(found, result.kept.rubric)
    ]
    return [Text(similarity.title(found), style="bold"), *([grid(rows)] if rows else ()), *explained]


def mistakes_by_student(found: Iterable[Record]) -> dict[str, list[Quoted]]:
    """Return the mistakes that were named, by the keys of the students.

    A mistake is in the active language if somebody made it who reads that, else in the student's.
    """
    here = active().code
    made = [
        (record, list(zip(record.grade.mistakes, record.mistakes, strict=True)))
        for record in found
        if record.grade
    ]
    known = grouped(
        (mistake.name, text) for record, own in made if record.language == here for mistake, text in own
    )

    def quoted(record: Record, mistake: Mistake, text: str) -> Quoted:
        same = {*known.get(mistake.name, ())}
        is_said_here = record.language != here and len(same) == 1
        return Quoted(same.pop(), here) if is_said_here else Quoted(text, record.language)

    return {record.key: [quoted(record, *mistake) for mistake in own] for record, own in made}


def mistakes_of(found: Sequence[Record]) -> list[tuple[Quoted, list[str]]]:
    """Return the mistakes that were named, the most frequent first, with the students who made them."""
    by_student = mistakes_by_student(found)
    made = grouped(
        (mistake, record.student) for record in found for mistake in by_student.get(record.key, ())
    )
    return sorted(made.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def most_failed(found: Iterable[Record], most: int = 10) -> list[tuple[str, int]]:
    """Return the cases that most submissions fail, with how many do; files that do not run are left out."""
    return Counter(case for record in found if not record.unrun for case in record.failed).most_common(most)


Compared = TypeVar("Compared")

_NO_REASON: Final = ("title", "about", "extends", "left_out", "criteria", "bonus")
"""Keys of a rubric that change no grade, or of which more is said."""


def changes(old: Path, new: Path) -> RenderableType:
    """Return the students whose final grade or whose cases changed, and why, the largest change first."""
    then, now = records.load_if_graded(old), records.load_if_graded(new)
    before, after = _finals(old, then), _finals(new, now)
    found: list[tuple[float, list[Text]]] = []
    for key, known in sorted((before | after).items()):
        record, other = before.get(key), after.get(key)
        cases = _changed_cases(record, other)
        if (record and gradebooks.final(record)) != (other and gradebooks.final(other)) or cases:
            head = Text.assemble("  ", (known.student, "bold"), f"  {_change(_total(record), _total(other))}")
            reasons = [Text(f"    {why}") for why in (*_reasons(record, other, old, new), *cases)]
            size = abs((_total(other) or 0) - (_total(record) or 0))
            found.append((size, [head, *reasons]))
    lacking = [name for name in adjustments.FILES if (old / name).is_file() and not (new / name).is_file()]
    notes = _about_rubrics(then.rubric, now.rubric) if then and now else []
    if lacking and any(record.adjusted for record in before.values()):
        notes.append(
            _(
                "A person's decisions belong to their folder: {old}/ has {files}, and {new}/ has not. "
                "To take them along, copy that there and grade again.",
                old=old,
                new=new,
                files=listing(lacking),
            )
        )
    if not found:
        return Group(_("Nobody's grade changed."), *map(Text, notes))
    changed = ngettext("{count} changed", "{count} changed", len(found))
    found.sort(key=lambda change: -change[0])
    lines = (line for _size, lines in found for line in lines)
    return Group(*map(Text, notes), Text(changed, style="bold"), *lines)


def _reasons(before: Record | None, after: Record | None, old: Path, new: Path) -> Iterator[str]:
    """Yield why a grade is another one, beside its cases."""
    if not before or not after:
        yield _("not in {folder}/", folder=old if after else new)
        return
    if before.adjusted != after.adjusted:
        here, there = (old, new) if before.adjusted else (new, old)
        yield _("decided by a person in {here}/, not in {there}/", here=here, there=there)
    else:
        for name, then, now in _paired(before.criteria, after.criteria):
            if then and now and then.score != now.score and (then.marked_by or now.marked_by):
                both = {"before": number(then.score), "after": number(now.score)}
                yield _("{criterion}, by a person: {before} becomes {after}", criterion=name, **both)
    costs = [number(record.taken_off or 0) for record in (before, after)]
    if costs[0] != costs[1]:
        yield _("taken off for late work: {before} becomes {after}", before=costs[0], after=costs[1])


def _about_rubrics(then: Rubric, now: Rubric) -> list[str]:
    """Return what changed in the rubric, in sentences."""
    nothing = _("nothing")
    old, new = ({found.id: number(found.points) for found in rubric.all_criteria()} for rubric in (then, now))
    weights = [
        _("{criterion} {before} to {after}", criterion=name, before=a or nothing, after=b or nothing)
        for name, a, b in _paired(old, new)
        if a != b
    ]
    names = [key.name for key in fields(Rubric) if key.name not in _NO_REASON]
    others = [name for name in names if getattr(then, name) != getattr(now, name)]
    sentences = [_("Weights changed: {criteria}.", criteria=", ".join(weights))] if weights else []
    sentences += [_("Also changed in the rubric: {keys}.", keys=", ".join(others))] if others else []
    return sentences


def student_changes(old: Path, new: Path, student: str) -> RenderableType:
    """Return what changed about a student: the total, criteria, cases with their reasons, and decisions.

    The student is called by name or as grades/ names the file.
    """
    folders = finals(old), finals(new)
    before, after = (_record_called(student, everybody) for everybody in folders)
    known = after or before
    if known is None:
        raise _unknown(student, *folders)
    totals = _total(before), _total(after)
    head = Text.assemble((known.student, "bold"), f"  {_change(*totals)}")
    parts: list[RenderableType] = [head]
    scores = (
        {name: found.score for name, found in record.criteria.items()} if record else {}
        for record in (before, after)
    )
    changed = [(f"  {name}", _change(then, now)) for name, then, now in _paired(*scores) if then != now]
    if changed:
        parts += ["", grid(changed)]
    for name, *verdicts in _paired(_verdicts(before), _verdicts(after)):
        was, became = (f"{_outcome(case)}: {case.reason}" if case else _outcome(case) for case in verdicts)
        if _timeless(was) != _timeless(became):
            reasons = _("before: {reason}", reason=was), _("after: {reason}", reason=became)
            indented = (Padding(Text(reason), (0, 0, 0, 4)) for reason in reasons)
            parts += ["", Text(f"  {name}", style="bold"), *indented]
    for title, record in ((_("Decided before"), before), (_("Decided after"), after)):
        grade = record.grade if record else None
        late = [deduction.text for deduction in grade.deductions if deduction.late] if grade else []
        if grade and (grade.decisions or late):
            lines = (Text(f"    {line}") for line in (*grade.decisions, *late))
            parts += ["", Text(f"  {title}", style="bold"), *lines]
    if len(parts) == 1 and totals[0] == totals[1]:
        parts.append(Text("  " + _("Nothing changed.")))
    return Group(*parts)


def _paired(
    old: Mapping[str, Compared], new: Mapping[str, Compared]
) -> list[tuple[str, Compared | None, Compared | None]]:
    """Return what either side has by name, with what both have under it."""
    return [(name, old.get(name), new.get(name)) for name in dict.fromkeys([*old, *new])]


def _verdicts(record: Record | None) -> dict[str, Verdict]:
    scores = record.criteria if record else {}
    return {f"{name}/{verdict.id}": verdict for name, score in scores.items() for verdict in score.verdicts}


def _outcome(verdict: Verdict | None) -> str:
    return outcome(verdict.status) if verdict else _("not asked")


def _timeless(reason: str) -> str:
    """Return a reason without the seconds in it, in any language: these differ with every run."""
    return re.sub(r"(?<![0-9.,])[0-9][0-9.,]*+ (?:m?s|sec\w+|seg\w+|Sek\w+|ثان\w+|ثوان\w*|ث)\b", "", reason)


def _changed_cases(before: Record | None, after: Record | None) -> list[str]:
    """Return the cases that ended otherwise, or earned another share of their weight."""
    old, new = _verdicts(before), _verdicts(after)
    if not old or not new:
        return []
    return [
        _("{case}: {before} becomes {after}", case=name, before=_outcome(then), after=_outcome(now))
        for name, then, now in _paired(old, new)
        if not then or not now or (then.status, then.earned) != (now.status, now.earned)
    ]


def _total(record: Record | None) -> float | None:
    return record.total if record else None


def _change(before: float | None, after: float | None) -> str:
    then, now = (_("no grade") if total is None else number(total) for total in (before, after))
    return _("{before} becomes {after}", before=then, after=now)


def finals(out: Path) -> dict[str, Record]:
    """Return the records of a class by their keys, with decisions and lateness where its folder has them."""
    return _finals(out, records.load_if_graded(out))


def _finals(out: Path, kept: records.ClassState | None) -> dict[str, Record]:
    everybody = {record.key: record for record in records.load_all(out)}
    if kept is None:
        return everybody
    students = [(record.student, key) for key, record in everybody.items()]
    decisions = adjustments.load_all(out, kept.rubric, students)
    whole = {key: record.without_faulty_tests(kept.faulty_tests) for key, record in everybody.items()}
    return {key: decided(record, decisions, kept.rubric, kept.late.get(key)) for key, record in whole.items()}


def _record_called(student: str, everybody: Mapping[str, Record]) -> Record | None:
    """Return the record of a student, called by name, key or first name; None if there is none.

    Capitals and accents make no difference where nobody is called exactly so.
    """
    spelled = _compared(student)
    ways: tuple[Callable[[Record], bool], ...] = (
        lambda record: student in (record.key, record.student),
        lambda record: spelled in map(_compared, (record.key, *turned(record.student))),
        lambda record: spelled == _compared(_first_name(record.student)),
    )
    found = (list(filter(way, everybody.values())) for way in ways)
    fitting = next(filter(None, found), [])
    if len(fitting) > 1:
        raise UserError(adjustments.several(student, [record.key for record in fitting]))
    return fitting[0] if fitting else None


def _unknown(student: str, *folders: Mapping[str, Record]) -> UserError:
    """Return the error for a name that nobody has."""
    names = [record.student for everybody in folders for record in everybody.values()]
    firsts = {_first_name(name): name for name in reversed(names)}
    near = nearest(student, names) or firsts.get(nearest(student, firsts) or "")
    if near:
        return UserError(_("there is no student '{name}'; is {near} meant?", name=student, near=near))
    return UserError(_("there is no student '{name}'", name=student))


def find(out: Path, student: str) -> Record:
    """Return a student of a class; raise UserError for a name that nobody in it has."""
    everybody = finals(out)
    if record := _record_called(student, everybody):
        return record
    moodle = later("{name} is in Moodle's worksheet and handed in nothing: there is no grade to show")
    canvas = later("{name} is in Canvas's gradebook and handed in nothing: there is no grade to show")
    for name, why in ((records.MOODLE, moodle), (records.CANVAS, canvas)):
        given = records.given(out, name)
        rows = sheet.read(given).rows[1:] if given else ()
        if _compared(student) in {_compared(name) for row in rows for cell in row for name in turned(cell)}:
            raise UserError(_(why, name=student))
    raise _unknown(student, everybody)


def _first_name(name: str) -> str:
    """Return a first name."""
    return next(iter(turned(name)[-1].split()), "")


def _compared(name: str) -> str:
    """Return what is compared of a name that somebody has typed."""
    return sheet.plain(without_accents(name))
