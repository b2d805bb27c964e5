"""Several hand-ins of one student: the last, the first or the best counts, and the others are listed."""

from pathlib import Path
from typing import Any

import pytest

from grader.classroom import intake, records
from grader.classroom.intake import Wanted
from tests.classroom.conftest import WRONG, Classroom, write_all
from tests.submissions import PLAIN


def found(folder: Path, attempts: Any) -> list[tuple[str, str, list[str]]]:
    with intake.opened([folder], Wanted(attempts=attempts)) as entries:
        return [
            (entry.student, entry.submission, [other.submission for other in entry.others])
            for entry in entries
        ]


@pytest.mark.parametrize(("attempts", "meant", "other"), [("last", "attempt-10", "attempt-2"), ("first", "attempt-2", "attempt-10")])  # fmt: skip
def test_numbered_folders(tmp_path: Path, attempts: str, meant: str, other: str) -> None:
    files = {f"Ada/{name}/tictactoe.py": "x" for name in (meant, other)}
    write_all(tmp_path, {**files, "Bob/tictactoe.py": "x"})
    assert found(tmp_path, attempts) == [("Ada", f"Ada/{meant}", [f"Ada/{other}"]), ("Bob", "Bob", [])]


def test_dated_folders(tmp_path: Path) -> None:
    names = ("2026-03-02 10-00", "2026-02-28 10-00")
    write_all(tmp_path, {f"Ada/{name}/tictactoe.py": "x" for name in names} | {"Bob/tictactoe.py": "x"})
    assert found(tmp_path, "last")[0] == ("Ada", f"Ada/{names[0]}", [f"Ada/{names[1]}"])


def test_a_project_with_folders_is_one_hand_in(tmp_path: Path) -> None:
    write_all(tmp_path, {"Ada/tictactoe.py": "x", "Ada/v1/notes.py": "x", "Ada/v2/notes.py": "x", "Bob/tictactoe.py": "x"})  # fmt: skip
    assert found(tmp_path, "last")[0] == ("Ada", "Ada", [])


def test_canvas_s_numbering(tmp_path: Path) -> None:
    names = ("ada_1_2_tictactoe.py", "ada_1_3_tictactoe-1.py", "bob_2_4_tictactoe.py")
    write_all(tmp_path, dict.fromkeys(names, "x"))
    assert found(tmp_path, "last")[0] == ("ada", names[1], [names[0]])
    assert found(tmp_path, "first")[0] == ("ada", names[0], [names[1]])


def test_dated_lines_of_a_roster_are_one_student_s_and_others_are_namesakes(tmp_path: Path) -> None:
    write_all(tmp_path, {f"{name}.py": "x" for name in "abc"})
    dated = "student,id,path,submitted\nAda,1,a.py,2026-03-02\nAda,1,b.py,2026-03-01\nAda,2,c.py,2026-03-01\n"
    (tmp_path / "dated.csv").write_text(dated)
    (tmp_path / "plain.csv").write_text("student,path\nAda,a.py\nAda,b.py\n")
    assert sorted(found(tmp_path / "dated.csv", "last")) == [("Ada", "a.py", ["b.py"]), ("Ada", "c.py", [])]
    assert len(found(tmp_path / "plain.csv", "last")) == 2


def test_the_best_counts_with_what_being_late_costs(room: Classroom) -> None:
    room.add_to_rubric("late: {due: 2026-03-01 23:59, per_day: 3}\nattempts: best\n")
    write_all(room.folder / "in", {"wrong.py": WRONG, "right.py": PLAIN})
    lines = (
        "student,path,submitted\nAda,wrong.py,2026-03-01\nAda,right.py,2026-03-02\nBob,wrong.py,2026-03-01\n"
    )
    roster = room.write("in/roster.csv", lines)
    room.grade(roster, "--no-html")
    (ada, _bob) = room.table()
    assert (ada["submission"], ada["total"], ada["late"]) == ("right.py", "7", "-3")
    kept = records.load(room.out, "Ada")
    assert kept and [(other.submission, other.total) for other in kept.attempts] == [("wrong.py", 6)]
    assert (
        room.errors.count("\n") - room.errors.count("(unchanged)") == 3
    )  # each once: two of Ada's, one of Bob's
    roster.write_text(lines.replace("2026-03-02", "2026-03-09"))
    room.grade(roster, "--no-html")
    assert room.table()[0]["submission"] == "wrong.py"
    assert room.errors.count("\n") == room.errors.count("(unchanged)")  # nothing is graded again
