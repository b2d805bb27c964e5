"""Search for a way to play a program, by trying.

`AnswerSearch` walks a tree of answers, each path in a fresh start of the program. `Probing` finds out how
squares are typed: where marks appear shows it, and a second move confirms it. A board that is absent before
the first move, or drawn by columns alone, is read by the frame that explains every screen of a game.
`compare` plays a few games in each of several ways, to find the one with the best player.
"""

import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Final, TypeVar

from grader.core.game import oracle
from grader.core.game.board import START, Board, X, marks, place, side_to_move
from grader.core.game.oracle import move_between
from grader.core.messages import _, one_after_the_other
from grader.programs import prompts
from grader.programs.boards import Frame, Reading, Signs, empty_boards, opening, readings
from grader.programs.cells import Cells
from grader.programs.game import Game, Manner, Opens, Step, Waits, moves_of
from grader.programs.prompts import BOARDLIKE, Kind, Wish, answers_in, offered
from grader.programs.squares import Family, Scheme, listed, numbered, of_family, probe
from grader.programs.terminal import Terminal, Turn

_ORDERS: Final = ("012345678", "876543210", "402681357", "130852647", "785213640", "264051873")
"""In which order the user takes squares: badly, so that much can be missed."""

_TO_COMPARE: Final = 10.0
_ENOUGH: Final = 2
"""Games along each way where nothing but the side is left to choose."""

Begins = Callable[[], Game]
Key = TypeVar("Key")


@dataclass(frozen=True)
class Strength:
    """How a way was played: replies that are not optimal, the side of the program, and its sign."""

    wrong: int
    its: str
    sign: str
    asked: tuple[str, ...] = ()
    """What was asked on the way, as it is known again: what was refused is asked twice."""

    def is_like(self, best: "Strength") -> bool:
        """Return whether it may be as good: a player that errs may err more often as the other side."""
        return self.wrong == best.wrong or best.wrong > 0


def compare(ways: Mapping[Key, tuple[Begins, Scheme]], seconds: float = _TO_COMPARE) -> dict[Key, Strength]:
    """Return how each way is played along which games come to their end, in so many seconds of the program's.

    One game each is played in any case.
    """
    found: dict[Key, Strength] = {}
    left = list(ways)
    for number, order in enumerate(_ORDERS):
        for key in tuple(left):
            if number and seconds < 0:
                return found
            game, step = _played(*ways[key], order)
            seconds -= game.terminal.seconds
            before = found.pop(key, None)
            if step is Step.OVER:
                wrong = wrong_replies(game.path, game.its) + (before.wrong if before else 0)
                asked = tuple(question.key for question, _ in game.answered)
                found[key] = Strength(wrong, game.its, game.signs.get(game.its, ""), asked)
            else:
                left.remove(key)
        least = min((found[key].wrong for key in left), default=0)
        left = [key for key in left if found[key].wrong == least]
        sides = {(found[key].its, found[key].sign) for key in left}
        if len(left) < 2 or (number + 1 >= _ENOUGH and len(sides) == len(left)):
            break
    return found


def _played(begins: Begins, scheme: Scheme, order: str) -> tuple[Game, Step]:
    """Play a game in which the user takes squares in this order."""
    game = begins()
    with game.terminal:
        step = game.begin()
        while step is Step.MY_TURN:
            step = game.play(next(cell for cell in map(int, order) if game.board[cell] == "."), scheme)
    return game, step


def wrong_replies(path: Sequence[Board], its: str) -> int:
    """Return how many replies of a game are not optimal."""
    steps = [step for step in itertools.pairwise(path) if side_to_move(step[0]) == its]
    return sum(move_between(*step) not in oracle.optimal_actions(step[0]) for step in steps)


def comes_to_an_end(begins: Begins, scheme: Scheme) -> bool:
    """Return whether one of a few games comes to its end."""
    return any(_played(begins, scheme, order)[1] is Step.OVER for order in _ORDERS[:_ENOUGH])


