"""A series of games with one program, and what it does with input that is no move.

Each game looks for positions that were not seen yet; a fault has to be seen twice. Each kind of invalid input
has a game of its own, after the others.
"""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from grader.core.game.board import START, Board, place, side_to_move, winner
from grader.core.messages import _, later, one_after_the_other
from grader.programs import boards
from grader.programs.announcements import DRAW, PROGRAM, SOMEBODY, USER, announced
from grader.programs.boards import Signs
from grader.programs.game import Game, Manner, Opens, Step, Waits, moves_of
from grader.programs.prompts import Kind, answers, asked
from grader.programs.search import wrong_replies
from grader.programs.seen import MOST_SAMPLED, Course, Fault, Seen
from grader.programs.squares import Family
from grader.programs.terminal import END_OF_INPUT, ROWS, Turn

_MOST_FAULTS: Final = 30
_MOST_LATE: Final = 3
_MOST_DOUBTS: Final = 5
_MOST_GAMES: Final = 500
_SEVERAL: Final = 3
_TRIES: Final = 3
"""How often a game with a program that chooses by chance is begun to come to the same position again."""

_IN_A_ROW: Final = 2
"""Games that are played one after the other in the same process, where it goes on to another one."""

_FOR_THE_REST: Final = 0.1
"""The share of the time after which positions are left unseen to which every reply is right."""

_OF_THE_GAMES: Final = 0.2
"""The share of the games that may go to such positions, and to other orders of moves, alone."""

_MORE_PATIENT: Final = 10
"""So many times as long is waited when a fault is looked at again."""


MISTYPED: Final = (Step.REFUSED, Step.WRONG_BOARD, Step.NO_REPLY)
"""What may come of a move that was typed in a wrong way."""


class End(StrEnum):
    """What a program does when a game is over."""

    EXITS = later("it ends")
    ASKS = later("it asks for something else")
    STARTS_OVER = later("it starts another game")
    GOES_ON = later("it asks for another move")
    CRASHES = later("it crashes")


@dataclass(frozen=True)
class Finished:
    """A game to its end: the boards, what the program did then, and what it said."""

    path: tuple[Board, ...]
    its: str
    """The side of the program."""
    signs: Signs
    end: End
    said: str
    transcript: str
    final_board_shown: bool

    @property
    def result(self) -> str:
        """The winner by the board, or a draw."""
        champion = winner(self.path[-1])
        return DRAW if champion is None else PROGRAM if champion == self.its else USER

    @property
    def announced(self) -> set[str]:
        """The results that the program announces."""
        return announced(self.said, self.its, self.signs)

    @property
    def is_announced(self) -> bool:
        """Whether the result is announced, and nothing else is."""
        right, found = {self.result} if self.result == DRAW else {self.result, SOMEBODY}, self.announced
        return bool(found & right) and not found & ({DRAW, PROGRAM, USER} - right)

    @property
    def errs(self) -> bool:
        """Whether a reply of the program is not optimal."""
        return wrong_replies(self.path, self.its) > 0

    @property
    def is_right(self) -> bool:
        """Whether nothing can be said against it: replies, end and announcement."""
        is_fair = self.result != USER and self.is_announced and self.end not in (End.GOES_ON, End.CRASHES)
        return is_fair and not self.errs


