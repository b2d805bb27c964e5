"""What people hand in, in a class: helpers travel along, and what is no Python file waits for a person."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import records
from grader.classroom.intake import opened
from tests.classroom.conftest import Classroom, table, write_all, zipped
from tests.submissions import PLAIN

START = PLAIN.index("def player(")
APART = {"tictactoe.py": "from extra import *\nfrom more.turn import player\n", "extra.py": PLAIN.replace("def player(", "def nobody("), "more/turn.py": "from extra import *\n\n\n" + PLAIN[START : PLAIN.index("def actions(")]}  # fmt: skip
"""A submission of which a part is in other files."""


def graded(room: Classroom, *paths: Path) -> dict[str, records.Record]:
    """Grade a class by the command, and return the records of everybody."""
    room.grade(*paths)
    return {record.student: record for record in records.load_all(room.out)}


def test_helpers_travel_in_every_form_of_a_class(room: Classroom) -> None:
    own = {f"Ada/project/{name}": text for name, text in APART.items()}
    folder = write_all(room.folder / "class", own)
    zipped(folder / "Bob.zip", dict(APART))
    write_all(folder, {"Eve/tictactoe.py": "import extra\n", "Tom/tictactoe.py": PLAIN})
    found = graded(room, zipped(room.folder / "all.zip", {
        str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }))  # fmt: skip
    assert {name: record.total for name, record in found.items()} == {
        "Ada": 10,
        "Bob": 10,
        "Eve": 0,
        "Tom": 10,
    }
    sentence = "It imports `extra` (line 1), which is not among the files that were handed in."
    assert sentence in (room.out / "feedback/Eve.txt").read_text()
    page = (room.out / "reports/Ada.html").read_text()
    assert "<h3>extra.py</h3>" in page and "<h3>more/turn.py</h3>" in page


def test_helpers_travel_from_canvas_and_with_a_path(room: Classroom) -> None:
    flat = {"tictactoe.py": "from extra import *\n", "extra.py": PLAIN}
    files = {f"ada_1_1{number}_{name}": text for number, (name, text) in enumerate(flat.items())}
    download = write_all(room.folder / "canvas", files | {"bob_2_21_tictactoe.py": PLAIN})
    alone = write_all(room.folder / "alone", flat)
    found = graded(room, download, alone / "tictactoe.py")
    assert {name: record.total for name, record in found.items()} == {"ada": 10, "bob": 10, "alone": 10}


def test_what_canvas_gives_of_one_student_is_one_hand_in(tmp_path: Path) -> None:
    files = {
        "ada_1_11_tictactoe.py": "import extra\n",
        "ada_1_12_tictactoe.pdf": "",
        "ada_1_13_extra.py": "old = 1\n",
        "ada_1_14_extra-1.py": "new = 1\n",
        "ada_1_15_README.md": "",
        "bob_2_21_mine.py": "import other\n",
        "bob_2_22_other.py": "",
        "eve_3_31_one.py": "",
        "eve_3_32_two.py": "",
    }
    with opened([write_all(tmp_path, files)]) as found:
        ada, bob, eve = found
        assert ada.file and ada.folder and ada.file.name == "tictactoe.py" and not ada.notes
        own = {file.name: file.read_text() for file in ada.folder.iterdir()}
        assert own.keys() == {"tictactoe.py", "tictactoe.pdf", "extra.py", "README.md"}
        assert own["extra.py"] == "new = 1\n"
        assert bob.file and bob.file.name == "mine.py"
        assert eve.problem == "Several files could be meant: one.py, two.py."


def test_another_students_file_is_nobodys_helper(room: Classroom) -> None:
    folder = write_all(room.folder / "class", {"alice.py": "from bob import *\n", "bob.py": PLAIN})
    found = graded(room, folder)
    assert {name: record.total for name, record in found.items()} == {"alice": 0, "bob": 10}
    assert "It imports `bob` (line 1), which is not among the files" in found["alice"].feedback
    assert "constant" not in found["alice"].feedback  # who knows what is in there


def test_a_changed_helper_is_graded_anew(room: Classroom) -> None:
    first = write_all(room.folder / "a", {"tictactoe.py": "from extra import *\n", "extra.py": PLAIN})
    second = write_all(room.folder / "b", {"tictactoe.py": PLAIN})
    paths = (first / "tictactoe.py", second / "tictactoe.py")
    assert graded(room, *paths)["a"].total == 10
    (first / "extra.py").write_text(PLAIN.replace("def player(", "def nobody("))
    assert graded(room, *paths)["a"].total == 2


NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": PLAIN}], "nbformat": 4})
NOT_PYTHON = {
    "Pia Pdf": (b"%PDF-1.7\n\0", "The file is a PDF document"),
    "Ida Image": (b"\x89PNG\r\n\x1a\n\0", "The file is an image (PNG)"),
    "Wil Word": (b"PK\x03\x04 word/document.xml", "The file is a Word document"),
    "Nat Note": (NOTEBOOK.encode(), "The file is a notebook"),
}
PYTHON = {
    "Uta Wide": (PLAIN.encode("utf-16"), "10"),
    "Lea Latin": (b"# coding: latin-1\n# caf\xe9\n" + PLAIN.encode(), "10"),
    "Emp Ty": (b"", "0"),
    "Syn Tax": (b"def (:\n", "0"),
}
"""Contents of files, with why there is no grade, or with the total."""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Give a download of Moodle in which some files are no Python."""
    for number, (name, (content, _)) in enumerate((NOT_PYTHON | PYTHON).items(), 10):
        file = tmp_path / "odd" / f"{name}_{number}_assignsubmission_file_" / "tictactoe.py"
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    return tmp_path / "odd"