def takes_all(begins: Begins, scheme: Scheme) -> bool:
    """Return whether no square is refused in a few games in which each of them is typed."""
    return all(_played(begins, scheme, order)[1] is not Step.REFUSED for order in _ORDERS)


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
"""Extra cost of trying a move while no board is on the screen: answers are tried before."""

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

    def ways(self, wish: Wish) -> list[tuple[Manner, Strength]]:
        """Return ways that lead to a game, those with the best player first, then those that fit the wish."""
        found: list[Manner] = []
        doubtful: list[Manner] = []
        number = itertools.count()
        waiting: list[tuple[int, int, tuple[str, ...], bool]] = [(0, next(number), (), False)]
        while waiting and not self._is_over and len(found) < _MOST_WAYS:
            cost, _, path, as_move = heapq.heappop(waiting)
            if found and len(path) > max(len(way.answers) for way in found):
                continue
            game = self._at(path) if as_move or path not in self._met else None
            self._met.add(path)
            if game is None:
                continue
            likely = len(game.path) > 1 or bool(empty_boards(game.lines))  # with a board, a move is asked for
            way = self._played(path, game, wish, likely) if likely or as_move else None
            if way and not found and not self._has_finished_games(way):
                doubtful.append(way)
            elif way:
                found.append(way)
                self._budget = min(self._budget, self._spent + _FOR_OTHERS)
                for other in _variations(way):
                    heapq.heappush(waiting, (0, next(number), other, False))
                continue
            if not likely and not as_move:
                heapq.heappush(waiting, (cost + _WITHOUT_BOARD, next(number), path, True))
            if len(path) < _DEEPEST and not as_move:
                asked_before = _signature(game) in self._asked
                self._asked.add(_signature(game))
                answers = _ordered_for(
                    wish, prompts.candidates(_question_lines(game), _answers_by_kind(game))
                )
                for rank, answer in enumerate(answers[:_TRIED]):
                    price = cost + 3 + rank + asked_before * _AGAIN
                    heapq.heappush(waiting, (price, next(number), (*path, answer), False))
        return self._rank(found or doubtful, wish)

    def _has_finished_games(self, way: Manner) -> bool:
        """Return whether a game comes to its end: one move may have looked right by accident."""
        return comes_to_an_end(partial(self._game, way.answers, way.learned), way.scheme)

    def _rank(self, found: list[Manner], wish: Wish) -> list[tuple[Manner, Strength]]:
        """Return ways with how they are played, the best first."""
        games = {way: (partial(self._game, way.answers, way.learned), way.scheme) for way in found}
        strength = compare(games)
        if not strength:  # no game comes to its end: that is for the games to show
            strength = {way: Strength(0, "", "") for way in found[:1]}
        return sorted(
            strength.items(),
            key=lambda way: (way[1].wrong, way[1].its != wish.side, way[1].sign != wish.side),
        )

    @property
    def _is_over(self) -> bool:
        too_many = len(self._opened) >= _MOST_STARTS
        return too_many or self._spent > self._budget or self._patience.is_over

    @property
    def _spent(self) -> float:
        """Seconds that the program has taken: what a busy machine takes does not count."""
        return sum(terminal.seconds for terminal in self._opened)

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
        """Return whether an answer had the same effect as a meaningless one."""
        other = self._game((*path[:-1], _MEANT_BY_NOBODY))
        with other.terminal:
            return other.begin() is Step.MY_TURN and _signature(other) == _signature(game)

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


def _answers_by_kind(game: Game) -> tuple[str, ...]:
    """Return usual answers to a question of this kind."""
    assert game.prompt
    if game.prompt.kind is Kind.MARK:
        return _MARKS
    return _COMMANDS if re.search(r"\bcommand\b", game.prompt.line, re.I) else ()


def _ordered_for(wish: Wish, answers: list[str]) -> list[str]:
    """Return answers, with those first that usually let the wished side begin."""
    found = list(answers)
    for pair in _PAIRS:
        if set(pair) <= set(found):
            places = sorted(map(found.index, pair))
            for at, answer in zip(places, pair if wish is Wish.PROGRAM else reversed(pair), strict=True):
                found[at] = answer
    return found


def _variations(way: Manner) -> Iterator[tuple[str, ...]]:
    """Yield the answers with one of them changed for another that was offered."""
    for at, (question, _answer) in enumerate(way.answered):
        for answer in offered(question.around.splitlines())[:_MOST_OFFERED]:
            yield (*way.answers[:at], answer, *way.answers[at + 1 :])


def _signature(game: Game) -> str:
    """Return what was said since the last answer, without that and what changes."""
    last = game.answered[-1][1] if game.answered else ""
    said = game.terminal.said.replace(last, "") if last else game.terminal.said
    return re.sub(r"[\d\W_]+", " ", said).strip().lower()


def _question_lines(game: Game) -> list[str]:
    """Return the lines in which a question is asked, without boards."""
    lines = [line for line in game.terminal.said.splitlines() if line.strip() and not BOARDLIKE.search(line)]
    return lines[-_AROUND:]


def families_for(game: Game) -> list[Family]:
    """Return what may be typed for a move, the likeliest first: by names on the screen, then by words."""
    assert game.prompt
    if listed(game.lines):
        first = [Family.WORDS]
    elif any(reading.is_lettered(game.board) for reading in readings(game.lines)):
        first = [Family.ONE_LETTER]
    else:
        around = [line for line in game.prompt.around.splitlines() if not BOARDLIKE.search(line)]
        lines = (game.prompt.line, " ".join(around[-3:]), " ".join(around))
        free = prompts.families_listed(" ".join(around[-3:]))
        first = free or next(filter(None, map(prompts.likely_families, lines)), [])
    return [*first, *(family for family in Family if family not in first)]


