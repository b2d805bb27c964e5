"""Right replies are told by identity: exactly what a right file's worker writes, on every board, and nothing else."""

from functools import partial
from itertools import starmap
from typing import Any

import pytest

from grader.core.asking import reply
from grader.core.asking.reply import Reply, reply_of, right_payloads, right_reply
from grader.core.checks.expected import doubtful, every_call
from grader.core.game.board import Board, to_lists
from grader.core.game.oracle import FUNCTIONS, right_answer
from grader.worker.calling import Answers
from grader.worker.watch import Lookout

RULES = [name for name in FUNCTIONS if name != "minimax"]


def as_written(right: Any) -> Any:
    """Return an answer as a student's function gives it."""
    if isinstance(right, frozenset):
        return set(right)
    return to_lists(Board(right)) if isinstance(right, str) and len(right) == 9 else right


def payloads_to(name: str, boards: tuple[Board, ...], change: Any = as_written) -> list[bytes]:
    """Return what a worker writes whose function gives the right answers, changed."""
    calls = every_call(name, boards)
    right = map(change, starmap(partial(right_answer, name), calls))
    texts = Answers(Lookout()).to(lambda *_: next(right), calls, 1.0)
    return "\t".join(texts).encode().split(b"\t")


def replies_to(name: str, boards: tuple[Board, ...], change: Any = as_written) -> list[Reply]:
    """Return the replies of a worker whose function gives the right answers, changed."""
    return list(map(reply_of, payloads_to(name, boards, change)))


@pytest.mark.parametrize("name", RULES)
def test_a_worker_writes_right_answers_as_they_are_expected(name: str) -> None:
    boards = FUNCTIONS[name].domain.members()
    assert list(map(right_reply, right_payloads(name, boards))) == replies_to(name, boards)
    assert payloads_to(name, boards) == right_payloads(name, boards)


@pytest.mark.parametrize("name", RULES)
def test_no_right_answer_is_in_doubt(name: str) -> None:
    boards = FUNCTIONS[name].domain.members()
    assert list(doubtful(name, boards, replies_to(name, boards))) == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("player", str.lower),
        ("actions", list),
        ("actions", frozenset),
        ("actions", lambda right: {row for row, _ in right}),
        ("result", lambda right: tuple(map(tuple, to_lists(right)))),
        ("winner", lambda right: right or False),
        ("terminal", int),
        ("utility", float),
        ("utility", bool),
    ],
)
def test_every_other_value_is_looked_at(name: str, change: Any) -> None:
    boards = FUNCTIONS[name].domain.members()[-300:]
    right = replies_to(name, boards)
    found = replies_to(name, boards, change)
    looked_at = [reply for _, reply in doubtful(name, boards, found)]
    assert looked_at == [reply for reply, wanted in zip(found, right, strict=True) if reply is not wanted]
    assert looked_at


def test_a_right_answer_that_changes_the_board_is_looked_at() -> None:
    board = Board("X........")

    def player(given: Any) -> str:
        given[2][2] = "O"
        return "O"

    (told,) = Answers(Lookout()).to(player, [(board,)], 1.0)
    ((call, reply),) = doubtful("player", (board,), [reply_of(told.encode())])
    assert call == (board,)
    assert getattr(reply, "changed", False)


def test_right_replies_are_kept_however_many_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given somebody with ever other answers before: no reply may take the place of one told by identity."""
    monkeypatch.setattr(reply, "_known", {})
    monkeypatch.setattr(reply, "_MOST_KNOWN", 0)
    for payload in (b'["returned",["t",1,2]]', b'["returned",["b","X........"]]'):
        assert right_reply(payload) is reply_of(payload)
    assert reply_of(b'["returned",7]') is not reply_of(b'["returned",7]')
