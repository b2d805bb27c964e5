"""What a grade costs beyond the submission's own work: `pytest benchmarks/test_grade.py`."""

import json
import math
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.conftest import BASELINE, Yardstick
from benchmarks.costs import compared, cost_of, megabytes_of
from benchmarks.parts import parts_of
from benchmarks.searches import SEARCHES, Nodes
from grader.core.asking.client import Client
from grader.core.checks import diagnosis
from grader.core.checks.diagnosis import diagnosed
from grader.core.checks.probe import check_search
from grader.core.course.course import Probe
from grader.core.course.submission import read
from grader.core.game.board import parse, to_lists
from grader.core.grade import student_view
from grader.core.messages import FOLDER
from grader.course.cases import load
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, DEFAULT_SUBMISSION, ROOT
from grader.course.rubric_files import load as load_rubric
from grader.grading.session import Settings
from grader.report import terminal_report
from grader.report.pages import ClassPage, StudentRow, class_page, highlighted_lines, page
from grader.report.wording import Quoted, as_text
from grader.sandbox.process import Process
from tests.conftest import context_for
from tests.judged import grade_submission
from tests.submissions import CORRECT
from tests.submissions.files import file_of

ONE_MARK = to_lists(parse(["...", ".X.", "..."]))
JUDGE = """
import resource, sys
import grader.__main__
try:
    grader.__main__.main()
finally:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(usage.ru_utime + usage.ru_stime, file=sys.stderr, flush=True)
"""
"""The command, which prints in the end what processor time it took itself, without its workers."""


def test_cold_grade_of_the_reference(benchmark: Any, tmp_path: Path, reference: ModuleType) -> None:
    """A whole `python run_grader.py`: its cost, in first moves of plain minimax, and its memory."""
    grade = tmp_path / "grade.json"
    command = [sys.executable, "-c", JUDGE, "--json", str(grade)]
    around = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = list[float]()

    def cold() -> None:
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=around)
        own.append(float(done.stderr.split()[-1]))

    def first_move() -> float:  # reckoned from a move with one mark on the board, a tenth of it
        nodes = Nodes()
        cost = cost_of(lambda: SEARCHES["plain minimax"](reference, ONE_MARK, nodes))
        return cost * float(BASELINE["nodes"]["plain minimax"]["empty board"]) / nodes.visited

    cold()  # compiles what is not compiled yet
    share = benchmark.pedantic(compared, (lambda: cost_of(cold), first_move, 7), rounds=1)
    data = json.loads(grade.read_text())
    peak = megabytes_of([sys.executable, str(ROOT / "run_grader.py")])
    benchmark.extra_info.update(
        judges_own_core_seconds=round(min(own), 2),
        in_first_moves_of_plain_minimax=round(share, 3),
        submission_seconds=data["submission_seconds"],
        peak_megabytes=round(peak),
    )
    assert share <= 0.4
    assert peak <= 150


def test_warm_grade_of_the_reference(benchmark: Any) -> None:
    """A grade in a process that has graded before, as in a class."""
    benchmark.pedantic(grade_submission, (DEFAULT_SUBMISSION, Settings()), rounds=5, warmup_rounds=1)


def test_pages_of_a_submission(benchmark: Any) -> None:
    """What both pages of a submission cost beside its grade, and how large they are."""
    source = CORRECT["negamax"]
    grade = grade_submission(file_of("negamax"), Settings())

    def graded() -> float:
        parts = parts_of("negamax", source)
        return parts.inside + parts.beyond

    def both() -> int:
        highlighted_lines.cache_clear()
        return max(len(page(shown, source.encode())) for shown in (grade, student_view(grade)))

    graded()  # imports and the solved game
    size = benchmark.pedantic(both, rounds=20, warmup_rounds=2)
    share = compared(lambda: cost_of(lambda: [both() for _ in range(10)]) / 10, graded, 5)
    benchmark.extra_info.update(kilobytes=round(size / 1000), share_of_the_grade=round(share, 3))
    assert size <= 250_000
    assert share <= 0.05


