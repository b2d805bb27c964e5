"""One student of a graded class: an answer to a question about the grade, which changes nothing."""

import pytest

from grader.classroom.entries import Attempt
from tests.classroom.conftest import Classroom
from tests.marking.made import grade, record, written


@pytest.fixture(autouse=True)
def graded(room: Classroom) -> None:
    """Give a class: Ada has made a mistake and two attempts, and Bob handed in nothing."""
    ada = record("s0", "Ada", grade("a"), attempts=(Attempt(submission="first.py", total=3.5),))
    written(room.out, [ada, record("s1", "Bob", None, why="There is no file.")])
    decision = "- {student: Ada, criterion: design, points: 15, comment: Well cut., by: B}\n"
    room.write("out/adjustments.yaml", decision)


def test_the_answer_has_points_reasons_decisions_and_attempts(room: Classroom) -> None:
    before = room.contents()
    said = room.run("student", room.out, "Ada")
    assert "Total 15 / 30" in said and "every-board (0 of 10)" in said and "Well cut" in said
    assert "Also handed in, and not counted: first.py (3.5 points)" in said
    assert room.contents() == before


def test_who_has_no_grade_has_a_reason(room: Classroom) -> None:
    assert "There is no grade yet. There is no file." in room.run("student", room.out, "s1")


def test_the_answer_as_a_page(room: Classroom) -> None:
    page = room.folder / "ada.html"
    assert f"wrote {page}" in room.run("student", room.out, "Ada", "--html", page)
    assert "O begins." in page.read_text()
    room.run("student", room.out, "Bob", "--html", page, code=2)
    room.run("student", room.out, "Ada", "--html", room.folder / "no" / "a.html", code=2)


@pytest.mark.parametrize("name", ["carol shaw", "CAROL", "carol", "Carol_Shaw", "lena"])
def test_a_name_may_be_typed_as_people_type(name: str, room: Classroom) -> None:
    people = {"Carol_Shaw": "Carol Shaw", "x": "Léna Müller", "Ada1": "Ada King", "Ada2": "Byron, Ada"}
    out = written(room.folder / "more", [record(key, who, grade("a")) for key, who in people.items()])
    said = room.run("student", out, name)
    assert said.startswith("Léna Müller" if name == "lena" else "Carol Shaw")
    room.run("student", out, "ada", code=2)
    assert room.errors == "error: several students are called ada: say Ada1 or Ada2\n"
    room.run("student", out, "Carrol", code=2)
    assert room.errors == "error: there is no student 'Carrol'; is Carol Shaw meant?\n"


def test_who_is_in_the_worksheet_alone_handed_in_nothing(room: Classroom) -> None:
    room.write("out/given/moodle.csv", "Identifier,Full name\nParticipant 3,Zoe Absent\n")
    room.run("student", room.out, "zoe absent", code=2)
    said = "error: zoe absent is in Moodle's worksheet and handed in nothing: there is no grade to show\n"
    assert room.errors == said


def test_what_is_not_there_is_named(room: Classroom) -> None:
    for words, error in (
        ((room.out, "Adda"), "there is no student 'Adda'; is Ada meant?"),
        ((room.folder / "nowhere", "Ada"), "there are no grades here"),
        ((room.out,), "NAME"),
    ):
        room.run("student", *words, code=2)
        assert error in room.errors
