"""Names and numbers that a program gives its squares itself: they are typed as they stand there."""

import re
from collections.abc import Sequence
from typing import Final

from grader.programs.squares import Family, Scheme, of_family

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
            return (_scheme("its names", names), _scheme("its names by columns", by_columns))
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
            _scheme("its numbers", texts, Family.NUMBER)
            for texts in _completed([token for row in three for token in row])
        ]
        if found and all(len(row) == 3 for row in three):
            return () if any(one.lines in usual for one in found) else (found[0],)
    return ()


def _completed(tokens: Sequence[str]) -> list[list[str]]:
    """Return every way to put nine different numbers in the places of tokens, of which one may be a mark."""
    numbers = {token for token in tokens if token.isdecimal()}
    if len(tokens) != 9 or len(numbers) < max(8, sum(map(str.isdecimal, tokens))):
        return []
    if len(numbers) == 9:
        return [[*tokens]]
    missing = [min(set(every) - numbers) for every in _ALL_NINE if numbers < set(every)]
    return [[token if token in numbers else one for token in tokens] for one in missing]


def _parts(line: str) -> list[str]:
    """Return what a line lists, behind what announces it; one thing alone is listed by a sign or a number."""
    if not any(map(str.isalpha, line)):
        return []
    _, colon, after = line.rpartition(":")
    text = (after if colon and after.strip() else line).strip()
    found = [part.strip(_EDGES) for part in _BETWEEN.split(_NUMBER.sub("", text, count=1))]
    parts = [part for part in found if part]
    return parts if len(parts) > 1 or _NUMBER.match(text) else [_NOT_LISTED]


def _scheme(name: str, texts: Sequence[str], family: Family = Family.WORDS) -> Scheme:
    return Scheme(name, family, tuple((text,) for text in texts))
