"""Single cases in the terminal: every one that did not pass, with its board, its points and its games."""

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.core.evidence import Example
from grader.core.grade import Grade, Status, Verdict
from grader.core.text import lines_of
from grader.report.text import drawn, game_text, worth

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


def _failure(group: list[tuple[str, Verdict]]) -> RenderableType:
    criterion, verdict = group[0]
    title = Text.assemble((f"{criterion}/{verdict.id}", "bold"), "  ")
    title.append(verdict.status.replace("_", " "), style=_COLOUR[verdict.status])
    if len(group) > 1:
        others = sorted({name for name, _ in group})
        title.append(f"  and {len(group) - 1} more in {', '.join(others)}", style="dim")
    elif worth(verdict):
        title.append(f"  {worth(verdict)} points", style="dim")
    parts: list[RenderableType] = [title]
    table = facts(verdict)
    if verdict.board and not verdict.refutation:
        pair = Table.grid(padding=(0, 3, 0, 0))
        pair.add_row(Text("\n".join(drawn(verdict.board))), table)
        parts.append(pair)
    elif table.row_count:
        parts.append(table)
    parts.append(Text(verdict.reason))
    parts += [indented(f"line {one.line}: {one.message} ({one.rule})") for one in verdict.findings or ()]
    parts += [*games(verdict), *screen(verdict)]
    if verdict.hint and len(group) == 1:
        parts.append(Text(f"Hint: {verdict.hint}", style="italic"))
    return Group(*parts)


def facts(shown: Verdict | Example, new_line: str = "\n") -> Table:
    """Return a call, what was expected and what came, a row each."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for label, value in (("call", shown.call), ("expected", shown.expected), ("got", shown.got)):
        if value is not None:
            table.add_row(Text(label, style="dim"), Text(value.replace("\n", new_line)))
    return table


def games(verdict: Verdict) -> Iterator[RenderableType]:
    """Yield the game that was lost, and the win that was missed, each below its title."""
    for label, game in (("The game", verdict.refutation), ("The win it missed", verdict.missed_win)):
        if game:
            yield from (Text(f"{label}:", style="dim"), indented(game_text(game)))


def screen(verdict: Verdict) -> list[RenderableType]:
    """Return the last lines of what was seen in a program's terminal."""
    if not verdict.transcript:
        return []
    lines = lines_of(verdict.transcript)[-SCREEN:]
    return [Text("Its screen at the end:", style="dim"), indented("\n".join(lines))]
