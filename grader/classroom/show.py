"""A class for people: how the totals are spread, what went well, what most got wrong, and what changed."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from grader.classroom import similarity
from grader.classroom.changes import Changes, Whole
from grader.classroom.folder import Alike, ClassResult
from grader.classroom.records import mistakes_of, most_failed
from grader.classroom.returned import NOTES
from grader.report.class_page import figures_of, spread
from grader.report.text import number

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
    for test in result.kept.faulty_tests:
        parts += ["", Text(test.sentence, style="bold yellow")]
    if result.totals():
        parts += ["", Text("Totals", style="bold"), _spread(result), "", _criteria(result)]
    if mistakes := mistakes_of(result.records):
        parts += ["", Text("Mistakes", style="bold"), _mistakes(mistakes)]
    if failed := most_failed(result.records):
        counts = _grid((f"  {case}", str(count)) for case, count in failed)
        parts += ["", Text("Failed most often", style="bold"), counts]
    odd = [f"  {one.student}: {one.to_look_at}" for one in result.records if one.to_look_at]
    if odd:
        parts += ["", Text("To look at", style="bold"), *map(Text, odd)]
    waiting = sum(bool(one.to_judge) for one in result.records)
    if waiting:
        who = "1 waits" if waiting == 1 else f"{waiting} wait"
        parts += ["", Text(f"{who} for a person to judge them: run the grader with 'mark {result.out}'")]
    if result.notes:
        parts += ["", Text(f"Gradebooks (also in {NOTES})", style="bold")]
        parts += [Padding(Text(note), (0, 0, 0, 2)) for note in result.notes]
    if result.kept.alike:
        parts += ["", *_alike(result, result.kept.alike)]
    written = ", ".join(name for name in _FILES if result.kept.html or name not in _PAGES)
    parts += ["", Text(f"Everything is in {result.out}/: {written}.")]
    hidden = "reports/ and grades/ have" if result.kept.html else "grades/ has"
    parts += [Text(f"feedback/ is for students; {hidden} hidden cases, too.")]
    return Group(*parts)


def _grid(rows: Iterable[Sequence[RenderableType]]) -> Table:
    """Return rows in columns, without lines."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return table


def _head(result: ClassResult) -> Text:
    late = sum(one.late for one in result.records)
    adjusted = sum(one.adjusted for one in result.records)
    rubric, totals = result.kept.rubric, result.totals()
    told = [f"{len(totals)} of {len(result.records)} graded"]
    if figures := figures_of(totals):
        told.append(
            f"median {number(figures.median)}, mean {number(figures.mean)} of {number(rubric.points)}"
        )
    unrun = sum(bool(one.unrun) for one in result.records)
    told += [f"{unrun} of them did not run"] if unrun else []
    told += [f"{late} late"] if late else []
    told += [f"{adjusted} adjusted by a person"] if adjusted else []
    return Text.assemble((rubric.title, "bold"), f"\n\n  {', '.join(told)}")


def _spread(result: ClassResult) -> Table:
    """Return a histogram of the totals."""
    bins = spread(result.totals(), result.kept.rubric.points)
    most = max(count for _, count in bins)
    ends = [f"to {number(low)}" for low, _ in bins[1:]] + ["and more"]
    return _grid(
        (f"  {number(low)} {end}", Text("█" * round(_BAR * count / most), style="blue"), str(count))
        for (low, count), end in zip(bins, ends, strict=True)
    )


def _criteria(result: ClassResult) -> Table:
    columns = "criterion", Column("full marks", justify="right"), Column("mean", justify="right")
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for criterion in result.kept.rubric.all_criteria():
        found = (one.judged(criterion.id) for one in result.records if one.total is not None)
        earned = [score for score in found if score is not None]
        if earned:
            full = sum(score >= criterion.points for score in earned) / len(earned)
            mean = sum(earned) / len(earned)
            table.add_row(criterion.id, f"{full:.0%}", f"{number(mean)} of {number(criterion.points)}")
    return table


def _mistakes(mistakes: Sequence[tuple[str, list[str]]]) -> Table:
    """Return how many made each mistake, and who."""
    rows = []
    for mistake, students in mistakes:
        more = f" and {len(students) - _NAMED} more" if len(students) > _NAMED else ""
        who = ", ".join(students[:_NAMED]) + more
        rows.append((f"{len(students):>5}", Text(mistake), Text(who, style="dim")))
    return _grid(rows)


def _alike(result: ClassResult, found: Alike) -> list[RenderableType]:
    """Return the pairs, and what they mean: likeness is a reason to look, and proves nothing."""
    names = {one.key: one.student for one in result.records}
    rows: list[list[RenderableType]] = []
    for pair in found.pairs:
        first, second = (names[key] for key in pair.keys)
        shares = (f"{share:.0%}" for share in pair.shares)
        rows.append([Text(f"  {first}"), Text(second), *shares, similarity.rarity(pair)])
    explained = [Padding(Text(one), (0, 0, 0, 2)) for one in similarity.words(found, result.kept.rubric)]
    return [Text(similarity.title(found), style="bold"), *([_grid(rows)] if rows else ()), *explained]


def render_changes(changes: Changes) -> RenderableType:
    """Return who changed, and why: by which cases, decisions and lines of the rubric."""
    notes = [Text(note) for note in changes.notes]
    if not changes.students:
        return Group("Nobody's grade changed.", *notes)
    parts: list[RenderableType] = [*notes, Text(f"{len(changes.students)} changed", style="bold")]
    for one in changes.students:
        became = f"  {_total(one.before)} becomes {_total(one.after)}"
        parts.append(Text.assemble("  ", (one.student, "bold"), became))
        parts += [Text(f"    {why}") for why in (*one.others, *one.cases)]
    return Group(*parts)


def render_student(whole: Whole) -> RenderableType:
    """Return what changed about one student: totals, criteria, cases with their reasons, and decisions."""
    before, after = map(_total, whole.totals)
    parts: list[RenderableType] = [Text.assemble((whole.student, "bold"), f"  {before} becomes {after}")]
    if whole.criteria:
        rows = ((f"  {name}", f"{_total(then)} becomes {_total(now)}") for name, then, now in whole.criteria)
        parts += ["", _grid(rows)]
    for one in whole.cases:
        reasons = Text(f"before: {one.before}"), Text(f"after: {one.after}")
        parts += ["", Text(f"  {one.name}", style="bold"), *(Padding(one, (0, 0, 0, 4)) for one in reasons)]
    for when, decisions in zip(("before", "after"), whole.decisions, strict=True):
        if decisions:
            parts += ["", Text(f"  Decided {when}", style="bold"), *(Text(f"    {one}") for one in decisions)]
    if len(parts) == 1 and whole.totals[0] == whole.totals[1]:
        parts.append(Text("  Nothing changed."))
    return Group(*parts)


def _total(total: float | None) -> str:
    return "no grade" if total is None else number(total)
