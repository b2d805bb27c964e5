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
        task = decoded(Task, arguments[1])
        self.done.append(task.key)
        future.set_result(function(*arguments))
        return future


def at_once(course: bytes, payload: bytes) -> bytes:
    """Do a task in this process."""
    return encoded(grade_task(decoded(Task, payload), decoded(Configuration, course)))


@pytest.fixture
def entries(tmp_path: Path) -> list[Entry]:
    folder = write_all(tmp_path / "class", {"ada.py": PLAIN, "bob.py": WRONG, "eve.py": "def (:"})
    return [Entry(name, f"{name}.py", folder / f"{name}.py", key=name) for name in ("ada", "bob", "eve")]


def graded(
    entries: list[Entry], settings: Settings, out: Path, *, regrade: bool = False
) -> tuple[list[records.Record], list[str]]:
    """Grade entries in this process; return their lines, and who was graded anew."""
    anew: list[str] = []
    pool = Pool(lambda: Here(anew), 2, at_once)
    return Batch(configuration(settings), out, load_course(settings).rubric, regrade).run(
        entries, pool, lambda news: None
    ), anew


def test_everybody_has_a_line_and_a_file(entries: list[Entry], small: Settings, tmp_path: Path) -> None:
    nobody = Entry("zoe", "zoe", problem="There is no file.", key="zoe")
    lines, _ = graded([*entries, nobody], small, tmp_path / "out")
    assert [(record.student, record.status, record.total) for record in lines] == [
        ("ada", "graded", 10),
        ("bob", "graded", 6),
        ("eve", "graded", 0),
        ("zoe", "not_graded", None),
    ]
    assert lines[1].failed == ["player/start"]
    data = json.loads((tmp_path / "out/grades/ada.json").read_text())
    assert data["grade"]["score"] == 10 and data["student"] == "ada"
    assert [record.student for record in records.load_all(tmp_path / "out")] == ["ada", "bob", "eve", "zoe"]


def test_only_what_is_new_or_changed_is_graded_again(
    entries: list[Entry], small: Settings, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert graded(entries, small, out)[1] == ["ada", "bob", "eve"]
    assert graded(entries, small, out)[1] == []
    assert entries[1].file
    entries[1].file.write_text(PLAIN)
    lines, anew = graded(entries, small, out)
    assert anew == ["bob"] and lines[1].total == 10
    assert graded(entries, small, out, regrade=True)[1] == ["ada", "bob", "eve"]
    small.rubric_file.write_text(small.rubric_file.read_text().replace("points: 2", "points: 3"))
    assert graded(entries, small, out)[1] == ["ada", "bob", "eve"]
    fixture = small.fixtures / "player.yaml"
    fixture.write_text(fixture.read_text() + "  - id: more\n    board: [X.., ..., ...]\n")
    assert graded(entries, small, out)[1] == ["ada", "bob", "eve"]
    (out / "grades/ada.json").write_text('{"half')
    assert graded(entries, small, out)[1] == ["ada"]


def test_what_a_busy_machine_cut_off_is_graded_again(
    entries: list[Entry], small: Settings, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    graded(entries, small, out)
    ada = records.load(out, "ada")
    assert ada and ada.grade
    records.save(out, replace(ada, grade=replace(ada.grade, machine_was_busy=True)))
    assert [graded(entries, small, out)[1] for _ in range(2)] == [["ada"], []]
    records.save(out, replace(ada, grade=None, status="not_graded", machine_was_busy=True))
    assert [graded(entries, small, out)[1] for _ in range(2)] == [["ada"], []]


def test_the_end_of_a_large_file_is_part_of_a_hand_in(small: Settings, tmp_path: Path) -> None:
    """Given a file beside the submission whose last byte changes, far behind what is read of it."""
    folder = write_all(tmp_path / "class", {"ada/tictactoe.py": PLAIN, "ada/data.bin": "x" * 300_000}) / "ada"
    entries = [Entry("ada", "ada", folder / "tictactoe.py", key="ada", folder=folder)]
    out = tmp_path / "out"
    assert [graded(entries, small, out)[1] for _ in range(2)] == [["ada"], []]
    (folder / "data.bin").write_text("x" * 299_999 + "y")
    assert graded(entries, small, out)[1] == ["ada"]


def test_a_fault_of_the_grader_is_no_zero(
    entries: list[Entry], small: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> records.Record:
        raise RuntimeError("out of order")

    monkeypatch.setattr("grader.classroom.clerk.grade_found", broken)
    lines, _ = graded(entries[:1], small, tmp_path / "out")
    assert lines[0].status == "grader_error" and lines[0].total is None and "out of order" in lines[0].why


def test_tasks_are_made_when_they_can_be_handed_over(small: Settings) -> None:
    made: list[int] = []
    settings = configuration(small)

    def tasks() -> Iterable[Task]:
        for number in range(6):
            made.append(number)
            yield Task(str(number), "a.py", b"x", 1)

    results = Pool(lambda: Here([]), 2, at_once).results(settings, tasks())
    next(results)
    assert made == [0, 1]
    assert len(list(results)) == 5


def test_a_process_of_the_pool_that_is_killed_is_replaced(
    entries: list[Entry], small: Settings, tmp_path: Path
) -> None:
    """A real pool: the first process dies in the middle, and everybody is graded all the same."""
    pool = local_pool(2)
    found: list[str] = []

    def on_record(news: BatchProgress) -> None:
        found.append(news.record.student)
        if len(found) == 1:
            for process in clerk.clerks():
                os.kill(process.pid, signal.SIGKILL)

    many = [
        Entry(f"{entry.student}{n}", entry.submission, entry.file, key=f"{entry.key}{n}")
        for n in range(3)
        for entry in entries
    ]
    lines = Batch(configuration(small), tmp_path / "out", load_course(small).rubric).run(
        many, pool, on_record
    )
    assert {record.status for record in lines} == {"graded"} and len(found) == 9


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


def test_a_class_is_graded_by_the_whole_course(deep: Settings, entries: list[Entry], tmp_path: Path) -> None:
    graded(entries[:1], deep, tmp_path / "out")
    found = value_of(Grade, json.loads((tmp_path / "out/grades/ada.json").read_text())["grade"])
    assert verdicts(found) == verdicts(grade_submission(tmp_path / "class" / "ada.py", deep))
    assert len(verdicts(found)) == 6


def test_a_task_and_its_configuration_are_all_that_is_needed(
    small: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task, wanted = Task("ada", "ada.py", PLAIN.encode(), len(PLAIN)), configuration(small)
    for file in small.fixtures.iterdir():
        file.unlink()
    small.rubric_file.unlink()
    monkeypatch.chdir(tmp_path)
    done = grade_task(task, wanted)
    assert (
        done.grade
        and done.grade.score == 10
        and "Total  10 / 10" in done.feedback
        and done.status == "graded"
    )
