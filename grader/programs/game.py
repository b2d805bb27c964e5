"""One game with a program: answers, moves and replies; and how a program is played, or why it is not."""

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from grader.core.game.board import START, Board, O, X, is_over, place, side_to_move
from grader.core.game.oracle import move_between
from grader.core.messages import later
from grader.programs import boards
from grader.programs.announcements import DRAW, announced
from grader.programs.boards import Frame, Signs, readings
from grader.programs.prompts import Asked, Kind, Wish, answers, answers_in, asked
from grader.programs.squares import Scheme
from grader.programs.terminal import Terminal, Turn

_MOST_ANSWERS: Final = 10


class Step(StrEnum):
    """What came of a move, or of the start of a game; what loses a turn is called as there."""

    MY_TURN = later("it replied and waits")
    OVER = later("the game is over")
    REFUSED = later("it did not take the move")
    NO_REPLY = later("it took the move and did not reply")
    WRONG_BOARD = later("its board is not what can follow")
    NOT_READ = later("no board could be read")
    CRASHED = later("it crashed")
    QUIT = later("it ended")
    FLOODS = later("it prints without an end")
    TOO_LATE = later("it gave no answer in time")
    TOO_LARGE = later("it used too much")
    BROKEN = later("it made its terminal something else")
    OUT_OF_TIME = later("the time for all of its games was over")


_CRASHES: Final = (
    "Traceback (most recent call last)", "Exception in thread", "Segmentation fault", "core dumped",
    "panicked at", "panic: ", "goroutine 1 [", "    at java.", "terminate called", "Uncaught ",
    "node:internal", "stack smashing", "Abort", "SyntaxError: ", "IndentationError: ", "TabError: ",
)  # fmt: skip
_FOR_ONE: Final = 4
"""The part of the time that is left which one reply may take, however patient one is."""


@dataclass(frozen=True)
class Waits:
    """Time limits: for the first reply with all that comes before it, for later ones, and for everything."""

    first: float
    later: float
    end: float = math.inf
    """When nothing more is waited for, by the wall clock: a backstop for a busy machine."""
    total: float = math.inf
    """Seconds that the program may take in all of its games: processor time and sleep."""
    taken: Callable[[], float] = float
    """Returns how many of them it has taken."""

    def times(self, factor: float) -> "Waits":
        """Return the same with longer limits for each reply, within a part of the time that is left."""
        most = min(self.end - time.monotonic(), self.left) / _FOR_ONE
        first, later = (max(seconds, min(factor * seconds, most)) for seconds in (self.first, self.later))
        return replace(self, first=first, later=later)

    @property
    def left(self) -> float:
        """The program's own seconds that are left."""
        return self.total - self.taken()

    @property
    def is_over(self) -> bool:
        """Whether nothing more may be asked."""
        return self.left <= 0 or time.monotonic() >= self.end


Opens = Callable[..., Terminal]
"""Starts the program in a terminal; with `again=True` it sleeps as long as it likes."""


