"""What goes back to students tells nothing of a hidden case: no id, no board, no hint; and no note for instructors."""

import json
import re
from pathlib import Path

import pytest

from grader.places import WRITTEN_FOR
from tests.classroom.conftest import Classroom, write_all
from tests.submissions import PLAIN

SECRETS = {
    "secret.yaml": """\
criterion: player
cases:
  - id: the-secret
    board: [XOX, OXO, .X.]
    visibility: hidden
    hint: a whisper
  - {id: secret-files, check: files, weight: 0, required: [essay.pdf], visibility: hidden}
  - {id: secret-style, check: style, rules: [F401], weight: 0, visibility: hidden}
""",
    "test_secret.py": """\
import pytest


@pytest.mark.criterion("player", visibility="hidden")
def test_in_secret(submission):
    assert submission.player([["X", "O", "X"], ["O", "X", "O"], [None, "X", None]]) == "O", "a whisper"
""",
}
WRONG_THERE = "import ctypes\n" + PLAIN.replace(
    "def player(board):",
    "def player(board):\n    if board[1] == [O, X, O]:\n        return X\n    return other(board)\n\n\ndef other(board):",
)
TELLS = re.compile(r"secret|whisper|essay|Style: |Worth a look|XOX[^A-Z=]+OXO|X │ O │ X|'X', 'O', 'X'")


@pytest.fixture
def alice(room: Classroom) -> Path:
    """Give a file that is wrong on the board of a hidden case alone, and that an instructor should look at."""
    write_all(room.settings.fixtures, SECRETS)
    return room.write("alice/tictactoe.py", WRONG_THERE)


def graded(room: Classroom, *words: object) -> str:
    """Grade a file by the course with secrets; return what was printed."""
    room.run(*words, "--rubric", room.settings.rubric_file, "--fixtures", room.settings.fixtures)
    return room.printed


def test_a_class_tells_its_students_nothing(room: Classroom, alice: Path) -> None:
    room.grade(alice.parent)
    files = [*(room.out / "feedback").iterdir(), room.out / "moodle.csv", room.out / "canvas.csv"]
    assert len(files) == 4
    for file in files:
        assert not TELLS.search(file.read_text()), file
    assert TELLS.search(room.text("reports/alice.html")), "what is looked for would be found"


def test_a_students_view_tells_nothing(room: Classroom, alice: Path) -> None:
    page, data = room.folder / "page.html", room.folder / "grade.json"
    printed = graded(room, alice, "--student", "--html", page, "--json", data)
    for text in (printed, page.read_text(), data.read_text()):
        assert not TELLS.search(text)


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_a_place_tells_nothing(place: str, room: Classroom, alice: Path) -> None:
    folder = room.write("place/result", "").parent
    graded(room, alice, "--write", place, folder / "result")
    for file in folder.iterdir():
        text = file.read_text()
        if place == "gradescope":  # which has a row for instructors alone
            data = json.loads(text)
            data["tests"] = [test for test in data["tests"] if test["visibility"] == "visible"]
            text = json.dumps(data, ensure_ascii=False)
        assert not TELLS.search(text), file


def test_what_a_hidden_check_takes_off_is_told_without_a_reason(room: Classroom, alice: Path) -> None:
    room.add_to_rubric("hand_in: 2\n")
    data = room.folder / "grade.json"
    graded(room, alice.parent, "--student", "--json", data)
    assert '"The submission fails a hidden check."' in data.read_text() and not TELLS.search(data.read_text())
