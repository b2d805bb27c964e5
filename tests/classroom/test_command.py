"""The command on a whole class, from a download to everything that goes back."""

import csv
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.course.courses import ROOT
from tests.classroom.conftest import WRONG, Classroom, write_all, zipped
from tests.submissions import PLAIN


@pytest.fixture
def download(tmp_path: Path) -> Path:
    files = {
        "Ada Lovelace_11_assignsubmission_file_/tictactoe.py": PLAIN,
        "Bob Bad_12_assignsubmission_file_/tictactoe.py": WRONG,
        "Carol None_13_assignsubmission_file_/essay.txt": "sorry",
    }
    return write_all(tmp_path / "download", files)


def test_without_pages_none_are_named(room: Classroom, download: Path) -> None:
    said = room.grade(download, "--no-html")
    assert "gradebook.csv, canvas.csv, moodle.csv, feedback/, feedback.zip, grades/." in said
    assert "index.html" not in said and "reports/" not in said


def test_a_class_from_its_download(room: Classroom, download: Path) -> None:
    said = room.grade(download)
    assert "2 of 3 graded, median 8, mean 8 of 10" in said
    assert "player/start  1" in room.printed
    assert "Carol None: There is no tictactoe.py" in said
    assert room.errors.splitlines()[-1].startswith("3/3 ")
    assert room.text("summary.txt") == room.printed
    grades = {file.name for file in (room.out / "grades").iterdir()}
    assert grades == {"Ada_Lovelace.json", "Bob_Bad.json", "Carol_None.json"}
    moodle = [(row["Identifier"], row["Grade"]) for row in room.table("moodle.csv")]
    assert moodle == [("Participant 11", "10"), ("Participant 12", "6"), ("Participant 13", "")]
    feedback = room.text("feedback/Bob_Bad.txt")
    assert feedback.startswith("Bob Bad\n") and "1. player" in feedback
    assert "1 of 1 hidden case" in feedback and "late" not in feedback  # what students may not see


RAW = "\x1b\x07\x9b\u202e\u2028\x85\udcff"
HOSTILE = f'=cmd|"A", <script>alert(1)<b> [red]{RAW}\nFORGED'
LITERAL = HOSTILE.encode("unicode_escape").decode().replace('"', '\\"')


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Give a download of Moodle in which everybody has chosen every name and text with care."""
    raising = PLAIN.replace("def player(board):", f'def player(board):\n    raise ValueError("{LITERAL}")', 1)
    importing = PLAIN + f'\n\ndef more():\n    __import__("{LITERAL}")\n    import ctypes\n'
    texts = {
        "tictactoe.py": raising,
        f"{HOSTILE}.py": importing,
        f"{HOSTILE}/tictactoe.py": f'raise SystemError("{LITERAL}")\n',
        f"{HOSTILE}.txt": "sorry",
        "two.py": f"x = \u202e1  # {RAW[:4]}\n",
    }
    for number, (name, text) in enumerate(texts.items(), 10):
        place = tmp_path / "hostile" / f"{HOSTILE}_{number}_assignsubmission_file_" / name
        place.parent.mkdir(parents=True)
        place.write_text(text, encoding="utf-8", errors="surrogateescape")
        (place.parent / f"{HOSTILE}.md").write_text(RAW, encoding="utf-8", errors="surrogateescape")
    (tmp_path / "hostile" / HOSTILE).symlink_to("nowhere")
    (tmp_path / "hostile" / f"{HOSTILE}_10_assignsubmission_file_x.py").write_text(PLAIN)
    return tmp_path / "hostile"


def read(file: Path) -> str:
    """Return all the text in a file, also in a zip: names, and what is in them."""
    if file.suffix != ".zip":
        return file.read_text(encoding="utf-8")
    with zipfile.ZipFile(file) as packed:
        return "\n".join([*packed.namelist(), *(packed.read(name).decode() for name in packed.namelist())])


@pytest.mark.exhaustive
def test_nothing_that_strangers_write_comes_through_raw(room: Classroom, hostile: Path) -> None:
    again = room.folder / "again"
    for out, more in ((room.out, ()), (room.out, ()), (again, ("--diff", room.out, "--similarity"))):
        room.grade(hostile, "--out", out, *more)
        files = {file: read(file) for file in out.rglob("*") if file.is_file()}
        for text in (room.printed, room.errors, *files.values(), *map(str, files)):
            assert set(text).isdisjoint(RAW)
            assert not any(line.startswith("FORGED") for line in text.splitlines())
    books = ("gradebook.csv", "canvas.csv", "moodle.csv")
    assert {"summary.txt", "gradebooks.txt", "index.html", *books} <= {file.name for file in files}
    for name in books:
        with (room.out / name).open(newline="") as stream:
            rows = list(csv.reader(stream))
        assert len(rows) == 7 + 1 + (name == "canvas.csv")
        assert not any(cell.startswith(("=", "+", "@")) or "\n" in cell for row in rows for cell in row)
    moodle = room.table("moodle.csv")
    assert not any("<script" in row["Feedback comments"] for row in moodle)
    assert "2 submissions have the number 10 in Moodle" in room.text("gradebooks.txt")
    assert [row["Identifier"] for row in moodle].count("") == 3
    shown = r'=cmd|"A", <script>alert(1)<b> [red]\x1b\x07'
    for file in (room.out / "grades").iterdir():
        assert json.loads(file.read_text())["student"].startswith(shown)
    for file in (room.out / "feedback").glob("*.txt"):
        assert file.read_text().startswith(shown)


def test_a_spoofed_number_goes_to_nobody(room: Classroom) -> None:
    """Given a file that is named like another's submission: Moodle got two rows of participant 77777."""
    spoof = "Vic Tim_77777_assignsubmission_file_tictactoe.py"
    files = {
        "Ada Lovelace_11_assignsubmission_file_/tictactoe.py": PLAIN,
        "Vic Tim_77777_assignsubmission_file_/tictactoe.py": PLAIN,
        spoof: WRONG,
    }
    printed = room.grade(write_all(room.folder / "download", files))
    moodle = [(row["Identifier"], row["Grade"]) for row in room.table("moodle.csv")]
    assert moodle == [("Participant 11", "10"), ("", ""), ("", "")]
    sentence = (
        "2 submissions have the number 77777 in Moodle, so moodle.csv has a grade for none of them; find out whose "
        f"each is: Vic Tim (Vic Tim_77777_assignsubmission_file_); Vic Tim ({spoof})."
    )
    assert sentence in room.text("gradebooks.txt")
    assert "2 submissions have the number 77777 in Moodle" in printed
    texts = [file.read_text() for file in (room.out / "feedback").glob("Vic*.txt")]
    assert len(texts) == 2 and all(
        "Another submission has the same number in Moodle" in text for text in texts
    )


