"""How a board is laid out that was not there before the first move, or is drawn by columns alone.

It is the frame that explains every screen of a game.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from grader.core.game.board import START, Board, marks, side_to_move
from grader.programs.boards import opening
from grader.programs.cells import Cells
from grader.programs.game import Game
from grader.programs.readings import Frame, Reading, Signs, readings
from grader.programs.squares import Scheme
from grader.programs.terminal import Turn

_FEWEST: Final = 4
"""Marks by which a frame is known."""


def has_board(game: Game) -> bool:
    """Return whether a board is on the screen that needs no columns to be learned."""
    certain = (one for one in readings(game.lines) if one.is_certain(()))
    return opening(game.lines, ()) is not None or any(one.signs_of(START, {}) is not None for one in certain)


def played_blindly(game: Game, schemes: Sequence[Scheme]) -> list[list[str]]:
    """Type one square after the other, whatever is on the screen; return the screens.

    What is a square in every numbering comes first: the others may end the game.
    """
    screens = [game.lines]
    texts = dict.fromkeys(lines for scheme in schemes for lines in scheme.lines)
    for lines in sorted(texts, key=lambda one: sum(one in scheme.lines for scheme in schemes), reverse=True):
        if game.enter(lines) is not Turn.WAITS:
            break
        screens.append(game.lines)
    return [*screens, game.lines]


def learned(screens: Sequence[Sequence[str]]) -> frozenset[Frame]:
    """Return the frames that make of every screen a board that follows from the one before."""
    found: dict[int, set[Frame]] = defaultdict(set)
    latest = [{one.frame: one for one in reversed(readings(screen))} for screen in screens]
    for frame in {frame for boards in latest for frame in boards}:
        most = max(_marks([boards[frame] for boards in latest if frame in boards], START, {}), default=0)
        if most >= _FEWEST:
            found[most].add(frame)
    return frozenset(found[max(found)]) if found else frozenset()


def _marks(seen: Sequence[Reading], board: Board, signs: Signs, before: Cells = ()) -> Iterator[int]:
    """Yield how many marks there are at last, for every game that is as it was seen."""
    if not seen:
        yield marks(board)
        return
    cells = seen[0].cells
    new = [at for at in range(9) if board[at] == "." and (not before or cells[at] != before[at])]
    for count in range(min(len(new), 2) + 1):
        for places in permutations(new, count):
            after = board
            for at in places:
                after = Board(after[:at] + side_to_move(after) + after[at + 1 :])
            found = seen[0].signs_of(after, signs)
            if found is not None:
                yield from _marks(seen[1:], after, found, cells)
