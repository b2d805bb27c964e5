"""A grade for people: the total, a line per criterion, then each failed case with its board."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.grade import CriterionScore, Grade, Status, Verdict
from grader.report.text import drawn, game_text, number

_BAR = 20
_COLOUR = {
    Status.FAILED: "red",
    Status.TIMED_OUT: "magenta",
    Status.CRASHED: "red",
    Status.SKIPPED: "yellow",
    Status.GRADER_ERROR: "yellow",
}


def render(grade: Grade) -> RenderableType:
    """Return the report; text of the submission is shown as it is, never read as markup."""
    parts: list[RenderableType] = [_head(grade), "", _criteria(grade)]
    for title, lines in (
        ("Taken off", [f"-{number(one.points)}  {one.reason}" for one in grade.deductions]),
        ("How it searches", _search(grade)),
        ("Notes", grade.notes),
        ("The grader failed here; these cases count neither for nor against", grade.grader_errors),
    ):
        if lines:
            parts += ["", Text(title, style="bold"), *(Padding(Text(line), (0, 0, 0, 2)) for line in lines)]
    failures = list(_failures(grade))
    if failures:
        parts += ["", Text("What went wrong", style="bold"), *failures]
    if grade.hidden:
        cases = "1 case is" if grade.hidden == 1 else f"{grade.hidden} cases are"
        parts += ["", Text(f"{cases} hidden: they count, but are not shown here.", style="dim")]
    parts += ["", Text(_closing(grade), style="dim")]
    return Group(*parts)


def _head(grade: Grade) -> Text:
    head = Text.assemble((grade.title, "bold"), " · ", grade.submission, "\n\n", ("  Total  ", "bold"))
    full = grade.score >= grade.points
    head.append(
        f"{number(grade.total)} / {number(grade.points)}", style="bold green" if full else "bold yellow"
    )
    if grade.bonus:
        head.append(f"  ({number(grade.score)} and a bonus of {number(grade.bonus)})")
    if grade.scaled is not None and grade.scale_to is not None:
        head.append(f"  that is {number(grade.scaled)} / {number(grade.scale_to)}", style="bold")
    return head


def _search(grade: Grade) -> list[str]:
    """Return what the probe saw, where all is well; else the failed case says it."""
    return [
        verdict.reason
        for criterion in grade.criteria
        for verdict in criterion.verdicts
        if verdict.search and verdict.status is Status.PASSED
    ]


def _closing(grade: Grade) -> str:
    """Return the last line: how long it took, how minimax was asked, and how long its first move takes."""
    sentences = [f"Graded in {grade.seconds:.1f} s."]
    if grade.sweep:
        how = "with recall" if grade.sweep.recalled else f"without recall ({grade.sweep.why_plain})"
        sentences.append(f"minimax was asked {grade.sweep.asked:,} boards {how}.")
    if grade.first_move:
        about = "about (an estimate) " if grade.first_move.estimated else ""
        sentences.append(f"Its first move takes {about}{grade.first_move.seconds:g} s.")
    return " ".join(sentences)


def _criteria(grade: Grade) -> Table:
    names = [f"  {'+ ' if criterion.bonus else ''}{criterion.id}" for criterion in grade.criteria]
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify, width in (
        ("left", max(map(len, names))),
        ("left", _BAR),
        ("right", 5),
        ("left", 5),
        ("left", 16),
    ):
        table.add_column(justify=justify, min_width=width, no_wrap=True)  # type: ignore[arg-type]
    table.add_column(style="dim", overflow="ellipsis", no_wrap=True)
    for name, criterion in zip(names, grade.criteria, strict=True):
        table.add_row(
            name,
            _bar(criterion),
            "-" if criterion.by_hand else number(criterion.score),
            f"/ {number(criterion.points)}",
            _count(criterion),
            criterion.description,
        )
    return table


def _bar(criterion: CriterionScore) -> Text:
    share = criterion.score / criterion.points if criterion.points else 0.0
    filled = int(share * _BAR)  # rounded down: only full marks fill the bar
    colour = "green" if filled == _BAR else "yellow" if filled else "red"
    return Text.assemble(("█" * filled, colour), ("░" * (_BAR - filled), "dim"))


def _count(criterion: CriterionScore) -> str:
    if criterion.by_hand:
        return "for a person"
    good = sum(verdict.status is Status.PASSED for verdict in criterion.verdicts)
    return f"{good:>3} of {len(criterion.verdicts):<3} cases"


def _failures(grade: Grade) -> Iterator[RenderableType]:
    """Return each failed case; cases that failed for the very same reason are shown once."""
    groups: dict[tuple[object, ...], list[tuple[str, Verdict]]] = {}
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.status not in (Status.PASSED, Status.GRADER_ERROR):
                key = (verdict.status, verdict.reason, verdict.board, verdict.call, verdict.findings)
                groups.setdefault(key, []).append((criterion.id, verdict))
    for group in groups.values():
        yield ""
        yield Padding(_failure(group), (0, 0, 0, 2))


def _failure(group: list[tuple[str, Verdict]]) -> RenderableType:
    criterion, verdict = group[0]
    title = Text.assemble((f"{criterion}/{verdict.id}", "bold"), "  ")
    title.append(verdict.status.replace("_", " "), style=_COLOUR[verdict.status])
    if len(group) > 1:
        others = sorted({name for name, _ in group})
        title.append(f"  and {len(group) - 1} more in {', '.join(others)}", style="dim")
    elif verdict.weight and verdict.earned:
        title.append(f"  {verdict.earned / verdict.weight:.0%} of its points kept", style="dim")
    parts: list[RenderableType] = [title]
    facts = _facts(verdict)
    if verdict.board and not verdict.refutation:
        pair = Table.grid(padding=(0, 3, 0, 0))
        pair.add_row(Text("\n".join(drawn(verdict.board))), facts)
        parts.append(pair)
    elif facts.row_count:
        parts.append(facts)
    parts.append(Text(verdict.reason))
    parts += [
        Padding(Text(f"line {one.line}: {one.message} ({one.rule})"), (0, 0, 0, 2))
        for one in verdict.findings or ()
    ]
    for label, line in (("The game", verdict.refutation), ("The win it missed", verdict.missed_win)):
        if line:
            parts += [Text(f"{label}:", style="dim"), Padding(Text(game_text(line)), (0, 0, 0, 2))]
    if verdict.hint and len(group) == 1:
        parts.append(Text(f"Hint: {verdict.hint}", style="italic"))
    return Group(*parts)


def _facts(verdict: Verdict) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for label, value in (("call", verdict.call), ("expected", verdict.expected), ("got", verdict.got)):
        if value is not None:
            table.add_row(Text(label, style="dim"), Text(value))
    return table
