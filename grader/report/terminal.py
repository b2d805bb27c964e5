"""A grade for people: the total, a line per criterion, then what to mend and in which order."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.evidence import Example
from grader.game.policy import opponent
from grader.grade import CriterionScore, Grade, Status, Verdict
from grader.report.agenda import Item, agenda
from grader.report.text import drawn, game_text, number
from grader.report.words import closing, search_sentences, shown_tactics
from grader.text import lines_of

_BAR = 20
_CASES = 6
_FINDINGS = 4
_SCREEN = 8
_COLOUR = {
    Status.FAILED: "red",
    Status.TIMED_OUT: "magenta",
    Status.CRASHED: "red",
    Status.SKIPPED: "yellow",
    Status.GRADER_ERROR: "yellow",
}


def render(grade: Grade, *, every_case: bool = False) -> RenderableType:
    """Return the report; text of the submission is shown as it is, never read as markup.

    Failed cases are folded under what explains them, unless every one is asked for.
    """
    parts: list[RenderableType] = [_head(grade), "", _what_came_of_it(grade)]
    items = agenda(grade)
    if grade.smileys and not grade.not_gradable:
        unrun = {name for item in items if item.name == "the file" for name in item.cases[1:]}
        parts += ["", *(_smiley(one, verdict, unrun) for one in grade.criteria for verdict in one.verdicts)]
    if items:
        parts += ["", Text("What to mend, in this order", style="bold")]
        for count, item in enumerate(items, 1):
            parts += ["", Padding(_item(count, item, grade), (0, 0, 0, 2))]
    told = any(item.name == "minimax" or any(one.refutation for one in item.shown) for item in items)
    if grade.refutation and grade.refutation.moves and not told:
        parts += ["", Text("A game that beats it as it is", style="bold")]
        parts.append(Padding(Text(game_text(grade.refutation)), (0, 0, 0, 2)))
    for title, lines in (
        ("Taken off", [f"-{number(one.points)}  {one.reason}" for one in grade.deductions]),
        ("How it plays", _tactics(grade)),
        ("How it searches", search_sentences(grade)),
        ("Notes", (*grade.notes, *grade.for_instructors)),
        ("The grader failed here; these cases count neither for nor against", grade.grader_errors),
    ):
        if lines:
            parts += ["", Text(title, style="bold"), *(Padding(Text(line), (0, 0, 0, 2)) for line in lines)]
    if every_case:
        failures = list(_failures(grade))
        parts += ["", Text("Every case that did not pass", style="bold"), *failures] if failures else []
    if grade.hidden:
        cases = "1 case is" if grade.hidden == 1 else f"{grade.hidden} cases are"
        parts += ["", Text(f"{cases} hidden: they count, but are not shown here.", style="dim")]
    parts += ["", Text(closing(grade), style="dim")]
    return Group(*parts)


def _smiley(criterion: CriterionScore, verdict: Verdict, unrun: set[str]) -> RenderableType:
    """Return a check as passed, failed, or not judged: the file does not run, which is told once."""
    told = not (verdict.status is Status.PASSED or f"{criterion.id}/{verdict.id}" in unrun)
    face, colour = (":)", "green") if verdict.status is Status.PASSED else (":(", "red")
    if not verdict.status.counts or f"{criterion.id}/{verdict.id}" in unrun:
        face, colour = ":|", "yellow"
    line = Text.assemble((f"{face} {criterion.id}: {verdict.id.replace('-', ' ')}", colour))
    return Group(line, Padding(Text(verdict.reason, style="dim"), (0, 0, 0, 5))) if told else line


def _item(count: int, item: Item, grade: Grade) -> RenderableType:
    """Return one thing to mend."""
    title = Text.assemble((f"{count}. {item.name}", "bold"))
    if item.mistakes:
        title.append("  " + "; ".join(one.title for one in item.mistakes), style="red")
    if item.lost:
        title.append(f"  -{number(item.lost)}", style="dim")
    parts: list[RenderableType] = []
    for mistake in item.mistakes:
        if mistake.sentence != f"`{mistake.function}` {mistake.title}.":
            parts.append(Text(mistake.sentence))
        if mistake.hint:
            parts.append(Text(f"Hint: {mistake.hint}", style="italic"))
    if item.mistakes and item.mistakes[0].boards:
        parts.append(_small(item.mistakes[0].boards[0]))
    for verdict in item.shown:
        parts += _telling(verdict)
    beaten = grade.refutation if item.name == "minimax" else None
    if beaten and beaten.moves and not any(verdict.refutation for verdict in item.shown):
        parts.append(Text(f"A game that beats it, as {opponent(beaten.side)}:", style="dim"))
        parts.append(Padding(Text(game_text(beaten)), (0, 0, 0, 2)))
    parts += [Text(item.followers, style="green")] if item.followers else []
    parts += [Text(item.remark, style="dim")] if item.remark else []
    parts += [Text(_cases(item), style="dim")] if len(item.cases) > 1 else []
    return Group(title, *(Padding(part, (0, 0, 0, 3)) for part in parts))


def _cases(item: Item) -> str:
    """Return how many cases an item fails, and which come first."""
    names = [name.partition("/")[2] if name.startswith(f"{item.name}/") else name for name in item.cases]
    more = ", ..." if len(names) > _CASES else "."
    return f"{len(names)} cases fail: {', '.join(names[:_CASES])}{more}"


def _telling(verdict: Verdict) -> list[RenderableType]:
    """Return the case that says most, in a few lines."""
    parts: list[RenderableType] = [Text(verdict.reason)]
    if verdict.board and verdict.call and not verdict.refutation:
        expected, got = verdict.expected or "", verdict.got or ""
        parts.append(_small(Example(board=verdict.board, call=verdict.call, expected=expected, got=got)))
    elif verdict.got:
        parts.append(_facts(verdict))
    findings = verdict.findings or ()
    parts += [
        Padding(Text(f"{one.where}: {one.message} ({one.rule})"), (0, 0, 0, 2))
        for one in findings[:_FINDINGS]
    ]
    if len(findings) > _FINDINGS:
        parts.append(Padding(Text(f"and {len(findings) - _FINDINGS} more"), (0, 0, 0, 2)))
    for label, line in (("The game", verdict.refutation), ("The win it missed", verdict.missed_win)):
        if line:
            parts += [Text(f"{label}:", style="dim"), Padding(Text(game_text(line)), (0, 0, 0, 2))]
    parts += [] if verdict.call else _screen(verdict)
    if verdict.hint:
        parts.append(Text(f"Hint: {verdict.hint}", style="italic"))
    return parts


def _screen(verdict: Verdict) -> list[RenderableType]:
    """Return the last lines of what was seen in a program's terminal."""
    if not verdict.transcript:
        return []
    lines = lines_of(verdict.transcript)[-_SCREEN:]
    return [Text("Its screen at the end:", style="dim"), Padding(Text("\n".join(lines)), (0, 0, 0, 2))]


