"""Boards on a screen: every way to read its lines as one, and which of them the rules of the game allow."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import START, Board, winner
from grader.programs.cells import (
    BAR,
    FARTHEST,
    FREE_WORDS,
    PROSE,
    Cells,
    Kind,
    Run,
    fixed,
    grids,
    headed,
    is_header,
    pictures,
    rows_in,
    whole,
)

_DRAWN: Final = re.compile(r"[^\W_]|(^|\s)[_.](\s|$)")
"""Something that may be in a cell."""

_BLANKS: Final = frozenset("-_.=+|*#?~:;,/!\\^—\u2013·")
"""Signs by which hardly anybody draws a mark."""

_ODD_MARKS: Final = frozenset("*#+")

_GAP: Final = re.compile(r"\s{3}")
"""What is between a board and something beside it, at least."""

_NARROW: Final = {0xFF01 + at: 0x21 + at for at in range(94)} | {0x3000: 0x20}
"""Full-width letters and signs, with the usual ones."""

_MOST_LINES: Final = 90
_LONGEST_LINE: Final = 200
_NO_ROW: Final = 100
"""Stands for the letters of a line on which there is something else."""

FIXED: Final = "fixed"
"""The kind of a board that is known by its columns alone."""

Frame = tuple[object, ...]
Signs = Mapping[str, str]
"""By what each side is drawn; X is the side that began, whatever its sign is."""


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


@dataclass(frozen=True)
class _Line:
    """What is known of a line by itself."""

    rows: Mapping[Kind, Cells]
    whole: tuple[Cells, ...]
    is_prose: bool
    is_drawn: bool
    """Whether something that may be in a cell is on it."""
    has_beside: bool
    """Whether there is more on it than one row."""
    letters: int
    """How many single letters are on it, if nothing else is: it may be a row of a board in columns."""
    is_header: bool


@lru_cache(maxsize=4096)
def _line(text: str) -> _Line:
    """Look at a line once: from turn to turn, and from game to game, most lines are the same."""
    prose, drawn = bool(PROSE.search(text)), bool(_DRAWN.search(text))
    tokens = text.split()
    letters = len(tokens) if len(tokens) <= 3 and all(len(token) == 1 for token in tokens) else _NO_ROW
    beside, header = _has_beside(text), is_header(text)
    return _Line(rows_in(text), tuple(whole(text)), prose, drawn, beside, letters, header)


@lru_cache(maxsize=64)
def _readings(lines: tuple[str, ...]) -> tuple[Reading, ...]:
    """Read a screen once: it is asked about several times, and all screens of a game are read together."""
    above = max(0, len(lines) - _MOST_LINES)
    shown = [line[:_LONGEST_LINE].translate(_NARROW) for line in lines[above:]]
    known = list(map(_line, shown))
    prose = [one.is_prose for one in known]
    headers = [
        [line for line in shown[max(0, at - 2) : at] if _line(line).is_header] for at in range(len(shown))
    ]
    found = [
        Reading(cells, above + number, 0, ("whole",))
        for number, one in enumerate(known)
        for cells in one.whole
    ]
    for apart in range(1, FARTHEST + 1):
        for first in range(len(shown) - 2 * apart):
            one, two, three = known[first], known[first + apart], known[first + 2 * apart]
            has_rows = one.rows and two.rows and three.rows
            kinds = one.rows.keys() & two.rows.keys() & three.rows.keys() if has_rows else ()
            beside = one.has_beside and two.has_beside and three.has_beside
            in_columns = 0 < one.letters + two.letters + three.letters < _NO_ROW
            if not (kinds or beside or in_columns or headers[first]):
                continue
            numbers = (first, first + apart, first + 2 * apart)
            texts = [shown[number] for number in numbers]
            between = [known[number] for number in range(first, numbers[2]) if number not in numbers]
            alike = shown[first + 1 : numbers[1]] == shown[numbers[1] + 1 : numbers[2]]
            if not alike or any(line.is_prose for line in between):
                continue  # what lies between two rows lies between the others, too
            half, odd = divmod(apart, 2)
            doubtful = not odd and shown[first + half] in texts
            last = above + numbers[2]
            for kind in kinds:
                if not any(any(line.rows.get(kind, ())) for line in between):  # a row of its own
                    cells = (*one.rows[kind], *two.rows[kind], *three.rows[kind])
                    found.append(Reading(cells, last, apart, kind, doubtful))
            if beside:
                for place, cells in _beside(*texts):
                    found.append(Reading(cells, last, apart, ("beside", *place)))
            for header in headers[first]:
                if cells := headed(header, *texts):
                    found.append(Reading(cells, last, apart, ("headed", header)))
            columns = fixed(*texts) if in_columns else ()
            if columns and not any(line.is_drawn for line in between):
                below = next((at for at in range(numbers[2] + 1, len(shown)) if prose[at]), numbers[2])
                for place, cells in columns:
                    found.append(Reading(cells, last, apart, (FIXED, *place, below - numbers[2])))
    found += (
        Reading(cells, above + last, apart, kind) for cells, last, apart, kind in pictures(shown, prose)
    )
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (-one.last, one.apart, one.cells)))


@lru_cache(maxsize=4096)
def _beside(*lines: str) -> tuple[tuple[Run, Cells], ...]:
    """Return the boards in three lines beside which there is something else."""
    return tuple(grids([[line] for line in lines]))


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
    """Return the latest board on the screen that is one of these, and how the sides are drawn.

    What stood there before is no answer to what was typed since. Of the frames that explain all screens so
    far, those are kept that explain this one.
    """
    old = set(readings(before))
    new = [one for one in _certain(lines, learned) if one not in old]
    matches = _matches(new, list(boards), signs)
    if not matches:
        return None
    if frames:
        matches = [one for one in matches if one[0].frame in frames] or matches
    _, board, found = _best(matches)
    if frames is not None:
        frames.clear()
        frames.update(reading.frame for reading, read, _ in matches if read == board)
    return board, found


def _matches(certain: Iterable[Reading], boards: Sequence[Board], signs: Signs) -> list[Match]:
    """Return every reading that is one of these boards, which one, and how the sides are drawn."""
    found = [(one, board, one.signs_of(board, signs)) for one in certain for board in boards]
    return [(reading, board, drawn) for reading, board, drawn in found if drawn is not None]


def _certain(lines: Sequence[str], learned: Collection[Frame] | None) -> list[Reading]:
    return [one for one in readings(lines) if one.is_certain(learned)]


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


def is_fresh(lines: Sequence[str], after: int, marks: Collection[str] = ()) -> bool:
    """Return whether a board without a mark begins below a line, or one with the first of these marks."""
    begun = [(board, {"X": mark}) for mark in marks for board in with_one_more(START, "X")]
    below = [one for one in readings(lines) if one.first > after]
    return any(one.signs_of(*board) is not None for one in below for board in [(START, {}), *begun])


def opening(
    lines: Sequence[str], learned: Collection[Frame] | None = None, before: Sequence[str] = ()
) -> tuple[Board, Signs] | None:
    """Return the latest board with exactly one mark on the screen, if there is no empty one below it.

    What stood there before the last question was answered is no opening.
    """
    old = set(readings(before))
    new = [one for one in _certain(lines, learned) if one not in old]
    found = _matches(new, with_one_more(START, "X"), {})
    matches = [one for one in found if one[0].may_be_drawn(one[2]["X"])]
    if not matches:
        return None
    usual = [one for one in matches if one[2]["X"] in ("X", "O")]
    reading, board, signs = _best(usual or matches)
    empty = [one for one in readings(lines) if one.signs_of(START, {}) is not None]
    if not all(_is_legend(one, reading) for one in empty if one.first > reading.last):
        return None
    return None if not usual and _is_label(reading, empty) else (board, signs)


def _is_legend(legend: Reading, board: Reading) -> bool:
    """Return whether one has a name in every square, and the other has none in those that are free."""
    return len(set(legend.cells)) == len(legend.cells) and len(set(board.cells)) == 2


def _is_label(reading: Reading, empty: Iterable[Reading]) -> bool:
    """Return whether the one mark of a board stands beside one row of a larger board without marks."""
    return any(
        one.first <= reading.first and reading.last <= one.last and reading.apart < one.apart for one in empty
    )


def shown(
    lines: Sequence[str], signs: Signs, before: Board, learned: Collection[Frame] | None = None
) -> Board | None:
    """Return the board that is drawn last, right or wrong; None if none has as many marks as before."""
    found = [(reading, reading.as_drawn(signs)) for reading in _certain(lines, learned)]
    drawn = [(one, board) for one, board in found if board and board.count(".") <= before.count(".")]
    same = max((reading.last for reading, board in drawn if board == before), default=-1)
    later = [board for reading, board in drawn if reading.first > same]
    if same >= 0:
        return later[0] if later else before
    return drawn[0][1] if drawn else None


def comes_before(
    lines: Sequence[str], first: Board, other: Board, signs: Signs, frames: Collection[Frame]
) -> bool:
    """Return whether a board is drawn in these lines, in one of these frames, and no other one above it."""
    found = [one.as_drawn(signs) for one in reversed(readings(lines)) if one.frame in frames]
    drawn = [board for board in found if board in (first, other)]
    return drawn[:1] == [first]


def last_line(lines: Sequence[str], board: Board, signs: Signs) -> int:
    """Return the line at which a board ends on the screen, or -1."""
    return max((one.last for one in readings(lines) if one.signs_of(board, signs) is not None), default=-1)
