"""A class for people: how the totals are spread, what went well, what most got wrong, and what changed."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.classroom.changes import Change, Whole
from grader.classroom.folder import AlikePair
from grader.classroom.job import ClassResult
from grader.classroom.records import mistakes_of, most_failed
from grader.classroom.returned import NOTES
from grader.report.class_page import spread
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
    if result.totals():
        parts += ["", Text("Totals", style="bold"), _spread(result), "", _criteria(result)]
    mistakes = mistakes_of(result.records)
    if mistakes:
        parts += ["", Text("Mistakes", style="bold"), _mistakes(mistakes)]
    failed = most_failed(result.records)
    if failed:
        parts += ["", Text("Failed most often", style="bold"), _counts(failed)]
    odd = [one for one in result.records if one.status != "graded" or one.unrun]
    if odd:
        parts += ["", Text("To look at", style="bold")]
        parts += [Text(f"  {one.student}: {one.unrun or one.in_short}") for one in odd]
    waiting = sum(any(criterion.by_hand for criterion in one.criteria.values()) for one in result.records)
    if waiting:
        who = "1 waits" if waiting == 1 else f"{waiting} wait"
        parts += ["", Text(f"{who} for a person to judge them: run the grader with {result.out} --mark")]
    if result.notes:
        parts += ["", Text(f"Gradebooks (also in {NOTES})", style="bold")]
        parts += [Padding(Text(note), (0, 0, 0, 2)) for note in result.notes]
    if result.pairs is not None:
        names = {one.key: one.student for one in result.records}
        parts += ["", *_alike(result.pairs, names)]
    written = ", ".join(name for name in _FILES if result.html or name not in _PAGES)
    parts += ["", Text(f"Everything is in {result.out}/: {written}.")]
    return Group(*parts)


def _head(result: ClassResult) -> Text:
    graded = sum(one.status == "graded" for one in result.records)
    late = sum(one.late for one in result.records)
    totals = result.totals()
    head = Text.assemble((result.rubric.title, "bold"), f"\n\n  {graded} of {len(result.records)} graded")
    if totals:
        head.append(f", mean {number(sum(totals) / len(totals))} of {number(result.rubric.points)}")
    if late:
        head.append(f", {late} late")
    adjusted = sum(one.adjusted for one in result.records)
    if adjusted:
        head.append(f", {adjusted} adjusted by a person")
    return head


def _spread(result: ClassResult) -> Table:
    """Return a histogram of the totals."""
    bins = spread(result.totals(), result.rubric.points)
    table = Table.grid(padding=(0, 2, 0, 0))
    most = max(count for _, count in bins)
    ends = [f"to {number(low)}" for low, _ in bins[1:]] + ["and more"]
    for (low, count), end in zip(bins, ends, strict=True):
        bar = Text("█" * round(_BAR * count / most), style="blue")
        table.add_row(f"  {number(low)} {end}", bar, str(count))
    return table


def _criteria(result: ClassResult) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title, justify in (("criterion", "left"), ("full marks", "right"), ("mean", "right")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    graded = [one for one in result.records if one.criteria]
    for criterion in result.rubric.all_criteria():
        found = [one.criteria[criterion.id] for one in graded if criterion.id in one.criteria]
        earned = [one for one in found if not one.by_hand]
        if earned:
            full = sum(one.score >= one.points for one in earned) / len(earned)
            mean = sum(one.score for one in earned) / len(earned)
            table.add_row(criterion.id, f"{full:.0%}", f"{number(mean)} of {number(criterion.points)}")
    return table


def _mistakes(mistakes: Sequence[tuple[str, list[str]]]) -> Table:
    """Return how many made each mistake, and who."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for mistake, students in mistakes:
        more = f" and {len(students) - _NAMED} more" if len(students) > _NAMED else ""
        who = ", ".join(students[:_NAMED]) + more
        table.add_row(f"{len(students):>5}", Text(mistake), Text(who, style="dim"))
    return table


def _counts(failed: Sequence[tuple[str, int]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for case, count in failed:
        table.add_row(f"  {case}", str(count))
    return table


def _alike(pairs: Sequence[AlikePair], names: Mapping[str, str]) -> list[RenderableType]:
    """Return the pairs with a word of caution: likeness is a reason to look, and proves nothing."""
    if not pairs:
        return [Text("No two files are strikingly alike.")]
    table = Table.grid(padding=(0, 2, 0, 0))
    for pair in pairs:
        first, second = (names[key] for key in pair.keys)
        table.add_row(Text(f"  {first}"), Text(second), *(f"{share:.0%}" for share in pair.shares))
    caution = (
        "Short programs for one assignment are often alike by themselves, or through one tutorial. "
        "This is a reason to read both files, and no proof of anything."
    )
    return [Text("Alike, beyond the template", style="bold"), table, Text(caution, style="italic")]


def render_changes(changes: Sequence[Change]) -> RenderableType:
    """Return who changed, and by which cases."""
    if not changes:
        return Text("Nobody's grade changed.")
    parts: list[RenderableType] = [Text(f"{len(changes)} changed", style="bold")]
    for one in changes:
        before, after = (_total(total) for total in (one.before, one.after))
        parts.append(Text.assemble("  ", (one.student, "bold"), f"  {before} becomes {after}"))
        parts += [Text(f"    {case}") for case in one.cases]
    return Group(*parts)


def render_student(whole: Whole) -> RenderableType:
    """Return what changed about one student: totals, criteria, cases with their reasons, and decisions."""
    before, after = map(_total, whole.totals)
    parts: list[RenderableType] = [Text.assemble((whole.student, "bold"), f"  {before} becomes {after}")]
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, then, now in whole.criteria:
        table.add_row(f"  {name}", f"{_total(then)} becomes {_total(now)}")
    parts += ["", table] if whole.criteria else []
    for one in whole.cases:
        parts += ["", Text(f"  {one.name}", style="bold")]
        parts += [
            Padding(Text(f"{when}: {text}"), (0, 0, 0, 4))
            for when, text in (("before", one.before), ("after", one.after))
        ]
    for when, decisions in zip(("before", "after"), whole.decisions, strict=True):
        if decisions:
            parts += ["", Text(f"  Decided {when}", style="bold"), *(Text(f"    {one}") for one in decisions)]
    if len(parts) == 1 and whole.totals[0] == whole.totals[1]:
        parts.append(Text("  Nothing changed."))
    return Group(*parts)


def _total(total: float | None) -> str:
    return "no grade" if total is None else number(total)
