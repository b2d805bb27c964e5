"""The site's own Python, in Chromium, held against what `--student` says of the same file.

Two things differ by nature: a set of squares has another order in a Python of 32 bits, so that a search that
follows it counts other games and meets other lines first; and Python's own words for an error change with its
version. So numbers and those words are left out of sentences.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.core.grade import student_view
from grader.core.values import plain
from grader.course.courses import DEFAULT_FIXTURES
from grader.grading.session import Settings
from tests.browser.serving import Engine, limited, made, pyodide, served
from tests.judged import grade_submission
from tests.submissions import CORRECT
from tests.submissions.faults import FAULTS
from tests.submissions.files import file_of

SAME = (
    "id", "status", "weight", "earned", "code", "function", "aspect", "explained_by", "board", "call", "expected",
    "hint", "restored", "follows", "unrun",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def engine(browser: Any, folder: Path) -> Iterator[Engine]:
    with served(made(folder, "--pyodide", str(pyodide()), limits=PATIENT)) as address:
        yield Engine(browser, address)


def said(sentence: str) -> str:
    """Return a sentence without numbers, and without Python's own words."""
    return re.sub(r"[\d.,]+", "#", re.sub(r"(\w+(?:Error|Exception)): .*?(\(line|$)", r"\1 \2", sentence))


def alike(grade: Any) -> dict[str, Any]:
    """Return what must be the same of a grade, by case; style is looked at by the command alone."""
    return {
        f"{criterion['id']}/{verdict['id']}": {
            **{name: verdict.get(name) for name in SAME},
            "reason": said(verdict["reason"]),
            "board": verdict.get("board") if verdict.get("function") != "minimax" else None,
        }
        for criterion in grade["criteria"]
        for verdict in criterion["verdicts"]
        if criterion["id"] != "quality"
    }


def points(grade: Any) -> dict[str, float]:
    """Return what cases are worth and earned, where nothing is left out that would share it otherwise."""
    return {
        f"{criterion['id']}/{verdict['id']} {what}": verdict.get(what) or 0.0
        for criterion in grade["criteria"]
        if not any(criterion["tally"][kind]["not_judged"] for kind in ("public", "hidden"))
        for verdict in criterion["verdicts"]
        for what in ("points", "score")
    }


# time enough for a browser on a busy machine: what is not asked in time is a difference
PATIENT = "{deadline: 20, strikes: 1, sweep_budget: 600, total: 1200}"
# its move is the first square of a set, which is another one in a Python of 32 bits
BY_ORDER = {"minimax_returns_inside_the_loop"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in (*CORRECT, *FAULTS) if name not in BY_ORDER])
def test_the_verdicts_are_those_of_the_command(engine: Engine, folder: Path, name: str) -> None:
    file = file_of(name)
    settings = Settings(limited(folder, PATIENT), DEFAULT_FIXTURES)
    there = json.loads(json.dumps(plain(student_view(grade_submission(file, settings)))))
    here = json.loads(engine.check(file.name, file.read_bytes())["grade"])
    assert alike(here) == alike(there)
    mistakes = [
        [(mistake["function"], mistake["title"]) for mistake in grade["mistakes"]] for grade in (here, there)
    ]
    assert mistakes[0] == mistakes[1]
    known, elsewhere = points(here), points(there)
    for case in known.keys() & elsewhere.keys():
        assert known[case] == pytest.approx(elsewhere[case], abs=0.02), case
    assert here["does_not_run"] == there["does_not_run"]
    assert here["grader_errors"] == []
