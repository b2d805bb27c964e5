"""A class that is graded again, marked, asked about: nothing that was decided is lost, all numbers agree."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import records
from grader.classroom.class_summary import changes
from grader.classroom.outputs import Closing
from grader.classroom.records import GivenCourse, LateWork
from grader.core.course.rubric import Late
from grader.course.courses import fixtures_of, rubric_of
from grader.report.wording import as_text
from tests.classroom.conftest import WRONG, Classroom, table, write_all
from tests.marking.made import RUBRIC, grade, record, written
from tests.submissions import PLAIN

SHEET = """\
Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments
Participant 1,Ada,Submitted for grading - {late} late,,10,Yes,-,-,
Participant 2,Bob,Submitted for grading,,10,Yes,-,-,
"""
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,A small one (7)\n    Points Possible,,,,,10\nAda,11,,,,\nBob,12,,,,\n"


@pytest.fixture(autouse=True)
def late_work_costs_points(room: Classroom) -> None:
    room.add_to_rubric("late: {per_day: 10%}\n")


@pytest.fixture
def download(tmp_path: Path) -> Path:
    names = {"Ada_1_assignsubmission_file_": PLAIN, "Bob_2_assignsubmission_file_": WRONG}
    return write_all(tmp_path / "in", {f"{name}/tictactoe.py": source for name, source in names.items()})


def test_what_a_class_was_graded_with_is_used_again(room: Classroom, download: Path) -> None:
    sheet, canvas = room.write("sheet.csv", SHEET.format(late="1 day")), room.write("export.csv", CANVAS)
    room.grade(download, "--moodle-worksheet", sheet, "--canvas-gradebook", canvas)
    first = {name: room.text(name) for name in ("gradebook.csv", "moodle.csv", "canvas.csv")}
    assert room.totals == {"Ada": "9", "Bob": "6"}
    said = room.grade(download, "--regrade")
    assert {name: room.text(name) for name in first} == first
    assert "Used again, from the last run: Moodle's worksheet and Canvas's gradebook." in said
    assert '"late": true' in room.text("grades/Ada.json")
    assert '"late": false' in room.text("grades/Bob.json")
    assert "1/2 Ada: 9\n" in room.errors  # lateness included


@pytest.mark.exhaustive
def test_another_sandbox_grades_everybody_again(room: Classroom, download: Path) -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
    for kind, unchanged in (("native", 0), ("native", 2), ("wasm", 0), ("wasm", 2)):
        room.grade(download, "--sandbox-kind", kind)
        grades = [found.grade for found in records.load_all(room.out) if found.grade]
        assert [found.boundary.kind for found in grades if found.boundary] == [kind, kind]
        assert room.errors.count("(unchanged)") == unchanged


def test_a_class_in_two_sandboxes_says_so(room: Classroom, download: Path) -> None:
    """Given a class of which one student was graded in WebAssembly: by another worker of a cluster."""
    assert "Two sandboxes" not in room.grade(download, "--sandbox-kind", "native")
    file = room.out / "grades/Ada.json"
    file.write_text(file.read_text().replace('"kind": "native"', '"kind": "wasm"'))
    said = room.grade(download, "--sandbox-kind", "native")
    assert "Two sandboxes graded this class: wasm for Ada, native for all others." in said


@pytest.mark.exhaustive
def test_another_worksheet_replaces_the_first_with_a_sentence(room: Classroom, download: Path) -> None:
    first, second = (room.write(f"{days}.csv", SHEET.format(late=f"{days} days")) for days in ("1", "3"))
    room.grade(download, "--moodle-worksheet", first)
    said = room.grade(download, "--moodle-worksheet", second)
    assert "Moodle's worksheet of the last run is replaced by 3.csv." in said
    assert room.totals["Ada"] == "7"
    assert room.grade(download) and room.totals["Ada"] == "7"


def test_what_a_roster_told_is_known_without_it(room: Classroom) -> None:
    """Given a roster with numbers and dates first, then the folder of the same students alone."""
    roster = room.write("in/roster.csv", "student,submission,ID,late\nAda,Ada,77,2d\nBob,Bob,78,no\n")
    folder = write_all(room.folder / "in", {"Ada/tictactoe.py": PLAIN, "Bob/tictactoe.py": WRONG})
    room.grade(roster)
    before = room.totals, room.text("canvas.csv")
    roster.unlink()
    room.grade(folder)
    assert (room.totals, room.text("canvas.csv")) == before
    assert before[0] == {"Ada": "8", "Bob": "6"} and '"77"' in before[1]


def test_the_rubric_of_the_last_run_is_used_again(room: Classroom, download: Path) -> None:
    """Given a rubric and fixtures elsewhere, which the next runs do not name."""
    rubric, elsewhere = room.settings.rubric_file, room.settings.fixtures.rename(room.folder / "cases")
    graded = (download, "--out", room.out, "--jobs", 1)
    assert "last run" not in room.run(*graded, "--rubric", rubric, "--fixtures", elsewhere)
    first = room.text("gradebook.csv")
    for named in ((), ("--rubric", rubric), ("--fixtures", elsewhere)):
        again = room.run(*graded, *named)
        assert room.errors.count("(unchanged)") == 2 and room.text("gradebook.csv") == first
        assert "replaced" not in again and "Used again, from the last run: the" in again
        assert (f"the rubric {rubric}" in again) == ("--rubric" not in named)
        assert (f"the fixtures {elsewhere}" in again) == ("--fixtures" not in named)


@pytest.mark.exhaustive
def test_another_rubric_replaces_the_first_with_a_sentence(room: Classroom, download: Path) -> None:
    rubric, graded = room.settings.rubric_file, (download, "--out", room.out, "--jobs", 1)
    other = room.write("small/other.yaml", rubric.read_text().replace("points: 8", "points: 18"))
    room.run(*graded, "--rubric", rubric)
    said = room.run(*graded, "--rubric", other)
    assert f"The rubric of the last run is replaced by {other}." in said
    assert room.run(*graded) and room.totals["Ada"] == "20"


def test_a_rubric_that_is_gone_is_asked_for(room: Classroom, download: Path) -> None:
    """Given a folder whose rubric has gone; and one of an older version, which does not say where it was."""
    rubric, graded = room.settings.rubric_file, (download, "--out", room.out, "--jobs", 1)
    room.run(*graded, "--rubric", rubric)
    text, before = rubric.read_text(), room.contents()
    rubric.unlink()
    room.run(*graded, code=2)
    assert f"{rubric}: is gone, and the class was graded by it: give --rubric FILE" in room.errors
    assert room.contents() == before
    rubric.write_text(text)
    (room.out / "given" / "course.json").unlink()
    room.run(*graded, code=2)
    assert "was graded by another rubric, and does not say where that is: name it" in room.errors
    room.run(*graded, "--rubric", rubric)


def test_a_shipped_course_is_remembered_by_its_name(tmp_path: Path) -> None:
    records.keep_course(tmp_path, rubric_of("cs50ai"), fixtures_of(rubric_of("cs50ai")))
    assert records.given_course(tmp_path) == GivenCourse(course="cs50ai")
    assert GivenCourse(course="cs50ai").rubric_file == rubric_of("cs50ai")
    assert not GivenCourse(course="gone").rubric_file.exists()


def test_templates_are_used_again(room: Classroom, download: Path) -> None:
    template = room.write("template.py", "x = 1\n")
    room.grade(download, "--template", template)
    template.unlink()
    room.grade(download)
    assert [file.read_text() for file in (room.out / "given" / "templates").iterdir()] == ["x = 1\n"]


def test_an_error_writes_nothing(room: Classroom, download: Path) -> None:
    room.grade(download)
    before, sheet = room.contents(), room.write("no_sheet.csv", "a,b\n1,2\n")
    for wrong in (
        ("--diff", room.out, "--student"),
        ("--moodle-worksheet", sheet),
        ("--canvas-gradebook", sheet),
        ("--template", room.folder / "nowhere.py"),
    ):
        room.grade(download, "--regrade", *wrong, code=2)
        assert room.contents() == before and "Traceback" not in room.errors, wrong


def test_who_is_not_handed_in_any_more_is_named(room: Classroom) -> None:
    """Given somebody who was graded, and somebody who was not."""
    files = {"Ada/tictactoe.py": PLAIN, "Bob/tictactoe.py": WRONG, "Dan/essay.txt": "sorry"}
    room.grade(write_all(room.folder / "in", files))
    less = write_all(room.folder / "less", {"Ada/tictactoe.py": PLAIN, "Cy/tictactoe.py": PLAIN})
    assert "In the last run, but not in this one, so in no gradebook: Bob; Dan." in room.grade(less)


def test_all_means_are_one(room: Classroom, download: Path) -> None:
    """Given somebody who is late, and somebody whose file does not run."""
    write_all(download, {"Cy_3_assignsubmission_file_/tictactoe.py": "def ("})
    text = SHEET.format(late="1 day") + "Participant 3,Cy,Submitted for grading,,10,Yes,-,-,\n"
    room.grade(download, "--moodle-worksheet", room.write("sheet.csv", text))
    mean = "mean 5"  # of 9, 6 and 0
    assert re.search(rf"{mean} of 10, 1 of them did not run, 1 late", room.printed)
    assert f"{mean} of 10" in room.text("summary.txt")
    assert f"{mean}; 1 did not run" in room.text("index.html")
    assert sum(float(row["Grade"]) for row in room.table("moodle.csv")) / 3 == 5


BY_HAND = "  - {{id: design, description: d, points: {points}, by_hand: true}}\nlate:"


def with_design(room: Classroom, points: int) -> None:
    """Give the rubric a criterion by hand."""
    text = room.settings.rubric_file.read_text()
    room.settings.rubric_file.write_text(text.replace("late:", BY_HAND.format(points=points)))


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("release", ["always", "when_marked"])
def test_provisional_grades_say_so_or_are_withheld(release: str, room: Classroom, download: Path) -> None:
    with_design(room, 5)
    room.add_to_rubric(f"release: {release}\n")
    room.grade(download)
    rows, notes = room.table("moodle.csv"), room.text("gradebooks.txt")
    packed = zipfile.ZipFile(room.out / "feedback.zip").namelist()
    comments = [row["Feedback comments"] for row in rows]
    if release == "always":
        assert [row["Grade"] for row in rows] == ["10", "6"] and len(packed) == 4
        assert all(said.startswith("Provisional: a person still judges up to 5") for said in comments)
        assert "Provisional: a person still judges a part of 2 of 2 grades." in notes
    else:
        assert [row["Grade"] for row in rows] == ["", ""] and packed == []
        assert all("a person still judges a part of it" in said for said in comments)
        assert "Withheld until a person has judged them (release: when_marked): Ada; Bob." in notes
    assert room.totals == {"Ada": "10", "Bob": "6"}  # an instructor's own gradebook has everything
    room.write("out/adjustments.yaml", "- {student: Ada, criterion: design, points: 4, comment: c, by: B}\n")
    room.grade(download)
    ada = room.table("moodle.csv")[0]
    assert ada["Grade"] == "14" and "Provisional" not in ada["Feedback comments"]


def test_a_comparison_is_of_final_totals_and_of_those_who_changed(tmp_path: Path) -> None:
    """Given a decision about Ada in the newer folder, and nothing new about Bob."""
    both = [record("s0", "Ada", grade("a")), record("s1", "Bob", grade("b"))]
    old, new = written(tmp_path / "old", both), written(tmp_path / "new", both)
    decision = "- {student: Ada, criterion: design, points: 15, comment: c, by: B}\n"
    (new / "adjustments.yaml").write_text(decision)
    text = as_text(changes(old, new), 500)
    assert text == f"1 changed\n  Ada  0 becomes 15\n    decided by a person in {new}/, not in {old}/\n"
    note, *others = as_text(changes(new, old), 500).splitlines()
    assert note.startswith(f"A person's decisions belong to their folder: {new}/ has adjustments.yaml, and")
    assert others == text.replace("0 becomes 15", "15 becomes 0").splitlines()


def test_a_change_by_the_rubric_or_by_a_person_has_a_reason(tmp_path: Path) -> None:
    """Given another weight and rounding, another mark and other late work."""
    heavier = tuple(
        replace(criterion, points=criterion.points + 2 * (criterion.id == "player"))
        for criterion in RUBRIC.criteria
    )
    rubric = replace(RUBRIC, criteria=heavier, rounding=1, late=Late(per_day=1))
    both = [record("s0", "Ada", grade("a", wrong=False)), record("s1", "Bob", grade("b", wrong=False))]
    old = written(tmp_path / "old", both, rubric=replace(rubric, criteria=RUBRIC.criteria, rounding=None))
    new = written(tmp_path / "new", both, rubric=rubric, late={"s1": LateWork(by=60)})
    marked(old, "s0", 15)
    marked(new, "s0", 17)
    assert as_text(changes(old, new)).splitlines() == [
        *("Weights changed: player 10 to 12.", "Also changed in the rubric: rounding.", "2 changed"),
        *("  Ada  25 becomes 27", "    design, by a person: 15 becomes 17"),
        *("  Bob  10 becomes 9", "    taken off for late work: 0 becomes 1"),
    ]


def test_who_gets_the_same_number_has_not_changed(tmp_path: Path) -> None:
    """Given a total that is rounded to the same number before and after."""
    made = [replace(grade("a"), score=total, rounding=0.5) for total in (82.69, 82.44, 82.2)]
    folders = [written(tmp_path / str(at), [record("s0", "Ada", found)]) for at, found in enumerate(made)]
    assert as_text(changes(folders[0], folders[1])) == "Nobody's grade changed.\n"
    assert "Ada  82.69 becomes 82.2\n" in as_text(changes(folders[0], folders[2]))


@pytest.mark.exhaustive
def test_a_mark_from_before_the_file_changed_is_looked_at_again(room: Classroom, download: Path) -> None:
    """Given a mark on Ada's file, which is graded again as it is, and then another file."""
    with_design(room, 20)
    room.grade(download)
    note = "- {student: Ada, comment: Good name., line: 3, by: B, id: '00000000', at: '2026-01-01T12:00:00+00:00'}\n"
    room.write("out/marks.yaml", note)
    for source, said, looked in (
        (PLAIN, "line 3: Good", False),
        ("\n" + PLAIN, "Line 3 of an earlier version: Good", True),
    ):
        (download / "Ada_1_assignsubmission_file_/tictactoe.py").write_text(source)
        for more in ((), ("--regrade",)):
            room.grade(download, *more)
            assert said in room.text("feedback/Ada.txt")
            assert ("Ada: marked before the file changed" in room.text("summary.txt")) == looked


