import re

import pytest

from grader.core.asking.client import Client
from grader.core.asking.recalled import NotRecalled, RecalledCopy
from grader.core.asking.reply import Missing, Returned
from grader.core.checks.expected import every_call, known_answers
from grader.core.game import oracle
from grader.core.game.board import START
from grader.core.game.oracle import FUNCTIONS
from tests.conftest import MakeClient
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS

FULLEST_FIRST = oracle.boards()[::-1]


def test_the_copy_answers_as_the_file_does(make_client: MakeClient) -> None:
    client = make_client(PLAIN)
    recalled = dict(RecalledCopy(client, FULLEST_FIRST).answers())
    assert list(recalled) == list(FULLEST_FIRST)
    some = [board for board in oracle.boards() if board.count(".") <= 5][::40]
    assert [recalled[board] for board in some] == client.ask("minimax", [(board,) for board in some])


def test_rules_can_be_replaced_in_the_copy(make_client: MakeClient) -> None:
    wrong = PLAIN.replace("return X if count_x == count_o else O", "return O")
    client = make_client(wrong)
    replies = dict(RecalledCopy(client, FULLEST_FIRST, replace=["player"]).answers())
    right = dict(RecalledCopy(make_client(PLAIN), FULLEST_FIRST).answers())
    assert replies == right


def ask_everything(client: Client) -> None:
    """Ask the six rule functions on every board, as a grade does before it looks at minimax."""
    for name in ("player", "actions", "result", "winner", "terminal", "utility"):
        client.ask(name, every_call(name, FUNCTIONS[name].domain.members()))


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", FAULTS)
def test_looking_up_known_answers_changes_no_move(make_client: MakeClient, name: str) -> None:
    client = make_client(FAULTS[name].source)
    ask_everything(client)
    known = known_answers(client)
    try:
        called = dict(RecalledCopy(client, FULLEST_FIRST).answers())
    except NotRecalled as why:
        with pytest.raises(NotRecalled, match=f"^{re.escape(str(why))}$"):
            dict(RecalledCopy(client, FULLEST_FIRST, known=known).answers())
        return
    assert dict(RecalledCopy(client, FULLEST_FIRST, known=known).answers()) == called


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("wrong", ["player", "result", "winner", "terminal", "utility"])
def test_a_function_that_is_known_is_not_called(make_client: MakeClient, wrong: str) -> None:
    """Given the answers of a right file, the copy of one whose function always raises has them, too."""
    right = make_client(PLAIN)
    ask_everything(right)
    known = known_answers(right)
    assert list(known) == ["player", "result", "winner", "terminal", "utility"]
    raising = re.sub(rf"(def {wrong}\(.*\):\n)", r"\1    raise ValueError\n", PLAIN)
    copy = RecalledCopy(make_client(raising), FULLEST_FIRST, known=known)
    assert dict(copy.answers()) == dict(RecalledCopy(right, FULLEST_FIRST).answers())


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class C:\n    n = 0\ndef minimax(board):\n    C.n += 1\n    return C.n\n", "it writes to C"),
        (
            "n = 0\ndef minimax(board):\n    global n\n    n = n + 1\n",
            "it writes to n, which outlives the call",
        ),
        ("def minimax(board)\n", "does not load"),
        ("def minimax(board):\n    while True: pass\n", "it takes too long even with recall"),
        ("import os\ndef minimax(board):\n    os._exit(0)\n", "its worker was lost"),
    ],
)
def test_a_copy_that_cannot_answer_says_why(make_client: MakeClient, source: str, why: str) -> None:
    copy = RecalledCopy(make_client(source), (START, START))
    with pytest.raises(NotRecalled, match=why):
        dict(copy.answers())


def test_a_file_without_minimax(make_client: MakeClient) -> None:
    assert dict(RecalledCopy(make_client("x = 1\n"), (START,)).answers()) == {START: Missing()}


def test_reading_may_stop_early(make_client: MakeClient) -> None:
    copy = RecalledCopy(make_client(PLAIN), FULLEST_FIRST)
    board, reply = next(copy.answers())
    assert (board, reply) == (FULLEST_FIRST[0], Returned(None))
    copy.close()