@dataclass
class Series(Seen):
    """All games with a program in one manner, and what they show."""

    opens: Opens
    patience: Waits
    manner: Manner
    games: list[Finished] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    """What has cost a game, seen twice."""
    doubts: list[Fault] = field(default_factory=list)
    """Faults that were seen once, and not again: they cost nothing."""
    signs: Counter[str] = field(default_factory=Counter)
    """By what the program was drawn."""
    seconds: float = 0.0
    recalled: list[tuple[str, Course]] = field(default_factory=list)
    """Games of an earlier run: the side of the program, and the boards."""

    def recall(self, games: Sequence[tuple[str, Course]]) -> None:
        """Take over the games of an earlier run, in which everything was right."""
        for its, course in games:
            self.remember(course, its)
            self.sides[its] += 1
        self.recalled = list(games)

    @property
    def to_keep(self) -> list[tuple[str, Course]]:
        """The games that another run can start from: those that were right, if there is more to be seen."""
        if self.by_chance or self.decided:
            return []
        return [*self.recalled, *((game.its, game.path) for game in self.games if game.is_right)]

    def play(self, budget: float, until: float = math.inf, *, wary: bool = False) -> None:
        """Play until every position was seen, or the program has used `budget` seconds.

        No game begins after `until` by the wall clock. If `wary`, stop after several broken games.
        """
        end, rest, beyond = self.seconds + budget, self.seconds + _FOR_THE_REST * budget, 0
        for number in range(_MOST_GAMES):
            if self.patience.is_over:
                return
            if number and (time.monotonic() >= until or self._is_hopeless or self.seconds >= end):
                return
            if self.decided:  # as long as it is not, it is not complete either
                if number and self.complete and not self.has_other_orders:
                    return
                if self.seconds >= rest or beyond > _OF_THE_GAMES * number:
                    return
                beyond += 1
            if (self.by_chance and number >= MOST_SAMPLED) or (wary and self.breaks_the_rules):
                return
            self._play_game()

    @property
    def breaks_the_rules(self) -> bool:
        """Whether games break the rules, from the first one on or most of them, by what was typed perhaps."""
        broken = [*self.faults, *self.doubts]
        mistyped = sum(fault.step in MISTYPED for fault in broken)
        from_the_first = not self.games and any(fault.step in MISTYPED for fault in self.faults)
        return from_the_first or (len(broken) >= _SEVERAL and mistyped >= len(self.games))

    @property
    def is_doubtful(self) -> bool:
        """Whether the grader may play it in a wrong way: games come to nothing, or sides are mixed up.

        They are if several games were won, and each was announced as won by the other side.
        """
        won = [game for game in self.games if game.result != DRAW]
        others = (game.announced == {USER if game.result == PROGRAM else PROGRAM} for game in won)
        return self.breaks_the_rules or (len(won) >= _SEVERAL and all(others))

    @property
    def _is_hopeless(self) -> bool:
        late = sum(fault.step is Step.TOO_LATE for fault in self.faults)
        return len(self.faults) >= _MOST_FAULTS or late >= _MOST_LATE or len(self.doubts) >= _MOST_DOUBTS

    @property
    def beaten(self) -> bool:
        """Whether it has lost a game, or did not let the user win one."""
        return any(fault.loses for fault in self.faults) or any(
            winner(game.path[-1]) not in (None, game.its) for game in self.games
        )

    @property
    def seen(self) -> float:
        """The share of what can come up that was seen."""
        return self.share_seen(len(self.games))

    def game(self, patience: Waits | None = None) -> Game:
        """Return a new game that has not begun; with more patience, something is looked at again."""
        return self.manner.game(self.opens(again=patience is not None), patience or self.patience)

    def _play_game(self) -> None:
        before, cell = self.by_order, None
        with (game := self.game()).terminal as terminal:
            step = game.begin()
            self.remember(game.path, game.its)
            while step is Step.MY_TURN:
                cell, known = self.next_cell(game.path, game.its, self.beaten), len(game.path)
                step = game.play(cell, self.manner.scheme)
                self.remember(game.path, game.its, known - 1)
            if len(game.path) > 1:  # who begins is known when a move was read
                self.sides[game.its] += 1
            self.signs[game.signs.get(game.its, "")] += 1
            self.seconds += terminal.seconds
            if step is Step.OVER:
                self.games.append(finished(game))
        if step not in (Step.OVER, Step.OUT_OF_TIME):  # the second is no fault of this game
            self._look_again(game, step, cell)
        elif self.by_order and not before:
            self._repeat(game)

    def _repeat(self, first: Game) -> None:
        """Play a game once more: chance may have made a reply another one, and not the order of moves."""
        game, moves = self.game(), moves_of(first.path, first.its)
        with game.terminal as terminal:
            step = game.begin()
            while step is Step.MY_TURN and moves and game.path == first.path[: len(game.path)]:
                step = game.play(moves.pop(0), self.manner.scheme)
            self.remember(game.path, game.its)
            self.seconds += terminal.seconds

    def play_to_the_end(self, game: Game, step: Step) -> Finished | None:
        """Return a game as it ends when the user plays on against bad players, or None if it does not."""
        while step is Step.MY_TURN:
            step = game.play(self.telling_cell(game.board, game.its), self.manner.scheme)
        return finished(game) if step is Step.OVER else None

    def play_in_a_row(self) -> list[Finished]:
        """Return the games that follow another one in the same process, where there are such."""
        if not any(game.end in (End.ASKS, End.STARTS_OVER) for game in self.games):
            return []
        game = self.game()
        with game.terminal as terminal:
            found = [self.play_to_the_end(game, game.begin())]
            while (last := found[-1]) and last.end in (End.ASKS, End.STARTS_OVER) and len(found) < _IN_A_ROW:
                game = self._next_game(game, last.end)
                found.append(self.play_to_the_end(game, game.begin(Turn.WAITS)))
            self.seconds += terminal.seconds
        return [game for game in found[1:] if game]

    def _next_game(self, last: Game, end: End) -> Game:
        """Return the game that follows another one in the same process; nothing of that is on the screen."""
        terminal, question = last.terminal, asked(last.terminal.said)
        shown = boards.last_line(last.lines, last.board, last.signs) if end is End.STARTS_OVER else ROWS
        terminal.scroll_away(shown + 1)
        for answer in answers(question, self.manner.wish)[:_TRIES] if end is End.ASKS else ():
            if asked(terminal.said).kind is Kind.AGAIN:
                terminal.type(answer)
                last.wait(self.patience.first)
        game = self.manner.game(terminal, self.patience)
        if last.asks_for_move():  # it asks no question before the game
            game.given = ()
        return game

    def _look_again(self, game: Game, step: Step, cell: int | None) -> None:
        """Record a fault that is seen again on the same path; otherwise the replies that came instead."""
        typed = "" if cell is None else " then ".join(self.manner.scheme.typed(cell))
        moves, at = moves_of(game.path, game.its), game.board
        if cell is not None and side_to_move(at) != game.its and at[cell] == ".":
            at = place(at, divmod(cell, 3))
            moves.append(cell)
        fault = Fault(step, tuple(game.path), game.its, typed, game.drawn, game.terminal.transcript, at)
        again = self.replay_moves((*fault.path, at), moves)
        if again and again[1] in (Step.MY_TURN, Step.OVER):
            self.doubts.append(fault)
            self.remember(again[0].path, again[0].its)
        elif again or (self.by_chance and any(doubt.step is step for doubt in self.doubts)):
            self.faults.append(fault)
            self.sides[fault.its] += 1
            if at != START:
                self.lost.setdefault(at, fault)
        else:
            self.doubts.append(fault)

    def replay_moves(self, path: tuple[Board, ...], moves: list[int]) -> tuple[Game, Step] | None:
        """Play the user's moves of a game once more, with more patience; None if it does not come so far."""
        longer = self.patience.times(_MORE_PATIENT)
        for _try in range(_TRIES):
            if self.patience.is_over:
                return None
            game = self.game(longer)
            with game.terminal as terminal:
                before, step, left = 0.0, game.begin(), list(moves)
                while step is Step.MY_TURN and left and set(game.path) <= set(path):
                    before = terminal.seconds
                    step = game.play(left.pop(0), self.manner.scheme)
                self.seconds += terminal.seconds
            if step is Step.OUT_OF_TIME:
                is_late = terminal.seconds - before > self.patience.first
                return (game, Step.TOO_LATE) if is_late else None
            if step not in (Step.MY_TURN, Step.OVER) or (not left and set(game.path[:-1]) <= set(path)):
                return game, step
        return None

    def replay(self, game: Finished) -> Finished | None:
        """Return a finished game as it is when it is played once more, or None if it does not come so far."""
        found = self.replay_moves(game.path, moves_of(game.path, game.its))
        same = found and found[1] is Step.OVER and found[0].path[-1] == game.path[-1]
        return finished(found[0]) if found and same else None


