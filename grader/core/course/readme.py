"""What a README says, recognised by words in several languages, whatever their order and form."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from grader.core.messages import later
from grader.core.text import without_accents

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
    if part == "name_and_id":
        numbered = _says("id", plain, more) or re.search(r"\d{5,}", plain) is not None
        return _says("name", plain, more) and numbered
    return _says(part, plain, more)


def _says(part: str, plain: str, more: Mapping[str, tuple[str, ...]]) -> bool:
    words = (*WORDS.get(part, ()), *more.get(part, ()))
    return any(_begins(without_accents(word.casefold()), plain) for word in words)


def _begins(word: str, plain: str) -> bool:
    """Return whether a word is at the beginning of one in the text; short ones stand alone."""
    if not word[:1].isalnum():
        return word in plain
    end = r"(?!\w)" if len(word) <= 3 else ""
    return re.search(rf"(?<!\w){re.escape(word)}{end}", plain) is not None
