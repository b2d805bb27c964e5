"""A match between a person and a submission, in a terminal or down a pipe, with functions or a program."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TextIO, TypeVar

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game import board as game
from grader.core.game import oracle
from grader.core.game.board import CELLS, EMPTY, START, Action, Board, O, X, as_action
from grader.core.messages import _, later
from grader.core.values import printable_lines

Ply = Action | str
"""A legal move, or what the submission did instead, as the end of a sentence."""


class Opponent:
    """A submission that a person plays against: its `minimax` is asked for each move."""

    lets_choose = True
    """Whether the person may choose a side."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.name = client.submission.name

    def begin(self, side: str) -> str:
        """Begin a game; return the side that the person has in it."""
        return side

    def answer(self, board: Board) -> Ply:
        """Return its move on a running board; the first may take as long as asking about every board."""
        patience = self._client.limits.sweep_budget
        reply = self._client.ask_within("minimax", [board], 2 * patience, patience).get(board)
        legal = oracle.successors(board)
        if isinstance(reply, Returned) and as_action(reply.value) in legal:
            row, column = reply.value
            return int(row), int(column)
        return _instead_of_move(reply)

    def end(self, board: Board) -> str:
        """Take the board with which the person has ended a game; return what went wrong, or nothing."""
        return ""

    def printed(self) -> str:
        """Return what it has printed since this was asked last, if that is part of a game."""
        return ""


def _instead_of_move(reply: Reply | None) -> str:
    """Return what a submission did instead of moving, as the end of a sentence."""
    match reply:
        case Returned():
            text = repr(reply.value)
            shown = text if len(text) <= 60 else f"{text[:60]}…"
            return _("`minimax` answers {answer}, which is no free cell", answer=shown)
        case Raised():
            return _("`minimax` raises {error}", error=reply)
        case Missing():
            return _("there is no `minimax` in it")
        case Lost():
            return _("`minimax` gives no answer: {why}", why=reply.detail)
        case NotLoaded():
            return reply.why.rstrip(".")
        case None:
            return _("`minimax` has taken too long over its moves")


@dataclass
class Match:
    """One game after the other; the person's side may change between them."""

    side: str = X
    board: Board = START
    forfeit: str = ""
    """Why the submission could not go on, if so."""
    tally: dict[str, int] = field(default_factory=lambda: {"won": 0, "drawn": 0, "lost": 0})

    def anew(self, side: str) -> None:
        """Begin another game."""
        self.side, self.board, self.forfeit = side, START, ""

    @property
    def is_over(self) -> bool:
        """Whether this game has ended."""
        return bool(self.forfeit) or game.is_over(self.board)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return not self.is_over and game.side_to_move(self.board) == self.side

    def take(self, action: Action) -> None:
        """Make a move for whose turn it is, and count the game if that ends it."""
        self.board = game.place(self.board, action)
        if game.is_over(self.board):
            champion = game.winner(self.board)
            self.tally["drawn" if champion is None else "won" if champion == self.side else "lost"] += 1

    def hear(self, ply: Ply) -> None:
        """Take the submission's answer: a move, or the end of the game."""
        if isinstance(ply, str):
            self.forfeit = ply
            self.tally["won"] += 1
        else:
            self.take(ply)

    def result(self) -> str:
        """Return how this game has ended, in a sentence."""
        if self.forfeit:
            return _("The game ends here: {why}.", why=self.forfeit)
        champion = game.winner(self.board)
        if champion is None:
            return _("It is a tie.")
        if champion == self.side:
            return _("You have won.")
        return _("The submission has won, as {side}.", side=champion)

    def score(self) -> str:
        """Return how all games have ended, in a sentence."""
        return _("You: {won} won, {drawn} drawn, {lost} lost.", **self.tally)

    def worth(self) -> dict[Action, str]:
        """Return what each free cell is worth to whose turn it is: wins, draws or loses."""
        sign = 1 if game.side_to_move(self.board) == X else -1
        words = {sign: "wins", 0: "draws", -sign: "loses"}
        return {cell: words[oracle.value(after)] for cell, after in oracle.successors(self.board).items()}


