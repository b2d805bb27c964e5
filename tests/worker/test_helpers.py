"""Modules that came with a submission: imported from memory, made anew with it, and held by the same wall."""

from pathlib import Path

import pytest

from grader.core.asking.client import Client
from grader.core.asking.recalled import NotRecalled, RecalledCopy
from grader.core.asking.reply import Raised, Returned
from grader.core.checks.probe import ORDINARY
from grader.core.checks.sweep import sweep_order
from grader.core.course.rubric import Limits
from grader.core.course.submission import read
from grader.core.game.board import Board
from grader.course.courses import DEFAULT_SUBMISSION
from grader.sandbox.process import Process
from tests.conftest import QUICK, MakeClient

START = "." * 9
WHOLE = (DEFAULT_SUBMISSION / "tictactoe.py").read_text()


def test_helpers_are_imported_as_if_they_lay_beside_the_file(make_client: MakeClient) -> None:
    client = make_client(
        "import one\nfrom pack.inner import three\nimport space.more\n\n\n"
        "def player(board):\n    return [one.two(), three(), space.more.four, one.__name__, one.__file__]\n",
        one="import tictactoe\nfrom other import two\n\n\ndef five():\n    return tictactoe.player\n",
        other="def two():\n    return 2\n",
        pack__in____init__="base = 3\n",
        pack__in__inner="from . import base\n\n\ndef three():\n    return base\n",
        space__in__more="four = 4\n",
    )
    assert client.call("player", []) == Returned([2, 3, 4, "one", "one.py"])
    assert client.outline().foreign() == []


def test_what_did_not_come_along_is_missing(make_client: MakeClient) -> None:
    client = make_client("import one\nimport two\n", one="")
    failure = client.load_failure()
    assert failure and "ModuleNotFoundError: No module named 'two'" in failure.why
    assert [one.module for one in client.outline().foreign()] == ["two"]


def test_an_error_in_a_helper_is_told_with_its_place(make_client: MakeClient) -> None:
    client = make_client(
        "from one import player\n\n\ndef winner(board):\n    return player(board)\n",
        one="def player(board):\n    return board[7]\n",
    )
    (direct,) = client.ask("player", [(Board(START),)])
    (through,) = client.ask("winner", [(Board(START),)])
    assert direct == Raised("IndexError", "list index out of range (one.py, line 2)", 0)
    assert through == Raised("IndexError", "list index out of range (one.py, line 2)", 5)


def test_a_helper_that_is_no_python_is_named(make_client: MakeClient) -> None:
    failure = make_client("import math\nimport one\n", one="x = 1\ny = 2\ndef f(:\n").load_failure()
    assert failure and "SyntaxError: invalid syntax (one.py, line 3) (line 2)" in failure.why


def test_many_helpers_have_an_outline(make_client: MakeClient) -> None:
    names = [f"a_long_name_of_some_function_that_is_{number}" for number in range(200)]
    text = "".join(f"def {name}(board, action, depth):\n    return {name}\n" for name in names)
    client = make_client("".join(f"import m{n}\n" for n in range(30)), **{f"m{n}": text for n in range(30)})
    assert client.load_failure() is None and len(client.outline().helpers) == 30


@pytest.mark.parametrize(
    ("helper", "noted"),
    [
        ("import inspect\nFRAME = inspect.currentframe().f_back\n", ("read frames in one.py", 2)),
        ("open('/etc/passwd')\n", ("open /etc/passwd in one.py", 1)),
        ("import subprocess\nsubprocess.run(['true'])\n", ("start a process in one.py", 2)),
    ],
)
def test_the_lookout_knows_a_helper(make_client: MakeClient, helper: str, noted: tuple[str, int]) -> None:
    client = make_client("import one\n", one=helper)
    failure = client.load_failure()
    assert failure and "PermissionError" in failure.why
    assert noted in client.tried


def test_a_helper_is_not_trusted_for_its_name(make_client: MakeClient) -> None:
    client = make_client("import pack.enum\n", pack__in__enum="import sys\n\nFRAME = sys._getframe(1)\n")
    failure = client.load_failure()
    assert failure and "does not let a submission read frames" in failure.why


def test_nothing_else_beside_the_file_can_be_read(make_client: MakeClient) -> None:
    client = make_client("import one\n\n\ndef player(board):\n    return one.look()\n", one=(
        "import os, sys\n\n\ndef look():\n    found = []\n    for place in ('.', '/', *sys.path):\n        try:\n"
        "            found += [n for n in os.listdir(place) if n.endswith('one.py') or n == 'grader']\n"
        "        except OSError:\n            pass\n    return found\n"
    ))  # fmt: skip
    assert client.call("player", []) == Returned([])


@pytest.mark.parametrize("way", ['__import__("sec" + "ret").KEY', 'open("secret.py").read()', 'open(one.PLACE + "/secret.py").read()'])  # fmt: skip
def test_what_is_not_imported_by_name_stays_out_of_reach(tmp_path: Path, way: str) -> None:
    (tmp_path / "tictactoe.py").write_text(f"import one\n\n\ndef player(board):\n    return {way}\n")
    (tmp_path / "one.py").write_text(f"PLACE = {str(tmp_path)!r}\n")
    (tmp_path / "secret.py").write_text("KEY = 'the answer'\n")
    with Client(read(tmp_path / "tictactoe.py", 100), QUICK, Process) as client:
        reply = client.call("player", [])
    assert isinstance(reply, Raised)
    assert reply.error in ("ModuleNotFoundError", "FileNotFoundError", "PermissionError")


