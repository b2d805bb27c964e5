"""What a program does with input that is no move, each kind in a game of its own after the others."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from grader.core.messages import _, later, one_after_the_other
from grader.programs import boards
from grader.programs.game import Game, Step
from grader.programs.series import Finished, Series
from grader.programs.squares import Family
from grader.programs.terminal import END_OF_INPUT, Turn


class Input(StrEnum):
    """What is typed that is no move."""

    TAKEN = "taken"
    OFF_BOARD = "off_board"
    LETTERS = "letters"
    EMPTY = "empty"
    END = "end"


WORDS: Final = {
    Input.TAKEN: later("a square that is taken"),
    Input.OFF_BOARD: later("a square off the board"),
    Input.LETTERS: later("letters"),
    Input.EMPTY: later("an empty line"),
    Input.END: later("the end of input"),
}


class Response(StrEnum):
    """What came of it."""

    ASKS_AGAIN = later("it asks again, and the game goes on")
    ENDS = later("it ends")
    CRASHES = later("it crashes")
    FLOODS = later("it prints without an end")
    TAKES_IT = later("it takes it as a move")
    STUCK = later("it takes no move any more")
    HANGS = later("it gives no answer in time")
    NOT_TRIED = later("no game came so far")

    @property
    def is_right(self) -> bool:
        """Whether nothing can be said against it."""
        return self in (Response.ASKS_AGAIN, Response.ENDS, Response.NOT_TRIED)


_LOST: Final = {
    Step.CRASHED: Response.CRASHES,
    Step.BROKEN: Response.CRASHES,
    Step.FLOODS: Response.FLOODS,
    Step.QUIT: Response.ENDS,
    Step.OUT_OF_TIME: Response.NOT_TRIED,
    Step.WRONG_BOARD: Response.TAKES_IT,
    Step.NO_REPLY: Response.TAKES_IT,
}
_FAR: Final = {
    Family.LINES: ("7", "7"),
    Family.PAIR: ("7 7",),
    Family.COMMA: ("7,7",),
    Family.BRACKETS: ("(7,7)",),
    Family.LETTER: ("d9",),
    Family.CAPITAL: ("D9",),
}
"""Squares off the board, as they are typed."""

_NO_SQUARES: Final = {Input.LETTERS: ("abc",), Input.EMPTY: ("",), Input.END: (END_OF_INPUT,)}


@dataclass(frozen=True)
class Refusal:
    """What a program did with one kind of input."""

    typed: str
    response: Response
    transcript: str
    game: Finished | None = None
    """The game as it went on from there, where it came to its end."""


def refusal(series: Series, kind: Input) -> Refusal:
    """Return what the program does with one kind of input, given twice in the middle of a new game.

    A square may be taken by either side: the program's own is typed first, then the user's.
    """
    found = _in_a_game(series, kind, its=True)
    if kind is Input.TAKEN and found.response is Response.ASKS_AGAIN:
        other = _in_a_game(series, kind, its=False)
        return found if other.response is Response.NOT_TRIED else other
    return found


def _in_a_game(series: Series, kind: Input, *, its: bool) -> Refusal:
    if series.patience.is_over:
        return Refusal("", Response.NOT_TRIED, "")
    game = series.game()
    with game.terminal as terminal:
        try:
            return _tried(series, game, kind, its=its)
        finally:
            series.seconds += terminal.seconds


def _tried(series: Series, game: Game, kind: Input, *, its: bool) -> Refusal:
    scheme = series.manner.scheme
    step = game.begin()
    while step is Step.MY_TURN and not {"X", "O"} <= set(game.board):  # by then both signs are known
        step = game.play(series.telling_cell(game.board, game.its), scheme)
    if step is not Step.MY_TURN:
        return Refusal("", Response.NOT_TRIED, game.terminal.transcript)
    lines = _lines(game, series, kind, game.its if its else game.mine)
    told: list[str] = []
    response = _typed(game, lines, told)
    is_whole = kind is not Input.END and (len(scheme.typed(0)) == 1 or _asks_for_move(game))
    if response is Response.ASKS_AGAIN and is_whole:  # many look once, and then no more
        response = _typed(game, lines, told)
    transcript, ended = game.terminal.transcript, None
    if response is Response.ASKS_AGAIN:
        response, step = _goes_on(series, game, kind)
        transcript, ended = game.terminal.transcript, series.played_on(game, step)
    return Refusal(one_after_the_other(told), response, transcript, ended)


def _typed(game: Game, lines: tuple[str, ...], told: list[str]) -> Response:
    """Type what is no move, add it to what was told, and see what comes of it."""
    turn = Turn.WAITS
    for line in lines:
        game.terminal.type(line)
        told.append(_("end of input") if line == END_OF_INPUT else line)
        turn = game.wait(game.patience.later)
        if turn is not Turn.WAITS or _asks_for_move(game):
            break
    if turn is not Turn.WAITS:
        return _LOST.get(game.lost(turn), Response.HANGS)
    drawn = boards.shown(game.terminal.said.splitlines(), game.signs, game.board, game.learned)
    return Response.ASKS_AGAIN if drawn in (None, game.board) else Response.TAKES_IT


def _lines(game: Game, series: Series, kind: Input, side: str) -> tuple[str, ...]:
    """Return what is typed, in the program's own manner; a square that is taken is one of this side."""
    scheme = series.manner.scheme
    if kind is Input.TAKEN:
        return scheme.typed(game.board.index(side))
    return _FAR.get(scheme.family, ("42",)) if kind is Input.OFF_BOARD else _NO_SQUARES[kind]


def _asks_for_move(game: Game) -> bool:
    return bool(game.terminal.said.strip()) and game.asks_for_move()


def _goes_on(series: Series, game: Game, kind: Input) -> tuple[Response, Step]:
    """See whether a move is still taken and answered, as if nothing had been typed."""
    if len(series.manner.scheme.typed(0)) > 1 and not _asks_for_move(game) and kind is not Input.END:
        return Response.ASKS_AGAIN, Step.REFUSED  # it asks for the second line again: that is refused, too
    known = len(game.path)
    step = game.play(series.telling_cell(game.board, game.its), series.manner.scheme)
    if step in (Step.MY_TURN, Step.OVER) and len(game.path) > known:
        return Response.ASKS_AGAIN, step
    return _LOST.get(step, Response.STUCK), step
