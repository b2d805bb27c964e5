"""Right answers pass on every board; each kind of wrong one gets its sentence."""

import marshal
import re
from typing import Any

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Alien
from grader.core.checks.expected import every_call, expected_text, fault, known_answers, value_text
from grader.core.game import oracle
from grader.core.game.board import START, Action, empty_cells, parse, side_to_move, to_lists, winner
from grader.core.game.oracle import FUNCTIONS
from tests.conftest import MakeClient
from tests.submissions import PLAIN

RUNNING = parse("XX.\nOO.\n...")
WON = parse("XXX\nOO.\n...")
TIE = parse("XOX\nXOO\nOXX")


@pytest.mark.parametrize("name", ["player", "winner", "terminal", "utility"])
def test_right_answers_have_no_fault(name: str) -> None:
    for board in FUNCTIONS[name].domain.members():
        assert fault(name, board, None, FUNCTIONS[name].answer(board)) is None


def test_right_actions_results_and_moves_have_no_fault() -> None:
    for board in oracle.running():
        assert fault("actions", board, None, set(empty_cells(board))) is None
        for action in oracle.optimal_actions(board):
            assert fault("minimax", board, None, action) is None
            assert fault("result", board, action, to_lists(oracle.successors(board)[action])) is None
    for board in oracle.finished():
        assert fault("minimax", board, None, None) is None


def test_every_move_that_is_not_optimal_is_a_fault() -> None:
    for board in oracle.running():
        for action in set(empty_cells(board)) - oracle.optimal_actions(board):
            assert fault("minimax", board, None, action)


@pytest.mark.parametrize(
    ("name", "board", "action", "value", "sentence"),
    [
        ("player", RUNNING, None, "O", "X has 2 marks and O has 2, so it is X's turn."),
        ("player", RUNNING, None, None, "Is a `return` missing? X has 2 marks"),
        ("actions", RUNNING, None, [(0, 2)], "must return a set of tuples, not a list"),
        ("actions", RUNNING, None, {(0, 2)}, "The empty cell (1, 2) is missing."),
        ("actions", RUNNING, None, set(empty_cells(RUNNING)) | {(0, 0)}, "The cell (0, 0) is taken"),
        ("actions", RUNNING, None, {(0, 3)}, "(0, 3) is not"),
        ("actions", RUNNING, None, {2, 5}, "An action is a tuple (i, j)"),
        ("actions", parse("XO.\n...\n..."), None, {(False, 2)}, "missing"),
        (
            "result",
            RUNNING,
            (0, 2),
            [["x", None, None]] * 3,
            "The cells of a board hold X, O or EMPTY (None); this one holds 'x'.",
        ),
        ("result", RUNNING, (0, 2), [["X", "", None]] * 3, "this one holds ''."),
        ("result", RUNNING, (0, 2), [["X", None, "y" * 100]] * 3, "this one holds 'yyyyyy"),
        ("result", RUNNING, (0, 2), [["X", None]] * 3, "a list of three lists of three cells"),
        ("result", RUNNING, (0, 2), to_lists(RUNNING), "mark at (0, 2) is missing"),
        ("result", RUNNING, (0, 2), (("X",),), "must return a board"),
        ("result", RUNNING, (0, 2), None, "Is a `return` missing?"),
        ("result", RUNNING, (0, 2), to_lists(parse("XXO\nOO.\n...")), "should hold X"),
        ("result", RUNNING, (0, 2), to_lists(parse("XXX\nOO.\n..X")), "Only the cell (0, 2) should change."),
        ("winner", WON, None, "O", "X has three in a row: the top row."),
        ("winner", WON, None, None, "X has three in a row: the top row."),
        ("winner", RUNNING, None, False, "return None then, not False"),
        ("winner", RUNNING, None, "X", "there is no winner"),
        ("terminal", WON, None, False, "The game is over: X holds the top row."),
        ("terminal", TIE, None, False, "the board is full"),
        ("terminal", RUNNING, None, True, "The game goes on"),
        ("terminal", WON, None, 1, "must return True or False, not a int"),
        ("terminal", RUNNING, None, None, "Is a `return` missing?"),
        ("utility", WON, None, 0, "X has won, so the utility is 1."),
        ("utility", WON, None, True, "X has won, so the utility is 1."),
        ("utility", TIE, None, -1, "It is a tie, so the utility is 0."),
        ("minimax", WON, None, (2, 2), "return None"),
        ("minimax", RUNNING, None, None, "Is a `return` missing?"),
        ("minimax", RUNNING, None, [0, 2], "as a tuple (i, j), not a list"),
        ("minimax", RUNNING, None, (1, (0, 2)), "the action alone"),
        ("minimax", RUNNING, None, (0, 0), "The cell (0, 0) is taken."),
        ("minimax", RUNNING, None, (0, 3), "i and j from 0 to 2"),
        ("minimax", RUNNING, None, (False, 2), "i and j from 0 to 2"),
        ("minimax", RUNNING, None, (2, 2), "gives away a certain win and lets O win; (0, 2) wins."),
        (
            "minimax",
            parse("XX.\n.O.\n..."),
            None,
            (2, 2),
            "O's move (2, 2) lets X win; (0, 2) holds the tie.",
        ),
        (
            "player",
            RUNNING,
            None,
            Alien("an object of class Yes"),
            "plain data; this is an object of class Yes",
        ),
    ],
)
def test_wrong_answers_get_their_sentence(
    name: str, board: Any, action: Action | None, value: object, sentence: str
) -> None:
    found = fault(name, board, action, value)
    assert found is not None and sentence in str(found)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    assert fault("utility", WON, None, 1.0) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("O", "'O'"),
        (None, "None"),
        ({(1, 0), (0, 1)}, "{(0, 1), (1, 0)}"),
        (set(), "set()"),
        (to_lists(RUNNING), "XX.\nOO.\n..."),
        (RUNNING, "XX.\nOO.\n..."),
        ("x" * 300, "'" + "x" * 199 + "…"),
    ],
)
def test_values_are_shown_as_a_student_writes_them(value: object, text: str) -> None:
    assert value_text(value) == text