def finished(game: Game) -> Finished:
    """Return a game that is over, with what the program did then."""
    path, signs, shown = tuple(game.path), dict(game.signs), game.final_board_shown
    said, terminal = game.terminal.said, game.terminal
    if terminal.code is None and asked(said).kind is Kind.ENTER and not announced(said, game.its, signs):
        terminal.type("")
        game.wait(game.patience.later)
        said += terminal.said
    return Finished(path, game.its, signs, _end(game), said, terminal.transcript, shown)


def _end(game: Game) -> End:
    if game.terminal.code is not None:
        return End.CRASHES if game.crashed() else End.EXITS
    last = boards.last_line(game.lines, game.board, game.signs)
    if last >= 0 and boards.is_fresh(game.lines, last, game.signs.values()):
        return End.STARTS_OVER
    is_move = asked(game.terminal.said).kind is Kind.MOVE
    return End.GOES_ON if is_move and game.asks_for_move() else End.ASKS


class Input(StrEnum):
    """Kinds of input that are no move."""

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
    """The response to such input."""

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
    found = _try_in_new_game(series, kind, its=True)
    if kind is Input.TAKEN and found.response is Response.ASKS_AGAIN:
        other = _try_in_new_game(series, kind, its=False)
        return found if other.response is Response.NOT_TRIED else other
    return found


