"""Recognise what a file is by its content, whatever its name: source text, a notebook, a README's sections.

A file without text is not graded, and left to a person.
"""

import codecs
import json
import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from grader.core.game.oracle import FUNCTIONS
from grader.core.messages import _, later
from grader.core.values import Frozen, as_utf8, coding_of, is_wide, lines_of, with_plain_ends, without_accents

NOTEBOOK_SUFFIX: Final = ".ipynb"
_MARKS: Final = (b'"nbformat"', b'"cells"')
_MAGIC: Final = ("%", "!", "?")  # how lines begin that are for the notebook and no Python
_HARMLESS: Final = ("%%time", "%%timeit", "%%capture")  # magics of a whole cell that is still Python


def has_functions(source: str) -> bool:
    """Return whether any function of the assignment is defined in a source."""
    starts = tuple(f"def {name}(" for name in FUNCTIONS)
    return any(line.startswith(starts) for line in lines_of(source))


def is_notebook(raw: bytes) -> bool:
    """Return whether a file is a notebook's JSON, whatever it is called."""
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and any(mark in raw for mark in _MARKS)


def code_of_notebook(raw: bytes) -> str | None:
    """Return the code of a notebook, each cell after a comment with its number; None if it cannot be read."""
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        return None
    texts = [(number, _code(cell)) for number, cell in enumerate(cells, 1)]
    return "".join(f"# Cell {number}\n{text}\n" for number, text in texts if text.strip())


def _code(cell: Any) -> str:
    """Return what a cell holds of Python: nothing if it is text, or for another language."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    given = cell.get("source", "")
    text = "".join(part for part in (given if isinstance(given, list) else [given]) if isinstance(part, str))
    lines = lines_of(with_plain_ends(text))
    if lines and lines[0].startswith("%%") and not lines[0].startswith(_HARMLESS):
        return ""
    return "\n".join(f"# {line}" if line.startswith(_MAGIC) else line for line in lines)


_PLAIN_CODINGS: Final = (
    *("utf-8", "ascii", "iso8859", "cp", "koi8", "mac", "gb", "big5", "shift_jis", "euc", "iso2022", "johab"),
    *("tis-620", "ptcp", "hp-", "kz"),
)
"""What editors have written in; other codings hide code in comments, or take for ever."""

_KINDS: Final = {
    b"%PDF-": later("a PDF document"),
    b"\x89PNG\r\n": later("an image (PNG)"),
    b"\xff\xd8\xff": later("an image (JPEG)"),
    b"GIF87a": later("an image (GIF)"),
    b"GIF89a": later("an image (GIF)"),
    b"BM": later("an image (BMP)"),
    b"RIFF": later("an image or a film"),
    b"PK\x03\x04": later("a zip archive"),
    b"PK\x05\x06": later("an empty zip archive"),
    b"\x1f\x8b": later("a compressed archive (gzip)"),
    b"Rar!": later("an archive (RAR)"),
    b"7z\xbc\xaf": later("an archive (7z)"),
    b"\xd0\xcf\x11\xe0": later("an old Office document"),
    b"{\\rtf": later("a document of a word processor (RTF)"),
    b"\x7fELF": later("a compiled program"),
    b"MZ": later("a compiled program"),
    b"<!doctype html": later("a web page"),
    b"<html": later("a web page"),
}
"""How files begin that are no Python; tags in small letters."""

_OFFICE: Final = {
    b"word/": later("a Word document"),
    b"xl/": later("an Excel file"),
    b"ppt/": later("a PowerPoint file"),
}
"""What is in the archives that are documents."""

_TEXTS: Final = (b"BM", b"MZ", b"RIFF")
"""Beginnings that a text may have, too: they mean something else only before what is no text."""

_NOT_IN_TEXT: Final = bytes({*range(32)} - {*b"\t\n\v\f\r\x1b"})
_FEW, _RARE = 4, 15
"""A text has at most `_FEW` of these bytes, or at most one in `_RARE`."""

_LOOKED_AT: Final = 4_096
MOST_OF_A_NOTEBOOK: Final = 5_000_000
"""Bytes of a notebook, which has pictures in it; its code is held against the limit of a source."""


class Read(Frozen):
    """A file that was read: its text for Python, or the sentence on why there is none."""

    source: bytes
    problem: str | None = None
    is_gradable: bool = True
    """Whether the problem is the file's own; if not, it decides no score."""
    note: str = ""


def read_source(raw: bytes, size: int, max_kb: int, *, notebooks: bool = False) -> Read:
    """Return what a file holds, read up to a limit."""
    if is_notebook(raw):
        return _notebook(raw, max_kb, notebooks)
    raw = raw[: max_kb * 1000 + 1]
    if kind := _kind(raw):
        sentence = later(
            "The file is {kind}, whatever it is called: the Python file itself has to be handed in."
        )
        return Read(raw, _(sentence, kind=_(kind)), is_gradable=False)
    try:
        source = as_utf8(raw) if is_wide(raw) else raw
    except UnicodeError:
        sentence = _("The file begins like UTF-16 text, but cannot be read as such: save it as UTF-8.")
        return Read(raw, sentence, is_gradable=False)
    note = _("The file is UTF-16 text, which Python does not run as it is: it was read as if saved as UTF-8.")
    return Read(source, problem_of(source, size, max_kb), note=note if is_wide(raw) else "")


