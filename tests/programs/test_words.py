"""How real programs end a game, and what that says; the program is O."""

import pytest

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
        ("", set()),
        ("O|O|O\nThe winner is X", {USER}),
        ("It's a draw. Play again? ", {DRAW}),
    ],
)
def test_what_is_said_at_the_end(text: str, meaning: set[str]) -> None:
    assert announced(text, "O", {"X": "X", "O": "O"}) == meaning