_PROBES: Final = 4
_FEWEST: Final = 4
"""Marks by which a frame is known."""

SHOWN: Final = 40
"""Lines of a screen that are kept for a person."""

_LONGEST_TOLD: Final = 80
_SECOND: Final = re.compile(r"\bcol|\by\b|second|columna|\brow\b", re.I)


class Probing:
    """Types squares in one way after the other, and records the results."""

    def __init__(self, opens: Opens, patience: Waits, known: Scheme | None) -> None:
        self._opens, self._patience, self._known = opens, patience, known
        self.mistaken: set[tuple[tuple[str, ...], str]] = set()
        """Schemes that one move spoke for and the next one against, each after which answers."""
        self.tried: list[str] = []
        self.screen: list[str] = []
        self.crashed = False
        self._floods = False
        """Whether it prints without an end when it is given letters: then it is given no more of them."""

    def find_scheme(self, game: Game, family: Family) -> tuple[Scheme, Game] | None:
        """Return how squares are typed if this family of texts does, and a game in which they were, or None.

        Where no board is on the screen whose cells are marked, its columns are learned in a game for that.
        """
        if self._floods and any(sign.isalpha() for sign in "".join(of_family(family)[0].lines[0])):
            return None
        if game.learned or has_board(game):
            found = self._find_scheme(game, family)
            return (found, game) if found else None
        screens = play_blindly(game, _possible_schemes(game, family))
        found_frames = learned(screens)
        if not found_frames:
            what = _(
                "{family}: one square after the other was typed: no board could be read",
                family=_(str(family)),
            )
            self.note(game, None, what)
            self.screen = screens[1][-SHOWN:]  # where the first of them was
            return None
        with self._opens() as terminal:
            other = replace(
                game, terminal=terminal, learned=found_frames, board=START, mine=X, signs={}, path=[START],
                answered=[], prompt=None, drawn=None, frames=set(), before=[],
            )  # fmt: skip
            found = self._find_scheme(other, family) if other.begin() is Step.MY_TURN else None
        return (found, other) if found else None

    def _find_scheme(self, game: Game, family: Family) -> Scheme | None:
        """Return how squares are typed if this family of texts does, or None."""
        path = answers_in(game.answered)
        schemes = [
            scheme for scheme in _possible_schemes(game, family) if (path, scheme.name) not in self.mistaken
        ]
        schemes = [self._known] if self._known else schemes
        if not schemes:
            return None
        replied = False
        for _turn in range(_PROBES):
            free = [cell for cell in range(9) if game.board[cell] == "."]
            lines = probe(schemes, free)
            step, lines, schemes = self._typed(game, lines, schemes)
            if step is Step.REFUSED and not replied and (other := probe(schemes, free, (lines,))) != lines:
                step, lines, schemes = self._typed(game, other, schemes)  # that square may be taken
            if step not in (Step.MY_TURN, Step.OVER):
                told = {"family": _(str(family)), "typed": one_after_the_other(lines), "step": _(str(step))}
                self.note(game, step, _("{family}: {typed} was typed: {step}", **told))
                others = [scheme for scheme in schemes if scheme.cell(lines) is None]
                if step is Step.REFUSED and family is Family.WORDS and others:  # those have other words
                    schemes = others
                    continue
                taken = [scheme for scheme in schemes if scheme.cell(lines) not in free]
                if step is Step.REFUSED and replied and 0 < len(taken) < len(schemes):  # rightly refused
                    schemes = taken
                    continue
                return schemes[0] if replied and len(schemes) == 1 else None
            replied = True
            placed = moves_of(game.path, game.its)[-1]
            schemes = [scheme for scheme in schemes if scheme.cell(lines) == placed] or schemes[:1]
            if step is Step.OVER or len(schemes) == 1:
                return schemes[0] if self._is_confirmed(game, schemes[0], step) else None
        return schemes[0]

    def _is_confirmed(self, game: Game, scheme: Scheme, step: Step) -> bool:
        """Return whether a second move speaks for a scheme, too."""
        if scheme is self._known or step is Step.OVER:
            return True
        free = next(cell for cell in range(9) if game.board[cell] == ".")
        step = game.play(free, scheme)
        if step in (Step.MY_TURN, Step.OVER):
            return True
        self.mistaken.add((answers_in(game.answered), scheme.name))
        typed, how = one_after_the_other(scheme.typed(free)), _(str(scheme.family))
        told = {"family": how, "name": scheme.name, "typed": typed, "step": _(str(step))}
        self.note(game, step, _("{family}, {name}: {typed} was typed: {step}", **told))
        return False

    def _typed(
        self, game: Game, lines: tuple[str, ...], schemes: list[Scheme]
    ) -> tuple[Step, tuple[str, ...], list[Scheme]]:
        """Type a move; where one number is not enough, one more."""
        turn = game.enter(lines)
        step = game.read(turn, _boards_after(game, lines, schemes))
        if step is Step.REFUSED and (answer := self._confirmation(game)) is not None:
            more, schemes = answer, [scheme.confirmed(answer) for scheme in schemes]
        elif step is Step.REFUSED and schemes[0].family is Family.NUMBER and self._wants_more(game):
            more, schemes = "1" if lines[0] == "2" else "2", list(of_family(Family.LINES))
        else:
            return step, lines, schemes
        lines = (*lines, more)
        game.terminal.type(more)
        turn = game.wait(self._patience.first)
        return game.read(turn, _boards_after(game, lines, schemes)), lines, schemes

    def _confirmation(self, game: Game) -> str | None:
        """Return the first answer that is offered where something else is asked after a move, or None."""
        known = offered(game.terminal.said.strip().splitlines()[-1:])
        if len(known) < 2 or any(any(map(str.isdigit, text)) for text in known):  # a number is of a square
            return None
        return None if game.asks_for_move() else known[0]

    def _wants_more(self, game: Game) -> bool:
        said = game.terminal.said.strip()
        return not said or (not game.asks_for_move() and _SECOND.search(said) is not None)

    def note(self, game: Game, step: Step | None, what: str) -> None:
        """Keep what was tried, what came of it and what came back, and the screen as it is then."""
        said = [line.strip() for line in game.terminal.said.splitlines() if not BOARDLIKE.search(line)]
        back = next((line for line in reversed(said) if line), "")[:_LONGEST_TOLD]
        self.tried.append(_("{what}; it said {back!r}", what=what, back=back) if back else what)
        self._floods |= step is Step.FLOODS
        self.screen = game.lines[-SHOWN:]
        self.crashed = game.crashed()


