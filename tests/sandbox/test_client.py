"""A submission may hang, die, print, lie or speak out of turn: it costs that call, and grading goes on."""

import os
import re
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import (
    Alien,
    Arguments,
    Loss,
    Lost,
    Missing,
    NotLoaded,
    Outline,
    Raised,
    Reply,
    Returned,
    calls_once,
    right_payloads,
)
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.core.game.board import START, Board
from tests.conftest import MakeClient

ONE = Board("X........")
TWO = Board("XO.......")
BOTH: list[Arguments] = [(START,), (ONE,)]


def ask(client: Client, function: str = "player") -> list[Reply]:
    return client.ask(function, [(START,), (ONE,), (TWO,)])


def player(body: str) -> str:
    return f"def player(board):\n    {body}\n"


@pytest.fixture
def reply_of(make_client: MakeClient) -> Callable[[str], Reply]:
    """Give a function that returns the reply of a source's `player` on a board with one X."""
    return lambda source: make_client(source).ask("player", [(ONE,)])[0]


CHANGED = [["O", None, None], [None] * 3, [None] * 3]
YES = "class Yes:\n    def __eq__(self, other): return True\n"


@pytest.mark.parametrize(
    ("source", "reply"),
    [
        (player("return board[0][0]"), Returned("X")),
        (player("board[0][0] = 'O'; return 1"), Returned(1, True, CHANGED, "nothing")),
        (player("board[0] = list(board[0]); return 1"), Returned(1)),
        ("def player(board):\n    x = {}\n    return x['nope']\n", Raised("KeyError", "nope", 3)),
        ("x = 1\n", Missing()),
        (player("import os; os._exit(0)"), Lost(Loss.DEATH, "its process ended with exit code 0")),
        (player("import os; os.abort()"), Lost(Loss.DEATH, "its process was killed by SIGABRT")),
        (
            player("import signal; signal.raise_signal(40)"),  # a real-time signal, which has no name
            Lost(Loss.DEATH, "its process was killed by signal 40"),
        ),
        (YES + player("return Yes()"), Returned(Alien("an object of class Yes"))),
        (player("import os; return os.environ.get('SECRET')"), Returned(None)),
        (player("import sys; return [m for m in sys.modules if 'grader' in m]"), Returned([])),
    ],
)
def test_a_reply(
    reply_of: Callable[[str], Reply], monkeypatch: pytest.MonkeyPatch, source: str, reply: Reply
) -> None:
    monkeypatch.setenv("SECRET", "x")
    assert reply_of(source) == reply


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        ("import sys; sys.exit(1)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("return input()", "EOFError"),
        ("return len(bytearray(10 ** 9))", "MemoryError"),
    ],
)
def test_an_exception_is_a_reply(reply_of: Callable[[str], Reply], body: str, error: str) -> None:
    reply = reply_of(player(body))
    assert isinstance(reply, Raised) and reply.error == error


@pytest.mark.parametrize(
    "body",
    [
        "board.append(1)",
        "board[2] = None",
        "board[0].pop()",
        "board[1][1] = 0",
        "board[0][1] = 'X'; raise ValueError('after')",
    ],
)
def test_any_change_of_the_board_is_seen(reply_of: Callable[[str], Reply], body: str) -> None:
    reply = reply_of(player(body))
    assert isinstance(reply, Returned | Raised) and reply.changed


@pytest.mark.parametrize(
    ("result", "shares"),
    [("board", "itself"), ("board[:]", "rows"), ("[row[:] for row in board]", "nothing")],
)
def test_what_a_changed_board_and_the_answer_share(
    reply_of: Callable[[str], Reply], result: str, shares: str
) -> None:
    reply = reply_of(player(f"board[0][1] = 'X'; return {result}"))
    assert isinstance(reply, Returned) and reply.shares == shares


@pytest.mark.parametrize(
    "written", ["b'garbage\\n'", "b'00000000 0 [\"returned\",1]\\n'", "b'x' * 400000", ""]
)
def test_garbage_on_the_pipe_costs_the_call(reply_of: Callable[[str], Reply], written: str) -> None:
    attack = f"os.write(4, {written})" if written else "os.close(4)"
    assert isinstance(reply_of(player(f"import os; {attack}; return 1")), Lost)


