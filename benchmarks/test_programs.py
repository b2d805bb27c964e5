"""What it costs to play a program to the end of all its games: `pytest benchmarks/test_programs.py`."""

import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.course.shipped import ROOT

HANDED_IN = ROOT / "tests" / "programs" / "handed_in"


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_every_game_of_a_program(benchmark: Any, tmp_path: Path) -> None:
    """A program in C++ that replies to the user: all its 447 positions, and what the grader adds."""
    grade = tmp_path / "grade.json"
    program = HANDED_IN / "row_and_column_from_zero"
    command = [
        sys.executable,
        str(ROOT / "run_grader.py"),
        str(program),
        "--course",
        "cpsc352",
        "--json",
        str(grade),
    ]

    def whole() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    benchmark.pedantic(whole, rounds=1)
    data = json.loads(grade.read_text())
    optimal = next(one for one in data["criteria"][0]["verdicts"] if one["id"] == "optimal")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    benchmark.extra_info.update(
        positions=optimal["asked"],
        times_the_programs_own=round(data["seconds"] / data["submission_seconds"], 1),
        peak_megabytes=round(peak),
    )
    assert optimal["asked"] == 447
    assert data["seconds"] / data["submission_seconds"] <= 12
    assert peak <= 150
