"""Each family against faulty functions of its own, written apart from it; and functions that have no name."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from grader.core.game import oracle
from grader.core.game.board import Board, from_lists
from grader.core.mistakes import naming
from grader.core.mistakes.family import Key, key_of, right_key
from tests.core.mistakes import seeing as right
from tests.core.mistakes.seeing import EMPTY, LINES, Faulty, O, Rows, X, reply_to, seen


def answers_of(function: str, faulty: Faulty) -> dict[Board, Key]:
    return {call[0]: key_of(reply_to(faulty, call)) for call in right.calls_of(function)}


def names(function: str, faulty: Faulty, **others: Faulty) -> list[str]:
    """Return the ids of the mistakes that are named, given what other functions of the file answer."""
    known = {name: answers_of(name, other) for name, other in others.items()}
    return [mistake.id for mistake in naming.in_answers(seen(function, faulty, known))]


def raising(error: type[Exception], when: Callable[[Rows], bool], otherwise: Faulty) -> Faulty:
    def faulty(board: Rows, *others: Any) -> Any:
        if when(board):
            raise error("no")
        return otherwise(board, *others)

    return faulty


def full(board: Rows) -> bool:
    return not right.actions(board)


def some_rows(board: Rows, *groups: str, order: str = "rows columns diagonals") -> str | None:
    """Return the winner as a student finds it who compares three cells with each other, and not with EMPTY."""
    for group in order.split():
        for i in range(2 if group == "diagonals" else 3):
            line = {"rows": LINES[i], "columns": LINES[3 + i], "diagonals": LINES[6 + i % 2]}[group]
            a, b, c = (board[x][y] for x, y in line)
            if a == b == c and (a is not EMPTY or group in groups):
                return a
    return None


def counting_player(turns: str) -> Faulty:
    return lambda board: turns[9 - len(right.actions(board))]


def swapped_set(board: Rows) -> set[tuple[int, int]]:
    return {(j, i) for i, j in right.actions(board)}


def changing_result(board: Rows, action: tuple[int, int]) -> Rows:
    board[action[0]][action[1]] = right.player(board)
    return board


def shallow_result(board: Rows, action: tuple[int, int]) -> Rows:
    after = copy.copy(board)
    after[action[0]][action[1]] = right.player(board)
    return after


def placing(mark: Callable[[Rows], Any]) -> Faulty:
    def faulty(board: Rows, action: tuple[int, int]) -> Rows:
        after = [row[:] for row in board]
        after[action[0]][action[1]] = mark(board)
        return after

    return faulty


def other(board: Rows) -> str:
    return X if right.player(board) == O else O


def strange_columns(board: Rows) -> str | None:
    """Return the winner as a student finds it who uses the variable of an earlier loop in the columns."""
    for i in range(3):
        if board[i][0] == board[i][1] == board[i][2] and board[i][0] is not EMPTY:
            return board[i][0]
    for j in range(3):
        if board[0][j] == board[1][j] == board[2][j] and board[0][j] is not EMPTY:
            return X if board[i][0] == X else O
    return right.winner(board, LINES[6:])


def guarded_columns(board: Rows, count: int = 1) -> str | None:
    """Return the winner, but of a column only if cells that are not in it are taken."""
    found = right.winner(board, LINES[:3] + LINES[6:])
    if found is None and all(board[2 - i][i] is not EMPTY for i in range(count)):
        return right.winner(board, LINES[3:6])
    return found


def last_line(board: Rows) -> str | None:
    """Return who holds the last line, empty or not, that was found."""
    found = None
    for line in LINES:
        a, b, c = (board[i][j] for i, j in line)
        if a == b == c:
            found = a
    return found


def lower_left_full(board: Rows) -> bool:
    return all(board[i][j] is not EMPTY for i in range(3) for j in range(i))


def cautious(board: Rows, *action: Any) -> Any:
    """Raise one of two exceptions, whatever the board is."""
    raise (KeyError if board[0][0] is EMPTY else IndexError)("no")


CASES: list[tuple[str, Faulty, list[str]]] = [
    ("winner", cautious, ["raises"]),
    ("result", cautious, ["raises"]),
    ("winner", raising(NameError, lambda board: board[0][0] == X, right.winner), ["raises-on-some"]),
    ("winner", lambda board: False if 0 < len(right.actions(board)) < 9 and not right.winner(board) else right.winner(board), ["one-answer-on"]),
    ("terminal", lambda board: full(board) or len(right.actions(board)) == 9 or right.terminal(board), ["one-answer-on"]),
    ("winner", strange_columns, ["another-cell"]),
    ("winner", guarded_columns, ["another-cell"]),
    ("winner", last_line, ["empty-line"]),
    ("terminal", lambda board: right.winner(board, LINES[:6]) is not None or full(board), ["lines-left-out"]),
    ("utility", lambda board: {X: 1, O: -1, None: 0}[right.winner(board, LINES[:7])], ["lines-left-out"]),
    # any function
    ("player", raising(NotImplementedError, lambda board: True, right.player), ["not-written"]),
    ("winner", raising(IndexError, lambda board: True, right.winner), ["raises"]),
    ("winner", raising(IndexError, full, right.winner), ["raises-on"]),
    ("terminal", raising(KeyError, lambda board: right.winner(board) == O, right.terminal), ["raises-on"]),
    ("actions", lambda board: None, ["returns-nothing"]),
    ("player", lambda board: X, ["always-the-same"]),
    ("terminal", lambda board: len(right.actions(board)) == 1 or right.terminal(board), ["one-answer-on"]),
    ("winner", lambda board: None if full(board) else right.winner(board), ["nothing-on"]),
    # player
    ("player", counting_player("OXOXOXOXO"), ["o-begins"]),
    ("player", counting_player("XOOXXOOXX"), ["counts"]),
    ("player", counting_player("XOXOXOXOO"), ["one-turn"]),
    ("player", lambda board: right.player(board).lower(), ["lower-case"]),
    # actions
    ("actions", lambda board: sorted(right.actions(board)), ["list-for-set"]),
    ("actions", lambda board: [list(cell) for cell in right.actions(board)], ["list-for-set", "lists-for-tuples"]),
    ("actions", lambda board: frozenset(right.actions(board)), ["frozenset-for-set"]),
    ("actions", lambda board: {cell for cell in right.actions(board) if cell[1] < 2}, ["cells-left-out"]),
    ("actions", lambda board: {(i, j) for i in range(3) for j in range(3)}, ["always-the-same"]),
    ("actions", lambda board: {(i, j) for i in range(3) for j in range(3) if board[i][j] != X}, ["taken-included"]),
    ("actions", lambda board: {(i, j) for i in range(3) for j in range(3)} - right.actions(board), ["taken-for-free"]),
    ("actions", swapped_set, ["swapped"]),
    ("actions", lambda board: {(i + 1, j + 1) for i, j in right.actions(board)}, ["from-one"]),
    ("actions", lambda board: [3 * i + j for i, j in right.actions(board)], ["list-for-set", "numbers"]),
    # winner
    ("winner", lambda board: right.winner(board, LINES[:3] + LINES[6:]), ["lines-left-out"]),
    ("winner", lambda board: X if right.winner(board) == X else None, ["lines-left-out"]),
    ("winner", lambda board: right.winner(board) or False, ["other-word-for-nobody"]),
    ("winner", lambda board: right.winner(board, LINES[:7]) or "", ["other-word-for-nobody", "lines-left-out"]),
    ("winner", lambda board: some_rows(board, "rows", "columns"), ["empty-line"]),
    ("winner", lambda board: some_rows(board, "columns", order="columns rows diagonals"), ["empty-line"]),
    ("winner", lambda board: some_rows(board, "rows", order="rows columns"), ["empty-line", "lines-left-out"]),
    ("winner", lambda board: {X: O, O: X, None: None}[right.winner(board)], ["the-other-player"]),
    ("winner", lambda board: (right.winner(board) or "").lower() or None, ["lower-case"]),
    ("winner", lambda board: other(board) if len(right.actions(board)) < 9 else None, ["whoever-moved-last"]),
    # terminal
    ("terminal", lambda board: right.winner(board) is not None, ["ties-not-seen"]),
    ("terminal", full, ["full-boards-only"]),
    ("terminal", right.winner, ["winner-for-boolean"]),
    ("terminal", lambda board: int(right.terminal(board)), ["number-for-boolean"]),
    ("terminal", lambda board: right.terminal(board) or None, ["none-for-boolean"]),
    ("terminal", lambda board: not right.terminal(board), ["upside-down"]),
    # utility
    ("utility", lambda board: -right.utility(board), ["upside-down"]),
    ("utility", lambda board: 10 * right.utility(board), ["scale"]),
    ("utility", lambda board: str(right.utility(board)), ["text-for-number"]),
    ("utility", lambda board: right.utility(board) or None, ["tie"]),
    ("utility", lambda board: abs(right.utility(board)), ["wins-of-o"]),
    # result
    ("result", placing(lambda board: X), ["always-x"]),
    ("result", placing(other), ["other-player"]),
    ("result", lambda board, action: [row[:] for row in board], ["no-move"]),
    ("result", lambda board, action: tuple(map(tuple, right.result(board, action))), ["tuples"]),
    ("result", lambda board, action: None, ["returns-nothing"]),
]  # fmt: skip


@pytest.mark.exhaustive(beyond=8)
@pytest.mark.parametrize(("function", "faulty", "expected"), CASES)
def test_a_faulty_function_is_named(function: str, faulty: Faulty, expected: list[str]) -> None:
    assert names(function, faulty) == expected


def by_winner(winner: Faulty, o_wins: int = -1) -> Faulty:
    """Return a right `utility` for what a `winner` says, or one with another value for O's wins."""
    return lambda board: {X: 1, O: o_wins, None: 0}[winner(board)]


