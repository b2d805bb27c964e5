"""The programs of the tests: what is special about each, and what a grader must say of it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from grader.core.course.submission import Folder, Handed, read_program
from grader.programs.recipes import is_source
from tests.programs.talkers.manners import BARS, DOUBLED, FILLED, MARKS, XO, handed_in, question

HANDED_IN: Final = Path(__file__).parent / "handed_in"

CASES = (
    "plays", "optimal", "never-loses", "ends", "announces",
    "refuses-taken", "refuses-off-board", "refuses-letters", "refuses-empty", "refuses-end",
    "is-x", "starts", "row-major", "choice",
)  # fmt: skip
SCHEMES = (
    "1-9", "0-8", "keypad", "row column 0", "row column 1", "row, column 1", "row then column 0", "row then column 1",
    "column then row 0", "letter row", "letter column",
)  # fmt: skip


@dataclass(frozen=True)
class Fixture:
    name: str  # the folder
    language: str  # python, java, c, c++, javascript, rust, go, perl, bash
    special: str  # one sentence
    typed: str = "1-9"  # how squares are typed: one of SCHEMES
    starts: str = (
        "program"  # who moves first when the answers make the program X and first: program, user, random
    )
    mark: str = "X"  # the program's mark in that case, as it is printed
    fails: frozenset[str] = frozenset()  # cases that must not pass
    sampled: bool = False  # it chooses by chance, so that not every position can be seen
    outcome: str = "graded"  # graded, not read, does not build, does not start
    manner: dict[str, Any] = field(default_factory=dict, hash=False)  # how the engine of the talkers plays it
    changes: tuple[tuple[str, str], ...] = ()  # what is replaced in the text of the engine

    def files(self) -> Folder:
        """Return the files that are handed in: those of its folder, or a text made of the engine."""
        if not self.manner:
            return read_program(HANDED_IN / self.name).folder or ()
        (engine,) = handed_in("", **{**PLAIN, **self.manner})
        text = engine.content.decode()
        for old, new in (*(() if "refuses-end" in self.fails else [AT_THE_END]), *self.changes):
            assert old in text, old
            text = text.replace(old, new)
        return (Handed("ttt.py", len(text.encode()), text.encode()),)


def fails(*cases: str) -> frozenset[str]:
    assert set(cases) <= set(CASES), cases
    return frozenset(cases)


PLAIN: Final = {
    "typed": "1-9",
    "ask": ["Your move (1-9): "],
    "board": BARS,
    "says": {"you": "You win!", "me": "I win!", "tie": "It's a draw."},
}
BEGINS: Final = {"you": "O", "first": "me"}
LISTS: Final = "['{}', '{}', '{}']\n['{}', '{}', '{}']\n['{}', '{}', '{}']"
AT_THE_END: Final = ("\n\nplay()\n", "\n\ntry:\n    play()\nexcept EOFError:\n    print()\n")
"""It handles the end of input."""

YES_OR_NO: Final = {
    answer: {"first": "you" if answer[0] == "y" else "me"} for answer in ("yes", "no", "y", "n")
}
THINKS: Final = "            cell = value(board, side, other)[1]\n"
PLACES: Final = "        board = board[:cell] + side + board[cell + 1:]\n"
BIG: Final = {
    "X": ["#   #", " # # ", "  #  ", " # # ", "#   #"],
    "O": [" ### ", "#   #", "#   #", "#   #", " ### "],
    " ": ["     "] * 5,
}
OF_BIG: Final = "\n-------+-------+-------\n".join(
    "\n".join("|".join(f" {{{3 * row + column}[{line}]}} " for column in range(3)) for line in range(5))
    for row in range(3)
)

FIXTURES = (
    # right ones
    Fixture("as_assigned", "python", "Everything as the assignment words it, with — for an empty square.", fails=fails("choice")),
    Fixture("asks_mark", "java", "The user picks X or O in any case and X starts: the course with its extra."),
    Fixture("asks_mark_lower_case", "python", "Takes exactly x or o and draws small letters.", mark="x",
        manner={"setup": [question("Which mark do you take, x or o? ", XO, False)], "marks": {"X": "x", "O": "o"}},
    ),
    Fixture("asks_mark_by_number", "c++", "The mark is chosen as 1 or 2, prompts are whole lines, the winner is named by number."),
    Fixture("asks_who_starts_upper_case", "c", "Asks who starts and takes exactly Y or N, anything else quits; the starter is X."),
    Fixture("asks_mark_and_who_starts", "python", "Asks for a name, the mark and who starts; the winner is called by name.",
        manner={"setup": [question("What is your name? ", None), question("Do you want X or O? ", MARKS), question("Do you want to go first? (yes/no) ", YES_OR_NO)], "ask": ["Alex, choose a square (1-9): "], "says": {"you": "Alex wins!", "me": "Computer wins!", "tie": "Nobody wins."}},
    ),
    Fixture(
        "menu_of_players", "java",
        "A menu of players, then the difficulty by number; only hard is perfect; the user is X and starts; back to the menu at the end;"
        " letters and end of input are uncaught exceptions.",
        starts="user", mark="O", fails=fails("is-x", "starts", "choice", "refuses-letters", "refuses-end"),
    ),
    Fixture(
        "user_always_first", "python",
        "The user is X and first, another game is offered; end of input is a traceback.",
        starts="user", mark="O", fails=fails("is-x", "starts", "choice", "refuses-end"),
        manner={"again": ["Do you want to play again? (y/n) "]},
    ),
    Fixture(
        "zero_to_eight", "javascript", "Squares are 0 to 8, shown once in a legend; there is no empty board at the start.",
        typed="0-8", starts="user", mark="O", fails=fails("is-x", "starts", "row-major", "choice"),
    ),
    Fixture(
        "row_and_column_from_zero", "c++",
        "Row and column on one line, from 0, which the prompt does not say; marks are A and B; tabs; waits for Enter at the end;"
        " a number off the board aborts it.",
        typed="row column 0", starts="user", mark="B", fails=fails("is-x", "starts", "row-major", "choice", "refuses-off-board"),
    ),
    Fixture(
        "row_and_column_from_one", "java",
        "Row and column on one line, from 1, with labels; one board a round, the last one after the result; end of input is an"
        " uncaught exception.",
        typed="row column 1", starts="user", mark="O", fails=fails("is-x", "starts", "row-major", "choice", "refuses-end"),
    ),
    Fixture(
        "row_then_column_from_zero", "python",
        "Row and column at two prompts, from 0; the rows are printed as lists, one board a round; everything unexpected is a traceback.",
        typed="row then column 0", starts="user", mark="O",
        fails=fails("is-x", "starts", "row-major", "choice", "refuses-off-board", "refuses-letters", "refuses-empty", "refuses-end"),
        manner={"typed": "row column 0", "ask": ["Row (0-2): ", "Column (0-2): "], "board": LISTS, "shows": "mine", "junk": "crash"},
        changes=(('ask(prompt.replace("@", mark)).split() or [""]', "[str(int(ask(prompt)))]"),),
    ),
    Fixture(
        "row_then_column_from_one", "c", "Row and column at two prompts, from 1; the program starts but is O; doubled bars.",
        typed="row then column 1", mark="O", fails=fails("is-x", "row-major", "choice"),
    ),
    Fixture(
        "column_then_row", "c++",
        "Asks x, then y, from 0; the marks are X and the digit 0; columns of fixed width; the next game begins at once.",
        typed="column then row 0", starts="user", mark="0", fails=fails("is-x", "starts", "row-major", "choice"),
    ),
    Fixture(
        "letter_and_number", "python", "Squares are a1 to c3 with the column as the letter; colours and labels; the user is O and first.",
        typed="letter column", starts="user", fails=fails("starts", "row-major", "choice"),
        manner={"you": "O", "typed": "letter column", "any_case": True, "ask": ["Your square, like b2 > "], "marks": {"X": "\x1b[31mX\x1b[0m", "O": "\x1b[34mO\x1b[0m"}, "board": "    a   b   c\n1   {} | {} | {}\n   ---+---+---\n2   {} | {} | {}\n   ---+---+---\n3   {} | {} | {}"},
    ),
    Fixture(
        "keypad", "python", "Squares lie as on the number keys, 1 at the bottom left; a coin decides who starts; filler lines.",
        typed="keypad", starts="random", fails=fails("starts", "row-major", "choice"),
        manner={"you": "O", "first": "chance", "typed": "keypad", "ask": ["What is your next move? (1-9) "], "board": FILLED},
    ),
    Fixture(
        "clears_the_screen", "python", "Clears the screen before every board and sleeps 0.75 s before every move.",
        fails=fails("choice"),
        manner={**BEGINS, "clear": "\x1b[2J\x1b[H"},
        changes=(("import random\n", "import random\nimport time\n"), (THINKS, f"            time.sleep(0.75)\n{THINKS}")),
    ),
    Fixture(
        "plain_first_move", "python", "No pruning and no cache: the first move takes about two seconds; three characters make a row.",
        fails=fails("choice"),
        manner={**BEGINS, "board": "{}{}{}\n{}{}{}\n{}{}{}", "empty": "_"},
        changes=(("    if (board, side) not in KNOWN:\n", "    if True:\n"),),
    ),
    Fixture("in_go", "go", "As assigned, in Go; squares _ between bars.", fails=fails("choice")),
    Fixture("in_rust", "rust", "As assigned, in Rust; outer bars and prompts as whole lines.", fails=fails("choice")),
    Fixture(
        "draws_once_per_round", "javascript",
        "Spanish; squares are typed as row,column from 1; both marks appear at once and there is no board after the user's last move.",
        typed="row, column 1", starts="user", mark="O", fails=fails("is-x", "starts", "row-major", "choice"),
    ),
    Fixture(
        "numbers_for_free_squares", "c++", "A free square shows its digit, after a legend; cls is not found; small letters.",
        mark="x", fails=fails("choice"),
    ),
    # faulty ones
    Fixture(
        "looks_two_moves_ahead", "java", "The search stops after two moves, so it can be beaten; its help shows an example board.",
        starts="user", mark="O", fails=fails("optimal", "never-loses", "is-x", "starts", "choice"),
    ),
    Fixture(
        "loses_as_second_player", "python",
        "Perfect as X and first; when the user chooses X it takes the first free square and loses: the worse choice counts.",
        fails=fails("optimal", "never-loses"),
        manner={"setup": [question("Do you want to be X or O? ", XO)]},
        changes=((THINKS, THINKS.replace("value(", 'free[0] if told["first"] == "you" else value(')),),
    ),
    Fixture(
        "last_square_is_a_draw", "c++",
        "A win on the ninth square is called a draw, as after 1 2 4 6 5 8 3 7 9 (its own moves are the odd ones).",
        fails=fails("announces", "choice"),
    ),
    Fixture(
        "goes_on_after_a_win", "python", "Says who has won, then asks for the next move until the board is full.",
        fails=fails("ends", "choice"),
        manner={**BEGINS, "board": DOUBLED},
        changes=(('    if MANNER.get("last")', '    while " " in board:\n        cell = typed(board, you)\n        board = board[:cell] + you + board[cell + 1:]\n        show(board)\n    if MANNER.get("last")'),),
    ),
    Fixture(
        "overwrites_a_taken_square", "c", "Takes any square from 1 to 9, free or not; has no prompt at all.",
        fails=fails("refuses-taken", "choice"),
    ),
    Fixture(
        "crashes_on_letters", "python", "int(input()) without a net: letters, an empty line and end of input are tracebacks.",
        fails=fails("refuses-letters", "refuses-empty", "refuses-end", "choice"),
        manner={**BEGINS, "junk": "crash"},
        changes=(('"junk") == "crash":', '"junk") == "crash" and not text.isdigit():'),),
    ),
    Fixture(
        "floods_on_letters", "c++", "After letters or end of input it asks again for ever; a free square is 0 beside O.",
        fails=fails("refuses-letters", "refuses-end", "choice"),
    ),
    Fixture(
        "two_marks_in_one_turn", "python", "Its fourth turn puts two marks unless the first wins; the rows are printed as lists.",
        fails=fails("plays", "choice"),
        manner={**BEGINS, "board": LISTS, "empty": "_"},
        changes=((f"{PLACES}        over", f'{PLACES}        if mine and len(free) == 3 and not winner(board):\n            board = board.replace(" ", side, 1)\n        over'),),
    ),
    Fixture(
        "opens_at_random", "python",
        "The first square is chance, the rest is searched; every opening draws, so all of it is optimal.",
        sampled=True, fails=fails("choice"),
        manner={**BEGINS, "opens": "chance"},
    ),
    Fixture(
        "never_announces", "java", "Stops without a word about the result; twenty newlines before every board; one board a round.",
        fails=fails("announces", "choice"),
    ),
    Fixture(
        "chooses_at_random", "javascript", "Takes any free square; prompts with > only.",
        sampled=True, fails=fails("optimal", "never-loses", "choice"),
    ),
    Fixture(
        "says_the_wrong_winner", "python", "Congratulates the user when the program has won; the last board comes after the words.",
        fails=fails("announces", "choice"),
        manner={**BEGINS, "board": "{}  {}  {}\n{}  {}  {}\n{}  {}  {}", "empty": "-", "shows": "mine", "last": "after", "says": {"you": "Sorry, the computer wins!", "me": "Congratulations, you win!", "tie": "The game ended in a draw."}},
    ),
    # beyond the list: rows of the tables that at least two real programs show
    Fixture(
        "letter_is_the_row", "java", "Squares are A1 to C3 with the row as the letter; the program is X and starts.",
        typed="letter row", fails=fails("row-major", "choice"),
    ),
    Fixture(
        "says_nothing_at_a_tie", "python", "Names a winner but ends a tie without a word; the user is X and first; # around the board.",
        starts="user", mark="O", fails=fails("announces", "is-x", "starts", "choice"),
        manner={"board": "#############\n" + "# {} | {} | {} #\n#############\n" * 3, "says": {"you": "Player wins!", "me": "Computer wins!", "tie": ""}},
    ),
    Fixture(
        "asks_mark_but_user_starts", "c++", "The user chooses the mark but always moves first, so the program can be X and never starts.",
        starts="user", fails=fails("starts"),
    ),
    Fixture(
        "asks_mark_and_tosses_a_coin", "python", "The user chooses the mark, chance chooses who starts; another game is offered.",
        starts="random", fails=fails("starts"),
        manner={"setup": [question("Do you want to be X or O? ", MARKS)], "first": "chance", "again": ["Do you want to play again? (yes or no) "]},
    ),
    Fixture(
        "crashes_on_a_taken_square", "javascript", "A taken square or a number off the board is an uncaught error; letters are asked again.",
        fails=fails("refuses-taken", "refuses-off-board", "choice"),
    ),
    Fixture("draws_big_letters", "python", "Marks are pictures of # over five lines.", fails=fails("choice"),
        manner={**BEGINS, "pictures": BIG, "board": OF_BIG},
    ),
    Fixture("in_perl", "perl", "The program is X and begins; free squares show their numbers.", fails=fails("choice")),
    Fixture(
        "in_bash", "bash", "The user is X and begins; a board of dashes between blanks; the first reply takes a second.",
        starts="user", mark="O", fails=fails("is-x", "starts", "choice"),
    ),
    # not to be driven
    Fixture("draws_no_board", "python", "Tells its moves and never draws a board.", outcome="not read"),
    Fixture("does_not_compile", "c++", "A semicolon is missing.", outcome="does not build"),
    Fixture("needs_a_package", "python", "Imports a package that is not installed.", outcome="does not start"),
)  # fmt: skip
BY_NAME: Final = {fixture.name: fixture for fixture in FIXTURES}


def text_of(name: str) -> str:
    """Return the only source of a program."""
    (source,) = (file for file in BY_NAME[name].files() if is_source(file.name))
    return source.content.decode()
