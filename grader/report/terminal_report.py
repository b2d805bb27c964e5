"""A grade for people: the total, a line per criterion, then what to fix and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.core.game.oracle import opponent
from grader.core.grade import CriterionScore, DoesNotRun, Example, Grade, Status, Unrun, Verdict
from grader.core.messages import _, clauses, in_language, ngettext
from grader.core.values import lines_of
from grader.report import wording
from grader.report.wording import Item, agenda, drawn, game_text, number, pointed_out, worth

SCREEN: Final = 8  # lines of a screen that are shown
_COLOUR: Final = {
    Status.FAILED: "red",
    Status.TIMED_OUT: "magenta",
    Status.CRASHED: "red",
    Status.SKIPPED: "yellow",
    Status.GRADER_ERROR: "yellow",
}


def indented(part: RenderableType, by: int = 2) -> Padding:
    """Return a part further to the right; a text is shown as it is, never read as markup."""
    return Padding(Text(part) if isinstance(part, str) else part, (0, 0, 0, by))


def grid(rows: Iterable[Sequence[RenderableType]]) -> Table:
    """Return rows in columns, without lines."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return table


def _failures(grade: Grade) -> Iterator[RenderableType]:
    """Yield each failed case; cases that failed for the very same reason are shown once."""
    groups: dict[tuple[object, ...], list[tuple[str, Verdict]]] = {}
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.status not in (Status.PASSED, Status.GRADER_ERROR) and not verdict.unrun:
                key = (verdict.status, verdict.reason, verdict.board, verdict.call, verdict.findings)
                groups.setdefault(key, []).append((criterion.id, verdict))
    for group in groups.values():
        yield from ("", indented(_failure(group)))


def _failure(group: list[tuple[str, Verdict]]) -> RenderableType:
    criterion, verdict = group[0]
    title = Text.assemble((f"{criterion}/{verdict.id}", "bold"), "  ")
    title.append(wording.outcome(verdict.status), style=_COLOUR[verdict.status])
    if len(group) > 1:
        names = ", ".join(sorted({name for name, _verdict in group}))
        more = ngettext(
            "and {count} more in {criteria}", "and {count} more in {criteria}", len(group) - 1, criteria=names
        )
        title.append(f"  {more}", style="dim")
    elif worth(verdict):
        title.append(f"  {worth(verdict, wording.POINTS)}", style="dim")
    parts: list[RenderableType] = [title]
    table = _facts(verdict)
    if verdict.board and not verdict.refutation:
        parts.append(_side_by_side(Text("\n".join(drawn(verdict.board))), table))
    elif table.row_count:
        parts.append(table)
    parts.append(Text(verdict.reason))
    for finding in verdict.findings or ():
        parts.append(indented(_("line {line}", line=finding.line) + f": {finding.message} ({finding.rule})"))
    parts += [*_games(verdict), *_screen(verdict), *_hint(verdict.hint if len(group) == 1 else "")]
    return Group(*parts)


def _side_by_side(board: Text, table: Table) -> Table:
    pair = Table.grid(padding=(0, 3, 0, 0))
    pair.add_row(board, table)
    return pair


def _hint(hint: str | None) -> list[Text]:
    return [Text(_("Hint: {hint}", hint=hint), style="italic")] if hint else []


def _facts(shown: Verdict | Example, new_line: str = "\n") -> Table:
    """Return a call, what was expected and what came, a row each."""
    facts = ((_("call"), shown.call), (_("expected"), shown.expected), (_("got"), shown.got))
    return grid(
        (Text(label, style="dim"), Text(value.replace("\n", new_line)))
        for label, value in facts
        if value is not None
    )


def _games(verdict: Verdict) -> Iterator[RenderableType]:
    """Yield the game that was lost, and the win that was missed, each below its title."""
    for label, game in ((_("The game:"), verdict.refutation), (_("The win it missed:"), verdict.missed_win)):
        if game:
            yield from (Text(label, style="dim"), indented(game_text(game)))


def _screen(verdict: Verdict) -> list[RenderableType]:
    """Return the last lines of what was seen in a program's terminal."""
    if not verdict.transcript:
        return []
    lines = lines_of(verdict.transcript)[-SCREEN:]
    return [Text(_("Its screen at the end:"), style="dim"), indented("\n".join(lines))]


_BAR = 20
_CASES = 3
_FINDINGS = 4


def render(grade: Grade, *, every_case: bool = False) -> RenderableType:
    """Return the report; text of the submission is shown as it is, never read as markup.

    Failed cases are folded under what explains them, unless every one is asked for. It is in the language of
    the grade.
    """
    with in_language(grade.language):
        return Group(*_report(grade, every_case=every_case))


