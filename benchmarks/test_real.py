"""Files that strangers wrote: `pytest benchmarks/test_real.py --real OUT`; each is OUT/class/ID/tictactoe.py.

Measured is the processor time of all processes, ours and check50's, file by file in one run; and the same for
all of them as one class. `--checks` names the folder of the checks that check50 runs. Terminal programs are
the folders OUT/programs/ID; `-k programs` plays them one after the other, and prints a table.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.costs import cost_of
from benchmarks.first_game import until_a_game
from grader.core.course.submission import read_program
from grader.course.courses import ROOT

pytestmark = pytest.mark.long
GRADER = [sys.executable, str(ROOT / "run_grader.py")]
SLOWEST, ROUNDS = 10, 3
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""pip compiles what it installs; modules of a checkout are compiled when they are first imported."""


@pytest.fixture(scope="module")
def files(request: pytest.FixtureRequest) -> list[Path]:
    """Give the files to measure, or every n-th of them."""
    folder = request.config.getoption("--real")
    if folder is None:
        pytest.skip("name a folder of files with --real")
    return sorted(Path(folder, "class").glob("*/tictactoe.py"))[:: request.config.getoption("--every")]


def cpu_of(command: list[str], folder: Path) -> float:
    """Return the processor time that a command has taken, with all that it started and waited for."""
    nowhere = subprocess.DEVNULL
    return cost_of(
        lambda: subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, stdout=nowhere, stderr=nowhere, check=False
        )
    )


def test_against_check50(
    files: list[Path], request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file graded by this and by check50's three boards in turn; of some rounds the least counts."""
    checks, tool = (
        request.config.getoption("--checks"),
        shutil.which("check50", path=Path(sys.executable).parent),
    )
    if checks is None or tool is None:
        pytest.skip("name the folder of check50's checks with --checks, and install check50")
    cpu_of(GRADER, tmp_path)  # compiles what is not compiled yet
    theirs, ours = list[float](), list[float]()
    for number, file in enumerate(files):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(file, folder)
        commands = (
            [tool, "--dev", checks, "-o", "json", "--output-file", "../out.json"],
            [*GRADER, "tictactoe.py", "--json", "-"],
        )
        rounds = [[cpu_of(command, folder) for command in commands] for _ in range(ROUNDS)]
        for times, least in zip((theirs, ours), map(min, zip(*rounds, strict=True)), strict=True):
            times.append(least)
    with capsys.disabled():
        print(f"\n{len(files)} files, processor time in seconds   median     sum")
        for name, times in (("check50", theirs), ("this grader", ours)):
            print(f"{name:40} {statistics.median(times):9.2f} {sum(times):7.0f}")
        ratio = statistics.median(ours) / statistics.median(theirs)
        print(f"{'ratio':40} {ratio:9.2f} {sum(ours) / sum(theirs):7.2f}")


def test_as_one_class(
    files: list[Path], benchmark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All files as a class by two jobs: the time of each, and why some are asked without recall."""
    for file in files:
        folder = tmp_path / "class" / file.parent.name
        folder.mkdir(parents=True)
        shutil.copy(file, folder)
    command = [*GRADER, str(tmp_path / "class"), "--out", str(tmp_path / "out"), "--jobs", "2"]
    cpu = benchmark.pedantic(cpu_of, (command, tmp_path), rounds=1)
    records = [json.loads(file.read_text()) for file in (tmp_path / "out" / "grades").glob("*.json")]
    grades = {record["key"]: record["grade"] for record in records if record.get("grade")}
    plain = Counter((grade.get("sweep") or {}).get("why_plain") for grade in grades.values())
    took = sorted(((grade["seconds"], name) for name, grade in grades.items()), reverse=True)
    with capsys.disabled():
        wall = benchmark.stats.stats.min
        print(f"\n{len(files)} files as a class: {wall:.0f} s, {cpu / len(files):.2f} core-seconds each")
        print("slowest:", *(f"{seconds:.1f} s {name}" for seconds, name in took[:SLOWEST]), sep="\n  ")
        print("without recall:", *(f"{count} {why}" for why, count in plain.items() if why), sep="\n  ")
    assert len(grades) == len(files)


def test_programs(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each terminal program graded alone: points, seconds, starts until a game, or why it has none."""
    given = request.config.getoption("--real")
    if given is None:
        pytest.skip("name a folder of programs with --real")
    seconds = []
    with capsys.disabled():
        print("\nprogram   points  seconds  starts until a game")
        for folder in sorted(Path(given, "programs").iterdir())[:: request.config.getoption("--every")]:
            grade = tmp_path / f"{folder.name}.json"
            command = [*GRADER, str(folder), "--course", "cpsc352", "--json", str(grade)]
            started = time.monotonic()
            done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
            took = time.monotonic() - started
            if not grade.exists():
                why = next(line for line in done.stderr.splitlines() if line.startswith("error:"))
                print(f"{folder.name:9}      -  {took:7.0f}  {why}", flush=True)
                continue
            seconds.append(took)
            starts, _seconds = until_a_game(read_program(folder).folder or ()) or (0, 0.0)
            print(
                f"{folder.name:9} {json.loads(grade.read_text())['score']:6.1f}  {took:7.0f}  {starts:6}",
                flush=True,
            )
        print(f"{len(seconds)} graded, {statistics.median(seconds):.0f} s in the median")
