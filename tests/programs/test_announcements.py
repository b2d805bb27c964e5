"""How real programs end a game, and what that says; the program is O."""

import time

import pytest

from grader.programs.announcements import DRAW, PROGRAM, SOMEBODY, USER, announced, has_words
from grader.programs.boards import readings
from grader.programs.prompts import asked


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("You win!", {USER}),
        ("Player 1 wins!!! Better luck next time Player 2 :(", {SOMEBODY}),
        ("You got three in a row before the bot did.", {USER}),
        ("Perdiste :( Gana la computadora", {PROGRAM}),
        ("Gegen den Computer hast du leider verloren.", {PROGRAM}),
        ("Du hast gegen den Computer verloren", {PROGRAM}),
        ("You lose and the computer wins", {PROGRAM}),
        ("You'll get me next time.\n(No you won't.)", set()),
        ("The bot closes the middle column.", set()),
        ("Game Over: Draw.\nX: 0 wins, O: 0 wins, Draws: 1", {DRAW}),
        ("DRAW\nComputer wins total: 1\nPlayer wins total: 1", {DRAW}),
        ("Neither you nor the computer won. You both lose, haha", {DRAW}),
        ("No one could beat the other: you can't beat me.", {DRAW}),
        ("Has perdido, gana la máquina", {PROGRAM}),
        ("Tu as perdu, l'ordinateur gagne encore", {PROGRAM}),
        ("Egalité !", {DRAW}),
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
        ("Le joueur 2 a gagné", {SOMEBODY}),
        ("Jugador 1 gana!", {SOMEBODY}),
        ("Le joueur a gagné", {USER}),
        ("O wins - you lost.", {PROGRAM}),
        ("X wins - well done!", {USER}),
        ("You lose \u2013 the computer wins", {PROGRAM}),
        ("It's a draw!", {DRAW}),
        ("Tie game.", {DRAW}),
        ("Nobody wins.", {DRAW}),
        ("Its a draw. You cant win anyways", {DRAW}),
        ("A tie! You did not win, and you can't lose.", {DRAW}),
        ("The computer wins. Nobody will ever know.", {PROGRAM}),
        ("Cats Game", {DRAW}),
        ("Empate", {DRAW}),
        ("Has ganado!", {USER}),
        ("Gana la máquina", {PROGRAM}),
        ("Game over.", set()),
        ("Ha! I beat you.\nScore so far: you 0, me 1, ties 0", {PROGRAM}),
        ("Computer wins! Score - You: 0, Computer: 1, Draws: 0", {PROGRAM}),
        ("Der Computer gewinnt!\nSpielstand: Mensch 0 - Computer 1 - Unentschieden 0", {PROGRAM}),
        ("Unentschieden!\nSiege: 0, Niederlagen: 2, Unentschieden: 1", {DRAW}),
        ("Empate!\nPlacar: você 0, computador 3, empates 1, vitórias: 0", {DRAW}),
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
        ("You are defeated by Player o", {PROGRAM}),
        ("The computer was beaten by you", {USER}),
        ("You lost to the computer", {PROGRAM}),
        ("Computer lost against you!", {USER}),
        ("X beats O", {USER}),
        ("The AI beats you", {PROGRAM}),
        ("O defeated X", {PROGRAM}),
        ("Congratulations to player X!", {USER}),
        ("Congratulations DeepBlue", {SOMEBODY}),
        ("Congratulations Alex", {USER}),
        ("The AI won! Better luck next time.", {PROGRAM}),
        ("Better luck next time", {PROGRAM}),
        ("X | wins", {USER}),
        ("UNLUCKY! The Computer has won!", {PROGRAM}),
        ("PC Gana", {PROGRAM}),
        ("Jugador Gana", {USER}),
        ("Usted gana", {USER}),
        ("La maquina Gana", {PROGRAM}),
        ("O computador ganhou!", {PROGRAM}),
        ("Você venceu!", {USER}),
        ("Empatou!", {DRAW}),
        ("L'ordinateur a gagné", {PROGRAM}),
        ("Vous avez perdu", {PROGRAM}),
        ("Match nul", {DRAW}),
        ("Du hast gewonnen!", {USER}),
        ("Der Computer gewinnt", {PROGRAM}),
        ("Unentschieden", {DRAW}),
        ("X победитель!", {USER}),
        ("Компьютер выиграл", {PROGRAM}),
        ("Вы проиграли", {PROGRAM}),
        ("Спасибо за игру, ничья!", {DRAW}),
        ("Yay, X's won this time. Good job!", {USER}),
        ("Sorry, O's won this time", {PROGRAM}),
        ("The winner is: MiniMaxComputer!", {PROGRAM}),
        ("Human[X] wins", {USER}),
        ("AI[O] wins", {PROGRAM}),
        ("I win.\nSo far: 2 won, 1 lost, 0 drawn.", {PROGRAM}),
        ("Player 1 won", {SOMEBODY}),
        ("Complimenti, hai vinto!", {USER}),
        ("Hai perso!", {PROGRAM}),
        ("Peccato, ha vinto il computer!", {PROGRAM}),
        ("Pareggio!", {DRAW}),
        ("Jij hebt gewonnen!", {USER}),
        ("Jij hebt verloren", {PROGRAM}),
        ("De computer wint.", {PROGRAM}),
        ("Gelijkspel", {DRAW}),
        ("Wygrałeś!", {USER}),
        ("Przegrałeś.", {PROGRAM}),
        ("Wygrywa komputer", {PROGRAM}),
        ("Gracz wygrywa", {USER}),
        ("Tebrikler Alex, kazand\u0131n!", {USER}),
        ("Bilgisayar kazand\u0131!", {PROGRAM}),
        ("Kaybettin, bilgisayar kazand\u0131.", {PROGRAM}),
        ("Oyuncu X kazand\u0131", {USER}),
        ("Berabere kald\u0131n\u0131z!", {DRAW}),
        ("Grattis, du vann!", {USER}),
        ("Datorn vann.", {PROGRAM}),
        ("Du förlorade!", {PROGRAM}),
        ("Oavgjort", {DRAW}),
        ("Vyhrál počítač.", {PROGRAM}),
        ("Vyhrál jsi!", {USER}),
        ("Hráč prohrál", {PROGRAM}),
        ("Remíza", {DRAW}),
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


@pytest.mark.parametrize(
    ("said", "before", "expected"),
    [
        ("Fin del todo, amigo\n", "", True),
        (" X | O |  \nMy move is 3\n", "My move is 5\n", False),
        ("Game over.\nThanks for playing!\n", "", False),
        ("X O X\n-----\n", "", False),
    ],
)
def test_words_that_are_not_understood_are_told_from_silence(said: str, before: str, expected: bool) -> None:
    assert has_words(said, before) is expected


def test_a_player_may_be_called_by_a_digit_that_is_a_mark() -> None:
    assert announced("Le joueur 2 a gagné", "O", {"X": "1", "O": "2"}) == {PROGRAM}
    assert announced("El jugador 1 ha ganado", "O", {"X": "1", "O": "2"}) == {USER}
