"""A submission inside WebAssembly: what it can do, what ends it, and what it never finds."""

import json
import re
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Loss, Lost, Raised, Reply, Returned
from grader.core.asking.worker import Allowance, Opens
from grader.core.course.rubric import Limits
from grader.core.errors import GraderFault, UserError
from grader.core.grade import Grade, to_json
from grader.grading import session
from grader.grading.session import Settings
from grader.sandbox.process import Process
from tests.conftest import submission_of
from tests.hostile.test_hostile import FILES, LOSES_IN_WASM, LOST, attack_of, header, lost_by
from tests.hostile.test_hostile import folder as folder  # noqa: PLC0414 - a pytest fixture
from tests.judged import ONE_AFTER_THE_OTHER, judged
from tests.sharing import some
from tests.submissions import CORRECT, PLAIN
from tests.submissions.faults import FAULTS
from tests.submissions.files import file_of

pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
pytest.importorskip("componentize_py", reason="componentize-py is not installed: pip install -e '.[wasm]'")

from grader.core.course.submission import read
from grader.sandbox import wasm
from grader.sandbox.wasm import FUEL, Wasm

IN_WASM = replace(ONE_AFTER_THE_OTHER, sandbox_kind="wasm")
_TIMES = re.compile(r"asked in [\d.]+ s")
LIMITS = Limits(deadline=0.5, load=1.0, strikes=2, memory_mb=256)


def client_of(source: str, **limits: Any) -> Client:
    return Client(submission_of(source), replace(LIMITS, **limits), Wasm)


def reply_to(source: str, argument: object = 1, **limits: Any) -> Reply:
    with client_of(source, **limits) as client:
        return client.call("f", argument)


def test_a_call_is_answered() -> None:
    assert reply_to("def f(x): return x + 1") == Returned(2)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("return open('/etc/passwd').read()", "PermissionError"),
        ("return open('tictactoe.py').read()", "FileNotFoundError"),
        ("import os; return os.listdir('/')", "FileNotFoundError"),
        ("import os; return os.system('ls')", "PermissionError"),
        ("import os; return os.fork()", "PermissionError"),
        ("import subprocess; return subprocess.run(['ls'])", "OSError"),
        ("import socket; return socket.socket()", "PermissionError"),
        ("import ctypes; return ctypes.CDLL(None)", "ImportError"),
        ("import sys; return sys._getframe(1)", "PermissionError"),
        ("import gc; return gc.get_objects()", "PermissionError"),
        ("return f(x)", "RecursionError"),
        ("return input()", "EOFError"),
        ("return bytes(300_000_000)", "MemoryError"),
        ("return exit()", "NameError"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_not_there_raises(body: str, error: str) -> None:
    reply = reply_to(f"def f(x):\n    {body}")
    assert isinstance(reply, Raised)
    assert reply.error == error


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    ("body", "loss", "detail"),
    [
        ("while True: pass", Loss.DEADLINE, "no answer within 0.5 seconds"),
        ("import time; time.sleep(1000)", Loss.DEADLINE, "no answer within 0.5 seconds"),
        ("import os; os._exit(0)", Loss.DEATH, "its process ended itself"),
        (
            "import sys; sys.setrecursionlimit(10**7); g = lambda: g(); g()",
            Loss.DEATH,
            "its process ran out of stack",
        ),
    ],
    ids=["endless", "asleep", "exit", "stack"],
)
def test_what_ends_it_costs_that_call_alone(body: str, loss: Loss, detail: str) -> None:
    with client_of(f"def f(x):\n    if x == 1:\n        {body}\n    return x") as client:
        reply = client.call("f", 1)
        assert isinstance(reply, Lost)
        assert (reply.loss, reply.detail) == (loss, detail)
        assert client.call("f", 2) == Returned(2)


def test_a_trap_by_the_allowance_says_so() -> None:
    allowance = Allowance(0.6)
    with Client(submission_of("def f(x):\n while 1: pass"), LIMITS, Wasm, allowance=allowance) as client:
        lost = [client.call("f", number) for number in range(2)]
    details = [getattr(reply, "detail", "") for reply in lost]
    assert details == ["no answer within 0.5 seconds", allowance.sentence]
    assert 0.6 <= allowance.spent < 0.61


def test_time_and_chance_are_the_same_each_time() -> None:
    source = (
        "import os, random, time, uuid\n"
        "def f(x):\n"
        "    started = time.time(), time.perf_counter(), time.process_time()\n"
        "    time.sleep(0.05)\n"
        "    took = round(time.perf_counter() - started[1], 2)\n"
        "    return str((started, took, random.random(), os.urandom(4), uuid.uuid4(), hash('x'), {'a', 'b', 'c'}))"
    )
    first = reply_to(source)
    assert isinstance(first, Returned)
    assert ", 0.05, " in str(first.value)
    assert reply_to(source) == first