def test_what_is_no_python_file_waits_for_a_person_in_every_gradebook(room: Classroom, odd: Path) -> None:
    found = graded(room, odd)
    out = room.out
    for name, (_, why) in NOT_PYTHON.items():
        assert (found[name].status, found[name].total) == ("not_graded", None)
        assert found[name].why.startswith(why)
        assert why in (out / "feedback" / f"{name.replace(' ', '_')}.txt").read_text()
    (rows, canvas, moodle) = (table(out / f"{name}.csv") for name in ("gradebook", "canvas", "moodle"))
    title = next(name for name in canvas[0] if name.startswith("A small one"))
    grades = [
        {row["student"]: row["total"] for row in rows},
        {row["Student"]: row[title] for row in canvas if row["Student"].strip() != "Points Possible"},
        {row["Full name"]: row["Grade"] for row in moodle},
    ]
    wanted = dict.fromkeys(NOT_PYTHON, "") | {name: total for name, (_, total) in PYTHON.items()}
    assert grades == [wanted] * 3
    told = (out / "gradebooks.txt").read_text()
    assert "No grade goes back for: Ida Image; Nat Note; Pia Pdf; Wil Word." in told


def test_notebooks_are_graded_if_the_rubric_says_so(room: Classroom, odd: Path) -> None:
    room.add_to_rubric("notebooks: true\n")
    found = graded(room, odd)
    assert found["Nat Note"].total == 10
    assert "its code cells were graded" in (room.out / "feedback/Nat_Note.txt").read_text()
    page = (room.out / "reports/Nat_Note.html").read_text()
    assert "# Cell 1" in page and "cell_type" not in page


def entries(path: Path) -> dict[str, Any]:
    with opened([path]) as found:
        return {entry.student: entry for entry in found}


def test_a_notebook_is_looked_at_where_there_is_no_python_file(tmp_path: Path) -> None:
    folder = write_all(
        tmp_path,
        {"ada/work.ipynb": "{}", "bob/work.ipynb": "{}", "bob/mine.py": "x = 1\n", "eve.ipynb": "{}", "tom.py": "x = 1\n"},
    )  # fmt: skip
    names = {student: entry.file.name for student, entry in entries(folder).items()}
    assert names == {"ada": "work.ipynb", "bob": "mine.py", "eve": "eve.ipynb", "tom": "tom.py"}


def test_of_several_files_the_one_that_nobody_imports_is_meant(tmp_path: Path) -> None:
    folder = write_all(
        tmp_path, {"ada/mine.py": "import other\n", "ada/other.py": "", "bob/one.py": "", "bob/two.py": ""}
    )
    found = entries(folder)
    assert found["ada"].file.name == "mine.py" and found["ada"].notes == ("The file is mine.py.",)
    assert found["bob"].problem == "Several files could be meant: one.py, two.py."
