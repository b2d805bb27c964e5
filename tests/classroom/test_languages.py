"""A class in several languages: each student reads the own one, the instructor the command's."""

import csv
import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import class_summary, gradebooks, outputs, records
from grader.classroom.adjustments import Adjustment, decided
from grader.classroom.outputs import Closing, answer_text
from grader.classroom.records import ClassResult, ClassState, FaultyTest, LateWork, Record
from grader.core.course.rubric import Late
from grader.core.grade import Grade, Mistake
from grader.core.messages import in_language
from grader.report.wording import Quoted, as_text
from tests.classroom.conftest import WRONG, Classroom, write_all
from tests.places.grades import RUBRIC, UNRUN, grade, unrun
from tests.pseudo import CODE, english, known, pseudo, shown
from tests.submissions import PLAIN

IDS = (
    *("player", "Player", "minimax", "alpha", "beta", "ada", "py"),
    *("canvas", "csv", "moodle", "feedback", "txt", "html"),
)
PLACES = "index", "gradebook", "zip", "reports", "grades", "mark", "gradebooks"


@pytest.fixture
def _pseudo() -> Iterator[None]:
    with known():
        yield


def in_pseudo(given: Grade) -> Grade:
    """Return a grade without a word of the course's or the submission's."""
    criteria = tuple(
        replace(
            criterion,
            description="7",
            verdicts=tuple(
                replace(case, id="7", reason="7", call="7", got="7") for case in criterion.verdicts
            ),
        )
        for criterion in given.criteria
    )
    return replace(given, language=CODE, title="7", submission="7", criteria=criteria)


def record(key: str, given: Grade | None = None, **more: object) -> Record:
    about = {"key": key, "student": "7", "submission": "7", "status": "graded", "language": CODE} | more
    return Record(**about, grade=given and in_pseudo(given))  # type: ignore[arg-type]


def everybody() -> list[Record]:
    """Return a student of every kind."""
    with in_language(CODE):
        mistake = Mistake(function="player", id="7", title="7", sentence="7")
        made = replace(grade(0, 0.5, 0), mistakes=(mistake,), scaled=5.0, scale_to=6.0)
        by_hand = grade(0, 0.5, 0)
        by_hand = replace(
            by_hand, criteria=(replace(by_hand.criteria[0], by_hand=True), *by_hand.criteria[1:])
        )
        failure = unrun(replace(UNRUN, sentence="7", text="7"))
        points = Adjustment(student="7", criterion="player", points=1, comment="7", by="7")
        total = Adjustment(student="7", points=1, comment="7", by="7")
        excused = Adjustment(student="7", late="excused", comment="7", by="7")
        return [
            record("1", made, late=True),
            record("2", by_hand, outdated=True),
            record("3", failure),
            record("4", status="not_graded", why="7"),
            record("5", status="grader_error", why="7"),
            decided(record("6", made), [points, total, excused], RUBRIC),
            decided(record("7", status="not_graded", why="7"), [total], RUBRIC),
        ]


@pytest.mark.usefixtures("_pseudo")
def test_what_students_read_has_no_english_of_ours() -> None:
    for record in everybody():
        assert english(answer_text(record), *IDS) == [], record.key
        assert english(gradebooks.comment(record), *IDS) == [], record.key


@pytest.mark.usefixtures("_pseudo")
def test_what_instructors_read_has_no_english_of_ours(tmp_path: Path) -> None:
    finals = tuple(everybody())
    rubric = replace(RUBRIC, title="7")
    alike = records.Alike(files=40, pairs=(records.AlikePair(keys=("1", "2"), shares=(0.9, 0.8), one_in=5_148),),
                          left_out=1, too_short=1, not_graded=2, beyond_template=True)  # fmt: skip
    faulty = FaultyTest(criterion="player", id="7", timed_out=2, students=3)
    kept = ClassState(
        rubric=rubric, keys=tuple(record.key for record in finals), alike=alike, faulty_tests=(faulty,)
    )
    with in_language(CODE):
        notes = outputs.returned(outputs.Forms(), finals, rubric).notes
        summary = as_text(class_summary.render(ClassResult(kept, tmp_path / "7", finals, notes)))
        Closing(tmp_path, kept).index(finals)
    words = english(summary.replace(str(tmp_path), ""), *IDS, *PLACES)
    assert words == ["release", "when", "marked"] * words.count("release")
    assert english(shown((tmp_path / "index.html").read_text()), *IDS, "mark", "functions") == []


@pytest.mark.usefixtures("_pseudo")
def test_files_for_other_systems_keep_their_headings_figures_and_states() -> None:
    with in_language(CODE):
        finals = everybody()
        book = list(csv.DictReader(io.StringIO(gradebooks.gradebook(finals, RUBRIC))))
        worksheet = list(csv.DictReader(io.StringIO(gradebooks.moodle(finals, ["7"] * 7, 40.0)[0])))
    assert book[0]["status"] == "graded, late"
    assert (book[0]["total"], worksheet[0]["Grade"]) == ("40", "5")
    assert (
        book[2]["status"] == "graded, fails to run, provisional"
        or book[2]["status"] == "graded, fails to run"
    )


