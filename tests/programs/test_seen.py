"""Which positions of a program are looked at, and in which order."""

from collections import Counter
from functools import cache

import pytest

from grader.core.game import oracle
from grader.core.game.board import START, Board, O, X, is_over, side_to_move
from grader.programs.seen import Seen

MOST = 500


@cache
def played(its: str, until: str) -> tuple[Seen, int]:
    """Return what is seen of a perfect player until it is enough, and in how many games."""
    seen = Seen(sides=Counter({its: 1}))
    for games in range(MOST):
        if getattr(seen, until):
            return seen, games
        course = [START]
        while not is_over(board := course[-1]):
            if side_to_move(board) == its:
                action = min(oracle.optimal_actions(board))
            else:
                action = divmod(seen.next_cell(course, its, beaten=False), 3)
            course.append(oracle.successors(board)[action])
        seen.remember(course, its)
    raise AssertionError("there is no end to it")


def can_err(board: Board) -> bool:
    return len(oracle.optimal_actions(board)) < len(oracle.successors(board))


@pytest.mark.parametrize(("its", "positions"), [(X, 99), (O, 447)])
def test_every_position_is_seen_in_the_end(its: str, positions: int) -> None:
    seen, _ = played(its, "complete")
    assert len(seen.replies) == positions and seen.decided
    assert seen.share_seen(0) == 1.0 and seen.open_positions() == 0


@pytest.mark.parametrize("its", [X, O])
def test_positions_in_which_a_reply_can_be_wrong_come_first(its: str) -> None:
    whole, all_games = played(its, "complete")
    seen, games = played(its, "decided")
    assert games < all_games and not seen.complete
    assert set(filter(can_err, whole.replies)) == set(filter(can_err, seen.replies))
    assert seen.share_seen(0) == 1.0 and seen.open_positions() == 0


def test_what_is_not_seen_in_time_is_spread_over_all_first_moves() -> None:
    """Given a player that replies, and time for less than half of the games: none of nine was left for later."""
    seen, course = Seen(sides=Counter({O: 1})), [START]
    for _ in range(90):
        while not is_over(board := course[-1]):
            its_turn = side_to_move(board) == O
            cell = divmod(seen.next_cell(course, O, beaten=False), 3)
            course.append(oracle.successors(board)[min(oracle.optimal_actions(board)) if its_turn else cell])
        seen.remember(course, O)
        course = [START]
    times = [seen.replies[board].total() for board in oracle.following(START)]
    assert sum(times) == 90 and min(times) >= 8


@pytest.mark.parametrize(("board", "cell"), [("X........", 4), ("XX..O....", 2), ("XXOXO....", 6)])
def test_the_telling_move_loses_nothing_and_wins_against_who_takes_the_first_free_square(
    board: str, cell: int
) -> None:
    assert Seen().telling_cell(Board(board), X) == cell


def test_every_order_of_moves_is_seen_to_positions_that_can_be_lost() -> None:
    """Given a player that begins, there is nothing more to see of it when its positions are seen, and all orders."""
    seen, games = played(X, "complete")
    assert games > played(X, "decided")[1] + 10 and not seen.has_other_orders
