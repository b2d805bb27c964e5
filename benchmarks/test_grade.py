"""What a grade costs beyond the submission's own work: `pytest benchmarks/test_grade.py`."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from grader.grading import DEFAULT_SUBMISSION, ROOT
from grader.session import Settings, grade_submission


def test_cold_grade_of_the_reference(benchmark: Any, tmp_path: Path) -> None:
    """A whole `python run_grader.py`: its time without the submission's functions, and its memory."""
    grade = tmp_path / "grade.json"
    command = [sys.executable, str(ROOT / "run_grader.py"), "--json", str(grade)]

    def cold() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    benchmark.pedantic(cold, rounds=5, warmup_rounds=1)
    data = json.loads(grade.read_text())
    overhead = benchmark.stats.stats.min - data["submission_seconds"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    benchmark.extra_info.update(
        overhead_seconds=round(overhead, 3),
        submission_seconds=data["submission_seconds"],
        peak_megabytes=round(peak),
    )
    assert overhead <= 1.0
    assert peak <= 150


def test_warm_grade_of_the_reference(benchmark: Any) -> None:
    """A grade in a process that has graded before, as in a class."""
    benchmark.pedantic(grade_submission, (DEFAULT_SUBMISSION, Settings()), rounds=5, warmup_rounds=1)