def marked(out: Path, key: str, points: int) -> None:
    """Write a mark as the page does: by the student's key."""
    mark = f"- {{student: {key}, criterion: design, points: {points}, by: B, id: '00000000', at: now}}\n"
    (out / "marks.yaml").write_text(mark)


def moodle_class(room: Classroom, *students: tuple[str, int]) -> Path:
    """Write a download of Moodle into a new folder."""
    folder = room.folder / f"in{len(list(room.folder.iterdir()))}"
    return write_all(
        folder, {f"{name}_{number}_assignsubmission_file_/tictactoe.py": PLAIN for name, number in students}
    )


def by_number(room: Classroom) -> dict[str, str]:
    return {row["submission"].split("_")[1]: row["design"] for row in room.table()}


def test_a_mark_stays_with_the_number_when_a_namesake_joins_or_a_name_changes(room: Classroom) -> None:
    with_design(room, 20)
    bob = ("Bob", 1001)
    room.grade(moodle_class(room, ("Ada Lovelace", 1000), bob))
    marked(room.out, "Ada_Lovelace", 17)
    for students, expected in (
        ([("Ada Lovelace", 1000), ("Ada Lovelace", 999)], {"1000": "17", "999": ""}),
        ([("Ada Lovelace", 999)], {"999": ""}),
        ([("Ada King", 1000)], {"1000": "17"}),
    ):
        room.grade(moodle_class(room, *students, bob))
        assert by_number(room) == {**expected, "1001": ""}


