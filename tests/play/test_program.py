"""Games against a terminal program, typed by a script: to the end, with either side, and what cannot be played."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.course.courses import ROOT
from tests.conftest import OUTSIDE
from tests.programs.catalog import text_of

if sys.platform != "linux":
    pytest.skip("programs are run on Linux alone", allow_module_level=True)

HANDED_IN = ROOT / "tests" / "programs" / "handed_in"
FIRST_FREE = """\
import sys

board = [" "] * 9
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def show():
    print("\\n-+-+-\\n".join("|".join(board[row : row + 3]) for row in (0, 3, 6)))
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != " ":
            sys.exit(f"{board[a]} wins.")
    if " " not in board:
        sys.exit("It is a tie.")


user = input("X or O? ")
mine = "O" if user == "X" else "X"
while True:
    if mine == "X" or " " in board and board.count(" ") < 9:
        board[board.index(" ")] = mine
        show()
    show()
    square = int(input("Your move (1-9): ")) - 1
    CRASH
    board[square] = user
    show()
"""

Played = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(tmp_path: Path) -> Played:
    """Give a function that plays by the command, and returns its exit code and what it wrote."""

    def played(program: Path | str, typed: str, *options: str) -> tuple[int, str, str]:
        file = program if isinstance(program, Path) else tmp_path / "game.py"
        if isinstance(program, str):
            file.write_text(program)
        command = [str(ROOT / "run_grader.py"), "play", str(file), "--course", "cpsc352", *options]
        done = subprocess.run(
            [sys.executable, *command],
            input="".join(f"{line}\n" for line in typed.split()), capture_output=True, text=True, env=OUTSIDE, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    return played


def test_a_program_is_beaten_by_who_begins(play: Played) -> None:
    code, said, _ = play(FIRST_FREE.replace("    CRASH\n", ""), "X 5 3 7 n")
    assert code == 0 and "Do you play X or O?" in said
    assert "  ▏ X or O? X\n" in said and "  ▏ Your move (1-9):\n" in said and "  ▏ 5\n" in said
    assert "It takes 1." in said and " O │ O │ X \n───┼───┼───\n   │ X │   \n───┼───┼───\n X │   │   " in said
    assert "  ▏ X wins.\n" in said and said.endswith(
        "You have won.\nAgain? [y/N] You: 1 won, 0 drawn, 0 lost.\n"
    )


def test_the_other_side_and_another_game(play: Played) -> None:
    code, said, _ = play(FIRST_FREE.replace("    CRASH\n", ""), "O 9 8 y X 1 q", "--coach")
    assert code == 0 and said.count("  ▏ X or O? O\n") == said.count("  ▏ X or O? X\n") == 1
    assert "The submission has won, as X." in said and "Coach: 2 " in said


def test_a_person_sees_a_program_with_its_sleeps(play: Played) -> None:
    began = "import time\nbegan = time.monotonic()\ntime.sleep(1)\n"
    slept = "print('SLEPT' if time.monotonic() - began > 0.9 else 'HURRIED')\n"
    code, said, _ = play(began + slept + FIRST_FREE.replace("    CRASH\n", ""), "X 5 3 7 n")
    assert code == 0 and "  ▏ SLEPT\n" in said and "HURRIED" not in said


@pytest.mark.exhaustive
def test_who_may_not_choose_is_told_the_side(play: Played) -> None:
    code, said, _ = play(text_of("user_always_first"), "1 2 3 4 5 6 7 8 9")
    assert code == 0 and "You play X. X begins." in said and "Do you play" not in said
    assert "The submission has won, as O." in said or "It is a tie." in said


def test_a_program_that_crashes_in_a_game_ends_it_with_the_reason(play: Played) -> None:
    code, said, _ = play(FIRST_FREE.replace("CRASH", "assert board.count(user) < 2"), "O 9 3 7 n")
    assert code == 0 and "  ▏ AssertionError\n" in said
    assert "The game ends here: '7' was typed, and it crashed. If squares are typed in another way" in said
    assert "program: {squares: 1-9, answers: ['O']}" in said


def test_a_game_that_the_person_ends_and_the_program_crashes_at(play: Played) -> None:
    code, said, _ = play(FIRST_FREE.replace("CRASH", "assert board.count(user) < 2"), "X 5 3 7 n")
    assert code == 0 and "At the end of the game something went wrong: '7' was typed, and it crashed." in said


@pytest.mark.exhaustive
def test_why_a_program_cannot_be_played(play: Played) -> None:
    """Given a program whose board is not shown, one that does not build, and a folder without a source."""
    code, said, error = play(HANDED_IN / "draws_no_board", "5")
    assert (code, said) == (3, "") and "no game came about" in error
    assert "one square after the other was typed" in error and "The screen at last:\nI take square" in error
    assert "  program:\n    answers: [" in error and "    squares: 1-9" in error
    code, said, error = play(HANDED_IN / "does_not_compile", "5")
    assert (code, said) == (2, "") and "cannot be played against: It does not build:\n" in error
    assert "main.cpp:" in error


def test_a_program_has_no_window(play: Played, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["play", str(HANDED_IN / "as_assigned"), "--course", "cpsc352", "--window"]
    assert main(given) == 2
    assert "a terminal program is played in the terminal: leave out --window" in capsys.readouterr().err
