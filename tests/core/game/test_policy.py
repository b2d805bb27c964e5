from itertools import pairwise

import pytest

from grader.core.game import oracle
from grader.core.game.board import CELLS, Action, Board, empty_cells, is_over, parse, winner
from grader.core.game.oracle import (
    GameCounts,
    Policy,
    move_between,
    packed,
    play_all,
    quickest_win,
    seen_of_games,
    shortest_loss,
)

PERFECT: dict[Board, Action | None] = {
    board: min(oracle.optimal_actions(board)) for board in oracle.running()
}
FIRST_CELL: dict[Board, Action | None] = {board: empty_cells(board)[0] for board in oracle.running()}


def games(policy: Policy, side: str, board: Board) -> list[str | None]:
    """Return how every game ends, found without the tables under test."""
    if is_over(board):
        return [winner(board)]
    turn = "X" if board.count("X") == board.count("O") else "O"
    moves = [policy[board]] if turn == side else list(empty_cells(board))
    return [end for move in moves if move for end in games(policy, side, oracle.successors(board)[move])]


def unpacked(text: str) -> Policy:
    """Return the policy that was packed, as pages read it."""
    pairs = zip(oracle.boards(), text, strict=True)
    return {board: None if sign == "?" else CELLS[int(sign)] for board, sign in pairs if sign not in "-."}


def test_games_are_counted_as_they_can_be_played() -> None:
    for policy in (PERFECT, FIRST_CELL):
        for side, other in ("XO", "OX"):
            ends = games(policy, side, oracle.boards()[0])
            record = GameCounts(ends.count(side), ends.count(None), ends.count(other))
            assert play_all(policy, side) == record
            assert record.games == len(ends)
            assert policy is FIRST_CELL or (record.lost == 0 and shortest_loss(policy, side) is None)


def test_the_shortest_loss_is_a_game_that_the_policy_plays_and_loses() -> None:
    for side, other in ("XO", "OX"):
        path = shortest_loss(FIRST_CELL, side)
        assert path is not None
        assert winner(path[-1]) == other
        assert len(path) == (7 if side == "X" else 6)  # X has won with three marks: nobody loses sooner
        for before, after in pairwise(path):
            turn = "X" if before.count("X") == before.count("O") else "O"
            move = move_between(before, after)
            assert turn != side or FIRST_CELL[before] == move
            assert oracle.successors(before)[move] == after


def test_a_board_without_a_move_is_forfeited() -> None:
    start = oracle.boards()[0]
    path = shortest_loss({start: None}, "X")
    assert path == [start]
    assert play_all({start: None}, "X") == GameCounts(lost=1)
    assert seen_of_games({start: None}, "X") == 1


def test_a_board_whose_move_is_not_known_is_neither_won_nor_lost() -> None:
    assert shortest_loss({}, "X") is None
    assert play_all({}, "X") == GameCounts(unseen=1)
    assert seen_of_games({}, "X") == 0
    first, *others = oracle.successors(oracle.boards()[0]).values()
    without = {board: move for board, move in PERFECT.items() if board != first}
    record = play_all(without, "O")
    assert record.unseen == 1 and record.lost == 0
    assert seen_of_games(without, "O") == pytest.approx(len(others) / 9)


def test_a_lost_game_may_have_to_go_through_a_board() -> None:
    shortest = shortest_loss(FIRST_CELL, "O")
    assert shortest is not None
    other = next(
        board
        for board in oracle.running()
        if board not in shortest and shortest_loss(FIRST_CELL, "O", [board]) is not None
    )
    path = shortest_loss(FIRST_CELL, "O", [other])
    assert path is not None and other in path and winner(path[-1]) == "X"
    assert shortest_loss(PERFECT, "O", [other]) is None


def test_the_quickest_win_wins_quickly() -> None:
    board = parse("X.O\n...\n..."[:11])
    path = quickest_win(board)
    assert path[0] == board
    assert winner(path[-1]) == "X"
    assert len(path) <= 6


def test_a_policy_survives_packing() -> None:
    text = packed(FIRST_CELL)
    assert len(text) == 5_478
    assert text.count("-") == 958
    assert unpacked(text) == FIRST_CELL
    assert packed({parse("...\n...\n..."): None})[:2] == "?."
    assert unpacked(packed({parse("...\n...\n..."): None})) == {parse("...\n...\n..."): None}
