"""A grade in Markdown: for a step's summary, a comment on a pull request, or the body of a release."""

import re
from html import escape
from typing import Final

from grader.places.told import Row, Told, clipped
from grader.places.words import body, points, summary, taken_off
from grader.report.text import number

_MOST: Final = 60_000
"""A comment on GitHub holds 65,536 characters."""

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~&@$^-])")


def write(told: Told) -> str:
    """Return the whole result; nothing of a submission is read as markup."""
    parts = [f"## {plain(told.grade.title)}", f"**{plain(summary(told))}**"]
    if told.grade.submission:
        parts.append(f"Submission: {plain(told.grade.submission)}")
    parts += [f"- {plain(line)}" for line in taken_off(told)]
    rows = told.judged()
    parts += [_fenced(row.text) for row in rows if row.text]
    if rows:
        table = ("| | criterion | score | points |", "|---|---|---:|---:|", *map(_line, rows))
        parts.append("\n".join(table))
    room = _MOST // (1 + sum(not row.full for row in rows))
    parts += [_details(row, room) for row in rows if row.score is not None and not row.full and not row.text]
    parts += [f"- {plain(note)}" for note in told.notes]
    return clipped("\n\n".join(parts), _MOST) + "\n"


def plain(text: str) -> str:
    """Return text on one line in which nothing is markup: no link, no mention, no HTML."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split())).replace("\\@", "@\u200b")


def _line(row: Row) -> str:
    mark = "✅" if row.full else "·" if row.score is None or row.bonus else "❌"
    score = "" if row.score is None else number(row.score)
    score += f" ({number(row.given_back)} given back)" if row.given_back else ""
    what = f"{plain(row.id)}: {plain(row.description)}{' (bonus)' if row.bonus else ''}"
    return f"| {mark} | {what} | {score} | {number(row.points)} |"


def _details(row: Row, room: int) -> str:
    """Return what there is to say about a criterion, folded."""
    title = escape(f"{row.id}: {points(row)}", quote=False)
    return f"<details><summary>{title}</summary>\n\n{_fenced(clipped(body(row), room // 2))}\n\n</details>"


def _fenced(text: str) -> str:
    """Return a text in a fence that nothing in it can close."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"
