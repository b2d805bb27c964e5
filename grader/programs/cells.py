"""Cells of a board in text: rows by bars, tokens or fixed columns, and rectangular cells in a grid."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

BARS: Final = "|│┃║¦"
BAR: Final = re.compile(f"[{BARS}]")
_DOUBLED: Final = re.compile(f"[{BARS}][{BARS}]")
PROSE: Final = re.compile(r"(?<![^\W\d_])(?![XOxo]{3,9}(?![^\W\d_]))[^\W\d_]{3,}")
_LABEL: Final = re.compile(r"^\s*[^\W\d_]{3,10}(?:\s?[\dA-Ca-c][.:)]?(?=\s)|[.:)]?(?=\s{2}))(?=\s+\S)")
"""The name of a row before it, such as "top" or "row 1"."""

_LISTED: Final = re.compile(r"\[([^\[\]]*)\]")
_RULE: Final = re.compile(r"\A(?=.*[-=─━═+.]{3})[-=─━═┼╋╬+|│.:\s]*")
_FRAMED: Final = re.compile(r"^\s*[#*!:](.*)[#*!:]\s*$")
_OTHER_BARS: Final = "*:!/;#"
_QUOTES: Final = "[](){}'\"`"
_QUOTED: Final = re.compile(r"'([^'\n]{0,8})'|\"([^\"\n]{0,8})\"")
_ROUND: Final = re.compile(r"\(([^()]{1,5})\)")
FREE_WORDS: Final = re.compile(
    r"\b(?:None|NaN|nan|null|nil|empty|Empty|EMPTY|free|blank|libre|frei|leer|vide)\b"
)
"""What stands in a free square, spelled out."""

_LAST: Final = re.compile(r"[*<>]{0,2}(\w)[*<>]{0,2}")
"""The mark of the last move, pointed out."""

_HEADERS: Final = (["1", "2", "3"], ["0", "1", "2"], ["A", "B", "C"], ["a", "b", "c"])
_NUMBERED: Final = ([*"012345678"], [*"123456789"])
"""Squares that are listed in a sentence are no board."""

_LONGEST: Final = 8
_WIDEST: Final = 40
_OF_TWO: Final = 5
"""Parts of a line in which there may be two boards, side by side."""

_UNEVEN: Final = 2
_IN_FRAME: Final = {3: (0, 1, 2), 5: (0, 2, 4), 7: (1, 3, 5), 9: (1, 4, 7), 11: (1, 5, 9), 13: (2, 6, 10)}
"""Where cells are in a frame, by its width."""

_FIXED: Final = [(offset, width) for width in range(1, 11) for offset in range(16)]

Cells = tuple[str, ...]
Kind = tuple[object, ...]


@lru_cache(maxsize=4096)
def rows_in(line: str) -> dict[Kind, Cells]:
    """Return every way to see three cells in a line, by its kind."""
    found: dict[Kind, Cells] = {}
    if _RULE.fullmatch(line):
        if len(line.strip()) == 3:
            found["together", 1, 0] = tuple(line.strip())
        return found
    if (label := _LABEL.match(line)) and not _has_prose(row := line[label.end() :]):
        found |= {("behind a label", *kind): cells for kind, cells in rows_in(row).items()}
    if BAR.search(line):
        _windows(found, "bars", BAR.split(_DOUBLED.sub("|", line)))
        if framed := _FRAMED.match(line):
            _windows(found, "framed bars", BAR.split(_DOUBLED.sub("|", framed[1])))
        parts = BAR.split(line)
        found |= _in_frame(*parts) if len(parts) == 3 else _in_frame_beside(parts)
        if len(parts) == 2 and len(tokens := parts[1].split()) == 3:
            found["tokens behind a bar",] = tuple(map(cleaned, tokens))
    else:
        found |= _by_tokens(line)
    inside = line.strip().strip(BARS) if BAR.search(line) else line
    for sign in _OTHER_BARS:
        parts = inside.split(sign)
        if len(parts) == 4 and not parts[-1].strip():
            parts.pop()
        if len(parts) in (3, 5) and not PROSE.search(inside):
            _windows(found, f"bars of {sign}", parts)
    found |= _in_brackets(line)
    return {kind: cells for kind, cells in found.items() if all(len(cell) <= _LONGEST for cell in cells)}


def _by_tokens(line: str) -> dict[Kind, Cells]:
    found: dict[Kind, Cells] = {}
    cells = _bracketed(line)
    parted = len(cells) == 3 and any(" " in cell for cell in cells)  # blanks stand inside of cells
    if parted or _has_prose(line):
        return found
    tokens = line.replace("][", "] [").split()
    if 3 <= len(tokens) <= 7:
        _windows(found, "tokens", tokens)
    for place, token in enumerate(tokens if len(tokens) <= 3 else ()):
        if len(token) == 3:
            found["together", len(tokens), place] = tuple(map(cleaned, token))
    if line.count(",") == 2:
        found["commas",] = tuple(map(cleaned, line.split(",")))
    return found


def _has_prose(text: str) -> bool:
    """Return whether there are words in a text that do not stand for free squares."""
    return bool(PROSE.search(FREE_WORDS.sub("", text)))


def _in_frame(before: str, inside: str, after: str) -> dict[Kind, Cells]:
    """Return the cells between two bars: three tokens, or what stands in three columns."""
    found: dict[Kind, Cells] = {}
    if len(tokens := inside.split()) == 3:
        found["tokens between bars",] = tuple(map(cleaned, tokens))
    columns = _IN_FRAME.get(len(inside), ())
    blank = all(at in columns for at, sign in enumerate(inside) if sign != " ")
    if columns and blank and not (before + after).strip():
        found["columns between bars", len(inside)] = tuple(cleaned(inside[at]) for at in columns)
    return found


def _in_frame_beside(parts: Sequence[str]) -> dict[Kind, Cells]:
    """Return the cells between two bars where a legend stands between two others."""
    if len(parts) != 5 or "".join(parts[::2]).strip():
        return {}
    return {
        ("beside", at, *kind): cells
        for at, legend in ((1, parts[3]), (3, parts[1]))
        if len(legend.split()) == 3
        for kind, cells in _in_frame("", parts[at], "").items()
    }


def _in_brackets(line: str) -> dict[Kind, Cells]:
    """Return the cells of the first of these notations in which there are three."""
    groups = _LISTED.findall(line)
    only = groups[0] if len(groups) == 1 else ""
    notations = {
        "brackets": _bracketed(line),
        "list": only.split(","),
        "quoted": quoted_in(line),
        "list of tokens": only.split(),
        "round brackets": [] if _ROUND.sub("", line).strip() else _ROUND.findall(line),
    }
    three = ((name, cells) for name, cells in notations.items() if len(cells) == 3)
    return next(({(name,): tuple(map(cleaned, cells))} for name, cells in three), {})


def _bracketed(line: str) -> list[str]:
    """Return what stands in square brackets, each a cell."""
    groups = _LISTED.findall(line)
    return [] if any("," in group for group in groups) else groups


def quoted_in(line: str) -> list[str]:
    """Return what stands between quotes in a line."""
    return [single or double for single, double in _QUOTED.findall(line)]


def _windows(found: dict[Kind, Cells], name: str, parts: Sequence[str]) -> None:
    """Add every three parts in a row, and the same with a label before the first cell or after the last."""
    if len(parts) >= 5 and not parts[-1].strip():
        parts = parts[:-1] if parts[0].strip() else parts[1:-1]  # bars on the outside, perhaps after a label
    if len(parts) == 5 and not parts[0].strip() and len(parts[-1].split()) == 3:
        parts = parts[1:-1]  # the same, with a legend behind it
    if len(parts) == 3 and not parts[0].strip() and len(parts[1]) > len(parts[0]) + _UNEVEN:
        return  # a frame around all three
    for first in range(min(len(parts) - 2, 6)):
        widths = [len(part) for part in parts[first : first + 3]]
        if len(parts) >= _OF_TWO and max(widths) > min(widths[:2]) + _UNEVEN:
            continue  # the gap between two boards is no cell
        three = [cleaned(part) for part in parts[first : first + 3]]
        found[name, first, len(parts)] = tuple(three)
        label, _, rest = parts[first].strip().partition(" ")
        if name.startswith("bars") and len(parts) == 3 and len(label) <= 2:
            found[f"labelled {name}", len(parts)] = (cleaned(rest), *three[1:])
        if name == "bars" and first + 3 == len(parts) and " " in parts[-1].strip():
            cell, _, _ = parts[-1].strip().partition(" ")
            is_beyond = len(parts[-1]) - len(parts[-1].lstrip()) > len(parts[-2])
            found["bars and a label", first, len(parts)] = (*three[:2], "" if is_beyond else cleaned(cell))


@lru_cache(maxsize=4096)
def fixed(*lines: str) -> Sequence[tuple[tuple[int, int], Cells]]:
    """Return the boards of three lines whose cells stand at equal distances, with nothing around them."""
    tokens, found = [line.split() for line in lines], []
    is_row = all(len(row) == 3 for row in tokens)  # those are known by their tokens
    if is_row or any(len(row) > 3 or any(len(token) > 1 for token in row) for row in tokens):
        return ()
    taken = {at for line in lines for at, sign in enumerate(line) if sign != " "}
    for offset, width in _FIXED if 0 <= max(taken, default=-1) < _WIDEST else ():
        places = (offset, offset + width, offset + 2 * width)
        if taken <= set(places):
            cells = (line[at] if at < len(line) else " " for line in lines for at in places)
            found.append(((offset, width), tuple(map(cleaned, cells))))
    return found


def whole(line: str) -> Iterator[Cells]:
    """Yield the boards that stand in one line, as a list of nine or of three times three."""
    groups = [group.split(",") for group in _LISTED.findall(line)]
    cells = [cell for group in groups for cell in group]
    is_legend = PROSE.search(line) and sorted(cell.strip() for cell in cells) in _NUMBERED
    if len(cells) == 9 and [len(group) for group in groups] in ([9], [3, 3, 3]) and not is_legend:
        yield tuple(map(cleaned, cells))
    elif len(quoted := quoted_in(line)) == 9:
        yield tuple(map(cleaned, quoted))


def is_header(line: str) -> bool:
    """Return whether a line names three columns, and nothing else."""
    return line.split() in _HEADERS


def headed(header: str, *lines: str) -> Cells:
    """Return the cells of three lines that stand in the columns of a header, with labels before them."""
    columns = [at for at, sign in enumerate(header) if sign != " "]
    taken = {at for line in lines for at, sign in enumerate(line) if sign.strip() and at >= columns[0]}
    if not taken <= set(columns):
        return ()
    return tuple(cleaned(line[at : at + 1]) for line in lines for at in columns)


def cleaned(cell: str) -> str:
    """Return the content of a cell, without brackets, quotes and rules around it."""
    text = cell.strip().strip(_QUOTES).strip()
    if len(text) > 1:
        text = text.strip("_;")  # a cell that is drawn with its bottom line, or ends so
        text = last[1] if (last := _LAST.fullmatch(text)) else text
    return text.upper() if len(text) == 1 else text


_RINGS: Final = {"O": "O", "0": "O", "X": "X"}
"""The mark that the only letter in a picture stands for."""

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
    may_be = [not is_prose and _has_signs(line) for line, is_prose in zip(shown, prose, strict=True)]
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
    runs = _runs([at for at, sign in alike if sign in BARS])
    if len(runs) < 2 and len(lines) > 3:
        runs = _runs([at for at, sign in alike if _is_sign(sign)])
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


def _is_sign(sign: str) -> bool:
    return not (sign.isalnum() or sign.isspace())


def _is_inked(line: str) -> bool:
    """Return whether something is drawn in a line of a cell: a rule below it is nothing."""
    return bool(line.strip(" _-=─━═"))


def _drawn(block: Sequence[str]) -> str:
    """Return the content of a cell: a picture over several lines is read as a letter where possible."""
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
    top, middle = (picture[at][width // 2].strip() for at in (0, len(picture) // 2))
    return "\n".join(picture) if bool(top) == bool(middle) else "O" if top else "X"
