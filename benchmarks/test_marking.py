"""Marking a class of 300: the queue, from one student to the next, and a decision until it is on the disk.

Asked of the command itself, over one connection, as a browser does. What it takes is compared with first
moves of the reference before and after it, about 17 ms each; the least of several counts: the machine is
shared.
"""

import json
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest

from grader.classroom.records import STATE
from grader.core.course.rubric import Criterion, Rubric
from grader.core.grade import CriterionScore, Grade
from grader.course import rubric_files
from grader.course.courses import DEFAULT_RUBRIC
from grader.grading.session import Settings
from tests.judged import grade_submission
from tests.marking.made import marking, record, written
from tests.submissions.faults import FAULTS

STUDENTS = 300
DESIGN = Criterion(id="design", description="How it is made", points=20, by_hand=True)


class Class:
    """A class that is being marked, and how long it took until its page could be opened."""

    def __init__(self, out: Path) -> None:
        self.out = out
        started = time.perf_counter()
        self.process, address = marking(out)
        found = re.search(r"(127\.0\.0\.1:(\d+))/#key=(\S+)", address)
        assert found
        self._host, self._connection = found[1], HTTPConnection("127.0.0.1", int(found[2]))
        self._key = found[3]
        self.opened = time.perf_counter() - started

    def ask(self, path: str, told: Any = None) -> tuple[str, float]:
        """Return an answer, and the seconds that it took."""
        headers = {"X-Marking-Key": self._key, "Origin": f"http://{self._host}"}
        started = time.perf_counter()
        self._connection.request("GET" if told is None else "POST", path, told and json.dumps(told), headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        return text, time.perf_counter() - started

    def end(self) -> None:
        """End it as somebody does who has finished."""
        self._connection.close()
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """Give a class with grades of real files."""
    folder = tmp_path_factory.mktemp("marking")
    known = rubric_files.load(DEFAULT_RUBRIC)
    whole = Rubric(**{**vars(known), "criteria": (*known.criteria, DESIGN)})
    grades = [_grade(folder, name) for name in ("player_o_starts", "minimax_takes_the_first_free_cell")]
    source = FAULTS["player_o_starts"].source
    made = [record(f"s{at}", f"Student {at}", grades[at % 2]) for at in range(STUDENTS)]
    out = written(folder / "out", made, whole, source, html=True)
    Class(out).end()  # which writes everybody's pages, as a grading does
    found = Class(out)
    yield found
    (out / STATE).unlink()  # the class is gone: what is still to be written, nobody waits for
    found.end()


def _grade(folder: Path, name: str) -> Grade:
    file = folder / f"{name}.py"
    file.write_text(FAULTS[name].source)
    grade = grade_submission(file, Settings())
    design = CriterionScore(
        id="design", description="d", points=20, score=0, bonus=False, by_hand=True, verdicts=()
    )
    return replace(grade, criteria=(*grade.criteria, design))


def test_a_class_of_300(benchmark: Any, marked: Class, reference: ModuleType) -> None:
    """Measured while pages, gradebooks and the index are written in the background, decision by decision."""
    seconds: dict[str, list[float]] = {"queue": [], "next": [], "saved": []}
    in_moves: dict[str, list[float]] = {name: [] for name in seconds}

    def move() -> float:  # by the clock, as what it is compared with: what else the machine does delays both
        started = time.perf_counter()
        reference.minimax(reference.initial_state())
        return time.perf_counter() - started

    def ask(name: str, *request: Any) -> str:
        before = move()
        text, took = marked.ask(*request)
        seconds[name].append(took)
        in_moves[name].append(2 * took / (before + move()))
        return text

    def marks(number: int) -> None:
        form = re.search(
            r'data-criterion="design" data-revision="([^"]*)"', ask("next", f"/students/{number}")
        )
        assert form
        wish = {"student": number, "kind": "points", "by": "B", "criterion": "design", "points": 15}
        text = ask("saved", "/decide", {**wish, "revision": unescape(form[1])})
        assert "operation" in json.loads(text)
        assert f"student: s{number - 1}\n" in (marked.out / "marks.yaml").read_text()

    for _ in range(5):
        ask("queue", "/start")
    numbers = iter(range(1, STUDENTS + 1))
    benchmark.pedantic(lambda: marks(next(numbers)), rounds=40)
    least = {name: min(ones) for name, ones in in_moves.items()}
    benchmark.extra_info.update(
        opened_seconds=round(marked.opened, 2),
        milliseconds={
            name: [round(1000 * of(ones), 1) for of in (min, median, max)] for name, ones in seconds.items()
        },
        in_first_moves={name: round(count, 2) for name, count in least.items()},
    )
    assert least["queue"] <= 60
    assert least["next"] <= 6
    assert least["saved"] <= 3
