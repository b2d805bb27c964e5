"""A terminal program: it is built, how it is played is discovered, and it is played; each step once."""

import re
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property, partial, wraps
from typing import Any, Final, TypeVar

from grader.core.course.rubric import HowToRun, Limits
from grader.core.course.submission import Folder
from grader.core.errors import MachineBusy, NotGradable, UserError
from grader.core.game import oracle
from grader.core.game.board import START, Board, O, X, side_to_move, winner
from grader.core.messages import _, later, listing
from grader.programs.built import NO_TIME_TO_PLAY, Built, NotBuilt, build, missing_tools
from grader.programs.discovery import Discovery
from grader.programs.game import Manner, NotDriven, Step, Waits, moves_of
from grader.programs.prompts import Wish, given_in
from grader.programs.recipes import Recipe, Unclear, recipe_for, with_stand_ins
from grader.programs.seen import Fault, Progress
from grader.programs.series import MISTYPED, WORDS, Finished, Input, Refusal, Series, finished, refusal
from grader.programs.squares import SCHEMES, Scheme

_FOR_GAMES: Final = 0.75
_FOR_OTHER_SIDE: Final = 0.12
"""Shares of the time that the rubric allows: for the games, and for those with the sides changed."""

_FOR_REFUSALS: Final = 0.35
"""The share that games leave for refused input, which is typed after them in games of its own."""

_IN_ALL: Final = 1.5
"""The share after which nothing more is asked: games, and all that comes before and after them."""

_WALL: Final = 5.0
"""Wall-clock backstop, as a multiple of the program's own time."""

_UNTIL_GAMES: Final = 0.75
_UNTIL_OTHER_SIDE: Final = 0.9
"""Shares of the backstop after which no game begins any more."""

_ITS_OWN: Final = 0.9
"""A program that has taken this share of the time has used it up; one below it had a busy machine."""

_MOSTLY: Final = 0.5
"""For a program that has taken this share of the time without a game, the machine is not blamed."""

_FOR_MAINS: Final = 8
_UNTIL_MAINS: Final = 0.25
"""A main of several has this part of the time to show that it plays, and all of them have that share."""

ANSWERS: Final = "answers.txt"
_NEEDS: Final = later(
    "not gradable here: it needs {tool}, which is not installed on this machine; install that\n{said}"
)
_NO_GAME: Final = later(
    "not gradable by the grader: no game came to its end. If squares are typed in another way, 'program: "
    "{squares: 1-9}' in the rubric says so; with --patient there is more time."
)
_MOST_SHOWN, _MOST_TOLD = 5, 3_000
_PYTHON_2: Final = re.compile(
    r"Missing parentheses in call to 'print'|name '(raw_input|xrange|unicode)' is not defined"
    r"|No module named '(Tkinter|Queue|__builtin__)'|multiple exception types must be parenthesized"
)


Result = TypeVar("Result")


def _once(step: Callable[["Program"], Result]) -> Callable[["Program"], Result]:
    """Let a step be done once: later calls return the same result."""

    @wraps(step)
    def done(program: "Program") -> Result:
        if step.__name__ not in program._done:
            program._done[step.__name__] = step(program)
        result: Result = program._done[step.__name__]
        return result

    return done


