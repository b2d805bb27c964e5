"""How squares are typed, found out by typing: where marks appear tells; a second move confirms it.

A board that was not there before the first move, or is drawn by columns alone, is laid out in the frame that
explains every screen of a game.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from grader.core.game.board import START, Board, X, marks, place
from grader.core.messages import _, one_after_the_other
from grader.programs.boards import opening
from grader.programs.cells import Cells
from grader.programs.game import Game, Opens, Step, Waits, moves_of
from grader.programs.prompts import BOARDLIKE, answers_in
from grader.programs.readings import Frame, Reading, Signs, readings
from grader.programs.setup import offered
from grader.programs.squares import Family, Scheme, listed, numbered, of_family, probe
from grader.programs.terminal import Turn

_PROBES: Final = 4
_FEWEST: Final = 4
"""Marks by which a frame is known."""

SHOWN: Final = 40
"""Lines of a screen that are kept for a person."""

_LONGEST_TOLD: Final = 80
_SECOND: Final = re.compile(r"\bcol|\by\b|second|columna|\brow\b", re.I)


class Probing:
    """Types squares in one way after the other, and keeps what came of it."""

    def __init__(self, opens: Opens, patience: Waits, known: Scheme | None) -> None:
        self._opens, self._patience, self._known = opens, patience, known
        self.mistaken: set[tuple[tuple[str, ...], str]] = set()
        """Schemes that one move spoke for and the next one against, each after which answers."""
        self.tried: list[str] = []
        self.screen: list[str] = []
        self.crashed = False
        self._floods = False
        """Whether it prints without an end when it is given letters: then it is given no more of them."""

    def probed(self, game: Game, family: Family) -> tuple[Scheme, Game] | None:
        """Return how squares are typed if this family of texts does, and a game in which they were, or None.

        Where no board is on the screen whose cells are marked, its columns are learned in a game for that.
        """
        if self._floods and any(sign.isalpha() for sign in "".join(of_family(family)[0].lines[0])):
            return None
        if game.learned or has_board(game):
            found = self._typed_so(game, family)
            return (found, game) if found else None
        screens = played_blindly(game, _schemes(game, family))
        found_frames = learned(screens)
        if not found_frames:
            self.note(
                game,
                None,
                _(
                    "{family}: one square after the other was typed: no board could be read",
                    family=_(str(family)),
                ),
            )
            self.screen = screens[1][-SHOWN:]  # where the first of them was
            return None
        with self._opens() as terminal:
            other = replace(
                game, terminal=terminal, learned=found_frames, board=START, mine=X, signs={}, path=[START],
                answered=[], prompt=None, drawn=None, frames=set(), before=[],
            )  # fmt: skip
            found = self._typed_so(other, family) if other.begin() is Step.MY_TURN else None
        return (found, other) if found else None

    def _typed_so(self, game: Game, family: Family) -> Scheme | None:
        """Return how squares are typed if this family of texts does, or None."""
        path = answers_in(game.answered)
        schemes = [one for one in _schemes(game, family) if (path, one.name) not in self.mistaken]
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
                self.note(
                    game,
                    step,
                    _(
                        "{family}: {typed} was typed: {step}",
                        family=_(str(family)),
                        typed=one_after_the_other(lines),
                        step=_(str(step)),
                    ),
                )
                others = [one for one in schemes if one.cell(lines) is None]
                if step is Step.REFUSED and family is Family.WORDS and others:  # those have other words
                    schemes = others
                    continue
                taken = [one for one in schemes if one.cell(lines) not in free]
                if step is Step.REFUSED and replied and 0 < len(taken) < len(schemes):  # rightly refused
                    schemes = taken
                    continue
                return schemes[0] if replied and len(schemes) == 1 else None
            replied = True
            placed = moves_of(game.path, game.its)[-1]
            schemes = [scheme for scheme in schemes if scheme.cell(lines) == placed] or schemes[:1]
            if step is Step.OVER or len(schemes) == 1:
                return schemes[0] if self._holds(game, schemes[0], step) else None
        return schemes[0]

    def _holds(self, game: Game, scheme: Scheme, step: Step) -> bool:
        """Return whether a second move speaks for a scheme, too."""
        if scheme is self._known or step is Step.OVER:
            return True
        free = next(cell for cell in range(9) if game.board[cell] == ".")
        step = game.play(free, scheme)
        if step in (Step.MY_TURN, Step.OVER):
            return True
        self.mistaken.add((answers_in(game.answered), scheme.name))
        self.note(
            game,
            step,
            _(
                "{family}, {name}: {typed} was typed: {step}",
                family=_(str(scheme.family)),
                name=scheme.name,
                typed=one_after_the_other(scheme.typed(free)),
                step=_(str(step)),
            ),
        )
        return False

    def _typed(
        self, game: Game, lines: tuple[str, ...], schemes: list[Scheme]
    ) -> tuple[Step, tuple[str, ...], list[Scheme]]:
        """Type a move; where one number is not enough, one more."""
        turn = game.enter(lines)
        step = game.read(turn, _placed(game, lines, schemes))
        if step is Step.REFUSED and (answer := self._confirms(game)) is not None:
            more, schemes = answer, [one.confirmed(answer) for one in schemes]
        elif step is Step.REFUSED and schemes[0].family is Family.NUMBER and self._wants_more(game):
            more, schemes = "1" if lines[0] == "2" else "2", list(of_family(Family.LINES))
        else:
            return step, lines, schemes
        lines = (*lines, more)
        game.terminal.type(more)
        turn = game.wait(self._patience.first)
        return game.read(turn, _placed(game, lines, schemes)), lines, schemes

    def _confirms(self, game: Game) -> str | None:
        """Return the first answer that is offered where something else is asked after a move, or None."""
        known = offered(game.terminal.said.strip().splitlines()[-1:])
        if len(known) < 2 or any(any(map(str.isdigit, one)) for one in known):  # a number is of a square
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


def _schemes(game: Game, family: Family) -> tuple[Scheme, ...]:
    """Return how squares may be typed: by the names or numbers that the screen gives them as well."""
    if family is Family.NUMBER:
        return numbered(game.lines) + of_family(family)
    return (listed(game.lines) if family is Family.WORDS else ()) or of_family(family)


def _placed(game: Game, lines: tuple[str, ...], schemes: Sequence[Scheme]) -> list[Board]:
    """Return the boards that a move of mine may have made."""
    cells = dict.fromkeys(scheme.cell(lines) for scheme in schemes)
    return [
        place(game.board, divmod(cell, 3)) for cell in cells if cell is not None and game.board[cell] == "."
    ]


def has_board(game: Game) -> bool:
    """Return whether a board is on the screen that needs no columns to be learned."""
    certain = (one for one in readings(game.lines) if one.is_certain(()))
    return opening(game.lines, ()) is not None or any(one.signs_of(START, {}) is not None for one in certain)


def played_blindly(game: Game, schemes: Sequence[Scheme]) -> list[list[str]]:
    """Type one square after the other, whatever is on the screen; return the screens.

    What is a square in every numbering comes first: the others may end the game.
    """
    screens = [game.lines]
    texts = dict.fromkeys(lines for scheme in schemes for lines in scheme.lines)
    for lines in sorted(texts, key=lambda one: sum(one in scheme.lines for scheme in schemes), reverse=True):
        if game.enter(lines) is not Turn.WAITS:
            break
        screens.append(game.lines)
    return [*screens, game.lines]


def learned(screens: Sequence[Sequence[str]]) -> frozenset[Frame]:
    """Return the frames that make of every screen a board that follows from the one before."""
    latest = [{one.frame: one for one in reversed(readings(screen))} for screen in screens]
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