@pytest.mark.usefixtures("_pseudo")
def test_late_work_and_timed_out_tests_are_told_in_the_students_language() -> None:
    late = replace(RUBRIC, late=Late(per_day=1.0))
    told = decided(record("1", grade(1, 1, 0)), [], late, LateWork(by=None))
    assert "Late" not in answer_text(told)
    waiting = record("1", grade(1, 1, 0))
    waiting = replace(waiting, grade=replace(waiting.grade, criteria=tuple(
        replace(criterion, by_hand=True) for criterion in waiting.grade.criteria)) if waiting.grade else None)  # fmt: skip
    assert waiting.provisional.startswith(pseudo("Provisional"))


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Give a roster of three students with a language each, and one without."""
    folder = write_all(
        tmp_path / "in", {"a.py": PLAIN, "b.py": WRONG, "c.py": "def player(:\n", "d.py": WRONG}
    )
    roster = folder / "roster.csv"
    roster.write_text(
        "student,file,language\nAda,a.py,en\nBia,b.py,pt\nDina,d.py,\nCem,c.py,ar\nEve,e.py,de\n"
    )
    return roster


LANGUAGES = {"Ada": "en", "Bia": "pt", "Cem": "ar", "Dina": "en", "Eve": "de"}


def test_each_student_of_a_roster_has_an_own_language(room: Classroom, three: Path) -> None:
    room.grade(three)
    packed = zipfile.ZipFile(room.out / "feedback.zip")
    for student, code in LANGUAGES.items():
        found = records.load(room.out, student)
        assert found and found.language == code
        assert "language" not in gradebooks.gradebook([found], records.load_class(room.out).rubric)
        if found.grade:
            assert found.grade.language == code
            feedback = packed.read(f"{student}/feedback.html").decode()
            for text in (room.text(f"reports/{student}.html"), feedback):
                assert f'<html lang="{code}" dir=' in text
    index = room.text("index.html")
    assert '<html lang="en" dir="ltr">' in index
    assert '<strong>Cem</strong>: <span lang="ar" dir="auto">' in index
    assert '<strong>Eve</strong>: <span lang="de" dir="auto">Es gibt keine Datei e.py</span>' in index


def test_a_later_run_without_the_roster_keeps_the_languages(room: Classroom, three: Path) -> None:
    """Given the same students, then their files alone."""
    room.grade(three)
    lines = three.read_text().splitlines()
    three.write_text("\n".join(",".join(line.split(",")[:2]) for line in lines))
    room.grade(three)
    assert {record.student: record.language for record in records.load_all(room.out)} == LANGUAGES


def test_only_who_has_another_language_is_graded_again(room: Classroom, three: Path) -> None:
    room.grade(three, "--language", "fr")
    assert {record.student: record.language for record in records.load_all(room.out)} == {
        **LANGUAGES,
        "Dina": "fr",
    }
    three.write_text(three.read_text().replace("d.py,", "d.py,de"))
    room.grade(three, "--language", "fr")
    again = [line.split()[1] for line in room.errors.splitlines() if "inchangé" not in line]
    assert again == ["Dina:"]


def test_an_unknown_language_is_refused_before_anybody_is_graded(room: Classroom, three: Path) -> None:
    three.write_text(three.read_text().replace("b.py,pt", "b.py,klingon"))
    room.grade(three, code=2)
    known = "there are en, ar, de, es, fr, pt"
    assert room.errors == f"error: {three}:3: there is no language 'klingon': {known}\n"
    assert not (room.out / "grades").exists()
    room.run("grade", three, "--language", "xx", code=2)
    assert f"there is no language 'xx': {known}" in room.errors


@pytest.mark.usefixtures("_pseudo")
def test_a_mistake_is_counted_once_whatever_its_students_read(tmp_path: Path) -> None:
    """Given one mistake of three students, in two languages; and one that only the other language has."""
    found = []
    for key, code, titles in (("a", "en", ("one",)), ("b", CODE, ("ein", "zwei")), ("c", "en", ("one",))):
        made = tuple(
            Mistake(function="player", id=str(at), title=title, sentence="s")
            for at, title in enumerate(titles)
        )
        given = replace(grade(0, 1, 0), mistakes=made, language=code)
        found.append(
            Record(key=key, student=key, submission="s", status="graded", language=code, grade=given)
        )
    assert class_summary.mistakes_of(found) == [
        (Quoted("player one", "en"), ["a", "b", "c"]),
        (Quoted("player zwei", CODE), ["b"]),
    ]
    with in_language(CODE):
        assert [len(who) for _, who in class_summary.mistakes_of(found)] == [3, 1]
    Closing(tmp_path, ClassState(rubric=RUBRIC, keys=("a", "b", "c"))).index(found)
    index = (tmp_path / "index.html").read_text()
    assert '<span lang="qq" dir="auto">player zwei</span>' in index
    assert index.count("mistake player one") == 4  # the button, and each student
