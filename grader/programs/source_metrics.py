"""What can be said of a source without running it, in any language: for the person who judges its design."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from grader.core.course.submission import Folder, Handed
from grader.core.messages import _, ngettext
from grader.core.values import lines_of
from grader.programs.recipes import SUFFIXES

_WIDE: Final = 100
_LONG: Final = 40
_MOST_LOOKS: Final = 5
_COMMENTS: Final = ("#", "//", "/*", "*", '"""', "'''")
_USUAL: Final = set("ijkxymnrcbs_")
"""Names of one letter that nobody stumbles over in this game: counters, cells, the board."""

_BEFORE: Final = re.compile(r"[A-Za-z_][\w:<>\[\],*&\s]*+")
"""What stands before the brackets of a function: its name after some words."""

_RECEIVER: Final = re.compile(r"func\s++\(\w++\s++\*?\w++\)(?=\s)")
_NAME: Final = re.compile(r"[A-Za-z_]\w*+")
_SUSPICIOUS: Final = re.compile(
    r"^\s*+(?:import|from|#\s*include|use|const|var|let)\b[^\n]{0,80}?\b(ctypes|fcntl|marshal|mmap|multiprocessing|pickle|pty"
    r"|ptrace|signal|socket|subprocess|child_process|ProcessBuilder)\b"
)
"""What a game in a terminal has little use for; it decides nothing."""

_NOT_HEADS: Final = {"if", "for", "while", "switch", "else", "catch", "return", "match", "elif", "with", "do"}
_NAMES: Final = re.compile(
    r"\b(?:int|char|bool|boolean|auto|let|var|const|String|string|float|double)\s++(?:mut\s++)?([A-Za-z])\b\s*+[=;,)]"
    r"|^[ \t]*+([A-Za-z])[ \t]*+(?::=|=)(?!=)", re.M,
)  # fmt: skip


@dataclass(frozen=True)
class _Function:
    name: str
    file: str
    line: int
    length: int


def notes_on(folder: Folder) -> list[str]:
    """Return what is worth a look, how long sources and functions are, how much is explained, short names."""
    files = [one for one in folder if one.name.lower().endswith(SUFFIXES)]
    texts = {one.name: lines_of(_text(one)) for one in files}
    written = [line for lines in texts.values() for line in lines if line.strip()]
    if not written:
        return []
    comments = sum(line.strip().startswith(_COMMENTS) for line in written)
    functions = [one for name, lines in texts.items() for one in _functions(name, lines)]
    wide = sum(len(line) > _WIDE for line in written)
    words = [
        _(
            "{lines} in {files}",
            lines=ngettext("{count} line", "{count} lines", len(written)),
            files=ngettext("{count} file", "{count} files", len(files)),
        ),
        _("{share} % of them comments", share=100 * comments // len(written)),
        ngettext("{count} function", "{count} functions", len(functions)),
    ]
    if functions:
        longest = max(functions, key=lambda one: one.length)
        words.append(
            ngettext(
                "the longest `{name}` ({place}) with {count} lines",
                "the longest `{name}` ({place}) with {count} lines",
                longest.length,
                name=longest.name,
                place=f"{longest.file}:{longest.line}",
            )
        )
        long = sum(one.length > _LONG for one in functions)
        words.append(ngettext("{count} of more than {most}", "{count} of more than {most}", long, most=_LONG))
    words.append(
        ngettext("{count} line wider than {most}", "{count} lines wider than {most}", wide, most=_WIDE)
    )
    short = sorted({name for one in files for name in _short_names(_text(one))})
    figures = ", ".join(words)
    if short:
        names = ", ".join(short)
        figures = _("{figures}; names of one letter: {names}", figures=figures, names=names)
    design = _("For the person who judges its design: {figures}.", figures=figures)
    return [*_worth_a_look(texts), design]


def _worth_a_look(texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what a person should look at, a few of them: each has an innocent use."""
    found = [
        _("Worth a look: the program uses {what} ({place}).", what=match[1], place=f"{name}:{number}")
        for name, lines in texts.items()
        for number, line in enumerate(lines, 1)
        if (match := _SUSPICIOUS.match(line))
    ]
    return found[:_MOST_LOOKS]


def _functions(name: str, lines: Sequence[str]) -> Iterator[_Function]:
    """Yield the functions of a file: from a head to where its braces, or its indentation, end."""
    ends = (_indented if PurePosixPath(name).suffix == ".py" else _braced)(lines)
    for number, line in enumerate(lines):
        head = _head(line)
        if head:
            yield _Function(head, name, number + 1, ends[number] - number)


def _head(line: str) -> str:
    """Return the name of the function that begins in a line, or nothing."""
    text = line.strip()
    if not text.endswith(("{", ":")):
        return ""
    before, bracket, after = _RECEIVER.sub("func", text, count=1).partition("(")
    words = before.split()
    if not bracket or ";" in after or len(words) < 2 or not _BEFORE.fullmatch(before):
        return ""
    is_head = _NAME.fullmatch(words[-1]) and words[-1] not in _NOT_HEADS and words[0] not in _NOT_HEADS
    return words[-1] if is_head else ""


def _indented(lines: Sequence[str]) -> list[int]:
    """Return for each line where what is indented below it ends."""
    ends, still_open, last = [number + 1 for number in range(len(lines))], list[tuple[int, int]](), 0
    for number, line in enumerate(lines):
        if line.strip():
            depth = len(line) - len(line.lstrip())
            while still_open and still_open[-1][1] >= depth:
                ends[still_open.pop()[0]] = last
            still_open.append((number, depth))
            last = number + 1
    for number, _depth in still_open:
        ends[number] = last
    return ends


def _braced(lines: Sequence[str]) -> list[int]:
    """Return for each line where the braces that it opens are closed again."""
    ends, still_open, depth = [len(lines)] * len(lines), list[tuple[int, int]](), 0
    for number, line in enumerate(lines):
        still_open.append((number, depth))
        depth += line.count("{") - line.count("}")
        while still_open and still_open[-1][1] >= depth:
            ends[still_open.pop()[0]] = number + 1
    return ends


def _short_names(text: str) -> set[str]:
    found = {first or second for first, second in _NAMES.findall(text)}
    return {name for name in found if name.lower() not in _USUAL}


def _text(one: Handed) -> str:
    return one.content.decode("utf-8", "replace")
