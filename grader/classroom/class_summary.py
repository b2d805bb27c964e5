"""The summary of a class: totals, mistakes, what failed most often, what to look at, where all of it is."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from grader.classroom import similarity
from grader.classroom.entries import grouped
from grader.classroom.records import Alike, ClassResult, ClassState, Record
from grader.core.evidence import Mistake
from grader.core.messages import _, active, ngettext, own_text
from grader.report.pages import figures_of, spread
from grader.report.terminal_report import grid
from grader.report.wording import Quoted, named, number

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
    told = [_("{graded} of {total} graded", graded=len(totals), total=len(result.records))]
    if figures := figures_of(totals):
        told.append(
            _(
                "median {median}, mean {mean} of {points}",
                median=number(figures.median),
                mean=number(figures.mean),
                points=number(rubric.points),
            )
        )
    unrun = sum(bool(one.unrun) for one in result.records)
    if unrun:
        told.append(ngettext("{count} of them did not run", "{count} of them did not run", unrun))
    if late:
        told.append(ngettext("{count} late", "{count} late", late))
    if adjusted:
        told.append(ngettext("{count} adjusted by a person", "{count} adjusted by a person", adjusted))
    return Text.assemble((own_text(rubric.title), "bold"), f"\n\n  {', '.join(told)}")


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
