"""A search that is watched may take its worker along: that costs the search alone, and others are asked on."""

from collections.abc import Callable

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Arguments, Lost, NotLoaded, Raised, Reply, Returned, calls_once
from grader.core.asking.worker import Allowance, WalkQuestions
from grader.core.course.rubric import Limits
from grader.core.game.board import START, Board
from grader.sandbox.process import Process
from tests.conftest import QUICK, MakeClient, submission_of

WON, FULL = Board("XXXOO...."), Board("XOXXOOOXX")
CALLS: list[Arguments] = [(START,), (WON,)]
UNDER_THE_PROBE = """
def player(board):
    return "X"

def winner(board):
    return None

def utility(board):
    return 0

def minimax(board):
    if utility(board) not in (-1, 0, 1):
        {fault}
    return (0, 0)
"""
FAULTS = {
    "ends": "import os; os._exit(0)",
    "aborts": "import os; os.abort()",
    "hangs": "while True: pass",
    "breaks the protocol": "import os; os.write(4, b'garbage\\n')",
    "fills its memory": "x = [0]\n        while True: x += x",
    "fills its stack": "x = []\n        while True: x = [x]",
}


def question(*boards: Board, value: float = 0.25) -> WalkQuestions:
    return WalkQuestions(tuple((board, {board: value}) for board in boards))


def under_the_probe(fault: str) -> str:
    return UNDER_THE_PROBE.replace("{fault}", fault)


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_search_that_loses_its_worker_costs_no_other_function(make_client: MakeClient, fault: str) -> None:
    client = make_client(under_the_probe(fault))
    asked = question(WON)
    assert client.ask("player", CALLS) == [Returned("X")] * 2
    assert client.timed("winner", [START], 1.0) is not None
    assert client.call("winner", 1) == Returned(None)
    assert isinstance(client.walks(asked)[-1].reply, Lost | Raised)
    assert client.ask("minimax", CALLS) == [Returned((0, 0))] * 2
    assert [found.reply for found in client.walks(question(WON, FULL, value=1.0))] == [Returned((0, 0))] * 2


def test_functions_can_be_sent_ahead_again_and_after_a_search(make_client: MakeClient) -> None:
    client = make_client(under_the_probe("return utility(board)"), Limits(strikes=1))
    client.foresee({"player": calls_once(CALLS)})
    client.foresee({"player": calls_once(CALLS)})
    client.foresee({"winner": calls_once(CALLS)})
    assert [found.reply for found in client.walks(question(WON))] == [Returned(0.25)]
    assert client.ask("player", CALLS) == [Returned("X")] * 2
    assert client.ask("winner", CALLS) == [Returned(None)] * 2


class _LastChance(Allowance):
    """An allowance that is used up as soon as somebody has looked at it so many times."""

    looks = 1_000_000

    @property
    def used_up(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("looks", range(4))
def test_time_that_runs_out_while_a_worker_is_awaited_is_told(looks: int) -> None:
    """Given a submission whose worker was lost, and that has used up its time at one look or another."""
    allowance = _LastChance(QUICK.total)
    with Client(submission_of(under_the_probe("pass")), QUICK, Process, allowance=allowance) as client:
        assert client.load_failure() is None
        asks: list[Callable[[], Reply]] = [
            lambda: client.call("player", 1),
            lambda: client.ask("player", [(START,)])[0],
            lambda: client.walks(question(WON))[0].reply,
        ]
        for ask in asks:
            client.close()
            allowance.looks = looks
            reply = ask()
            assert isinstance(reply, Returned) or (isinstance(reply, Lost) and not reply.asked)
        client.close()
        allowance.looks = looks
        client.timed("player", [START], 1.0)
        client.foresee({"winner": calls_once(CALLS)})


def test_a_file_that_loads_only_once_is_told_so(make_client: MakeClient) -> None:
    """Given a search that ends its worker, and a file that cannot be loaded a second time."""
    client = make_client(under_the_probe("import os; os._exit(0)"), Limits(deadline=1.0))
    client.walks(question(WON))
    client.submission = submission_of("1 / 0\n")
    assert isinstance(client.call("player", 1), NotLoaded)
    assert isinstance(client.walks(question(FULL))[0].reply, NotLoaded)
