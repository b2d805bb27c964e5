"""What strangers write is text: nothing in it steers a terminal, hides, turns around, or begins a new line.

Letters of every script, their marks, symbols and blanks stay as they are. Everything else is shown as the
escape that Python has for it: control and format characters, separators of lines, halves of characters.
"""

from collections.abc import Iterable
from typing import Final

_BLANKS: Final = frozenset("\u00a0\u1680\u202f\u205f\u3000").union(map(chr, range(0x2000, 0x200B)))
"""Blanks of other widths: Python does not count them as printable, but they are only blanks."""

_KEPT_IN_LINES: Final = _BLANKS | frozenset("\n\t")


def printable(text: str) -> str:
    """Return a stranger's text as one line that every terminal, file and form can take."""
    return text if text.isprintable() else _escaped(text, _BLANKS)


def printable_lines(text: str) -> str:
    """Return a stranger's text of several lines; they end at `\\n`, and tabs stay."""
    return text if text.isprintable() else _escaped(with_plain_ends(text), _KEPT_IN_LINES)


def _escaped(text: str, kept: Iterable[str]) -> str:
    return "".join(char if char.isprintable() or char in kept else repr(char)[1:-1] for char in text)


def with_plain_ends(text: str) -> str:
    """Return a text whose lines all end at `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as Python and linters count them: ended by `\\r\\n`, `\\r` or `\\n` alone.

    `str.splitlines` counts more of them: a form feed or U+2028 in a comment would be the end of a line too.
    """
    found = with_plain_ends(text).split("\n")
    return found if found[-1] else found[:-1]
