"""What goes back to students tells nothing of a hidden case: no id, no board, no hint; and no note for instructors."""

import json
import re
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.grading.session import Settings
from grader.places import WRITTEN_FOR
from tests.classroom.conftest import write_all
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
def course(small: Settings) -> list[str]:
    """Give the options of a course with secrets."""
    write_all(small.fixtures, SECRETS)
    return ["--rubric", str(small.rubric_file), "--fixtures", str(small.fixtures)]


@pytest.fixture
def alice(tmp_path: Path) -> Path:
    """Give a file that is wrong on the board of the hidden case alone, and that an instructor should look at."""
    return write_all(tmp_path / "alice", {"tictactoe.py": WRONG_THERE}) / "tictactoe.py"


def test_a_class_tells_its_students_nothing(course: list[str], alice: Path, tmp_path: Path) -> None:
    out = tmp_path / "grades"
    assert main([str(alice.parent.parent / "alice"), *course, "--out", str(out)]) == 0
    told = [*(out / "feedback").iterdir(), out / "moodle.csv", out / "canvas.csv"]
    assert len(told) == 4
    for file in told:
        assert not TELLS.search(file.read_text()), file
    assert TELLS.search((out / "reports" / "alice.html").read_text()), "what is looked for would be found"


def test_a_students_view_tells_nothing(
    course: list[str], alice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, data = tmp_path / "page.html", tmp_path / "grade.json"
    assert main([str(alice), *course, "--student", "--html", str(page), "--json", str(data)]) == 0
    for text in (capsys.readouterr().out, page.read_text(), data.read_text()):
        assert not TELLS.search(text)


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_a_place_tells_nothing(place: str, course: list[str], alice: Path, tmp_path: Path) -> None:
    folder = tmp_path / "told"
    folder.mkdir()
    assert main([str(alice), *course, "--write", place, str(folder / "result")]) == 0
    for file in folder.iterdir():
        text = file.read_text()
        if place == "gradescope":  # which has a row for instructors alone
            told = json.loads(text)
            told["tests"] = [test for test in told["tests"] if test["visibility"] == "visible"]
            text = json.dumps(told, ensure_ascii=False)
        assert not TELLS.search(text), file


def test_what_a_hidden_check_takes_off_is_told_without_a_reason(
    small: Settings, course: list[str], alice: Path, tmp_path: Path
) -> None:
    small.rubric_file.write_text(f"{small.rubric_file.read_text()}hand_in: 2\n")
    data = tmp_path / "grade.json"
    assert main([str(alice.parent), *course, "--student", "--json", str(data)]) == 0
    assert '"The submission fails a hidden check."' in data.read_text() and not TELLS.search(data.read_text())
