"""What confinement costs: `pytest benchmarks/test_sandbox.py`. Ratios of two things in one run."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

from benchmarks.parts import parts_of
from grader.core.asking.client import Client
from grader.core.course.limits import Limits
from grader.core.course.submission import read
from grader.core.game import oracle
from grader.sandbox import process
from grader.sandbox.process import Process
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
