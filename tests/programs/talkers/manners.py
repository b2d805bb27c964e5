"""Ways of talking that real programs have, thirty-six of them as they were seen, each given to a player that plays rightly.

Each is named after what is special about it; the sources are made from this table by `source`.
"""

import json
from pathlib import Path
from typing import Any, Final

from grader.core.course.submission import Folder, Handed

HERE: Final = Path(__file__).parent / "engines"
BARS: Final = "{} | {} | {}\n---------\n{} | {} | {}\n---------\n{} | {} | {}"
RULED: Final = BARS + "\n---------"
TIGHT: Final = "{}|{}|{}\n-+-+-\n{}|{}|{}\n-+-+-\n{}|{}|{}"
OUTER: Final = (
    "| {} | {} | {} |\n-------------\n| {} | {} | {} |\n-------------\n| {} | {} | {} |\n-------------"
)
DOUBLED: Final = "| {} || {} || {} |\n---------------\n" * 3
TOKENS: Final = "{} {} {}\n{} {} {}\n{} {} {}"
FILLED: Final = "\n".join("   |   |\n {} | {} | {}\n   |   |\n-----------" for _ in range(3))
BLANKS: Final = " {}  {}  {} \n {}  {}  {} \n {}  {}  {} "
WIDE: Final = "\n".join(
    "\n\n".join(("        |       |", "   {}    |   {}   |   {}", "        |       |"))
    + "\n\n--------------------------\n"
    for _ in range(3)
)
XO: Final[dict[str, Any]] = {"x": {"you": "X", "first": "you"}, "o": {"you": "O", "first": "me"}}
MARKS: Final[dict[str, Any]] = {"x": {"you": "X"}, "o": {"you": "O"}}
BY_MARK: Final = {"you": "@ wins!", "me": "@ wins!", "tie": "It's a draw."}


def question(
    ask: str, takes: dict[str, Any] | None, any_case: bool = True, otherwise: Any = "again"
) -> dict[str, Any]:
    """Return a question before the game: what it takes, with what follows from it."""
    return {"ask": ask, "any_case": any_case, "takes": takes, "else": otherwise}


