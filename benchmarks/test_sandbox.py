"""What confinement costs: `pytest benchmarks/test_sandbox.py`. Ratios of two things in one run."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from benchmarks.costs import compared, cost_of, megabytes_of
from grader.core.asking.client import Client
from grader.core.course.rubric import Limits
from grader.core.course.submission import read
from grader.core.game import oracle
from grader.core.game.board import to_lists
from grader.course.courses import ROOT
from grader.sandbox.process import Process
from grader.sandbox.start import renew
from tests.judged import ONE_AFTER_THE_OTHER, judged
from tests.submissions import CORRECT
from tests.submissions.faults import FAULTS
from tests.submissions.files import file_of

with suppress(ModuleNotFoundError):
    from wasmtime import Config, Engine, Store
    from wasmtime.component import Component

needs_wasm = pytest.mark.skipif(find_spec("wasmtime") is None, reason="pip install -e '.[wasm]'")
PLAIN = file_of("plain_deepcopy")


def started_worker() -> None:
    """Start a worker and let it confine itself and load a file, as after every crash."""
    with Client(read(PLAIN, 1000), Limits(), Process) as client:
        process = Process(client.allowance)
        token = process.load(*client.load_arguments(recall=False, replace=()))
        prepared, loaded = islice(process.replies(token, 5), 2)
        assert prepared[0].startswith(b'["prepared"') and loaded[0].startswith(b'["loaded"')
        process.kill()


BOARDS = [board for board in oracle.running() if 500 < oracle.tree_size(board) < 2_000][:12]
PLAINLY = """
import json, sys, time
names = {"__name__": "tictactoe"}
exec(compile(open(sys.argv[1]).read(), "tictactoe.py", "exec"), names)
boards = json.load(sys.stdin)
started = time.process_time()
for board in boards:
    names["minimax"](board)
print(time.process_time() - started)
"""
"""A search in an interpreter with no wall around it, and the processor time that it takes."""


def searched() -> float:
    """Let a search that copies deeply run without recall; return its seconds."""
    with Client(read(PLAIN, 1000), Limits(), Process) as client:
        seconds = client.timed("minimax", BOARDS, 60)
        assert seconds
        return seconds


def searched_plainly() -> float:
    """Return the seconds of the same search in a plain interpreter."""
    command = [sys.executable, "-s", "-P", "-S", "-c", PLAINLY, str(PLAIN)]
    boards = json.dumps(list(map(to_lists, BOARDS)))
    done = subprocess.run(command, input=boards, capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_start_of_a_worker(benchmark: Any) -> None:
    """At most three and a half times a plain interpreter's start: it looks for helpers and packages."""
    plain = list[float]()

    def started_plainly() -> None:  # in turn: a machine's pace changes from one second to the next
        started = time.perf_counter()
        subprocess.run([sys.executable, "-s", "-P", "-S", "-c", "pass"], check=True)
        plain.append(time.perf_counter() - started)

    benchmark.pedantic(started_worker, setup=started_plainly, rounds=25)
    ratio = benchmark.stats.stats.min / min(plain)
    benchmark.extra_info.update(times_a_plain_interpreter=round(ratio, 2))
    assert ratio <= 3.5


def test_search_without_recall(benchmark: Any) -> None:
    """At most 40 % on a search that copies deeply, compared with a plain interpreter."""
    found = benchmark.pedantic(compared, (searched, searched_plainly, 7), rounds=1) - 1
    benchmark.extra_info.update(cost=f"{found:.0%}")
    assert found <= 0.4


def cost_of_a_grade(file: Path, kind: str) -> float:
    """Return the processor time of a grade in one boundary or the other, its processes included."""
    settings = replace(ONE_AFTER_THE_OTHER, sandbox_kind="native" if kind == "native" else "wasm")

    def graded() -> None:
        judged(read(file, 1000), settings)
        renew()  # which waits for the template, and so for its workers

    renew()
    with counted_in_epochs() if kind == "epochs" else nullcontext():
        return cost_of(graded)