class Program:
    """A program: built once, started for every game."""

    def __init__(self, folder: Folder, limits: Limits, how: HowToRun, recipe: Recipe | None = None) -> None:
        self._folder, self._limits, self._how, self._known = folder, limits, how, recipe
        self._done: dict[str, Any] = {}
        self._refusals: dict[Input, Refusal] = {}
        self._built: Built | None = None
        self._progress = Progress(folder, how)
        self.seen_once: list[str] = []
        """Faults that were seen once and not again, reported to the instructor."""
        self.answers_taken = True
        """Whether a file of answers beside it, if there is one, could be meant as such."""

    def close(self) -> None:
        """End what runs, remove what was built, and keep the games of a series that is not finished."""
        if "play" in self._done:
            self._progress.keep((_key(series.manner), series.to_keep) for series in self._series)
        if self._built:
            self._built.close()

    @_once
    def choose_recipe(self) -> Recipe:
        """Return how it is built and run; raise NotGradable if the files do not say so."""
        self._started  # noqa: B018 - what it takes to find the one that plays counts, too
        found = self._known or recipe_for(self._folder, self._how.build, self._how.run)
        return with_stand_ins(
            self._find_playing_main(found) if isinstance(found, Unclear) else found, self._folder
        )

    def _find_playing_main(self, unclear: Unclear) -> Recipe:
        """Return how that of several mains is run that plays; where more than one does, a person decides."""
        playing, limits = [], replace(self._limits, total=self._limits.total / _FOR_MAINS)
        for recipe in unclear.candidates:
            if time.monotonic() >= self._at(_UNTIL_MAINS):
                raise NotGradable(_("not gradable: {why}", why=unclear.why))
            with (
                closing(Program(self._folder, limits, self._how, recipe)) as candidate,
                suppress(NotGradable),
            ):
                playing += [recipe] if candidate.discover() == "" else []
        if len(playing) != 1:
            raise NotGradable(_("not gradable: {why}", why=unclear.why))
        return playing[0]

    @_once
    def build(self) -> Built | NotBuilt:
        """Build the program; return it ready to be started, or what the compiler said against it."""
        absent = missing_tools(self.choose_recipe())
        if absent:
            problem = _(
                "not gradable here: not installed on this machine: {tools}; install that",
                tools=listing(absent),
            )
            raise NotGradable(problem)
        found = build(self.choose_recipe(), self._folder, self._limits, self._at(1.0))
        if isinstance(found, Built):
            self._built, found.starts_ahead = found, True
        elif found.missing:
            raise NotGradable(_(_NEEDS, tool=found.missing, said=found.said))
        return found

    @_once
    def discover(self) -> str:
        """Find out how it is played; return why no game can be played by its own fault, or nothing.

        Raises NotGradable for any other reason.
        """
        built = self.build()
        if isinstance(built, NotBuilt):
            return _("It does not build:") + f"\n{built.said}"
        found = self._discovered()
        if isinstance(found, Manner):
            return ""
        screen = "\n".join(found.screen)
        if found.missing:
            raise NotGradable(_(_NEEDS, tool=found.missing, said=screen))
        if found.crashed and _PYTHON_2.search(screen):
            raise NotGradable(
                _(
                    "not gradable here: it is written for Python 2; where that is installed, --run 'python2 "
                    "{file}' runs it",
                    file=self.choose_recipe().main,
                )
                + f"\n{screen}"
            )
        if found.crashed:
            return _("It crashes as soon as it is started:") + f"\n{screen}"
        listed = "\n".join(f"  {attempt}" for attempt in found.tried)
        tried = "\n".join([_("What was tried:"), listed, _("The screen at last:"), screen])
        if self.is_out_of_time and self.seconds < _MOSTLY * self._limits.total:
            raise MachineBusy(f"{_(NO_TIME_TO_PLAY)}\n{tried}")
        answers = ", ".join(map(repr, found.path))
        raise NotGradable(
            _("not gradable by the grader: no game came about.")
            + f"\n{tried}\n"
            + _(
                "If it asks a question there, the answers that lead to a game help, in the rubric or in a "
                "file {file} in its folder, a line each; 'squares' says how squares are typed:",
                file=ANSWERS,
            )
            + f"\n  program:\n    answers: [{answers}]\n    squares: 1-9"
        )

    @cached_property
    def _started(self) -> float:
        """When it was begun to build it, by the wall's clock."""
        self._own = time.process_time()
        return time.monotonic()

    @cached_property
    def _patience(self) -> Waits:
        limits = self._limits
        most = _IN_ALL * limits.total
        return Waits(limits.load, limits.deadline, self._at(1.0), most, lambda: self.seconds)

    def _at(self, share: float) -> float:
        """Return when a share of the backstop is over, by the wall clock."""
        return self._started + share * _WALL * self._limits.total

    @property
    def is_out_of_time(self) -> bool:
        """Whether nothing more may be asked of it."""
        return self._patience.is_over

    @property
    def was_busy(self) -> bool:
        """Whether most of the time was spent waiting for a processor, and games are missing for that."""
        passed = time.monotonic() - self._started
        waited = passed - self.seconds - (time.process_time() - self._own)
        return not self.is_complete and waited > _MOSTLY * passed

    @property
    def is_complete(self) -> bool:
        """Whether every game that was to be played has been."""
        return all(series.seen >= 1 for series in self._series) and not self.is_out_of_time

    @property
    def is_slow(self) -> bool:
        """Whether it has taken so much of its time that it is to blame if there is none left."""
        return self.seconds >= _ITS_OWN * self._limits.total

    @property
    def built(self) -> Built:
        """The built program, which counts its starts and their time."""
        assert self._built
        return self._built

    @_once
    def _discovered(self) -> Manner | NotDriven:
        """Build it, and return the manner in which it begins, if that can be chosen."""
        self.build()
        file = next((file for file in self._folder if file.name == ANSWERS), None)
        beside = given_in(file.content) if file else ()
        self.answers_taken = beside is not None
        look = partial(
            Discovery, self.built.opened, self._patience, self._how.answers, self._squares, beside or ()
        )
        self.built.skips_sleeps = True
        found = look().manner(Wish.PROGRAM)
        if isinstance(found, NotDriven) and found.crashed:
            self.built.skips_sleeps = False
            found = look().manner(Wish.PROGRAM)
        return found

    @property
    def manner(self) -> Manner:
        """How it is played so that it begins; only where `discover` returned nothing."""
        found = self._discovered()
        assert isinstance(found, Manner)
        return found

    @cached_property
    def _squares(self) -> Scheme | None:
        """How squares are typed, where a person has said so."""
        name, known = self._how.squares, {scheme.name: scheme for scheme in SCHEMES}
        if name and name not in known:
            raise UserError(
                _("program.squares: {name!r} is none of {known}", name=name, known=", ".join(known))
            )
        return known[name] if name else None

    @_once
    def play(self) -> Series:
        """Play the games in which it begins, if that can be chosen.

        A way to play whose first game breaks the rules, or whose games are all announced for the other side,
        is given up for another one that does better.
        """
        first = self._play_in_manner(self.manner)
        if not first.is_doubtful:
            return first
        self.built.skips_sleeps = True
        again = Discovery(self.built.opened, self._patience, known=self._squares)
        looks = (partial(again.other_than, first.manner), partial(again.searched, Wish.PROGRAM))
        for look in () if first.manner.given else looks:
            other = self._play_in_manner(found) if (found := look()) else first
            if other.games and not other.is_doubtful:
                return other
        self._play(first)
        return first

    def require_games(self) -> None:
        """Raise NotGradable if no game came to its end, and none was stopped by a fault of the program."""
        series = self.play()
        if series.games or any(moves_of(fault.path, fault.its) for fault in series.faults):
            return
        if any(fault.step not in MISTYPED for fault in series.faults):
            return
        is_busy = self.is_out_of_time and self.seconds < _MOSTLY * self._limits.total
        why = _(NO_TIME_TO_PLAY if is_busy else _NO_GAME)
        stopped = [*series.faults, *series.doubts]
        lines = [why, *map(_sentence, stopped[:_MOST_SHOWN])]
        if stopped:
            lines += [
                _("What was typed, and what came back:"),
                stopped[0].transcript.strip("\n")[-_MOST_TOLD:],
            ]
        raise (MachineBusy if is_busy else NotGradable)("\n".join(lines))

    def _play_in_manner(self, manner: Manner) -> Series:
        """Return the games in a manner; where the first of them come to nothing, these alone."""
        series = Series(self.built.opened, self._patience, manner)
        series.recall(self._progress.games(_key(manner)))
        self._play(series, wary=True)
        return series

    def _play(self, series: Series, *, wary: bool = False) -> None:
        """Play games in their share of the time, and in that of the other choice where there is none."""
        spare = 0.0 if self._has_choice(series.manner) else _FOR_OTHER_SIDE
        left = (_IN_ALL - _FOR_REFUSALS - _FOR_OTHER_SIDE + spare) * self._limits.total - self.seconds
        seconds = min((_FOR_GAMES + spare) * self._limits.total, left)
        series.play(seconds, self._at(_UNTIL_GAMES + spare), wary=wary)

    def _has_choice(self, manner: Manner) -> bool:
        """Return whether the user may choose: what a person has set in the rubric is no choice any more."""
        return manner.asks_who_starts and not (manner.given and manner.given == self._how.answers)

    @_once
    def play_other_choice(self) -> Series | None:
        """Play the games with the other choice of sides; return None where there is none."""
        if not self._has_choice(self.play().manner):
            return None
        # Refusals first: they take little, and the games of the other choice may take all the time left.
        for kind in Input:
            self.refusal(kind)
        self.built.skips_sleeps = True
        known = self.play().manner
        found = known.other
        if not found and not known.given:
            by_words = Discovery(self.built.opened, self._patience, known=known.scheme).manner(Wish.USER)
            found = by_words if isinstance(by_words, Manner) else None
        if not found:
            return None
        other, budget = Series(self.built.opened, self._patience, found), _FOR_OTHER_SIDE * self._limits.total
        other.recall(self._progress.games(_key(found)))
        other.play(budget, self._at(_UNTIL_OTHER_SIDE))
        return other

    @_once
    def play_on(self) -> list[Finished]:
        """Play games after another one in the same process, and after input that was refused.

        A wrong reply in them counts when it is seen again.
        """
        series, found = self.play(), list[Finished]()
        for kind in Input:
            game = self.refusal(kind).game
            game = refusal(series, kind).game if game and game.errs else game
            found += [game] if game else []
        if not self.is_out_of_time and time.monotonic() < self._at(_UNTIL_OTHER_SIDE):
            later = series.play_in_a_row()
            found += series.play_in_a_row() if any(game.errs for game in later) else later
        return found

    @property
    def doubts(self) -> list[Fault]:
        """What has cost a game once, and not again."""
        return [doubt for series in self._series for doubt in series.doubts]

    @property
    def _series(self) -> list[Series]:
        """The games that were played, with each choice."""
        played = (self._done.get("play"), self._done.get("play_other_choice"))
        return [series for series in played if series]

    def refusal(self, kind: Input) -> Refusal:
        """Return what it does with one kind of input that is no move."""
        if kind not in self._refusals:
            found = again = refusal(self.play(), kind)
            if not found.response.is_right:
                self.built.skips_sleeps = False
                again = refusal(self.play(), kind)
                if again.response.is_right:
                    self.seen_once.append(
                        _("Given {what}, {how}.", what=_(WORDS[kind]), how=_(str(found.response)))
                    )
            self._refusals[kind] = again
        return self._refusals[kind]

    @property
    def layers(self) -> dict[str, str]:
        """The layers that confine it, each with why it is off, or nothing."""
        return self._built.layers if self._built else {}

    @property
    def seconds(self) -> float:
        """What its games have taken so far, and all that was tried before them."""
        return self.built.seconds if self._built else 0.0


def _key(manner: Manner) -> tuple[tuple[str, ...], str]:
    return manner.answers, manner.scheme.name


def lost_game(series: Series) -> Finished | None:
    """Return a game that the program loses, played to its end once more, or None if there is none."""
    path = losing_path(series)
    its = O if path and winner(path[-1]) == X else X
    found = series.replay_moves(tuple(path), moves_of(path, its)) if path else None
    won = found is not None and found[1] is Step.OVER and winner(found[0].board) not in (None, found[0].its)
    return finished(found[0]) if found and won else None


def losing_path(series: Series) -> list[Board] | None:
    """Return the boards of the shortest game that the program's known replies lose."""
    for its in series.sides:
        waiting = deque([[START]])
        while waiting:
            path = waiting.popleft()
            board, following = path[-1], oracle.successors(path[-1])
            if winner(board) not in (None, its):
                return path
            actions = series.replies.get(board, ()) if side_to_move(board) == its else following
            waiting += [[*path, following[action]] for action in actions]
    return None


def _sentence(fault: Fault) -> str:
    """Return what was typed in a game that stopped, and what came of it."""
    return _("  {typed!r} was typed: {what}", typed=fault.typed, what=_(str(fault.step)))
