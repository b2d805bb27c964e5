"""How a program is played, found out by playing: which answers lead to a game, and how squares are typed.

A restart costs nothing before the first move: whatever is refused, hangs or dies is tried in another way.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grader.core.game.board import Board, side_to_move
from grader.core.game.policy import move_between
from grader.programs.game import Game, Opens, Step, Waits
from grader.programs.prompts import Asked, Kind, Wish, asked, families
from grader.programs.setup import answers
from grader.programs.squares import AS_ASSIGNED, Family, Scheme, of_family, probe

_MOST_STARTS: Final = 12
_PROBES: Final = 4
_SHOWN: Final = 40
_MISSING: Final = re.compile(
    r"No module named '?([\w.]+)|Cannot find module '([^']+)'|error while loading shared libraries: (\S+):"
)
_SECOND: Final = re.compile(r"\bcol|\by\b|second|columna|\brow\b", re.I)


@dataclass(frozen=True)
class Manner:
    """How a program is played: the wish its answers were chosen by, and how squares are typed."""

    wish: Wish
    scheme: Scheme
    passed_over: Mapping[str, int] = field(default_factory=dict)
    answered: tuple[tuple[Asked, str], ...] = ()

    @property
    def asks_who_starts(self) -> bool:
        """Whether the user is asked for a mark, or who starts."""
        return any(question.kind in (Kind.MARK, Kind.WHO) for question, _ in self.answered)


@dataclass(frozen=True)
class NotDriven:
    """Why no game came about: what was tried, and the screen as it was seen."""

    tried: tuple[str, ...]
    screen: tuple[str, ...]
    missing: str = ""
    """What the program needs that is not installed here, if that is the reason."""
    crashed: bool = False


class Discovery:
    """Finds out how a program is played."""

    def __init__(
        self, opens: Opens, patience: Waits, given: Sequence[str] = (), known: Scheme | None = None
    ) -> None:
        self._opens, self._patience, self._given = opens, patience, tuple(given)
        self._known = known
        self._mistaken: set[str] = set()
        """Schemes that one move spoke for and the next one against."""
        self._tried: list[str] = []
        self._screen: list[str] = []
        self._crashed = False

    def manner(self, wish: Wish) -> Manner | NotDriven:
        """Return how the program is played, or why that could not be found."""
        passed_over: dict[str, int] = {}
        waiting: list[Family] | None = None
        for _ in range(_MOST_STARTS):
            if self._patience.is_over:
                break
            with self._opens() as terminal:
                game = Game(terminal, self._patience, wish, self._given, passed_over)
                step = game.begin()
                if step is Step.MY_TURN:
                    assert game.prompt
                    if waiting is None:
                        waiting = families(_hint(game))
                    family = self._known.family if self._known else waiting.pop(0)
                    mistaken = len(self._mistaken)
                    found = self._probed(game, family)
                    if len(self._mistaken) > mistaken:
                        waiting.insert(0, family)
                    if found:
                        return Manner(wish, found, dict(passed_over), tuple(game.answered))
                elif not self._another_answer(game, step, passed_over):
                    self._note(game, f"it was started: {step}")
                    break
            if waiting == [] or (self._known and waiting is not None):
                break
        return self._not_driven()

    def _probed(self, game: Game, family: Family) -> Scheme | None:
        """Return how squares are typed if this family of texts does, or None."""
        schemes = [one for one in of_family(family) if one.name not in self._mistaken]
        schemes = [self._known] if self._known else schemes
        if not schemes:
            return None
        replied = False
        for _ in range(_PROBES):
            free = [cell for cell in range(9) if game.board[cell] == "."]
            lines = probe(schemes, free)
            step, lines, schemes = self._typed(game, lines, schemes)
            if step not in (Step.MY_TURN, Step.OVER):
                self._note(game, f"{family}: {' then '.join(lines)} was typed: {step}")
                return schemes[0] if replied and len(schemes) == 1 else None
            replied = True
            placed = _mine(game)
            schemes = [scheme for scheme in schemes if scheme.cell(lines) == placed] or schemes[:1]
            if step is Step.OVER or len(schemes) == 1:
                return schemes[0] if self._holds(game, schemes[0], step) else None
        return schemes[0]

    def _holds(self, game: Game, scheme: Scheme, step: Step) -> bool:
        """Return whether a second move speaks for a scheme, too; the usual one needs none."""
        if scheme is AS_ASSIGNED or scheme is self._known or step is Step.OVER:
            return True
        free = next(cell for cell in range(9) if game.board[cell] == ".")
        step = game.play(free, scheme)
        if step in (Step.MY_TURN, Step.OVER):
            return True
        self._mistaken.add(scheme.name)
        self._note(
            game, f"{scheme.family}, {scheme.name}: {' then '.join(scheme.typed(free))} was typed: {step}"
        )
        return False

    def _typed(
        self, game: Game, lines: tuple[str, ...], schemes: list[Scheme]
    ) -> tuple[Step, tuple[str, ...], list[Scheme]]:
        """Type a move; where one number is not enough, one more."""
        turn = game.enter(lines)
        step = game.read(turn, _placed(game, lines, schemes))
        if step is Step.REFUSED and schemes[0].family is Family.NUMBER and self._wants_more(game):
            lines, schemes = (lines[0], "1" if lines[0] == "2" else "2"), list(of_family(Family.LINES))
            game.terminal.type(lines[1])
            turn = game.wait(self._patience.first)
            step = game.read(turn, _placed(game, lines, schemes))
        return step, lines, schemes

    def _wants_more(self, game: Game) -> bool:
        said = game.terminal.said.strip()
        assert game.prompt
        other = asked(said).signature != game.prompt.signature
        return not said or (other and _SECOND.search(said) is not None)

    def _another_answer(self, game: Game, step: Step, passed_over: dict[str, int]) -> bool:
        """Choose another answer to the last question, if there was one and one is left."""
        if not game.answered or len(game.answered) <= len(self._given):
            return False
        question, answer = game.answered[-1]
        self._note(game, f"{question.kind}: {answer!r} was answered: {step}")
        passed_over[question.signature] = passed_over.get(question.signature, 0) + 1
        return passed_over[question.signature] < len(answers(question, game.wish))

    def _note(self, game: Game, what: str) -> None:
        self._tried.append(what)
        self._screen = game.lines[-_SHOWN:]
        self._crashed = game.crashed()

    def _not_driven(self) -> NotDriven:
        text = "\n".join(self._screen)
        missing = _MISSING.search(text)
        return NotDriven(
            tuple(self._tried),
            tuple(self._screen),
            next((one for one in missing.groups() if one), "") if missing else "",
            self._crashed and len(self._tried) == 1,
        )


def _hint(game: Game) -> str:
    """Return the words that tell how a move is typed: the prompt, or what stands before it."""
    assert game.prompt
    if re.search(r"\w", game.prompt.line):
        return game.prompt.line
    return " ".join(game.prompt.around.splitlines()[-3:])


def _placed(game: Game, lines: tuple[str, ...], schemes: Sequence[Scheme]) -> list[Board]:
    """Return the boards that a move of mine may have made."""
    cells = dict.fromkeys(scheme.cell(lines) for scheme in schemes)
    return [
        Board(game.board[:cell] + game.mine + game.board[cell + 1 :])
        for cell in cells
        if cell is not None and game.board[cell] == "."
    ]


def _mine(game: Game) -> int:
    """Return the cell of my last move."""
    steps = list(itertools.pairwise(game.path))
    before, after = next(step for step in reversed(steps) if side_to_move(step[0]) == game.mine)
    row, column = move_between(before, after)
    return 3 * row + column
