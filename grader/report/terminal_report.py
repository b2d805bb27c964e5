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

SCREEN: Final = 8
"""Lines of a screen that are shown."""

_COLOUR: Final = {
    Status.FAILED: "red",
    Status.TIMED_OUT: "magenta",
    Status.CRASHED: "red",
    Status.SKIPPED: "yellow",
    Status.GRADER_ERROR: "yellow",
}


def failures(grade: Grade) -> Iterator[RenderableType]:
    """Return each failed case; cases that failed for the very same reason are shown once."""
    groups: dict[tuple[object, ...], list[tuple[str, Verdict]]] = {}
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.status not in (Status.PASSED, Status.GRADER_ERROR) and not verdict.unrun:
                key = (verdict.status, verdict.reason, verdict.board, verdict.call, verdict.findings)
                groups.setdefault(key, []).append((criterion.id, verdict))
    for group in groups.values():
        yield ""
        yield indented(_failure(group))


def indented(part: RenderableType, by: int = 2) -> Padding:
    """Return a part further to the right; a text is shown as it is, never read as markup."""
    return Padding(Text(part) if isinstance(part, str) else part, (0, 0, 0, by))


def grid(rows: Iterable[Sequence[RenderableType]]) -> Table:
    """Return rows in columns, without lines."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return table


def _failure(group: list[tuple[str, Verdict]]) -> RenderableType:
    criterion, verdict = group[0]
    title = Text.assemble((f"{criterion}/{verdict.id}", "bold"), "  ")
    title.append(wording.outcome(verdict.status), style=_COLOUR[verdict.status])
    if len(group) > 1:
        others = ", ".join(sorted({name for name, _verdict in group}))
        more = ngettext(
            "and {count} more in {criteria}",
            "and {count} more in {criteria}",
            len(group) - 1,
            criteria=others,
        )
        title.append(f"  {more}", style="dim")
    elif worth(verdict):
        title.append(f"  {wording.worth_points(verdict)}", style="dim")
    parts: list[RenderableType] = [title]
    table = facts(verdict)
    if verdict.board and not verdict.refutation:
        pair = Table.grid(padding=(0, 3, 0, 0))
        pair.add_row(Text("\n".join(drawn(verdict.board))), table)
        parts.append(pair)
    elif table.row_count:
        parts.append(table)
    parts.append(Text(verdict.reason))
    parts += [
        indented(_("line {line}", line=one.line) + f": {one.message} ({one.rule})")
        for one in verdict.findings or ()
    ]
    parts += [*games(verdict), *screen(verdict)]
    if verdict.hint and len(group) == 1:
        parts.append(_hint(verdict.hint))
    return Group(*parts)


def _hint(hint: str) -> Text:
    return Text(_("Hint: {hint}", hint=hint), style="italic")


def facts(shown: Verdict | Example, new_line: str = "\n") -> Table:
    """Return a call, what was expected and what came, a row each."""
    shown_parts = ((_("call"), shown.call), (_("expected"), shown.expected), (_("got"), shown.got))
    return grid(
        (Text(label, style="dim"), Text(value.replace("\n", new_line)))
        for label, value in shown_parts
        if value is not None
    )


def games(verdict: Verdict) -> Iterator[RenderableType]:
    """Yield the game that was lost, and the win that was missed, each below its title."""
    for label, game in ((_("The game:"), verdict.refutation), (_("The win it missed:"), verdict.missed_win)):
        if game:
            yield from (Text(label, style="dim"), indented(game_text(game)))


def screen(verdict: Verdict) -> list[RenderableType]:
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
        return _report(grade, every_case=every_case)


def _report(grade: Grade, *, every_case: bool) -> RenderableType:
    parts: list[RenderableType] = [_head(grade)]
    parts += [Text(sentence, style="bold yellow") for sentence in grade.for_a_person]
    parts += ["", *_what_came_of_it(grade)]
    items = agenda(grade)
    if grade.smileys and not grade.not_gradable:
        parts += ["", *_smileys(grade)]
    if items:
        parts += ["", Text(_("What to fix first"), style="bold")]
        for count, item in enumerate(items, 1):
            parts += ["", indented(_item(count, item, grade))]
    cost = wording.hidden_cost(grade)
    parts += ["", Text(cost, style="dim")] if cost else []
    told = any(item.name == "minimax" or any(one.refutation for one in item.shown) for item in items)
    if grade.refutation and grade.refutation.moves and not told:
        heading = Text(_("A game that beats it as it is"), style="bold")
        parts += ["", heading, indented(game_text(grade.refutation))]
    for title, lines in (
        (_(wording.COMMENTS), wording.comments_of(grade.comments, grade.answers)),
        (_("Taken off"), [one.text for one in grade.deductions]),
        (_("Not judged; these cases count neither for nor against"), wording.not_judged(grade)),
        (_("How it plays"), _tactics(grade)),
        (_("How it searches"), wording.search_sentences(grade)),
        (_("Notes"), (*grade.notes, *grade.for_instructors)),
        (_("The grader failed here; these cases count neither for nor against"), grade.grader_errors),
    ):
        if lines:
            parts += ["", Text(title, style="bold"), *map(indented, lines)]
    if every_case:
        failed = list(failures(grade))
        heading = Text(_("Every case that did not pass"), style="bold")
        parts += ["", heading, *failed] if failed else []
    parts += ["", Text(wording.closing(grade), style="dim")]
    return Group(*parts)


def _unrun(found: DoesNotRun) -> list[RenderableType]:
    """Return why a file does not run, the line with a caret, and that nothing comes before that."""
    parts: list[RenderableType] = [Text(found.sentence, style="bold red")]
    parts += [Text(line, no_wrap=True, overflow="ellipsis") for line in pointed_out(found)]
    said = lines_of(found.said or "")  # a compiler begins with what matters, and a screen ends with it
    parts += [Text("\n".join(said[-SCREEN:] if found.why is Unrun.DIES else said[:SCREEN]))] if said else []
    return [indented(part) for part in (*parts, Text(_(wording.FIX_FIRST), style="bold"))]


def _smileys(grade: Grade) -> Iterator[RenderableType]:
    """Return each check with its face; of those that need the file to run, if it does not, how many."""
    checks = [(one, verdict) for one in grade.criteria for verdict in one.verdicts]
    yield from (_smiley(one, verdict) for one, verdict in checks if not verdict.unrun)
    unrun = sum(bool(verdict.unrun) for _, verdict in checks)
    if unrun:
        needs = ngettext("{count} check needs the file to run", "{count} checks need the file to run", unrun)
        yield Text(f":| {needs}", style="yellow")


def _smiley(criterion: CriterionScore, verdict: Verdict) -> RenderableType:
    """Return a check as passed, failed, or not judged."""
    face, colour = (":)", "green") if verdict.status is Status.PASSED else (":(", "red")
    if not verdict.status.counts:
        face, colour = ":|", "yellow"
    line = Text.assemble((f"{face} {criterion.id}: {verdict.id.replace('-', ' ')}", colour))
    if verdict.status is Status.PASSED:
        return line
    points = f" ({worth(verdict)})" if worth(verdict) else ""
    return Group(line, indented(Text(verdict.reason + points, style="dim"), 5))


def _item(count: int, item: Item, grade: Grade) -> RenderableType:
    """Return one thing to fix."""
    title = Text.assemble((f"{count}. {item.name}", "bold"))
    if item.mistakes:
        title.append("  " + clauses(one.title for one in item.mistakes), style="red")
    if item.lost:
        title.append(f"  -{number(item.lost)}", style="dim")
    parts: list[RenderableType] = []
    for mistake in item.mistakes:
        if wording.beyond_title(mistake):
            parts.append(Text(wording.beyond_title(mistake)))
        if mistake.hint:
            parts.append(_hint(mistake.hint))
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


def _telling(verdict: Verdict) -> list[RenderableType]:
    """Return the case that says most, in a few lines."""
    parts: list[RenderableType] = [Text(verdict.reason)]
    if verdict.board and verdict.call and not verdict.refutation:
        expected, got = verdict.expected or "", verdict.got or ""
        parts.append(_small(Example(board=verdict.board, call=verdict.call, expected=expected, got=got)))
    elif verdict.got:
        parts.append(facts(verdict))
    findings = verdict.findings or ()
    parts += [indented(f"{one.where}: {one.message} ({one.rule})") for one in findings[:_FINDINGS]]
    if len(findings) > _FINDINGS:
        parts.append(indented(ngettext("and {count} more", "and {count} more", len(findings) - _FINDINGS)))
    parts += [*games(verdict), *([] if verdict.call else screen(verdict))]
    if verdict.hint:
        parts.append(_hint(verdict.hint))
    return parts


def _small(example: Example) -> RenderableType:
    """Return a call beside its board, in as many lines as a board has."""
    table = Table.grid(padding=(0, 3, 0, 0))
    cells = Text("\n".join(" ".join(row.replace(".", "·")) for row in example.board))
    table.add_row(cells, facts(example, " / "))
    return indented(table)


def _tactics(grade: Grade) -> list[str]:
    """Return how often minimax does what a board asks for."""
    shown = wording.shown_tactics(grade)
    width = max((cell_len(_(one.name)) for one in shown), default=0)
    lines = []
    for one in shown:
        often = ngettext(
            "on {done:>5,} of {count:>5,} board",
            "on {done:>5,} of {count:>5,} boards",
            one.boards,
            done=one.done,
        )
        beside = f", {wording.beside_it(one)}" if one.as_good else ""
        lines.append(f"{set_cell_size(_(one.name), width)}  {often}{beside}")
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
    head.append(wording.that_is(grade), style="bold")
    if grade.by_hand_points:
        left = _("{points} more for a person to judge", points=number(grade.by_hand_points))
        head.append(f"  ({left})", style="dim")
    head.append(f"\n  {wording.cases_passed(grade.tally)}", style="dim")
    if wording.what_is_right(grade):
        head.append(f"\n  {wording.what_is_right(grade)}", style="green")
    for one in grade.decisions:
        head.append(f"\n  {one}", style="bold")
    return head


def _what_came_of_it(grade: Grade) -> list[RenderableType]:
    """Return a line for each criterion, or why there is none."""
    if grade.not_gradable:
        return [indented(grade.not_gradable)]
    return _unrun(grade.does_not_run) if grade.does_not_run else [_criteria(grade)]


def _criteria(grade: Grade) -> Table:
    names = [f"  {'+ ' if criterion.bonus else ''}{criterion.id}" for criterion in grade.criteria]
    counts = [_counts(criterion, grade) for criterion in grade.criteria]
    has_hidden = any(hidden for _cases, hidden in counts)
    titles = "  " + _("cases"), "  " + (_("hidden") if has_hidden else "")
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify, width in (
        ("left", max(map(cell_len, names))),
        ("left", _BAR),
        ("right", 5),
        ("left", 5),
        ("left", max(cell_len(one) for one in (titles[0], *(cases for cases, _hidden in counts)))),
        ("left", max(cell_len(one) for one in (titles[1], *(hidden for _cases, hidden in counts)))),
    ):
        table.add_column(justify=justify, min_width=width, no_wrap=True)  # type: ignore[arg-type]
    table.add_column(style="dim", overflow="ellipsis", no_wrap=True)
    table.add_row(*([""] * 4), *(Text(title, style="dim") for title in titles), "")
    for name, criterion, count in zip(names, grade.criteria, counts, strict=True):
        table.add_row(
            name,
            _bar(criterion),
            "-" if criterion.by_hand else number(criterion.score),
            f"/ {number(criterion.points)}",
            *count,
            _given_back(criterion),
        )
    return table


def _given_back(criterion: CriterionScore) -> Text:
    """Return what a criterion is about, after what was given back to it."""
    back = _("{points} given back.", points=number(criterion.given_back)) if criterion.given_back else ""
    return Text.assemble((f"{back} " if back else "", "green"), criterion.description)


def _bar(criterion: CriterionScore) -> Text:
    share = criterion.score / criterion.points if criterion.points else 1.0
    filled = int(share * _BAR)  # rounded down: only full marks fill the bar
    colour = "green" if filled == _BAR else "yellow" if filled else "red"
    return Text.assemble(("█" * filled, colour), ("░" * (_BAR - filled), "dim"))


def _counts(criterion: CriterionScore, grade: Grade) -> tuple[str, str]:
    """Return how many cases of a criterion passed, and how many of the hidden ones."""
    if criterion.by_hand:
        return _("in the total") if grade.marked_by else _("for a person"), ""
    counts = criterion.tally.public, criterion.tally.hidden
    public, hidden = (
        _("{passed:>3} of {cases}", passed=one.passed, cases=one.cases) if one.cases else "" for one in counts
    )
    return public, hidden
