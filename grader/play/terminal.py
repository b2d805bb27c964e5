"""The game in a terminal, or down a pipe: lines go in, a drawn board and sentences come out."""

from collections.abc import Callable, Iterator
from typing import Final, TextIO, TypeVar

from grader.core.game.board import CELLS, EMPTY, O, X
from grader.play.match import Match, Opponent, cell_of

_BOARD: Final = " {} │ {} │ {} \n───┼───┼───\n {} │ {} │ {} \n───┼───┼───\n {} │ {} │ {} "
Read = TypeVar("Read")


class _Ended(Exception):
    """Nobody types any more."""


class Table:
    """A person at the terminal, and a submission in its worker."""

    def __init__(self, opponent: Opponent, lines: Iterator[str], out: TextIO, coach: bool = False) -> None:
        self._opponent, self._lines, self._out, self._coach = opponent, lines, out, coach
        self._match = Match()

    def play(self) -> None:
        """Play games until the person has had enough, or the input ends."""
        self._say(
            f"You play against {self._opponent.name}. Type 1 to 9, row by row, or row,column\n"
            "with each 0 to 2; q ends it."
        )
        try:
            while True:
                self._match.anew(self._side())
                self._game()
                if not self._asked("Again? [y/N] ", lambda text: text.lower() in ("y", "yes")):
                    break
        except (_Ended, KeyboardInterrupt):
            self._say("")
        if sum(self._match.tally.values()):
            self._say(f"You: {self._match.score()}.")

    def _side(self) -> str:
        def read(text: str) -> str:
            if text.upper() not in ("", X, O):
                raise ValueError("type X or O")
            return text.upper() or X

        return self._asked("Do you play X or O? X begins. [X] ", read)

    def _game(self) -> None:
        match = self._match
        self._draw()
        while not match.is_over:
            if match.is_persons_turn:
                match.take(self._asked("Your move: ", lambda text: cell_of(text, match.board)))
                if match.is_over:
                    self._draw()
            else:
                self._say("It thinks ...")
                answer = self._opponent.answer(match.board)
                match.hear(answer)
                if not isinstance(answer, str):
                    self._say(f"It takes {CELLS.index(answer) + 1}.")
                    self._draw()
        self._say(match.result())

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
            told = ", ".join(f"{CELLS.index(cell) + 1} {what}" for cell, what in worth.items())
            self._say(f"Coach: {told}.")
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
                sentence = str(error)
                self._say(f"{sentence[:1].upper()}{sentence[1:]}.")

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()
