import csv
import io
from pathlib import Path

import pytest

from grader.classroom import gradebook
from grader.classroom.records import Earned, Record
from grader.course.rubric import Rubric, load
from tests.classroom.conftest import RUBRIC


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    (tmp_path / "rubric.yaml").write_text(RUBRIC)
    return load(tmp_path / "rubric.yaml")


ADA = Record(
    "ada", "Ada, Countess", "ada.py", "graded", late=True, ids={"canvas": "17", "moodle": "5", "SIS User ID": "u1"},
    score=9.5, points=10, bonus=0, total=9.5, criteria={"player": Earned(7.5, 8, False), "terminal": Earned(2, 2, False)},
)  # fmt: skip
EVIL = Record("evil", "=HYPERLINK(1)", "@evil.py", "not_graded", why="+There is no file.")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_gradebook_has_a_column_for_each_criterion(rubric: Rubric) -> None:
    header, ada, evil = rows(gradebook.gradebook([ADA, EVIL], rubric))
    assert header == [
        "submission",
        "student",
        "total",
        "score",
        "points",
        "bonus",
        "scaled",
        "player",
        "terminal",
        "status",
        "mistakes",
    ]
    assert ada == ["ada.py", "Ada, Countess", "9.5", "9.5", "10", "0", "", "7.5", "2", "graded, late", ""]
    assert evil == ["'@evil.py", "'=HYPERLINK(1)", "", "", "", "", "", "", "", "not graded", ""]


def test_canvas_imports_it(rubric: Rubric) -> None:
    header, possible, ada, evil = rows(gradebook.canvas([ADA, EVIL], rubric, "4711"))
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "A small one (4711)"]
    assert possible == ["    Points Possible", "", "", "", "", "10"]
    assert ada == ["Ada, Countess", "17", "u1", "", "", "9.5"]
    assert evil[-1] == ""


def test_moodle_imports_it(rubric: Rubric) -> None:
    comments = [gradebook.comment(one, ()) for one in (ADA, EVIL)]
    header, ada, evil = rows(gradebook.moodle([ADA, EVIL], comments))
    assert header == ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]
    assert ada == [
        "Participant 5",
        "Ada, Countess",
        "9.5",
        "-",
        "9.5 of 10 points. Points were lost here: player 7.5 of 8.",
    ]
    assert evil == ["", "'=HYPERLINK(1)", "", "-", "'+There is no file."]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert gradebook.safe(text) == "'" + text


def test_a_scaled_total_is_what_goes_back(rubric: Rubric) -> None:
    scaled = rubric.model_copy(update={"scale_to": 20.0})
    record = Record("a", "a", "a.py", "graded", total=5, points=10, scaled=10, scale_to=20)
    assert rows(gradebook.canvas([record], scaled, "1"))[1][-1] == "20"
    assert rows(gradebook.canvas([record], scaled, "1"))[2][-1] == "10"
