"""Who hangs or dies is asked so often and no more; who may do so because of another one, once."""

import pytest

from grader.core.asking.patience import FIRST_MOVE, Patience
from grader.core.asking.reply import Loss
from grader.core.asking.worker import Allowance, WorkerLost
from grader.core.course.rubric import Limits

LIMITS = Limits(strikes=3)


def struck(loss: Loss, times: int) -> Patience:
    """Return what is left of patience after `winner` has lost so many workers."""
    patience = Patience(LIMITS, Allowance(LIMITS.total))
    for _ in range(times):
        assert patience.given_up("winner") is None
        patience.strike("winner", WorkerLost(loss, "gone"))
    return patience


def losses_until_given_up(patience: Patience, function: str) -> int:
    count = 0
    while not patience.given_up(function):
        patience.strike(function, WorkerLost(Loss.DEADLINE, "gone"))
        count += 1
    return count


@pytest.mark.parametrize("loss", Loss)
def test_a_function_is_given_up_after_so_many_strikes(loss: Loss) -> None:
    given_up = struck(loss, 3).given_up("winner")
    assert given_up and not given_up.asked and given_up.detail == "not asked after 3 calls like that"


@pytest.mark.parametrize("loss", Loss)
def test_who_never_answers_beside_one_that_was_given_up_has_one_strike(loss: Loss) -> None:
    patience = struck(loss, 3)
    assert losses_until_given_up(patience, "terminal") == 1
    given_up = patience.given_up("terminal")
    assert given_up and given_up.detail == "not asked after a call like that"


def test_who_has_answered_keeps_all_strikes() -> None:
    patience = struck(Loss.DEADLINE, 3)
    patience.mark_answered("minimax")
    assert losses_until_given_up(patience, "minimax") == 3


def test_another_one_that_is_not_given_up_changes_nothing() -> None:
    assert losses_until_given_up(struck(Loss.DEADLINE, 2), "terminal") == 3


def test_a_function_is_not_silent_before_a_call_is_known_that_it_did_not_answer() -> None:
    patience, lost = Patience(LIMITS, Allowance(LIMITS.total)), WorkerLost(Loss.DEADLINE, "gone")
    for _ in range(5):
        patience.lose("minimax", lost, by_known_call=False)
    assert patience.silent == set() and patience.given_up("minimax") is None
    patience.lose("minimax", lost, by_known_call=True)
    assert patience.silent == {"minimax"} and patience.given_up("minimax")
    assert patience.given_up("minimax", FIRST_MOVE) is None


def test_who_has_answered_is_not_silent() -> None:
    patience, lost = Patience(LIMITS, Allowance(LIMITS.total)), WorkerLost(Loss.DEADLINE, "gone")
    patience.mark_not_silent("minimax")
    for _ in range(5):
        patience.lose("minimax", lost, by_known_call=True)
    assert patience.given_up("minimax") is None


def test_who_was_silent_is_tried_once_in_a_copy() -> None:
    patience = Patience(LIMITS, Allowance(LIMITS.total), {"winner"})
    patience.lose("winner", WorkerLost(Loss.DEADLINE, "gone"), by_known_call=False)
    assert patience.given_up("winner")
