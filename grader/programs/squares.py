"""How a square is typed: families of texts and numberings; where marks appear tells them apart."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Final


class Family(StrEnum):
    """What is typed for a move."""

    NUMBER = "a number"
    PAIR = "two numbers"
    COMMA = "two numbers with a comma"
    BRACKETS = "two numbers with a comma, in brackets"
    LINES = "two numbers, one after the other"
    LETTER = "a letter and a number"
    CAPITAL = "a capital letter and a number"
    LETTER_APART = "a letter and a number with a space"
    CAPITAL_APART = "a capital letter and a number with a space"
    LETTER_LINES = "a letter and a number, one after the other"
    CAPITAL_LINES = "a capital letter and a number, one after the other"
    TOGETHER = "two numbers together"
    NUMBER_FIRST = "a number and a letter"
    ONE_LETTER = "a letter"
    WORDS = "the words for a square"


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
_FORMS: Final = {
    Family.PAIR: ("{0}", "{1} {2}"),
    Family.COMMA: ("{0}, comma", "{1},{2}"),
    Family.BRACKETS: ("{0}, brackets", "({1},{2})"),
    Family.TOGETHER: ("{0}, together", "{1}{2}"),
}


_LETTER_FORMS: Final = (
    (Family.LETTER, Family.CAPITAL, "", "{}{}"),
    (Family.LETTER_APART, Family.CAPITAL_APART, ", apart", "{} {}"),
    (Family.LETTER_LINES, Family.CAPITAL_LINES, ", lines", "{}\n{}"),
)


def _schemes() -> tuple[Scheme, ...]:
    found = [Scheme(name, Family.NUMBER, tuple((one,) for one in texts)) for name, texts in _NUMBERS.items()]
    for (family, (called, form)), (name, pairs) in product(_FORMS.items(), _PAIRS.items()):
        lines = tuple((form.format("", *pair),) for pair in pairs)
        found.append(Scheme(called.format(name), family, lines))
    for name, pairs in _PAIRS.items():
        both = tuple((str(first), str(second)) for first, second in pairs)
        found.append(Scheme(name.replace(" ", " then ", 1), Family.LINES, both))
    for (small, capital, how, form), (name, texts) in product(_LETTER_FORMS, _LETTERS.items()):
        for family, called, shape in ((small, name, str), (capital, f"{name}, capital", str.upper)):
            typed = [tuple(shape(form.format(*one)).split("\n")) for one in texts]
            found.append(Scheme(f"{called}{how}", family, tuple(typed)))
    for name, (family, texts) in _OTHERS.items():
        found.append(Scheme(name, family, tuple((one,) for one in texts)))
    return tuple(found)


SCHEMES: Final = _schemes()
AS_ASSIGNED: Final = SCHEMES[0]
"""1 to 9, row by row."""


def of_family(family: Family) -> tuple[Scheme, ...]:
    """Return the schemes of a family, the most usual first."""
    return tuple(scheme for scheme in SCHEMES if scheme.family is family)


def probe(
    schemes: Sequence[Scheme], free: Sequence[int], refused: Collection[tuple[str, ...]] = ()
) -> tuple[str, ...]:
    """Return what to type so that the place of the mark tells most: a free square whatever the numbering.

    Only 1 and 2, a and b are typed as long as several are possible: legal in all of them.
    """
    if len(schemes) == 1:
        return schemes[0].typed(free[0])
    texts = dict.fromkeys(lines for scheme in schemes for lines in scheme.lines)
    careful = [
        lines for lines in texts if lines not in refused and not set("".join(lines)) & set("03456789cC")
    ]
    for certain in (schemes, *([one] for one in schemes)):
        possible = [lines for lines in careful if all(scheme.cell(lines) in free for scheme in certain)]
        if possible:
            return max(possible, key=lambda lines: (_places(schemes, lines), lines == ("2",)))
    return schemes[0].typed(free[0])


def _places(schemes: Sequence[Scheme], lines: tuple[str, ...]) -> int:
    return len({scheme.cell(lines) for scheme in schemes})
