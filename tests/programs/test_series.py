"""How long games are played: until what is asked of them is certain."""

import time
from dataclasses import dataclass

import pytest

from grader.core.game import oracle
from grader.core.game.board import START, Board, is_over, place, side_to_move
from grader.programs.game import Manner, Opens, Step, Waits
from grader.programs.prompts import Wish
from grader.programs.results import coverage
from grader.programs.seen import Fault
from grader.programs.series import End, Finished, Series
from grader.programs.squares import AS_ASSIGNED
from grader.programs.terminal import Terminal
from tests.programs.test_seen import can_err

pytestmark = pytest.mark.games(500)


def never(*, again: bool = False) -> Terminal:
    raise AssertionError("no program is started")


@dataclass
class Known(Series):
    """Games with a player that replies in a second, and is right unless it is told not to be."""

    opens: Opens = never
    patience: Waits = Waits(1, 1)
    manner: Manner = Manner(Wish.PROGRAM, AS_ASSIGNED)
    right: bool = True
    played: int = 0

    def _play_game(self) -> None:
        self.sides["O"] += 1
        self.seconds, self.played, course = self.seconds + 1, self.played + 1, [START]
        while not is_over(board := course[-1]):
            its = side_to_move(board) == "O"
            action = self._reply(board) if its else divmod(self.next_cell(course, "O", self.beaten), 3)
            course.append(oracle.successors(board)[action])
            self.remember(course, "O", len(course) - 2)

    def _reply(self, board: Board) -> tuple[int, int]:
        best = oracle.optimal_actions(board)
        return min(best if self.right or not can_err(board) else set(oracle.successors(board)) - best)


def test_with_time_a_fifth_of_the_games_goes_to_positions_to_which_every_reply_is_right() -> None:
    series = Known()
    series.play(10_000)
    assert series.decided and not series.complete and series.seen == 1
    assert series.played == 312  # 249 were needed


def test_with_less_time_those_are_left_out_to_which_every_reply_is_right() -> None:
    series = Known()
    series.play(400)
    assert series.decided and not series.complete and series.seen == 1
    assert coverage(series).endswith("positions, among them all to which a reply can be wrong")


def test_without_time_it_is_said_how_much_is_open() -> None:
    series = Known()
    series.play(100)
    assert series.played == 100 and not series.decided and series.seen < 1
    assert "more could not be seen in time" in coverage(series)


def test_no_game_begins_after_the_end() -> None:
    series = Known(patience=Waits(1, 1, time.monotonic()))
    series.play(1000)
    assert series.played == 0
    series = Known()
    series.play(1000, until=time.monotonic())
    assert series.played == 1  # what is begun once is seen


def test_who_is_wary_stops_where_games_come_to_nothing() -> None:
    class Silent(Known):
        def _play_game(self) -> None:
            self.played += 1
            self.doubts.append(Fault(Step.REFUSED, (START,), "O", "1", None, "", START))

    series = Silent()
    series.play(60, wary=True)
    assert series.breaks_the_rules and series.played == 3
    series.play(60)
    assert series.played > 3


def test_a_second_look_leaves_time_for_others() -> None:
    assert Waits(5, 1).times(10) == Waits(50, 10)
    bounded = Waits(5, 1, end=time.monotonic() + 40).times(10)
    assert 5 <= bounded.first <= 10 and bounded.later <= 10


def finished(line: str, said: str) -> Finished:
    path = [START]
    for cell in map(int, line):
        path.append(place(path[-1], divmod(cell, 3)))
    return Finished(tuple(path), "X", {"X": "X", "O": "O"}, End.EXITS, said, said, True)


def test_announcements_for_the_other_side_in_every_game_mean_mixed_up_sides() -> None:
    """Given games that the program, X, has won by the board."""
    lost, won = finished("03142", "You win!"), finished("03142", "I win!")
    assert Known(games=[lost] * 3).is_doubtful
    assert not Known(games=[lost, lost, won]).is_doubtful and not Known(games=[lost] * 2).is_doubtful


def test_games_that_cost_something_are_not_kept() -> None:
    """Given a game that was won and announced so, and one that was announced wrongly: that is seen again."""
    series = Known()
    series.sides["X"] += 1
    series.games = [won, lost] = [finished("03142", "I win!"), finished("03142", "You win!")]
    assert won.is_announced and not lost.is_announced and not lost.is_right
    assert len(series.to_keep) == won.is_right
