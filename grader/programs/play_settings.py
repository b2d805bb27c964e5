"""How a program is played, once that is found out, or why it is not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.programs.game import Game, Waits
from grader.programs.prompts import Asked, Kind, Wish, answers_in
from grader.programs.readings import Frame
from grader.programs.squares import Scheme
from grader.programs.terminal import Terminal


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
    """How a player of the same strength is played who has the other side, where answers tell."""

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
        """Whether the user is asked for a mark, or who starts, by its words or by what answers lead to."""
        return self.other is not None or self.says_who_starts

    @property
    def says_who_starts(self) -> bool:
        """Whether that is asked in words which are understood."""
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