def test_a_helper_hides_no_module_of_the_library(make_client: MakeClient) -> None:
    client = make_client("import one\n\n\ndef player(board):\n    return one.f()\n", one="from ctypes import util\n\n\ndef f():\n    return 1\n")  # fmt: skip
    assert client.call("player", []) == Returned(1)
    assert list(client.absent) == [("ctypes in one.py", 1)]


SEARCH_APART = {
    "rules": WHOLE[: WHOLE.index("def minimax")],
    "search": "from rules import *\n\n\n" + WHOLE[WHOLE.index("def minimax") :],
}
PARTS = "from rules import *\nfrom search import minimax\n"


@pytest.mark.parametrize("level", [False, True])
def test_a_search_in_helpers_is_recorded_like_one_in_the_file(make_client: MakeClient, level: bool) -> None:
    boards = (Board("XOX.O...."), Board("XO..X...O"))
    questions = ORDINARY.questions(boards)._replace(level=level)
    together = make_client(WHOLE).walks(questions)
    apart = make_client(PARTS, **SEARCH_APART).walks(questions)
    assert [one.reply for one in apart] == [one.reply for one in together]
    assert [one.calls for one in apart] == [one.calls for one in together]
    assert [one.steps for one in apart] == [one.steps for one in together]


def test_every_search_has_helpers_that_remember_nothing(make_client: MakeClient) -> None:
    client = make_client(
        "import memory\n\n\ndef minimax(board):\n    memory.SEEN.append(1)\n    return len(memory.SEEN), 0\n",
        memory="SEEN = []\n",
    )
    questions = ORDINARY.questions((Board("XOX.O...."), Board("XO..X...O")))
    assert [one.reply for one in client.walks(questions)] == [Returned((1, 0)), Returned((1, 0))]
    assert client.call("minimax", []) == Returned((1, 0))


def test_what_is_searched_while_the_file_is_loaded_is_not_recorded(make_client: MakeClient) -> None:
    questions = ORDINARY.questions((Board("XOX.O...."),))
    plain = make_client(WHOLE).walks(questions)
    trial = make_client(WHOLE + "\nprint(minimax([[X, O, X], [O, X, O], [EMPTY] * 3]))\n").walks(questions)
    assert [(one.calls, one.steps) for one in trial] == [(one.calls, one.steps) for one in plain]


def test_a_helper_that_takes_long_is_not_run_anew_as_a_whole(make_client: MakeClient) -> None:
    client = make_client(
        "import slow\n\n\ndef minimax(board):\n    return slow.move()\n",
        Limits(load=20),
        slow="import sys\n\nsys.runs = getattr(sys, 'runs', 0) + 1\nTABLE = [sum(1 for _ in range(20_000_000))]\n\n\n"
        "def move():\n    return sys.runs, TABLE[0]\n",
    )
    (walked,) = client.walks(ORDINARY.questions((Board("XOX.O...."),)))
    assert walked.reply == Returned((1, 20_000_000))


def test_the_copy_that_remembers_has_helpers_that_remember(make_client: MakeClient) -> None:
    client = make_client(PARTS, **SEARCH_APART)
    copy = RecalledCopy(client, sweep_order())
    assert len(dict(copy.answers())) == 5_478


@pytest.mark.parametrize(
    ("main", "helper", "why"),
    [
        ("from one import minimax\n", "N = 0\n\n\ndef minimax(b):\n    global N\n    N += 1\n    return N\n", "it writes to N, which outlives the call (line 6 of one.py)"),
        ("import one\n\n\ndef minimax(b):\n    one.N += 1\n    return one.N\n", "N = 0\n", "it writes to one"),
        ("import one as o\n\n\ndef minimax(b):\n    o.SEEN.append(1)\n    return len(o.SEEN)\n", "SEEN = []\n", "it writes to o"),
        ("from one import SEEN as s\n\n\ndef minimax(b):\n    s.append(1)\n    return len(s)\n", "SEEN = []\n", "it writes to s"),
        ("from one import *\n\n\ndef minimax(b):\n    SEEN.append(1)\n    return len(SEEN)\n", "SEEN = []\n", "it writes to SEEN"),
        ("from one import minimax\nN = []\n", "import tictactoe\n\n\ndef minimax(b):\n    tictactoe.N.append(1)\n    return len(tictactoe.N)\n", "it writes to tictactoe"),
        ("def minimax(b):\n    return 0, 0\n", "def broken(:\n", "one.py cannot be read"),
    ],
)  # fmt: skip
def test_what_one_module_writes_to_another_is_not_remembered(
    make_client: MakeClient, main: str, helper: str, why: str
) -> None:
    copy = RecalledCopy(make_client(main, one=helper), sweep_order())
    with pytest.raises(NotRecalled) as refused:
        list(copy.answers())
    assert str(refused.value).startswith(why)


def test_a_replaced_function_is_replaced_wherever_it_is_the_same_one(make_client: MakeClient) -> None:
    wrong = SEARCH_APART | {"rules": SEARCH_APART["rules"].replace("return board[", "return None and board[")}
    source = "from rules import *\nfrom search import minimax\nfrom other import ask\n"
    other = "from rules import winner as who\n\n\ndef winner(board):\n    return 'own'\n\n\ndef ask(board):\n    return [who(board), winner(board)]\n"
    board = [["X", "X", "X"], ["O", "O", None], [None, None, None]]
    client = make_client(source, **wrong, other=other)
    assert client.call("ask", board) != Returned(["X", "own"])
    with client.mended(["winner"]) as mended:
        assert mended.call("ask", board) == Returned(["X", "own"])
