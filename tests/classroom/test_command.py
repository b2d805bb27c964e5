"""The command on a whole class, from a download to everything that goes back."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.course.courses import ROOT
from grader.grading.session import Settings
from tests.classroom.conftest import WRONG, Run, write_all
from tests.submissions import PLAIN


def table(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text())))


@pytest.fixture
def download(tmp_path: Path) -> Path:
    files = {
        "Ada Lovelace_11_assignsubmission_file_/tictactoe.py": PLAIN,
        "Bob Bad_12_assignsubmission_file_/tictactoe.py": WRONG,
        "Carol None_13_assignsubmission_file_/essay.txt": "sorry",
    }
    return write_all(tmp_path / "download", files)


def test_without_pages_none_are_named(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(download, "--out", tmp_path / "out", "--no-html") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "gradebook.csv, canvas.csv, moodle.csv, feedback/, feedback.zip, grades/." in said
    assert "index.html" not in said and "reports/" not in said


def test_a_class_from_its_download(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(download, "--out", out) == 0
    printed = capsys.readouterr()
    assert "2 of 3 graded, median 8, mean 8 of 10" in printed.out
    assert "player/start  1" in printed.out
    assert "Carol None: There is no tictactoe.py" in printed.out
    assert printed.err.splitlines()[-1].startswith("3/3 ")
    assert (out / "summary.txt").read_text() == printed.out
    assert {file.name for file in (out / "grades").iterdir()} == {
        "Ada_Lovelace.json",
        "Bob_Bad.json",
        "Carol_None.json",
    }
    moodle = table(out / "moodle.csv")
    assert [(row["Identifier"], row["Grade"]) for row in moodle] == [
        ("Participant 11", "10"),
        ("Participant 12", "6"),
        ("Participant 13", ""),
    ]
    feedback = (out / "feedback/Bob_Bad.txt").read_text()
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
def test_nothing_that_strangers_write_comes_through_raw(
    run: Run, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "out", tmp_path / "again"
    for out, more in ((first, []), (first, []), (second, ["--diff", first, "--similarity"])):
        assert run(hostile, "--out", out, *more) == 0
        printed = capsys.readouterr()
        files = {file: read(file) for file in out.rglob("*") if file.is_file()}
        for text in (printed.out, printed.err, *files.values(), *map(str, files)):
            assert set(text).isdisjoint(RAW)
            assert not any(line.startswith("FORGED") for line in text.splitlines())
    names = {file.name for file in files}
    assert {
        "summary.txt",
        "gradebooks.txt",
        "gradebook.csv",
        "canvas.csv",
        "moodle.csv",
        "index.html",
    } <= names
    for name in ("gradebook.csv", "canvas.csv", "moodle.csv"):
        rows = list(csv.reader(io.StringIO((out / name).read_text(), newline="")))
        assert len(rows) == 7 + 1 + (name == "canvas.csv")
        assert not any(cell.startswith(("=", "+", "@")) or "\n" in cell for row in rows for cell in row)
    assert not any("<script" in row["Feedback comments"] for row in table(out / "moodle.csv"))
    assert "2 submissions have the number 10 in Moodle" in (out / "gradebooks.txt").read_text()
    assert [row["Identifier"] for row in table(out / "moodle.csv")].count("") == 3
    for file in (out / "grades").iterdir():
        assert json.loads(file.read_text())["student"].startswith(
            r'=cmd|"A", <script>alert(1)<b> [red]\x1b\x07'
        )
    for file in (out / "feedback").glob("*.txt"):
        assert file.read_text().startswith(r'=cmd|"A", <script>alert(1)<b> [red]\x1b\x07')


def test_a_spoofed_number_goes_to_nobody(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a file that is named like another's hand-in: Moodle got two rows of participant 77777."""
    spoof = "Vic Tim_77777_assignsubmission_file_tictactoe.py"
    download = write_all(
        tmp_path / "download",
        {
            "Ada Lovelace_11_assignsubmission_file_/tictactoe.py": PLAIN,
            "Vic Tim_77777_assignsubmission_file_/tictactoe.py": PLAIN,
            spoof: WRONG,
        },
    )
    out = tmp_path / "out"
    assert run(download, "--out", out) == 0
    assert [(row["Identifier"], row["Grade"]) for row in table(out / "moodle.csv")] == [
        ("Participant 11", "10"),
        ("", ""),
        ("", ""),
    ]
    sentence = (
        "2 submissions have the number 77777 in Moodle, so moodle.csv has a grade for none of them; find out whose "
        f"each is: Vic Tim (Vic Tim_77777_assignsubmission_file_); Vic Tim ({spoof})."
    )
    assert sentence in (out / "gradebooks.txt").read_text()
    assert "2 submissions have the number 77777 in Moodle" in capsys.readouterr().out
    told = [file.read_text() for file in (out / "feedback").glob("Vic*.txt")]
    assert len(told) == 2 and all("Another submission has the same number in Moodle" in text for text in told)


