"""A submission inside the judge's own interpreter: the same answers, and nothing of it stays when it is over."""

import copy
import marshal
import sys

import pytest

from grader.core.asking.client import Client
from grader.core.asking.inside import InProcess
from grader.core.asking.recalled import RecalledCopy
from grader.core.asking.reply import Loss, Lost, Missing, Raised, Returned
from grader.core.asking.worker import Allowance, WorkerLost
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.core.game.board import Board
from tests.conftest import QUICK, submission_of
from tests.submissions import PLAIN

START = (Board("." * 9),)


def asked(source: str, function: str = "player", limits: Limits = QUICK, **helpers: str) -> list[object]:
    own = {f"{name}.py": text for name, text in helpers.items()}
    with Client(submission_of(source, helpers=own), limits, InProcess) as client:
        return list(client.ask(function, [START]))


def test_answers_are_the_submissions() -> None:
    assert asked(PLAIN) == [Returned("X")]
    assert asked(PLAIN, "nothing") == [Missing()]
    (raised,) = asked("def player(board):\n    return board[9]\n")
    assert isinstance(raised, Raised) and raised.error == "IndexError" and raised.line == 2


def test_a_copy_with_recall_looks_up_what_is_known() -> None:
    """Given a file whose utility always raises, and what it should answer, its only move is found."""
    values = marshal.dumps({board: oracle.value(board) for board in oracle.finished()}, 2)
    source = PLAIN.replace("def utility(board):\n", "def utility(board):\n    raise ValueError\n")
    last = oracle.running()[-1]
    with Client(submission_of(source), QUICK, InProcess) as client:
        moves = [
            next(RecalledCopy(client, (last,), known=known).answers()) for known in ({}, {"utility": values})
        ]
    (move,) = oracle.successors(last)
    assert isinstance(moves[0][1], Raised) and moves[1] == (last, Returned(move))


def test_a_file_that_cannot_be_loaded_is_told() -> None:
    with Client(submission_of("import nowhere\n"), QUICK, InProcess) as client:
        failure = client.load_failure()
        assert failure and "ModuleNotFoundError" in failure.why and failure.line == 1


def test_it_reads_nothing_and_what_it_prints_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    source = "def player(board):\n    print('x' * 9_000)\n    return input()\n"
    with Client(submission_of(source), QUICK, InProcess) as client:
        (reply,) = client.ask("player", [START])
        assert isinstance(reply, Raised) and reply.error == "EOFError"
    assert client.output == b"x" * 4_096
    assert capsys.readouterr().out == ""


def test_nothing_of_it_stays() -> None:
    """Given a file that imports itself, a helper and deepcopy, and one of the same name that is here already."""
    before, streams, deepcopy = dict(sys.modules), (sys.stdout, sys.stdin), copy.deepcopy
    finders = list(sys.meta_path)
    source = "import copy\nimport helper\ndef player(board):\n    import tictactoe\n    return tictactoe.X + helper.Y\nX = 'x'\n"
    sys.modules["helper"] = copy
    try:
        assert asked(source, helper="Y = 'y'\n") == [Returned("xy")]
        assert sys.modules["helper"] is copy and "tictactoe" not in sys.modules
    finally:
        del sys.modules["helper"]
    assert (sys.stdout, sys.stdin) == streams and sys.meta_path == finders and copy.deepcopy is deepcopy
    assert {name for name in sys.modules if name not in before} <= set(sys.stdlib_module_names) | {"grader"}


def test_two_at_once_do_not_see_each_other() -> None:
    source = "def player(board):\n    import tictactoe\n    return tictactoe.WHO\nWHO = {!r}\n"
    with (
        Client(submission_of(source.format("a")), QUICK, InProcess) as first,
        Client(submission_of(source.format("b")), QUICK, InProcess) as second,
    ):
        for client, who in ((first, "a"), (second, "b"), (first, "a")):
            assert client.call("player", []) == Returned(who)


def test_the_time_of_all_calls_together_is_bounded_between_them() -> None:
    source = "def player(board):\n    for _ in range(200_000): pass\n    return 'X'\n"
    limits = Limits(total=0.2, sweep_budget=20.0)
    boards = [(Board("." * 9),), (Board("X" + "." * 8),)]
    with Client(submission_of(source), limits, InProcess) as client:
        for _ in range(100):
            client.call("player", [])
        replies = client.ask("player", boards)
        assert all(isinstance(reply, Lost) and reply.loss is Loss.DEADLINE for reply in replies)


def test_an_answer_that_is_too_long_breaks_the_protocol() -> None:
    carrier = InProcess(Allowance(10.0))
    settings = {"recall": False, "replace": {}, "helpers": {}, "stand_ins": {}}
    replies = carrier.replies(carrier.load(b"def f():\n    return 'x' * 99\n", "a.py", settings), 1.0)
    assert [next(replies) for _ in range(2)][1][0].startswith(b'["loaded"')
    with pytest.raises(WorkerLost) as lost:
        next(carrier.replies(carrier.post("call", "f", []), 1.0, max_reply=50))
    assert lost.value.loss is Loss.BREACH


def test_the_board_is_watched_and_recall_works() -> None:
    source = "def result(board, action):\n    board[0][0] = 'X'\n    return board\n"
    with Client(submission_of(source), QUICK, InProcess) as client:
        (reply,) = client.ask("result", [(START[0], (0, 0))])
        assert isinstance(reply, Returned) and reply.changed and reply.shares == "itself"
