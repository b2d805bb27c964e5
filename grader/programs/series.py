"""A series of games with one program: replies are remembered by position, each game looks for new ones."""

import itertools
import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import START, Action, Board, X, is_over, side_to_move, winner
from grader.core.game.policy import move_between
from grader.programs import boards
from grader.programs.boards import Signs
from grader.programs.discovery import Manner
from grader.programs.game import Game, Opens, Step, Waits
from grader.programs.prompts import Kind, asked

_MOST_FAULTS: Final = 3
_MOST_GAMES: Final = 500
_MOST_SAMPLED: Final = 60
"""Games with a program that chooses by chance: then no number of them is all."""


class End(StrEnum):
    """What a program does when a game is over."""

    EXITS = "it ends"
    ASKS = "it asks for something else"
    STARTS_OVER = "it starts another game"
    GOES_ON = "it asks for another move"
    CRASHES = "it crashes"


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


@dataclass(frozen=True)
class Fault:
    """A game that could not go on: how far it came, what was typed last, and what came of it."""

    step: Step
    path: tuple[Board, ...]
    its: str
    typed: str
    drawn: Board | None
    transcript: str


@dataclass
class Series:
    """What is known of a program from its games."""

    opens: Opens
    patience: Waits
    manner: Manner
    given: tuple[str, ...] = ()
    replies: dict[Board, Counter[Action]] = field(default_factory=dict)
    games: list[Finished] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    sides: Counter[str] = field(default_factory=Counter)
    """How often the program had each side; X is the one that begins."""
    signs: Counter[str] = field(default_factory=Counter)
    """By what the program was drawn."""
    seconds: float = 0.0

    def play(self, budget: float, until: float = math.inf) -> None:
        """Play until every position was seen, or so many seconds of the program's are used up.

        By the wall's clock no game begins after `until`.
        """
        end = self.seconds + budget
        for number in range(_MOST_GAMES):
            if self.patience.is_over or (number and time.monotonic() >= until):
                return
            if number and (self.complete or len(self.faults) >= _MOST_FAULTS or self.seconds >= end):
                return
            if self.by_chance and number >= _MOST_SAMPLED:
                return
            self._one_game()

    @property
    def by_chance(self) -> bool:
        """Whether it has replied differently to the same position, or begins by chance."""
        return len(self.sides) > 1 or any(len(found) > 1 for found in self.replies.values())

    @property
    def beaten(self) -> bool:
        """Whether it has lost a game."""
        return any(winner(game.path[-1]) not in (None, game.its) for game in self.games)

    @property
    def complete(self) -> bool:
        """Whether every position that can come up has been seen."""
        return bool(self.sides) and not any(self._is_open(START, side, {}) for side in self.sides)

    def open_positions(self) -> int:
        """Return how many positions are known to come up and were not seen."""
        return sum(len(set(self._unseen(START, side, set()))) for side in self.sides)

    def game(self) -> Game:
        """Return a new game that has not begun."""
        return Game(self.opens(), self.patience, self.manner.wish, self.given, dict(self.manner.passed_over))

    def _one_game(self) -> None:
        game = self.game()
        with game.terminal as terminal:
            step = game.begin()
            self.sides[game.its] += step is Step.MY_TURN
            self._remember(game.path, game.its)
            typed = ""
            while step is Step.MY_TURN:
                cell = self.next_cell(game.board, game.its)
                typed = " then ".join(self.manner.scheme.typed(cell))
                known = len(game.path)
                step = game.play(cell, self.manner.scheme)
                self._remember(game.path[known - 1 :], game.its)
            self.signs[game.signs.get(game.its, "")] += 1
            self.seconds += terminal.seconds
            if step is Step.OVER:
                self.games.append(finished(game))
            elif step is not Step.OUT_OF_TIME:  # which is no fault of this game
                self._lost(game, step, typed)

    def _lost(self, game: Game, step: Step, typed: str) -> None:
        if side_to_move(game.board) == game.its and not is_over(game.board):
            self.replies.setdefault(game.board, Counter())
        elif typed:
            for after in oracle.successors(game.board).values():
                self.replies.setdefault(after, Counter())
        path, drawn = tuple(game.path), game.drawn
        self.faults.append(Fault(step, path, game.its, typed, drawn, game.terminal.transcript))

    def _remember(self, path: list[Board], its: str) -> None:
        """Keep the replies of a part of a game."""
        for before, after in itertools.pairwise(path):
            if side_to_move(before) == its:
                self.replies.setdefault(before, Counter())[move_between(before, after)] += 1

    def next_cell(self, board: Board, its: str) -> int:
        """Return a move that leads to a position not seen yet, or else one that wins, or the first.

        Who chooses by chance is beaten where that can be: the next game may not offer it again.
        """
        memory: dict[Board, bool] = {}
        free = oracle.successors(board)
        wins = [3 * row + column for (row, column), after in free.items() if winner(after)]
        if wins and self.by_chance:
            return wins[0]
        if not self.beaten and oracle.value(board) == (-1 if its == X else 1):  # the one thing to see first
            row, column = min(oracle.optimal_actions(board))
            return 3 * row + column
        for (row, column), after in free.items():
            if not is_over(after) and (after not in self.replies or self._follows_open(after, its, memory)):
                return 3 * row + column
        row, column = next(iter(free))
        return wins[0] if wins else 3 * row + column

    def _is_open(self, board: Board, its: str, memory: dict[Board, bool]) -> bool:
        """Return whether a position that was not seen can follow from a board."""
        if is_over(board):
            return False
        if side_to_move(board) == its:
            return board not in self.replies or self._follows_open(board, its, memory)
        if board not in memory:
            memory[board] = any(
                self._is_open(after, its, memory) for after in oracle.successors(board).values()
            )
        return memory[board]

    def _follows_open(self, board: Board, its: str, memory: dict[Board, bool]) -> bool:
        following = oracle.successors(board)
        return any(self._is_open(following[action], its, memory) for action in self.replies[board])

    def _unseen(self, board: Board, its: str, met: set[Board]) -> Iterator[Board]:
        if is_over(board) or board in met:
            return
        met.add(board)
        if side_to_move(board) != its:
            for after in oracle.successors(board).values():
                yield from self._unseen(after, its, met)
        elif board not in self.replies:
            yield board
        else:
            for action in self.replies[board]:
                yield from self._unseen(oracle.successors(board)[action], its, met)


def finished(game: Game) -> Finished:
    """Return a game that is over, with what the program did then."""
    return Finished(
        tuple(game.path),
        game.its,
        dict(game.signs),
        _end(game),
        game.terminal.said,
        game.terminal.transcript,
        game.final_board_shown,
    )


def _end(game: Game) -> End:
    if game.terminal.code is not None:
        return End.CRASHES if game.crashed() else End.EXITS
    question = asked(game.terminal.said)
    last = boards.last_line(game.lines, game.board, game.signs)
    if last >= 0 and boards.is_fresh(game.lines, last):
        return End.STARTS_OVER
    same = game.prompt is not None and question.signature == game.prompt.signature
    return End.GOES_ON if same and question.kind is Kind.MOVE else End.ASKS
