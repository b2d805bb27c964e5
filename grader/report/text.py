"""A verdict as plain text, and the small pieces of text that reports share."""

from grader.game.board import Board, rows
from grader.grade import Verdict


def failure_text(verdict: Verdict) -> str:
    """Return the board, the call, what was expected, what came, and the reason."""
    lines: list[str] = []
    if verdict.board:
        lines += [*drawn(verdict.board), ""]
    for label, value in (("call", verdict.call), ("expected", verdict.expected), ("got", verdict.got)):
        if value is not None:
            lines.append(f"{label + ':':10}{value.replace(chr(10), chr(10) + ' ' * 10)}")
    lines.append(verdict.reason)
    lines += [
        f"  line {finding.line}: {finding.message} ({finding.rule})" for finding in verdict.findings or ()
    ]
    if verdict.hint:
        lines.append(f"Hint: {verdict.hint}")
    return "\n".join(lines)


def drawn(board: tuple[str, str, str]) -> list[str]:
    """Return a board as a small picture of five lines."""
    picture = [" " + " │ ".join(row.replace(".", " ")) + " " for row in rows(Board("".join(board)))]
    return [picture[0], "───┼───┼───", picture[1], "───┼───┼───", picture[2]]


def number(points: float) -> str:
    """Return points without needless decimals: 10, 8.7, 3.33."""
    return f"{points:.2f}".rstrip("0").rstrip(".")
