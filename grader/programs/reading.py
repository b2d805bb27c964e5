"""What can be said of a source without running it, in any language: for the person who judges its design."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from grader.course.hand_in import Folder, Handed
from grader.programs.languages import SUFFIXES
from grader.programs.told import many
from grader.text import lines_of

_WIDE: Final = 100
_LONG: Final = 40
_USUAL: Final = set("ijkxymnrcbs_")
"""Names of one letter that nobody stumbles over in this game: counters, cells, the board."""

_HEAD: Final = re.compile(
    r"^\s*(?:(?:public|private|protected|static|final|inline|const|async|export|pub|unsigned)\s+)*"
    r"(?:def|fn|func|function|[A-Za-z_][\w:<>\[\],*&\s]*?)\s+(?:\(\w+\s+\*?\w+\)\s+)?([A-Za-z_]\w*)\s*\([^;]*\)?[^;]*(\{|:)\s*$"
)
_NOT_HEADS: Final = {"if", "for", "while", "switch", "else", "catch", "return", "match", "elif", "with", "do"}
_NAMES: Final = re.compile(
    r"\b(?:int|char|bool|boolean|auto|let|var|const|String|string|float|double)\s+(?:mut\s+)?([A-Za-z])\b\s*[=;,)]"
    r"|^\s*([A-Za-z])\s*(?::=|=)(?!=)", re.M,
)  # fmt: skip


@dataclass(frozen=True)
class _Function:
    name: str
    file: str
    line: int
    length: int


def notes_on(folder: Folder) -> list[str]:
    """Return how long sources and functions are, how much is explained, and which names are short."""
    files = [one for one in folder if one.name.lower().endswith(SUFFIXES)]
    texts = {one.name: lines_of(_text(one)) for one in files}
    written = [line for lines in texts.values() for line in lines if line.strip()]
    if not written:
        return []
    comments = sum(map(_explains, written))
    functions = [one for name, lines in texts.items() for one in _functions(name, lines)]
    wide = sum(len(line) > _WIDE for line in written)
    words = [
        f"{many(len(written), 'line')} in {many(len(files), 'file')}",
        f"{100 * comments // len(written)} % of them comments",
        many(len(functions), "function"),
    ]
    if functions:
        longest = max(functions, key=lambda one: one.length)
        words.append(
            f"the longest `{longest.name}` ({longest.file}:{longest.line}) with {longest.length} lines"
        )
        words.append(f"{sum(one.length > _LONG for one in functions)} of more than {_LONG}")
    words.append(f"{many(wide, 'line')} wider than {_WIDE}")
    short = sorted({name for one in files for name in _short_names(_text(one))})
    named = f"; names of one letter: {', '.join(short)}" if short else ""
    return [f"For whoever judges its design: {', '.join(words)}{named}."]


def _explains(line: str) -> bool:
    return line.strip().startswith(("#", "//", "/*", "*", '"""', "'''"))


def _functions(name: str, lines: Sequence[str]) -> Iterator[_Function]:
    """Yield the functions of a file: from a head to where its braces, or its indentation, end."""
    indented = PurePosixPath(name).suffix == ".py"
    for number, line in enumerate(lines):
        head = _HEAD.match(line)
        if head and head[1] not in _NOT_HEADS and line.split("(")[0].split()[0] not in _NOT_HEADS:
            length = (_indented if indented else _braced)(lines[number:])
            yield _Function(head[1], name, number + 1, length)


def _indented(lines: Sequence[str]) -> int:
    depth = len(lines[0]) - len(lines[0].lstrip())
    last = 1
    for number, line in enumerate(lines[1:], 2):
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        last = number if line.strip() else last
    return last


def _braced(lines: Sequence[str]) -> int:
    depth = 0
    for number, line in enumerate(lines, 1):
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            return number
    return len(lines)


def _short_names(text: str) -> set[str]:
    found = {first or second for first, second in _NAMES.findall(text)}
    return {name for name in found if name.lower() not in _USUAL}


def _text(one: Handed) -> str:
    return one.content.decode("utf-8", "replace")
