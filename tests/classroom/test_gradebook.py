import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import gradebooks
from grader.classroom.class_summary import most_failed
from grader.core.course.rubric import Rubric
from grader.course.rubric_files import load
from tests.classroom.conftest import RUBRIC
from tests.classroom.lines import changed, earned, record


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    (tmp_path / "rubric.yaml").write_text(RUBRIC)
    return load(tmp_path / "rubric.yaml")


ADA = record(
    "ada", "Ada, Countess", "ada.py", late=True, ids={"canvas": "17", "moodle": "5", "SIS User ID": "u1"},
    score=9.5, points=10, bonus=0, total=9.5, criteria=(earned("player", 7.5, 8), earned("terminal", 2, 2)),
)  # fmt: skip
EVIL = record("evil", "=HYPERLINK(1)", "@evil.py", "not_graded", why="+There is no file.")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_gradebook_has_a_column_for_each_criterion(rubric: Rubric) -> None:
    header, ada, evil = rows(gradebooks.gradebook([ADA, EVIL], rubric))
    assert header == [
        *("submission", "student", "total", "score", "points", "bonus", "scaled"),
        *("player", "terminal", "status", "mistakes"),
    ]
    assert ada == ["ada.py", "Ada, Countess", "9.5", "9.5", "10", "0", "", "7.5", "2", "graded, late", ""]
    assert evil == ["'@evil.py", "'=HYPERLINK(1)", "", "", "", "", "", "", "", "not graded", ""]


def test_canvas_imports_it(rubric: Rubric) -> None:
    header, possible, ada, evil = rows(gradebooks.canvas([ADA, EVIL], rubric, "4711"))
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "A small one (4711)"]
    assert possible == ["    Points Possible", "", "", "", "", "10"]
    assert ada == ["Ada, Countess", "17", "u1", "", "", "9.5"]
    assert evil[-1] == ""


def test_moodle_imports_it(rubric: Rubric) -> None:
    comments = [gradebooks.comment(record) for record in (ADA, EVIL)]
    header, ada, evil = rows(gradebooks.moodle([ADA, EVIL], comments, 10)[0])
    assert header == ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]
    comment = "9.5 of 10 points. Points were lost here: player 7.5 of 8."
    assert ada == ["Participant 5", "Ada, Countess", "9.5", "-", comment]
    assert evil == ["", "'=HYPERLINK(1)", "", "-", "'+There is no file."]


def test_moodle_would_leave_out_what_is_above_the_maximum() -> None:
    best = changed(ADA, total=11.5, score=10, bonus=1.5)
    text, capped = gradebooks.moodle([best, ADA, EVIL], ["11.5 of 10 points.", "", ""], 10)
    row = rows(text)[1]
    assert row[2:] == ["10", "-", "11.5 of 10 points. Moodle's maximum is 10, so 10 of 11.5 is recorded."]
    assert capped == (gradebooks.Capped("Ada, Countess", 11.5, 10),)


def test_without_its_number_canvas_finds_the_assignment_by_its_title(rubric: Rubric) -> None:
    assert rows(gradebooks.canvas([ADA], rubric, None))[0][-1] == "A small one"


def test_a_fault_of_the_grader_is_no_grade_until_a_person_decides(rubric: Rubric) -> None:
    broken = replace(changed(ADA, total=2, score=2), status="grader_error")
    assert gradebooks.final(broken) is None
    assert rows(gradebooks.canvas([broken], rubric, "1"))[2][-1] == ""
    assert gradebooks.final(changed(broken, decisions=("a",))) == 2


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert gradebooks.safe(text) == "'" + text


def test_every_field_is_quoted(rubric: Rubric) -> None:
    quoting = replace(ADA, student='A "quoted", name')
    for text in (
        gradebooks.gradebook([quoting], rubric),
        gradebooks.canvas([quoting], rubric, None),
        gradebooks.moodle([quoting], ["said"], 10)[0],
    ):
        assert '"A ""quoted"", name"' in text
        for line in text.splitlines():
            assert re.fullmatch(r'"([^"]|"")*"(,"([^"]|"")*")*', line)


def test_a_comment_is_no_html_and_a_cell_is_one_line(rubric: Rubric) -> None:
    _, row = rows(gradebooks.moodle([ADA], ["<b>1</b> & 2\n3"], 10)[0])
    assert row[-1] == "&lt;b&gt;1&lt;/b&gt; &amp; 2<br>3"
    _, row = rows(gradebooks.gradebook([changed(ADA, unrun="It does not build: / error")], rubric))
    assert row[-1] == "It does not build: / error"


def test_a_rounded_total_is_what_goes_back(rubric: Rubric) -> None:
    rounded, half = changed(ADA, total=9.25, rounding=0.5), replace(rubric, rounding=0.5)
    header, ada = rows(gradebooks.gradebook([rounded], half))
    assert (ada[header.index("total")], ada[header.index("final")]) == ("9.25", "9.5")
    assert rows(gradebooks.canvas([rounded], half, "1"))[2][-1] == "9.5"
    assert rows(gradebooks.moodle([rounded], ["Well done."], 10)[0])[1][2] == "9.5"
    assert gradebooks.comment(rounded).startswith("9.25 of 10 points, that is 9.5 of 10.")


def test_a_scaled_total_is_what_goes_back(rubric: Rubric) -> None:
    scaled = replace(rubric, scale_to=20.0)
    graded = record("a", "a", "a.py", total=5, points=10, scaled=10, scale_to=20)
    assert rows(gradebooks.canvas([graded], scaled, "1"))[1][-1] == "20"
    assert rows(gradebooks.canvas([graded], scaled, "1"))[2][-1] == "10"


def test_who_does_not_run_fails_no_case_in_particular() -> None:
    failed = changed(ADA, criteria=(earned("player", 0, 8, failed=("a", "b")),))
    unrun = changed(failed, unrun="The file is empty.")
    assert gradebooks.status(unrun) == "graded, fails to run, late"
    assert most_failed([unrun, changed(ADA, criteria=(earned("player", 0, 8, failed=("b",)),))]) == [
        ("player/b", 1)
    ]


def test_what_a_person_has_still_to_judge_is_no_lost_zero(rubric: Rubric) -> None:
    waiting = changed(ADA, criteria=(earned("player", 8, 8), earned("terminal", 0, 2, by_hand=True)))
    header, ada = rows(gradebooks.gradebook([waiting], rubric))
    assert (ada[header.index("player")], ada[header.index("terminal")]) == ("8", "")
    assert (
        gradebooks.comment(waiting) == "Provisional: a person still judges up to 2 points. 9.5 of 10 points."
    )
