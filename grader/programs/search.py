"""The way to a game by trying: a tree of answers, each path a fresh start; a game that is played counts."""

import heapq
import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from grader.core.game.board import START
from grader.core.messages import _
from grader.programs.game import Game, Opens, Step, Waits
from grader.programs.play_settings import Manner
from grader.programs.prompts import BOARDLIKE, Kind, Wish, families_listed, likely_families
from grader.programs.readings import Frame, readings
from grader.programs.setup import candidates, offered
from grader.programs.squares import Family, Scheme, listed
from grader.programs.strength import Strength, comes_to_an_end, compared
from grader.programs.terminal import Terminal

_MOST_STARTS: Final = 150
_DEEPEST: Final = 6
_AROUND: Final = 12
_MOST_WAYS: Final = 6
_MOST_OFFERED: Final = 6
_FOR_OTHERS: Final = 6.0
"""Seconds in which other ways are looked for when there is one."""

_AGAIN: Final = 6
"""How far back answers come to a question that was asked on another path."""

_MEANT_BY_NOBODY: Final = "qzjx"
_MARKS: Final = ("X", "O")
_COMMANDS: Final = ("start hard user", "start user hard", "start", "play", "new")
"""Two players and their level, as a course that many have taken wants it; then what others take."""

_TRIED: Final = 16
"""Answers to one question that are followed at first."""

_WITHOUT_BOARD: Final = 8
"""How far behind a move comes where no board is seen: answers are tried before."""

_PAIRS: Final = (("O", "X"), ("o", "x"), ("n", "y"), ("N", "Y"), ("no", "yes"))
"""What lets the program begin, and what the user."""

Probe = Callable[[Game, Family], tuple[Scheme, Game] | None]


class AnswerSearch:
    """Looks for ways to a game."""

    def __init__(self, opens: Opens, patience: Waits, probe: Probe, budget: float) -> None:
        self._opens, self._patience, self._probe = opens, patience, probe
        self._budget = budget
        self._opened: list[Terminal] = []
        self._met: set[tuple[str, ...]] = set()
        """Paths that were tried."""
        self._asked: set[str] = set()
        self._known: Family | None = None
        """How squares were typed before."""
        self.tried: list[str] = []
        self.screen: list[str] = []
        self.farthest: tuple[str, ...] = ()
        """The answers after which something else was asked, the most of them."""

    def ways(self, wish: Wish, first: tuple[str, ...] = ()) -> list[tuple[Manner, Strength]]:
        """Return ways that lead to a game, those with the best player first, then those that fit the wish.

        All of them begin with the answers that come first.
        """
        found: list[Manner] = []
        doubtful: list[Manner] = []
        number = itertools.count()
        waiting: list[tuple[int, int, tuple[str, ...], bool]] = [(0, next(number), first, False)]
        while waiting and not self._is_over and len(found) < _MOST_WAYS:
            cost, _, path, as_move = heapq.heappop(waiting)
            if found and len(path) > max(len(one.answers) for one in found):
                continue
            game = self._at(path) if as_move or path not in self._met else None
            self._met.add(path)
            if game is None:
                continue
            likely = _may_be_move(game)
            way = self._played(path, game, wish, likely) if likely or as_move else None
            if way and not found and not self._ends(way):
                doubtful.append(way)
            elif way:
                found.append(way)
                self._budget = min(self._budget, self._spent + _FOR_OTHERS)
                for other in _beside(way):
                    heapq.heappush(waiting, (0, next(number), other, False))
                continue
            if not likely and not as_move:
                heapq.heappush(waiting, (cost + _WITHOUT_BOARD, next(number), path, True))
            if len(path) < _DEEPEST and not as_move:
                asked_before = _words(game) in self._asked
                self._asked.add(_words(game))
                answers = _so_that_begins(wish, candidates(_question(game), _meant(game)))
                for rank, answer in enumerate(answers[:_TRIED]):
                    price = cost + 3 + rank + asked_before * _AGAIN
                    heapq.heappush(waiting, (price, next(number), (*path, answer), False))
        return self._ranked(found or doubtful, wish)

    def _ends(self, way: Manner) -> bool:
        """Return whether a game comes to its end: one move may have looked right by accident."""
        return comes_to_an_end(partial(self._game, way.answers, way.learned), way.scheme)

    def _ranked(self, found: list[Manner], wish: Wish) -> list[tuple[Manner, Strength]]:
        """Return ways with how they are played, the best first."""
        games = {way: (partial(self._game, way.answers, way.learned), way.scheme) for way in found}
        strength = compared(games)
        if not strength:  # no game comes to its end: that is for the games to show
            strength = {way: Strength(0, "", "") for way in found[:1]}
        return sorted(
            strength.items(),
            key=lambda one: (one[1].wrong, one[1].its != wish.side, one[1].sign != wish.side),
        )

    @property
    def _is_over(self) -> bool:
        too_many = len(self._opened) >= _MOST_STARTS
        return too_many or self._spent > self._budget or self._patience.is_over

    @property
    def _spent(self) -> float:
        """Seconds that the program has taken: what a busy machine takes does not count."""
        return sum(one.seconds for one in self._opened)

    def _game(self, path: tuple[str, ...], learned: frozenset[Frame] = frozenset()) -> Game:
        """Return a new game with these answers and no others."""
        self._opened.append(self._opens())
        return Game(self._opened[-1], self._patience, Wish.PROGRAM, path, only_given=True, learned=learned)

    def _at(self, path: tuple[str, ...]) -> Game | None:
        """Return where a path leads if something new is asked there, or None; the game is closed."""
        game = self._game(path)
        with game.terminal:
            step = game.begin()
        if step is not Step.MY_TURN:
            answered = ", ".join(map(repr, path))
            self.tried.append(
                _("{answers} was answered: {step}", answers=answered, step=_(str(step)))
                if path
                else _("it was started: {step}", step=_(str(step)))
            )
            self.screen = game.lines
            return None
        assert game.prompt
        if path and game.prompt.signature == game.answered[-1][0].signature and self._refused(path, game):
            return None
        self.farthest = max(self.farthest, path, key=len)
        return game

    def _refused(self, path: tuple[str, ...], game: Game) -> bool:
        """Return whether an answer came to the same as one that nobody can mean."""
        other = self._game((*path[:-1], _MEANT_BY_NOBODY))
        with other.terminal:
            return other.begin() is Step.MY_TURN and _words(other) == _words(game)

    def _played(self, path: tuple[str, ...], seen: Game, wish: Wish, likely: bool) -> Manner | None:
        """Return the way that a path is, if a square that is typed there gets a reply."""
        known = [self._known] if self._known else families_for(seen)
        for family in known if likely else known[:3]:
            if self._is_over:
                return None
            game = self._game(path)
            with game.terminal:
                found = self._probe(game, family) if game.begin() is Step.MY_TURN else None
                self.screen = game.lines
            if found:
                scheme, game = found
                self._known = family
                answered = tuple(game.answered)
                return Manner(wish, scheme, answered=answered, searched=True, learned=game.learned)
        return None


