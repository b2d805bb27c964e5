"""A class that is graded again, marked, asked about: nothing that was decided is lost, all numbers agree."""

import csv
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import records
from grader.classroom.class_summary import changes, render_changes
from grader.classroom.outputs import Closing
from grader.classroom.records import LateWork
from grader.cli.main import main
from grader.core.course.rubric import Late
from grader.course.courses import fixtures_of, rubric_of
from grader.grading.session import Settings
from grader.report.wording import as_text
from tests.classroom.conftest import WRONG, Run, write_all
from tests.marking.made import RUBRIC, grade, record, written
from tests.submissions import PLAIN

SHEET = """\
Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments
Participant 1,Ada,Submitted for grading - {late} late,,10,Yes,-,-,
Participant 2,Bob,Submitted for grading,,10,Yes,-,-,
"""
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,A small one (7)\n    Points Possible,,,,,10\nAda,11,,,,\nBob,12,,,,\n"


@pytest.fixture(autouse=True)
def late_work_costs_points(small: Settings) -> None:
    with small.rubric_file.open("a") as rubric:
        rubric.write("late: {per_day: 10%}\n")


@pytest.fixture
def download(tmp_path: Path) -> Path:
    names = {"Ada_1_assignsubmission_file_": PLAIN, "Bob_2_assignsubmission_file_": WRONG}
    return write_all(tmp_path / "in", {f"{name}/tictactoe.py": source for name, source in names.items()})


def totals(out: Path) -> dict[str, str]:
    rows = csv.DictReader(io.StringIO((out / "gradebook.csv").read_text()))
    return {row["student"]: row["total"] for row in rows}


def contents(out: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}