def test_fuel_is_the_same_each_time_and_counts_what_sleeps() -> None:
    def spent(body: str) -> float:
        with client_of(f"import time\ndef f(x):\n    {body}") as client:
            assert isinstance(client.call("f", 1), Returned)
            return client.spent

    assert spent("return sum(range(10_000))") == spent("return sum(range(10_000))")
    assert 0.1 < spent("time.sleep(0.1)") < 0.11


def test_the_beginning_of_what_is_printed_is_kept() -> None:
    with client_of("def f(x):\n    print('é' * 3000)\n    print('more')") as client:
        client.call("f", 1)
        client.close()
        assert client.output == ("é" * 2048).encode()


def test_nothing_of_the_grader_or_of_the_build_is_found() -> None:
    source = (
        "import os, sys\n"
        "OURS = 'grader', 'entry', 'wit_world', 'componentize'\n"
        "def f(x): return sorted(name for name in sys.modules if name.startswith(OURS)), len(os.environ), sys.path\n"
    )
    assert reply_to(source) == Returned(([], 0, []))


CLASSES = """\
import dataclasses, functools, inspect, typing

class Move(typing.TypedDict):
    row: int

class Place(typing.NamedTuple):
    row: int

@dataclasses.dataclass
class Node:
    value: "int"
    moves: list[int] = dataclasses.field(default_factory=list)

@functools.singledispatch
def shown(x):
    return "any"

@shown.register
def _(x: int):
    return "int"

def f(x):
    return typing.get_type_hints(Node)["value"] is int, Place(x).row, Node(x).value, shown(x)

def g(x):
    return inspect.getmembers(f)
"""


@pytest.mark.parametrize("opens", [Wasm, Process])
def test_the_library_reads_functions_where_it_makes_classes(opens: Opens) -> None:
    """Given classes whose functions Python reads itself, and a function that reads another one."""
    with Client(submission_of(CLASSES), LIMITS, opens) as client:
        assert client.call("f", 1) == Returned((True, 1, 1, "int"))
        reply = client.call("g", 1)
        assert isinstance(reply, Raised) and reply.error == "PermissionError"


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    "body",
    [
        "return ['x' * 8000] * 30",
        "[print('y' * 100_000) for _ in range(10**9)]",
        "return [x] * 10**7",
        "a = []\n    for _ in range(3000): a = [a]\n    return a",
    ],
    ids=["huge answer", "flood", "many items", "deep"],
)
def test_floods_and_giants_are_an_answer_or_a_deadline(body: str) -> None:
    with client_of(f"def f(x):\n    {body}\ndef g(x): return x") as client:
        assert isinstance(client.call("f", 1), Returned | Lost | Raised)
        assert len(client.output) <= 4_096
        assert client.call("g", 7) == Returned(7)


def test_who_patches_what_the_worker_uses_changes_nothing() -> None:
    source = (
        "import builtins, json, marshal, sys, time\n"
        "builtins.next = builtins.getattr = lambda *a: 'forged'\n"
        "marshal.dumps = json.dumps = lambda *a: b'forged'\n"
        "time.perf_counter = lambda: 0\n"
        "def f(x): return x"
    )
    with client_of(source) as client:
        assert [client.call("f", number) for number in range(3)] == [Returned(0), Returned(1), Returned(2)]


def without_times(grade: Grade) -> dict[str, Any]:
    found: Any = json.loads(_TIMES.sub("", to_json(grade)))
    for name in ("seconds", "submission_seconds"):
        del found[name]
    if found["sweep"]:
        del found["sweep"]["seconds"]
    return dict(found)


def graded(name: str, settings: Settings) -> Grade:
    return judged(read(file_of(name), 1000), settings)


def scores_of(grade: Grade) -> list[tuple[str, float]]:
    return [(criterion.id, criterion.score) for criterion in grade.criteria]


@pytest.mark.parametrize(
    "name", ["plain_deepcopy", pytest.param("winner_misses_columns", marks=pytest.mark.exhaustive)]
)
def test_a_grade_is_the_same_as_by_a_process(name: str) -> None:
    native, inside = graded(name, ONE_AFTER_THE_OTHER), graded(name, IN_WASM)
    assert scores_of(native) == scores_of(inside)
    assert native.mistakes == inside.mistakes
    assert native.boundary and inside.boundary
    assert (native.boundary.kind, inside.boundary.kind) == ("native", "wasm")
    assert inside.boundary.python.startswith("3.")
    assert len(inside.boundary.component) == 16