def _meant(game: Game) -> tuple[str, ...]:
    """Return what may be answered by what the words of a question mean."""
    assert game.prompt
    if game.prompt.kind is Kind.MARK:
        return _MARKS
    return _COMMANDS if re.search(r"\bcommand\b", game.prompt.line, re.I) else ()


def _may_be_move(game: Game) -> bool:
    """Return whether a board is on the screen: then a move may be asked for."""
    empty = (one.signs_of(START, {}) is not None for one in readings(game.lines))
    return len(game.path) > 1 or any(empty)


def _so_that_begins(wish: Wish, answers: list[str]) -> list[str]:
    """Return answers with those first by which the wished side begins, as far as letters tell."""
    found = list(answers)
    for pair in _PAIRS:
        first, second = pair if wish is Wish.PROGRAM else reversed(pair)
        if first in found and second in found and found.index(second) < found.index(first):
            there, here = found.index(first), found.index(second)
            found[there], found[here] = second, first
    return found


def _beside(way: Manner) -> Iterator[tuple[str, ...]]:
    """Yield the answers with one of them changed for another that was offered."""
    for at, (question, _answer) in enumerate(way.answered):
        for answer in offered(question.around.splitlines())[:_MOST_OFFERED]:
            yield (*way.answers[:at], answer, *way.answers[at + 1 :])


def _words(game: Game) -> str:
    """Return what was said since the last answer, without that and what changes."""
    last = game.answered[-1][1] if game.answered else ""
    said = game.terminal.said.replace(last, "") if last else game.terminal.said
    return re.sub(r"[\d\W_]+", " ", said).strip().lower()


def _question(game: Game) -> list[str]:
    """Return the lines in which a question is asked, without boards."""
    lines = [line for line in game.terminal.said.splitlines() if line.strip() and not BOARDLIKE.search(line)]
    return lines[-_AROUND:]


def families_for(game: Game) -> list[Family]:
    """Return what may be typed for a move, the likeliest first: by names on the screen, then by words."""
    assert game.prompt
    if listed(game.lines):
        first = [Family.WORDS]
    elif any(one.is_lettered(game.board) for one in readings(game.lines)):
        first = [Family.ONE_LETTER]
    else:
        around = [line for line in game.prompt.around.splitlines() if not BOARDLIKE.search(line)]
        lines = (game.prompt.line, " ".join(around[-3:]), " ".join(around))
        free = families_listed(" ".join(around[-3:]))
        first = free or next((found for line in lines if (found := likely_families(line))), [])
    return [*first, *(one for one in Family if one not in first)]
