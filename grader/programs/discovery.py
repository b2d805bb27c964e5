"""How a program is played, found out by playing: which answers lead to a game, and how squares are typed.

A restart costs nothing before the first move: whatever is refused, hangs or dies is tried in another way.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from grader.core.messages import _, one_after_the_other
from grader.programs.game import Game, Manner, NotDriven, Opens, Step, Waits
from grader.programs.prompts import Asked, Kind, Wish, answers, offered
from grader.programs.search import SHOWN, AnswerSearch, Probing, compare, families_for, has_board, takes_all
from grader.programs.squares import SCHEMES, Family, Scheme

_MOST_STARTS: Final = 16
_MOST_TOLD: Final = 10
_MISSING: Final = re.compile(
    r"No module named '?([\w.]+)|Cannot find module '([^']+)'|error while loading shared libraries: (\S+):"
)
_MOST_ENTRIES: Final = 5
_WITHOUT_BOARD: Final = 3
"""Ways to type squares that are tried while no board is on the screen: it may be a question."""

_LEVELS: Final = (Kind.MENU, Kind.DIFFICULTY)
_GUESSED: Final = frozenset(
    scheme for scheme in SCHEMES if scheme.family in (Family.WORDS, Family.LETTER_LINES, Family.CAPITAL_LINES)
)
"""Ways to type squares that may be right for some of them by accident."""

_FOR_SEARCH: Final = 30.0
"""Seconds in which answers are tried."""


class Discovery:
    """Finds out how a program is played."""

    def __init__(
        self,
        opens: Opens,
        patience: Waits,
        given: tuple[str, ...] = (),
        known: Scheme | None = None,
        beside: tuple[str, ...] = (),
    ) -> None:
        self._opens, self._patience, self._given, self._known = opens, patience, given, known
        self._beside = beside
        """Answers of the student's own: they are given where no game comes about without them."""
        self._probing = Probing(opens, patience, known)
        self._path: tuple[str, ...] = ()

    def manner(self, wish: Wish) -> Manner | NotDriven:
        """Return how the program is played, or why that could not be found."""
        found = self._find_by_words(wish, self._given)
        if isinstance(found, NotDriven) and self._beside and not found.missing:
            helped = self._find_by_words(wish, self._beside)
            found = self._with_other_choice(helped) if isinstance(helped, Manner) else found
        if isinstance(found, NotDriven) and not (self._given or found.missing or found.crashed):
            searched = self.searched(wish)
            found = self._with_strongest_player(searched) if searched else self._not_driven()
        elif isinstance(found, Manner) and not found.given:
            found = self._with_wished_side(self._with_strongest_player(found))
        if isinstance(found, Manner) and not self._known and found.scheme in _GUESSED:
            if not takes_all(partial(self._game, found), found.scheme):
                return self._find_another_than(found)
            if self._patience.is_over:  # nobody knows whether it takes them all
                return self._not_driven()
        return found

    def _find_another_than(self, manner: Manner) -> Manner | NotDriven:
        """Return another manner than one with guessed words for squares, of which some are refused."""
        examples = ", ".join(one_after_the_other(manner.scheme.typed(cell)) for cell in range(3))
        attempt = _(
            "squares were typed as {examples} and so on: some are taken, some are not", examples=examples
        )
        self._probing.tried.append(attempt)
        self._probing.mistaken.add((manner.answers, manner.scheme.name))
        return self.manner(manner.wish)

    def _with_strongest_player(self, found: Manner) -> Manner:
        """Return the same with the entry of a menu behind which the best player is."""
        for question, _said in found.answered:
            if question.kind in _LEVELS:
                found = self._with_strongest_answer(question, found)
        return found

    def _with_strongest_answer(self, question: Asked, found: Manner) -> Manner:
        ways = dict(itertools.islice(_ways_at(question, found), _MOST_ENTRIES))
        strength = compare({key: (partial(self._game, way), way.scheme) for key, way in ways.items()})
        times = {key: played.asked.count(question.key) for key, played in strength.items()}
        taken = [key for key in strength if times[key] == min(times.values())]  # others were refused at first
        ranked = sorted(taken, key=lambda key: (strength[key].wrong, strength[key].its != found.wish.side))
        if not ranked:
            return found
        best, *others = ranked
        equal = [key for key in others if strength[key].is_like(strength[best])]
        other = next((key for key in equal if strength[key].its != strength[best].its), None)
        names = (*found.others, *map(repr, others))
        return replace(ways[best], others=names, other=found.other if other is None else ways[other])

    def _with_wished_side(self, found: Manner) -> Manner:
        """Return the same with an answer that lets the wished side start, if there is one."""
        for question in [question for question, _said in found.answered if question.kind is Kind.WHO][:1]:
            meant, other = (answers(question, wish) for wish in (found.wish, found.wish.other))
            turned = (
                replace(_with_answer(question, answer, found), searched=True, other=found)
                for answer in dict.fromkeys((*other, *offered(question.around.splitlines())))
                if answer not in meant
            )
            for way in itertools.chain(dict(_ways_at(question, found)).values(), turned):
                game = self._game(way)
                with game.terminal:
                    step = game.begin()
                once = _count_of(question, game.answered) <= _count_of(question, found.answered)
                if step is Step.MY_TURN and once and game.its == found.wish.side:
                    return way
        return found

    def _with_other_choice(self, found: Manner) -> Manner:
        """Return the same with the other choice of a mark, or of the side that starts, as its alternative."""
        for question, said in found.answered:
            if question.kind not in (Kind.MARK, Kind.WHO):
                continue
            meant = [answers(question, wish) for wish in Wish]
            others = [answer for known in meant if said not in known for answer in known]
            for answer in dict.fromkeys(others):
                way = replace(_with_answer(question, answer, found), searched=True)
                played = compare(
                    {manner: (partial(self._game, manner), manner.scheme) for manner in (found, way)}, 0.0
                )
                sides = {(strength.its, strength.sign) for strength in played.values()}
                if len(sides) == 2:
                    return replace(found, other=way)
        return found

    def _game(self, manner: Manner) -> Game:
        """Return a new game in this manner."""
        return manner.game(self._opens(), self._patience)

    def other_than(self, manner: Manner) -> Manner | None:
        """Return how else the program is played by its words, where squares are typed otherwise, or None."""
        self._probing.mistaken.add((manner.answers, manner.scheme.name))
        found = self._find_by_words(manner.wish, self._given)
        return found if isinstance(found, Manner) else None

    def searched(self, wish: Wish) -> Manner | None:
        """Return how the program is played, found by trying answers, or None."""
        budget = min(_FOR_SEARCH, self._patience.left / 4)
        search = AnswerSearch(self._opens, self._patience, self._probing.find_scheme, budget)
        ways = search.ways(wish)
        self._probing.tried += search.tried[:_MOST_TOLD]
        self._path = search.farthest
        self._probing.screen = self._probing.screen or search.screen[-SHOWN:]
        if not ways:
            return None
        (best, how), *others = ways
        equal = [way for way, its in others if its.is_like(how) and its.its != how.its]
        equal += [way for way, its in others if its.is_like(how) and its.sign != how.sign]
        names = tuple(", ".join(map(repr, way.answers)) for way, _ in others)
        other = replace(equal[0], wish=wish.other) if equal else None
        return replace(best, others=names, other=other)

    def _find_by_words(self, wish: Wish, given: tuple[str, ...]) -> Manner | NotDriven:
        """Return how the program is played if its questions are understood, after answers that were set."""
        passed_over: dict[str, int] = {}
        waiting: list[Family] | None = None
        for _start in range(_MOST_STARTS):
            if self._patience.is_over:
                break
            with self._opens() as terminal:
                game = Game(terminal, self._patience, wish, given, passed_over)
                step = game.begin()
                if step is Step.MY_TURN:
                    assert game.prompt
                    if waiting is None:
                        waiting = families_for(game)[: None if has_board(game) else _WITHOUT_BOARD]
                    family = self._known.family if self._known else waiting.pop(0)
                    mistaken = len(self._probing.mistaken)
                    found = self._probing.find_scheme(game, family)
                    if len(self._probing.mistaken) > mistaken:
                        waiting.insert(0, family)
                    if found:
                        scheme, game = found
                        answered = tuple(game.answered)
                        return Manner(wish, scheme, dict(passed_over), answered, given, learned=game.learned)
                elif not self._another_answer(game, step, passed_over):
                    self._probing.note(game, step, _("it was started: {step}", step=_(str(step))))
                    break
            if waiting == [] or (self._known and waiting is not None):
                break
        return self._not_driven()

    def _another_answer(self, game: Game, step: Step, passed_over: dict[str, int]) -> bool:
        """Choose another answer to the last question, if there was one and one is left."""
        if not game.answered or len(game.answered) <= len(game.given):
            return False
        question, answer = game.answered[-1]
        attempt = _(
            "{question}: {answer!r} was answered: {step}",
            question=_(str(question.kind)),
            answer=answer,
            step=_(str(step)),
        )
        self._probing.note(game, step, attempt)
        passed_over[question.key] = passed_over.get(question.key, 0) + 1
        return passed_over[question.key] < len(answers(question, game.wish))

    def _not_driven(self) -> NotDriven:
        tried, screen = tuple(dict.fromkeys(self._probing.tried)), tuple(self._probing.screen)
        if not _MISSING.search("\n".join(screen)):  # another answer may not come to what it needs
            screen = tuple(attempt for attempt in tried if _MISSING.search(attempt))[:1] or screen
        found = _MISSING.search("\n".join(screen))
        missing = next((name for name in found.groups() if name), "") if found else ""
        crashed = self._probing.crashed and len(self._probing.tried) == 1
        return NotDriven(tried, screen or (_("(nothing was printed)"),), missing, crashed, self._path)


def _ways_at(question: Asked, found: Manner) -> Iterator[tuple[str, Manner]]:
    """Yield the answers to a question, each with how the program is played then."""
    for number, entry in enumerate(answers(question, found.wish)):
        passed_over = {**found.passed_over, question.key: number}
        yield entry, replace(_with_answer(question, entry, found), passed_over=passed_over)


def _with_answer(question: Asked, answer: str, found: Manner) -> Manner:
    """Return the same with another answer to a question."""
    answered = tuple((asked, answer if asked == question else said) for asked, said in found.answered)
    return replace(found, answered=answered)


def _count_of(question: Asked, answered: Iterable[tuple[Asked, str]]) -> int:
    """Return how often a question was asked: what was refused is asked again."""
    return [asked.key for asked, _ in answered].count(question.key)