def test_what_is_expected_of_minimax_is_any_optimal_move() -> None:
    assert expected_text("minimax", RUNNING, None) == "(0, 2)"
    assert expected_text("minimax", parse("X..\n.O.\n..X"), None) == "(0, 1) or (1, 0) or (1, 2) or (2, 1)"
    assert expected_text("minimax", WON, None) == "None"
    assert expected_text("result", RUNNING, (0, 2)) == "XXX\nOO.\n..."


def known_of(client: Client, *replaced: str) -> dict[str, dict[str, Any]]:
    """Ask all functions of a file but player, and return what is known afterwards, by function and board."""
    for name in ("actions", "result", "winner", "terminal", "utility"):
        client.ask(name, every_call(name, FUNCTIONS[name].domain.members()))
    return {name: marshal.loads(sent) for name, sent in known_answers(client, replaced).items()}


def test_what_was_asked_on_every_board_is_known(make_client: MakeClient) -> None:
    known = known_of(make_client(PLAIN))
    assert list(known) == ["result", "winner", "terminal", "utility"]
    assert known["result"] == {board: side_to_move(board) for board in oracle.running()}
    for name in ("winner", "terminal", "utility"):
        members = FUNCTIONS[name].domain.members()
        assert known[name] == {board: FUNCTIONS[name].answer(board) for board in members}


def test_of_a_wrong_function_its_own_answers_are_known_and_of_a_wrong_result_nothing(
    make_client: MakeClient,
) -> None:
    source = re.sub(
        r"return all\(cell.*", "n = sum(map(len, board))\n    return [n] if board[1][1] else n", PLAIN
    )
    source = source.replace("def result(board, action):", "def result(board, action):\n    return board")
    known = known_of(make_client(source))
    assert list(known) == ["winner", "terminal", "utility"]
    lists = {board for board in oracle.boards() if board[4] != "." and not winner(board)}
    assert known["terminal"].keys() == set(oracle.boards()) - lists
    assert known["terminal"][START] == 9 and known["terminal"][WON] is True


def test_where_a_function_is_replaced_those_that_use_it_are_not_known(make_client: MakeClient) -> None:
    client = make_client(PLAIN.replace("    return None\n", "    return False\n"))
    assert known_of(client, "winner") == {
        name: {board: FUNCTIONS[of].answer(board) for board in FUNCTIONS[of].domain.members()}
        for name, of in (("result", "player"), ("winner", "winner"))
    }
