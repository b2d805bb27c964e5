"""One handed-in program and all that is found out about it, each thing when it is asked for."""

import itertools
import time
from functools import cached_property
from typing import Final

from grader.core.course.hand_in import Folder
from grader.core.course.limits import Limits
from grader.core.course.rubric import HowToRun
from grader.core.errors import NotGradable
from grader.core.game import oracle
from grader.core.game.board import START, Board, is_over, side_to_move, winner
from grader.core.game.policy import move_between
from grader.programs.built import Built, NotBuilt, build, missing_tools
from grader.programs.discovery import Discovery, Manner, NotDriven
from grader.programs.game import Step, Waits
from grader.programs.languages import Recipe, Unclear, recipe_for
from grader.programs.prompts import Wish
from grader.programs.refusals import Input, Refusal, refusal
from grader.programs.series import Finished, Series, finished
from grader.programs.setup import given_in
from grader.programs.terminal import Terminal

_FOR_GAMES: Final = 0.6
_FOR_OTHER_SIDE: Final = 0.25
"""Shares of the time that the rubric allows: for the games, and for those with the sides changed."""

_UNTIL_GAMES: Final = 0.7
_UNTIL_OTHER_SIDE: Final = 0.9
_UNTIL_END: Final = 1.1
"""The same by the wall's clock: when no game begins any more, and when nothing is waited for."""

_ITS_OWN: Final = 0.9
"""Who has taken this share of the time has used it up; who has taken less had a busy machine."""

ANSWERS: Final = "answers.txt"


