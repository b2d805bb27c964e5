from typing import Any

import pytest

from grader.core.checks.functions import calls_of, check_answer, check_reject, check_unchanged
from grader.core.course.course import Answer, Reject, Unchanged
from grader.core.game.board import parse
from grader.core.game.oracle import Boards
from grader.core.grade import Status
from tests.submissions import PLAIN

MIDDLE = parse("X..\n.O.\n...")


def broken(old: str, new: str) -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new)


def test_a_right_answer_passes(context_of: Any) -> None:
    outcome = check_answer(Answer(id="a", function="player", board=MIDDLE), context_of(PLAIN))
    assert (outcome.status, outcome.share) == (Status.PASSED, 1.0)


def test_a_wrong_answer_shows_board_call_expectation_and_answer(context_of: Any) -> None:
    source = broken("return X if count_x == count_o else O", "return O")
    outcome = check_answer(Answer(id="a", function="player", board=MIDDLE), context_of(source))
    assert outcome.status is Status.FAILED
    assert (outcome.board, outcome.call) == (("X..", ".O.", "..."), "player(board)")
    assert (outcome.expected, outcome.got) == ("'X'", "'O'")
    assert "so it is X's turn" in outcome.reason


def test_many_boards_all_or_in_proportion(context_of: Any) -> None:
    context = context_of(broken("return X if count_x == count_o else O", "return O"))
    strict = check_answer(Answer(id="a", function="player", boards=Boards.RUNNING), context)
    shared = check_answer(Answer(id="b", function="player", boards=Boards.RUNNING, scoring="share"), context)
    assert (strict.share, strict.asked, strict.right) == (0.0, 4520, 2097)
    assert shared.share == pytest.approx(2097 / 4520)
    assert strict.reason.startswith("Wrong in 2,423 of 4,520 calls; the first: ")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ((0, 0), "The cell (0, 0) is taken by X"),
        ((3, 0), "(3, 0) is off the board"),
        ((-1, 0), "a negative index counts from the end"),
        (5, "5 is not a pair"),
        ((1,), "(1,) is not a pair"),
    ],
)
def test_what_is_not_rejected_is_explained(context_of: Any, action: object, reason: str) -> None:
    source = broken(
        '    if action not in actions(board):\n        raise ValueError("not a valid action")\n    i, j = action\n',
        "    i, j = 2, 2\n",
    )
    outcome = check_reject(Reject(id="a", function="result", board=MIDDLE, action=action), context_of(source))
    assert outcome.status is Status.FAILED
    assert reason in outcome.reason
    assert outcome.expected == "an exception"


def test_rejections_pass(context_of: Any) -> None:
    context = context_of(PLAIN)
    assert check_reject(Reject(id="a", function="result", board=MIDDLE, action=(0, 0)), context).share == 1
    assert check_reject(Reject(id="a", function="result", boards=Boards.RUNNING), context).share == 1


def test_a_function_that_always_raises_rejects_nothing(context_of: Any) -> None:
    context = context_of("def result(board, action):\n    raise NotImplementedError\n")
    outcome = check_reject(Reject(id="a", function="result", board=MIDDLE, action=(0, 0)), context)
    assert outcome.status is Status.FAILED
    assert "raises for valid actions too" in outcome.reason


def test_a_changed_board_fails_and_is_shown(context_of: Any) -> None:
    context = context_of(broken("copy.deepcopy(board)", "board"))
    outcome = check_unchanged(Unchanged(id="a", function="result", board=MIDDLE), context)
    assert outcome.status is Status.FAILED
    assert outcome.got == "the board is now:\nXX.\n.O.\n..."


def test_a_function_that_does_nothing_leaves_nothing_alone(context_of: Any) -> None:
    context = context_of("def player(board):\n    pass\n")
    outcome = check_unchanged(Unchanged(id="a", function="player", boards=Boards.RUNNING), context)
    assert outcome.status is Status.FAILED


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("x = 1\n", Status.FAILED, "The file defines no function `player`."),
        ("def player(board):\n    raise NotImplementedError\n", Status.CRASHED, "still to be written"),
        ("def player(board):\n    return board[9]\n", Status.CRASHED, "`player` raised IndexError"),
        ("def player(board):\n    return input()\n", Status.CRASHED, "reads from the keyboard"),
        ("def player(board):\n    while True: pass\n", Status.TIMED_OUT, "no answer within 1 seconds"),
        ("import os\ndef player(board):\n    os._exit(1)\n", Status.CRASHED, "ended with exit code 1"),
        ("player = 5\n", Status.CRASHED, "'int' object is not callable"),
        ("def player():\n    return 'X'\n", Status.CRASHED, "takes 0 positional arguments but 1 was given"),
        ("def f(:\n", Status.CRASHED, "cannot be loaded: SyntaxError"),
        ("while True: pass\n", Status.TIMED_OUT, "cannot be loaded: no answer"),
    ],
)
def test_no_answer_has_its_status_and_reason(
    context_of: Any, source: str, status: Status, reason: str
) -> None:
    outcome = check_answer(Answer(id="a", function="player", board=MIDDLE), context_of(source))
    assert outcome.status is status
    assert reason in outcome.reason


def test_the_calls_of_a_question() -> None:
    assert calls_of(Answer(id="a", function="winner", board=MIDDLE)) == [(MIDDLE,)]
    assert calls_of(Answer(id="a", function="result", board=MIDDLE, action=(2, 2))) == [(MIDDLE, (2, 2))]
    assert len(calls_of(Answer(id="a", function="result", boards=Boards.RUNNING))) == 16_167
    assert len(calls_of(Unchanged(id="a", function="result", board=MIDDLE))) == 7
    rejects = calls_of(Reject(id="a", function="result", boards=Boards.RUNNING))
    assert len(rejects) == 4_519
    assert len({call[1] for call in rejects if len(call) == 2}) == 9


ONCE = """
KNOWN = {{}}
the_right_{function} = {function}


def {function}(board):
    key = str(board)
    if key in KNOWN:
        return {otherwise}
    KNOWN[key] = True
    return the_right_{function}(board)
"""


@pytest.mark.parametrize(
    ("function", "otherwise", "boards"),
    [
        ("player", "'X'", Boards.RUNNING),
        ("actions", "set()", Boards.RUNNING),
        ("winner", "None", Boards.ALL),
        ("terminal", "False", Boards.ALL),
        ("utility", "0", Boards.FINISHED),
    ],
)
def test_what_is_right_the_first_time_alone_costs_the_share_that_is_not(
    context_of: Any, function: Any, otherwise: str, boards: Boards
) -> None:
    """Given a function with a cache that is wrong: each board is asked once, and some a second time."""
    context = context_of(PLAIN + ONCE.format(function=function, otherwise=otherwise))
    outcome = check_answer(Answer(id="a", function=function, boards=boards, scoring="share"), context)
    assert (outcome.status, outcome.why.code) == (Status.FAILED, "wrong-the-second-time")
    assert outcome.share == 1 - outcome.why.data()["wrong"] / outcome.why.data()["asked"] < 1
    assert "something is kept from one call to the next" in outcome.reason


def test_a_cache_that_is_right_costs_nothing(context_of: Any) -> None:
    context = context_of(PLAIN + ONCE.format(function="winner", otherwise="the_right_winner(board)"))
    outcome = check_answer(Answer(id="a", function="winner", boards=Boards.ALL), context)
    assert (outcome.status, outcome.share) == (Status.PASSED, 1.0)
