"""One student of a graded class: an answer to a question about the grade, which changes nothing."""

from pathlib import Path

import pytest

from grader.classroom.entries import Attempt
from grader.cli.main import main
from tests.classroom.test_again import contents
from tests.marking.made import grade, record, written


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Give a class: Ada has made a mistake and two attempts, and Bob handed in nothing."""
    ada = record("s0", "Ada", grade("a"), attempts=(Attempt(submission="first.py", total=3.5),))
    made = written(tmp_path / "out", [ada, record("s1", "Bob", None, why="There is no file.")])
    (made / "adjustments.yaml").write_text(
        "- {student: Ada, criterion: design, points: 15, comment: Well cut., by: B}\n"
    )
    return made


def test_the_answer_has_points_reasons_decisions_and_attempts(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(out)
    assert main(["student", str(out), "Ada"]) == 0
    said = capsys.readouterr().out
    assert "Total  15 / 30" in said and "every-board (0 of 10)" in said and "Well cut" in said
    assert "Also handed in, and not counted: first.py (3.5 points)" in said
    assert contents(out) == before


def test_who_has_no_grade_has_a_reason(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["student", str(out), "s1"]) == 0
    assert "There is no grade yet.\nThere is no file." in capsys.readouterr().out


def test_the_answer_as_a_page(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "ada.html"
    assert main(["student", str(out), "Ada", "--html", str(page)]) == 0
    assert "O begins." in page.read_text() and f"wrote {page}" in capsys.readouterr().out
    assert main(["student", str(out), "Bob", "--html", str(page)]) == 2
    assert main(["student", str(out), "Ada", "--html", str(tmp_path / "no" / "a.html")]) == 2


@pytest.mark.parametrize("name", ["carol shaw", "CAROL", "carol", "Carol_Shaw", "lena"])
def test_a_name_may_be_typed_as_people_type(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = {"Carol_Shaw": "Carol Shaw", "x": "Léna Müller", "Ada1": "Ada King", "Ada2": "Byron, Ada"}
    out = written(tmp_path / "out", [record(key, who, grade("a")) for key, who in people.items()])
    assert main(["student", str(out), name]) == 0
    assert capsys.readouterr().out.startswith("Léna Müller" if name == "lena" else "Carol Shaw")
    assert main(["student", str(out), "ada"]) == 2
    assert capsys.readouterr().err == "error: several students are called ada: say Ada1 or Ada2\n"
    assert main(["student", str(out), "Carrol"]) == 2
    assert capsys.readouterr().err == "error: there is no student 'Carrol'; is Carol Shaw meant?\n"


def test_who_is_in_the_worksheet_alone_handed_in_nothing(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (out / "given").mkdir()
    (out / "given/moodle.csv").write_text("Identifier,Full name\nParticipant 3,Zoe Absent\n")
    assert main(["student", str(out), "zoe absent"]) == 2
    said = "error: zoe absent is in Moodle's worksheet and handed in nothing: there is no grade to show\n"
    assert capsys.readouterr().err == said


def test_what_is_not_there_is_named(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["student", str(out), "Adda"]) == 2
    assert capsys.readouterr().err == "error: there is no student 'Adda'; is Ada meant?\n"
    assert main(["student", str(tmp_path / "nowhere"), "Ada"]) == 2
    assert "there are no grades here" in capsys.readouterr().err
    assert main(["student", str(out)]) == 2
    assert "NAME" in capsys.readouterr().err
