"""The batch: nothing is graded twice, nothing is lost, and one submission cannot take the others along."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import clerk, records
from grader.classroom.batch import Batch, BatchProgress, Pool, local_pool
from grader.classroom.clerk import Configuration, Task, configuration, decoded, encoded, grade_task
from grader.classroom.entries import Entry
from grader.classroom.records import Record
from grader.core.grade import Grade
from grader.core.values import value_of
from grader.course.courses import ROOT
from grader.grading.session import Settings, load_course
from tests.classroom.conftest import WRONG, write_all
from tests.conftest import started
from tests.course.deep import verdicts
from tests.judged import grade_submission
from tests.submissions import PLAIN

MANY = 10
"""So many that an end after the third is in the middle."""


class Here(Executor):
    """Does tasks at once, in this process."""

    def __init__(self, done: list[str]) -> None:
        self.done = done

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.done.append(decoded(Task, arguments[1]).key)
        future.set_result(function(*arguments))
        return future


def at_once(course: bytes, payload: bytes) -> bytes:
    """Do a task in this process."""
    return encoded(grade_task(decoded(Task, payload), decoded(Configuration, course)))


class Graded:
    """Entries that are graded in this process, into the folder `out`."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.out = settings, folder / "out"
        files = write_all(folder / "class", {"ada.py": PLAIN, "bob.py": WRONG, "eve.py": "def (:"})
        names = ("ada", "bob", "eve")
        self.entries = [Entry(name, f"{name}.py", files / f"{name}.py", key=name) for name in names]
        self.records: list[Record] = []
        """What came of the last run."""

    def batch(self, *, regrade: bool = False) -> Batch:
        return Batch(configuration(self.settings), self.out, load_course(self.settings).rubric, regrade)

    def anew(self, *, regrade: bool = False) -> list[str]:
        """Grade the entries; return who was graded anew."""
        anew: list[str] = []
        pool = Pool(lambda: Here(anew), 2, at_once)
        self.records = self.batch(regrade=regrade).run(self.entries, pool, lambda news: None)
        return anew


@pytest.fixture
def graded(small: Settings, tmp_path: Path) -> Graded:
    return Graded(small, tmp_path)


def test_everybody_has_a_line_and_a_file(graded: Graded) -> None:
    graded.entries.append(Entry("zoe", "zoe", problem="There is no file.", key="zoe"))
    graded.anew()
    assert [(record.student, record.status, record.total) for record in graded.records] == [
        ("ada", "graded", 10),
        ("bob", "graded", 6),
        ("eve", "graded", 0),
        ("zoe", "not_graded", None),
    ]
    assert graded.records[1].failed == ["player/start"]
    data = json.loads((graded.out / "grades/ada.json").read_text())
    assert data["grade"]["score"] == 10 and data["student"] == "ada"
    assert [record.student for record in records.load_all(graded.out)] == ["ada", "bob", "eve", "zoe"]


def test_only_what_is_new_or_changed_is_graded_again(graded: Graded) -> None:
    everybody, settings, bob = ["ada", "bob", "eve"], graded.settings, graded.entries[1].file
    assert graded.anew() == everybody
    assert graded.anew() == []
    assert bob and bob.write_text(PLAIN)
    assert graded.anew() == ["bob"] and graded.records[1].total == 10
    assert graded.anew(regrade=True) == everybody
    settings.rubric_file.write_text(settings.rubric_file.read_text().replace("points: 2", "points: 3"))
    assert graded.anew() == everybody
    fixture = settings.fixtures / "player.yaml"
    fixture.write_text(fixture.read_text() + "  - id: more\n    board: [X.., ..., ...]\n")
    assert graded.anew() == everybody
    (graded.out / "grades/ada.json").write_text('{"half')
    assert graded.anew() == ["ada"]


def test_what_a_busy_machine_cut_off_is_graded_again(graded: Graded) -> None:
    graded.anew()
    ada = records.load(graded.out, "ada")
    assert ada and ada.grade
    busy = replace(ada, grade=replace(ada.grade, machine_was_busy=True))
    for cut_off in (busy, replace(ada, grade=None, status="not_graded", machine_was_busy=True)):
        records.save(graded.out, cut_off)
        assert [graded.anew() for _ in range(2)] == [["ada"], []]


