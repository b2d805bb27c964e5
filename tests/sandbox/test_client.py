"""A submission may hang, die, print, lie or speak out of turn: it costs that call, and grading goes on."""

import os
import resource
import time
from collections.abc import Iterator
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
)
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.core.game.board import START, Board
from tests.conftest import MakeClient

ONE = Board("X........")
TWO = Board("XO.......")
BOTH: list[Arguments] = [(START,), (ONE,)]


def ask(client: Client, body: str = "", function: str = "player") -> list[Reply]:
    return client.ask(function, [(START,), (ONE,), (TWO,)])


def player(body: str) -> str:
    return f"def player(board):\n    {body}\n"


def test_answers_come_back_as_values(make_client: MakeClient) -> None:
    client = make_client(player("return board[0][0]"))
    assert ask(client) == [Returned(None), Returned("X"), Returned("X")]


def test_a_changed_board_is_seen_deeply(make_client: MakeClient) -> None:
    client = make_client(player("board[0][0] = 'O'; return 1"))
    changed = [["O", None, None], [None] * 3, [None] * 3]
    assert client.ask("player", [(ONE,)]) == [Returned(1, True, changed, "nothing")]


@pytest.mark.parametrize("body", ["board.append(1)", "board[2] = None", "board[0].pop()", "board[1][1] = 0"])
def test_any_change_of_the_board_is_seen(make_client: MakeClient, body: str) -> None:
    (reply,) = make_client(player(body)).ask("player", [(ONE,)])
    assert isinstance(reply, Returned) and reply.changed


@pytest.mark.parametrize(
    ("body", "shares"),
    [
        ("return board", "itself"),
        ("return board[:]", "rows"),
        ("return [row[:] for row in board]", "nothing"),
    ],
)
def test_what_a_changed_board_and_the_answer_share_is_told(
    make_client: MakeClient, body: str, shares: str
) -> None:
    (reply,) = make_client(player(f"board[0][1] = 'X'; {body}")).ask("player", [(ONE,)])
    assert isinstance(reply, Returned) and reply.shares == shares


def test_a_change_before_an_exception_is_seen(make_client: MakeClient) -> None:
    (reply,) = make_client(player("board[0][1] = 'X'; raise ValueError('after')")).ask("player", [(ONE,)])
    assert isinstance(reply, Raised) and reply.changed


def test_equal_rows_are_no_change(make_client: MakeClient) -> None:
    (reply,) = make_client(player("board[0] = list(board[0]); return 1")).ask("player", [(ONE,)])
    assert reply == Returned(1)


def test_a_function_that_changes_its_pipes_does_no_harm_to_the_next(make_client: MakeClient) -> None:
    """Its worker finds nothing to read yet, and must wait for it nevertheless."""
    client = make_client(
        "import os\n"
        "def player(board):\n"
        "    for one in range(3, 64):\n"
        "        try:\n"
        "            os.set_blocking(one, False)\n"
        "        except OSError:\n"
        "            continue\n"
        "def winner(board):\n"
        "    return os.getpid()\n"
    )
    assert ask(client) == [Returned(None)] * 3
    time.sleep(0.1)
    first, *others = ask(client, function="winner")
    assert isinstance(first, Returned) and others == [first, first]
    assert client.ask("player", [(Board("XO.X....."),)]) == [Returned(None)]
    time.sleep(0.1)
    assert client.ask("winner", [(Board("XO.X....."),)]) == [first]


def test_an_exception_has_its_class_message_and_line(make_client: MakeClient) -> None:
    client = make_client("def player(board):\n    x = {}\n    return x['nope']\n")
    assert client.ask("player", [(START,)]) == [Raised("KeyError", "nope", 3)]


@pytest.mark.parametrize(
    "body", ["raise SystemExit(0)", "import sys; sys.exit(1)", "raise KeyboardInterrupt"]
)
def test_leaving_by_exception_is_an_exception(make_client: MakeClient, body: str) -> None:
    client = make_client(player(body))
    assert all(isinstance(reply, Raised) for reply in ask(client))


def test_a_missing_function(make_client: MakeClient) -> None:
    client = make_client("x = 1\n")
    assert ask(client) == [Missing()] * 3
    assert client.call("nothing") == Missing()


def test_a_call_that_hangs_costs_that_call_alone(make_client: MakeClient) -> None:
    client = make_client(player("while board[0][0] == 'X' and board[0][1] is None: pass\n    return 1"))
    first, hung, third = ask(client)
    assert [first, third] == [Returned(1), Returned(1)]
    assert isinstance(hung, Lost) and hung.loss is Loss.DEADLINE and hung.asked


def test_a_call_that_kills_the_worker_costs_that_call_alone(make_client: MakeClient) -> None:
    client = make_client(
        player("import os; (board[0][0] == 'X' and board[0][1] is None) and os._exit(0)\n    return 1")
    )
    first, died, third = ask(client)
    assert [first, third] == [Returned(1), Returned(1)]
    assert died == Lost(Loss.DEATH, "its process ended with exit code 0")


def test_a_crash_of_the_interpreter_is_named(make_client: MakeClient) -> None:
    client = make_client(player("import os; os.abort()"))
    (reply,) = client.ask("player", [(START,)])
    assert reply == Lost(Loss.DEATH, "its process was killed by SIGABRT")


def test_a_function_that_hangs_too_often_is_asked_no_more(make_client: MakeClient) -> None:
    client = make_client(player("while True: pass"), Limits(deadline=0.3, strikes=3))
    replies = client.ask("player", [(START,), (ONE,), (TWO,)] * 2)
    assert client.spent < 3
    asked = [isinstance(reply, Lost) and reply.asked for reply in replies[:3]]
    assert asked == [True, True, False]


