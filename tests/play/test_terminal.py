"""Games at the terminal, typed by a script: to the end, with bad input, and against files that do not play along."""

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.courses import ROOT
from grader.play.match import Opponent, Table, cell_of
from tests.conftest import OUTSIDE, MakeClient
from tests.submissions import CORRECT, PLAIN
from tests.submissions.faults import FAULTS
from tests.submissions.files import file_of

Play = Callable[..., str]


@pytest.fixture
def play(make_client: MakeClient) -> Play:
    def played(source: str, typed: str, coach: bool = False) -> str:
        out = io.StringIO()
        lines = iter(f"{line}\n" for line in typed.split())
        Table(Opponent(make_client(source)), lines, out, coach).play()
        return out.getvalue()

    return played


def test_a_beatable_file_is_beaten(play: Play) -> None:
    said = play(FAULTS["minimax_takes_the_first_free_cell"].source, "x 5 3 7 n")
    assert said.endswith("You have won.\nAgain? [y/N] You: 1 won, 0 drawn, 0 lost.\n")
    assert " O │ O │ X \n───┼───┼───\n   │ X │   \n───┼───┼───\n X │   │   " in said


def test_a_perfect_file_wins_or_draws_and_one_may_play_again(play: Play) -> None:
    said = play(CORRECT["with_lru_cache"], "o 9 8 y x q")
    assert "The submission has won, as X." in said
    assert said.count("Do you play X or O?") == 2


def test_what_cannot_be_meant_is_told(play: Play) -> None:
    said = play(FAULTS["minimax_takes_the_first_free_cell"].source, "z x hello 10 0 5 5 1,1 2,2 q")
    assert said.count("Type X or O.") == 1
    assert said.count("Type 1 to 9, row by row, or row,column with each 0 to 2.") == 3
    assert "5 is taken." in said and "1,1 is taken." in said


def test_the_coach_says_what_each_cell_is_worth(play: Play) -> None:
    said = play(FAULTS["minimax_takes_the_first_free_cell"].source, "x 5 q", coach=True)
    assert "Coach: 1 draws, 2 draws," in said
    assert "Coach: 2 draws, 3 draws," in said


def test_the_end_of_the_input_ends_the_game(play: Play) -> None:
    assert play(PLAIN, "").endswith("[X] \n")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise IndexError('oh')", "`minimax` raises IndexError: oh"),
        ("return 7", "`minimax` answers 7, which is no free cell"),
        ("return (1, 1)", "`minimax` answers (1, 1), which is no free cell"),
        ("while True: pass", "`minimax` gives no answer: no answer within"),
        ("import os; os._exit(1)", "`minimax` gives no answer"),
    ],
)
def test_a_file_that_does_not_play_along_ends_the_game_with_the_reason(
    make_client: MakeClient, body: str, words: str
) -> None:
    from tests.conftest import QUICK

    limits = replace(QUICK, sweep_budget=1.0)
    client = make_client(f"def minimax(board):\n    {body}\n", limits)
    out = io.StringIO()
    Table(Opponent(client), iter(["x\n", "5\n", "n\n"]), out).play()
    assert f"The game ends here: {words}" in out.getvalue()


def test_the_command_plays_down_a_pipe() -> None:
    file = file_of("minimax_takes_the_first_free_cell")
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_grader.py"), "play", str(file)],
        input="X\n5\n3\n7\n", capture_output=True, text=True, env=OUTSIDE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "You have won." in done.stdout


def test_what_cannot_be_played_against_is_told(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text("x = [][0]\n")
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_grader.py"), "play", str(file)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=OUTSIDE, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "cannot be played against: The file cannot be loaded: IndexError" in done.stderr


def test_cells_are_read() -> None:
    board = "X........"
    assert cell_of("9", board) == cell_of("2,2", board) == cell_of("(2, 2)", board) == (2, 2)  # type: ignore[arg-type]
    for text in ("0", "10", "3,0", "a", "", "1 1 1", "²"):
        with pytest.raises(ValueError, match="Type 1 to 9"):
            cell_of(text, board)  # type: ignore[arg-type]
