"""The solved game, held against facts that follow from the rules alone."""

import subprocess
import sys

import pytest

from grader.core.game import oracle
from grader.core.game.board import (
    CELLS,
    START,
    Board,
    empty_cells,
    is_over,
    parse,
    place,
    side_to_move,
    winner,
)
from grader.course.courses import ROOT


def test_the_table_is_what_the_rules_make_of_it() -> None:
    solve = [sys.executable, str(ROOT / "scripts" / "solve_game"), "--print"]
    made = subprocess.run(solve, capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "grader" / "core" / "game" / "solved.json").read_text()


def test_successors_follow_the_rules() -> None:
    for board in oracle.boards():
        free = () if is_over(board) else empty_cells(board)
        assert oracle.successors(board) == {action: place(board, action) for action in free}


def test_the_numbers_of_boards_and_the_size_of_the_tree() -> None:
    assert len(oracle.boards()) == len(set(oracle.boards())) == 5_478
    assert (len(oracle.finished()), len(oracle.running())) == (958, 4_520)
    assert oracle.tree_size(START) == 549_946
    assert sum(map(oracle.tree_size, oracle.running())) == 2_125_535


def test_the_game_is_a_tie() -> None:
    assert oracle.value(START) == 0
    assert oracle.optimal_actions(START) == frozenset(empty_cells(START))


def test_how_often_there_is_a_choice() -> None:
    best = {board: len(oracle.optimal_actions(board)) for board in oracle.running()}
    assert sum(best[board] < len(empty_cells(board)) for board in best) == 3_191
    assert sum(best[board] == 1 < len(empty_cells(board)) for board in best) == 2_184
    assert sum(count > 1 for count in best.values()) == 2_114


def test_values_agree_with_a_plain_minimax_written_here() -> None:
    def value(board: Board) -> int:
        if is_over(board):
            return {"X": 1, "O": -1, None: 0}[winner(board)]
        values = [value(after) for after in oracle.successors(board).values()]
        return max(values) if side_to_move(board) == "X" else min(values)

    for board in oracle.boards():
        if board.count(".") <= 4:
            assert oracle.value(board) == value(board)


def test_boards_come_with_the_fewest_marks_first() -> None:
    marks = [9 - board.count(".") for board in oracle.boards()]
    assert marks == sorted(marks)


@pytest.mark.parametrize(
    ("drawing", "why"),
    [
        ("X..\n...\n...", None),
        ("O..\n...\n...", "X has 0 marks and O has 1"),
        ("XX.\n...\n...", "X has 2 marks and O has 0"),
        ("XXX\nOOO\n...", "went on after the game was over"),
        ("XXX\nOO.\nO..", "went on after the game was over"),
    ],
)
def test_an_impossible_board_is_explained(drawing: str, why: str | None) -> None:
    found = oracle.unreachable(parse(drawing))
    assert found is None if why is None else why in str(found)


def test_an_action_is_optimal_or_not_on_every_board() -> None:
    off_the_board = [(3, 0), (0, -1)]
    for board in oracle.boards():
        optimal = {cell for cell in (*CELLS, *off_the_board) if oracle.is_optimal(board, cell)}
        assert optimal == oracle.optimal_actions(board)
        assert bool(optimal) == (not is_over(board))