def test_a_function_that_is_slow_each_time_is_given_up(make_client: MakeClient) -> None:
    client = make_client(
        player("import time; time.sleep(0.2); return 1"), Limits(deadline=1, sweep_budget=0.5)
    )
    replies = client.ask("player", [(Board("." * i + "X" + "." * (8 - i)),) for i in range(9)])
    assert replies[0] == Returned(1)
    assert isinstance(replies[-1], Lost) and not replies[-1].asked


def test_a_call_is_asked_once(make_client: MakeClient) -> None:
    client = make_client("n = 0\ndef player(board):\n    global n\n    n += 1\n    return n\n")
    assert client.ask("player", BOTH) == client.ask("player", BOTH) == [Returned(1), Returned(2)]


def test_questions_sent_ahead_get_the_same_answers(make_client: MakeClient) -> None:
    source = player("return 'p'") + "def winner(board):\n    return 'w'\n"
    client = make_client(source)
    client.foresee({"player": calls_once(BOTH), "winner": calls_once(BOTH), "utility": calls_once(BOTH)})
    assert client.ask("winner", BOTH) == [Returned("w")] * 2
    assert client.call("player", 1) == Returned("p")
    assert client.ask("player", [*BOTH, (TWO,)]) == [Returned("p")] * 3
    assert client.ask("utility", BOTH) == [Missing()] * 2


def test_questions_sent_ahead_of_a_crash_are_not_lost(make_client: MakeClient) -> None:
    source = player("import os; os._exit(3)") + "def winner(board):\n    return 'w'\n"
    client = make_client(source)
    client.foresee({"player": calls_once(BOTH), "winner": calls_once(BOTH)})
    assert client.ask("winner", BOTH) == [Returned("w")] * 2
    assert all(isinstance(reply, Lost) for reply in client.ask("player", BOTH))


@pytest.mark.parametrize("source", ["1 / 0\n", "def player(:\n", "import os\nos._exit(1)\n"])
def test_what_cannot_be_loaded_is_reported(make_client: MakeClient, source: str) -> None:
    client = make_client(source)
    assert client.load_failure()


def test_the_outline_can_be_had_while_questions_are_under_way(make_client: MakeClient) -> None:
    client = make_client(player("return 'p'"))
    client.foresee({"player": calls_once(BOTH)})
    assert set(client.outline().functions) == {"player"}
    assert client.ask("player", BOTH) == [Returned("p")] * 2


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


def test_standard_input_is_empty(make_client: MakeClient) -> None:
    (reply,) = make_client(player("return input()")).ask("player", [(START,)])
    assert isinstance(reply, Raised) and reply.error == "EOFError"


@pytest.mark.parametrize(
    "body",
    [
        "import os; os.write(4, b'garbage\\n')",
        "import os; os.write(4, b'00000000 0 [\"returned\",1]\\n')",
        "import os; os.write(4, b'x' * 400000)",
        "import os; os.close(4)",
    ],
)
def test_garbage_on_the_pipe_costs_the_call(make_client: MakeClient, body: str) -> None:
    client = make_client(player(body + "; return 1"))
    (reply,) = client.ask("player", [(START,)])
    assert isinstance(reply, Lost)


def test_objects_that_lie_are_aliens(make_client: MakeClient) -> None:
    source = "class Yes:\n    def __eq__(self, other): return True\n" + player("return Yes()")
    assert make_client(source).ask("player", [(START,)]) == [Returned(Alien("an object of class Yes"))]


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
    assert isinstance(failure, NotLoaded)
    pytest.importorskip("re").search(why, failure.why) or pytest.fail(failure.why)
    assert ask(client) == [failure] * 3


def test_a_refused_submission_is_never_run(make_client: MakeClient, tmp_path: object) -> None:
    client = make_client("open('/tmp/should-not-exist-by-grader', 'w')\n")
    client.refuse("not allowed")
    assert ask(client) == [NotLoaded("not allowed")] * 3
    assert not os.path.exists("/tmp/should-not-exist-by-grader")  # noqa: PTH110


def test_the_memory_of_a_worker_is_limited(make_client: MakeClient) -> None:
    (reply,) = make_client(player("return len(bytearray(10 ** 9))")).ask("player", [(START,)])
    assert isinstance(reply, Raised) and reply.error == "MemoryError"


def test_the_environment_is_not_handed_on(make_client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    (reply,) = make_client(player("import os; return os.environ.get('SECRET')")).ask("player", [(START,)])
    assert reply == Returned(None)


def test_nothing_of_the_grader_is_in_sight(make_client: MakeClient) -> None:
    source = player("import sys; return [m for m in sys.modules if 'grader' in m]")
    assert make_client(source).ask("player", [(START,)]) == [Returned([])]


def test_sets_and_chance_are_the_same_each_time(make_client: MakeClient) -> None:
    source = "import random\ndef player(board):\n    return [random.random(), *{'a', 'b', 'c', 'd'}]\n"
    assert make_client(source).ask("player", BOTH) == make_client(source).ask("player", BOTH)


def test_closing_leaves_no_process_behind(make_client: MakeClient) -> None:
    client = make_client(player("import os; return os.getpid()"))
    (reply,) = client.ask("player", [(START,)])
    assert isinstance(reply, Returned)
    client.close()
    with pytest.raises(ProcessLookupError):
        os.kill(reply.value, 0)


def test_descriptors_are_not_leaked(make_client: MakeClient) -> None:
    make_client(player("return 1")).ask("player", BOTH)  # the template of this process stays
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(5):
        client = make_client(player("return 1"))
        client.ask("player", BOTH)
        client.close()
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
