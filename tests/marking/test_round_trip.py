"""From Moodle's download and worksheet to a marked class and back: grades, comments, and the zip of feedback."""

import csv
import io
import zipfile
from pathlib import Path

from grader.classroom.batch import ClassSettings, grade_class
from grader.grading.session import Settings
from grader.marking.desk import Desk
from grader.marking.server import Decision, Decisions
from tests.classroom.conftest import WRONG, write_all
from tests.classroom.test_feedback import moodle
from tests.submissions import PLAIN

SHEET = """\
Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments
Participant 101,Ada Lovelace,Submitted for grading - 1 day 2 hours late,,20.00,Yes,-,-,
Participant 102,Bob Bär,Submitted for grading,,20.00,Yes,-,-,
Participant 103,Cy Nothing,No submission,,20.00,Yes,-,-,
"""


def test_from_moodle_and_back(small: Settings, tmp_path: Path) -> None:
    more = "  - {id: design, description: d, points: 10, by_hand: true}\nlate: {per_day: 5%}\n"
    small.rubric_file.write_text(small.rubric_file.read_text() + more)
    folders = {"Ada Lovelace_101_assignsubmission_file": PLAIN, "Bob Bär_102_assignsubmission_file": WRONG}
    write_all(tmp_path / "in", {f"{name}/tictactoe.py": source for name, source in folders.items()})
    (tmp_path / "sheet.csv").write_text(SHEET)
    out = tmp_path / "out"
    given = ClassSettings(small, out, 1, moodle_worksheet=tmp_path / "sheet.csv")
    grade_class([tmp_path / "in"], given, lambda news: None, lambda done, of: None)
    (tmp_path / "sheet.csv").unlink()  # it has been kept

    pages = {file: file.stat().st_mtime_ns for file in out.glob("*/*.html")}
    desk = Desk(out)
    assert desk.scribe and desk.scribe.wait(60) and len(pages) == 4
    assert {file: file.stat().st_mtime_ns for file in pages} == pages  # who is unchanged is not written again
    decisions = Decisions(desk)
    for number, points in ((1, 9), (2, 4)):
        seen = desk.revision(desk.seat(number), "design")
        decisions.decide(Decision(student=number, kind="points", by="B", revision=seen, criterion="design", points=points, comment="read"))  # fmt: skip
    seen = desk.revision(desk.seat(2), "line :3")
    decisions.decide(
        Decision(student=2, kind="comment", by="B", revision=seen, line=3, comment="Name <this>.")
    )
    assert desk.tally() == (2, 2) and desk.scribe
    desk.scribe.end()

    rows = list(csv.DictReader(io.StringIO((out / "moodle.csv").read_text())))
    assert [row["Grade"] for row in rows] == ["17", "10", ""]  # 10 and 9 less two days, 6 and 4
    assert "-2: Handed in 1 day 2 hours late" in rows[0]["Feedback comments"]
    assert " Design: 9 of 10 (marked by B): read." in rows[0]["Feedback comments"]
    gradebook = list(csv.DictReader(io.StringIO((out / "gradebook.csv").read_text())))
    assert [(row["total"], row["design"], row["late"]) for row in gradebook] == [("17", "9", "-2"), ("10", "4", "")]  # fmt: skip
    raw = (out / "feedback.zip").read_bytes()
    both = ["feedback.html", "feedback.txt"]
    packed = zipfile.ZipFile(io.BytesIO(raw))
    assert moodle(packed.namelist(), {101, 102, 103}) == {101: both, 102: both}
    assert {info.date_time[0] for info in packed.infolist()} == {2000}, "equal feedback makes an equal zip"
    page = packed.read("Bob Bär_102_assignfeedback_file_/feedback.html").decode()
    assert "Name &lt;this&gt;." in page and "marked by B" in page
    assert "line 3: Name <this>. (B)" in packed.read("Bob Bär_102_assignfeedback_file_/feedback.txt").decode()
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}

    given = ClassSettings(small, out, 1)  # graded again, without the worksheet: nothing changes
    result = grade_class([tmp_path / "in"], given, lambda news: None, lambda done, of: None)
    assert (out / "marks.yaml").read_bytes() == before[out / "marks.yaml"]
    assert [record.total for record in result.records] == [17, 10]
    assert (out / "moodle.csv").read_bytes() == before[out / "moodle.csv"]
    assert (out / "gradebook.csv").read_bytes() == before[out / "gradebook.csv"]