MANNERS: Final[dict[str, dict[str, Any]]] = {
    "winner_by_class": {"setup": [question("Do you want to be X or O? (X/O)\n", {"X": {"you": "X"}, "O": {"you": "O"}}, False)], "typed": "row column 1", "tokens": True, "ask": ["X enter the row and column:\n"], "board": BARS, "refuses": "", "junk": "crash", "says": {"you": "The winner is: Player!", "me": "The winner is: MiniMaxComputer!", "tie": "Its a DRAW!"}, "again": ["Do you want to play again? (y/n)\n"]},
    "chance_and_two_prompts": {"setup": [question("X or O? ", MARKS)], "first": "chance", "typed": "row column 1", "ask": ["Input row:\n", "Input Column\n"], "board": "{} | {} | {}\n___________\n" * 3, "last": "after", "says": {"you": "Human[@] wins", "me": "AI[@] wins", "tie": "Game is tie"}},
    "exact_quoted_letters": {"setup": [question("Enter your choice 'X' or 'O': ", {"X": {"you": "X"}, "O": {"you": "O"}}, False)], "typed": "row column 0", "ask": ["Enter space separated row[0-2] and column[0-2] no (0-indexed) of the cell: "], "board": TOKENS, "empty": "-", "says": {"you": "Congratulations! you win the game", "me": "Computer win the game !", "tie": "Game has tie !"}},
    "menu_from_zero": {"setup": [question("Play Selection:\n0.PvP\n1.Against AI\n", {"0": {"level": "people"}, "1": {}}, otherwise="quit")], "typed": "1-9", "ask": ["Please input where you want to put in your X\t"], "board": "\x1b[47m" + DOUBLED + "\x1b[0m", "empty": "#1", "junk": "flood", "says": {"you": "Player X Won!!", "me": "Computer Wins", "tie": "Cats Game"}, "again": ["Would you like to play again? Y/N\n"]},
    "numbers_with_space": {"typed": "row column 0", "ask": ["Your turn. Enter row and column (0, 1, or 2) separated by space:\n"], "board": RULED, "says": {"you": "Game over! X wins!", "me": "Game over! O wins!", "tie": "Game over! It's a draw."}},
    "labelled_rows": {"setup": [question("1. Play against the computer\n2. Read what it is about\nYour choice: ", {"1": {}, "2": "quit"})], "typed": "row column 1", "tokens": True, "ask": ["Enter row number from 1 to 3: ", "Enter column number from 1 to 3: "], "board": "   1   2   3\n1  {} | {} | {}\n  ---|---|---\n2  {} | {} | {}\n  ---|---|---\n3  {} | {} | {}", "junk": "crash", "says": {"you": "Player 1 won!", "me": "Computer won!", "tie": "Draw!"}, "again": ["Do you want to play again? (y/n): "]},
    "better_luck": {"typed": "1-9", "ask": ["Your turn! Choose a square on the board to play.\n"], "board": "| {} | {} | {} |\n------------\n" * 3, "junk": "flood", "says": {"you": "You won!", "me": "The AI won! Better luck next time.", "tie": "It's a draw!"}},
    "prompt_sync": {"js": "prompt-sync", "you": "X", "first": "me", "small": True, "trace": True, "squares": list("012345678"), "ask": "Where do you want to mark ?", "board": WIDE, "says": {"you": "YOU WON", "me": "COMP WON!!", "tie": "Its a draw. You cant win anyways"}},
    "chosen_below": {"setup": [question("Choose X or O\nChosen: ", MARKS), question("First to start?[y/n]: ", {"y": {"first": "you"}, "n": {"first": "me"}})], "typed": "1-9", "ask": ["Use numpad (1..9): "], "board": DOUBLED, "clear": "\x1b[H\x1b[2J\x1b[3J", "opens": "chance", "shows": "mine", "says": {"you": "YOU WIN!", "me": "YOU LOSE!", "tie": "DRAW!"}},
    "numbered_marks": {"setup": [question("Choose player: 1 - X, 2 - O\n", {"1": {"you": "X", "first": "you"}, "2": {"you": "X", "first": "me"}}, otherwise="quit")], "typed": "0-8", "ask": ["Player @ enter your move (0-8): "], "board": BARS, "shows": "mine", "says": {"you": "Player @ wins!", "me": "Player @ wins!", "tie": "The game is a draw!"}},
    "entries_with_the_number_behind": {"setup": [question("Play another person (1)\nPlay the computer (2)\nWatch the computer play itself (3)\n", {"1": {"level": "people"}, "2": {}, "3": {"level": "watch"}})], "typed": "column row 1 from below", "tokens": True, "ask": ["PLAYER ONE\nEnter your move in coordinates separated by a space\n"], "clear": "\n" * 20, "board": "3  {} | {} | {}\n  ---+---+---\n2  {} | {} | {}\n  ---+---+---\n1  {} | {} | {}\n   1   2   3", "junk": "flood", "says": {"you": "Player One Wins!", "me": "The Computer Wins!", "tie": "Nobody Wins..."}},
    "marks_a_and_b": {"marks": {"X": "A", "O": "B"}, "typed": "row column 0", "ask": ["Enter row (0-2): ", "Enter col (0-2): "], "board": RULED, "junk": "crash", "says": {"you": "Winner: A", "me": "Winner: B", "tie": "Winner: Draw"}},
    "keypad_of_the_textbook": {"setup": [question("Do you want to be X or O?\n> ", MARKS)], "first": "chance", "typed": "keypad", "ask": ["What is your next move? (1-9)\n"], "board": FILLED, "says": {"you": "Hooray! You have won the game!", "me": "Computer has won. You Lose.", "tie": "The game is a tie!"}, "again": ["Do you want to play again? (y/n)\n"]},
    "marks_in_the_plural": {"typed": "1-9", "ask": ["Please select position (1-9) to place an 'X': "], "board": FILLED, "says": {"you": "Yay, X's won this time. Good job!", "me": "Sorry, O's won this time", "tie": "Tie Game!"}, "again": ["Do you want to play again? (Y/N)"]},
    "in_russian": {"setup": [question("Добро пожаловать! Желаете ли вы ходить первым? Введите ответ y или n\n", {"y": {"you": "X", "first": "you"}}, otherwise={"you": "O", "first": "me"})], "typed": "0-8", "ask": ["Очередь @. Введите число от 0 до 8\n"], "opens": "chance", "board": "| {} | {} | {} |\n" * 3, "says": {"you": "@ победитель!", "me": "@ победитель!", "tie": "Спасибо за игру, ничья!"}},
    "tight_bars": {"you": "O", "typed": "row column 0", "ask": ["Enter row and column (0-2): "], "board": "{}|{}|{}\n-----\n" * 3, "junk": "crash", "says": {**BY_MARK, "tie": "It's a tie!"}},
    "latin_one": {"file": "Latin.java"},
    "who_controls_which_mark": {"setup": [question("Should cross be controlled by the computer? [y/n]: ", {"y": {"you": "O", "first": "me"}, "n": {"you": "X", "first": "you"}}), question("Should circle be controlled by the computer? [y/n]: ", {"y": {}, "n": {}})], "typed": "letter column", "any_case": True, "ask": ["Move: "], "opens": "chance", "board": "   A   B   C\n1  {} | {} | {}\n  ---+---+---\n2  {} | {} | {}\n  ---+---+---\n3  {} | {} | {}", "says": {"you": "Player won after 9 rounds", "me": "The Computer won after 9 rounds", "tie": "Draw after 9 rounds"}},
    "fixed_width_with_a_choice": {"setup": [question("Do you want to go first? (y/n): ", {"y": {"first": "you"}, "n": {"first": "me"}})], "typed": "1-9", "ask": ["Enter your move (1-9): "], "board": "{:<4}{:<4}{:<4}\n{:<4}{:<4}{:<4}\n{:<4}{:<4}{:<4}", "says": {"you": "You win", "me": "You lose", "tie": "Draw"}},
    "three_columns_of_blanks": {"you": "O", "typed": "row column 1", "tokens": True, "ask": ["Player's turn, please enter the row, with 1 being first and 3 being last: ", "Enter column: "], "refuses": "", "board": BLANKS, "junk": "crash", "says": {"you": "CONGRATULATIONS! You win!", "me": "UNLUCKY! The Computer has won!", "tie": "It's a tie!"}},
    "blanks_and_broken_rules": {"you": "O", "setup": [question("Do you want to go first?[y/n]\n", {"y": {"first": "you"}, "n": {"first": "me"}}, otherwise="quit")], "typed": "0-8", "tokens": True, "ask": ["Player O turn: "], "shows": "mine", "board": " {}   {}   {} \n--- --- ---\n {}   {}   {} \n--- --- ---\n {}   {}   {} ", "says": {"you": "Player (O) Wins!!", "me": "Player (X) Wins!!", "tie": "This is a Draw!"}},
    "name_menu_mark_and_start": {"setup": [question("Enter your name: ", None), question("1.Two Player\n2.Random Computer\n3.Smart CPU\n4.Exit\n", {"1": {"level": "people"}, "2": {"level": "random"}, "3": {}, "4": "quit"}), question("Choose your symbol (X or O): ", MARKS), question("Choose who will go first, Player 1 or Player 2: ", {"1": {"first": "you"}, "2": {"first": "me"}})], "typed": "1-9", "ask": ["Where do you want to go?:\n"], "board": "{} | {} | {}\n--+---+--\n{} | {} | {}\n--+---+--\n{} | {} | {}", "empty": "#1", "says": {"you": "Congratulations {name}", "me": "Congratulations DeepBlue", "tie": "No more moves left. This is a draw"}, "again": ["1.Two Player\n2.Random Computer\n3.Smart CPU\n4.Exit\n"]},
    "forgotten_header": {"file": "forgets.cpp"},
    "zero_for_free": {"typed": "1-9", "welcome": "1 2 3\n4 5 6\n7 8 9\n", "ask": ["Your Move: "], "board": "| {} | {} | {} |\n" * 3, "empty": "0", "junk": "crash", "says": {"you": "Congratulations you win!", "me": "Computer Wins!", "tie": "Game tied!"}},
    "legend_with_commas": {"you": "O", "first": "me", "welcome": "Positions: 1, 2, 3\n4, 5, 6\n7, 8, 9\n", "typed": "1-9", "ask": ["Enter the position for 'O':  "], "board": TIGHT, "junk": "crash", "says": {"you": "Player wins!", "me": "Bot wins!", "tie": "Draw!"}},
    "tabs_and_fillers": {"setup": [question("Which would you prefer being, X or O ? : ", XO)], "marks": {"X": "x", "O": "o"}, "typed": "1-9", "ask": ["Please, input your move: "], "clear": "\x1b[H\x1b[2J", "shows": "mine", "board": "\n".join("\t     |     |\n\t  {}  |  {}  |  {}\n\t     |     |" for _ in range(3)), "says": {"you": "", "me": "Computer Wins . . . Better luck next time", "tie": "It's a TIE!"}, "again": ["Would you like to have a rematch? : "]},
    "drawn_marks": {"setup": [question("PVP (1), player vs AI (2), AI vs AI (3) ?\n", {"1": {"level": "people"}, "2": {}, "3": {"level": "watch"}})], "first": "chance", "typed": "column row 1", "tokens": True, "ask": ["Enter x :\n", "Enter y :\n"], "pictures": {"X": ["# #", " # ", "# #"], "O": [" # ", "# #", " # "], " ": ["   ", "   ", "   "]}, "board": "\n-----------\n".join("\n".join("|".join(f"{{{3 * row + column}[{line}]}}" for column in range(3)) for line in range(3)) for row in range(3)), "says": {"you": "P1 player wins !", "me": "P2 wins !", "tie": "No one wins !"}},
    "user_is_o_and_first": {"you": "O", "typed": "1-9", "ask": ["Enter your move (1-9): "], "board": BARS, "says": {"you": "You win! Congratulations!", "me": "Computer wins. Try again.", "tie": "It's a tie!"}},
    "digits_for_marks": {"you": "O", "first": "me", "marks": {"X": "1", "O": "2"}, "empty": "0", "typed": "row column 1", "tokens": True, "ask": ["Ingrese la fila y columna\n"], "board": "{}\t{}\t{}\n{}\t{}\t{}\n{}\t{}\t{}", "junk": "crash", "says": {"you": "Usted gana", "me": "La maquina Gana", "tie": "Empate"}},
    "size_and_minus_one": {"setup": [question("Enter a board size:\n", {"3": {}}, otherwise="quit"), question("Press 1 for X or -1 for O\n", {"1": {"you": "X", "first": "you"}, "-1": {"you": "O", "first": "me"}}, otherwise="quit")], "typed": "row,column 0", "ask": ["Player 1 move:\n"], "board": "-------------\n" + OUTER, "says": {"you": "Player @ Wins!", "me": "Player @ Wins!", "tie": "Nobody wins!"}},
    "row_major_said": {"setup": [question("Do you want to be X or O? X goes first.\n", {"x": XO["x"]}, otherwise=XO["o"])], "typed": "1-9", "ask": ["Make your move (row-major order):\n"], "replies": "My move is: @\n", "board": "\n" + TOKENS, "empty": "_", "junk": "crash", "says": {"you": "@ is the winner", "me": "@ is the winner", "tie": "It is a tie!"}},
    "no_prompt_at_all": {"typed": "1-9", "ask": [""], "board": "{}{}{}\n{}{}{}\n{}{}{}", "empty": "_", "shows": "mine", "last": "mine", "refuses": "Not a valid move! Make your move:\n", "junk": "crash", "says": {"you": "@ is the winner!", "me": "@ is the winner!", "tie": "It is a draw!"}},
    "brackets_wanted": {"typed": "(row,column) 1", "ask": ["Ingresa tu movimiento, ejm: (1,3).\n"], "board": "-------------------\n| {:^4}| {:^4}| {:^4}|\n| {:^4}| {:^4}| {:^4}|\n| {:^4}| {:^4}| {:^4}|\n-------------------", "empty": "-", "says": {"you": "Jugador Gana", "me": "PC Gana", "tie": "Empate"}},
    "readline_sync": {"js": "readline-sync", "setup": [{"ask": "Enter your chosen character? ", "takes": {"o": {"you": "O"}, "x": {"you": "X"}}}], "first": "chance", "small": True, "empty": "#1", "squares": list("123456789"), "ask": "Choose a position on the board? ", "board": "|{}||{}||{}|\n" * 3, "says": {"you": "Congratulations, You win!", "me": "Oh la la, the computer wins", "tie": "Oh, it is a draw"}, "again": "Do you want to continue playing(y/n)? "},
    "turn_by_number": {"you": "O", "setup": [question("Select turn:\n1. Computer (X) / 2. User (0) : ", {"1": {"first": "me"}, "2": {"first": "you"}}, otherwise="quit")], "opens": "chance", "typed": "row column 0", "tokens": True, "ask": ["Your move :\n"], "board": TOKENS, "empty": "?", "junk": "crash", "says": {"you": "You win !", "me": "You lost !", "tie": "Draw !"}},
    "squares_by_words": {"typed": "words", "ask": ["Where to, like top left? "], "board": BARS, "says": BY_MARK},
    "squares_by_letters": {"typed": "a letter", "ask": ["Pick a square (a-i): "], "board": TOKENS, "empty": ".", "says": BY_MARK},
    "levels_in_brackets": {"js": "readline", "welcome": "Squares are named so, with an X on b2:\n  1 2 3\na | | | |\nb | |X| |\nc | | | |\n", "setup": [{"ask": "(2Players/easy/minimax): ", "takes": {"2Players": {"level": "random"}, "easy": {"level": "random"}, "minimax": {"level": "smart"}}}], "squares": [f"{row}{column}" for row in "abc" for column in "123"], "ask": "Your move (row-column): ", "board": "  1 2 3\na |{}|{}|{}|\n -------\nb |{}|{}|{}|\n -------\nc |{}|{}|{}|", "says": {"you": "Player has won!", "me": "Computer has won!", "tie": "Tie!"}, "again": "Exit now? (y, or press Enter for new game): "},
}  # fmt: skip
BIG: Final = {
    "X": ["*   *", " * * ", "  *  ", " * * ", "*   *"],
    "O": [" *** ", "*   *", "*   *", "*   *", " *** "],
    " ": ["     "] * 5,
}
MORE: Final[dict[str, dict[str, Any]]] = {
    "yes_in_polish": {"setup": [question("Chcesz zaczynać? (t/n): ", {"t": {"you": "X", "first": "you"}, "n": {"you": "O", "first": "me"}})], "typed": "letter column", "any_case": True, "ask": ["Pole (np. B3): "], "board": "    A   B   C\n1   {} : {} : {}\n2   {} : {} : {}\n3   {} : {} : {}", "empty": ".", "refuses": "To pole jest zajęte.\n", "says": {"you": "Wygrywa @", "me": "Wygrywa @", "tie": "Remis"}},
    "levels_by_no_known_word": {"setup": [question("Imię? ", None), question("a) spacerek\nb) arcymistrz\nc) we dwoje\n> ", {"a": {"level": "random"}, "b": {}, "c": {"level": "people"}}), question("Kto zaczyna?\na) ja\nb) ty\n> ", {"a": {"first": "you"}, "b": {"first": "me"}})], "typed": "1-9", "ask": ["Ruch [1-9]: "], "board": " {} ┃ {} ┃ {}\n━━━╋━━━╋━━━\n {} ┃ {} ┃ {}\n━━━╋━━━╋━━━\n {} ┃ {} ┃ {}\n", "empty": "#1", "refuses": "Nie.\n", "says": BY_MARK},
    "big_marks": {"first": "chance", "typed": "letter row apart", "ask": ["Row letter, blank, column number: "], "clear": "\x1b[2J\x1b[H", "pictures": BIG, "board": "        1       2       3\n\n" + "\n   =======================\n".join("\n".join(("ABC"[row] if line == 2 else " ") + "   " + " ! ".join(f"{{{3 * row + column}[{line}]}}" for column in range(3)) for line in range(5)) for row in range(3)), "says": {"you": "You win", "me": "I win", "tie": "Draw"}},
    "sides_in_the_menu": {"setup": [question("1) Zu zweit\n2) Gegen den Rechner, du nimmst X\n3) Gegen den Rechner, du nimmst O\n4) Ende\nWahl: ", {"1": {"level": "people"}, "2": {"you": "X", "first": "you"}, "3": {"you": "O", "first": "me"}, "4": "quit"})], "typed": "1-9", "ask": ["Feld: "], "board": TIGHT, "says": {"you": "@ gewinnt!", "me": "@ gewinnt!", "tie": "Unentschieden."}},
    "names_of_its_own": {"welcome": "Casillas: arriba izquierda, arriba, arriba derecha,\nizquierda, centro, derecha,\nabajo izquierda, abajo y abajo derecha\n", "typed": "names", "names": ["arriba izquierda", "arriba", "arriba derecha", "izquierda", "centro", "derecha", "abajo izquierda", "abajo", "abajo derecha"], "ask": ["¿Dónde? "], "board": FILLED, "says": {"you": "¡Has ganado!", "me": "He ganado yo, el ordenador gana.", "tie": "Empate"}},
    "letters_for_free_squares": {"you": "O", "first": "me", "typed": "a letter", "ask": ["O: "], "board": "+---+---+---+\n" + "| {} | {} | {} |\n+---+---+---+\n" * 3, "empty": "#a", "shows": "mine", "says": BY_MARK},
    "numbers_of_its_own": {"setup": [question("Anfangen? (j/n) ", {"j": {"first": "you"}, "n": {"first": "me"}})], "typed": "names", "names": [*"816357492"], "empty": "#names", "ask": ["Zahl: "], "board": "   {}   {}   {}\n   {}   {}   {}\n   {}   {}   {}", "says": {"you": "Fünfzehn! Du gewinnst.", "me": "Fünfzehn! Ich gewinne.", "tie": "Unentschieden."}},
    "any_letter_for_a_mark": {"setup": [question("Come ti chiami? ", None), question("Your mark (a single letter): ", {**MARKS, **{key: {"you": "X"} for key in "nya"}}), question("How many rounds, 1 to 3? ", {key: {} for key in "123"}), question("Do you start (yes/no)? ", {"yes": {"first": "you"}, "no": {"first": "me"}})], "typed": "letter row", "any_case": True, "ask": ["Square: "], "board": "    1   2   3\n" + "\n".join("ABC"[row] + "   " + " ! ".join(f"{{{3 * row + column}}}" for column in range(3)) for row in range(3)), "empty": ".", "says": BY_MARK},
    "colons_and_dots": {"you": "O", "setup": [question("Would you like to start? ", {"y": {"first": "you"}, "n": {"first": "me"}})], "typed": "names", "names": ["top-left", "top", "top-right", "left", "centre", "right", "bottom-left", "bottom", "bottom-right"], "refuses": "Squares are: top-left, top, top-right, left, centre, right, bottom-left, bottom, bottom-right\n", "ask": ["Where? "], "board": "\n   ...:...:...\n".join(["    {} : {} : {}"] * 3), "says": BY_MARK},
    "numbers_in_the_corners": {"typed": "keypad", "empty": "#7", "setup": [question("Naam? ", None)], "ask": ["Welk vak? "], "shows": "mine", "board": "+---+---+---+\n" + "| {} | {} | {} |\n|   |   |   |\n+---+---+---+\n" * 3, "says": BY_MARK},
    "stars_all_around": {"setup": [question("How many players? (1/2): ", {"1": {}, "2": {"level": "people"}})], "typed": "row column 1", "ask": ["Enter row: ", "Enter column: "], "empty": "#1", "shows": "mine", "board": "*************\n" + "* {} * {} * {} *\n*************\n" * 3, "says": BY_MARK},
    "no_board_at_first": {"silent": True, "typed": "0-8", "ask": ["? "], "board": "{}{}{}\n{}{}{}\n{}{}{}", "empty": ".", "shows": "mine", "says": {"you": "you win", "me": "i win", "tie": "draw"}},
    "legend_at_the_left": {"first": "chance", "typed": "keypad", "ask": ["Your key: "], "board": "|7|8|9|     |{}|{}|{}|\n|4|5|6|     |{}|{}|{}|\n|1|2|3|     |{}|{}|{}|", "says": BY_MARK},
    "before_and_after": {"typed": "1-9", "ask": ["Move (1-9): "], "shows": "mine", "board": "\n".join(" | ".join(f"{{{at}}}" for at in range(9 + row, 12 + row)) + "      " + " | ".join(f"{{{at}}}" for at in range(row, 3 + row)) for row in (0, 3, 6)), "says": BY_MARK},
    "confirms_each_move": {"setup": [question("First? (y/n) ", {"y": {"first": "you"}, "n": {"first": "me"}})], "typed": "1-9", "ask": ["Square (1-9): "], "confirm": "Sure? (y/n) ", "yes": "y", "board": BARS, "says": BY_MARK},
    "as_in_a_shell": {"typed": "letter column from below", "marks": {"X": "x", "O": "o"}, "ask": ["> "], "empty": "-", "shows": "mine", "board": " 3 | {} {} {} |\n 2 | {} {} {} |\n 1 | {} {} {} |\n     a b c", "refuses": "unknown command\n", "says": {"you": "you win", "me": "computer wins", "tie": "draw"}},
    "sides_on_one_line": {"silent": True, "setup": [question("[1] Ty   [2] Komputer   [0] Koniec\nKto zaczyna? ", {"1": {"first": "you"}, "2": {"first": "me"}, "0": "quit"})], "typed": "1-9", "ask": ["Pole (1-9): "], "shows": "mine", "board": "   {}   |   {}   |   {}   \n-------|-------|-------\n" * 2 + "   {}   |   {}   |   {}   ", "says": BY_MARK},
    "enter_in_french": {"welcome": "Les cases sont celles du pavé (7 8 9 en haut).\n", "setup": [question("Tapez sur Entrée...", None)], "typed": "keypad", "clear": "\x1b[2J\x1b[H", "empty": "#7", "ask": ["À vous (X), case 1-9 : "], "board": "     {} │ {} │ {}\n    ───┼───┼───\n" * 2 + "     {} │ {} │ {}", "says": {"you": "Vous avez gagné !", "me": "Perdu ! L'ordinateur a gagné.", "tie": "Match nul."}},
    "emoji_for_marks": {"you": "O", "first": "me", "marks": {"X": "❌", "O": "⭕"}, "empty": "⬜", "typed": "1-9", "ask": ["Square 1-9: "], "board": "{} {} {}\n\n{} {} {}\n\n{} {} {}", "says": {"you": "You win!", "me": "The machine wins. Nobody will ever know.", "tie": "A draw."}},
    "heads_or_tails": {"setup": [question("Heads: you start, Tails: I start. What will it be, H or T? ", {"h": {"first": "you"}, "t": {"first": "me"}})], "typed": "letter row", "any_case": True, "marks": {"X": "*", "O": "#"}, "empty": ".", "ask": ["Square: "], "board": "\n       1   2   3\n" + "\n\n".join(f"   {row}   {{}}   {{}}   {{}}" for row in "ABC"), "says": {"you": "You win.\nSo far: 1 won, 0 lost, 0 drawn.", "me": "I win.\nSo far: 0 won, 1 lost, 0 drawn.", "tie": "A draw.\nSo far: 0 won, 0 lost, 1 drawn."}, "again": ["Again (Y/N)? "]},
    "draw_as_soon_as_nobody_can_win": {"early": True, "setup": [question("X or O? ", XO)], "typed": "1-9", "ask": ["Move (1-9): "], "board": BARS, "says": {**BY_MARK, "tie": "Draw after 7 rounds"}},
    "rows_with_their_names": {"setup": [question("Soll der Computer anfangen? (j/n) ", {"j": {"first": "me"}, "n": {"first": "you"}})], "typed": "row column 1", "empty": ".", "ask": ["Dein Zug (Zeile Spalte, z.B. 2 3): "], "board": "        Spalte\n        1 2 3\nZeile 1 {} {} {}\nZeile 2 {} {} {}\nZeile 3 {} {} {}", "says": {"you": "Du hast gewonnen!", "me": "Der Computer hat gewonnen!", "tie": "Unentschieden!"}},
}  # fmt: skip
"""Other ways of talking: other words, languages and looks, each for something that was once not driven."""

_READS: Final = {
    "prompt-sync": "const prompt = require('prompt-sync')();\nconst ask = async (text) => prompt(text);\n",
    "readline-sync": "const read = require('readline-sync');\nconst ask = async (text) => read.question(text);\n",
    "readline": "const lines = require('readline').createInterface({ input: process.stdin, output: process.stdout });\n"
    "const ask = (text) => new Promise((done) => lines.question(text, done));\n",
}


def handed_in(name: str, **changed: Any) -> Folder:
    """Return a program that talks so, as a hand-in; what is changed of its manner is given by name."""
    manner = {**(MANNERS | MORE).get(name, {}), **changed}
    if "file" in manner:
        file, content = manner["file"], (HERE / manner["file"]).read_bytes()
    elif "js" in manner:
        text = (
            f"const MANNER = {json.dumps(manner)};\n{_READS[manner['js']]}{(HERE / 'engine.js').read_text()}"
        )
        file, content = "game.js", text.encode()
    else:
        file, content = "game.py", f"MANNER = {manner!r}\n{(HERE / 'engine.py').read_text()}".encode()
    return (Handed(file, len(content), content),)
