"""The hostile files as one class, honest ones between them: nobody is taken along, and nothing is left behind.

Graded one by one they share nothing with anybody; in a class there are others to reach.
"""

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.course.courses import ROOT
from tests.classroom.cluster import Cluster, wait_for_workers
from tests.hostile.test_hostile import FILES, LOSES_IN_WASM, LOST, attack_of, header, processes_in
from tests.hostile.test_hostile import folder as folder  # noqa: PLC0414 - a pytest fixture
from tests.submissions import PLAIN

HERE = Path("/tmp/hostile-was-here")
EVERY = 4
"""After so many hostile files comes an honest one."""

SAMPLE = 7
"""Of so many hostile files, one is in the class that is graded each time; all are graded one by one."""

PROGRAMS = Path(__file__).parent / "programs"
PROGRAM_RUBRIC = """\
extends: cpsc352
limits: {load: 4, deadline: 2, total: 10, memory_mb: 300}
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Give an environment with a folder for temporary files of its own, to see what is left in it."""
    (tmp_path / "temporary").mkdir()
    HERE.unlink(missing_ok=True)
    yield {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    assert not HERE.exists()
    assert list((tmp_path / "temporary").iterdir()) == []
    assert lingering(str(tmp_path / "temporary")) == []


def lingering(folder: str) -> list[str]:
    """Return the processes that still work in a folder, once they had a moment to end."""
    for _ in range(40):
        found = processes_in(folder)
        if not found:
            break
        time.sleep(0.1)
    return found


def graded(downloads: Path, out: Path, environment: dict[str, str], *options: str) -> dict[str, Any]:
    """Grade a class with the command; return each student's grade, or what there is instead."""
    command = [sys.executable, str(ROOT / "run_grader.py"), str(downloads), "--out", str(out), "--no-html"]
    command += options
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    with (out / "gradebook.csv").open(encoding="utf-8", newline="") as stream:
        assert len(list(csv.DictReader(stream))) == len(list(downloads.iterdir()))
    return {file.stem: json.loads(file.read_text()) for file in sorted((out / "grades").glob("*.json"))}


def write_class(downloads: Path, files: list[Path]) -> None:
    """Write hostile files, and honest ones between them."""
    downloads.mkdir()
    for number, file in enumerate(files):
        source = f"{PLAIN}\n\n{attack_of(file, downloads / file.name)}".encode("utf-8", "surrogatepass")
        (downloads / f"{number:03}-{file.stem}.py").write_bytes(source)
        if number % EVERY == 0:
            (downloads / f"{number:03}-honest.py").write_text(f"{PLAIN}\n# {number}\n")


def judged(found: dict[str, Any], files: list[Path], more: Mapping[str, set[str]] = {}) -> None:
    """Hold that everybody has what they get alone; `more` says what some lose beside their header."""
    by_name = {file.stem: file for file in files}
    for key, record in found.items():
        name = key.partition("-")[2]
        assert record["status"] == "graded", (key, record)
        grade = record["grade"]
        lost = {owner["id"] for owner in grade["criteria"] if owner["score"] < owner["points"]}
        stated = set() if name == "honest" else LOST[header(by_name[name], "loses")]
        assert lost <= stated | more.get(name, set()) if more else lost == stated, key
        assert not grade["grader_errors"], key
        if name == "honest":
            assert grade["score"] == grade["points"]
            assert grade["notes"] == found["000-honest"]["grade"]["notes"]


def options(folder: Path) -> list[str]:
    return ["--rubric", str(folder / "rubric.yaml"), "--fixtures", str(folder / "fixtures"), "--no-recall"]


@pytest.mark.parametrize(
    "files", [FILES[::SAMPLE], pytest.param(FILES, marks=pytest.mark.exhaustive)], ids=["some", "all"]
)
def test_the_whole_hostile_set_as_one_class(
    folder: Path, tmp_path: Path, place: dict[str, str], files: list[Path]
) -> None:
    write_class(tmp_path / "class", files)
    found = graded(tmp_path / "class", tmp_path / "out", place, *options(folder), "--jobs", "2")
    assert len(found) == len(files) + len(files[::EVERY])
    judged(found, files)


@pytest.mark.exhaustive
def test_the_whole_hostile_set_as_one_class_in_webassembly(
    folder: Path, tmp_path: Path, place: dict[str, str]
) -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
    write_class(tmp_path / "class", FILES)
    given = [*options(folder), "--jobs", "2", "--sandbox-kind", "wasm"]
    found = graded(tmp_path / "class", tmp_path / "out", place, *given)
    assert len(found) == len(FILES) + len(FILES[::EVERY])
    judged(found, FILES, LOSES_IN_WASM)


@pytest.mark.exhaustive
def test_a_hostile_class_through_a_cluster(
    folder: Path, tmp_path: Path, place: dict[str, str], cluster: Cluster
) -> None:
    pytest.importorskip("distributed")
    cluster.worker()
    cluster.worker()
    wait_for_workers(cluster.address, 2)
    files = [file for file in FILES if re.search("descriptor|kills|exit", file.stem)]
    assert len(files) > 8
    write_class(tmp_path / "class", files)
    given = [*options(folder), "--cluster", cluster.address]
    judged(graded(tmp_path / "class", tmp_path / "out", place, *given), files)


@pytest.mark.exhaustive
def test_hostile_programs_as_one_class(tmp_path: Path, place: dict[str, str]) -> None:
    """Given hostile programs, and one that plays after every second: nothing of it is wrong, however little was seen."""
    (tmp_path / "rubric.yaml").write_text(PROGRAM_RUBRIC)
    honest = (ROOT / "tests/programs/handed_in/as_assigned/ttt.py").read_text()
    hostile = [*sorted(PROGRAMS.glob("*.py")), *(file for file in FILES if "pickles" in file.stem)]
    for number, file in enumerate(hostile):
        attack = file.read_text() if file.parent == PROGRAMS else f"{file.read_text()}\n\n@HONEST@"
        source = attack.replace("@ROOT@", str(ROOT)).replace("@HONEST@", honest)
        between = [("honest", f"{honest}\n# {number}\n")] if number % 2 else []
        for name, text in ((file.stem, source), *between):
            own = tmp_path / "class" / f"{number:03}-{name}"
            own.mkdir(parents=True, exist_ok=True)
            (own / "ttt.py").write_text(text)
    started = time.monotonic()
    given = ["--rubric", str(tmp_path / "rubric.yaml"), "--jobs", "2"]
    found = graded(tmp_path / "class", tmp_path / "out", place, *given)
    took = time.monotonic() - started
    assert len(found) == len(hostile) + len(hostile) // 2 and len(hostile) >= 12
    for key, record in found.items():
        assert record["status"] in ("graded", "not_graded"), (key, record)
        if key.endswith("-honest") and record["status"] == "not_graded":
            assert "too busy to play" in record["why"], (key, record)
        elif key.endswith("-honest"):
            correctness = next(c for c in record["grade"]["criteria"] if c["id"] == "correctness")
            statuses = {case["status"] for case in correctness["verdicts"]}
            assert "passed" in statuses and statuses <= {"passed", "skipped"}, (key, correctness)
        elif record["status"] == "graded":
            assert not record["grade"]["grader_errors"], key
    assert took < 60 * len(found)
    assert "graded" in {record["status"] for key, record in found.items() if key.endswith("-honest")}
