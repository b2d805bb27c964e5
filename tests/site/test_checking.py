"""One check as the page asks for it: held against the command, and after Python had to be started anew."""

import json
import marshal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from grader.core.course.course import Course
from grader.core.course.rubric import Imports
from grader.core.course.submission import read
from grader.core.game.board import START, Board, is_over, marks
from grader.core.grade import student_view
from grader.core.values import plain
from grader.course.courses import ROOT
from grader.grading.session import grade_found
from grader.site import PACE, Site, checking
from grader.site.checking import check, show
from tests.judged import ONE_AFTER_THE_OTHER, course_with
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS

SHARED = "winner_misses_columns"


class Onlooker:
    """A page that keeps what it is told, and may lose a carrier as a page does that ends its worker."""

    def __init__(self, loses: Callable[[str, str], bool] = lambda what, board: False) -> None:
        self.loses = loses
        self.asked: list[tuple[int, str, str]] = []
        self.answers: dict[int, list[Any]] = {}
        self.judgements: list[tuple[int, int]] = []
        self.is_waiting = False

    def asking(self, carrier: int, what: str, board: str) -> None:
        self.asked.append((carrier, what, board))
        self.is_waiting = True
        if self.loses(what, board):
            raise _EndedError

    def heard(self, carrier: int, token: str, text: str, spent: float) -> None:
        self.answers.setdefault(carrier, []).append([token, text, spent])
        self.is_waiting = False

    def judged(self, done: int, total: int) -> None:
        assert not self.is_waiting, "no verdict comes in the middle of a question"
        self.judgements.append((done, total))


class _EndedError(BaseException):
    """The worker was ended in the middle of a question."""


def site(**changes: Any) -> Site:
    course: Course = course_with(limits={"deadline": 1.0, "strikes": 1, "sweep_budget": 4.0}, **changes)
    cases = tuple(case for case in course.cases if case.question.visibility == "public")
    in_all = {criterion.id: criterion.points for criterion in course.rubric.all_criteria()}
    return Site(replace(course, cases=cases), in_all, "More is asked elsewhere.")


def checked(
    source: str, page: Onlooker, lost: Any = None, before: Any = None, name: str = "tictactoe.py"
) -> Any:
    """Return what a page is told of a source."""
    files, request = {name: source.encode()}, json.dumps({"lost": lost or {}})
    return shown(check(site(), request, files, page), files, before)


def shown(grade: str, files: dict[str, bytes], before: Any = None) -> Any:
    """Return what a page is told of a grade, with the grade itself."""
    request = {"grade": grade, "before": before and json.dumps(before)}
    told = json.loads(show(site(), json.dumps(request), files))
    return {**told, "grade": json.loads(told["grade"])} if "grade" in told else told


@pytest.mark.parametrize(
    "grade",
    ["", "{", "5", "[]", "{}", '{"html": "<script>"}', '{"schema": "tictactoe-grade/1"}', "[" * 10**6],
)
def test_what_is_no_grade_is_not_shown(grade: str) -> None:
    assert shown(grade, {"tictactoe.py": b""}) == {}


@pytest.mark.exhaustive
def test_the_grade_is_the_one_across_the_wall(tmp_path: Any) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(FAULTS[SHARED].source)
    found = grade_found(read(file, 1000), site().course, ONE_AFTER_THE_OTHER)
    elsewhere = json.loads(json.dumps(plain(student_view(found))))
    page = Onlooker()
    told = checked(FAULTS[SHARED].source, page)
    here = told["grade"]
    assert here["mistakes"] == elsewhere["mistakes"]
    assert [criterion["score"] for criterion in here["criteria"] if criterion["id"] != "quality"] == [
        criterion["score"] for criterion in elsewhere["criteria"] if criterion["id"] != "quality"
    ]
    assert page.judgements[-1] == (len(page.judgements), len(page.judgements))
    assert {what for _, what, _ in page.asked} >= {"player", "winner", "minimax", "read", "load"}
    assert "More is asked elsewhere." in told["html"] and told["changes"] == []


@pytest.mark.exhaustive
def test_style_is_looked_at_elsewhere() -> None:
    (quality,) = (
        criterion
        for criterion in checked(PLAIN, Onlooker())["grade"]["criteria"]
        if criterion["id"] == "quality"
    )
    style = [verdict for verdict in quality["verdicts"] if verdict["id"] == "style"]
    assert [verdict["status"] for verdict in style] == ["skipped"]
    assert "when the file is handed in" in style[0]["reason"]