def _report(grade: Grade, *, every_case: bool) -> Iterator[RenderableType]:
    yield _head(grade)
    yield from (Text(sentence, style="bold yellow") for sentence in grade.for_a_person)
    yield ""
    if grade.not_gradable:
        yield indented(grade.not_gradable)
    elif grade.does_not_run:
        yield from _unrun(grade.does_not_run)
    else:
        yield _criteria(grade)
    if grade.smileys and not grade.not_gradable:
        yield from ("", *_smileys(grade))
    items = agenda(grade)
    if items:
        yield from ("", Text(_("What to fix first"), style="bold"))
        for count, item in enumerate(items, 1):
            yield from ("", indented(_item(count, item, grade)))
    if cost := wording.hidden_cost(grade):
        yield from ("", Text(cost, style="dim"))
    is_shown = any(item.name == "minimax" or any(case.refutation for case in item.shown) for item in items)
    if grade.refutation and grade.refutation.moves and not is_shown:
        heading = Text(_("A game that beats it as it is"), style="bold")
        yield from ("", heading, indented(game_text(grade.refutation)))
    for title, lines in (
        (_(wording.COMMENTS), wording.comments_of(grade.comments, grade.answers)),
        (_("Taken off"), [deduction.text for deduction in grade.deductions]),
        (_("Not judged; these cases count neither for nor against"), wording.not_judged(grade)),
        (_("How it plays"), _tactics(grade)),
        (_("How it searches"), wording.search_sentences(grade)),
        (_("Notes"), (*grade.notes, *grade.for_instructors)),
        (_("The grader failed here; these cases count neither for nor against"), grade.grader_errors),
    ):
        if lines:
            yield from ("", Text(title, style="bold"))
            yield from map(indented, lines)
    failed = list(_failures(grade)) if every_case else []
    if failed:
        yield from ("", Text(_("Every case that did not pass"), style="bold"), *failed)
    yield from ("", Text(wording.closing(grade), style="dim"))


def _unrun(found: DoesNotRun) -> list[RenderableType]:
    """Return why a file does not run, the line with a caret, and that nothing comes before that."""
    parts: list[RenderableType] = [Text(found.sentence, style="bold red")]
    parts += [Text(line, no_wrap=True, overflow="ellipsis") for line in pointed_out(found)]
    output = lines_of(found.said or "")  # a compiler begins with what matters, and a screen ends with it
    parts += (
        [Text("\n".join(output[-SCREEN:] if found.why is Unrun.DIES else output[:SCREEN]))] if output else []
    )
    return [indented(part) for part in (*parts, Text(_(wording.FIX_FIRST), style="bold"))]


def _smileys(grade: Grade) -> Iterator[RenderableType]:
    """Return each check with its face; of those that need the file to run, if it does not, how many."""
    unrun = 0
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.unrun:
                unrun += 1
                continue
            passed = verdict.status is Status.PASSED
            face, colour = (":)", "green") if passed else (":(", "red")
            if not verdict.status.counts:
                face, colour = ":|", "yellow"
            yield Text(f"{face} {criterion.id}: {verdict.id.replace('-', ' ')}", style=colour)
            if not passed:
                points = f" ({worth(verdict)})" if worth(verdict) else ""
                yield indented(Text(verdict.reason + points, style="dim"), 5)
    if unrun:
        needs = ngettext("{count} check needs the file to run", "{count} checks need the file to run", unrun)
        yield Text(f":| {needs}", style="yellow")


def _item(count: int, item: Item, grade: Grade) -> RenderableType:
    """Return one thing to fix."""
    title = Text.assemble((f"{count}. {item.name}", "bold"))
    if item.mistakes:
        title.append("  " + clauses(mistake.title for mistake in item.mistakes), style="red")
    if item.lost:
        title.append(f"  -{number(item.lost)}", style="dim")
    parts: list[RenderableType] = []
    for mistake in item.mistakes:
        beyond = wording.beyond_title(mistake)
        parts += [*([Text(beyond)] if beyond else ()), *_hint(mistake.hint)]
    if item.mistakes and item.mistakes[0].boards:
        parts.append(_small(item.mistakes[0].boards[0]))
    for verdict in item.shown:
        parts += _telling(verdict)
    beaten = grade.refutation if item.name == "minimax" else None
    if beaten and beaten.moves and not any(verdict.refutation for verdict in item.shown):
        parts.append(Text(_("A game that beats it, as {side}:", side=opponent(beaten.side)), style="dim"))
        parts.append(indented(game_text(beaten)))
    parts += [Text(item.followers, style="green")] if item.followers else []
    parts += [Text(item.remark, style="dim")] if item.remark else []
    parts.append(Text(_cases(item), style="dim"))
    return Group(title, *(indented(part, 3) for part in parts))


def _cases(item: Item) -> str:
    """Return how many cases an item fails, and which come first, with their points."""
    first, own = item.cases[:_CASES], f"{item.name}/"
    named = [f"{name.removeprefix(own)} ({worth(verdict)})" for name, verdict in first]
    more = ", ..." if len(item.cases) > _CASES else "."
    fail = ngettext("{count} case fails (points):", "{count} cases fail (points):", len(item.cases))
    return f"{fail} {', '.join(named)}{more}"


