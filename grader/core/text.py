"""What strangers write is text: nothing in it steers a terminal, hides, turns around, or begins a new line.

Letters of every script, their marks, symbols and blanks stay as they are. Everything else is shown as the
escape that Python has for it: control and format characters, separators of lines, halves of characters.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from grader.core.messages import _

_CODING: Final = re.compile(rb"\A[ \t\f]*+#[^\r\n]*?coding[:=][ \t]*+([-\w.]{1,40})", re.ASCII)
"""How a coding is declared, in one of the first two lines."""

_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""How texts begin that say what they are written in; the longer mark before the one that it begins with."""

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


def source_text(source: bytes) -> str:
    """Return a source as Python reads it: by its byte order mark, or by the coding that it declares."""
    try:
        return source.decode(coding_of(source))
    except (LookupError, UnicodeError):
        return source.decode("utf-8", "replace")


def coding_of(source: bytes) -> str:
    """Return the coding of a source, by Python's name for it; raise LookupError if there is no such one."""
    for mark, coding in _BYTE_ORDER_MARKS.items():
        if source.startswith(mark):
            return coding
    for line in source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 2)[:2]:
        declared = _CODING.match(line)
        if declared:
            return codecs.lookup(declared[1].decode("ascii")).name
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


def is_wide(source: bytes) -> bool:
    """Return whether a source is in UTF-16 or UTF-32 by its byte order mark, which Python does not run."""
    return source.startswith(tuple(mark for mark, coding in _BYTE_ORDER_MARKS.items() if "8" not in coding))


def as_utf8(source: bytes) -> bytes:
    """Return a source in UTF-8, whatever it declares; raise UnicodeError if it cannot be read.

    Lines stay as they are, but for the name of the coding.
    """
    lines = source.decode(coding_of(source)).encode("utf-8", "surrogatepass").split(b"\n", 2)
    return b"\n".join([*map(_with_utf8, lines[:2]), *lines[2:]])


def _with_utf8(line: bytes) -> bytes:
    """Return a line that declares UTF-8 if it declares a coding."""
    declared = _CODING.match(line)
    return line[: declared.start(1)] + b"utf-8" + line[declared.end(1) :] if declared else line


def with_plain_ends(text: str) -> str:
    """Return a text whose lines all end at `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as Python and linters count them: ended by `\\r\\n`, `\\r` or `\\n` alone.

    `str.splitlines` counts more of them: a form feed or U+2028 in a comment would be the end of a line too.
    """
    found = with_plain_ends(text).split("\n")
    return found if found[-1] else found[:-1]


def percent(share: float) -> str:
    """Return a share in per cent: never all where something is missing, never none where there is some."""
    of_all = min(99.0, max(1.0, 100 * share)) if 0 < share < 1 else 100 * share
    return _("{share:.0f} %", share=of_all)


def joined(words: list[str]) -> str:
    """Return words as a sentence lists them: a, b and c."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def without_accents(text: str) -> str:
    """Return a text with plain letters in the place of those with accents.

    Accents that stand alone go first: a heap of them takes the square of its size to sort.
    """
    if text.isascii():
        return text
    letters = "".join(char for char in text if not unicodedata.combining(char))
    apart = unicodedata.normalize("NFKD", letters)
    return "".join(char for char in apart if not unicodedata.combining(char))
