"""The recalled sweep against the plain one, on correct submissions written in different ways.

`pytest benchmarks/test_recall.py` takes some minutes: a plain sweep is what recall saves.
"""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conftest import Yardstick
from grader.core.asking.client import Client
from grader.core.asking.reply import Returned
from grader.core.checks.sweep import Sweeper, fault_of, sweep_order
from grader.core.course.rubric import Limits
from grader.core.course.submission import read
from grader.grading.session import Settings
from grader.sandbox.process import Process
from tests.judged import grade_submission
from tests.submissions.files import file_of

pytestmark = pytest.mark.long
TWELVE = [
    "plain_deepcopy",
    "mutually_recursive_pair",
    "single_function",
    "nested_helpers",
    "negamax",
    "alpha_beta",
    "class_based",
    "with_lru_cache",
    "string_boards",
    "random_ties",
    "hard_coded_first_move",
    "depth_weighted_scores",
]
PLAIN = ("plain_deepcopy", "mutually_recursive_pair", "negamax")
BY_CHANCE = ("random_ties",)
SLOW = Limits(deadline=600, sweep_budget=3600)


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    """Give a client for one of the twelve."""
    with Client(read(file_of(request.param), 1000), SLOW, Process) as opened:
        yield opened


@pytest.mark.parametrize("client", TWELVE, indirect=True)
def test_recalled_against_plain(client: Client, benchmark: Any, request: pytest.FixtureRequest) -> None:
    """The same answers, many times faster."""
    name = request.node.callspec.params["client"]
    sweep = benchmark.pedantic(lambda: Sweeper(client).sweep(), rounds=1)
    started = time.perf_counter()
    plain = client.ask_within("minimax", sweep_order(), SLOW.sweep_budget, SLOW.deadline)
    speed_up = (time.perf_counter() - started) / sweep.seconds
    benchmark.extra_info.update(speed_up=round(speed_up, 1), recalled=sweep.recalled)
    assert sweep.recalled
    for board, reply in plain.items():
        if name in BY_CHANCE:
            assert isinstance(reply, Returned) and not fault_of(board, reply)
        else:
            assert reply == sweep.replies[board]
    if name in PLAIN:
        assert speed_up >= 30


def test_median_of_a_whole_grade(benchmark: Any, yardstick: Yardstick) -> None:
    """All twelve graded, one after the other, in one process."""
    files = [file_of(name) for name in TWELVE]
    grade_submission(files[0], Settings())

    def grade(file: Path) -> float:
        started = time.perf_counter()
        assert grade_submission(file, Settings()).score == 100
        return time.perf_counter() - started

    seconds = benchmark.pedantic(lambda: [grade(file) for file in files], rounds=1)
    median = statistics.median(seconds)
    benchmark.extra_info.update(median_seconds=round(median, 2), slowest_seconds=round(max(seconds), 2))
    assert median / yardstick() <= 70