def cell_of(text: str, board: Board) -> Action:
    """Return the free cell that a person means by 1 to 9, or row,column; raise ValueError if none."""
    parts = text.replace(",", " ").replace("(", " ").replace(")", " ").split()
    if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit() and 1 <= int(parts[0]) <= 9:
        cell = CELLS[int(parts[0]) - 1]
    elif len(parts) == 2 and all(part in ("0", "1", "2") for part in parts):
        cell = (int(parts[0]), int(parts[1]))
    else:
        raise ValueError(_("Type 1 to 9, row by row, or row,column with each 0 to 2."))
    if cell not in game.empty_cells(board):
        raise ValueError(_("{cell} is taken.", cell=text.strip()))
    return cell


WORTH: Final = {"wins": later("wins"), "draws": later("draws"), "loses": later("loses")}


def _is_yes(text: str) -> bool:
    # For translators: what a person may type for yes, in small letters with blanks between
    return text.lower() in {"y", "yes", *_("y yes").split()}


_BOARD: Final = " {} │ {} │ {} \n───┼───┼───\n {} │ {} │ {} \n───┼───┼───\n {} │ {} │ {} "
_ITS_OWN: Final = "  ▏"
Read = TypeVar("Read")


class _Ended(Exception):
    """The input has ended, or the person has quit."""


class Table:
    """A person at the terminal, and a submission in its sandbox."""

    def __init__(self, opponent: Opponent, lines: Iterator[str], out: TextIO, coach: bool = False) -> None:
        self._opponent, self._lines, self._out, self._coach = opponent, lines, out, coach
        self._match = Match()

    def play(self) -> None:
        """Play games until the person has had enough, or the input ends."""
        self._say(
            _(
                "You play against {name}. Type 1 to 9, row by row, or row,column\n"
                "with each 0 to 2; q ends it.",
                name=self._opponent.name,
            )
        )
        try:
            while True:
                wanted = self._side() if self._opponent.lets_choose else X
                self._match.anew(self._opponent.begin(wanted))
                self._game()
                if not self._asked(_("Again? [y/N] "), _is_yes):
                    break
        except (_Ended, KeyboardInterrupt):
            self._say("")
        if sum(self._match.tally.values()):
            self._say(self._match.score())

    def _side(self) -> str:
        def read(text: str) -> str:
            if text.upper() not in ("", X, O):
                raise ValueError(_("Type X or O."))
            return text.upper() or X

        return self._asked(_("Do you play X or O? X begins. [X] "), read)

    def _game(self) -> None:
        match = self._match
        self._say_printed()
        if not self._opponent.lets_choose:
            self._say(_("You play {side}. X begins.", side=match.side))
        self._draw()
        while not match.is_over:
            if match.is_persons_turn:
                match.take(self._asked(_("Your move: "), lambda text: cell_of(text, match.board)))
                if match.is_over:
                    wrong = self._opponent.end(match.board)
                    self._say_printed()
                    self._draw()
                    if wrong:
                        self._say(_("At the end of the game something went wrong: {why}.", why=wrong))
            else:
                self._say(_("It thinks ..."))
                answer = self._opponent.answer(match.board)
                match.hear(answer)
                self._say_printed()
                if not isinstance(answer, str):
                    self._say(_("It takes {cell}.", cell=CELLS.index(answer) + 1))
                    self._draw()
        self._say(match.result())

    def _say_printed(self) -> None:
        """Show what the submission has printed, each line behind a bar."""
        for line in printable_lines(self._opponent.printed()).splitlines():
            self._say(f"{_ITS_OWN} {line}".rstrip())

    def _draw(self) -> None:
        """Draw the board: free cells have their numbers; the coach says what each is worth."""
        match = self._match
        worth = match.worth() if self._coach and match.is_persons_turn else {}
        marks = [
            str(number) if mark == EMPTY and not match.is_over else mark.replace(EMPTY, " ")
            for number, mark in enumerate(match.board, 1)
        ]
        self._say("\n" + _BOARD.format(*marks))
        if worth:
            cells = ", ".join(f"{CELLS.index(cell) + 1} {_(WORTH[what])}" for cell, what in worth.items())
            self._say(_("Coach: {cells}.", cells=cells))
        self._say("")

    def _asked(self, prompt: str, read: Callable[[str], Read]) -> Read:
        """Ask until a line can be read; the end of the input, or q, ends the game."""
        while True:
            self._out.write(prompt)
            self._out.flush()
            line = next(self._lines, None)
            if line is None or line.strip().lower() in ("q", "quit", "exit"):
                raise _Ended
            try:
                return read(line.strip())
            except ValueError as error:
                self._say(str(error))

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()