def test_a_function_that_changes_its_pipes_does_no_harm_to_the_next(make_client: MakeClient) -> None:
    """Its worker finds nothing to read yet, and must wait for it nevertheless."""
    client = make_client(
        "import os\n"
        "def player(board):\n"
        "    for descriptor in range(3, 64):\n"
        "        try:\n"
        "            os.set_blocking(descriptor, False)\n"
        "        except OSError:\n"
        "            continue\n"
        "def winner(board):\n"
        "    return os.getpid()\n"
    )
    assert ask(client) == [Returned(None)] * 3
    time.sleep(0.1)
    first, *others = ask(client, "winner")
    assert isinstance(first, Returned) and others == [first, first]
    assert client.ask("player", [(Board("XO.X....."),)]) == [Returned(None)]
    time.sleep(0.1)
    assert client.ask("winner", [(Board("XO.X....."),)]) == [first]


@pytest.mark.parametrize(
    ("fault", "loss"), [("while True: pass", Loss.DEADLINE), ("import os; os._exit(0)", Loss.DEATH)]
)
def test_a_call_that_hangs_or_kills_its_worker_costs_that_call_alone(
    make_client: MakeClient, fault: str, loss: Loss
) -> None:
    client = make_client(player(f"if board[0][:2] == ['X', None]:\n        {fault}\n    return 1"))
    first, lost, third = ask(client)
    assert [first, third] == [Returned(1), Returned(1)]
    assert isinstance(lost, Lost) and lost.loss is loss and lost.asked


def test_a_function_that_hangs_too_often_is_asked_no_more(make_client: MakeClient) -> None:
    client = make_client(player("while True: pass"), Limits(deadline=0.3, strikes=3))
    replies = client.ask("player", [(START,), (ONE,), (TWO,)] * 2)
    assert client.spent < 3
    asked = [isinstance(reply, Lost) and reply.asked for reply in replies[:3]]
    assert asked == [True, True, False]


def test_a_function_that_is_slow_each_time_is_given_up(make_client: MakeClient) -> None:
    slow = player("import time; time.sleep(0.2); return 1")
    client = make_client(slow, Limits(deadline=1, sweep_budget=0.5))
    replies = client.ask("player", [(Board("." * i + "X" + "." * (8 - i)),) for i in range(9)])
    assert replies[0] == Returned(1)
    assert isinstance(replies[-1], Lost) and not replies[-1].asked


def test_a_call_is_asked_once(make_client: MakeClient) -> None:
    client = make_client("n = 0\ndef player(board):\n    global n\n    n += 1\n    return n\n")
    assert client.ask("player", BOTH) == client.ask("player", BOTH) == [Returned(1), Returned(2)]


def test_questions_sent_ahead_get_the_same_answers(make_client: MakeClient) -> None:
    client = make_client(player("return 'p'") + "def winner(board):\n    return 'w'\n")
    client.foresee({"player": calls_once(BOTH), "winner": calls_once(BOTH), "utility": calls_once(BOTH)})
    assert set(client.outline().functions) == {"player", "winner"}
    assert client.ask("winner", BOTH) == [Returned("w")] * 2
    assert client.call("player", 1) == Returned("p")
    assert client.ask("player", [*BOTH, (TWO,)]) == [Returned("p")] * 3
    assert client.ask("utility", BOTH) == [Missing()] * 2


def test_questions_sent_ahead_of_a_crash_are_not_lost(make_client: MakeClient) -> None:
    client = make_client(player("import os; os._exit(3)") + "def winner(board):\n    return 'w'\n")
    client.foresee({"player": calls_once(BOTH), "winner": calls_once(BOTH)})
    assert client.ask("winner", BOTH) == [Returned("w")] * 2
    assert all(isinstance(reply, Lost) for reply in client.ask("player", BOTH))


COUNTING = "(X if sum(row.count('X') for row in board) == sum(row.count('O') for row in board) else 'O')"
SENT = [Board(board) for board in oracle.running()[:40]]


def sent_ahead(client: Client, boards: list[Board]) -> list[Arguments]:
    """Send every board ahead, and one more call to which there is no one right answer; return the calls."""
    calls: list[Arguments] = [(board,) for board in boards]
    right = dict(zip(calls, right_payloads("player", boards), strict=True))
    other: list[Arguments] = [(Board("XX......."),)]
    client.foresee({"player": calls_once([*other, *calls], right, [calls])})
    return calls