def _try_in_new_game(series: Series, kind: Input, *, its: bool) -> Refusal:
    if series.patience.is_over:
        return Refusal("", Response.NOT_TRIED, "")
    game = series.game()
    with game.terminal as terminal:
        try:
            return _try_input(series, game, kind, its=its)
        finally:
            series.seconds += terminal.seconds


def _try_input(series: Series, game: Game, kind: Input, *, its: bool) -> Refusal:
    scheme = series.manner.scheme
    step = game.begin()
    while step is Step.MY_TURN and not {"X", "O"} <= set(game.board):  # by then both signs are known
        step = game.play(series.telling_cell(game.board, game.its), scheme)
    if step is not Step.MY_TURN:
        return Refusal("", Response.NOT_TRIED, game.terminal.transcript)
    if kind is Input.TAKEN:
        lines = scheme.typed(game.board.index(game.its if its else game.mine))
    else:
        lines = _FAR.get(scheme.family, ("42",)) if kind is Input.OFF_BOARD else _NO_SQUARES[kind]
    typed: list[str] = []
    response = _type_input(game, lines, typed)
    is_whole = kind is not Input.END and (len(scheme.typed(0)) == 1 or _asks_for_move(game))
    if response is Response.ASKS_AGAIN and is_whole:  # many look once, and then no more
        response = _type_input(game, lines, typed)
    transcript, ended = game.terminal.transcript, None
    if response is Response.ASKS_AGAIN:
        response, step = _check_that_it_goes_on(series, game, kind)
        transcript, ended = game.terminal.transcript, series.play_to_the_end(game, step)
    return Refusal(one_after_the_other(typed), response, transcript, ended)


def _type_input(game: Game, lines: tuple[str, ...], typed: list[str]) -> Response:
    """Type input that is no move, add it to `typed`, and return the response."""
    turn = Turn.WAITS
    for line in lines:
        game.terminal.type(line)
        typed.append(_("end of input") if line == END_OF_INPUT else line)
        turn = game.wait(game.patience.later)
        if turn is not Turn.WAITS or _asks_for_move(game):
            break
    if turn is not Turn.WAITS:
        return _LOST.get(game.lost(turn), Response.HANGS)
    drawn = boards.shown(game.terminal.said.splitlines(), game.signs, game.board, game.learned)
    return Response.ASKS_AGAIN if drawn in (None, game.board) else Response.TAKES_IT


def _asks_for_move(game: Game) -> bool:
    return bool(game.terminal.said.strip()) and game.asks_for_move()


def _check_that_it_goes_on(series: Series, game: Game, kind: Input) -> tuple[Response, Step]:
    """Check that a move is still taken and answered, as if nothing had been typed."""
    if len(series.manner.scheme.typed(0)) > 1 and not _asks_for_move(game) and kind is not Input.END:
        return Response.ASKS_AGAIN, Step.REFUSED  # it asks for the second line again: that is refused, too
    known = len(game.path)
    step = game.play(series.telling_cell(game.board, game.its), series.manner.scheme)
    if step in (Step.MY_TURN, Step.OVER) and len(game.path) > known:
        return Response.ASKS_AGAIN, step
    return _LOST.get(step, Response.STUCK), step
