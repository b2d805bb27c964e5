"""Boards on a screen: every way to read three lines as one; the rules of the game decide which it is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from grader.core.game.board import START, Board

_BAR: Final = re.compile(r"[|│┃║¦]")
_DOUBLED: Final = re.compile(r"[|│┃║¦][|│┃║¦]")
_DRAWN: Final = re.compile(r"[^\W_]|(^|\s)[_.](\s|$)")
"""Something that may be in a cell."""

_PROSE: Final = re.compile(r"(?![XOxo]{3}(?![^\W\d_]))[^\W\d_]{3,}")
_LISTED: Final = re.compile(r"\[([^\[\]]*)\]")
_RULE: Final = re.compile(r"\A(?=.*[-=─━═+]{3})[-=─━═┼╋╬+|│\s]*")
_FRAMED: Final = re.compile(r"^\s*[#*!:](.*)[#*!:]\s*$")
_BLANKS: Final = frozenset("-_.=+|*#?~:;,/!\\^—\u2013·")
"""Signs by which nobody draws a mark."""

_OTHER_BARS: Final = "*:!/;#"
_QUOTES: Final = "[](){}'\"`"
_LONGEST: Final = 8
_MOST_LINES: Final = 90
_LONGEST_LINE: Final = 200
_FARTHEST: Final = 8
"""Lines from one row to the next: a cell may be drawn over several."""

_WIDEST: Final = 40
_FIXED: Final = [(offset, width) for width in range(1, 11) for offset in range(16)]

Cells = tuple[str, ...]
Kind = tuple[object, ...]
Signs = Mapping[str, str]
"""By what each side is drawn; X is the side that began, whatever its sign is."""

Match = tuple["Reading", Board, Signs]


@dataclass(frozen=True)
class Reading:
    """Nine cells as they were read, and the line of the last row."""

    cells: Cells
    last: int
    apart: int

    @property
    def first(self) -> int:
        """The line of the first row."""
        return self.last - 2 * self.apart

    @property
    def filled(self) -> int:
        """How many cells have something in them."""
        return sum(map(bool, self.cells))

    def signs_of(self, board: Board, known: Signs) -> Signs | None:
        """Return how the sides are drawn if this is that board, or None if it cannot be."""
        signs = dict(known)
        for side, cell in zip(board, self.cells, strict=True):
            if side == ".":
                continue
            if not cell or signs.setdefault(side, cell) != cell:
                return None
        if len(set(signs.values())) < len(signs):
            return None
        free = [cell for side, cell in zip(board, self.cells, strict=True) if side == "."]
        return signs if self._are_free(free, signs) else None

    def as_drawn(self, signs: Signs) -> Board | None:
        """Return the board, right or wrong, that these signs make of the cells, or None."""
        sides = {sign: side for side, sign in signs.items()}
        board = "".join(sides.get(cell, ".") for cell in self.cells)
        free = [cell for side, cell in zip(board, self.cells, strict=True) if side == "."]
        return Board(board) if self._are_free(free, signs) else None

    def _are_free(self, free: Sequence[str], signs: Signs) -> bool:
        """Return whether cells look free: all alike, or each with a number or a name of its own."""
        drawn = set(signs.values())
        if any(cell in drawn for cell in free):
            return False
        alike = len(set(free)) <= 1
        numbered = len(set(free)) == len(free) and all(any(sign.isdigit() for sign in cell) for cell in free)
        if not alike and not numbered:
            return False
        if len(free) > 1 and numbered and any(sign.isdigit() for sign in drawn):
            return False  # a legend of digits, of which some would be marks
        return not (alike and free and len(free[0]) > 1 and free[0] != "None" and not numbered)


def latest(
    lines: Sequence[str], boards: Iterable[Board], signs: Signs, before: Sequence[str] = ()
) -> tuple[Board, Signs] | None:
    """Return the latest board on the screen that is one of these, and how the sides are drawn.

    What stood there before is no answer to what was typed since.
    """
    wanted, old = list(boards), set(readings(before))
    matches = [
        (reading, board, found)
        for reading in readings(lines)
        if reading not in old
        for board in wanted
        if (found := reading.signs_of(board, signs)) is not None
    ]
    if not matches:
        return None
    _, board, found = _best(matches)
    return board, found


def _best(matches: Sequence[Match]) -> Match:
    """Return the latest match; of those that share its lines the fullest one, then the widest."""
    last = max(reading.last for reading, _, _ in matches)
    first = min(reading.first for reading, _, _ in matches if reading.last == last)
    sharing = [one for one in matches if one[0].last >= first]
    return max(sharing, key=lambda one: (one[0].filled, one[0].apart, one[0].last, one[2].get("X") == "X"))


def readings(lines: Sequence[str]) -> tuple[Reading, ...]:
    """Return every board that may be on the screen, the latest first."""
    return _readings(tuple(lines))


@lru_cache(maxsize=8)
def _readings(lines: tuple[str, ...]) -> tuple[Reading, ...]:
    """Read a screen once: after a turn it is asked about several times, and before the next one again."""
    above = max(0, len(lines) - _MOST_LINES)
    shown = [line[:_LONGEST_LINE] for line in lines[above:]]
    rows = [_rows(line) for line in shown]
    prose = [bool(_PROSE.search(line)) for line in shown]
    drawn = [bool(_DRAWN.search(line)) for line in shown]
    found = [Reading(cells, number, 0) for number, line in enumerate(shown) for cells in _whole(line)]
    for apart in range(1, _FARTHEST + 1):
        for first in range(len(shown) - 2 * apart):
            numbers = (first, first + apart, first + 2 * apart)
            between = [number for number in range(first, numbers[2]) if number not in numbers]
            if any(map(prose.__getitem__, between)):
                continue
            triple = [rows[number] for number in numbers]
            for kind in triple[0].keys() & triple[1].keys() & triple[2].keys():
                if not any(any(rows[number].get(kind, ())) for number in between):  # a row of its own
                    found.append(
                        Reading(tuple(cell for row in triple for cell in row[kind]), numbers[2], apart)
                    )
            if not any(map(drawn.__getitem__, between)):
                found += (
                    Reading(cells, numbers[2], apart) for cells in _fixed(*(shown[at] for at in numbers))
                )
    placed = {replace(one, last=one.last + above) for one in found}
    return tuple(sorted(placed, key=lambda one: (-one.last, one.apart, one.cells)))


@lru_cache(maxsize=4096)
def _rows(line: str) -> dict[Kind, Cells]:
    """Return every way to see three cells in a line, by its kind."""
    found: dict[Kind, Cells] = {}
    if _RULE.fullmatch(line):
        if len(line.strip()) == 3:
            found["together", 1] = tuple(line.strip())
        return found
    if _BAR.search(line):
        line = _FRAMED.sub(r"\1", line)
        _windows(found, "bars", _BAR.split(_DOUBLED.sub("|", line)))
    elif not _PROSE.search(line.replace("None", "")):
        tokens = line.split()
        if 3 <= len(tokens) <= 7:
            _windows(found, "tokens", tokens)
        if tokens and len(tokens[-1]) == 3 and len(tokens) <= 2:
            found["together", len(tokens)] = tuple(map(_clean, tokens[-1]))
        if line.count(",") == 2:
            found["commas",] = tuple(map(_clean, line.split(",")))
    for sign in _OTHER_BARS:
        if line.count(sign) in (2, 4) and not _PROSE.search(line):
            _windows(found, f"bars of {sign}", line.split(sign))
    groups = _LISTED.findall(line)
    if len(groups) == 3 and not any("," in group for group in groups):
        found["brackets",] = tuple(map(_clean, groups))
    elif len(groups) == 1 and groups[0].count(",") == 2:
        found["list",] = tuple(map(_clean, groups[0].split(",")))
    return {kind: cells for kind, cells in found.items() if all(len(cell) <= _LONGEST for cell in cells)}


def _windows(found: dict[Kind, Cells], name: str, parts: Sequence[str]) -> None:
    """Add every three parts in a row, and the same with a label before the first cell or after the last."""
    if len(parts) >= 5 and not parts[-1].strip():
        parts = parts[:-1] if parts[0].strip() else parts[1:-1]  # bars on the outside, perhaps after a label
    for first in range(min(len(parts) - 2, 6)):
        three = [_clean(part) for part in parts[first : first + 3]]
        found[name, first, len(parts)] = tuple(three)
        label, _, rest = parts[first].strip().partition(" ")
        if name.startswith("bars") and len(parts) == 3 and len(label) <= 2:
            found[f"labelled {name}", len(parts)] = (_clean(rest), *three[1:])
        if name == "bars" and first + 3 == len(parts) and " " in parts[-1].strip():
            found["bars and a label", first, len(parts)] = (
                *three[:2],
                _clean(parts[-1].strip().split(" ")[0]),
            )


@lru_cache(maxsize=4096)
def _fixed(*lines: str) -> tuple[Cells, ...]:
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
            found.append(tuple(map(_clean, cells)))
    return tuple(found)


def _whole(line: str) -> Iterator[Cells]:
    """Yield the boards that stand in one line, as a list of nine or of three times three."""
    groups = [group.split(",") for group in _LISTED.findall(line)]
    cells = [cell for group in groups for cell in group]
    if len(cells) == 9 and [len(group) for group in groups] in ([9], [3, 3, 3]):
        yield tuple(map(_clean, cells))


def _clean(cell: str) -> str:
    text = cell.strip().strip(_QUOTES).strip()
    if len(text) > 1:
        text = text.strip("_")  # a cell that is drawn with its bottom line
    return text.upper() if len(text) == 1 else text


def with_one_more(board: Board, side: str) -> list[Board]:
    """Return the boards with one more mark of a side."""
    return [Board(board[:at] + side + board[at + 1 :]) for at in range(9) if board[at] == "."]


def is_fresh(lines: Sequence[str], after: int) -> bool:
    """Return whether a board without a mark begins below a line."""
    return any(one.first > after and one.signs_of(START, {}) is not None for one in readings(lines))


def opening(lines: Sequence[str]) -> tuple[Board, Signs] | None:
    """Return the latest board with exactly one mark on the screen, if there is no empty one below it."""
    matches = [
        (reading, board, signs)
        for reading in readings(lines)
        for board in with_one_more(START, "X")
        if (signs := reading.signs_of(board, {})) is not None and signs["X"] not in _BLANKS
    ]
    usual = [one for one in matches if one[2]["X"] in ("X", "O")]
    if not matches:
        return None
    reading, board, signs = _best(usual or matches)
    return None if is_fresh(lines, reading.last) else (board, signs)


def shown(lines: Sequence[str], signs: Signs, before: Board) -> Board | None:
    """Return the board that is drawn last, right or wrong; None if none has as many marks as before."""
    drawn = [
        (reading, board)
        for reading in readings(lines)
        if (board := reading.as_drawn(signs)) and board.count(".") <= before.count(".")
    ]
    same = max((reading.last for reading, board in drawn if board == before), default=-1)
    later = [board for reading, board in drawn if reading.first > same]
    if same >= 0:
        return later[0] if later else before
    return drawn[0][1] if drawn else None


def last_line(lines: Sequence[str], board: Board, signs: Signs) -> int:
    """Return the line at which a board ends on the screen, or -1."""
    return max((one.last for one in readings(lines) if one.signs_of(board, signs) is not None), default=-1)