@pytest.mark.parametrize(
    ("body", "is_right"),
    [
        (f"return {COUNTING}", True),
        (f"return {COUNTING} if board[2][2] is None else 'O'", False),
        (f"board[2] = list(board[2]); board[0][0] = 'O'; return {COUNTING}", False),
    ],
)
def test_answers_that_are_right_to_the_last_byte_are_known_to_be(
    make_client: MakeClient, body: str, is_right: bool
) -> None:
    client = make_client("X = 'X'\n" + player(body))
    calls = sent_ahead(client, SENT)
    assert client.is_right("player", calls) is is_right
    assert not client.is_right("player", [*calls])  # another list, which nobody has compared
    assert client.ask("player", calls) == make_client("X = 'X'\n" + player(body)).ask("player", calls)


def test_right_answers_before_a_loss_are_kept(make_client: MakeClient) -> None:
    """Given a function that is right on the first boards, and then ends its process."""
    last = SENT[25]
    marks = [None if mark == "." else mark for mark in last]
    lethal = f"board == {[marks[:3], marks[3:6], marks[6:]]}"
    client = make_client("import os\nX = 'X'\n" + player(f"return os._exit(3) if {lethal} else {COUNTING}"))
    calls = sent_ahead(client, SENT)
    assert not client.is_right("player", calls)
    replies = client.ask("player", calls)
    lost = [board for board, reply in zip(SENT, replies, strict=True) if isinstance(reply, Lost)]
    assert lost == [last]
    assert [reply.value for reply in replies if isinstance(reply, Returned)] == [
        oracle.right_answer("player", board) for board in SENT if board != last
    ]


@pytest.mark.parametrize("printed", ["print('x', end='')", "import sys; sys.stderr.write('x')", "print('x')"])
def test_what_is_printed_without_an_end_of_line_is_kept_too(make_client: MakeClient, printed: str) -> None:
    client = make_client(f"{printed}\n" + player("return 1"))
    assert client.ask("player", BOTH) == [Returned(1)] * 2
    client.close()
    assert client.output.startswith(b"x")


def test_what_is_printed_is_kept_apart_and_short(make_client: MakeClient) -> None:
    client = make_client(player("print('noise ' * 100); return 1"))
    assert client.ask("player", BOTH) == [Returned(1)] * 2
    client.close()
    assert client.output.startswith(b"noise noise")
    assert len(client.output) <= 4096


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def f(:\n", r"SyntaxError: invalid syntax \(line 1\)"),
        ("x = 1\ny = [][0]\n", r"IndexError: list index out of range \(line 2\)"),
        ("import numpy\n", r"ModuleNotFoundError: No module named 'numpy'"),
        ("import os\nos._exit(0)\n", "exit code 0"),
        ("while True: pass\n", "no answer within 1 seconds"),
        ("raise SystemExit\n", "SystemExit"),
    ],
)
def test_a_file_that_does_not_load_says_why(make_client: MakeClient, source: str, why: str) -> None:
    client = make_client(source)
    failure = client.load_failure()
    assert isinstance(failure, NotLoaded) and re.search(why, failure.why), failure
    assert ask(client) == [failure] * 3


