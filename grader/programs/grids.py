"""Boards whose cells are rectangles: between two columns of one sign that run through all their lines."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from grader.programs.cells import BARS, Cells, Kind, cleaned

_RINGS: Final = {"O": "O", "0": "O", "X": "X"}
"""What is meant by the only letter in a picture."""

FARTHEST: Final = 8
"""Lines from one row to the next: a cell may be drawn over several."""

_MOST_SIGNS: Final = 40
"""In a line of pictures: a line with more is a rule, or nothing."""

_WIDEST_PICTURE: Final = 12
_MOST_RUNS: Final = 12
Run = tuple[int, int]


def grids(groups: Sequence[Sequence[str]]) -> Iterator[tuple[Run, Cells]]:
    """Yield the boards in three groups of lines, each with where its middle column is.

    The middle column tells how wide a cell is: what stands farther out is a label, or another board.
    """
    runs = _separators([line for group in groups for line in group])
    for left, right in pairwise(runs):
        width = right[0] - left[1] - 1
        low, high = left[0] - width - 1, right[1] + width + 1
        inside = [run for run in runs if low < run[0] and run[1] < high]
        outer = [run for run in runs if run[1] == low or run[0] == high]
        if width and inside == [left, right] and len(outer) != 1:
            columns = [(max(low + 1, 0), left[0]), (left[1] + 1, right[0]), (right[1] + 1, high)]
            blocks = [[line[first:end] for line in group] for group in groups for first, end in columns]
            inked = {at for block in blocks for at, line in enumerate(block) if _is_inked(line)}
            if len(groups[0]) == 1 or len(inked) != 1:  # those are known by their rows
                yield (left[1], right[0]), tuple(map(_drawn, blocks))


def pictures(shown: Sequence[str], prose: Sequence[bool]) -> Iterator[tuple[Cells, int, int, Kind]]:
    """Yield the boards whose cells are several lines high: cells, last line, distance of rows, and kind."""
    may_be = [not told and _has_signs(line) for line, told in zip(shown, prose, strict=True)]
    for apart in range(2, FARTHEST + 1):
        for first in range(len(shown) - 2 * apart):
            if not (may_be[first] and may_be[first + apart] and may_be[first + 2 * apart]):
                continue
            for height in range(max(2, apart - 2), apart + 1):
                starts = (first, first + apart, first + 2 * apart)
                inside = [at for start in starts for at in range(start, start + height)]
                between = [shown[start + height : start + apart] for start in starts[:2]]
                fits = inside[-1] < len(shown) and between[0] == between[1]
                if fits and all(may_be[at] for at in inside):
                    groups = [shown[start : start + height] for start in starts]
                    for place, cells in grids(groups):
                        if not any(_is_of_cell(line, place, groups[0][0]) for line in between[0]):
                            yield cells, inside[-1], apart, ("picture", height, *place)


@lru_cache(maxsize=4096)
def _has_signs(line: str) -> bool:
    """Return whether signs stand in a line as pictures have them between their cells."""
    return 2 <= sum(map(_is_sign, line)) <= _MOST_SIGNS and not _is_rule(line.strip())


def _is_of_cell(line: str, place: Run, row: str) -> bool:
    """Return whether a line between two rows has their bars, and nothing in the middle: it is of a cell."""
    left, right = place
    return line[left : right + 1] == row[left] + " " * (right - left - 1) + row[right]


def _separators(lines: Sequence[str]) -> list[Run]:
    """Return the columns, side by side ones together, that have one sign in all lines."""
    alike = [(at, signs[0]) for at, signs in enumerate(zip(*lines, strict=False)) if len(set(signs)) == 1]
    runs = _runs([at for at, one in alike if one in BARS])
    if len(runs) < 2 and len(lines) > 3:
        runs = _runs([at for at, one in alike if _is_sign(one)])
    return runs if len(runs) <= _MOST_RUNS else []


def _runs(columns: Sequence[int]) -> list[Run]:
    """Return columns that are side by side together, each as the first and the last of them."""
    runs: list[Run] = []
    for at in columns:
        runs[-1:] = [(runs[-1][0], at)] if runs and runs[-1][1] == at - 1 else [*runs[-1:], (at, at)]
    return runs


def _is_rule(line: str) -> bool:
    """Return whether a line is one sign from end to end, and longer than any picture is wide."""
    return len(line) > _WIDEST_PICTURE and len(set(line)) == 1


def _is_sign(one: str) -> bool:
    return not (one.isalnum() or one.isspace())


def _is_inked(line: str) -> bool:
    """Return whether something is drawn in a line of a cell: a rule below it is nothing."""
    return bool(line.strip(" _-=─━═"))


def _drawn(block: Sequence[str]) -> str:
    """Return what is in a cell: a picture over several lines is a letter, or itself."""
    inked = [*filter(_is_inked, block)]
    lines = [line for line in inked if not line.strip().isdigit()] or inked  # the number of a cell stays
    if len(lines) < 2:
        return cleaned(lines[0]) if lines else ""
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    width = max(len(line.rstrip()) for line in lines) - indent
    picture = [line[indent:].rstrip().ljust(width) for line in lines]
    letters = {sign.upper() for line in picture for sign in line if sign.isalnum()}
    if len(letters) == 1 and letters <= _RINGS.keys():
        return _RINGS[letters.pop()]
    top, middle = picture[0][width // 2].strip(), picture[len(picture) // 2][width // 2].strip()
    if bool(top) == bool(middle):
        return "\n".join(picture)
    return "O" if top else "X"
