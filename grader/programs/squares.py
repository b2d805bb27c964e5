"""How a square is typed: families of texts and numberings, and names that a program gives its squares itself.

Where marks appear tells them apart.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Final

from grader.core.messages import later


class Family(StrEnum):
    """Families of texts for a move, the most usual first."""

    NUMBER = later("a number")
    PAIR = later("two numbers")
    LINES = later("two numbers, one after the other")
    COMMA = later("two numbers with a comma")
    LETTER = later("a letter and a number")
    CAPITAL = later("a capital letter and a number")
    CAPITAL_APART = later("a capital letter and a number with a space")
    BRACKETS = later("two numbers with a comma, in brackets")
    TOGETHER = later("two numbers together")
    NUMBER_FIRST = later("a number and a letter")
    ONE_LETTER = later("a letter")
    LETTER_APART = later("a letter and a number with a space")
    CAPITAL_LINES = later("a capital letter and a number, one after the other")
    LETTER_LINES = later("a letter and a number, one after the other")
    WORDS = later("the words for a square")


@dataclass(frozen=True)
class Scheme:
    """One way to type squares: the lines for each of the nine, row by row."""

    name: str
    family: Family
    lines: tuple[tuple[str, ...], ...]

    def typed(self, cell: int) -> tuple[str, ...]:
        """Return the lines to type for a cell."""
        return self.lines[cell]

    def confirmed(self, answer: str) -> "Scheme":
        """Return the same where each square is confirmed."""
        return replace(self, lines=tuple((*lines, answer) for lines in self.lines))

    def cell(self, lines: tuple[str, ...]) -> int | None:
        """Return the cell that is meant by these lines, or None."""
        return self.lines.index(lines) if lines in self.lines else None


_BETWEEN: Final = re.compile(r"[,;/|│┃║\t]|\s\s|\s(?:and|or|y|e|et|ou|und|oder|и|или)\s")
_NUMBER: Final = re.compile(r"(?:[-*•]|\d[.):])\s")
_NAME: Final = re.compile(r"[^\W\d_]{1,12}(?:[ _-][^\W\d_]{1,12}){0,2}")
_FEWEST: Final = 14
"""Letters in nine names: what has fewer is no list of words."""

_EDGES: Final = " .:!'\"()[]"
_MOST_LINES: Final = 60
_NOT_LISTED: Final = "?"
_TOKEN: Final = re.compile(r"[^\W_]+")
_ALL_NINE: Final = ("123456789", "012345678")
_DARING: Final = frozenset("03456789cC")
"""Signs that are not legal in every numbering."""

_PLACES: Final = [divmod(cell, 3) for cell in range(9)]
_NUMBERS: Final = {
    "1-9": [str(cell + 1) for cell in range(9)],
    "0-8": [str(cell) for cell in range(9)],
    "keypad": [str(3 * (2 - row) + column + 1) for row, column in _PLACES],
    "1-9 by columns": [str(3 * column + row + 1) for row, column in _PLACES],
}
_PAIRS: Final = {
    "row column 0": [(row, column) for row, column in _PLACES],
    "row column 1": [(row + 1, column + 1) for row, column in _PLACES],
    "column row 0": [(column, row) for row, column in _PLACES],
    "column row 1": [(column + 1, row + 1) for row, column in _PLACES],
    "column row 1 from below": [(column + 1, 3 - row) for row, column in _PLACES],
    "column row 0 from below": [(column, 2 - row) for row, column in _PLACES],
    "row column 1 from below": [(3 - row, column + 1) for row, column in _PLACES],
}
_LETTERS: Final = {
    "letter row": [f"{'abc'[row]}{column + 1}" for row, column in _PLACES],
    "letter column": [f"{'abc'[column]}{row + 1}" for row, column in _PLACES],
    "letter column from below": [f"{'abc'[column]}{3 - row}" for row, column in _PLACES],
}
_SIDES: Final = ("left", "center", "right")
_LEVELS: Final = ("top", "middle", "bottom")
_IN_WORDS: Final = [f"{_LEVELS[row]} {('left', 'middle', 'right')[column]}" for row, column in _PLACES]
_OTHERS: Final = {
    "number row": (Family.NUMBER_FIRST, [f"{row + 1}{'abc'[column]}" for row, column in _PLACES]),
    "number row, capital": (Family.NUMBER_FIRST, [f"{row + 1}{'ABC'[column]}" for row, column in _PLACES]),
    "letters": (Family.ONE_LETTER, list("abcdefghi")),
    "letters, capital": (Family.ONE_LETTER, list("ABCDEFGHI")),
    "letters of the keys": (Family.ONE_LETTER, list("qweasdzxc")),
    "words": (Family.WORDS, [f"{_LEVELS[row]} {_SIDES[column]}" for row, column in _PLACES]),
    "words with hyphens": (Family.WORDS, [f"{_LEVELS[row]}-{_SIDES[column]}" for row, column in _PLACES]),
    "words, middle": (Family.WORDS, _IN_WORDS),
    "words, centre": (Family.WORDS, [*_IN_WORDS[:4], "centre", *_IN_WORDS[5:]]),
    "words, center": (Family.WORDS, [*_IN_WORDS[:4], "center", *_IN_WORDS[5:]]),
    "first letters": (Family.WORDS, [f"{_LEVELS[row][0]}{_SIDES[column][0]}" for row, column in _PLACES]),
}
_FORMS: Final = (
    (Family.PAIR, "", "{} {}"),
    (Family.COMMA, ", comma", "{},{}"),
    (Family.BRACKETS, ", brackets", "({},{})"),
    (Family.TOGETHER, ", together", "{}{}"),
)
_LETTER_FORMS: Final = (
    (Family.LETTER, Family.CAPITAL, "", "{}{}"),
    (Family.LETTER_APART, Family.CAPITAL_APART, ", apart", "{} {}"),
    (Family.LETTER_LINES, Family.CAPITAL_LINES, ", lines", "{}\n{}"),
)


def _scheme(name: str, family: Family, texts: Iterable[str]) -> Scheme:
    return Scheme(name, family, tuple(tuple(text.split("\n")) for text in texts))


def _schemes() -> Iterator[Scheme]:
    for name, texts in _NUMBERS.items():
        yield _scheme(name, Family.NUMBER, texts)
    for (family, how, form), (name, pairs) in product(_FORMS, _PAIRS.items()):
        yield _scheme(f"{name}{how}", family, (form.format(*pair) for pair in pairs))
    for name, pairs in _PAIRS.items():
        lines = (f"{first}\n{second}" for first, second in pairs)
        yield _scheme(name.replace(" ", " then ", 1), Family.LINES, lines)
    for (small, capital, how, form), (name, texts) in product(_LETTER_FORMS, _LETTERS.items()):
        typed = [form.format(*place) for place in texts]
        yield _scheme(f"{name}{how}", small, typed)
        yield _scheme(f"{name}, capital{how}", capital, map(str.upper, typed))
    for name, (family, texts) in _OTHERS.items():
        yield _scheme(name, family, texts)


SCHEMES: Final = tuple(_schemes())
AS_ASSIGNED: Final = SCHEMES[0]
"""1 to 9, row by row."""


def of_family(family: Family) -> tuple[Scheme, ...]:
    """Return the schemes of a family, the most usual first."""
    return tuple(scheme for scheme in SCHEMES if scheme.family is family)


def probe(
    schemes: Sequence[Scheme], free: Sequence[int], refused: Collection[tuple[str, ...]] = ()
) -> tuple[str, ...]:
    """Return the text whose mark tells most schemes apart: a free square in every numbering.

    Only 1 and 2, a and b are typed as long as several are possible: legal in all of them.
    """
    texts = dict.fromkeys(lines for scheme in schemes for lines in scheme.lines)
    careful = [lines for lines in texts if lines not in refused and not set("".join(lines)) & _DARING]
    for certain in (schemes, *([scheme] for scheme in schemes)) if len(schemes) > 1 else ():
        possible = [lines for lines in careful if all(scheme.cell(lines) in free for scheme in certain)]
        if possible:
            places = {lines: {scheme.cell(lines) for scheme in schemes} for lines in possible}
            return max(possible, key=lambda lines: (len(places[lines]), lines == ("2",)))
    return schemes[0].typed(free[0])


def listed(lines: Sequence[str]) -> tuple[Scheme, ...]:
    """Return how squares are typed by the nine names that stand together on a screen, if there are such."""
    parts = [found for line in lines[-_MOST_LINES:] if (found := _parts(line))]
    for first in range(len(parts)):
        names: list[str] = []
        for more in parts[first:]:
            names += more
            if len(names) >= 9:
                break
        distinct = len({name.lower() for name in names}) == len(names) == 9
        if distinct and len("".join(names)) >= _FEWEST and all(map(_NAME.fullmatch, names)):
            by_columns = [names[3 * (cell % 3) + cell // 3] for cell in range(9)]
            called = {"its names": names, "its names by columns": by_columns}
            return tuple(_scheme(name, Family.WORDS, texts) for name, texts in called.items())
    return ()


def numbered(lines: Sequence[str]) -> tuple[Scheme, ...]:
    """Return how squares are typed by the numbers that stand in them, if no usual numbering is so.

    One of them may be taken already: its number is the one that is missing of 1 to 9, or of 0 to 8.
    """
    rows = [tokens for line in lines[-_MOST_LINES:] if (tokens := _TOKEN.findall(line))]
    usual = {scheme.lines for scheme in of_family(Family.NUMBER)}
    for last in range(len(rows), 2, -1):
        three = rows[last - 3 : last]
        found = [
            _scheme("its numbers", Family.NUMBER, texts)
            for texts in _completed([token for row in three for token in row])
        ]
        if found and all(len(row) == 3 for row in three):
            return () if any(scheme.lines in usual for scheme in found) else (found[0],)
    return ()


def _completed(tokens: Sequence[str]) -> list[list[str]]:
    """Return every way to put nine different numbers in the places of tokens, of which one may be a mark."""
    numbers = {token for token in tokens if token.isdecimal()}
    if len(tokens) != 9 or len(numbers) < max(8, sum(map(str.isdecimal, tokens))):
        return []
    if len(numbers) == 9:
        return [[*tokens]]
    missing = [min(set(every) - numbers) for every in _ALL_NINE if numbers < set(every)]
    return [[token if token in numbers else absent for token in tokens] for absent in missing]


def _parts(line: str) -> list[str]:
    """Return what a line lists, behind what announces it; one thing alone is listed by a sign or a number."""
    if not any(map(str.isalpha, line)):
        return []
    _, colon, after = line.rpartition(":")
    text = (after if colon and after.strip() else line).strip()
    found = [part.strip(_EDGES) for part in _BETWEEN.split(_NUMBER.sub("", text, count=1))]
    parts = [part for part in found if part]
    return parts if len(parts) > 1 or _NUMBER.match(text) else [_NOT_LISTED]