def winner_with(lines: list[list[tuple[int, int]]]) -> Faulty:
    return lambda board: right.winner(board, lines)


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("lines", [LINES[:3], LINES[3:], LINES[:6], LINES[6:], LINES[:1]])
def test_a_function_that_asks_winner_is_told_from_its_own_mistakes(lines: Any) -> None:
    faulty = winner_with(lines)
    assert names("terminal", lambda board: faulty(board) is not None or full(board), winner=faulty) == [
        "follows-winner"
    ]
    assert names("utility", by_winner(faulty), winner=faulty) == ["follows-winner"]
    assert names("winner", faulty) == ["lines-left-out"]


SIX = winner_with(LINES[:6])
WINNER = {"winner": right.winner}
TURNS = counting_player("XXOOXXOOX")


def won_on_a_full_board(board: Rows) -> bool:
    return full(board) and right.winner(board) is not None


def over_or_begun_in_a_diagonal(board: Rows) -> bool:
    return right.terminal(board) or board[0][0] == board[1][1] == X


@pytest.mark.parametrize(
    ("function", "faulty", "others", "expected"),
    [
        (
            "terminal",
            lambda board: SIX(board) is not None,
            {"winner": SIX},
            ["ties-not-seen", "follows-winner"],
        ),
        ("utility", by_winner(SIX, o_wins=0), {"winner": SIX}, ["wins-of-o", "follows-winner"]),
        ("terminal", won_on_a_full_board, WINNER, ["and-for-or"]),
        ("terminal", lambda b: right.terminal(b) or lower_left_full(b), WINNER, ["cells-not-looked-at"]),
        ("result", placing(TURNS), {"player": TURNS}, ["follows-player"]),
        # near to a family, and in none
        ("winner", lambda board: guarded_columns(board, count=2), {}, []),
        ("winner", lambda board: None if board[1] == [X, O, X] else last_line(board), {}, []),
        ("terminal", over_or_begun_in_a_diagonal, WINNER, []),
        ("terminal", lambda b: 1 / 0 if b[0] == [X, O, X] else not right.terminal(b), WINNER, []),
    ],
)
def test_what_others_answer_explains_and_what_comes_near_does_not(
    function: str, faulty: Faulty, others: dict[str, Faulty], expected: list[str]
) -> None:
    assert names(function, faulty, **others) == expected


