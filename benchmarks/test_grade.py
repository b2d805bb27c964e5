"""What a grade costs beyond the submission's own work: `pytest benchmarks/test_grade.py`."""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.conftest import Yardstick
from grader.checks.search import check_search
from grader.course.cases import load
from grader.course.questions import Probe
from grader.course.rubric import load as load_rubric
from grader.course.shipped import DEFAULT_FIXTURES, DEFAULT_RUBRIC, DEFAULT_SUBMISSION, ROOT
from grader.course.submission import read
from grader.grading.session import Settings, grade_submission
from grader.sandbox.client import Client
from tests.conftest import context_for
from tests.submissions import CORRECT
from tests.submissions.files import file_of


def children_seconds() -> float:
    """Return the processor time of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_cold_grade_of_the_reference(benchmark: Any, tmp_path: Path, yardstick: Yardstick) -> None:
    """A whole `python run_grader.py`: its work, in first moves of the reference, and its memory."""
    grade = tmp_path / "grade.json"
    command = [sys.executable, str(ROOT / "run_grader.py"), "--json", str(grade)]

    ratios = []

    def cold() -> None:
        before = children_seconds()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ratios.append((children_seconds() - before) / yardstick())

    benchmark.pedantic(cold, rounds=8, warmup_rounds=1)
    data = json.loads(grade.read_text())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    benchmark.extra_info.update(
        core_seconds_in_first_moves=round(min(ratios), 1),
        submission_seconds=data["submission_seconds"],
        peak_megabytes=round(peak),
    )
    assert min(ratios) <= 90
    assert peak <= 150


def test_warm_grade_of_the_reference(benchmark: Any) -> None:
    """A grade in a process that has graded before, as in a class."""
    benchmark.pedantic(grade_submission, (DEFAULT_SUBMISSION, Settings()), rounds=5, warmup_rounds=1)


def test_probe_of_the_search(benchmark: Any, yardstick: Yardstick) -> None:
    """What it costs to find out how minimax searches, for the slowest file, in first moves."""
    rubric = load_rubric(DEFAULT_RUBRIC)
    question = load(DEFAULT_FIXTURES / "alpha_beta.yaml", rubric)[0].question
    assert isinstance(question, Probe)

    def slowest() -> float:
        times = []
        for name in CORRECT:
            with Client(read(file_of(name), 1000), rubric.limits) as client:
                client.load_failure()
                started = time.perf_counter()
                check_search(question, context_for(client, rubric, worth=10))
                times.append(time.perf_counter() - started)
        return max(times)

    seconds = benchmark.pedantic(slowest, rounds=1, warmup_rounds=1)
    moves = seconds / yardstick()
    benchmark.extra_info.update(slowest_seconds=round(seconds, 3), first_moves=round(moves, 1))
    assert moves <= 15