def test_language(benchmark: Any) -> None:
    """A grade of a wrong file in Arabic compared with English, in pairs; and the sizes of catalogues."""
    file = file_of("minimax_stops_at_depth_two")

    def graded_in(language: str) -> float:
        return cost_of(
            lambda: as_text(terminal_report.render(grade_submission(file, Settings(language=language))))
        )

    in_both = (lambda: graded_in("ar"), lambda: graded_in("en"), 5)
    graded_in("ar")
    ratio = benchmark.pedantic(compared, in_both, rounds=1)
    sizes = {file.stem: len(zlib.compress(file.read_bytes())) for file in FOLDER.glob("*.mo")}
    benchmark.extra_info.update(arabic_by_english=round(ratio, 3), catalogues_compressed=sizes)
    assert ratio <= 1.1
    assert sum(sizes.values()) <= 300_000


def test_index_of_a_class(benchmark: Any) -> None:
    """The page of a class of 300: its size."""
    cells = ((0.5, 7.5),) * 9
    rows = tuple(
        StudentRow(
            f"Student {number}", 80.0, cells, "graded", f"reports/{number}.html", f"feedback/{number}.html"
        )
        for number in range(300)
    )
    mistakes = [
        (Quoted(f"winner does this and that {number}", "en"), [f"Student {number}"] * 5)
        for number in range(60)
    ]
    shown = ClassPage("Class", 100, tuple("abcdefghi"), rows, 300, 9, 3, mistakes, [], [])
    size = len(benchmark.pedantic(class_page, (shown,), rounds=5, warmup_rounds=1))
    benchmark.extra_info.update(kilobytes=round(size / 1000))
    assert size <= 1_000_000


def test_naming_of_mistakes(benchmark: Any, monkeypatch: Any, yardstick: Yardstick) -> None:
    """What it costs to name the mistakes of a wrong file, the dearest of some; of a right one nobody asks."""
    took: dict[str, float] = {}
    names = ["winner_misses_columns", "result_copies_the_outer_list_only", "minimax_maximises_for_both"]
    current = "negamax"

    def timed(*arguments: Any) -> Any:
        found = list[Any]()
        named = compared(lambda: cost_of(lambda: found.append(diagnosed(*arguments))), yardstick, 1)
        took[current] = min(took.get(current, math.inf), named)
        return found[0]

    monkeypatch.setattr(diagnosis, "diagnosed", timed)

    def name_all() -> None:
        nonlocal current
        for current in names:
            grade_submission(file_of(current), Settings())

    grade_submission(file_of("negamax"), Settings())
    benchmark.pedantic(name_all, rounds=3)
    benchmark.extra_info.update(in_first_moves={name: round(one, 1) for name, one in took.items()})
    assert list(took) == names
    assert max(took.values()) <= 10


def test_probe_of_the_search(benchmark: Any, yardstick: Yardstick) -> None:
    """What it costs to find out how minimax searches, for the slowest file, in first moves."""
    rubric = load_rubric(DEFAULT_RUBRIC)
    question = load(DEFAULT_FIXTURES / "alpha_beta.yaml", rubric)[0].question
    assert isinstance(question, Probe)

    seconds, moves = dict.fromkeys(CORRECT, math.inf), list[float]()

    def all_files() -> None:
        for name in CORRECT:
            with Client(read(file_of(name), 1000), rubric.limits, Process) as client:
                client.load_failure()
                started = time.process_time() + client.allowance.ran
                check_search(question, context_for(client, rubric, worth=10))
                took = time.process_time() + client.allowance.ran - started
                seconds[name] = min(seconds[name], took)
        moves.append(yardstick())

    benchmark.pedantic(all_files, rounds=3)
    slowest = max(seconds.values())
    in_moves = slowest / min(moves)
    benchmark.extra_info.update(slowest_seconds=round(slowest, 3), first_moves=round(in_moves, 1))
    assert in_moves <= 20
