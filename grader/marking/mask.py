"""Hides who a student is in what the student wrote, as far as that can be told."""

import re
from collections.abc import Iterable

from grader.classroom.folder import Source
from grader.classroom.records import Record
from grader.classroom.sheet import turned

_HIDDEN = "▒▒▒"


class Mask:
    """Hides a student's name and numbers in texts and sources, and the names of all the others."""

    def __init__(self, record: Record, everybody: re.Pattern[str]) -> None:
        whole = [*turned(record.student), *record.ids.values(), record.key, record.key.replace("_", " ")]
        self._own = _pattern([*whole, record.submission])
        self._everybody = everybody
        self._parts = _pattern(re.split(r"\W+|_", record.student))

    def text(self, text: str) -> str:
        """Return a text without the names, and without the parts of the student's own."""
        return self._parts.sub(_HIDDEN, self._whole(text))

    def _whole(self, text: str) -> str:
        return self._everybody.sub(_HIDDEN, self._own.sub(_HIDDEN, text))

    def source(self, source: Source) -> Source:
        """Return a source without the name; its parts are hidden in comments and in lines of plain text.

        Everywhere else a part may be a word of the language: somebody is called Max.
        """
        helpers = tuple((name, self._lines(text)) for name, text in source.helpers)
        return Source(name=self.text(source.name), text=self._lines(source.text), helpers=helpers)

    def _lines(self, text: str) -> str:
        return "\n".join(self._line(self._whole(line)) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        code, mark, comment = line.partition("#")
        is_text = line.lstrip().startswith(('"""', "'''")) or not re.search(r"[=(\[]", line)
        return self._parts.sub(_HIDDEN, line) if is_text else code + mark + self._parts.sub(_HIDDEN, comment)


def names_of(records: Iterable[Record]) -> re.Pattern[str]:
    """Return what finds the name of anybody in a class: a copied file tells whose it was."""
    return _pattern(name for one in records for name in turned(one.student))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    known = sorted({name.strip() for name in names if len(name.strip()) > 2}, key=len, reverse=True)
    either = "|".join(map(re.escape, known)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