def decision(student: str, points: float, comment: str, by: str) -> str:
    return (
        f"- student: {student}\n  criterion: player\n  points: {points}\n  comment: {comment}\n  by: {by}\n"
    )


def test_a_persons_decision_is_merged_shown_and_never_lost(room: Classroom, download: Path) -> None:
    room.write("out/adjustments.yaml", decision("Bob Bad", 7.5, "Right idea.", "Dr. Who"))
    for regrade in ((), ("--regrade",)):
        assert "1 adjusted by a person" in room.grade(download, *regrade)
        (bob,) = [row for row in room.table() if row["student"] == "Bob Bad"]
        assert (bob["player"], bob["score"]) == ("7.5", "9.5")
        assert "Bob Bad: 9.5" in room.errors and "Bob Bad: 6" not in room.errors
        feedback = room.text("feedback/Bob_Bad.txt")
        assert "Total  9.5 / 10" in feedback and "Total  6" not in feedback
        for page in ("reports/Bob_Bad.html", "feedback/Bob_Bad.html"):
            text = room.text(page)
            assert '<div class="total">9.5 <small>of 10' in text and "Comments from your instructor" in text
            assert "Player: 7.5 of 8" in text
        assert "Player: 7.5 of 8 (4 by the grader, marked by Dr. Who): Right idea" in feedback
        assert json.loads(room.text("grades/Bob_Bad.json"))["grade"]["score"] == 6
    assert "Dr. Who" in room.text("moodle.csv")


