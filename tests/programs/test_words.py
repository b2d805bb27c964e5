"""How real programs end a game, and what that says; the program is O."""

import time

import pytest

from grader.programs.boards import readings
from grader.programs.prompts import asked
from grader.programs.words import DRAW, PROGRAM, SOMEBODY, USER, announced


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("You win!", {USER}),
        ("Congratulations! You have won.", {USER}),
        ("You lose!", {PROGRAM}),
        ("Computer wins!", {PROGRAM}),
        ("Computer Player Wins", {PROGRAM}),
        ("The winner is: Computer!", {PROGRAM}),
        ("I win!", {PROGRAM}),
        ("The computer has beaten you! You lose.", {PROGRAM}),
        ("You have beaten the computer!", {USER}),
        ("X is the winner!", {USER}),
        ("O wins", {PROGRAM}),
        ("Player O has won!", {PROGRAM}),
        ("The winner is O", {PROGRAM}),
        ("Player 2 wins!", {SOMEBODY}),
        ("It's a draw!", {DRAW}),
        ("Tie game.", {DRAW}),
        ("Nobody wins.", {DRAW}),
        ("Cats Game", {DRAW}),
        ("Empate", {DRAW}),
        ("Has ganado!", {USER}),
        ("Gana la máquina", {PROGRAM}),
        ("Game over.", set()),
        ("Ha! I beat you.\nScore so far: you 0, me 1, ties 0", {PROGRAM}),
        ("Computer wins! Score - You: 0, Computer: 1, Draws: 0", {PROGRAM}),
        ("Winner: None", {DRAW}),
        ("Neither side won.", {DRAW}),
        ("The machine takes it.", {PROGRAM}),
        ("GG! I got you.", {PROGRAM}),
        ("Three in a row for X!", {USER}),
        ("You can't beat me! It's a tie", {DRAW}),
        ("GG! All square.", {DRAW}),
        ('Traceback (most recent call last):\n  print("Computer wins")\nValueError', set()),
        ("", set()),
        ("O|O|O\nThe winner is X", {USER}),
        ("It's a draw. Play again? ", {DRAW}),
    ],
)
def test_what_is_said_at_the_end(text: str, meaning: set[str]) -> None:
    assert announced(text, "O", {"X": "X", "O": "O"}) == meaning


@pytest.mark.parametrize(
    "text", ["." * 5000 + " a b", "I win " + "a" * 50_000, "x " * 20_000, " " * 50_000 + "win"]
)
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    announced(text, "O", {"X": "X", "O": "O"})
    asked(text)
    readings(text.splitlines() * 30)
    assert time.process_time() - started < 5
