"""Every module of the standard library can be imported by a submission; what cannot be had fails when it is used."""

import subprocess
import sys

import pytest

from grader.core.asking.reply import Raised, Returned
from grader.core.course.rubric import Limits
from tests.conftest import MakeClient

PATIENT = Limits(deadline=60, load=60)
NAMES = sorted(sys.stdlib_module_names - {"__main__"})
NEVER_REAL = {"ctypes", "_ctypes"}
"""What stays unusable, although this Python has it."""

OPENS_A_BROWSER = {"antigravity"}


def loadable(names: list[str]) -> set[str]:
    """Return which modules a plain interpreter can import."""
    code = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        importlib.import_module(name)\n"
        "    except BaseException:\n        continue\n"
        "    sys.__stderr__.write('\\n+' + name + '\\n')\n"
    )
    command = [sys.executable, "-W", "ignore", "-S", "-c", code, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return {line[1:] for line in done.stderr.splitlines() if line.startswith("+")}


def test_every_module_of_the_standard_library_can_be_imported(make_client: MakeClient) -> None:
    lines = ["FAILED, STAND_INS = [], []"]
    for name in NAMES:
        lines += [
            "try:",
            f"    import {name} as module",
            "except BaseException as error:",
            f"    FAILED.append(f'{name}: {{error!r}}')",
            "else:",
            f"    type(module).__name__ == '_StandIn' and STAND_INS.append('{name}')",
        ]
    lines += [
        "def failed(): return ', '.join(FAILED)[:190]",
        "def stand_ins(at): return STAND_INS[at:at + 30]",
    ]
    client = make_client("\n".join(lines) + "\n", PATIENT)
    assert client.load_failure() is None
    assert client.call("failed") == Returned("")
    stand_ins = set()
    for at in range(0, len(NAMES), 30):
        reply = client.call("stand_ins", at)
        assert isinstance(reply, Returned)
        stand_ins |= set(reply.value)
    assert stand_ins >= NEVER_REAL
    assert stand_ins & loadable(NAMES) <= NEVER_REAL | OPENS_A_BROWSER


@pytest.mark.parametrize(
    "line",
    [
        "from turtle import fd",
        "from tkinter import W",
        "from ctypes import util",
        "import ctypes.util",
        "import winreg",
        "from logging import raiseExceptions",
        "from queue import Empty",
        "import asyncio, venv, rlcompleter, pstats",
        "from ctypes import *",
    ],
)
def test_imports_that_an_editor_put_there_do_no_harm(make_client: MakeClient, line: str) -> None:
    client = make_client(f"{line}\n\n\ndef player(board):\n    return 'X'\n")
    assert client.call("player", []) == Returned("X")
    assert list(client.tried) == []


def test_what_cannot_be_had_is_told(make_client: MakeClient) -> None:
    client = make_client("import math\nfrom ctypes import util\n\n\ndef player(board):\n    return 'X'\n")
    assert client.load_failure() is None
    assert list(client.absent) == [("ctypes", 2)]


@pytest.mark.parametrize(
    "use", ["ctypes.CDLL(None)", "ctypes.util.find_library('c')", "ctypes.c_int(1)", "ctypes.pythonapi.PyRun", "bool(ctypes.x)"]
)  # fmt: skip
def test_a_stand_in_fails_when_it_is_used(make_client: MakeClient, use: str) -> None:
    client = make_client(f"import ctypes\nimport ctypes.util\n\n\ndef player(board):\n    return {use}\n")
    (reply,) = client.ask("player", [("." * 9,)])  # type: ignore[list-item]
    sentence = "the grader cannot give a submission the module ctypes"
    assert isinstance(reply, Raised) and reply.message.startswith(sentence)
    assert next(iter(client.tried))[0].startswith("use ctypes")


def test_a_class_cannot_be_made_of_a_stand_in(make_client: MakeClient) -> None:
    client = make_client("import ctypes\n\n\nclass Point(ctypes.Structure):\n    pass\n")
    failure = client.load_failure()
    assert failure and "cannot give a submission the module ctypes" in failure.why


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("from math import nothing_like_that", "ImportError"),
        ("import nothing_like_that", "ModuleNotFoundError"),
        ("import xml.nothing_like_that", "ModuleNotFoundError"),
    ],
)
def test_a_wrong_import_is_an_error_as_always(make_client: MakeClient, line: str, error: str) -> None:
    failure = make_client(f"{line}\n").load_failure()
    assert failure and error in failure.why


def test_the_library_reads_frames_on_import_and_the_submission_does_not(make_client: MakeClient) -> None:
    source = (
        "import logging\nimport inspect\n\n\ndef player(board):\n    logging.warning('%s', board)\n    return 'X'\n\n\n"
        "def winner(board):\n    return inspect.currentframe().f_back.f_locals\n\n\n"
        "def actions(board):\n    return logging.currentframe()\n"
    )
    client = make_client(source)
    assert client.call("player", []) == Returned("X")
    assert list(client.tried) == []
    for name in ("winner", "actions"):
        reply = client.ask(name, [("." * 9,)])[0]  # type: ignore[list-item]
        assert isinstance(reply, Raised) and "does not let a submission read frames" in reply.message


def test_a_file_may_import_itself(make_client: MakeClient) -> None:
    source = (
        "import tictactoe as ttt\n\n\ndef player(board):\n    return ttt.other(board)\n\n\n"
        "def other(board):\n    return 'X'\n"
    )
    client = make_client(source)
    assert client.call("player", []) == Returned("X")
