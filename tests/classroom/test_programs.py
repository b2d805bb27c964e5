"""A class that hands in programs: found in every form, graded, resumed, and what cannot be graded left open."""

import csv
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from grader.classroom.intake import Wanted, is_class, opened
from grader.cli.main import main

HANDED_IN = Path(__file__).parents[1] / "programs" / "handed_in"
PROGRAMS = Wanted("program")
JAVA = "public class Main { public static void main(String[] a) {} }"


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    """Give a folder with three students' programs: a right one, one that is not read, one without a source."""
    folder = tmp_path / "downloads"
    for student, program in (("ada", "as_assigned"), ("bob", "draws_no_board")):
        shutil.copytree(HANDED_IN / program, folder / student)
    (folder / "eve").mkdir()
    (folder / "eve" / "essay.pdf").write_bytes(b"%PDF")
    return folder


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """Give a rubric that lets a program play for some seconds only: a busy machine sees less, nothing wrong."""
    file = tmp_path / "rubric.yaml"
    file.write_text("extends: cpsc352\nlimits:\n  total: 20\n")
    return file


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "gradebook.csv").open(encoding="utf-8") as stream:
        return {row["student"]: row for row in csv.DictReader(stream)}


def statuses(out: Path, student: str) -> set[str]:
    """Return what came of the cases of how a program plays."""
    (file,) = (out / "grades").glob(f"{student}*.json")
    grade = json.loads(file.read_text())["grade"]
    correctness = next(criterion for criterion in grade["criteria"] if criterion["id"] == "correctness")
    return {case["status"] for case in correctness["verdicts"]}


@pytest.mark.exhaustive
def test_a_class_is_graded_and_resumed(
    downloads: Path, rubric: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main([str(downloads), "--rubric", str(rubric), "--out", str(out), "--jobs", "2"]) == 0
    found = rows(out)
    assert float(found["ada"]["total"]) > 0 and found["ada"]["status"] == "graded, provisional"
    assert "passed" in statuses(out, "ada") <= {"passed", "skipped"}
    assert found["bob"]["total"] == found["eve"]["total"] == ""
    assert "not graded" in found["bob"]["status"]
    feedback = (out / "feedback" / "bob.txt").read_text()
    assert "What was tried" in feedback and "Blindfold" in feedback
    said = capsys.readouterr().out
    assert "bob: not gradable" in said and "eve: There is no source of a program" in said
    page = (out / "reports" / "ada.html").read_text()
    assert "Play against it" in page
    before = (out / "grades" / "ada.json").stat().st_mtime_ns
    assert main([str(downloads), "--rubric", str(rubric), "--out", str(out)]) == 0
    assert (out / "grades" / "ada.json").stat().st_mtime_ns == before


def test_what_could_not_be_played_has_a_report_with_what_was_tried(rubric: Path, tmp_path: Path) -> None:
    """Given two programs that end at once, and a folder without a source, of which there is nothing to show."""
    folder, out = tmp_path / "class", tmp_path / "out"
    files(folder, ada_in_game__py="print('soon')\n", bob_in_game__py="", eve_in_essay__pdf="%PDF")
    assert main([str(folder), "--rubric", str(rubric), "--out", str(out), "--jobs", "1"]) == 0
    report, index = (out / "reports" / "ada.html").read_text(), (out / "index.html").read_text()
    for words in (
        "Not gradable",
        "What was tried:",
        "it was started: it ended",
        "The screen at last:\nsoon",
        "squares: 1-9",
    ):
        assert words in report, words
    assert "print" in report.partition("The source")[2] and "Graded in" not in report
    assert 'href="reports/ada.html"' in index and not (out / "reports" / "eve.html").exists()
    assert rows(out)["ada"]["total"] == "", "no zero goes out"
    assert main(["student", str(out), "ada", "--html", str(tmp_path / "ada.html")]) == 0
    assert (tmp_path / "ada.html").read_text() == report


@pytest.mark.exhaustive
def test_an_archive_of_one_program_is_graded(rubric: Path, tmp_path: Path) -> None:
    archive = tmp_path / "ada.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("project/ttt.py", (HANDED_IN / "as_assigned" / "ttt.py").read_text())
        packed.writestr("project/README.md", "Ada")
    out = tmp_path / "out"
    assert main([str(archive), "--rubric", str(rubric), "--out", str(out)]) == 0
    assert "passed" in statuses(out, "ada") <= {"passed", "skipped"}


def files(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        file = folder / name.replace("__", ".").replace("_in_", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("texts", "several"),
    [
        ({"Main__java": JAVA}, False),
        ({"src_in_Main__java": JAVA, "src_in_Board__java": "class Board {}"}, False),
        ({"game__c": "int main() {}", "tests_in_check__c": "int check() {}"}, False),
        ({"ada_in_Main__java": JAVA, "bob_in_main__py": "input()"}, True),
        ({"ada_in_a__c": "int main() {}", "bob_in_b__c": "int main() {}"}, True),
        ({"ada__py": "input()", "bob__py": "input()"}, True),
        ({"A__java": JAVA, "B__java": JAVA, "README__md": "java B"}, False),
        ({"ann_in_A__java": JAVA, "ann_in_B__java": JAVA, "ben_in_c__c": "int main() {}"}, True),
    ],
)
def test_one_program_is_told_from_many(texts: dict[str, str], several: bool, tmp_path: Path) -> None:
    assert is_class(files(tmp_path / "it", **texts), PROGRAMS) is several


def test_what_a_canvas_download_has(tmp_path: Path) -> None:
    folder = tmp_path / "canvas"
    folder.mkdir()
    (folder / "lovelaceada_11_22_main.py").write_text("import board\ninput()")
    (folder / "lovelaceada_11_23_board.py").write_text("old")
    (folder / "lovelaceada_LATE_11_24_board-1.py").write_text("new")
    with zipfile.ZipFile(folder / "hopperbob_33_44_project.zip", "w") as packed:
        packed.writestr("Main.java", JAVA)
    with opened([folder], PROGRAMS) as entries:
        bob, ada = entries
        assert bob.file and (bob.student, bob.file.name) == ("hopperbob", "Main.java")
        assert (
            ada.file
            and ada.folder
            and (ada.student, ada.file.name, ada.late) == ("lovelaceada", "main.py", True)
        )
        assert (ada.folder / "board.py").read_text() == "new"