def _small(example: Example) -> RenderableType:
    """Return a call beside its board, in as many lines as a board has."""
    table = Table.grid(padding=(0, 3, 0, 0))
    cells = Text("\n".join(" ".join(row.replace(".", "·")) for row in example.board))
    facts = Table.grid(padding=(0, 2, 0, 0))
    for label, value in (("call", example.call), ("expected", example.expected), ("got", example.got)):
        facts.add_row(Text(label, style="dim"), Text(value.replace("\n", " / ")))
    table.add_row(cells, facts)
    return Padding(table, (0, 0, 0, 2))


def _tactics(grade: Grade) -> list[str]:
    """Return how often minimax does what a board asks for."""
    shown = shown_tactics(grade)
    width = max((len(one.name) for one in shown), default=0)
    return [f"{one.name:{width}}  on {one.done:>5,} of {one.boards:>5,} boards" for one in shown]


def _head(grade: Grade) -> Text:
    head = Text.assemble((grade.title, "bold"), " · ", grade.submission, "\n\n", ("  Total  ", "bold"))
    if all(criterion.by_hand for criterion in grade.criteria):
        return head.append("for a person to judge", style="bold yellow")
    if grade.not_gradable:
        return head.append("not gradable: a person has to look", style="bold yellow")
    full = grade.score >= grade.points
    head.append(
        f"{number(grade.total)} / {number(grade.points)}", style="bold green" if full else "bold yellow"
    )
    if grade.bonus:
        head.append(f"  ({number(grade.score)} and a bonus of {number(grade.bonus)})")
    if grade.scaled is not None and grade.scale_to is not None:
        head.append(f"  that is {number(grade.scaled)} / {number(grade.scale_to)}", style="bold")
    if grade.by_hand_points:
        head.append(f"  ({number(grade.by_hand_points)} more for a person to judge)", style="dim")
    return head


def _what_came_of_it(grade: Grade) -> RenderableType:
    """Return a line for each criterion, or why there is none."""
    return Padding(Text(grade.not_gradable), (0, 0, 0, 2)) if grade.not_gradable else _criteria(grade)


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
            _given_back(criterion),
        )
    return table


def _given_back(criterion: CriterionScore) -> Text:
    """Return what a criterion is about, after what was given back to it."""
    back = f"{number(criterion.given_back)} given back. " if criterion.given_back else ""
    return Text.assemble((back, "green"), criterion.description)


def _bar(criterion: CriterionScore) -> Text:
    share = criterion.score / criterion.points if criterion.points else 1.0
    filled = int(share * _BAR)  # rounded down: only full marks fill the bar
    colour = "green" if filled == _BAR else "yellow" if filled else "red"
    return Text.assemble(("█" * filled, colour), ("░" * (_BAR - filled), "dim"))


def _count(criterion: CriterionScore) -> str:
    if criterion.by_hand:
        return "for a person"
    counted = [verdict for verdict in criterion.verdicts if verdict.weight or verdict.status is Status.PASSED]
    good = sum(verdict.status is Status.PASSED for verdict in counted)
    return f"{good:>3} of {len(counted):<3} cases"


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
        Padding(Text(f"{one.where}: {one.message} ({one.rule})"), (0, 0, 0, 2))
        for one in verdict.findings or ()
    ]
    for label, line in (("The game", verdict.refutation), ("The win it missed", verdict.missed_win)):
        if line:
            parts += [Text(f"{label}:", style="dim"), Padding(Text(game_text(line)), (0, 0, 0, 2))]
    parts += _screen(verdict)
    if verdict.hint and len(group) == 1:
        parts.append(Text(f"Hint: {verdict.hint}", style="italic"))
    return Group(*parts)


def _facts(verdict: Verdict) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for label, value in (("call", verdict.call), ("expected", verdict.expected), ("got", verdict.got)):
        if value is not None:
            table.add_row(Text(label, style="dim"), Text(value))
    return table