def test_the_end_of_a_large_file_is_part_of_a_submission(graded: Graded, tmp_path: Path) -> None:
    """Given a file beside the submission whose last byte changes, far behind what is read of it."""
    folder = write_all(tmp_path / "ada", {"tictactoe.py": PLAIN, "data.bin": "x" * 300_000})
    graded.entries = [Entry("ada", "ada", folder / "tictactoe.py", key="ada", folder=folder)]
    assert [graded.anew() for _ in range(2)] == [["ada"], []]
    (folder / "data.bin").write_text("x" * 299_999 + "y")
    assert graded.anew() == ["ada"]


def test_a_fault_of_the_grader_is_no_zero(graded: Graded, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> Record:
        raise RuntimeError("out of order")

    monkeypatch.setattr("grader.classroom.clerk.grade_found", broken)
    graded.anew()
    ada = graded.records[0]
    assert (ada.status, ada.total) == ("grader_error", None) and "out of order" in ada.why


def test_tasks_are_made_when_they_can_be_handed_over(small: Settings) -> None:
    made: list[int] = []

    def tasks() -> Iterable[Task]:
        for number in range(6):
            made.append(number)
            yield Task(str(number), "a.py", b"x", 1)

    results = Pool(lambda: Here([]), 2, at_once).results(configuration(small), tasks())
    next(results)
    assert made == [0, 1]
    assert len(list(results)) == 5


def test_a_process_of_the_pool_that_is_killed_is_replaced(graded: Graded) -> None:
    """A real pool: the first process dies in the middle, and everybody is graded all the same."""
    found: list[str] = []

    def on_record(news: BatchProgress) -> None:
        found.append(news.record.student)
        if len(found) == 1:
            for process in clerk.clerks():
                os.kill(process.pid, signal.SIGKILL)

    many = [replace(entry, key=f"{entry.key}{number}") for number in range(3) for entry in graded.entries]
    done = graded.batch().run(many, local_pool(2), on_record)
    assert {record.status for record in done} == {"graded"} and len(found) == 9


@pytest.mark.exhaustive
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_an_end_in_the_middle_loses_nothing_that_was_known(
    end: signal.Signals, small: Settings, tmp_path: Path
) -> None:
    folder = write_all(tmp_path / "class", {f"s{n:02}.py": f"{PLAIN}\n# {n}\n" for n in range(MANY)})
    out = tmp_path / "out"
    command = [sys.executable, str(ROOT / "run_grader.py"), str(folder), "--out", str(out), "--jobs", "2"]
    command += ["--rubric", str(small.rubric_file), "--fixtures", str(small.fixtures)]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as grader:
        while len(list(out.glob("grades/*.json"))) < 3:
            time.sleep(0.02)
        grader.send_signal(end)
        _, said = grader.communicate(timeout=90)
    assert grader.returncode == (130 if end is signal.SIGINT else -9)
    assert "Traceback" not in said
    before = {file.name for file in out.glob("grades/*.json")}
    assert 3 <= len(before) < MANY
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert len(lines) == MANY and f"{MANY} of {MANY} graded" in done.stdout
    assert len(list(out.glob("grades/*.json"))) == MANY and not list(out.glob("grades/.*"))
    assert "mean 10 of 10" in done.stdout


def test_a_class_is_graded_by_the_whole_course(deep: Settings, tmp_path: Path) -> None:
    graded = Graded(deep, tmp_path)
    graded.entries = graded.entries[:1]
    graded.anew()
    found = value_of(Grade, json.loads((graded.out / "grades/ada.json").read_text())["grade"])
    assert verdicts(found) == verdicts(grade_submission(tmp_path / "class" / "ada.py", deep))
    assert len(verdicts(found)) == 6


def test_a_task_and_its_configuration_are_all_that_is_needed(
    small: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task, wanted = Task("ada", "ada.py", PLAIN.encode(), len(PLAIN)), configuration(small)
    for file in (small.rubric_file, *small.fixtures.iterdir()):
        file.unlink()
    monkeypatch.chdir(tmp_path)
    done = grade_task(task, wanted)
    assert done.grade and (done.grade.score, done.status) == (10, "graded")
    assert "Total  10 / 10" in done.feedback
