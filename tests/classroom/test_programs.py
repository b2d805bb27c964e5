"""A class that hands in programs: found in every form, graded, resumed, and what cannot be graded left open."""

import json
import shutil
from pathlib import Path

import pytest

from grader.classroom.intake import Wanted, is_class, opened
from tests.classroom.conftest import Classroom, table, write_all, zipped

HANDED_IN = Path(__file__).parents[1] / "programs" / "handed_in"
PROGRAMS = Wanted("program")
JAVA = "public class Main { public static void main(String[] a) {} }"
MAIN = "int main() {}"


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """Give a rubric that lets a program play for some seconds only: a busy machine sees less, nothing wrong."""
    return write_all(tmp_path, {"rubric.yaml": "extends: cpsc352\nlimits:\n  total: 20\n"}) / "rubric.yaml"


def rows(room: Classroom) -> dict[str, dict[str, str]]:
    return {row["student"]: row for row in table(room.out / "gradebook.csv")}


def statuses(room: Classroom, student: str) -> set[str]:
    """Return what came of the cases of how a program plays."""
    (file,) = (room.out / "grades").glob(f"{student}*.json")
    criteria = {criterion["id"]: criterion for criterion in json.loads(file.read_text())["grade"]["criteria"]}
    return {case["status"] for case in criteria["correctness"]["verdicts"]}


@pytest.mark.exhaustive
def test_a_class_is_graded_and_resumed(rubric: Path, room: Classroom) -> None:
    """Given a right program, one whose board is not read, and a student without a source."""
    downloads = write_all(room.folder / "downloads", {"eve/essay.pdf": "%PDF"})
    for student, program in (("ada", "as_assigned"), ("bob", "draws_no_board")):
        shutil.copytree(HANDED_IN / program, downloads / student)
    said = room.run(downloads, "--rubric", rubric, "--out", room.out, "--jobs", "2")
    found = rows(room)
    assert float(found["ada"]["total"]) > 0 and found["ada"]["status"] == "graded, provisional"
    assert "passed" in statuses(room, "ada") <= {"passed", "skipped"}
    assert found["bob"]["total"] == found["eve"]["total"] == ""
    assert "not graded" in found["bob"]["status"]
    feedback = room.text("feedback/bob.txt")
    assert "What was tried" in feedback and "Blindfold" in feedback
    assert "bob: not gradable" in said and "eve: There is no source of a program" in said
    assert "Play against it" in room.text("reports/ada.html")
    before = (room.out / "grades" / "ada.json").stat().st_mtime_ns
    room.run(downloads, "--rubric", rubric, "--out", room.out)
    assert (room.out / "grades" / "ada.json").stat().st_mtime_ns == before


def test_what_could_not_be_played_has_a_report_with_what_was_tried(rubric: Path, room: Classroom) -> None:
    """Given two programs that end at once, and a folder without a source, of which there is nothing to show."""
    files = {"ada/game.py": "print('soon')\n", "bob/game.py": "", "eve/essay.pdf": "%PDF"}
    folder = write_all(room.folder / "class", files)
    room.run(folder, "--rubric", rubric, "--out", room.out, "--jobs", "1")
    report, index = room.text("reports/ada.html"), room.text("index.html")
    screen = "The screen at last:\nsoon"
    for words in ("Not gradable", "What was tried:", "it was started: it ended", screen, "squares: 1-9"):
        assert words in report, words
    assert "print" in report.partition("The source")[2] and "Graded in" not in report
    assert 'href="reports/ada.html"' in index and not (room.out / "reports" / "eve.html").exists()
    assert rows(room)["ada"]["total"] == "", "no zero goes out"
    page = room.folder / "ada.html"
    room.run("student", room.out, "ada", "--html", page)
    assert page.read_text() == report


@pytest.mark.exhaustive
def test_an_archive_of_one_program_is_graded(rubric: Path, room: Classroom) -> None:
    source = (HANDED_IN / "as_assigned" / "ttt.py").read_text()
    files = {"project/ttt.py": source, "project/README.md": "Ada"}
    room.run(zipped(room.folder / "ada.zip", files), "--rubric", rubric, "--out", room.out)
    assert "passed" in statuses(room, "ada") <= {"passed", "skipped"}


@pytest.mark.parametrize(
    ("files", "several"),
    [
        ({"Main.java": JAVA}, False),
        ({"src/Main.java": JAVA, "src/Board.java": "class Board {}"}, False),
        ({"game.c": MAIN, "tests/check.c": "int check() {}"}, False),
        ({"ada/Main.java": JAVA, "bob/main.py": "input()"}, True),
        ({"ada/a.c": MAIN, "bob/b.c": MAIN}, True),
        ({"ada.py": "input()", "bob.py": "input()"}, True),
        ({"A.java": JAVA, "B.java": JAVA, "README.md": "java B"}, False),
        ({"ann/A.java": JAVA, "ann/B.java": JAVA, "ben/c.c": MAIN}, True),
    ],
)
def test_one_program_is_told_from_many(files: dict[str, str], several: bool, tmp_path: Path) -> None:
    assert is_class(write_all(tmp_path / "it", files), PROGRAMS) is several


def test_what_a_canvas_download_has(tmp_path: Path) -> None:
    files = {
        "lovelaceada_11_22_main.py": "import board\ninput()",
        "lovelaceada_11_23_board.py": "old",
        "lovelaceada_LATE_11_24_board-1.py": "new",
    }
    zipped(write_all(tmp_path / "canvas", files) / "hopperbob_33_44_project.zip", {"Main.java": JAVA})
    with opened([tmp_path / "canvas"], PROGRAMS) as (bob, ada):
        assert bob.file and (bob.student, bob.file.name) == ("hopperbob", "Main.java")
        assert ada.file and ada.folder and ada.late
        assert (ada.student, ada.file.name) == ("lovelaceada", "main.py")
        assert (ada.folder / "board.py").read_text() == "new"
