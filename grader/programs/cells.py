"""Every way to see three cells in a line: by bars, by tokens, by columns that stay put."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
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
    frames = {at: parts[at] for at, legend in ((1, parts[3]), (3, parts[1])) if len(legend.split()) == 3}
    return {
        ("beside", at, *kind): cells
        for at, inside in frames.items()
        for kind, cells in _in_frame("", inside, "").items()
    }


def _in_brackets(line: str) -> dict[Kind, Cells]:
    if len(cells := _bracketed(line)) == 3:
        return {("brackets",): tuple(map(cleaned, cells))}
    groups = _LISTED.findall(line)
    if len(groups) == 1 and groups[0].count(",") == 2:
        return {("list",): tuple(map(cleaned, groups[0].split(",")))}
    if len(quoted := quoted_in(line)) == 3:
        return {("quoted",): tuple(map(cleaned, quoted))}
    if len(groups) == 1 and len(tokens := groups[0].split()) == 3:
        return {("list of tokens",): tuple(map(cleaned, tokens))}
    if len(groups := _ROUND.findall(line)) == 3 and not _ROUND.sub("", line).strip():
        return {("round brackets",): tuple(map(cleaned, groups))}
    return {}


def _bracketed(line: str) -> list[str]:
    """Return what stands in square brackets, each a cell."""
    groups = _LISTED.findall(line)
    return [] if any("," in group for group in groups) else groups


def quoted_in(line: str) -> list[str]:
    """Return what stands between quotes in a line."""
    return [one or other for one, other in _QUOTED.findall(line)]


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
def fixed(*lines: str) -> tuple[tuple[tuple[int, int], Cells], ...]:
    """Return the boards of three lines whose cells stand at equal distances, with nothing around them."""
    tokens = [line.split() for line in lines]
    if not any(tokens) or all(len(found) == 3 for found in tokens):  # those are known by their tokens
        return ()
    if any(len(found) > 3 for found in tokens) or any(len(token) > 1 for found in tokens for token in found):
        return ()
    taken = {at for line in lines for at, sign in enumerate(line) if sign != " "}
    if max(taken) >= _WIDEST:
        return ()
    found = []
    for offset, width in _FIXED:
        places = (offset, offset + width, offset + 2 * width)
        if taken <= set(places):
            cells = (line[at] if at < len(line) else " " for line in lines for at in places)
            found.append(((offset, width), tuple(map(cleaned, cells))))
    return tuple(found)


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


@lru_cache(maxsize=4096)
def headed(header: str, *lines: str) -> Cells:
    """Return the cells of three lines that stand in the columns of a header, with labels before them."""
    columns = [at for at, sign in enumerate(header) if sign != " "]
    taken = {at for line in lines for at, sign in enumerate(line) if sign.strip() and at >= columns[0]}
    if not taken <= set(columns):
        return ()
    return tuple(cleaned(line[at : at + 1]) for line in lines for at in columns)


def cleaned(cell: str) -> str:
    """Return what is in a cell, without what is drawn around it."""
    text = cell.strip().strip(_QUOTES).strip()
    if len(text) > 1:
        text = text.strip("_;")  # a cell that is drawn with its bottom line, or ends so
        text = last[1] if (last := _LAST.fullmatch(text)) else text
    return text.upper() if len(text) == 1 else text
