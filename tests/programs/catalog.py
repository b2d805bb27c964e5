"""The programs of the tests: what is special about each, and what a grader must say of it."""

from dataclasses import dataclass

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


def fails(*cases: str) -> frozenset[str]:
    assert set(cases) <= set(CASES), cases
    return frozenset(cases)


FIXTURES = (
    # right ones
    Fixture("as_assigned", "python", "Everything as the assignment words it, with — for an empty square.", fails=fails("choice")),
    Fixture("asks_mark", "java", "The user picks X or O in any case and X starts: the course with its extra."),
    Fixture("asks_mark_lower_case", "python", "Takes exactly x or o and draws small letters.", mark="x"),
    Fixture("asks_mark_by_number", "c++", "The mark is chosen as 1 or 2, prompts are whole lines, the winner is named by number."),
    Fixture("asks_who_starts_upper_case", "c", "Asks who starts and takes exactly Y or N, anything else quits; the starter is X."),
    Fixture("asks_mark_and_who_starts", "python", "Asks for a name, the mark and who starts; the winner is called by name."),
    Fixture(
        "menu_of_players", "java",
        "A menu of players, then the difficulty by number; only hard is perfect; the user is X and starts; back to the menu at the end;"
        " letters and end of input are uncaught exceptions.",
        starts="user", mark="O", fails=fails("is-x", "starts", "choice", "refuses-letters", "refuses-end"),
    ),
    Fixture(
        "user_always_first", "python",
        "The user is X and first, the first reply takes a second or two, another game is offered; end of input is a traceback.",
        starts="user", mark="O", fails=fails("is-x", "starts", "choice", "refuses-end"),
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
    ),
    Fixture(
        "keypad", "python", "Squares lie as on the number keys, 1 at the bottom left; a coin decides who starts; filler lines.",
        typed="keypad", starts="random", fails=fails("starts", "row-major", "choice"),
    ),
    Fixture(
        "clears_the_screen", "python", "Clears the screen before every board and sleeps 0.75 s before every move.",
        fails=fails("choice"),
    ),
    Fixture(
        "plain_first_move", "python", "No pruning and no cache: the first move takes about two seconds; three characters make a row.",
        fails=fails("choice"),
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
    ),
    Fixture(
        "last_square_is_a_draw", "c++",
        "A win on the ninth square is called a draw, as after 1 2 4 6 5 8 3 7 9 (its own moves are the odd ones).",
        fails=fails("announces", "choice"),
    ),
    Fixture(
        "goes_on_after_a_win", "python", "Says who has won, then asks for the next move until the board is full.",
        fails=fails("ends", "choice"),
    ),
    Fixture(
        "overwrites_a_taken_square", "c", "Takes any square from 1 to 9, free or not; has no prompt at all.",
        fails=fails("refuses-taken", "choice"),
    ),
    Fixture(
        "crashes_on_letters", "python", "int(input()) without a net: letters, an empty line and end of input are tracebacks.",
        fails=fails("refuses-letters", "refuses-empty", "refuses-end", "choice"),
    ),
    Fixture(
        "floods_on_letters", "c++", "After letters or end of input it asks again for ever; a free square is 0 beside O.",
        fails=fails("refuses-letters", "refuses-end", "choice"),
    ),
    Fixture(
        "two_marks_in_one_turn", "python", "Its fourth turn puts two marks unless the first wins; the rows are printed as lists.",
        fails=fails("plays", "choice"),
    ),
    Fixture(
        "opens_at_random", "python",
        "The first square is chance, the rest is searched; every opening draws, so all of it is optimal.",
        sampled=True, fails=fails("choice"),
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
    ),
    # beyond the list: rows of the tables that at least two real programs show
    Fixture(
        "letter_is_the_row", "java", "Squares are A1 to C3 with the row as the letter; the program is X and starts.",
        typed="letter row", fails=fails("row-major", "choice"),
    ),
    Fixture(
        "says_nothing_at_a_tie", "python", "Names a winner but ends a tie without a word; the user is X and first; # around the board.",
        starts="user", mark="O", fails=fails("announces", "is-x", "starts", "choice"),
    ),
    Fixture(
        "asks_mark_but_user_starts", "c++", "The user chooses the mark but always moves first, so the program can be X and never starts.",
        starts="user", fails=fails("starts"),
    ),
    Fixture(
        "asks_mark_and_tosses_a_coin", "python", "The user chooses the mark, chance chooses who starts; another game is offered.",
        starts="random", fails=fails("starts"),
    ),
    Fixture(
        "crashes_on_a_taken_square", "javascript", "A taken square or a number off the board is an uncaught error; letters are asked again.",
        fails=fails("refuses-taken", "refuses-off-board", "choice"),
    ),
    Fixture("draws_big_letters", "python", "Marks are pictures of # over five lines.", fails=fails("choice")),
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
