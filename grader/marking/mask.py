"""Hides who a student is in what the student wrote, as far as that can be told."""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final

from grader.classroom.folder import Source
from grader.classroom.records import Record
from grader.classroom.sheet import folded, turned
from grader.core.grade import Grade
from grader.core.plain import plain, value_of

_HIDDEN: Final = "▒▒▒"
_CODES: Final = ("schema", "id", "code", "status", "function", "aspect", "policy", "instead", "visibility")
"""What a grade has by the grader's own names."""


class Mask:
    """Hides a student's name and numbers in texts and sources, and the names of all the others."""

    def __init__(self, record: Record, everybody: re.Pattern[str]) -> None:
        whole = [*turned(record.student), *record.ids.values(), record.key, record.key.replace("_", " ")]
        self._own = _pattern([*whole, record.submission])
        self._everybody = everybody
        self._parts = _pattern(re.split(r"\W+|_", record.student), apart=True)

    def text(self, text: str) -> str:
        """Return a text without the names, and without the parts of the student's own."""
        return _hide(self._parts, self.whole(text))

    def whole(self, text: str) -> str:
        """Return a text without the whole names."""
        return _hide(self._everybody, _hide(self._own, text))

    def grade(self, grade: Grade) -> Grade:
        """Return a grade without the whole names in whatever it shows."""
        return value_of(Grade, self._data(plain(grade)))

    def _data(self, data: Any) -> Any:
        if isinstance(data, str):
            return self.whole(data)
        if isinstance(data, list | tuple):
            return [self._data(one) for one in data]
        if isinstance(data, dict):
            return {key: one if key in _CODES else self._data(one) for key, one in data.items()}
        return data

    def source(self, source: Source) -> Source:
        """Return a source without the name; its parts are hidden in comments and in lines of plain text.

        The file has a neutral name, for a student's can be written in many ways in it.
        Everywhere else a part may be a word of the language: somebody is called Max.
        """
        helpers = tuple((self.text(name), self._lines(text)) for name, text in source.helpers)
        name = f"submission{PurePath(source.name).suffix}"
        return Source(name=name, text=self._lines(source.text), helpers=helpers)

    def _lines(self, text: str) -> str:
        return "\n".join(self._line(self.whole(line)) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        code, mark, comment = line.partition("#")
        is_text = line.lstrip().startswith(('"""', "'''")) or not re.search(r"[=(\[]", line)
        return _hide(self._parts, line) if is_text else code + mark + _hide(self._parts, comment)


def names_of(records: Iterable[Record]) -> re.Pattern[str]:
    """Return what finds the name of anybody in a class: a copied file tells whose it was."""
    return _pattern(name for one in records for name in turned(one.student))


def _hide(pattern: re.Pattern[str], text: str) -> str:
    """Return a text without what a pattern finds in it, however its accents are written, or left out."""
    if text.isascii():  # most are: there is nothing to fold
        return pattern.sub(_HIDDEN, text)
    parts = [folded(sign) for sign in text]
    starts = [at for at, part in enumerate(parts) for _ in part]
    hidden, end = [], 0
    for match in pattern.finditer("".join(parts)):
        first, last = starts[match.start()], starts[match.end() - 1]
        hidden += [text[end:first], _HIDDEN]
        end = last + 1
        while end < len(text) and not parts[end]:  # an accent of its own
            end += 1
    return "".join([*hidden, text[end:]])


def _pattern(names: Iterable[str], *, apart: bool = False) -> re.Pattern[str]:
    """Return what finds names; digits and underscores may follow one, unless it has to stand apart."""
    known = sorted({folded(name.strip()) for name in names if len(name.strip()) > 2}, key=len, reverse=True)
    either = "|".join(map(re.escape, known)) or "(?!)"
    letter = r"\w" if apart else r"[^\W\d_]"
    return re.compile(rf"(?<!{letter})(?:{either})(?!{letter})", re.IGNORECASE)
