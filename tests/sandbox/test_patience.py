"""How long a function is asked: its strikes, those of other kinds of calls, and the end of all time."""

from types import SimpleNamespace
from typing import Any

from grader.core.asking.patience import Patience
from grader.core.asking.reply import Loss, Lost, Raised, Returned
from grader.core.asking.worker import WorkerLost
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from tests.conftest import MakeClient

LOST = WorkerLost(Loss.DEADLINE, "no answer within 5 seconds")


def patience(*, used_up: bool = False) -> Patience:
    allowance: Any = SimpleNamespace(used_up=used_up, sentence="its processes had taken 120 seconds together")
    return Patience(Limits(strikes=2), allowance)


def test_strikes_are_counted_apart() -> None:
    counted = patience()
    assert counted.strike("minimax", LOST).asked and counted.given_up("minimax") is None
    counted.strike("minimax", LOST)
    assert counted.given_up("minimax") is not None
    assert counted.given_up("running boards with 7 marks") is None


def test_a_call_that_the_end_of_the_allowance_cuts_off_was_not_asked() -> None:
    assert patience(used_up=True).strike("minimax", LOST).asked is False


def test_calls_that_run_out_of_memory_are_strikes() -> None:
    counted, out = patience(), Raised("MemoryError", "", 7)
    assert not counted.ran_out("winner", [out, Returned(None)]) and counted.given_up("winner") is None
    assert counted.ran_out("winner", [Raised("KeyError", "", 3), out])
    assert counted.given_up("winner") is not None and counted.given_up("player") is None


def test_a_function_without_memory_is_asked_no_more(make_client: MakeClient) -> None:
    client = make_client("def winner(board):\n    raise MemoryError\n")
    replies = client.ask("winner", [(board,) for board in oracle.boards()])
    assert all(isinstance(reply, Raised) for reply in replies[:2])
    assert isinstance(replies[-1], Lost) and not replies[-1].asked