@contextmanager
def counted_in_epochs() -> Iterator[None]:
    """Let WebAssembly be interrupted by a clock in place of fuel: for this comparison alone.

    An epoch ends twenty times a second, and nothing is interrupted here; the clock inside is the machine's.
    """
    from grader.sandbox import wasm

    machine, stop = epochs(), threading.Event()

    def tick() -> None:
        while not stop.wait(0.05):
            machine.engine.increment_epoch()

    counting = threading.Thread(target=tick)
    began: dict[int, tuple[int, int]] = {}

    def set_fuel(store: Store, fuel: int) -> None:
        store.set_epoch_deadline(1_000_000)
        began[id(store)] = fuel, time.thread_time_ns()

    def get_fuel(store: Store) -> int:
        fuel, since = began[id(store)]
        return max(0, fuel - (time.thread_time_ns() - since) * (wasm.FUEL // 1_000_000_000))

    linker = cache(lambda: wasm._linked(machine.engine, machine.component))
    counting.start()
    try:
        with (
            mock.patch.multiple(wasm, ready=lambda: machine, _linker=linker),
            mock.patch.multiple(Store, set_fuel=set_fuel, get_fuel=get_fuel),
        ):
            yield
    finally:
        stop.set()
        counting.join()


@cache
def epochs() -> Any:
    """Return the component as it is compiled without fuel."""
    from grader.sandbox import component

    config = Config()
    config.epoch_interruption = True
    config.cranelift_nan_canonicalization = True
    engine = Engine(config)
    return component.Ready(engine, Component(engine, component.content()), "", "")


KINDS = ("native", "wasm", "epochs")
OURS = ("plain_deepcopy", "winner_misses_columns", "actions_gives_a_list", "minimax_stops_at_depth_two")


@needs_wasm
@pytest.mark.long
def test_webassembly(
    request: pytest.FixtureRequest, benchmark: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """At most three times native; `auto` would be WebAssembly at 1.5 times with equal grades (`--real`)."""
    from grader.sandbox.wasm import ready

    ready()
    epochs()
    folder, every = (request.config.getoption(name) for name in ("--real", "--every"))
    real = sorted(Path(folder, "class").glob("*/tictactoe.py"))[::every] if folder else []
    files = {name: [file_of(name)] for name in OURS} | ({f"{len(real)} real files": real} if real else {})
    rounds = 1 if real else 3

    def measured() -> dict[str, list[float]]:
        best = {name: [1e9] * len(KINDS) for name in files}
        for name, several in files.items():
            for _ in range(rounds):  # kinds in turn: a machine's pace changes within minutes
                costs = [sum(cost_of_a_grade(file, kind) for file in several) for kind in KINDS]
                best[name] = list(map(min, best[name], costs))
        return best

    found = benchmark.pedantic(measured, rounds=1)
    with capsys.disabled():
        print(f"\n{'processor time in seconds':32}{''.join(f'{kind:>8}' for kind in KINDS)}   wasm  epochs")
        for name, times in found.items():
            figures = "".join(f"{seconds:8.2f}" for seconds in times)
            print(f"{name:32}{figures}{times[1] / times[0]:7.2f}{times[2] / times[0]:8.2f}")
    sums = [sum(times[number] for times in found.values()) for number in range(2)]
    assert sums[1] <= 3 * sums[0]


@needs_wasm
@pytest.mark.long
def test_starts_and_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start builds and compiles; a later one loads what was compiled."""
    megabytes = list[float]()

    def started() -> None:
        program = "from grader.sandbox.wasm import ready; ready()"
        megabytes.append(megabytes_of([sys.executable, "-c", program]))

    with monkeypatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path))
        first, later = (cost_of(started) for _ in range(2))
    grade = [sys.executable, str(ROOT / "run_grader.py"), str(PLAIN), "--sandbox-kind"]
    peaks = {kind: megabytes_of([*grade, kind]) for kind in ("native", "wasm")}
    with capsys.disabled():
        print(f"\nfirst start {first:.1f} s of processor time, {megabytes[0]:.0f} MB at most in a process")
        print(f"later starts {later:.2f} s, {megabytes[1]:.0f} MB")
        print("a grade:", ", ".join(f"{kind} {peak:.0f} MB" for kind, peak in peaks.items()))
    assert later < first / 5


LOADS = {
    "idle": [],
    "six busy loops": [[sys.executable, "-c", "while True: pass"]] * 6,
    "a busy disk": [["sh", "-c", "while :; do dd if=/dev/zero of=$0 bs=1M count=64 conv=fsync 2>&-; done"]],
}


@needs_wasm
@pytest.mark.long
def test_a_class_has_the_same_grades_at_any_load(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some of our files as one class, graded again and again beside other work: equal but for times."""
    for name in files_for_a_class():
        folder = tmp_path / "class" / name
        folder.mkdir(parents=True)
        shutil.copy(file_of(name), folder / "tictactoe.py")
    digests = Counter[str]()
    for number in range(request.config.getoption("--runs")):
        load = list(LOADS)[number % len(LOADS)]
        beside = [subprocess.Popen([*command, str(tmp_path / "busy")]) for command in LOADS[load]]
        try:
            digest = digest_of_a_class(tmp_path / "class", tmp_path / f"out{number}")
        finally:
            for process in beside:
                process.kill()
                process.wait()
        digests[digest] += 1
        with capsys.disabled():
            print(f"\n{load}: {digest[:16]}", end="")
    assert len(digests) == 1


def files_for_a_class() -> list[str]:
    """Return right, planted and slow files of ours: fifteen."""
    names = sorted({*FAULTS, *CORRECT} - set(OURS))
    return [*OURS, *names[:: len(names) // 11][:11]]


def digest_of_a_class(downloads: Path, out: Path) -> str:
    """Return a digest of all that grades say but for the times of the judge; fuel is in it."""
    command = [sys.executable, str(ROOT / "run_grader.py"), str(downloads), "--out", str(out), "--jobs", "2"]
    subprocess.run([*command, "--sandbox-kind", "wasm", "--no-html"], check=True, capture_output=True)
    found = hashlib.sha256()
    for file in sorted((out / "grades").glob("*.json")):
        grade = json.loads(re.sub(r"asked in [\d.]+ s", "", file.read_text()))["grade"]
        del grade["seconds"]
        if grade["sweep"]:
            del grade["sweep"]["seconds"]
        found.update(json.dumps(grade).encode())
    return found.hexdigest()