@dataclass
class Game:
    """A game as it stands; X is the side that began, whatever the marks are."""

    terminal: Terminal
    patience: Waits
    wish: Wish
    given: tuple[str, ...] = ()
    """Answers that were set, in the order of the questions."""
    passed_over: dict[str, int] = field(default_factory=dict)
    """How many answers to each question were tried without success."""
    only_given: bool = False
    """Whether only these are given: the next question is taken for the prompt for a move."""
    board: Board = START
    mine: str = X
    signs: Signs = field(default_factory=dict)
    path: list[Board] = field(default_factory=lambda: [START])
    answered: list[tuple[Asked, str]] = field(default_factory=list)
    prompt: Asked | None = None
    """How the program asks for a move."""
    drawn: Board | None = None
    """The impossible board on the screen, if there is one."""
    final_board_shown: bool = True
    frames: set[Frame] = field(default_factory=set)
    """The frames that explain every board that was read in this game."""
    learned: frozenset[Frame] = frozenset()
    """Frames without separators, learned from the columns of earlier screens."""
    before: list[str] = field(default_factory=list)
    """The screen before the last move was typed."""

    @property
    def its(self) -> str:
        """The side of the program."""
        return O if self.mine == X else X

    @property
    def lines(self) -> list[str]:
        """The screen."""
        return self.terminal.lines

    def begin(self, turn: Turn | None = None) -> Step:
        """Answer what is asked before the first move; return MY_TURN when a move is asked for.

        The turn is known where another game was played before in the same process.
        """
        turn = turn or self.wait(self.patience.first)
        while True:
            if turn is not Turn.WAITS:
                return self.lost(turn)
            question = asked(self.terminal.said)
            if len(self.answered) < len(self.given):
                self._answer(question, self.given[len(self.answered)])
            elif self.only_given or question.kind in (Kind.MOVE, Kind.AGAIN):
                return self._find_opening(question)
            elif len(self.answered) >= _MOST_ANSWERS:
                return Step.NOT_READ
            else:
                self._answer(question, self._choice(question))
            turn = self.wait(self.patience.first)

    def wait(self, deadline: float) -> Turn:
        """Wait until it is my turn, or too late; OUT_OF_TIME if the time for all games ends before that."""
        left = self.patience.left
        turn = self.terminal.wait(min(deadline, left), self.patience.end)
        return Turn.OUT_OF_TIME if turn is Turn.TOO_LATE and left < deadline else turn

    def _choice(self, question: Asked) -> str:
        """Return the answer to try: one that was refused, or led nowhere, is not tried again."""
        known = answers(question, self.wish)
        before = [answer for was, answer in self.answered if was.key == question.key]
        return known[(self.passed_over.get(question.key, 0) + len(before)) % len(known)]

    def _answer(self, question: Asked, answer: str) -> None:
        kind = Kind.OTHER if question.kind is Kind.MOVE else question.kind  # no game has begun
        self.answered.append((replace(question, kind=kind), answer))
        if kind not in (Kind.ENTER, Kind.READY):
            self.before = self.lines  # what it has drawn by then is an example
        self.terminal.type(answer)

    def _find_opening(self, question: Asked) -> Step:
        """Read the first board, and with it the side that has begun."""
        self.prompt = question
        opened = boards.opening(self.lines, self.learned, self.before)
        if opened:
            self.board, self.signs = opened
            self.mine = O
            self.path.append(self.board)
        else:
            boards.latest(self.lines, [START], {}, frames=self.frames, learned=self.learned)
        return Step.MY_TURN

    def play(self, cell: int, scheme: Scheme) -> Step:
        """Type a move that is known to be typed so, and read what follows."""
        return self.read(self.enter(scheme.typed(cell)), [place(self.board, divmod(cell, 3))])

    def enter(self, lines: Sequence[str]) -> Turn:
        """Type the lines of a move, and wait after each of them."""
        deadline = self.patience.first if len(self.path) <= 2 else self.patience.later
        turn, self.before = Turn.WAITS, self.lines
        for line in lines:
            if turn is Turn.WAITS:
                self.terminal.type(line)
                turn = self.wait(deadline)
        return turn

    def read(self, turn: Turn, mine_placed: list[Board]) -> Step:
        """Read the board after a move of mine that made one of these, and see whose turn it is."""
        turn = self._press_enter(turn)
        running = (after for after in mine_placed if not is_over(after))
        replies = (board for after in running for board in boards.with_one_more(after, self.its))
        possible = [*mine_placed, *replies]
        found = boards.latest(
            self.lines, possible, self.signs, self.before, frames=self.frames, learned=self.learned
        )
        if found and turn in (Turn.WAITS, Turn.ENDED):
            return self._accept(found, mine_placed, turn)
        if turn is Turn.ENDED and not self.crashed() and len(mine_placed) == 1 and is_over(mine_placed[0]):
            self.final_board_shown = False
            self._advance(mine_placed[0])
            return Step.OVER
        if turn is not Turn.WAITS:
            return self.lost(turn)
        self.drawn = self._wrong_board()
        return Step.WRONG_BOARD if self.drawn else Step.REFUSED

    def _accept(self, found: tuple[Board, Signs], mine_placed: list[Board], turn: Turn) -> Step:
        board, signs = found
        mine = next(
            after for after in mine_placed if board == after or board in boards.with_one_more(after, self.its)
        )
        if board != mine and self._is_drawn_before(board, mine, signs):
            return Step.REFUSED  # what stands where I typed is the program's mark
        self.signs = signs
        self._advance(mine)
        if board != mine:
            self._advance(board)
        if is_over(board) or self._is_called_a_draw(board):
            return Step.OVER
        if side_to_move(board) == self.its or turn is Turn.ENDED:
            self.drawn = self._wrong_board()
            if self.drawn and not self.crashed():
                return Step.WRONG_BOARD
        if turn is Turn.ENDED:
            return self.lost(turn)
        return Step.NO_REPLY if side_to_move(board) == self.its else Step.MY_TURN

    def _is_called_a_draw(self, board: Board) -> bool:
        """Return whether the program announces a draw on a board that no side can win any more."""
        return not boards.can_be_won(board) and announced(self.terminal.said, self.its, self.signs) == {DRAW}

    def _is_drawn_before(self, board: Board, mine: Board, signs: Signs) -> bool:
        """Return whether the program's new mark was drawn before mine: then the sides are mixed up."""
        cells = zip(self.board, mine, board, strict=True)
        without_mine = Board("".join(old if old != after else new for old, after, new in cells))
        said = self.terminal.said.splitlines()
        return boards.comes_before(said, without_mine, mine, signs, self.frames)

    def _press_enter(self, turn: Turn) -> Turn:
        """Press Enter where that is all that is asked for in the middle of a game."""
        for _ in range(3):
            kind = asked(self.terminal.said).kind
            if (
                turn is not Turn.WAITS
                or kind is not Kind.ENTER
                or self._shows_finished_board()
                or self.asks_for_move()
            ):
                break
            self.terminal.type("")
            turn = self.wait(self.patience.later)
        return turn

    def asks_for_move(self) -> bool:
        """Return whether it asks as it did for the first move."""
        return self.prompt is not None and asked(self.terminal.said).signature == self.prompt.signature

    def _shows_finished_board(self) -> bool:
        """Return whether a finished board is on the screen; False while the marks are unknown."""
        if len(self.signs) < 2:
            return False
        certain = (reading for reading in readings(self.lines)[:20] if reading.is_certain(self.learned))
        drawn = (reading.as_drawn(self.signs) for reading in certain)
        return any(board and is_over(board) for board in drawn)

    def _wrong_board(self) -> Board | None:
        """Return a board that was drawn since, is not the last one and cannot follow it."""
        if len(self.signs) < 2:
            return None
        drawn = boards.shown(self.terminal.said.splitlines(), self.signs, self.board, self.learned)
        return None if drawn == self.board else drawn

    def _advance(self, board: Board) -> None:
        if board != self.board:
            self.board = board
            self.path.append(board)

    def lost(self, turn: Turn) -> Step:
        """Return what it means that the program does not wait for a line."""
        if turn is Turn.ENDED:
            return Step.CRASHED if self.crashed() else Step.QUIT
        return Step[turn.name]

    def crashed(self) -> bool:
        """Return whether the program has ended by an error that it did not handle."""
        code = self.terminal.code
        return code is not None and (
            code < 0 or code > 128 or any(word in self.terminal.said for word in _CRASHES)
        )