def test_a_refused_submission_is_never_run(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    client.refuse("not allowed")
    assert ask(client) == [NotLoaded("not allowed")] * 3
    assert not (tmp_path / "ran").exists()


def test_sets_and_chance_are_the_same_each_time(make_client: MakeClient) -> None:
    source = "import random\ndef player(board):\n    return [random.random(), *{'a', 'b', 'c', 'd'}]\n"
    assert make_client(source).ask("player", BOTH) == make_client(source).ask("player", BOTH)


def test_closing_leaves_no_process_and_no_descriptor_behind(make_client: MakeClient) -> None:
    source = player("import os; return os.getpid()")
    make_client(source).ask("player", BOTH)  # the template of this process stays
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(5):
        client = make_client(source)
        (reply,) = client.ask("player", [(START,)])
        assert isinstance(reply, Returned)
        client.close()
        with pytest.raises(ProcessLookupError):
            os.kill(reply.value, 0)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_the_time_inside_the_submission_is_known(make_client: MakeClient) -> None:
    client = make_client(player("import time; time.sleep(0.05); return 1"))
    client.ask("player", BOTH)
    assert 0.09 <= client.seconds < 5
    taken = client.timed("player", [START], 1.0)
    assert taken is not None and 0.04 <= taken < 1  # two clocks differ by a hair
    assert client.timed("nothing", [START], 1.0) is None


class Forged:
    """Stands for a process whose submission has learned to write replies."""

    spent, output = 0.0, b""

    def __init__(self, *payloads: bytes) -> None:
        self._payloads = payloads

    def load(self, *arguments: object) -> str:
        return "token"

    def replies(self, token: str, deadline: float, longest: int = 0) -> Iterator[list[bytes]]:
        yield from ([payload] for payload in self._payloads)

    def kill(self) -> None:
        pass


@pytest.mark.parametrize(
    "forged",
    [
        b'["broken","MemoryError","the grader is at fault",0]',
        b'["prepared",["l",["t","files","off"]],0]',
        b'["loaded",[3]]',
        b'["loaded",["l",["l",["t","x",1,2]],["l"]]]',
        b'["raised","E","m",' + b"9" * 4_000 + b',0,["l",["l"],["l"]]]',
        b'["loaded",["l",["l",["t","x","' + b"9" * 5_000 + b'"]],["l"]]]',
    ],
)
def test_what_a_submission_forges_while_it_loads_is_its_own_breach(
    make_client: MakeClient, forged: bytes
) -> None:
    """Given a first reply, written before anything of the submission ran, and a second one that is forged."""
    worker = make_client("")
    worker._outline = Outline()
    worker._process = cast("Any", Forged(b'["prepared",["l",["t","files",""]],0]', forged))
    failure = worker.load_failure()
    assert failure is not None and failure.loss is Loss.BREACH, failure
    assert worker.layers == {"files": ""}


@pytest.mark.exhaustive
def test_answers_that_are_far_too_long_end_it(make_client: MakeClient) -> None:
    """Given 5,478 answers of nested lists, which would be gigabytes in the judge: soon nothing more is heard."""
    source = (
        "def player(board):\n    return [[[[] for _ in range(31)] for _ in range(10)] for _ in range(3)]\n"
    )
    client = make_client(source, Limits(strikes=1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    replies = client.ask("player", [(board,) for board in oracle.boards()])
    assert any(isinstance(reply, Lost) and "longer than any right one" in reply.detail for reply in replies)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


def test_a_source_that_takes_too_long_to_read_is_not_run(
    make_client: MakeClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a file whose imports nobody could look at in time."""
    source = f"open({str(tmp_path / 'ran')!r}, 'w')\nif 0:\n    " + "a.b;" * 200_000
    monkeypatch.setattr("grader.core.asking.worker._OUTLINE_DEADLINE", 0.2)
    client = make_client(source)
    failure = client.load_failure()
    assert failure is not None and failure.why == "Python cannot read it: no answer within 0.2 seconds."
    assert client.call("player", []) == failure
    assert not (tmp_path / "ran").exists()


def test_output_beyond_what_is_shown_is_not_sent(make_client: MakeClient) -> None:
    """Given a function that prints 50 MB, line by line and by way of the descriptor; and one that prints little."""
    source = (
        "import os, sys\n\n\ndef player(board):\n    print('first')\n"
        "    for _ in range(50_000):\n        print('x' * 500)\n        os.write(1, b'y' * 500)\n"
        "    print('last', file=sys.stderr)\n    return 'X'\n"
    )
    client = make_client(source)
    assert client.call("player", []) == Returned("X")
    client.close()
    assert client.output.startswith(b"first\nxxx") and b"y" not in client.output
    assert len(client.output) <= 4_096


def test_a_stream_leads_to_nothing_of_the_worker(make_client: MakeClient) -> None:
    source = (
        "import sys\n\n\ndef player(board):\n    names = type(sys.stdout.buffer).write.__globals__\n"
        "    wanted = ('io', 'os', 'sys', 'marshal', 'main', '_reply', 'Confined', 'confine')\n"
        "    return [name for name in wanted if name in names]\n"
    )
    assert make_client(source).call("player", []) == Returned(["io"])
