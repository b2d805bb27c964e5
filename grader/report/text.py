"""A verdict as plain text, and the small pieces of text that reports share."""

from io import StringIO
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from grader.core.evidence import DoesNotRun, PlayedGame
from grader.core.game.board import Board, rows
from grader.core.grade import Verdict
from grader.core.text import lines_of, printable_lines

if TYPE_CHECKING:
    from rich.console import RenderableType


def failure_text(verdict: Verdict) -> str:
    """Return the reason (pytest's summary shows the first line), the board, the call and what came of it."""
    lines = [verdict.reason]
    if verdict.board:
        lines += ["", *drawn(verdict.board), ""]
    for label, value in (("call", verdict.call), ("expected", verdict.expected), ("got", verdict.got)):
        if value is not None:
            lines.append(f"{label + ':':10}{value.replace(chr(10), chr(10) + ' ' * 10)}")
    lines += [f"  {finding.where}: {finding.message} ({finding.rule})" for finding in verdict.findings or ()]
    for line in (verdict.refutation, verdict.missed_win):
        lines += [game_text(line)] if line else []
    if verdict.hint:
        lines.append(f"Hint: {verdict.hint}")
    if verdict.points is not None:
        lines.append(f"{'points:':10}{worth(verdict)}")
    return "\n".join(lines)


def worth(verdict: Verdict) -> str:
    """Return what a case earned of its points: 0 of 5.2; nothing for one that does not count."""
    if verdict.points is None or verdict.score is None:
        return ""
    return shares(verdict.score, verdict.points, verdict.given_back or 0.0)


def shares(score: float, points: float, given_back: float, what: str = "") -> str:
    """Return what was earned of some points, in a few words."""
    back = f", {number(given_back)} of them given back" if number(given_back) != "0" else ""
    return f"{number(score)} of {number(points)}{what}{back}"


def pointed_out(found: DoesNotRun) -> list[str]:
    """Return the line at which a file fails, with a caret under the place or under all of it."""
    if not found.text:
        return []
    start = len(found.text) - len(found.text.lstrip()) if found.column is None else found.column - 1
    marks = _width(found.text[start:]) if found.column is None else 1
    margin = f"{found.line} | "
    blank = f"{'| ':>{len(margin)}}"
    return [margin + found.text, blank + " " * _width(found.text[:start]) + "^" * marks]


def _width(text: str) -> int:
    """Return how many columns a text takes: some characters take two, some are put on others."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def drawn(board: tuple[str, str, str]) -> list[str]:
    """Return a board as a small picture of five lines."""
    picture = [" " + " │ ".join(row.replace(".", " ")) + " " for row in rows(Board("".join(board)))]
    return [picture[0], "───┼───┼───", picture[1], "───┼───┼───", picture[2]]


def game_text(line: PlayedGame, per_row: int = 8) -> str:
    """Return a game as small boards side by side, each with the move that led to it."""
    titles = ["start", *(f"{move.by} {move.row},{move.column}" for move in line.moves)]
    blocks = []
    for start in range(0, len(line.boards), per_row):
        boards = line.boards[start : start + per_row]
        rows_of_text = ["".join(f"{title:<8}" for title in titles[start : start + per_row])]
        rows_of_text += ["".join(f"{' '.join(board[i]):<8}" for board in boards) for i in range(3)]
        blocks.append("\n".join(row.rstrip() for row in rows_of_text))
    return "\n\n".join(blocks)


def as_text(report: "RenderableType", width: int = 124) -> str:
    """Return a report without colour, for files and pipes."""
    from rich.console import Console  # pages need none of it, and are made where it is not

    console = Console(file=StringIO(), width=width, highlight=False, emoji=False, color_system=None)
    with console.capture() as capture:
        console.print(report)
    return "".join(line.rstrip() + "\n" for line in lines_of(printable_lines(capture.get())))


def show(report: "RenderableType") -> None:
    """Print a report: with colour for a terminal, as plain text for a pipe."""
    from rich.console import Console  # see above

    console = Console(highlight=False, emoji=False)
    if console.is_terminal:
        console.print(report)
    else:
        print(as_text(report), end="")


def number(points: float) -> str:
    """Return points without needless decimals: 10, 8.7, 3.33."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it: 3.7 s, 23 ms, 320 µs."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