def test_a_page_shows_what_was_decided_while_a_class_is_graded(
    room: Classroom, download: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a run that ends before its last step: its pages lost what was decided, and kept that when it was run again."""
    room.write("out/adjustments.yaml", decision("Bob Bad", 7.5, "Right idea.", "Dr. Who"))
    room.grade(download)

    def end(*given: object) -> None:
        raise UserError("ended")

    monkeypatch.setattr("grader.classroom.records.save_class", end)
    room.grade(download, "--regrade", code=2)
    assert "Player: 7.5 of 8" in room.text("reports/Bob_Bad.html")


def test_who_was_not_graded_has_the_grade_that_a_person_gave(room: Classroom, download: Path) -> None:
    room.write("out/adjustments.yaml", decision("Carol None", 5, "Shown in class.", "Ada"))
    room.grade(download)
    feedback = room.text("feedback/Carol_None.txt")
    assert "Total: 5 of 10\nPlayer: 5 of 8 (marked by Ada): Shown in class\n" in feedback
    assert "no grade yet" not in feedback


def test_the_lms_files_are_filled_in_and_notes_are_shown(room: Classroom, download: Path) -> None:
    rows = "".join(f'Teilnehmer/in{number},N{number},,"10,00",-,\n' for number in (11, 12, 13, 14))
    header = "ID,Name,Bewertung,Bestwertung,Zuletzt geändert (Bewertung),Feedback als Kommentar\n"
    sheet = room.write("sheet.csv", header + rows)
    grades = room.write(
        "grades.csv",
        "Student,ID,SIS Login ID,Section,A small one (5)\n    Points Possible,,,,10\n"
        '"Bad, Bob",1,bob,S,\n"Nemo, Captain",2,nemo,S,\n',
    )
    printed = room.grade(download, "--moodle-worksheet", sheet, "--canvas-gradebook", grades)
    assert "Gradebooks (also in gradebooks.txt)" in printed
    assert "In canvas.csv, but handed in nothing, and left as they were: Nemo, Captain." in printed
    notes = room.text("gradebooks.txt")
    assert "In moodle.csv, but handed in nothing, and left as they were: N14.\n" in notes
    assert [row["Bewertung"] for row in room.table("moodle.csv")] == ["10", "6", "", ""]
    assert [row["A small one (5)"] for row in room.table("canvas.csv")] == ["10", "6", ""]
    out2 = room.folder / "out2"
    room.grade(download, "--out", out2, "--moodle-worksheet", grades, code=2)
    assert not out2.exists()


def test_a_wrong_decision_stops_before_anybody_is_graded(room: Classroom, download: Path) -> None:
    room.write("out/adjustments.yaml", decision("Bub Bad", 1, "c", "d"))
    room.grade(download, code=2)
    assert "adjustments.yaml:1: there is no student 'Bub Bad'; is Bob Bad meant?" in room.errors
    assert not (room.out / "grades").exists()


def test_who_changed_and_by_which_case(room: Classroom, download: Path) -> None:
    room.grade(download)
    new, fixture = room.folder / "new", room.settings.fixtures / "terminal.yaml"
    fixture.write_text(fixture.read_text() + "  - id: full\n    board: [XOX, XOX, OXO]\n    weight: 3\n")
    broken = download / "Ada Lovelace_11_assignsubmission_file_/tictactoe.py"
    broken.write_text(PLAIN.replace("all(cell is not EMPTY", "any(cell is not EMPTY"))
    printed = room.grade(download, "--out", new, "--diff", room.out)
    assert "Ada Lovelace 10 becomes" in printed and "terminal/full: not asked becomes" in printed
    assert "Ada Lovelace 10 becomes" in room.run("diff", room.out, new)
    assert room.run("diff", new, new) == "Nobody's grade changed."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("download --json -", "--json does not go with a class"),
        ("download --jobs 0", "--jobs is at least 1"),
        ("download --out file", "is a file: --out names a folder"),
        ("download --similarity --template nowhere", "there is no such template"),
        ("", "name the class"),
        ("--diff old", "name the class"),
        ("nowhere", "no such file or folder"),
        ("download --fixtures nowhere", "no such folder of fixtures"),
        ("download --cluster tcp://127.0.0.1:1", "there is no Dask scheduler"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    room: Classroom, download: Path, words: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.classroom.batch._TIMEOUT", 1)
    monkeypatch.chdir(room.folder)
    room.write("file", "")
    room.grade(*words.split(), code=2)
    assert message in room.errors


def test_a_bad_fixture_stops_before_anybody_is_graded(room: Classroom, download: Path) -> None:
    (room.settings.fixtures / "terminal.yaml").unlink()
    room.grade(download, code=2)
    assert "the criterion 'terminal' has no case" in room.errors
    assert not room.out.exists()


@pytest.mark.exhaustive
def test_the_whole_rubric_on_two_jobs(tmp_path: Path, reference_source: str) -> None:
    """The shipped rubric, in a process of its own, as an instructor runs it."""
    folder = write_all(tmp_path / "class", {"ada.py": reference_source, "bob.py": "import nothing_there\n"})
    command = [sys.executable, str(ROOT / "run_grader.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "2 of 2 graded" in done.stdout and "To look at\n  bob: It imports" in done.stdout
    assert "Failed most often" not in done.stdout  # who does not run fails no case in particular
    names = {file.name for file in (tmp_path / "grades").iterdir()}
    assert names >= {"gradebook.csv", "canvas.csv", "moodle.csv", "summary.txt"}


def test_the_files_beside_a_submission_reach_the_judge(room: Classroom) -> None:
    """From a class's archive, through the task, to the notes."""
    readme = "Name: Ada, id 12345. Approach: minimax. Challenges: none."
    files = {"ada/tictactoe.py": PLAIN, "ada/README.md": readme, "bob/tictactoe.py": PLAIN}
    room.add_to_rubric("hand_in: note\n")
    asked = (ROOT / "fixtures" / "hand_in.yaml").read_text()
    room.write("small/fixtures/hand_in.yaml", asked.replace("criterion: quality", "criterion: player"))
    room.grade(zipped(room.folder / "class.zip", files))
    notes = {name: json.loads(room.text(f"grades/{name}.json"))["grade"]["notes"] for name in ("ada", "bob")}
    missing = "requirements.txt is missing."
    assert notes["ada"] == [f"The submission: {missing}"]
    assert notes["bob"] == [f"The submission: README.md is missing; {missing}", "There is no README."]
