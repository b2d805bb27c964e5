"""What a screen offers as answers, in any language: the way to a game comes early."""

import pytest

from grader.programs.prompts import candidates


@pytest.mark.parametrize(
    ("text", "wanted", "among"),
    [
        ("Choose X or O\nChosen: ", "O", 3),
        ("Enter 1 for X anything else to be O: ", "1", 2),
        ("Play another person (1)\nPlay the computer (2)\nWatch the computer play itself (3)", "2", 1),
        ("1.Two Player\n2.Random Computer\n3.Smart CPU\n4.Exit", "3", 1),
        ("Желаете ли вы ходить первым? Введите ответ y или n", "n", 3),
        ("(2Players/easy/minimax): ", "minimax", 1),
        ("PVP (1), player vs AI (2), AI vs AI (3) ?", "2", 1),
        ("Select turn:\n1. Computer (X) / 2. User (0) : ", "1", 2),
        ("Should cross be controlled by the computer? [y/n]: ", "y", 2),
        ("Type 'go' to begin", "go", 1),
        ("Wie heißt du?", "Alex", 16),
        ("Kto zaczyna? G - gracz, K - komputer: ", "K", 2),
        ("Wie schwer soll es sein? leicht | mittel | schwer\nEingabe: ", "schwer", 2),
        ("DIFFICULTY\n*) noob\n*) godlike\nWrite the one you want: ", "godlike", 2),
        ("Type START to begin or QUIT to leave: ", "START", 4),
        ("Vill du vara kryss eller ring? Skriv kryss eller ring: ", "ring", 4),
        ("Hazir misin? Baslamak icin e, cikmak icin h yaz: ", "e", 2),
    ],
)
def test_what_leads_to_a_game_is_offered_early(text: str, wanted: str, among: int) -> None:
    assert wanted in candidates(text.splitlines())[:among]


def test_what_is_meant_comes_behind_what_is_offered_and_before_what_is_usual() -> None:
    assert candidates(["Your mark (one letter):"], ("X", "O"))[:2] == ["X", "O"]
    assert candidates(["Your mark, A or B:"], ("X", "O"))[:4] == ["A", "B", "X", "O"]


def test_a_word_in_small_letters_of_any_script_does_not_stand_out() -> None:
    assert "или" not in candidates(["Введите ответ y или n:"])
    assert "ДА" in candidates(["Наберите ДА для начала:"])
