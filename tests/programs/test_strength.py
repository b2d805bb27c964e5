"""Of several ways the strongest is found by a few games, whatever it is called; here without a process."""

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, cast

from grader.core.game import oracle
from grader.core.game.board import START, Action, Board, O, X, is_over
from grader.programs.game import Game, Step
from grader.programs.search import compare, takes_all
from grader.programs.squares import AS_ASSIGNED

Player = Callable[[Board], Action]


class Ended(nullcontext[None]):
    """A terminal in which nothing takes time."""

    seconds = 0.0


class Played:
    """A game with a player in this process; it refuses squares from `most` on."""

    def __init__(self, player: Player, its: str, most: int = 9) -> None:
        self.player, self.its, self.most = player, its, most
        self.board, self.path, self.terminal = START, [START], Ended()
        self.signs, self.answered = {X: "X", O: "O"}, list[Any]()

    def begin(self) -> Step:
        return self.reply() if self.its == X else Step.MY_TURN

    def play(self, cell: int, _: object) -> Step:
        if cell >= self.most:
            return Step.REFUSED
        self.go(divmod(cell, 3))
        return Step.OVER if is_over(self.board) else self.reply()

    def reply(self) -> Step:
        self.go(self.player(self.board))
        return Step.OVER if is_over(self.board) else Step.MY_TURN

    def go(self, action: Action) -> None:
        self.board = oracle.successors(self.board)[action]
        self.path.append(self.board)


def ways(**players: tuple[Player, str]) -> dict[str, Any]:
    return {
        name: (lambda player=player: cast("Game", Played(*player)), AS_ASSIGNED)
        for name, player in players.items()
    }


def right(board: Board) -> Action:
    return min(oracle.optimal_actions(board))


def first_free(board: Board) -> Action:
    return min(oracle.successors(board))


def right_at_first(board: Board) -> Action:
    return (right if board.count(".") > 5 else first_free)(board)


def test_the_right_player_has_nothing_wrong_and_the_others_have() -> None:
    found = compare(
        ways(easy=(first_free, O), middling=(right_at_first, O), hard=(right, O)), seconds=math.inf
    )
    assert found["hard"].wrong == 0 < min(found["easy"].wrong, found["middling"].wrong)


def test_two_right_players_are_told_apart_by_their_sides() -> None:
    found = compare(ways(user=(right, O), program=(right, X)), seconds=math.inf)
    assert {name: (one.wrong, one.its) for name, one in found.items()} == {"user": (0, O), "program": (0, X)}


def test_each_has_one_game_when_there_is_no_time() -> None:
    found = compare(ways(easy=(first_free, O), hard=(right, O)), seconds=-1)
    assert set(found) == {"easy", "hard"}


def test_a_way_on_which_games_do_not_end_is_none() -> None:
    stuck = {"stuck": (lambda: cast("Game", Played(right, O, most=1)), AS_ASSIGNED)}
    assert compare(stuck, seconds=math.inf) == {}
    assert not takes_all(*stuck["stuck"])
    assert takes_all(*ways(right=(right, O))["right"])
