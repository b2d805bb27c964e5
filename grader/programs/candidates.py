"""What may be answered to a question nobody has read: what its screen offers, then usual ones."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_STRONG: Final = re.compile(
    r"impossible|unbeatable|expert|perfect|minimax|alpha|smart|hard"
    r"|diffic|difícil|dificil|master|invencible|сложн|imposs|schwer|trudn|\bzor\b|moeilijk|genius|godlike",
    re.I,
)
_COMPUTER: Final = re.compile(
    r"computer|\bai\b|\bcpu\b|machine|\bbot\b|single|one player|1 player"
    r"|ordenador|m[aá]quina|компьютер|ordinateur|\bia\b|komputer|bilgisayar|\bsolo\b",
    re.I,
)
_WEAK: Final = re.compile(
    r"easy|random|beginner|dumb|f[aá]cil|легк|leicht|facile|medium|normal|two|2 ?player|multi"
    r"|pvp|p vs p|watch|itself|another|friend|human vs\.? human|\bai vs|exit|quit|salir|rules|help"
    r"|instruct|about|выход|sortir",
    re.I,
)
_MENU: Final = re.compile(r"^\s*[\[(]?(-?\d{1,2}|[A-Za-z])[\]).:\-]+\s*\S")
_BEHIND: Final = re.compile(r"[\[(]\s*(-?\d{1,2}|[A-Za-z])\s*[\])]")
_QUOTED: Final = re.compile(
    r"(?:^|\s|\()(['\"`\u2018\u201c«])([^'\"`\u2019\u201d»\n]{1,12})['\"`\u2019\u201d»]"
)
_IN_BRACKETS: Final = re.compile(r"[\[(<]([^\[\]()<>\n]{1,40})[\])>]")
_OR: Final = r"or|или|ou|oder|eller|lub|albo|czy|veya|sau|atau"
_EITHER: Final = re.compile(rf"([^\s/|,]{{1,12}})(?:\s*[/|]\s*|\s+(?:{_OR})\s+)(?=([^\s/|,]{{1,12}}))", re.I)
_KEYED: Final = re.compile(r"(?<!\w)([^\W_]{1,2})(?:\s{0,3}=\s{0,3}|\s[-\u2013\u2014:]\s)[^\W\d_]{2}")
"""A letter or a number with what it stands for."""

_LISTED: Final = re.compile(r"^\s*(?:[*\u2022\u00b7-][)>]?|->|>)\s*([^\W\d_]{2,12})\s*$")
"""A word that is a line of a list."""

_CAPITALS: Final = re.compile(r"(?<![\w'])([^\W\d_a-z]{2,12})(?![\w'])")
_LETTER: Final = re.compile(r"(?<![\w'\u2019-])([b-hj-z])(?![\w'\u2019.-])")
"""A small letter by itself that is no word."""

_ALONE: Final = re.compile(r"(?<![\w.-])(-?\d|[XOxoYyNn])(?![\w-])")
_PARTS: Final = re.compile(rf"/|,|\||\b(?:{_OR})\b", re.I)
_USUAL: Final = ("y", "n", "1", "2", "X", "O", "x", "o", "3", "Y", "N", "yes", "no", "0", "Alex", "")
_MOST: Final = 16
_MOST_OUTSTANDING: Final = 4
_EDGES: Final = " .:;!?,()[]'\"<>"


def candidates(lines: list[str], meant: Iterable[str] = ()) -> list[str]:
    """Return what may be answered to the question in these lines, the likeliest first.

    What is offered comes before what its words mean, and that before what stands out, and what is usual.
    """
    outstanding = [one for line in lines for weak in (_CAPITALS, _LETTER) for one in weak.findall(line)]
    return list(dict.fromkeys((*offered(lines), *meant, *outstanding[-_MOST_OUTSTANDING:], *_USUAL)))


def offered(lines: list[str]) -> list[str]:
    """Return what these lines offer as an answer, the likeliest first."""
    found: dict[str, int] = {}
    for number, line in enumerate(reversed(lines)):
        for place, token in enumerate(_offered(line)):
            if 0 < len(token) <= 12 and len(token.split()) == 1:
                found.setdefault(token, 10 * _worth(line, token) + min(number, 3) + min(place, 3))
    return sorted(found, key=lambda token: found[token])[:_MOST]


def _offered(line: str) -> Iterator[str]:
    menu = _MENU.match(line)
    if menu:
        yield menu[1]
    yield from (match[1] for match in _BEHIND.finditer(line))
    yield from (match[2].strip() for match in _QUOTED.finditer(line))
    for match in _IN_BRACKETS.finditer(line):
        yield from (part.strip(_EDGES) for part in _PARTS.split(match[1]))
    for match in _EITHER.finditer(line):
        yield from (part.strip(_EDGES) for part in match.groups())
    yield from (match[1] for pattern in (_KEYED, _LISTED, _ALONE) for match in pattern.finditer(line))


def _worth(line: str, token: str) -> int:
    """Return how far back a token comes: strong computers first, then computers, the rest, what is weak."""
    around = token if len(token) > 2 else _entry(line, token)
    if _STRONG.search(around):
        return 0
    if _WEAK.search(around):
        return 4
    return 1 if _COMPUTER.search(around) else 2


def _entry(line: str, token: str) -> str:
    """Return the part of a line that tells of a token: between it and its neighbours in a row of entries."""
    parts = re.split(r"\s/\s|,|\t|\s{3,}", line)
    return next((part for part in parts if re.search(rf"(?<!\w){re.escape(token)}(?!\w)", part)), line)