class Program:
    """A program: built once, started for every game."""

    def __init__(self, folder: Folder, limits: Limits, how: HowToRun) -> None:
        self._folder, self._limits, self._how = folder, limits, how
        self._refusals: dict[Input, Refusal] = {}
        self._built: Built | None = None
        self._latest: Terminal | None = None
        self._spent = 0.0
        self.answers_taken = True
        """Whether a file of answers beside it, if there is one, could be meant as such."""

    def close(self) -> None:
        """Remove what was built."""
        if self._built:
            self._built.close()

    @cached_property
    def recipe(self) -> Recipe:
        """How it is built and run; raises NotGradable if the files do not tell."""
        found = recipe_for(self._folder, self._how.build, self._how.run)
        if isinstance(found, Unclear):
            raise NotGradable(f"not gradable: {found.why}")
        return found

    @cached_property
    def built(self) -> Built | NotBuilt:
        """The program, ready to be started, or what the compiler said against it."""
        self._started  # noqa: B018 - what it takes to build counts
        absent = missing_tools(self.recipe)
        if absent:
            raise NotGradable(f"not gradable here: no {' and no '.join(absent)}")
        found = build(self.recipe, self._folder, self._limits)
        if isinstance(found, NotBuilt):
            if found.missing:
                raise NotGradable(f"not gradable here: it needs {found.missing}\n{found.said}")
            return found
        self._built = found
        return found

    @cached_property
    def failure(self) -> str:
        """Why no game comes of it by its own fault, or nothing; raises NotGradable for any other reason."""
        if isinstance(self.built, NotBuilt):
            return f"It does not build:\n{self.built.said}"
        found = self._manner
        if isinstance(found, Manner):
            return ""
        screen = "\n".join(found.screen)
        if found.missing:
            raise NotGradable(f"not gradable here: it needs {found.missing}\n{screen}")
        if found.crashed:
            return f"It crashes as soon as it is started:\n{screen}"
        tried = "\n".join(f"  {one}" for one in found.tried)
        raise NotGradable(
            f"not gradable by the grader: no game came about. What was tried:\n{tried}\nThe screen at last:\n"
            f"{screen}\nIf it asks a question there, put the answer into 'answers' in the rubric, or "
            f"into a file {ANSWERS} in its folder, a line each."
        )

    @cached_property
    def _started(self) -> float:
        """When it was begun to build it, by the wall's clock."""
        return time.monotonic()

    @cached_property
    def _patience(self) -> Waits:
        return Waits(self._limits.load, self._limits.deadline, self._at(_UNTIL_END))

    def _at(self, share: float) -> float:
        return self._started + share * self._limits.total

    @property
    def is_out_of_time(self) -> bool:
        """Whether nothing more may be asked of it."""
        return self._patience.is_over

    @property
    def is_slow(self) -> bool:
        """Whether it has taken so much of its time that it is to blame if there is none left."""
        return self.seconds >= _ITS_OWN * self._limits.total

    def _opened(self) -> Terminal:
        """Return a terminal in which it starts; those before are counted."""
        assert isinstance(self.built, Built)
        self._spent, self._latest = self.seconds, None
        self._latest = self.built.opened()
        return self._latest

    @cached_property
    def _given(self) -> tuple[str, ...]:
        """The answers that a person has set."""
        beside = next((one for one in self._folder if one.name == ANSWERS), None)
        found = given_in(beside.content) if beside else self._how.answers
        self.answers_taken = found is not None
        return self._how.answers if found is None else found

    @cached_property
    def _manner(self) -> Manner | NotDriven:
        """How it is played so that it begins, as far as it lets one choose."""
        discovery = Discovery(self._opened, self._patience, self._given)
        return discovery.manner(Wish.PROGRAM)

    @cached_property
    def series(self) -> Series:
        """The games in which it begins, as far as it lets one choose."""
        assert isinstance(self._manner, Manner)
        first = Series(self._opened, self._patience, self._manner, self._given)
        first.play(_FOR_GAMES * self._limits.total, self._at(_UNTIL_GAMES))
        return first

    @cached_property
    def other(self) -> Series | None:
        """The games with the other choice, or None when it lets nobody choose."""
        if not self.series.manner.asks_who_starts or self._given:
            return None
        known = self.series.manner.scheme
        found = Discovery(self._opened, self._patience, known=known).manner(Wish.USER)
        if isinstance(found, NotDriven):
            return None
        other = Series(self._opened, self._patience, found)
        other.play(_FOR_OTHER_SIDE * self._limits.total, self._at(_UNTIL_OTHER_SIDE))
        return other

    def refusal(self, kind: Input) -> Refusal:
        """Return what it does with one kind of input that is no move."""
        if kind not in self._refusals:
            self._refusals[kind] = refusal(self.series, kind)
        return self._refusals[kind]

    @property
    def layers(self) -> dict[str, str]:
        """The layers that confine it, each with why it is off, or nothing."""
        return self._built.layers if self._built else {}

    @property
    def seconds(self) -> float:
        """What its games have taken so far, and all that was tried before them."""
        return self._spent + (self._latest.seconds if self._latest else 0.0)


def lost_game(series: Series) -> Finished | None:
    """Return a game that the program loses, played to its end once more, or None if there is none."""
    path = losing_path(series)
    if path is None or series.patience.is_over:
        return None
    game = series.game()
    with game.terminal as terminal:
        step = game.begin()
        for before, after in itertools.pairwise(path):
            if step is not Step.MY_TURN or side_to_move(before) == game.its:
                continue
            row, column = move_between(before, after)
            step = game.play(3 * row + column, series.manner.scheme)
        series.seconds += terminal.seconds
        return finished(game) if step is Step.OVER and winner(game.board) not in (None, game.its) else None


def losing_path(series: Series) -> list[Board] | None:
    """Return the boards of the shortest game that the program's known replies lose."""
    for its in series.sides:
        layer = [[START]]
        while layer:
            following = []
            for path in layer:
                board = path[-1]
                if is_over(board):
                    if winner(board) not in (None, its):
                        return path
                    continue
                actions = (
                    series.replies.get(board, ()) if side_to_move(board) == its else oracle.successors(board)
                )
                following += [[*path, oracle.successors(board)[action]] for action in actions]
            layer = following
    return None