def moves_of(path: Sequence[Board], its: str) -> list[int]:
    """Return the user's moves in a game, as cells."""
    steps = (step for step in itertools.pairwise(path) if side_to_move(step[0]) != its)
    return [3 * row + column for row, column in itertools.starmap(move_between, steps)]


@dataclass(frozen=True)
class Manner:
    """How a program is played: the wish its answers were chosen by, and how squares are typed."""

    wish: Wish
    scheme: Scheme
    passed_over: Mapping[str, int] = field(default_factory=dict, hash=False)
    answered: tuple[tuple[Asked, str], ...] = ()
    given: tuple[str, ...] = ()
    """Answers that were set, in the rubric or beside the program, to the first questions."""
    searched: bool = False
    """Whether the answers were found by trying: then they are given in their order, and no others."""
    others: tuple[str, ...] = ()
    """What else would have led to a game, in words."""
    learned: frozenset[Frame] = frozenset()
    """How its board is laid out, where columns alone tell."""
    other: "Manner | None" = None
    """The manner in which an equally strong player has the other side, where answers decide that."""

    @property
    def answers(self) -> tuple[str, ...]:
        """What was answered, without the questions."""
        return answers_in(self.answered)

    def game(self, terminal: Terminal, patience: Waits) -> Game:
        """Return a game that is played so and has not begun."""
        given, passed_over = self.answers if self.searched else self.given, dict(self.passed_over)
        only = self.searched
        return Game(terminal, patience, self.wish, given, passed_over, only_given=only, learned=self.learned)

    @property
    def asks_who_starts(self) -> bool:
        """Whether the user can choose a mark or the side that starts, by its questions or by their effect."""
        return self.other is not None or self.says_who_starts

    @property
    def says_who_starts(self) -> bool:
        """Whether a question for that was recognized."""
        return any(question.kind in (Kind.MARK, Kind.WHO) for question, _ in self.answered)


@dataclass(frozen=True)
class NotDriven:
    """Why no game came about: what was tried, and the screen as it was seen."""

    tried: tuple[str, ...]
    screen: tuple[str, ...]
    missing: str = ""
    """What the program needs that is not installed here, if that is the reason."""
    crashed: bool = False
    path: tuple[str, ...] = ()
    """The answers that came farthest."""