def test_a_persons_decision_is_merged_shown_and_never_lost(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    write_all(
        out,
        {
            "adjustments.yaml": "- student: Bob Bad\n  criterion: player\n  points: 7.5\n  comment: Right idea.\n  by: Dr. Who\n"
        },
    )
    for regrade in ([], ["--regrade"]):
        assert run(download, "--out", out, *regrade) == 0
        (bob,) = [row for row in table(out / "gradebook.csv") if row["student"] == "Bob Bad"]
        assert (bob["player"], bob["score"]) == ("7.5", "9.5")
        printed = capsys.readouterr()
        assert "1 adjusted by a person" in printed.out
        assert "Bob Bad: 9.5" in printed.err and "Bob Bad: 6" not in printed.err
        feedback = (out / "feedback/Bob_Bad.txt").read_text()
        assert "Total  9.5 / 10" in feedback and "Total  6" not in feedback
        for page in ("reports/Bob_Bad.html", "feedback/Bob_Bad.html"):
            text = (out / page).read_text()
            assert '<div class="total">9.5 <small>of 10' in text and "Comments from your instructor" in text
        assert "Player: 7.5 of 8 (4 by the grader, marked by Dr. Who): Right idea" in feedback
        assert json.loads((out / "grades/Bob_Bad.json").read_text())["grade"]["score"] == 6
    assert "Dr. Who" in (out / "moodle.csv").read_text()


def test_a_decision_is_shown_when_a_grade_comes_out_the_same_to_the_last_figure(
    run: Run, download: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is written anew with the grade: that it says what it said before is no reason to leave it."""
    monkeypatch.setattr("grader.classroom.outputs.plain", lambda record: record.key)
    out = tmp_path / "out"
    decision = "- student: Bob Bad\n  criterion: player\n  points: 7.5\n  comment: Right.\n  by: Ada\n"
    write_all(out, {"adjustments.yaml": decision})
    for regrade in ([], ["--regrade"]):
        assert run(download, "--out", out, *regrade) == 0
        assert "Player: 7.5 of 8" in (out / "reports/Bob_Bad.html").read_text()


def test_who_was_not_graded_has_the_grade_that_a_person_gave(
    run: Run, download: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    decision = (
        "- student: Carol None\n  criterion: player\n  points: 5\n  comment: Shown in class.\n  by: Ada\n"
    )
    write_all(out, {"adjustments.yaml": decision})
    assert run(download, "--out", out) == 0
    feedback = (out / "feedback/Carol_None.txt").read_text()
    assert (
        "Total: 5 of 10\nPlayer: 5 of 8 (marked by Ada): Shown in class\n" in feedback
        and "no grade yet" not in feedback
    )


def test_the_lms_files_are_filled_in_and_notes_are_shown(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sheet.csv").write_text(
        "ID,Name,Bewertung,Bestwertung,Zuletzt geändert (Bewertung),Feedback als Kommentar\n"
        + "".join(f'Teilnehmer/in{one},N{one},,"10,00",-,\n' for one in (11, 12, 13, 14))
    )
    (tmp_path / "grades.csv").write_text(
        "Student,ID,SIS Login ID,Section,A small one (5)\n    Points Possible,,,,10\n"
        '"Bad, Bob",1,bob,S,\n"Nemo, Captain",2,nemo,S,\n'
    )
    given = ["--moodle-worksheet", tmp_path / "sheet.csv", "--canvas-gradebook", tmp_path / "grades.csv"]
    assert run(download, "--out", tmp_path / "out", *given) == 0
    printed = capsys.readouterr().out
    assert "Gradebooks (also in gradebooks.txt)" in printed
    assert "In canvas.csv, but handed in nothing, and left as they were: Nemo, Captain." in printed
    notes = (tmp_path / "out" / "gradebooks.txt").read_text()
    assert "In moodle.csv, but handed in nothing, and left as they were: N14.\n" in notes
    assert [row["Bewertung"] for row in table(tmp_path / "out" / "moodle.csv")] == ["10", "6", "", ""]
    assert [row["A small one (5)"] for row in table(tmp_path / "out" / "canvas.csv")] == ["10", "6", ""]
    assert run(download, "--out", tmp_path / "out2", "--moodle-worksheet", tmp_path / "grades.csv") == 2
    assert not (tmp_path / "out2").exists()


def test_a_wrong_decision_stops_before_anybody_is_graded(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = write_all(
        tmp_path / "out",
        {"adjustments.yaml": "- student: Bub Bad\n  criterion: player\n  points: 1\n  comment: c\n  by: d\n"},
    )
    assert run(download, "--out", out) == 2
    assert "adjustments.yaml:1: there is no student 'Bub Bad'; is Bob Bad meant?" in capsys.readouterr().err
    assert not (out / "grades").exists()


def test_who_changed_and_by_which_case(
    run: Run, download: Path, tmp_path: Path, small: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert run(download, "--out", old) == 0
    fixture = small.fixtures / "terminal.yaml"
    fixture.write_text(fixture.read_text() + "  - id: full\n    board: [XOX, XOX, OXO]\n    weight: 3\n")
    broken = download / "Ada Lovelace_11_assignsubmission_file_/tictactoe.py"
    broken.write_text(PLAIN.replace("all(cell is not EMPTY", "any(cell is not EMPTY"))
    assert run(download, "--out", new, "--diff", old) == 0
    printed = capsys.readouterr().out
    assert "Ada Lovelace  10 becomes" in printed and "terminal/full: not asked becomes" in printed
    assert main(["diff", str(old), str(new)]) == 0
    assert "Ada Lovelace  10 becomes" in capsys.readouterr().out
    assert main(["diff", str(new), str(new)]) == 0
    assert "Nobody's grade changed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["DOWNLOAD", "--json", "-"], "--json does not go with a class"),
        (["DOWNLOAD", "--jobs", "0"], "--jobs is at least 1"),
        (["DOWNLOAD", "--out", "FILE"], "is a file: --out names a folder"),
        (["DOWNLOAD", "--similarity", "--template", "NOWHERE"], "there is no such template"),
        (["--out", "OUT"], "name the class"),
        (["--diff", "OUT", "--out", "OUT"], "name the class"),
        (["NOWHERE", "--out", "OUT"], "no such file or folder"),
        (["DOWNLOAD", "--fixtures", "NOWHERE"], "no such folder of fixtures"),
        (["DOWNLOAD", "--cluster", "tcp://127.0.0.1:1"], "there is no Dask scheduler"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_a_sentence(  # noqa: PLR0917 - fixtures and cases
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("grader.classroom.batch._TIMEOUT", 1)
    (tmp_path / "file").write_text("")
    named = {
        "DOWNLOAD": download,
        "FILE": tmp_path / "file",
        "OUT": tmp_path / "o",
        "NOWHERE": tmp_path / "nowhere",
    }
    monkeypatch.chdir(tmp_path)
    assert run(*(named.get(one, one) for one in arguments)) == 2
    assert message in capsys.readouterr().err


def test_a_bad_fixture_stops_before_anybody_is_graded(
    run: Run, download: Path, tmp_path: Path, small: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    (small.fixtures / "terminal.yaml").unlink()
    assert run(download, "--out", tmp_path / "out") == 2
    assert "the criterion 'terminal' has no case" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive
def test_the_whole_rubric_on_two_jobs(tmp_path: Path, reference_source: str) -> None:
    """The shipped rubric, in a process of its own, as an instructor runs it."""
    folder = write_all(tmp_path / "class", {"ada.py": reference_source, "bob.py": "import nothing_there\n"})
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_grader.py"), str(folder)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert "2 of 2 graded" in done.stdout and "To look at\n  bob: It imports" in done.stdout
    assert "Failed most often" not in done.stdout  # who does not run fails no case in particular
    assert {file.name for file in (tmp_path / "grades").iterdir()} >= {
        "gradebook.csv",
        "canvas.csv",
        "moodle.csv",
        "summary.txt",
    }


def test_the_files_beside_a_submission_reach_the_judge(run: Run, small: Settings, tmp_path: Path) -> None:
    """From a class's archive, through the task, to the notes."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ada/tictactoe.py", PLAIN)
        archive.writestr("ada/README.md", "Name: Ada, id 12345. Approach: minimax. Challenges: none.")
        archive.writestr("bob/tictactoe.py", PLAIN)
    out = tmp_path / "out"
    small.rubric_file.write_text(f"{small.rubric_file.read_text()}hand_in: note\n")
    asked = (ROOT / "fixtures" / "hand_in.yaml").read_text()
    (small.fixtures / "hand_in.yaml").write_text(asked.replace("criterion: quality", "criterion: player"))
    assert run(tmp_path / "class.zip", "--out", out) == 0
    notes = {
        name: json.loads((out / "grades" / f"{name}.json").read_text())["grade"]["notes"]
        for name in ("ada", "bob")
    }
    assert notes["ada"] == ["The submission: requirements.txt is missing."]
    assert notes["bob"] == [
        "The submission: README.md is missing; requirements.txt is missing.",
        "There is no README.",
    ]