def _telling(verdict: Verdict) -> Iterator[RenderableType]:
    """Yield the case that says most, in a few lines."""
    yield Text(verdict.reason)
    if verdict.board and verdict.call and not verdict.refutation:
        expected, got = verdict.expected or "", verdict.got or ""
        yield _small(Example(board=verdict.board, call=verdict.call, expected=expected, got=got))
    elif verdict.got:
        yield _facts(verdict)
    findings = verdict.findings or ()
    for finding in findings[:_FINDINGS]:
        yield indented(f"{finding.where}: {finding.message} ({finding.rule})")
    if len(findings) > _FINDINGS:
        yield indented(ngettext("and {count} more", "and {count} more", len(findings) - _FINDINGS))
    yield from (*_games(verdict), *([] if verdict.call else _screen(verdict)), *_hint(verdict.hint))


def _small(example: Example) -> RenderableType:
    """Return a call beside its board, in as many lines as a board has."""
    cells = Text("\n".join(" ".join(row.replace(".", "·")) for row in example.board))
    return indented(_side_by_side(cells, _facts(example, " / ")))


def _tactics(grade: Grade) -> list[str]:
    """Return how often minimax does what a board asks for."""
    shown = wording.shown_tactics(grade)
    width = max((cell_len(_(tactic.name)) for tactic in shown), default=0)
    lines = []
    for tactic in shown:
        often = ngettext(
            "on {done:>5,} of {count:>5,} board",
            "on {done:>5,} of {count:>5,} boards",
            tactic.boards,
            done=tactic.done,
        )
        beside = f", {wording.beside_it(tactic)}" if tactic.as_good else ""
        lines.append(f"{set_cell_size(_(tactic.name), width)}  {often}{beside}")
    return lines


def _head(grade: Grade) -> Text:
    head = Text.assemble(
        (grade.title, "bold"), " · ", grade.submission, "\n\n", ("  " + _("Total") + "  ", "bold")
    )
    if all(criterion.by_hand for criterion in grade.criteria) and not grade.marked_by:
        return head.append(_("for a person to judge"), style="bold yellow")
    if grade.not_gradable:
        return head.append(_("not gradable: a person has to look"), style="bold yellow")
    colour = "green" if grade.score >= grade.points else "yellow"
    head.append(f"{number(grade.total)} / {number(grade.points)}", style=f"bold {colour}")
    if grade.bonus and not grade.marked_by:
        both = {"points": number(grade.score), "bonus": number(grade.bonus)}
        head.append("  (" + _("{points} and a bonus of {bonus}", **both) + ")")
    if scaled := wording.in_scale(grade):
        head.append(f", {scaled}", style="bold")
    if grade.by_hand_points:
        left = _("{points} more for a person to judge", points=number(grade.by_hand_points))
        head.append(f"  ({left})", style="dim")
    head.append(f"\n  {wording.cases_passed(grade.tally)}", style="dim")
    if right := wording.what_is_right(grade):
        head.append(f"\n  {right}", style="green")
    for decision in grade.decisions:
        head.append(f"\n  {decision}", style="bold")
    return head


def _criteria(grade: Grade) -> Table:
    names = [f"  {'+ ' if criterion.bonus else ''}{criterion.id}" for criterion in grade.criteria]
    counts = [_counts(criterion, grade) for criterion in grade.criteria]
    shown, hidden = zip(*counts, strict=True)
    titles = "  " + _("cases"), "  " + (_("hidden") if any(hidden) else "")
    table = Table.grid(padding=(0, 2, 0, 0))
    widths = (
        max(map(cell_len, names)),
        _BAR,
        5,
        5,
        *(max(map(cell_len, texts)) for texts in ((titles[0], *shown), (titles[1], *hidden))),
    )
    for column, width in enumerate(widths):
        table.add_column(justify="right" if column == 2 else "left", min_width=width, no_wrap=True)
    table.add_column(style="dim", overflow="ellipsis", no_wrap=True)
    table.add_row(*([""] * 4), *(Text(title, style="dim") for title in titles), "")
    for name, criterion, count in zip(names, grade.criteria, counts, strict=True):
        score = "-" if criterion.by_hand else number(criterion.score)
        back = _("{points} given back.", points=number(criterion.given_back)) if criterion.given_back else ""
        about = Text.assemble((f"{back} " if back else "", "green"), criterion.description)
        table.add_row(name, _bar(criterion), score, f"/ {number(criterion.points)}", *count, about)
    return table


def _bar(criterion: CriterionScore) -> Text:
    share = criterion.score / criterion.points if criterion.points else 1.0
    filled = int(share * _BAR)  # rounded down: only full marks fill the bar
    colour = "green" if filled == _BAR else "yellow" if filled else "red"
    return Text.assemble(("█" * filled, colour), ("░" * (_BAR - filled), "dim"))


def _counts(criterion: CriterionScore, grade: Grade) -> tuple[str, str]:
    """Return how many cases of a criterion passed, and how many of the hidden ones."""
    if criterion.by_hand:
        return _("in the total") if grade.marked_by else _("for a person"), ""
    public, hidden = (
        _("{passed:>3} of {cases}", passed=count.passed, cases=count.cases) if count.cases else ""
        for count in (criterion.tally.public, criterion.tally.hidden)
    )
    return public, hidden
