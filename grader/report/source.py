"""A submission's source as lines of HTML, highlighted; it is read, and never run."""

import time
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final

from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import PythonLexer, TextLexer, find_lexer_class_for_filename
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

from grader.core.text import printable_lines, source_text, with_plain_ends

_MOST: Final = 30_000
"""Characters of a source that are shown."""

_WIDEST: Final = 500
_SECONDS: Final = 1.0
"""Of processor time, for one source: some lexers take the square of what they are given."""

_PYTHON: Final = (".py", ".ipynb")
"""Suffixes of what is Python: of a notebook the code of its cells is shown."""

_CLASSES: Final = {
    Keyword: "k",
    Operator.Word: "k",
    String: "s",
    Comment: "c",
    Number: "m",
    Name.Function: "d",
    Name.Class: "d",
}
"""Kinds of tokens that stand out; everything else is plain, which keeps pages small."""


@lru_cache(maxsize=16)
def highlighted(source: bytes | str, name: str = "tictactoe.py") -> tuple[Markup, ...]:
    """Return the lines of a source; what is too long is cut, and says so.

    A submission gets two pages, so the last ones are remembered.
    """
    text = with_plain_ends(source if isinstance(source, str) else source_text(source))
    lines = list(_cut(text[:_MOST].split("\n")))
    if len(text) > _MOST:
        lines.append("… (the rest is not shown)")
    html = "".join(_marked("\n".join(map(printable_lines, lines)), name))
    return tuple(Markup(line) for line in html.split("\n"))


def _cut(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if len(line) <= _WIDEST else line[:_WIDEST] + "…"


def _marked(text: str, name: str) -> Iterator[str]:
    """Yield the text as HTML; a token of several lines is marked on each."""
    styled = ((_style(kind), value) for kind, value in tokens(text, name))
    for style, together in groupby(styled, key=itemgetter(0)):
        whole = "".join(value for _, value in together)
        for number, part in enumerate(escape(whole, quote=False).split("\n")):
            if number:
                yield "\n"
            if part:
                yield f'<span class="{style}">{part}</span>' if style else part


def tokens(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """Yield the text in parts, each with its kind; what a lexer takes too long for is plain text."""
    began, done = time.process_time(), 0
    for at, kind, value in _lexer(PurePath(name).suffix).get_tokens_unprocessed(text):
        yield kind, value
        done = at + len(value)
        if time.process_time() - began > _SECONDS:
            break
    yield Text, text[done:]


@cache
def _lexer(suffix: str) -> Lexer:
    """Return what knows the words of a language."""
    kind = PythonLexer if suffix in _PYTHON else find_lexer_class_for_filename(f"source{suffix}") or TextLexer
    lexer: Lexer = kind(stripnl=False, ensurenl=False)
    return lexer


@cache
def _style(kind: Any) -> str:
    return next((name for family, name in _CLASSES.items() if kind in family), "")
