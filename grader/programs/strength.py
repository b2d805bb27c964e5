"""Which of several ways has the best player: a few games along each; those that are weaker leave first."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from grader.core.game import oracle
from grader.core.game.board import Board, side_to_move
from grader.core.game.policy import move_between
from grader.programs.game import Game, Step
from grader.programs.squares import Scheme

_ORDERS: Final = ("012345678", "876543210", "402681357", "130852647", "785213640", "264051873")
"""In which order the user takes squares: badly, so that much can be missed."""

_TO_COMPARE: Final = 10.0
_ENOUGH: Final = 2
"""Games along each way where nothing but the side is left to choose."""

Begins = Callable[[], Game]
Key = TypeVar("Key")


@dataclass(frozen=True)
class Strength:
    """How a way was played: replies that are not optimal, the side of the program, and its sign."""

    wrong: int
    its: str
    sign: str
    asked: tuple[str, ...] = ()
    """What was asked on the way, as it is known again: what was refused is asked twice."""

    def is_like(self, best: "Strength") -> bool:
        """Return whether it may be the best player: who errs may err more with another side."""
        return self.wrong == best.wrong or best.wrong > 0


def compared(ways: Mapping[Key, tuple[Begins, Scheme]], seconds: float = _TO_COMPARE) -> dict[Key, Strength]:
    """Return how each way is played along which games come to their end, in so many seconds of the program's.

    One game each is played in any case.
    """
    found: dict[Key, Strength] = {}
    left = list(ways)
    for number, order in enumerate(_ORDERS):
        for key in tuple(left):
            if number and seconds < 0:
                return found
            game, step = _played(*ways[key], order)
            seconds -= game.terminal.seconds
            before = found.pop(key).wrong if key in found else 0
            if step is Step.OVER:
                wrong, sign = before + wrong_replies(game.path, game.its), game.signs.get(game.its, "")
                asked = tuple(question.key for question, _ in game.answered)
                found[key] = Strength(wrong, game.its, sign, asked)
            else:
                left.remove(key)
        least = min((found[key].wrong for key in left), default=0)
        left = [key for key in left if found[key].wrong == least]
        sides = {(found[key].its, found[key].sign) for key in left}
        if len(left) < 2 or (number + 1 >= _ENOUGH and len(sides) == len(left)):
            break
    return found


def _played(begins: Begins, scheme: Scheme, order: str) -> tuple[Game, Step]:
    """Play a game in which the user takes squares in this order."""
    game = begins()
    with game.terminal:
        step = game.begin()
        while step is Step.MY_TURN:
            step = game.play(next(cell for cell in map(int, order) if game.board[cell] == "."), scheme)
    return game, step


def wrong_replies(path: Sequence[Board], its: str) -> int:
    """Return how many replies of a game are not optimal."""
    steps = [step for step in itertools.pairwise(path) if side_to_move(step[0]) == its]
    return sum(move_between(*step) not in oracle.optimal_actions(step[0]) for step in steps)


def comes_to_an_end(begins: Begins, scheme: Scheme) -> bool:
    """Return whether one of a few games comes to its end."""
    return any(_played(begins, scheme, order)[1] is Step.OVER for order in _ORDERS[:_ENOUGH])


def takes_all(begins: Begins, scheme: Scheme) -> bool:
    """Return whether no square is refused in a few games in which each of them is typed."""
    return all(_played(begins, scheme, order)[1] is not Step.REFUSED for order in _ORDERS)