def test_a_function_that_stays_wrong_when_winner_is_right_repeats_its_mistake() -> None:
    def faulty(board: Rows) -> str | None:
        return some_rows(board, "rows", "columns")

    known = {"winner": answers_of("winner", faulty)}
    (mistake,) = naming.in_answers(seen("utility", by_winner(faulty), known, alone=True))
    assert mistake.id == "repeats-winner"


def test_the_cell_outside_the_line_is_told() -> None:
    (mistake,) = naming.in_answers(seen("winner", strange_columns))
    assert "(2, 0) for the middle column, the right column" in mistake.sentence


def test_an_exception_comes_first_where_most_wrong_answers_are_exceptions() -> None:
    def faulty(board: Rows) -> str | None:
        if board[0][0] == O:
            raise NameError("name 'Y' is not defined")
        return X if board[0][0] == board[0][1] == board[2][2] == X else right.winner(board)

    (mistake,) = naming.in_answers(seen("winner", faulty))
    assert mistake.id == "raises-first"
    assert "NameError: name 'Y' is not defined" in mistake.sentence
    assert mistake.sentence.endswith("other answers are wrong, too.")


def test_the_lines_left_out_are_told() -> None:
    (mistake,) = naming.in_answers(seen("winner", lambda board: right.winner(board, LINES[:3] + LINES[5:])))
    assert mistake.sentence == "`winner` never sees the left column, the middle column."
    assert mistake.parameters["O"] == ["the left column", "the middle column"]
    assert mistake.boards[0].got == "None"
    assert len(mistake.boards) == 3


