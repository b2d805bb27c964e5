"""Sentences in the language of the reader: gettext catalogues, and numbers as the language writes them.

A sentence stands in the code in English, as a whole and with named parameters; `scripts/messages` extracts
it. `grader/languages/pt.po` holds the sentences in Portuguese; `pt.mo` and `pt.rest.mo` hold them compiled:
what students see in a browser, and the rest. A compiled catalogue has the checksum of an English text in
place of the text, which would be half of it. A sentence that is not translated is shown in English. Names
of functions, boards and code are parameters, or stand in backquotes: they are the same in every language.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final, NamedTuple
from zlib import crc32

ENGLISH: Final = "en"
FOLDER: Final = Path(__file__).parents[1] / "languages"

_LONGEST: Final = 1_000
"""Characters of a worker's sentence that is looked up: parameters may be tried at each of them."""

Own = str | dict[str, str]
"""A text that an instructor wrote: for all languages, or by language."""


class ReadersLanguage(NamedTuple):
    """A language of readers: its code, name, direction, figures and catalogue; English needs no catalogue."""

    code: str = ENGLISH
    name: str = "English"
    direction: str = "ltr"
    figures: dict[int, str] = {}  # noqa: RUF012
    """What stands for the comma and the point of an English number."""
    catalogue: NullTranslations | None = None


_active: ContextVar[ReadersLanguage] = ContextVar("_active", default=ReadersLanguage())  # noqa: B039


def available() -> tuple[str, ...]:
    """Return the codes of all languages that there are, English first."""
    return ENGLISH, *sorted({path.name.split(".")[0] for path in FOLDER.glob("*.mo")})


@cache
def language(code: str) -> ReadersLanguage:
    """Return a language by its code; raise LookupError if there is none."""
    if code == ENGLISH:
        return ReadersLanguage()
    if code not in available():
        raise LookupError(_unknown(code))

    of = Catalogue(*(BytesIO(file.read_bytes()) for file in sorted(FOLDER.glob(f"{code}.*mo"))))
    return ReadersLanguage(
        code,
        # For translators: the language's own name
        name=of.pgettext("about this language", "English"),
        # For translators: the direction of the script, ltr or rtl
        direction=of.pgettext("about this language", "ltr"),
        figures={
            # For translators: what stands between thousands
            ord(","): of.pgettext("about this language", ","),
            # For translators: what stands before decimals
            ord("."): of.pgettext("about this language", "."),
        },
        catalogue=of,
    )


def known_code(code: str) -> str:
    """Return the code of a language that there is; raise ValueError, with all codes, for any other."""
    if code not in available():
        raise ValueError(_unknown(code))
    return code


def of_locale(environment: Mapping[str, str]) -> str:
    """Return the language that the environment of a process asks for: pt for pt_BR.UTF-8; else English."""
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = re.split(r"[_.@-]", locale)[0].lower()
    return code if code in available() else ENGLISH


def active() -> ReadersLanguage:
    """Return the language in which sentences are made now."""
    return _active.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Make sentences in a language, as long as the context is open."""
    before = _active.set(language(code))
    try:
        yield
    finally:
        _active.reset(before)


def _(sentence: str, /, **parameters: Any) -> str:
    """Return a sentence in the active language, with its parameters."""
    of = _active.get().catalogue
    return _filled(of.gettext(sentence) if of else sentence, parameters)


def ngettext(singular: str, plural: str, count: int, /, **parameters: Any) -> str:
    """Return a sentence in the form that belongs to a count, which is its parameter `count`."""
    of = _active.get().catalogue
    sentence = of.ngettext(singular, plural, count) if of else singular if count == 1 else plural
    return _filled(sentence, {"count": count, **parameters})


def pgettext(context: str, sentence: str, /, **parameters: Any) -> str:
    """Return a sentence that needs a context to be translated: one English word may be two elsewhere."""
    of = _active.get().catalogue
    return _filled(of.pgettext(context, sentence) if of else sentence, parameters)


def later(sentence: str) -> str:
    """Return the sentence itself: it is extracted here, and given to `_` where it is shown."""
    return sentence


def reworded(text: str, sentences: Sequence[str]) -> str:
    """Return a sentence of a worker, which writes English alone, in the active language if it is known.

    The sentences are those that a worker writes, with their parameters in braces.
    """
    if _active.get().catalogue is None or len(text) > _LONGEST:
        return text
    for sentence in sentences:
        if found := _pattern(sentence).fullmatch(text):
            return _(sentence, **found.groupdict())
    return text


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Return what a sentence looks like with its parameters."""
    *before, last = re.split(r"\{(\w+)\}", sentence)
    texts, names = map(re.escape, before[::2]), before[1::2]
    start = "".join(f"{text}(?P<{name}>.+?)" for text, name in zip(texts, names, strict=True))
    return re.compile(f"{start}{re.escape(last)}")


