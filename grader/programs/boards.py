"""Boards on a screen: every way to read three lines as one; the rules of the game decide which it is."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from grader.core.game.board import START, Board
from grader.programs.cells import BAR, PROSE, Cells, Kind, fixed, rows_in, whole
from grader.programs.grids import FARTHEST, grids, pictures

_DRAWN: Final = re.compile(r"[^\W_]|(^|\s)[_.](\s|$)")
"""Something that may be in a cell."""

_BLANKS: Final = frozenset("-_.=+|*#?~:;,/!\\^—\u2013·")
"""Signs by which hardly anybody draws a mark."""

_ODD_MARKS: Final = frozenset("*#+")

_GAP: Final = re.compile(r"\s{3}")
"""What is between a board and something beside it, at least."""

_MOST_LINES: Final = 90
_LONGEST_LINE: Final = 200
FIXED: Final = "fixed"
"""The kind of a board that is known by its columns alone."""

Frame = tuple[object, ...]
Signs = Mapping[str, str]
"""By what each side is drawn; X is the side that began, whatever its sign is."""

Match = tuple["Reading", Board, Signs]


@dataclass(frozen=True)
class Reading:
    """Nine cells as they were read, and the line of the last row."""

    cells: Cells
    last: int
    apart: int
    kind: Kind = ()
    doubtful: bool = False
    """Whether what stands halfway between two rows looks like a row: of two boards in a row."""

    @property
    def frame(self) -> Frame:
        """How it is laid out on the screen: that stays the same from turn to turn."""
        return (*self.kind, self.apart)

    def is_certain(self, learned: Collection[Frame] | None) -> bool:
        """Return whether it is not by columns alone, or by columns that were learned."""
        if learned is None or self.kind[:1] != (FIXED,):
            return True
        return self.frame in learned or (self.kind[-1] == 0 and any(self._ends_like(one) for one in learned))

    def _ends_like(self, frame: Frame) -> bool:
        """Return whether it is laid out so, but for what follows: it is the last on its screen."""
        return (*self.kind[:-1], self.apart) == (*frame[:-2], frame[-1])

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
        return signs if self._are_free(board, signs) else None

    def may_be_drawn(self, sign: str) -> bool:
        """Return whether a mark may look so: some signs draw frames, if not one among eight others."""
        return sign not in _BLANKS or (sign in _ODD_MARKS and all(self.cells) and len(set(self.cells)) == 2)

    def as_drawn(self, signs: Signs) -> Board | None:
        """Return the board, right or wrong, that these signs make of the cells, or None."""
        sides = {sign: side for side, sign in signs.items()}
        board = "".join(sides.get(cell, ".") for cell in self.cells)
        return Board(board) if self._are_free(board, signs) else None

    def _are_free(self, board: str, signs: Signs) -> bool:
        """Return whether the others look free: all alike, or each with a number or a letter of its own."""
        drawn = set(signs.values())
        free = [cell for side, cell in zip(board, self.cells, strict=True) if side == "."]
        if any(cell in drawn for cell in free):
            return False
        if self.is_lettered(board):
            return True
        alike = len(set(free)) <= 1
        numbered = len(set(free)) == len(free) and all(any(sign.isdigit() for sign in cell) for cell in free)
        if not alike and not numbered:
            return False
        if len(free) > 1 and numbered and any(map(str.isdigit, "".join(drawn))):
            return False  # a legend of digits, of which some would be marks
        return not (alike and free and len(free[0]) > 1 and free[0] != "None" and not numbered)

    def is_lettered(self, board: str) -> bool:
        """Return whether the free cells, and no others, have letters in the order of the alphabet."""
        letters = [at for at, cell in enumerate(self.cells) if len(cell) == 1 and cell.isalpha()]
        free = [at for at, side in enumerate(board) if side == "."]
        begins = {ord(self.cells[at]) - at for at in free if at in letters}
        in_order = [at for at in letters if ord(self.cells[at]) - at in begins]
        return len(begins) == 1 and in_order == free


def latest(
    lines: Sequence[str],
    boards: Iterable[Board],
    signs: Signs,
    before: Sequence[str] = (),
    *,
    frames: set[Frame] | None = None,
    learned: Collection[Frame] | None = None,
) -> tuple[Board, Signs] | None:
    """Return the latest board on the screen that is one of these, and how the sides are drawn.

    What stood there before is no answer to what was typed since. Of the frames that explain all screens so
    far, those are kept that explain this one.
    """
    wanted, old = list(boards), set(readings(before))
    matches = [
        (reading, board, found)
        for reading in readings(lines)
        if reading not in old and reading.is_certain(learned)
        for board in wanted
        if (found := reading.signs_of(board, signs)) is not None
    ]
    if not matches:
        return None
    if frames:
        matches = [one for one in matches if one[0].frame in frames] or matches
    _, board, found = _best(matches)
    if frames is not None:
        frames.clear()
        frames.update(reading.frame for reading, read, _ in matches if read == board)
    return board, found


def _best(matches: Sequence[Match]) -> Match:
    """Return the latest match; of those that share its lines the fullest one, then the widest."""
    last = max(reading.last for reading, _, _ in matches)
    first = min(reading.first for reading, _, _ in matches if reading.last == last)
    sharing = [one for one in matches if one[0].last >= first]
    return max(
        sharing,
        key=lambda one: (
            one[0].filled, not one[0].doubtful, one[0].apart, one[0].last, _came_before(one, matches),
            one[2].get("X") == "X",
        ),
    )  # fmt: skip


def _came_before(match: Match, matches: Sequence[Match]) -> bool:
    """Return whether the same board without its last mark was drawn above, with the same signs."""
    reading, board, signs = match
    return any(
        above.last < reading.first
        and 0 < len(found) == sum(found[side] == signs.get(side) for side in found)
        and sum(side != "." for side in less) + 1 == sum(side != "." for side in board)
        and all(side in (".", board[at]) for at, side in enumerate(less))
        for above, less, found in matches
    )


def readings(lines: Sequence[str]) -> tuple[Reading, ...]:
    """Return every board that may be on the screen, the latest first."""
    return _readings(tuple(lines))


@lru_cache(maxsize=64)
def _readings(lines: tuple[str, ...]) -> tuple[Reading, ...]:
    """Read a screen once: it is asked about several times, and all screens of a game are read together."""
    above = max(0, len(lines) - _MOST_LINES)
    shown = [line[:_LONGEST_LINE] for line in lines[above:]]
    rows = [rows_in(line) for line in shown]
    prose = [bool(PROSE.search(line)) for line in shown]
    drawn = [bool(_DRAWN.search(line)) for line in shown]
    found = [
        Reading(cells, number, 0, ("whole",)) for number, line in enumerate(shown) for cells in whole(line)
    ]
    for apart in range(1, FARTHEST + 1):
        for first in range(len(shown) - 2 * apart):
            numbers = (first, first + apart, first + 2 * apart)
            between = [number for number in range(first, numbers[2]) if number not in numbers]
            if (
                any(map(prose.__getitem__, between))
                or shown[first + 1 : numbers[1]] != shown[numbers[1] + 1 : numbers[2]]
            ):
                continue  # what lies between two rows lies between the others, too
            triple = [rows[number] for number in numbers]
            half, odd = divmod(apart, 2)
            doubtful = not odd and shown[first + half] in [shown[number] for number in numbers]
            for kind in triple[0].keys() & triple[1].keys() & triple[2].keys():
                if not any(any(rows[number].get(kind, ())) for number in between):  # a row of its own
                    cells = tuple(cell for row in triple for cell in row[kind])
                    found.append(Reading(cells, numbers[2], apart, kind, doubtful))
            if all(_has_beside(shown[number]) for number in numbers):
                found += (
                    Reading(cells, numbers[2], apart, ("beside", *place))
                    for place, cells in grids([[shown[number]] for number in numbers])
                )
            if not any(map(drawn.__getitem__, between)):
                below = next((at for at in range(numbers[2] + 1, len(shown)) if prose[at]), numbers[2])
                by_columns = fixed(*(shown[at] for at in numbers))
                found += (
                    Reading(cells, numbers[2], apart, (FIXED, *place, below - numbers[2]))
                    for place, cells in by_columns
                )
    found += (Reading(*one) for one in pictures(shown, prose))
    placed = {replace(one, last=one.last + above) for one in found}
    return tuple(sorted(placed, key=lambda one: (-one.last, one.apart, one.cells)))


def _has_beside(line: str) -> bool:
    """Return whether there is more in a line than one row between bars: another board, or a legend."""
    before, *others = BAR.split(line)
    if len(others) >= 4:
        return True
    return bool(others) and (_GAP.search(before.lstrip()) or _GAP.search(others[-1].rstrip())) is not None


def with_one_more(board: Board, side: str) -> list[Board]:
    """Return the boards with one more mark of a side."""
    return [Board(board[:at] + side + board[at + 1 :]) for at in range(9) if board[at] == "."]


def is_fresh(lines: Sequence[str], after: int, marks: Collection[str] = ()) -> bool:
    """Return whether a board without a mark begins below a line, or one with the first of these marks."""
    below = [one for one in readings(lines) if one.first > after]
    return any(
        one.signs_of(board, {"X": mark} if mark else {}) is not None
        for one in below
        for mark in ("", *marks)
        for board in (with_one_more(START, "X") if mark else [START])
    )


def opening(lines: Sequence[str], learned: Collection[Frame] | None = None) -> tuple[Board, Signs] | None:
    """Return the latest board with exactly one mark on the screen, if there is no empty one below it."""
    matches = [
        (reading, board, signs)
        for reading in readings(lines)
        if reading.is_certain(learned)
        for board in with_one_more(START, "X")
        if (signs := reading.signs_of(board, {})) is not None and reading.may_be_drawn(signs["X"])
    ]
    usual = [one for one in matches if one[2]["X"] in ("X", "O")]
    if not matches:
        return None
    reading, board, signs = _best(usual or matches)
    if is_fresh(lines, reading.last) or (not usual and _is_label(reading, readings(lines))):
        return None
    return board, signs


def _is_label(reading: Reading, others: Iterable[Reading]) -> bool:
    """Return whether the one mark of a board stands beside one row of a larger board without marks."""
    return any(
        one.first <= reading.first and reading.last <= one.last and reading.apart < one.apart
        for one in others
        if one.signs_of(START, {}) is not None
    )


def shown(
    lines: Sequence[str], signs: Signs, before: Board, learned: Collection[Frame] | None = None
) -> Board | None:
    """Return the board that is drawn last, right or wrong; None if none has as many marks as before."""
    drawn = [
        (reading, board)
        for reading in readings(lines)
        if reading.is_certain(learned)
        and (board := reading.as_drawn(signs))
        and board.count(".") <= before.count(".")
    ]
    same = max((reading.last for reading, board in drawn if board == before), default=-1)
    later = [board for reading, board in drawn if reading.first > same]
    if same >= 0:
        return later[0] if later else before
    return drawn[0][1] if drawn else None


def last_line(lines: Sequence[str], board: Board, signs: Signs) -> int:
    """Return the line at which a board ends on the screen, or -1."""
    return max((one.last for one in readings(lines) if one.signs_of(board, signs) is not None), default=-1)
