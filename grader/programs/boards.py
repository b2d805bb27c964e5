"""Boards on a screen: every way to read its lines as one, and which of them the rules of the game allow."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import START, Board, winner
from grader.programs import cells as rows
from grader.programs.cells import BAR, FREE_WORDS, PROSE, Cells, Kind

_DRAWN: Final = re.compile(r"[^\W_]|(^|\s)[_.](\s|$)")
"""Something that may be in a cell."""

_BLANKS: Final = frozenset("-_.=+|*#?~:;,/!\\^—\u2013·")
"""Signs by which hardly anybody draws a mark."""

_ODD_MARKS: Final = frozenset("*#+")
_GAP: Final = re.compile(r"\s{3}")
"""The least that separates a board from something beside it."""

_NARROW: Final = {0xFF01 + at: 0x21 + at for at in range(94)} | {0x3000: 0x20}
"""Full-width letters and signs, with the usual ones."""

_MOST_LINES: Final = 90
_LONGEST_LINE: Final = 200
FIXED: Final = "fixed"
"""The kind of a board that is recognized by its columns alone."""

Frame = tuple[object, ...]
Signs = Mapping[str, str]
"""The mark of each side; X is the side that began, whatever its mark is."""


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
        # The last board of a screen has nothing below it, whatever follows it on other screens.
        own, is_last = (*self.kind[:-1], self.apart), self.kind[-1] == 0
        return self.frame in learned or (is_last and own in [(*frame[:-2], frame[-1]) for frame in learned])

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
        distinct = len(set(signs.values())) == len(signs)
        return signs if distinct and self._are_free(board, signs) else None

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
        if drawn.intersection(free):
            return False
        if self.is_lettered(board):
            return True
        alike = len(set(free)) <= 1
        numbered = len(set(free)) == len(free) and all(any(sign.isdigit() for sign in cell) for cell in free)
        if not alike and not numbered:
            return False
        if len(free) > 1 and numbered and any(map(str.isdigit, "".join(drawn))):
            return False  # a legend of digits, of which some would be marks
        return numbered or not (alike and free and len(free[0]) > 1 and not FREE_WORDS.fullmatch(free[0]))

    def is_lettered(self, board: str) -> bool:
        """Return whether the free cells, and no others, have letters in the order of the alphabet."""
        letters = [at for at, cell in enumerate(self.cells) if len(cell) == 1 and cell.isalpha()]
        free = [at for at, side in enumerate(board) if side == "."]
        begins = {ord(self.cells[at]) - at for at in free if at in letters}
        in_order = [at for at in letters if ord(self.cells[at]) - at in begins]
        return len(begins) == 1 and in_order == free


def readings(lines: Sequence[str]) -> tuple[Reading, ...]:
    """Return every board that may be on the screen, the latest first."""
    return _readings(tuple(lines))


@lru_cache(maxsize=64)
def _readings(lines: tuple[str, ...]) -> tuple[Reading, ...]:
    above = max(0, len(lines) - _MOST_LINES)
    shown = [line[:_LONGEST_LINE].translate(_NARROW) for line in lines[above:]]
    prose = [bool(PROSE.search(line)) for line in shown]
    found = [
        Reading(cells, above + number, 0, ("whole",))
        for number, line in enumerate(shown)
        for cells in rows.whole(line)
    ]
    for apart in range(1, rows.FARTHEST + 1):
        for first in range(len(shown) - 2 * apart):
            second, third = first + apart, first + 2 * apart
            between = shown[first + 1 : second]
            if between != shown[second + 1 : third] or any(prose[first + 1 : second]):
                continue
            texts, last = [shown[first], shown[second], shown[third]], above + third
            doubtful = apart % 2 == 0 and shown[first + apart // 2] in texts
            upper, middle, lower = map(rows.rows_in, texts)
            for kind in upper.keys() & middle.keys() & lower.keys():
                if not any(any(rows.rows_in(line).get(kind, ())) for line in between):  # a row of its own
                    cells = (*upper[kind], *middle[kind], *lower[kind])
                    found.append(Reading(cells, last, apart, kind, doubtful))
            if all(map(_has_beside, texts)):
                grids = rows.grids([[line] for line in texts])
                found += (Reading(cells, last, apart, ("beside", *place)) for place, cells in grids)
            for header in filter(rows.is_header, shown[max(0, first - 2) : first]):
                if cells := rows.headed(header, *texts):
                    found.append(Reading(cells, last, apart, ("headed", header)))
            if not any(map(_DRAWN.search, between)):
                below = next((at for at in range(third + 1, len(shown)) if prose[at]), third) - third
                fixed = rows.fixed(*texts)
                found += (Reading(cells, last, apart, (FIXED, *place, below)) for place, cells in fixed)
    pictures = rows.pictures(shown, prose)
    found += (Reading(cells, above + last, apart, kind) for cells, last, apart, kind in pictures)
    return tuple(sorted(dict.fromkeys(found), key=lambda found: (-found.last, found.apart, found.cells)))


@lru_cache(maxsize=4096)
def _has_beside(line: str) -> bool:
    """Return whether there is more in a line than one row between bars: another board, or a legend."""
    before, *others = BAR.split(line)
    if len(others) >= 4:
        return True
    return bool(others) and (_GAP.search(before.lstrip()) or _GAP.search(others[-1].rstrip())) is not None


Match = tuple[Reading, Board, Signs]


def latest(
    lines: Sequence[str],
    boards: Iterable[Board],
    signs: Signs,
    before: Sequence[str] = (),
    *,
    frames: set[Frame] | None = None,
    learned: Collection[Frame] | None = None,
) -> tuple[Board, Signs] | None:
    """Return the latest board on the screen that is one of these, and the marks of the sides.

    Boards that were on the screen `before` the last input are ignored. `frames` holds the frames that explain
    all screens so far; it is reduced to those that explain this one, too.
    """
    matches = _matches(_certain(lines, learned, before), list(boards), signs)
    if not matches:
        return None
    if frames:
        matches = [match for match in matches if match[0].frame in frames] or matches
    _, board, found = _best(matches)
    if frames is not None:
        frames.clear()
        frames.update(reading.frame for reading, read, _ in matches if read == board)
    return board, found


def _matches(certain: Iterable[Reading], boards: Sequence[Board], signs: Signs) -> list[Match]:
    """Return every reading that is one of these boards, with the board and the marks of the sides."""
    found = [(reading, board, reading.signs_of(board, signs)) for reading in certain for board in boards]
    return [(reading, board, drawn) for reading, board, drawn in found if drawn is not None]


def _certain(
    lines: Sequence[str], learned: Collection[Frame] | None, before: Sequence[str] = ()
) -> list[Reading]:
    old = set(readings(before))
    return [reading for reading in readings(lines) if reading not in old and reading.is_certain(learned)]


def _best(matches: Sequence[Match]) -> Match:
    """Return the latest match; of those that share its lines the fullest one, then the widest."""
    last = max(reading.last for reading, _, _ in matches)
    first = min(reading.first for reading, _, _ in matches if reading.last == last)

    def rank(match: Match) -> tuple[int, bool, int, int, bool, bool]:
        reading, _, signs = match
        follows, is_x = _came_before(match, matches), signs.get("X") == "X"
        return reading.filled, not reading.doubtful, reading.apart, reading.last, follows, is_x

    return max((match for match in matches if match[0].last >= first), key=rank)


def _came_before(match: Match, matches: Sequence[Match]) -> bool:
    """Return whether the same board without its last mark was drawn above, with the same signs."""
    reading, board, signs = match
    return any(
        above.last < reading.first
        and 0 < len(found) == sum(found[side] == signs.get(side) for side in found)
        and less.count(".") == board.count(".") + 1
        and all(side in (".", board[at]) for at, side in enumerate(less))
        for above, less, found in matches
    )


def with_one_more(board: Board, side: str) -> list[Board]:
    """Return the boards with one more mark of a side."""
    return [Board(board[:at] + side + board[at + 1 :]) for at in range(9) if board[at] == "."]


@cache
def can_be_won(board: Board) -> bool:
    """Return whether a side has won, or can still win if the other one lets it."""
    return winner(board) is not None or any(map(can_be_won, oracle.following(board)))


def empty_boards(lines: Sequence[str]) -> list[Reading]:
    """Return the boards on the screen that may have no mark."""
    return [reading for reading in readings(lines) if reading.signs_of(START, {}) is not None]


def is_fresh(lines: Sequence[str], after: int, marks: Collection[str] = ()) -> bool:
    """Return whether a board without a mark begins below a line, or one with the first of these marks."""
    begun = [(board, {"X": mark}) for mark in marks for board in with_one_more(START, "X")]
    return any(
        reading.first > after and reading.signs_of(*board) is not None
        for reading in readings(lines)
        for board in [(START, {}), *begun]
    )


def opening(
    lines: Sequence[str], learned: Collection[Frame] | None = None, before: Sequence[str] = ()
) -> tuple[Board, Signs] | None:
    """Return the latest board with exactly one mark on the screen, if there is no empty one below it.

    Boards that were on the screen `before` the last question was answered are ignored.
    """
    found = _matches(_certain(lines, learned, before), with_one_more(START, "X"), {})
    matches = [match for match in found if match[0].may_be_drawn(match[2]["X"])]
    if not matches:
        return None
    usual = [match for match in matches if match[2]["X"] in ("X", "O")]
    reading, board, signs = _best(usual or matches)
    empty = empty_boards(lines)
    if not all(_is_legend(other, reading) for other in empty if other.first > reading.last):
        return None
    return None if not usual and _is_label(reading, empty) else (board, signs)


def _is_legend(legend: Reading, board: Reading) -> bool:
    """Return whether one has a name in every square, and the other has none in those that are free."""
    return len(set(legend.cells)) == len(legend.cells) and len(set(board.cells)) == 2


def _is_label(board: Reading, empty: Iterable[Reading]) -> bool:
    """Return whether the only mark of a board stands beside one row of a larger board without marks."""
    return any(
        larger.first <= board.first and board.last <= larger.last and board.apart < larger.apart
        for larger in empty
    )


def shown(
    lines: Sequence[str], signs: Signs, before: Board, learned: Collection[Frame] | None = None
) -> Board | None:
    """Return the board that is drawn last, right or wrong; None if none has as many marks as before."""
    found = [(reading, reading.as_drawn(signs)) for reading in _certain(lines, learned)]
    drawn = [(reading, board) for reading, board in found if board and board.count(".") <= before.count(".")]
    same = max((reading.last for reading, board in drawn if board == before), default=-1)
    later = [board for reading, board in drawn if reading.first > same]
    if same >= 0:
        return later[0] if later else before
    return drawn[0][1] if drawn else None


def comes_before(
    lines: Sequence[str], first: Board, other: Board, signs: Signs, frames: Collection[Frame]
) -> bool:
    """Return whether a board is drawn in these lines, in one of these frames, and no other one above it."""
    found = (reading.as_drawn(signs) for reading in reversed(readings(lines)) if reading.frame in frames)
    return next((board for board in found if board in (first, other)), None) == first


def last_line(lines: Sequence[str], board: Board, signs: Signs) -> int:
    """Return the line at which a board ends on the screen, or -1."""
    found = [reading.last for reading in readings(lines) if reading.signs_of(board, signs) is not None]
    return max(found, default=-1)
