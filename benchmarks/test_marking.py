"""Marking a class of 300: the queue, from one student to the next, and a decision until it is on the disk.

Asked of the command itself, over one connection, as a browser does. What it takes is compared with first
moves of the reference in the same run, about 17 ms each; the least of several counts: the machine is shared.
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
from typing import Any

import pytest

from benchmarks.conftest import Yardstick
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


def test_a_class_of_300(benchmark: Any, marked: Class, yardstick: Yardstick) -> None:
    """Measured while pages, gradebooks and the index are written in the background, decision by decision."""
    queue = [marked.ask("/start")[1] for _ in range(5)]
    nexts, saved, moves = list[float](), list[float](), list[float]()

    def marks(number: int) -> None:
        shown, took = marked.ask(f"/students/{number}")
        nexts.append(took)
        form = re.search(r'data-criterion="design" data-revision="([^"]*)"', shown)
        assert form
        wish = {"student": number, "kind": "points", "by": "B", "criterion": "design", "points": 15}
        text, took = marked.ask("/decide", {**wish, "revision": unescape(form[1])})
        assert "operation" in json.loads(text)
        assert f"student: s{number - 1}\n" in (marked.out / "marks.yaml").read_text()
        saved.append(took)
        if number % 10 == 0:
            moves.append(yardstick())

    numbers = iter(range(1, STUDENTS + 1))
    benchmark.pedantic(lambda: marks(next(numbers)), rounds=40)
    benchmark.extra_info.update(
        opened_seconds=round(marked.opened, 2),
        queue_milliseconds=round(1000 * min(queue), 1),
        next_milliseconds=[round(1000 * one(nexts), 1) for one in (min, median, max)],
        saved_milliseconds=[round(1000 * one(saved), 1) for one in (min, median, max)],
    )
    queued, shown, decided = (min(one) / min(moves) for one in (queue, nexts, saved))
    benchmark.extra_info.update(in_first_moves=[round(one, 1) for one in (queued, shown, decided)])
    assert queued <= 60
    assert shown <= 6
    assert decided <= 3
