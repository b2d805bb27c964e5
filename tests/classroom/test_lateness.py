"""Who was late: told by Moodle's worksheet, Canvas's names, Gradescope's record, a roster's columns."""

from pathlib import Path

import pytest

from grader.classroom import intake, sheet
from grader.classroom.adjustments import late_work
from grader.classroom.entries import Entry, date_in, lateness_in
from grader.classroom.records import LateWork
from grader.core.course.rubric import Late

DAY = 86_400.0
RULE = Late(due="2026-03-01 23:59", per_day="10%")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-03-02 10:30", "2026-03-02T10:30:00"), ("2026-03-02T10:30:00+01:00", "2026-03-02T10:30:00+01:00"),
        ("Monday, 2 March 2026, 10:30 AM", "2026-03-02T10:30:00"), ("Monday, 2 March 2026, 22:30", "2026-03-02T22:30:00"),
        ("02.03.2026 10:30", "2026-03-02T10:30:00"), ("03/02/2026", ""), ("-", ""), ("", ""), ("Montag, 2. März 2026, 10:30", ""),
    ],
)  # fmt: skip
def test_a_date_is_read_only_where_it_can_mean_but_one_day(text: str, date: str) -> None:
    assert date_in(text) == date


def test_columns_of_a_roster() -> None:
    assert lateness_in({"Submitted_At": "2026-03-02 10:30"}) == (False, None, "2026-03-02T10:30:00")
    assert lateness_in({"late": "2d 3h"}) == (True, 2 * DAY + 10_800, "")
    assert lateness_in({"Late": "yes"}) == (True, None, "")
    assert lateness_in({"late": "no", "id": "7"}) == (False, None, "")


def entry(key: str, **told: object) -> Entry:
    return Entry(key, f"{key}.py", key=key, **told)  # type: ignore[arg-type]


def test_what_is_told_best_counts() -> None:
    entries = [
        entry("a", late_by=3600.0, date="2026-03-09"),
        entry("b", date="2026-03-02T23:59:00"),
        entry("c", date="2026-03-01T12:00:00", late=True),
        entry("d", late=True),
        entry("e"),
    ]
    found, notes = late_work(RULE, entries, None)
    assert found == {"a": LateWork(by=3600), "b": LateWork(by=DAY), "d": LateWork()}
    assert notes == ["Late, but nobody knows by how much, so one day's 10% was taken off: d."]


def test_without_dates_nothing_is_taken_off_and_that_is_said_once() -> None:
    nobody = late_work(RULE, [entry("a"), entry("b")], None)
    assert nobody == ({}, ["Nothing was taken off for late work: no date is known."])
    undated = late_work(Late(per_day=1), [entry("a", date="2026-03-02")], None)
    why = "the rubric does not say when it was due (late: due)"
    assert undated == ({}, [f"Nothing was taken off for late work: {why}."])
    assert late_work(None, [entry("a", late=True)], None) == ({}, [])


def test_moodle_s_worksheet_tells(tmp_path: Path) -> None:
    rows = [
        'Identifier,"Full name",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"',
        'Participant 1,Ada,"Submitted for grading - 2 days 3 hours late",,100,Yes,-,-,',
        'Participant 2,Bob,Submitted for grading,,100,Yes,"Tuesday, 3 March 2026, 12:00 AM",-,',
        'Participant 3,Cy,Submitted for grading,,100,Yes,"Sunday, 1 March 2026, 8:00 AM",-,',
        "Participant 4,Di,No submission,,100,Yes,-,-,",
    ]
    (tmp_path / "sheet.csv").write_text("\n".join(rows))
    entries = [entry(name) for name in ("Ada", "Bob", "Cy", "Di")]
    found, notes = late_work(RULE, entries, sheet.read(tmp_path / "sheet.csv"))
    assert found == {"Ada": LateWork(by=2 * DAY + 10_800), "Bob": LateWork(by=DAY + 60)} and notes == []


def test_gradescope_s_record_and_canvas_s_names_tell(tmp_path: Path) -> None:
    (tmp_path / "gs" / "submission_1").mkdir(parents=True)
    (tmp_path / "gs" / "submission_1" / "tictactoe.py").write_text("x")
    (tmp_path / "gs" / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Ada\n  :lateness: '26:30:00'\n"
    )
    (tmp_path / "cv").mkdir()
    (tmp_path / "cv" / "lovelaceada_LATE_1_2_tictactoe.py").write_text("x")
    (tmp_path / "cv" / "bobbaer_3_4_tictactoe.py").write_text("x")
    with intake.opened([tmp_path / "gs"]) as (entry,):
        assert (entry.late, entry.late_by) == (True, 26.5 * 3600)
    with intake.opened([tmp_path / "cv"]) as found:
        assert [(entry.student, entry.late, entry.late_by) for entry in found] == [("bobbaer", False, None), ("lovelaceada", True, None)]  # fmt: skip
