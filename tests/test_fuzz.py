"""Seeded fuzzing: no input may give a traceback, a hang or a leak. `pytest tests/test_fuzz.py --fuzz 20000` for more."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import reply_of
from grader.core.course.rubric import Limits
from grader.core.errors import UserError
from grader.core.game.board import START
from grader.course import cases, rubric_files
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from grader.sandbox.process import Process
from grader.worker.wire import MAX_REPLY
from tests.conftest import submission_of
from tests.submissions import PLAIN

REPLIES = [
    b'["returned",["b","X........"]]',
    b'["returned",["s",["t",0,1],["t",2,2]]]',
    b'["raised","KeyError","k",3,["l"]]',
    b'["returned",["d",["t","a",1]]]',
    b'["done",5,["l"]]',
]
QUICK = Limits(deadline=1.0, strikes=1, sweep_budget=3.0)


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    number = request.config.getoption("--fuzz")
    assert isinstance(number, int)
    return number


def edited(text: bytes, chance: random.Random) -> bytes:
    """Return a text with a few random edits: bytes changed, pieces dropped, doubled or moved."""
    raw = bytearray(text)
    for _ in range(chance.randrange(1, 6)):
        i, j = sorted((chance.randrange(len(raw) + 1), chance.randrange(len(raw) + 1)))
        j = min(j, i + 40)
        kind = chance.randrange(5)
        if kind == 0:
            raw[i:j] = bytes(chance.randrange(256) for _ in range(chance.randrange(8)))
        elif kind == 1:
            del raw[i:j]
        elif kind == 2:
            raw[i:i] = raw[i:j]
        elif kind == 3:
            raw[i:i] = chance.choice(
                [b"[", b"{", b": ", b"*a", b"&a ", b"\t", b"\0", b"- ", b"'", b'"', b"\xff"]
            )
        else:
            raw[i:j] = bytes(reversed(raw[i:j]))
    return bytes(raw)


def test_replies(rounds: int) -> None:
    chance = random.Random(1)
    for _ in range(rounds):
        payload = edited(chance.choice(REPLIES), chance)
        assert len(payload) < MAX_REPLY
        try:
            reply_of(payload)
        except ValueError:
            continue


@pytest.mark.parametrize("kind", ["rubric", "fixture"])
def test_yaml(kind: str, rounds: int, tmp_path: Path) -> None:
    chance = random.Random(2)
    known = rubric_files.load(DEFAULT_RUBRIC)
    originals = [DEFAULT_RUBRIC] if kind == "rubric" else sorted(DEFAULT_FIXTURES.glob("*.yaml"))
    load: Callable[[Path], object] = (
        rubric_files.load if kind == "rubric" else lambda file: cases.load(file, known)
    )
    file = tmp_path / "fuzzed.yaml"
    for _ in range(rounds // 4):
        file.write_bytes(edited(chance.choice(originals).read_bytes()[:1500], chance))
        try:
            load(file)
        except UserError as error:
            assert str(file) in str(error)


def test_submissions(rounds: int) -> None:
    chance = random.Random(3)
    with Client(submission_of(b""), QUICK, Process) as client:  # the template of workers stays
        client.outline()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for number in range(rounds // 20):
        source = (
            chance.randbytes(chance.randrange(400)) if number % 4 == 0 else edited(PLAIN.encode(), chance)
        )
        with Client(submission_of(source), QUICK, Process) as client:
            client.outline()
            (reply,) = client.ask("player", [(START,)])
            assert reply is not None
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