@pytest.mark.exhaustive
def test_the_same_file_has_the_same_grade_and_uses_the_same_fuel() -> None:
    first, second = (graded("plain_deepcopy", IN_WASM) for _ in range(2))
    assert without_times(first) == without_times(second)
    assert first.submission_seconds == second.submission_seconds


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a layer of the native sandbox be off, and let WebAssembly fail to be prepared."""

    def fails() -> NoReturn:
        raise GraderFault("the WebAssembly sandbox could not be built:\nno space")

    monkeypatch.setattr(session, "lacks_layers", lambda: True)
    monkeypatch.setattr(wasm, "ready", fails)
    session._in_wasm.cache_clear()
    yield
    session._in_wasm.cache_clear()


def test_auto_is_native_where_webassembly_cannot_be_prepared(unprepared: None) -> None:
    grade = judged(submission_of(PLAIN), ONE_AFTER_THE_OTHER)
    assert grade.score == grade.points
    assert grade.boundary and (grade.boundary.kind, grade.boundary.component) == ("native", "")
    why = "the WebAssembly sandbox could not be built: no space"
    assert grade.boundary.no_wasm == why
    sentence = f"It ran in the native sandbox, because WebAssembly could not be prepared: {why}."
    assert sentence in grade.for_instructors


@pytest.mark.parametrize("changes", [{"sandbox_kind": "wasm"}, {"sandbox": "required"}], ids=str)
def test_nobody_is_graded_natively_where_a_boundary_is_demanded(
    changes: dict[str, Any], unprepared: None
) -> None:
    with pytest.raises(GraderFault, match="could not be built"):
        judged(submission_of(PLAIN), ONE_AFTER_THE_OTHER, **changes)


def test_modules_need_the_native_boundary() -> None:
    from grader.core.course.rubric import Imports

    with pytest.raises(UserError, match=r"'imports.allowed' names numpy, which cannot be had in WebAssembly"):
        judged(submission_of(PLAIN), IN_WASM, imports=Imports(allowed=("numpy",)), sandbox_kind="wasm")


def test_a_second_is_so_much_fuel() -> None:
    with client_of("def f(x):\n    while True: pass", deadline=0.1, strikes=1) as client:
        client.load_failure()
        before = client.spent
        client.call("f", 1)
        assert 0.1 * FUEL <= (client.spent - before) * FUEL < 0.101 * FUEL


BY_ORDER = "minimax_returns_inside_the_loop"
"""Its move is the first of a set, and tuples have other hashes in 32 bits: another move is as wrong."""


def test_random_bytes_take_the_time_that_the_judge_takes_for_them() -> None:
    reply = reply_to("import os\n\n\ndef f(x):\n    while True:\n        os.urandom(50_000_000)\n")
    assert isinstance(reply, Lost) and reply.loss is Loss.DEADLINE


@pytest.mark.exhaustive
def test_where_the_time_is_used_up_before_a_function_is_asked_there_is_a_grade() -> None:
    endless = f"{PLAIN}\n\ndef player(board):\n    while True:\n        pass\n"
    limits = {"deadline": 1.0, "load": 3.0, "total": 6.0, "sweep_budget": 2.0}
    grade = judged(submission_of(endless), IN_WASM, limits=limits)
    assert grade.criteria[0].score < 1 and not grade.grader_errors


class Rings(BaseException):
    """What an alarm raises that ends a test."""


@pytest.mark.parametrize("opens", [Wasm, Process])
def test_an_alarm_while_it_runs_is_no_loss_of_the_submission(opens: Opens) -> None:
    def ring(number: int, frame: object) -> None:
        raise Rings

    source = "import time\n\n\ndef f(x):\n    while x:\n        time.time()\n    return 7\n"
    before = signal.signal(signal.SIGALRM, ring)
    try:
        limits = replace(LIMITS, deadline=20.0, strikes=1)
        with Client(submission_of(source), limits, opens) as client:
            assert client.call("f", 0) == Returned(7)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(Rings):
                client.call("f", 1)
            assert client.call("f", 0) == Returned(7)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in (*FAULTS, *CORRECT) if name != BY_ORDER])
def test_every_file_has_the_grade_that_it_has_by_a_process(name: str) -> None:
    native, inside = graded(name, ONE_AFTER_THE_OTHER), graded(name, IN_WASM)
    assert scores_of(native) == scores_of(inside)
    assert [mistake.name for mistake in native.mistakes] == [mistake.name for mistake in inside.mistakes]


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize("file", some(FILES, 12, lambda file: file.stem))
def test_a_hostile_file_gets_what_it_deserves(file: Path, folder: Path) -> None:
    (folder / file.stem).mkdir()
    attack = attack_of(file, folder / file.stem / "tictactoe.py")
    settings = Settings(folder / "rubric.yaml", folder / "fixtures", recall=False, sandbox_kind="wasm")
    hostile = judged(submission_of(f"{PLAIN}\n\n{attack}"), settings)
    assert lost_by(hostile) <= LOST[header(file, "loses")] | LOSES_IN_WASM.get(file.stem, set())
    assert hostile.grader_errors == ()
    honest = judged(submission_of(PLAIN), settings)
    assert honest.score == honest.points
