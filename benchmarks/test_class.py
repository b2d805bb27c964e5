"""A class of 300: `pytest benchmarks/test_class.py` takes a quarter of an hour (`--class-size 60`: less)."""

import statistics
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conftest import Yardstick
from benchmarks.costs import megabytes_of
from benchmarks.parts import Parts, parts_of
from grader.classroom.batch import Pool
from grader.classroom.clerk import Configuration, Task, decoded, encoded
from grader.classroom.records import Record
from grader.course.courses import ROOT
from tests.submissions import CORRECT
from tests.submissions.faults import FAULTS

pytestmark = pytest.mark.long
SLOW = ("counts_nodes_in_a_global", "never_ends")
"""Files that are asked without recall, or wait for a deadline: they measure the rubric's patience."""


def generated(folder: Path, count: int) -> Path:
    """Write so many submissions: correct and faulty ones in turn, no two the same."""
    faulty = {name: fault.source for name, fault in FAULTS.items()}
    sources = [source for source in (CORRECT | faulty).items() if not is_slow(source[0])]
    folder.mkdir()
    for number in range(count):
        name, source = sources[number % len(sources)]
        (folder / f"student{number:04}_{name}.py").write_text(f"{source}\n# student {number}\n")
    return folder


def graded(folder: Path, out: Path, jobs: int) -> tuple[float, float]:
    """Grade a folder in a process of its own; return how long it took, and its peak memory in MB."""
    program = str(ROOT / "run_grader.py")
    command = [sys.executable, program, str(folder), "--out", str(out), "--jobs", str(jobs)]
    started = time.perf_counter()
    megabytes = megabytes_of(command)
    return time.perf_counter() - started, megabytes


@pytest.fixture(scope="module")
def size(request: pytest.FixtureRequest) -> int:
    """Give the number of students."""
    return int(request.config.getoption("--class-size"))


def test_a_whole_class(benchmark: Any, tmp_path: Path, size: int, yardstick: Yardstick) -> None:
    """Submissions a minute by two jobs and by one, the grader's memory, and a second run."""
    _, memory_of_few = graded(generated(tmp_path / "few", size // 10), tmp_path / "few_out", 2)
    part = generated(tmp_path / "part", size // 5)
    by_one, by_two = (graded(part, tmp_path / f"part_out{jobs}", jobs)[0] for jobs in (1, 2))
    whole = generated(tmp_path / "whole", size)
    out = tmp_path / "out"
    memory = benchmark.pedantic(graded, (whole, out, 2), rounds=1)[1]
    again, _ = graded(whole, out, 2)
    each = benchmark.stats.stats.min / size
    benchmark.extra_info.update(
        submissions_a_minute=round(60 * size / benchmark.stats.stats.min, 1),
        times_faster_with_two_jobs=round(by_one / by_two, 2),
        first_moves_each=round(each / yardstick(), 1),
        megabytes=round(memory),
        memory_against_a_tenth=round(memory / memory_of_few, 2),
        second_run_seconds=round(again, 2),
    )
    assert by_one / by_two >= 1.7
    assert memory / memory_of_few <= 1.3
    assert again < 2


def test_parts_of_a_grade(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """What the grader adds to the submission's own work, for each file, and as ratios."""
    faulty = {name: fault.source for name, fault in FAULTS.items() if not is_slow(name)}
    right = {name: source for name, source in CORRECT.items() if not is_slow(name)}
    parts_of("first", CORRECT["negamax"])  # imports and the solved game are paid once for a class

    def measure() -> dict[str, Parts]:
        return {name: least(name, source) for name, source in (right | faulty).items()}

    parts = benchmark.pedantic(measure, rounds=1)
    with capsys.disabled():
        print(f"\n{'core-seconds':40} inside  judge  workers  beyond/inside")
        for name, part in parts.items():
            ratio = part.beyond / part.inside if part.inside > 0.05 else 0.0
            print(f"{name:40} {part.inside:6.2f} {part.judge:6.2f} {part.workers:8.2f} {ratio:14.2f}")
    beyond = statistics.median(parts[name].beyond / parts[name].inside for name in right)
    of_right, of_faulty = (
        statistics.median(parts[name].beyond for name in names) for names in (right, faulty)
    )
    benchmark.extra_info.update(
        right_beyond_to_inside=round(beyond, 2), faulty_to_right_beyond=round(of_faulty / of_right, 2)
    )
    assert beyond <= 0.6
    assert of_faulty / of_right <= 1.5


def is_slow(name: str) -> bool:
    """Return whether a file is asked without recall, or waits for a deadline."""
    return any(word in name for word in SLOW)


def least(name: str, source: str) -> Parts:
    """Return the cheaper of two grades."""
    return min((parts_of(name, source) for _ in range(2)), key=lambda parts: parts.inside + parts.beyond)


def trivial(course: bytes, payload: bytes) -> bytes:
    """Do nothing, for the cost of getting it done."""
    return encoded(Record(key=decoded(Task, payload).key, status="graded"))


def test_a_thousand_trivial_tasks_on_a_cluster(benchmark: Any) -> None:
    """What a task costs on its way through a Dask scheduler and back."""
    distributed = pytest.importorskip("distributed")
    nothing = Configuration(())
    tasks = [Task(str(number), "a.py", b"x" * 5_000, 5_000) for number in range(1_000)]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        pool = Pool(lambda: client.get_executor(pure=False), 8, trivial)
        done = benchmark.pedantic(lambda: sum(1 for _ in pool.results(nothing, iter(tasks))), rounds=1)
    benchmark.extra_info.update(milliseconds_a_task=round(benchmark.stats.stats.min, 3))
    assert done == 1_000