def checked_anew(loses: Callable[[str, str], bool], tries: int = 20) -> tuple[Any, list[str], Onlooker]:
    """Check a right file as a page does that starts anew after each carrier that it loses.

    Return what the page is told, the boards at which carriers were lost, and the last onlooker.
    """
    lost: dict[str, Any] = {}
    boards: list[str] = []
    told, page = None, Onlooker(loses)
    while told is None and len(boards) < tries:
        page = Onlooker(loses)
        try:
            told = checked(PLAIN, page, lost)
        except _EndedError:
            carrier, _, board = page.asked[-1]
            boards.append(board)
            lost[str(carrier)] = {"answers": page.answers.get(carrier, []), "spent": 1.0, "deadline": 1.0}
    return told, boards, page


def test_what_was_lost_is_lost_once_and_the_rest_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that ends the worker at each question to `winner` ends with the verdicts of a winner that hangs.

    The boards are asked separately then; a request is not unpacked again for each of them.
    """
    unpacked = mock.Mock(side_effect=marshal.loads)
    monkeypatch.setattr(checking, "marshal", mock.Mock(loads=unpacked))
    told, _, page = checked_anew(lambda what, board: what == "winner")
    criteria = {criterion["id"]: criterion for criterion in told["grade"]["criteria"]}
    assert "timed_out" in {verdict["status"] for verdict in criteria["winner"]["verdicts"]}
    assert "no answer within 1 seconds" in json.dumps(criteria["winner"])
    assert criteria["player"]["score"] == criteria["player"]["points"]
    assert told["grade"].get("grader_errors", []) == []
    assert len(page.asked) > 5_000 and unpacked.call_count < 100


def test_a_minimax_without_an_end_is_ended_three_times_and_no_more() -> None:
    def hangs(what: str, board: str) -> bool:
        return what == "minimax" and not (board and is_over(Board(board)))

    told, boards, _ = checked_anew(hangs)
    assert boards[0] == "" and marks(Board(boards[1])) > 3 and boards[2:] == [START]
    criteria = {criterion["id"]: criterion for criterion in told["grade"]["criteria"]}
    verdicts = {
        verdict["id"]: (verdict["status"], verdict["code"]) for verdict in criteria["minimax"]["verdicts"]
    }
    assert verdicts["optimal-on-every-board"] == ("timed_out", "silent")
    assert verdicts["x-wins-now"] == ("timed_out", "no-answer")
    assert verdicts["never-loses-as-o"] == ("failed", "never-moves")
    assert verdicts["none-on-every-finished-board"] == ("passed", "right-everywhere")
    assert criteria["alpha_beta"]["score"] == 0
    assert [(mistake["function"], mistake["id"]) for mistake in told["grade"]["mistakes"]] == [
        ("minimax", "never-answers")
    ]


def test_one_call_is_named_by_its_board() -> None:
    told, boards, _ = checked_anew(lambda what, board: what == "utility", tries=2)
    assert told is None
    assert boards[0] == "" and len(boards[1]) == 9 and set(boards[1]) <= set("XO.")


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", ["js", "pyodide_js", "grader.core.scores", "jinja2"])
def test_a_submission_finds_neither_the_judge_nor_the_page(name: str) -> None:
    known = sys.modules.get(name)
    looks = f"try:\n    import {name}\nexcept ModuleNotFoundError:\n    pass\nelse:\n    raise OSError\n"
    anything = site(imports=Imports(forbidden="note"))
    files = {"tictactoe.py": f"{PLAIN}\n{looks}".encode()}
    grade = json.loads(check(anything, '{"lost": {}}', files, Onlooker()))
    assert grade["does_not_run"] is None and grade["total"] > 90
    assert sys.modules.get(name) is known


PATCHED = """
from tests.site.test_checking import PLAIN, Onlooker, checked
told = checked(f"{PLAIN}\\nimport builtins\\nbuiltins.len = builtins.sorted = None\\n", Onlooker())
assert len(sorted([2, 1])) == 2
(player,) = (criterion for criterion in told["grade"]["criteria"] if criterion["id"] == "player")
assert player["score"] == player["points"]
"""


@pytest.mark.exhaustive
def test_builtins_are_put_back() -> None:
    """Given an interpreter of its own: threads of the test run need their builtins all the time."""
    subprocess.run([sys.executable, "-c", PATCHED], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("files", "kind", "sentence"),
    [
        ({"a.py": b"", "b.py": b""}, "problem", "2 files, and none is called tictactoe.py"),
        ({"tictactoe.py": b"import numpy\n"}, "note", "This file imports numpy, which your course allows"),
    ],
)
def test_what_cannot_be_checked_here_is_a_sentence_of_a_clean_python(
    files: dict[str, bytes], kind: str, sentence: str
) -> None:
    """Given a file that cannot be judged: the Python that looked at it says nothing, another one says why."""
    here = site(imports=Imports(allowed=("numpy",)))
    assert check(here, '{"lost": {}}', files, Onlooker()) == ""
    assert sentence in json.loads(show(here, '{"grade": ""}', files))[kind]


FORGED: dict[str, Callable[[Any], None]] = {
    "another title": lambda grade: grade.update(title="Full marks"),
    "a total that cannot be": lambda grade: grade.update(total=1000),
    "a criterion of its own": lambda grade: grade["criteria"][0].update(id="kindness"),
    "a description of its own": lambda grade: grade["criteria"][0].update(description="log in here"),
    "points of its own": lambda grade: grade["criteria"][0].update(points=50),
    "a case left out": lambda grade: grade["criteria"][0]["verdicts"].pop(),
    "a case of its own": lambda grade: grade["criteria"][0]["verdicts"][0].update(id="x"),
    "a case worth more": lambda grade: grade["criteria"][0]["verdicts"][0].update(weight=50.0),
    "more than there is to earn": lambda grade: grade["criteria"][0]["verdicts"][0].update(earned=50.0),
    "less than nothing": lambda grade: grade["criteria"][0]["verdicts"][0].update(earned=-1.0),
    "a person's decision": lambda grade: grade.update(decisions=["full marks"]),
}


@pytest.fixture(scope="module")
def honest() -> str:
    """Give the grade of a file that does nothing."""
    return check(site(), '{"lost": {}}', {"tictactoe.py": b"pass"}, Onlooker())


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_grade_that_cannot_be_is_refused(honest: str, how: str) -> None:
    files = {"tictactoe.py": b"pass"}
    assert shown(honest, files)["html"]
    grade = json.loads(honest)
    FORGED[how](grade)
    assert shown(json.dumps(grade), files) == {}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["", *FAULTS])
def test_every_honest_grade_is_shown_as_it_is(tmp_path: Path, name: str) -> None:
    """Given grades from across the wall, for some of these files end the process that they run in."""
    file = tmp_path / "tictactoe.py"
    file.write_text(FAULTS[name].source if name else PLAIN)
    found = grade_found(read(file, 1000), site().course, ONE_AFTER_THE_OTHER)
    grade = json.dumps(plain(student_view(replace(found, submission=file.name))))
    assert shown(grade, {file.name: file.read_bytes()})["grade"] == json.loads(grade)


def test_a_question_that_was_not_asked_is_over() -> None:
    """Given a submission that may take no time: the page hears an end of each question, and then the verdicts."""
    here, page = site(), Onlooker()
    limits = replace(here.course.rubric.limits, total=1e-9)
    course = replace(here.course, rubric=replace(here.course.rubric, limits=limits))
    check(replace(here, course=course), '{"lost": {}}', {"tictactoe.py": PLAIN.encode()}, page)
    assert page.asked and page.judgements and not page.is_waiting


@pytest.mark.exhaustive
def test_what_changed_is_told() -> None:
    before = checked(FAULTS[SHARED].source, Onlooker())["grade"]
    changes = checked(PLAIN, Onlooker(), before=before)["changes"]
    assert any(line.startswith("`winner` fixed: +") for line in changes)


@pytest.mark.exhaustive
def test_a_second_counts_as_much_as_elsewhere() -> None:
    page = Onlooker()
    told = checked(PLAIN, page)
    spent = max(spent for answers in page.answers.values() for _, _, spent in answers)
    assert 0 < spent < told["grade"]["seconds"] * PACE * 1.5