def test_a_name_that_is_another_student_s_key_takes_no_mark(room: Classroom) -> None:
    with_design(room, 20)
    names = (("Ada Lovelace", 1000), ("Ada Lovelace", 1001), ("Ada_Lovelace-1000", 1002))
    folder = moodle_class(room, *names)
    room.grade(folder)
    marked(room.out, "Ada_Lovelace-1000", 20)
    room.grade(folder)
    assert sorted(by_number(room).items()) == [("1000", "20"), ("1001", ""), ("Lovelace-1000", "")]


def test_a_number_is_never_overruled_by_a_name(room: Classroom) -> None:
    """Given a worksheet in which Bob has another number than in the download."""
    sheet = room.write("sheet.csv", SHEET.format(late="1 day").replace("Participant 2,", "Participant 77,"))
    room.grade(moodle_class(room, ("Ada", 1), ("Bob", 2)), "--moodle-worksheet", sheet)
    assert [row["Grade"] for row in table(room.out / "moodle.csv")] == ["9", ""]
    assert "Graded, but not in moodle.csv: Bob." in room.text("gradebooks.txt")


def test_a_name_may_begin_with_a_dot(room: Classroom) -> None:
    room.grade(moodle_class(room, (". Madonna", 1), (".bob", 2), ("Zed", 3)))
    assert set(room.totals) == {". Madonna", ".bob", "Zed"}


def test_a_damaged_record_is_named_before_a_class_is_marked(room: Classroom, download: Path) -> None:
    room.grade(download)
    room.write("out/grades/Bob.json", "{")
    before = room.contents()
    room.run("mark", room.out, code=2)
    assert "Bob.json: is damaged or missing: grade the class again" in room.errors
    assert room.contents() == before
    assert room.grade(download) and room.totals["Bob"] == "6"


def test_what_is_decided_while_the_gradebooks_are_written_is_in_them(
    room: Classroom, download: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a person who marks Ada in the moment in which the feedback is packed."""
    with_design(room, 20)
    pack = Closing.pack

    def marked_meanwhile(self: Closing, *given: object) -> None:
        pack(self, *given)  # type: ignore[arg-type]
        decision = "- {student: Ada, criterion: design, points: 4, comment: c, by: B}\n"
        room.write("out/adjustments.yaml", decision)
        monkeypatch.setattr(Closing, "pack", pack)

    monkeypatch.setattr(Closing, "pack", marked_meanwhile)
    room.grade(download)
    assert room.totals["Ada"] == "14"
