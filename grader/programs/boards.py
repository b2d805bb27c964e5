"""Which of the boards that may be on a screen it is: the rules of the game decide."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache

from grader.core.game import oracle
from grader.core.game.board import START, Board, winner
from grader.programs.readings import Frame, Reading, Signs, readings

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
