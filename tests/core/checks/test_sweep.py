"""What a search without recall is asked, in which order, and what is known afterwards: by a clock of our own."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.core.asking.patience import Patience
from grader.core.asking.reply import Loss, Lost, Raised, Reply, Returned
from grader.core.asking.worker import Allowance, WorkerLost
from grader.core.checks.sweep import Sweeper, SweepReplies, can_go_wrong, direct_sweep, silent_sweep
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.core.game.board import START, Board, is_over, marks

Answers = Callable[[Board], Reply | None]
"""The reply on a board; None hangs."""

RAISED = Raised("ValueError", "over", 98)


class Clocked:
    """Stands for a client: every call takes so many seconds, and one that takes too long is lost."""

    def __init__(self, answer: Answers, seconds: Callable[[Board], float], limits: Limits) -> None:
        self.limits, self.spent = limits, 0.0
        self.calls: list[Board] = []
        self._answer, self._seconds = answer, seconds
        self._known: dict[Board, Reply] = {}
        self._patience = Patience(limits, Allowance(math.inf))

    def ask_within(
        self, function: str, boards: Sequence[Board], seconds: float, deadline: float, kind: str
    ) -> dict[Board, Reply]:
        end = self.spent + seconds
        for board in boards:
            if self.spent >= end:
                break
            if board not in self._known:
                self._known[board] = self._called(board, deadline, kind)
        return {board: self._known[board] for board in boards if board in self._known}

    def _called(self, board: Board, deadline: float, kind: str) -> Reply:
        if given_up := self._patience.given_up("minimax", kind):
            return given_up
        self.calls.append(board)
        reply, seconds = self._answer(board), self._seconds(board)
        if reply is None or seconds > deadline:
            self.spent += deadline
            lost = WorkerLost(Loss.DEADLINE, "took too long")
            if self.is_silent("minimax") or (marks(board) > 3 and not is_over(board)):
                self._patience.lose("minimax", lost, by_known_call=True)
            return self._patience.strike(kind, lost)
        self.spent += seconds
        self._patience.mark_answered(kind)
        if not is_over(board):
            self._patience.mark_not_silent("minimax")
        return reply

    def is_silent(self, function: str) -> bool:
        return function in self._patience.silent

    def lost(self, function: str) -> dict[Board, Reply]:
        return {
            board: reply for board, reply in self._known.items() if isinstance(reply, Lost) and reply.asked
        }

    def forget(self, function: str, board: Board) -> None:
        self._known.pop(board, None)


def right(board: Board) -> Reply:
    return Returned(None if is_over(board) else min(oracle.optimal_actions(board)))


def by_nodes(rate: float) -> Callable[[Board], float]:
    """Return the time of a search that looks at every board."""
    return lambda board: rate * oracle.tree_size(board)


def swept(answer: Answers, seconds: Callable[[Board], float], **limits: Any) -> tuple[SweepReplies, Clocked]:
    client = Clocked(answer, seconds, Limits(**limits))
    return direct_sweep(client, "switched off"), client  # type: ignore[arg-type]


def test_a_quick_search_is_asked_everything() -> None:
    sweep, client = swept(right, by_nodes(1e-6))
    assert sweep.is_whole and sweep.faults == {} and not sweep.silent
    assert sorted(client.calls) == sorted(oracle.boards())  # each once


def test_a_spread_over_the_whole_game_comes_first() -> None:
    _, client = swept(right, by_nodes(1e-6))
    first = Counter(marks(board) for board in client.calls[:49])
    assert first == {0: 1} | dict.fromkeys(range(1, 9), 6)
    assert not any(map(is_over, client.calls[:49]))


def test_a_search_that_answers_nothing_is_asked_a_spread_and_every_end() -> None:
    sweep, _ = swept(lambda board: right(board) if is_over(board) else RAISED, by_nodes(1e-6))
    assert sweep.silent
    assert len(sweep.asked(oracle.running())) == 49
    assert len(sweep.asked(oracle.finished())) == 958
    assert sweep.seen(oracle.running()) == 1.0  # nothing more is to be seen
    other = silent_sweep(Clocked(right, by_nodes(1e-6), Limits()))  # type: ignore[arg-type]
    assert other is None


@pytest.mark.parametrize(
    ("answer", "seconds", "faults"),
    [
        # finished boards without an answer, and answers on few boards alone
        (lambda board: RAISED if is_over(board) else right(board), by_nodes(1e-6), 958),
        (lambda board: right(board) if marks(board) in (3, 9) else RAISED, by_nodes(1e-6), 5148),
        # boards without a choice and finished ones tell no pace
        (right, lambda board: 0.01 if marks(board) == 8 else 1e-6 * oracle.tree_size(board), 0),
        (right, lambda board: 0.002 if is_over(board) else 1e-6 * oracle.tree_size(board), 0),
    ],
)
def test_what_fails_or_is_slow_on_some_boards_keeps_no_other_from_being_asked(
    answer: Answers, seconds: Callable[[Board], float], faults: int
) -> None:
    sweep, _ = swept(answer, seconds)
    assert sweep.is_whole and not sweep.silent
    assert len(sweep.faults) == faults


TELLING = tuple(board for board in oracle.running() if can_go_wrong(board))


@pytest.mark.parametrize("rate", [2e-6, 1e-5, 3e-5, 1e-4])
def test_a_slow_search_is_asked_boards_of_every_kind_within_its_budget(rate: float) -> None:
    """Given 1 to 55 seconds for the first move, and what a second move takes of the deadline."""
    sweep, client = swept(right, by_nodes(rate))
    assert sweep.faults == {}
    assert client.spent <= Limits().sweep_budget + Limits().deadline
    assert (START in sweep.replies) == (rate < 9e-6)
    assert client.calls.count(START) <= 1
    assert sweep.seen(TELLING) == (1.0 if rate < 1e-4 else pytest.approx(1 - 9 / 3191, abs=0.01))


def test_what_is_hopeless_for_a_call_is_not_asked() -> None:
    """Given 550 seconds for the first move and 60 for the second."""
    sweep, client = swept(right, by_nodes(1e-3))
    assert min(map(marks, client.calls)) == 3
    assert sweep.stopped == "all of them together may take 8 s"
    assert 0.9 < sweep.seen(TELLING) < 1


def test_a_search_that_prunes_is_asked_its_first_move() -> None:
    """Given a pace that doubles with each mark less: by the nodes of a whole search it would take 13 seconds."""
    sweep, client = swept(right, lambda board: 2.4e-5 * oracle.tree_size(board) * 0.5 ** (9 - marks(board)))
    assert START in client.calls
    assert sweep.is_whole


def test_a_kind_is_weighed_by_its_boards_however_few_were_asked() -> None:
    """Given a search that is wrong on every second board with three marks, and slow enough to be asked a part."""
    three = [board for board in oracle.running() if marks(board) == 3]
    wrong = set(three[::2])
    sweep, _ = swept(lambda board: RAISED if board in wrong else right(board), by_nodes(1e-4))
    assert len(sweep.asked(tuple(three))) < len(three)
    lost = [board for board in sweep.faults if marks(board) == 3]
    seen = [board for board in oracle.running() if marks(board) in set(map(marks, sweep.replies))]
    expected = 1 - len(three) / len(seen) * len(lost) / len(sweep.asked(tuple(three)))
    assert sweep.right_share(oracle.running(), list(sweep.faults)) == pytest.approx(expected)
    whole, _ = swept(lambda board: RAISED if board in wrong else right(board), by_nodes(1e-7))
    assert whole.right_share(oracle.running(), list(whole.faults)) == pytest.approx(1 - len(wrong) / 4520)


def test_what_a_copy_has_answered_is_not_asked_again() -> None:
    known, _ = swept(right, by_nodes(1e-7))
    part = SweepReplies(
        {board: reply for board, reply in known.replies.items() if marks(board) > 3}, 1.0, True
    )
    client = Clocked(right, by_nodes(1e-7), Limits())
    sweep = direct_sweep(client, "slow", 5.0, part)  # type: ignore[arg-type]
    assert sweep.is_whole and {marks(board) for board in client.calls} == {0, 1, 2, 3}


def test_a_board_that_hangs_is_a_fault_and_its_kind_is_given_up_alone() -> None:
    def answer(board: Board) -> Reply | None:
        return None if marks(board) == 6 and not is_over(board) else right(board)

    sweep, _ = swept(answer, by_nodes(1e-6))
    assert {marks(board) for board in sweep.faults} == {6}
    assert len(sweep.faults) == Limits().strikes
    others = tuple(board for board in oracle.boards() if marks(board) != 6 or is_over(board))
    assert sweep.asked(others) == others


def test_a_search_that_always_hangs_is_asked_a_few_boards_from_the_first_move_to_the_last() -> None:
    sweep, client = swept(lambda board: None, by_nodes(1e-6))
    assert sweep.silent
    assert [marks(board) for board in sweep.asked(oracle.running())] == [7, 8]
    assert {marks(board) for board in sweep.asked(oracle.finished())} == {9}
    assert len(client.calls) == Limits().strikes


def test_a_search_that_hangs_on_every_running_board_is_asked_the_first_move_last() -> None:
    sweep, client = swept(lambda board: right(board) if is_over(board) else None, by_nodes(1e-6))
    assert sweep.silent
    assert [marks(board) for board in client.calls if not is_over(board)] == [8, 7, 0]
    assert sweep.asked(oracle.finished()) == oracle.finished()


def test_a_search_that_knows_its_first_move_alone_is_not_called_silent() -> None:
    sweep, _ = swept(lambda board: right(board) if is_over(board) or board == START else None, by_nodes(1e-6))
    assert not sweep.silent and START not in sweep.faults


def test_a_search_that_hangs_near_the_end_alone_is_asked_the_rest() -> None:
    sweep, _ = swept(lambda board: None if marks(board) > 7 else right(board), by_nodes(1e-6))
    assert not sweep.silent
    assert {marks(board) for board in sweep.faults} == {8, 9}


def test_the_share_that_was_seen_is_the_same_for_boards_that_can_be_read_only_once() -> None:
    sweep, _ = swept(right, by_nodes(1e-3))
    boards = [board for board in oracle.running() if can_go_wrong(board)]
    assert not sweep.is_whole
    assert sweep.seen(iter(boards)) == sweep.seen(boards) > 0


def test_every_move_is_as_good_as_any_other_on_many_boards() -> None:
    assert sum(map(can_go_wrong, oracle.running())) == 3_191
    assert not can_go_wrong(START)


LOST = Lost(Loss.DEADLINE, "took too long")
UNREACHABLE = Board("XX.......")


@pytest.mark.parametrize(
    ("sweep", "recall", "board", "reply"),
    [
        (SweepReplies({START: RAISED}, 1.0, recalled=True), True, START, RAISED),
        (SweepReplies({START: RAISED}, 1.0, recalled=True), True, UNREACHABLE, None),
        (SweepReplies({START: LOST}, 1.0, recalled=True), True, START, None),
        (SweepReplies({}, 1.0, recalled=True), True, START, None),
        (SweepReplies({START: RAISED}, 1.0, recalled=False), True, START, None),
        (SweepReplies({START: RAISED}, 1.0, recalled=False), False, START, None),
    ],
)
def test_a_reply_is_taken_from_a_sweep_with_recall_alone(
    monkeypatch: pytest.MonkeyPatch, sweep: SweepReplies, recall: bool, board: Board, reply: Reply | None
) -> None:
    """Given a board on which a file hangs, too: that is asked again, as it always was."""
    client: Any = Clocked(right, lambda board: 0.0, Limits())
    sweeper = Sweeper(client, recall)
    monkeypatch.setattr(sweeper, "sweep", lambda: sweep)
    assert sweeper.recalled_reply(board) is reply
