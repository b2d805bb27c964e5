"""What confinement costs: `pytest benchmarks/test_sandbox.py`. Ratios of two things in one run."""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from benchmarks.parts import parts_of
from grader.core.asking.client import Client
from grader.core.course.rubric import Limits
from grader.core.course.submission import read
from grader.core.game import oracle
from grader.sandbox import process
from grader.sandbox.process import Process
from grader.sandbox.start import renew
from tests.judged import ONE_AFTER_THE_OTHER, judged
from tests.submissions.files import file_of

PLAIN = file_of("plain_deepcopy")


def best(work: Callable[[], Any], rounds: int) -> float:
    """Return the shortest time of several rounds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


@contextmanager
def unconfined() -> Iterator[None]:
    """Switch the layers off, for comparison."""
    process.CONFINED = False
    try:
        yield
    finally:
        process.CONFINED = True


def started_worker() -> None:
    """Start a worker and let it confine itself and load a file, as after every crash."""
    with Client(read(PLAIN, 1000), Limits(), Process) as client:
        process = Process(client.allowance)
        token = process.load(*client.worker.load_arguments(recall=False, replace=()))
        prepared, loaded = islice(process.replies(token, 5), 2)
        assert prepared[0].startswith(b'["prepared"') and loaded[0].startswith(b'["loaded"')
        process.kill()


def searched() -> float:
    """Let a search that copies deeply run without recall; return its seconds."""
    boards = [board for board in oracle.running() if 500 < oracle.tree_size(board) < 2_000][:12]
    with Client(read(PLAIN, 1000), Limits(), Process) as client:
        assert client.timed("minimax", boards, 60)
        return client.spent


def graded() -> float:
    """Return the core-seconds of a whole grade."""
    parts = parts_of("plain", PLAIN.read_text())
    return parts.inside + parts.beyond


def test_start_of_a_worker(benchmark: Any) -> None:
    """At most three and a half times a plain interpreter's start: it looks for helpers and packages."""
    plain = best(lambda: subprocess.run([sys.executable, "-s", "-P", "-S", "-c", "pass"], check=True), 15)
    benchmark.pedantic(started_worker, rounds=15)
    ratio = benchmark.stats.stats.min / plain
    benchmark.extra_info.update(times_a_plain_interpreter=round(ratio, 2))
    assert ratio <= 3.5


def cost_of_layers(work: Callable[[], float], rounds: int) -> float:
    """Return what confinement adds to the seconds of some work, done in turn with and without it."""
    ratios = []
    work()
    for _ in range(rounds):  # the two of a pair one after the other: a machine's pace changes within minutes
        with unconfined():
            bare = work()
        ratios.append(work() / bare)
    return statistics.median(ratios) - 1


def test_search_without_recall(benchmark: Any) -> None:
    """At most 40 % on a search that copies deeply."""
    cost = benchmark.pedantic(cost_of_layers, (searched, 7), rounds=1)
    benchmark.extra_info.update(cost=f"{cost:.0%}")
    assert cost <= 0.4


@pytest.mark.long  # a tenth cannot be told on a machine whose speed changes from one second to the next
def test_whole_grade(benchmark: Any) -> None:
    """About a tenth of a whole recalled grade; a quarter is too much on any machine."""
    cost = benchmark.pedantic(cost_of_layers, (graded, 8), rounds=1)
    benchmark.extra_info.update(cost=f"{cost:.0%}")
    assert cost <= 0.25


def cpu() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cost_of_a_grade(name: str, kind: str) -> float:
    """Return the processor time of a grade in one boundary or the other, its processes included."""
    settings = replace(ONE_AFTER_THE_OTHER, sandbox_kind=kind)
    renew()
    started = cpu()
    judged(read(file_of(name), 1000), settings)
    renew()  # which waits for the template, and so for its workers
    return cpu() - started


@pytest.mark.parametrize(
    "name", ["plain_deepcopy", "winner_misses_columns", "actions_gives_a_list", "minimax_stops_at_depth_two"]
)
def test_webassembly(name: str, benchmark: Any) -> None:
    """At most three times native, by processor time; `auto` would prefer it everywhere at 1.5 times."""
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
    from grader.sandbox.wasm import ready

    ready()
    native = min(cost_of_a_grade(name, "native") for _ in range(3))
    inside = benchmark.pedantic(lambda: min(cost_of_a_grade(name, "wasm") for _ in range(3)), rounds=1)
    benchmark.extra_info.update(
        native=round(native, 2), wasm=round(inside, 2), times=round(inside / native, 2)
    )
    assert inside <= 3 * native
