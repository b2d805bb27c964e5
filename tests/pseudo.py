"""A language for tests: every letter of an English sentence of ours becomes another one."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from html.parser import HTMLParser
from string import ascii_letters
from unittest.mock import patch

from grader.core import messages
from grader.core.messages import ReadersLanguage

CODE = "qq"
_LETTERS = str.maketrans({letter: chr(0x0410 + number) for number, letter in enumerate(ascii_letters)})
_KEPT = re.compile(r"({[^}]*}|`[^`]*`)")
_SPOKEN = "aria-label", "title", "alt", "placeholder"


def pseudo(sentence: str) -> str:
    """Return a sentence with other letters; parameters, and what stands in backquotes, stay."""
    parts = _KEPT.split(sentence)
    return "".join(part if _KEPT.fullmatch(part) else part.translate(_LETTERS) for part in parts)


class Catalogue(NullTranslations):
    """Has every sentence."""

    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return pseudo(message)


LANGUAGE = ReadersLanguage(CODE, "?", "rtl", {ord(","): ".", ord("."): ","}, Catalogue())


@contextmanager
def known() -> Iterator[None]:
    """Have the language among those that there are."""
    real = messages.language
    with patch.object(messages, "language", lambda code: LANGUAGE if code == CODE else real(code)):
        yield


class _Shown(HTMLParser):
    """Collects what a page shows, or says to a screen reader."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.texts += [value or "" for name, value in attrs if name in _SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in ("script", "style"):
            self.texts.append(data)


def shown(page: str) -> str:
    """Return what a page shows as text."""
    return "\n".join(_Shown(page).texts)


def english(text: str, *known: str) -> list[str]:
    """Return the English words of a text, but for those that are known: names and ids."""
    return [word for word in re.findall("[A-Za-z]{2,}", text) if word not in known]