def test_what_a_class_was_graded_with_is_used_again(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, sheet, canvas = tmp_path / "out", tmp_path / "sheet.csv", tmp_path / "canvas_export.csv"
    sheet.write_text(SHEET.format(late="1 day"))
    canvas.write_text(CANVAS)
    assert run(download, "--out", out, "--moodle-worksheet", sheet, "--canvas-gradebook", canvas) == 0
    first = {name: (out / name).read_bytes() for name in ("gradebook.csv", "moodle.csv", "canvas.csv")}
    assert totals(out) == {"Ada": "9", "Bob": "6"}
    capsys.readouterr()
    assert run(download, "--out", out, "--regrade") == 0
    said = capsys.readouterr()
    assert {name: (out / name).read_bytes() for name in first} == first
    assert "Used again, from the last run: Moodle's worksheet and Canvas's gradebook." in said.out
    assert '"late": true' in (out / "grades/Ada.json").read_text()
    assert '"late": false' in (out / "grades/Bob.json").read_text()
    assert "1/2 Ada: 9\n" in said.err  # lateness included


@pytest.mark.exhaustive
def test_another_sandbox_grades_everybody_again(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
    out = tmp_path / "out"

    def graded(*options: str) -> tuple[list[str], int]:
        assert run(download, "--out", out, *options) == 0
        kinds = [one.grade.boundary.kind for one in records.load_all(out) if one.grade and one.grade.boundary]
        return kinds, capsys.readouterr().err.count("(unchanged)")

    assert graded("--sandbox-kind", "native") == (["native", "native"], 0)
    assert graded("--sandbox-kind", "native") == (["native", "native"], 2)
    assert graded("--sandbox-kind", "wasm") == (["wasm", "wasm"], 0)
    assert graded("--sandbox-kind", "wasm") == (["wasm", "wasm"], 2)


def test_a_class_in_two_sandboxes_says_so(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a class of which one student was graded in WebAssembly: by another worker of a cluster."""
    out = tmp_path / "out"
    assert run(download, "--out", out, "--sandbox-kind", "native") == 0
    assert "Two sandboxes" not in capsys.readouterr().out
    file = out / "grades/Ada.json"
    file.write_text(file.read_text().replace('"kind": "native"', '"kind": "wasm"'))
    assert run(download, "--out", out, "--sandbox-kind", "native") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Two sandboxes graded this class: wasm for Ada, native for all others." in said


@pytest.mark.exhaustive
def test_another_worksheet_replaces_the_first_with_a_sentence(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, first, second = tmp_path / "out", tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(SHEET.format(late="1 day"))
    second.write_text(SHEET.format(late="3 days"))
    assert run(download, "--out", out, "--moodle-worksheet", first) == 0
    capsys.readouterr()
    assert run(download, "--out", out, "--moodle-worksheet", second) == 0
    assert "Moodle's worksheet of the last run is replaced by second.csv." in capsys.readouterr().out
    assert totals(out)["Ada"] == "7"
    assert run(download, "--out", out) == 0 and totals(out)["Ada"] == "7"


def test_what_a_roster_told_is_known_without_it(run: Run, tmp_path: Path) -> None:
    """Given a roster with numbers and dates first, then the folder of the same students alone."""
    folder = write_all(tmp_path / "in", {"Ada/tictactoe.py": PLAIN, "Bob/tictactoe.py": WRONG})
    roster = folder / "roster.csv"
    roster.write_text("student,submission,ID,late\nAda,Ada,77,2d\nBob,Bob,78,no\n")
    out = tmp_path / "out"
    assert run(roster, "--out", out) == 0
    before = totals(out), (out / "canvas.csv").read_text()
    roster.unlink()
    assert run(folder, "--out", out) == 0
    assert (totals(out), (out / "canvas.csv").read_text()) == before
    assert before[0] == {"Ada": "8", "Bob": "6"} and '"77"' in before[1]


def graded(*arguments: str | Path) -> int:
    """Run the command without a rubric, unless one is among the arguments."""
    return main([str(one) for one in (*arguments, "--jobs", "1")])


def test_the_rubric_of_the_last_run_is_used_again(
    small: Settings, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a rubric and fixtures elsewhere, which the next runs do not name."""
    out, elsewhere = tmp_path / "out", small.fixtures.rename(tmp_path / "cases")
    assert graded(download, "--out", out, "--rubric", small.rubric_file, "--fixtures", elsewhere) == 0
    first, said = (out / "gradebook.csv").read_bytes(), capsys.readouterr().out
    assert "last run" not in said
    for named in ((), ("--rubric", small.rubric_file), ("--fixtures", elsewhere)):
        assert graded(download, "--out", out, *named) == 0
        printed = capsys.readouterr()
        assert printed.err.count("(unchanged)") == 2 and (out / "gradebook.csv").read_bytes() == first
        again = " ".join(printed.out.split())
        assert "replaced" not in again and ("Used again, from the last run: the" in again)
        assert (f"the rubric {small.rubric_file}" in again) == ("--rubric" not in named)
        assert (f"the fixtures {elsewhere}" in again) == ("--fixtures" not in named)


@pytest.mark.exhaustive
def test_another_rubric_replaces_the_first_with_a_sentence(
    small: Settings, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "out", small.rubric_file.with_name("other.yaml")
    other.write_text(small.rubric_file.read_text().replace("points: 8", "points: 18"))
    assert graded(download, "--out", out, "--rubric", small.rubric_file) == 0
    assert graded(download, "--out", out, "--rubric", other) == 0
    assert f"The rubric of the last run is replaced by {other}." in " ".join(capsys.readouterr().out.split())
    assert graded(download, "--out", out) == 0 and totals(out)["Ada"] == "20"


def test_a_rubric_that_is_gone_is_asked_for(
    small: Settings, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a folder whose rubric has gone; and one of an older version, which does not say where it was."""
    out = tmp_path / "out"
    assert graded(download, "--out", out, "--rubric", small.rubric_file) == 0
    text, before = small.rubric_file.read_text(), contents(out)
    small.rubric_file.unlink()
    assert graded(download, "--out", out) == 2
    error = capsys.readouterr().err
    assert f"{small.rubric_file}: is gone, and the class was graded by it: give --rubric FILE" in error
    assert contents(out) == before
    small.rubric_file.write_text(text)
    (out / "given" / "course.json").unlink()
    assert graded(download, "--out", out) == 2
    assert "was graded by another rubric, and does not say where that is: name it" in capsys.readouterr().err
    assert graded(download, "--out", out, "--rubric", small.rubric_file) == 0


def test_a_shipped_course_is_remembered_by_its_name(tmp_path: Path) -> None:
    records.keep_course(tmp_path, rubric_of("cs50ai"), fixtures_of(rubric_of("cs50ai")))
    assert records.given_course(tmp_path) == records.GivenCourse(course="cs50ai")
    assert records.GivenCourse(course="cs50ai").rubric_file == rubric_of("cs50ai")
    assert not records.GivenCourse(course="gone").rubric_file.exists()


def test_templates_are_used_again(run: Run, download: Path, tmp_path: Path) -> None:
    out, template = tmp_path / "out", tmp_path / "template.py"
    template.write_text("x = 1\n")
    assert run(download, "--out", out, "--template", template) == 0
    template.unlink()
    assert run(download, "--out", out) == 0
    assert [file.read_text() for file in (out / "given" / "templates").iterdir()] == ["x = 1\n"]


def test_an_error_writes_nothing(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(download, "--out", out) == 0
    before = contents(out)
    sheet = tmp_path / "no_sheet.csv"
    sheet.write_text("a,b\n1,2\n")
    for wrong in (
        ("--diff", out, "--student"),
        ("--moodle-worksheet", sheet),
        ("--canvas-gradebook", sheet),
        ("--template", tmp_path / "nowhere.py"),
    ):
        assert run(download, "--out", out, "--regrade", *wrong) == 2, wrong
        assert contents(out) == before, wrong
    assert "Traceback" not in capsys.readouterr().err


def test_who_is_not_handed_in_any_more_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given somebody who was graded, and somebody who was not."""
    files = {"Ada/tictactoe.py": PLAIN, "Bob/tictactoe.py": WRONG, "Dan/essay.txt": "sorry"}
    folder = write_all(tmp_path / "in", files)
    write_all(tmp_path / "less", {"Ada/tictactoe.py": PLAIN, "Cy/tictactoe.py": PLAIN})
    assert run(folder, "--out", tmp_path / "out") == 0
    assert run(tmp_path / "less", "--out", tmp_path / "out") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "In the last run, but not in this one, so in no gradebook: Bob; Dan." in said


def test_all_means_are_one(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given somebody who is late, and somebody whose file does not run."""
    write_all(download, {"Cy_3_assignsubmission_file_/tictactoe.py": "def ("})
    out, sheet = tmp_path / "out", tmp_path / "sheet.csv"
    sheet.write_text(SHEET.format(late="1 day") + "Participant 3,Cy,Submitted for grading,,10,Yes,-,-,\n")
    assert run(download, "--out", out, "--moodle-worksheet", sheet) == 0
    mean = "mean 5"  # of 9, 6 and 0
    assert re.search(rf"{mean} of 10, 1 of them did not run, 1 late", capsys.readouterr().out)
    assert f"{mean} of 10" in (out / "summary.txt").read_text()
    assert f"{mean}; 1 did not run" in (out / "index.html").read_text()
    written_ones = csv.DictReader(io.StringIO((out / "moodle.csv").read_text()))
    assert sum(float(row["Grade"]) for row in written_ones) / 3 == 5


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("release", ["always", "when_marked"])
def test_provisional_grades_say_so_or_are_withheld(
    release: str, small: Settings, run: Run, download: Path, tmp_path: Path
) -> None:
    text = small.rubric_file.read_text()
    by_hand = "  - {id: design, description: d, points: 5, by_hand: true}\nlate:"
    small.rubric_file.write_text(text.replace("late:", by_hand) + f"release: {release}\n")
    out = tmp_path / "out"
    assert run(download, "--out", out) == 0
    rows = list(csv.DictReader(io.StringIO((out / "moodle.csv").read_text())))
    notes, packed = (out / "gradebooks.txt").read_text(), zipfile.ZipFile(out / "feedback.zip").namelist()
    if release == "always":
        assert [row["Grade"] for row in rows] == ["10", "6"] and len(packed) == 4
        assert all(
            row["Feedback comments"].startswith("Provisional: a person still judges up to 5") for row in rows
        )
        assert "Provisional: a person still judges a part of 2 of 2 grades." in notes
    else:
        assert [row["Grade"] for row in rows] == ["", ""] and packed == []
        assert all("a person still judges a part of it" in row["Feedback comments"] for row in rows)
        assert "Withheld until a person has judged them (release: when_marked): Ada; Bob." in notes
    assert totals(out) == {"Ada": "10", "Bob": "6"}  # an instructor's own gradebook has everything
    (out / "adjustments.yaml").write_text(
        "- {student: Ada, criterion: design, points: 4, comment: c, by: B}\n"
    )
    assert run(download, "--out", out) == 0
    rows = list(csv.DictReader(io.StringIO((out / "moodle.csv").read_text())))
    assert rows[0]["Grade"] == "14" and "Provisional" not in rows[0]["Feedback comments"]


def test_a_comparison_is_of_final_totals_and_of_those_who_changed(tmp_path: Path) -> None:
    """Given a decision about Ada in the newer folder, and nothing new about Bob."""
    both = [record("s0", "Ada", grade("a")), record("s1", "Bob", grade("b"))]
    old, new = written(tmp_path / "old", both), written(tmp_path / "new", both)
    decision = "- {student: Ada, criterion: design, points: 15, comment: c, by: B}\n"
    (new / "adjustments.yaml").write_text(decision)
    (change,) = changes(old, new).students
    assert (change.student, change.before, change.after, change.cases) == ("Ada", 0, 15, ())
    assert change.others == (f"decided by a person in {new}/, not in {old}/",)
    back = changes(new, old)
    assert back.students[0].others == change.others
    (note,) = back.notes
    assert note.startswith(f"A person's decisions belong to their folder: {new}/ has adjustments.yaml, and")


def test_a_change_by_the_rubric_or_by_a_person_has_a_reason(tmp_path: Path) -> None:
    """Given another weight and rounding, another mark and other late work."""
    heavier = tuple(replace(one, points=one.points + 2 * (one.id == "player")) for one in RUBRIC.criteria)
    rubric = replace(RUBRIC, criteria=heavier, rounding=1, late=Late(per_day=1))
    both = [record("s0", "Ada", grade("a", wrong=False)), record("s1", "Bob", grade("b", wrong=False))]
    old = written(tmp_path / "old", both, rubric=replace(rubric, criteria=RUBRIC.criteria, rounding=None))
    new = written(tmp_path / "new", both, rubric=rubric, late={"s1": LateWork(by=60)})
    marked(old, "s0", 15)
    marked(new, "s0", 17)
    found = changes(old, new)
    assert found.notes == ("Weights changed: player 10 to 12.", "Also changed in the rubric: rounding.")
    assert {one.student: one.others for one in found.students} == {
        "Ada": ("design, by a person: 15 becomes 17",),
        "Bob": ("taken off for late work: 0 becomes 1",),
    }
    text = as_text(render_changes(found))
    assert "Weights changed: player 10 to 12." in text and "    design, by a person: 15 becomes 17" in text


def test_who_gets_the_same_number_has_not_changed(tmp_path: Path) -> None:
    """Given a total that is rounded to the same number before and after."""
    made = [replace(grade("a"), score=total, rounding=0.5) for total in (82.69, 82.44, 82.2)]
    folders = [written(tmp_path / str(at), [record("s0", "Ada", one)]) for at, one in enumerate(made)]
    assert changes(folders[0], folders[1]).students == ()
    assert "Nobody's grade changed." in as_text(render_changes(changes(folders[0], folders[1])))
    assert [one.after for one in changes(folders[0], folders[2]).students] == [82.2]


@pytest.mark.exhaustive
def test_a_mark_from_before_the_file_changed_is_looked_at_again(
    designed: Run, download: Path, tmp_path: Path
) -> None:
    """Given a mark on Ada's file, which is graded again as it is, and then another file."""
    out, file = tmp_path / "out", download / "Ada_1_assignsubmission_file_/tictactoe.py"
    assert designed(download, "--out", out) == 0
    note = "- {student: Ada, comment: Good name., line: 3, by: B, id: '00000000', at: '2026-01-01T12:00:00+00:00'}\n"  # fmt: skip
    (out / "marks.yaml").write_text(note)
    for source, said, looked in ((file.read_text(), "line 3: Good", False), ("\n" + PLAIN, "Line 3 of an earlier version: Good", True)):  # fmt: skip
        file.write_text(source)
        for more in ((), ("--regrade",)):
            assert designed(download, "--out", out, *more) == 0
            assert said in (out / "feedback/Ada.txt").read_text()
            assert ("Ada: marked before the file changed" in (out / "summary.txt").read_text()) == looked


def marked(out: Path, key: str, points: int) -> None:
    """Write a mark as the page does: by the student's key."""
    mark = f"- {{student: {key}, criterion: design, points: {points}, by: B, id: '00000000', at: now}}\n"
    (out / "marks.yaml").write_text(mark)


@pytest.fixture
def designed(small: Settings, run: Run) -> Run:
    """Give the command with a rubric that has a criterion by hand."""
    text = small.rubric_file.read_text()
    by_hand = "  - {id: design, description: d, points: 20, by_hand: true}\nlate:"
    small.rubric_file.write_text(text.replace("late:", by_hand))
    return run


def moodle_class(folder: Path, *students: tuple[str, int]) -> Path:
    return write_all(
        folder, {f"{name}_{number}_assignsubmission_file_/tictactoe.py": PLAIN for name, number in students}
    )


def by_number(out: Path) -> dict[str, str]:
    rows = csv.DictReader(io.StringIO((out / "gradebook.csv").read_text()))
    return {row["submission"].split("_")[1]: row["design"] for row in rows}


def test_a_mark_stays_with_the_number_when_a_namesake_joins_or_a_name_changes(
    designed: Run, tmp_path: Path
) -> None:
    out, bob = tmp_path / "out", ("Bob", 1001)
    assert designed(moodle_class(tmp_path / "1", ("Ada Lovelace", 1000), bob), "--out", out) == 0
    marked(out, "Ada_Lovelace", 17)
    both = moodle_class(tmp_path / "2", ("Ada Lovelace", 1000), ("Ada Lovelace", 999), bob)
    assert designed(both, "--out", out) == 0
    assert by_number(out) == {"1000": "17", "999": "", "1001": ""}
    assert designed(moodle_class(tmp_path / "3", ("Ada Lovelace", 999), bob), "--out", out) == 0
    assert by_number(out) == {"999": "", "1001": ""}
    assert designed(moodle_class(tmp_path / "4", ("Ada King", 1000), bob), "--out", out) == 0
    assert by_number(out) == {"1000": "17", "1001": ""}


def test_a_name_that_is_another_student_s_key_takes_no_mark(designed: Run, tmp_path: Path) -> None:
    names = (("Ada Lovelace", 1000), ("Ada Lovelace", 1001), ("Ada_Lovelace-1000", 1002))
    out = tmp_path / "out"
    folder = moodle_class(tmp_path / "in", *names)
    assert designed(folder, "--out", out) == 0
    marked(out, "Ada_Lovelace-1000", 20)
    assert designed(folder, "--out", out) == 0
    assert sorted(by_number(out).items()) == [("1000", "20"), ("1001", ""), ("Lovelace-1000", "")]


def test_a_number_is_never_overruled_by_a_name(run: Run, tmp_path: Path) -> None:
    """Given a worksheet in which Bob has another number than in the download."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET.format(late="1 day").replace("Participant 2,", "Participant 77,"))
    folder = moodle_class(tmp_path / "in", ("Ada", 1), ("Bob", 2))
    assert run(folder, "--out", tmp_path / "out", "--moodle-worksheet", sheet) == 0
    rows = csv.DictReader(io.StringIO((tmp_path / "out" / "moodle.csv").read_text()))
    assert [row["Grade"] for row in rows] == ["9", ""]
    assert "Graded, but not in moodle.csv: Bob." in (tmp_path / "out" / "gradebooks.txt").read_text()


def test_a_name_may_begin_with_a_dot(run: Run, tmp_path: Path) -> None:
    folder = moodle_class(tmp_path / "in", (". Madonna", 1), (".bob", 2), ("Zed", 3))
    assert run(folder, "--out", tmp_path / "out") == 0
    assert set(totals(tmp_path / "out")) == {". Madonna", ".bob", "Zed"}


def test_a_damaged_record_is_named_before_a_class_is_marked(
    run: Run, download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(download, "--out", out) == 0
    (out / "grades" / "Bob.json").write_text("{")
    before = contents(out)
    assert main(["mark", str(out)]) == 2
    assert "Bob.json: is damaged or missing: grade the class again" in capsys.readouterr().err
    assert contents(out) == before
    assert run(download, "--out", out) == 0 and totals(out)["Bob"] == "6"


def test_what_is_decided_while_the_gradebooks_are_written_is_in_them(
    designed: Run, download: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a person who marks Ada in the moment in which the feedback is packed."""
    out, pack = tmp_path / "out", Closing.pack

    def marked_meanwhile(self: Closing, *given: object) -> None:
        pack(self, *given)  # type: ignore[arg-type]
        (out / "adjustments.yaml").write_text(
            "- {student: Ada, criterion: design, points: 4, comment: c, by: B}\n"
        )
        monkeypatch.setattr(Closing, "pack", pack)

    monkeypatch.setattr(Closing, "pack", marked_meanwhile)
    assert designed(download, "--out", out) == 0
    assert totals(out)["Ada"] == "14"