def problem_of(source: bytes, size: int, max_kb: int, name: str = "") -> str | None:
    """Return the sentence for a file that Python would refuse, or that is not meant to be graded.

    It is about the submission's file, or about a module beside it by its name.
    """
    what = name or _("The file")
    if len(source) > max_kb * 1000:
        sentence = later("{what} has {size:.1f} MB; at most {most:g} MB are read.")
        return _(sentence, what=what, size=size / 1e6, most=max_kb / 1000)
    if not source.strip():
        return _("{what} is empty.", what=what)
    if b"\0" in source:
        sentence = later("{what} holds a null byte (line {line}), so it is not text: save it as UTF-8.")
        return _(sentence, what=what, line=_line(source, source.index(b"\0")))
    try:
        coding = coding_of(source)
        if coding == "utf-8":
            source.decode(coding)
    except LookupError:
        return None  # Python itself says so, with the line
    except UnicodeDecodeError as error:
        sentence = later("{what} is not UTF-8 text (line {line}): save it as UTF-8.")
        return _(sentence, what=what, line=_line(source, error.start))
    if not coding.startswith(_PLAIN_CODINGS):
        sentence = later(
            "{what} declares the coding {coding}, in which text is not what it seems: save it as UTF-8."
        )
        return _(sentence, what=what, coding=coding)
    return None


def _notebook(raw: bytes, max_kb: int, graded: bool) -> Read:
    """Return the code cells of a notebook, if it is to be graded and there is something to grade."""
    found = code_of_notebook(raw[: MOST_OF_A_NOTEBOOK + 1]) if graded else None
    if found and has_functions(found):
        source = found.encode("utf-8", "replace")
        note = _(
            "The file is a notebook: its code cells were graded, and lines count over them from the first."
        )
        return Read(source, problem_of(source, len(source), max_kb), note=note)
    sentence = _("The file is a notebook: its code has to be handed in as a Python file.")
    if graded and found is None:
        sentence = _("The file is a notebook, and it cannot be read.")
    elif graded:
        sentence = _("The file is a notebook, and none of its cells defines a function of the assignment.")
    return Read(raw[: max_kb * 1000 + 1], sentence, is_gradable=False)


def _kind(raw: bytes) -> str:
    """Return what a file is that is no text of Python, or nothing."""
    start = raw[:_LOOKED_AT].removeprefix(codecs.BOM_UTF8).lstrip()
    is_text = b"\0" not in raw[:_LOOKED_AT]
    for begins, kind in _KINDS.items():
        head = start[: len(begins)].lower() if begins.startswith(b"<") else start[: len(begins)]
        if head == begins and not (is_text and begins in _TEXTS):
            inside = (named for part, named in _OFFICE.items() if part in raw)
            return next(inside, kind) if begins == b"PK\x03\x04" else kind
    odd = len(start) - len(start.translate(None, _NOT_IN_TEXT))
    return "" if is_wide(raw) or odd <= _FEW or odd * _RARE <= len(start) else later("binary data")


def _line(source: bytes, at: int) -> int:
    """Return the number of the line in which a byte stands."""
    return len((source[:at] + b".").splitlines())  # of bytes it ends them where Python does


Part = Literal["name_and_id", "approach", "challenges", "alpha_beta", "screenshots"]

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "name": ("name", "nome", "nombre", "nom", "author", "autor", "auteur", "student", "الاسم", "الطالب"),
    "id": (
        "id", "student number", "matricula", "numero de estudante", "numero de estudiante", "numero etudiant",
        "carne", "carnet", "matrikel", "matrikelnummer", "الرقم الجامعي", "رقم الطالب", "الرقم",
    ),
    "approach": (
        "approach", "how it works", "implementation", "method", "algorithm", "abordagem", "implementacao",
        "metodologia", "algoritmo", "enfoque", "planteamiento", "implementacion", "approche", "demarche",
        "methode", "algorithme", "ansatz", "vorgehen", "umsetzung", "algorithmus",
        "النهج", "الطريقة", "الخوارزمية",
    ),
    "challenges": (
        "challenge", "difficult", "problem", "obstacle", "desafio", "dificuldade", "reto", "dificultad",
        "defi", "difficulte", "probleme", "herausforderung", "schwierigkeit",
        "التحديات", "الصعوبات", "المشاكل",
    ),
    "alpha_beta": (
        "alpha-beta", "alpha beta", "alphabeta", "alfa-beta", "alfa beta", "poda", "pruning", "elagage",
        "beschneid", "ألفا بيتا", "ألفا-بيتا",
    ),
    "screenshots": ("![", "screenshot", "captura", "capture d", "bildschirm", "لقطة"),
}  # fmt: skip
"""Beginnings of words, in English, Portuguese, Spanish, French, German and Arabic, without accents."""


PARTS: Final = (
    later("name and id"),
    later("approach"),
    later("challenges"),
    later("alpha beta"),
    later("screenshots"),
)
"""The parts of a README."""


def has(part: str, text: str, more: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a part is recognised; `more` are words that a course adds, by part."""
    plain = without_accents(text.casefold())
    if part != "name_and_id":
        return _has_word(part, plain, more)
    return _has_word("name", plain, more) and (
        _has_word("id", plain, more) or bool(re.search(r"\d{5,}", plain))
    )


def _has_word(part: str, plain: str, more: Mapping[str, tuple[str, ...]]) -> bool:
    words = (*WORDS.get(part, ()), *more.get(part, ()))
    return any(_stands_in(without_accents(word.casefold()), plain) for word in words)


def _stands_in(word: str, plain: str) -> bool:
    """Return whether a word is at the beginning of one in the text; short ones stand alone."""
    if not word[:1].isalnum():
        return word in plain
    end = r"(?!\w)" if len(word) <= 3 else ""
    return re.search(rf"(?<!\w){re.escape(word)}{end}", plain) is not None