@pytest.mark.parametrize(
    ("faulty", "expected"), [(changing_result, "changes-the-board"), (shallow_result, "shallow-copy")]
)
def test_a_function_that_changes_the_board_is_told_how(faulty: Faulty, expected: str) -> None:
    found = seen("result", faulty)
    (mistake,) = naming.with_the_board("result", found.calls, found.replies)
    assert mistake.id == expected
    assert naming.in_answers(found) == ()


@pytest.mark.parametrize(
    ("refused", "title"),
    [
        (lambda board, i, j: board[i][j] is not EMPTY, "accepts negative rows and columns"),
        (lambda board, i, j: not (0 <= i < 3 and 0 <= j < 3), "accepts a taken cell"),
        (lambda board, i, j: i < 0 or board[i][j] is not EMPTY, "accepts a negative column"),
        (lambda board, i, j: False, "accepts a taken cell and negative rows and columns"),
    ],
)
def test_what_is_accepted_is_told(refused: Callable[..., bool], title: str) -> None:
    def faulty(board: Rows, action: Any) -> Rows:
        i, j = action
        if refused(board, i, j):
            raise ValueError
        return right.result(board, action)

    actions = [(0, 0), (1, 1), (3, 0), (-1, 1), (1, -1), (-1, -3), (7, 7), (1,), 5]
    asked = [(Board("X...O...."), action) for action in actions]
    (mistake,) = naming.in_refusals(asked, [reply_to(faulty, call) for call in asked])
    assert mistake.title == title


def test_refusals_that_follow_no_rule_are_not_named() -> None:
    asked = [(board, (0, 0)) for board in (Board("X........"), Board("X...O...."))]
    replies = [reply_to(right.result, asked[0]), reply_to(lambda board, action: 1 / 0, asked[1])]
    assert naming.in_refusals(asked, replies) == ()


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize(
    "function", ["player", "actions", "result", "winner", "terminal", "utility", "minimax"]
)
@pytest.mark.parametrize("seed", range(5))
def test_a_function_that_is_wrong_by_chance_has_no_name(function: str, seed: int) -> None:
    chance = random.Random(seed)
    answers: dict[str, list[Any]] = {
        "player": [X, O, None],
        "winner": [X, O, None],
        "terminal": [True, False],
        "utility": [1, 0, -1],
        "actions": [set(), {(0, 0)}, {(1, 1), (2, 2)}],
        "result": [[[EMPTY] * 3 for _ in range(3)]],
        "minimax": [(i, j) for i in range(3) for j in range(3)],
    }
    wrong = answers[function]

    def faulty(board: Rows, *action: Any) -> Any:
        if chance.random() < 0.03:
            return chance.choice(wrong)
        if function == "minimax":
            cells = from_lists(board)
            assert cells is not None
            return chance.choice(sorted(oracle.optimal_actions(cells)))
        return getattr(right, function)(board, *action)

    found = seen(function, faulty)
    assert any(found.wrong)
    assert naming.in_answers(found) == ()


def test_right_keys_are_the_right_functions_answers() -> None:
    for function in ("player", "actions", "winner", "terminal", "utility", "result"):
        found = seen(function, getattr(right, function))
        assert not any(found.wrong)
        assert found.keys == [right_key(function, call) for call in found.calls]