def _possible_schemes(game: Game, family: Family) -> tuple[Scheme, ...]:
    """Return how squares may be typed: by the names or numbers that the screen gives them as well."""
    if family is Family.NUMBER:
        return numbered(game.lines) + of_family(family)
    return (listed(game.lines) if family is Family.WORDS else ()) or of_family(family)


def _boards_after(game: Game, lines: tuple[str, ...], schemes: Sequence[Scheme]) -> list[Board]:
    """Return the boards that a move of mine may have made."""
    cells = dict.fromkeys(scheme.cell(lines) for scheme in schemes)
    return [
        place(game.board, divmod(cell, 3)) for cell in cells if cell is not None and game.board[cell] == "."
    ]


def has_board(game: Game) -> bool:
    """Return whether a board is on the screen that needs no columns to be learned."""
    certain = (reading.is_certain(()) for reading in empty_boards(game.lines))
    return opening(game.lines, ()) is not None or any(certain)


def play_blindly(game: Game, schemes: Sequence[Scheme]) -> list[list[str]]:
    """Type one square after the other, whatever is on the screen; return the screens.

    What is a square in every numbering comes first: the others may end the game.
    """
    screens = [game.lines]
    texts = dict.fromkeys(lines for scheme in schemes for lines in scheme.lines)
    for lines in sorted(
        texts, key=lambda lines: sum(lines in scheme.lines for scheme in schemes), reverse=True
    ):
        if game.enter(lines) is not Turn.WAITS:
            break
        screens.append(game.lines)
    return [*screens, game.lines]


def learned(screens: Sequence[Sequence[str]]) -> frozenset[Frame]:
    """Return the frames that make of every screen a board that follows from the one before."""
    latest = [{reading.frame: reading for reading in reversed(readings(screen))} for screen in screens]
    counts = {
        frame: max(_marks([boards[frame] for boards in latest if frame in boards], START, {}), default=0)
        for frame in set().union(*latest)
    }
    most = max(counts.values(), default=0)
    return frozenset(frame for frame, count in counts.items() if count == most >= _FEWEST)


def _marks(seen: Sequence[Reading], board: Board, signs: Signs, before: Cells = ()) -> Iterator[int]:
    """Yield how many marks there are at last, for every game that is as it was seen."""
    if not seen:
        yield marks(board)
        return
    cells = seen[0].cells
    new = [at for at in range(9) if board[at] == "." and (not before or cells[at] != before[at])]
    for count in range(min(len(new), 2) + 1):
        for places in permutations(new, count):
            after = board
            for at in places:
                after = place(after, divmod(at, 3))
            found = seen[0].signs_of(after, signs)
            if found is not None:
                yield from _marks(seen[1:], after, found, cells)