def own_text(text: Own) -> str:
    """Return what an instructor wrote, in the active language, else in English, else in the first.

    The texts of the shipped courses are in the catalogues.
    """
    if isinstance(text, str):
        return _(text) if text else ""
    return text.get(_active.get().code) or text.get(ENGLISH) or next(iter(text.values()), "")


def figure(number: str) -> str:
    """Return a number that is written as in English the way the active language writes it."""
    return number.translate(_active.get().figures)


def listing(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def enumerated(parts: Iterable[str]) -> str:
    """Return words side by side: `a, b`."""
    return pgettext("about this language", ", ").join(parts)


def clauses(parts: Iterable[str]) -> str:
    """Return clauses side by side: `it does this; it does that`."""
    return pgettext("about this language", "; ").join(parts)


def place_of(file: str | None, line: int) -> str:
    """Return a line of the submission, or of a file that came with it, in words."""
    return _("{file}, line {line}", file=file, line=line) if file else _("line {line}", line=line)


def alternatives(names: Sequence[str]) -> str:
    """Return names of which one will do: `a or b or c`."""
    return reduce(lambda names, last: _("{names} or {last}", names=names, last=last), names) if names else ""


def one_after_the_other(inputs: Sequence[str]) -> str:
    """Return what is typed, line by line: `a then b`."""
    sentence = later("{first} then {second}")
    return reduce(lambda first, second: _(sentence, first=first, second=second), inputs) if inputs else ""


def _unknown(code: str) -> str:
    return _("there is no language '{code}': there are {codes}", code=code, codes=", ".join(available()))


def _filled(sentence: str, parameters: dict[str, Any]) -> str:
    """Return a sentence with its parameters, whose numbers are written as the active language has them."""
    if not parameters:
        return sentence
    figures = _active.get().figures
    if figures:
        parameters = {
            name: _Figure(value, figures) if type(value) in (int, float) else value
            for name, value in parameters.items()
        }
    return sentence.format(**parameters)


class _Figure:
    """A number as a parameter: formatted as in English, then with the separators of the language."""

    def __init__(self, value: float, figures: dict[int, str]) -> None:
        self.value, self.figures = value, figures

    def __format__(self, spec: str) -> str:
        return format(self.value, spec).translate(self.figures)


def key(text: str, context: str = "") -> str:
    """Return what stands for an English text in a compiled catalogue."""
    return f"{crc32(f'{context}: {text}'.encode()):08x}"


class Catalogue(GNUTranslations):
    """The sentences of a language, from one or more files; what is missing is English."""

    def __init__(self, first: IO[bytes], *more: IO[bytes]) -> None:
        super().__init__(first)
        for file in more:
            self.add_fallback(GNUTranslations(file))

    def gettext(self, message: str) -> str:
        """Return a sentence."""
        return self.pgettext("", message)

    def pgettext(self, context: str, message: str) -> str:
        """Return a sentence that has a context."""
        found = super().gettext(wanted := key(message, context))
        return message if found == wanted else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form of a sentence that belongs to a count."""
        found = super().ngettext(wanted := key(msgid1), wanted, n)
        return (msgid1 if n == 1 else msgid2) if found == wanted else found
