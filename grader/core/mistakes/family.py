"""What a family of mistakes is made of: variants, each with its words and the answers that it gives."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, compress, starmap
from operator import not_
from typing import Any

from grader.core.asking.calls import Arguments
from grader.core.asking.reply import Reply
from grader.core.game.board import Action, Board
from grader.core.game.interface import right_answer
from grader.core.mistakes.key import Key, key_of, key_of_action, key_of_value


@dataclass(frozen=True)
class Part:
    """One mistake in words: a few for a list, a sentence for the student, and a hint."""

    id: str
    title: str
    sentence: str
    hint: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Variant:
    """A faulty function: what is wrong with it, one part or two, and whether an answer is its answer."""

    parts: tuple[Part, ...]
    gives: Callable[[Arguments, Key], bool]


@dataclass(frozen=True)
class Seen:
    """What a function answered to every question of its domain, in the words of `where`.

    `others` are the answers of functions that it may ask, by board; `raising` the lines in which functions
    raise whatever they are asked. `alone`: a trial has shown that it stays wrong when those are right.
    """

    function: str
    calls: Sequence[Arguments]
    replies: Sequence[Reply]
    others: dict[str, dict[Board, Key]] = field(default_factory=dict)
    raising: dict[str, int] = field(default_factory=dict)
    alone: bool = False
    where: str = "every board"
    whole: bool = True
    """Whether all questions of the domain were asked."""
    known_right: Sequence[bool] = ()
    """For each call, whether a check has found its answer right; nothing where none has looked."""

    @cached_property
    def keys(self) -> list[Key]:
        """The answers as keys."""
        distinct = {id(reply): reply for reply in self.replies}
        known = {number: key_of(reply) for number, reply in distinct.items()}
        return [known[id(reply)] for reply in self.replies]

    @cached_property
    def by_board(self) -> dict[Board, Key]:
        """The answers by board, where there is one a board."""
        return {call[0]: key for call, key in zip(self.calls, self.keys, strict=True)}

    def is_right(self, call: Arguments, key: Key) -> bool:
        """Return whether an answer is right; of minimax, several may be."""
        right = right_key(self.function, call)
        return key in right if isinstance(right, frozenset) else key == right

    @cached_property
    def wrong(self) -> list[bool]:
        """For each call, whether its answer is wrong."""
        known = self.known_right or [False] * len(self.calls)
        asked = zip(known, self.calls, self.keys, strict=True)
        return [not is_right and not self.is_right(call, key) for is_right, call, key in asked]

    @cached_property
    def wrong_answers(self) -> list[tuple[Arguments, Key]]:
        """The calls with wrong answers, each with its answer."""
        return list(compress(zip(self.calls, self.keys, strict=True), self.wrong))

    @cached_property
    def right_answers(self) -> list[tuple[Arguments, Key]]:
        """The calls with right answers, each with its answer."""
        return list(compress(zip(self.calls, self.keys, strict=True), map(not_, self.wrong)))


Family = Callable[[Seen], Iterable[Variant]]
"""Proposes variants for what was seen, the simplest first; none is named that does not give every answer."""


@cache
def right_key(function: str, call: Arguments) -> Key:
    """Return the right answer as a key; for minimax on a running board a set of them."""
    right = right_answer(function, *call)
    if function == "minimax":
        return _keys_of_moves(right)
    if function == "actions":
        return "set", frozenset(map(key_of_action, right))  # type: ignore[call-overload]
    return ("board", right) if function == "result" else key_of_value(right)


@cache
def _keys_of_moves(moves: frozenset[Action] | None) -> frozenset[Key]:
    return frozenset([None]) if moves is None else frozenset(map(key_of_action, moves))


def explains(seen: Seen, gives: Callable[[Arguments, Key], bool]) -> bool:
    """Return whether every answer that was seen is given.

    The wrong ones are compared first, on the fullest boards: what a search says of these is known soonest.
    """
    return all(starmap(gives, chain(reversed(seen.wrong_answers), reversed(seen.right_answers))))


def explanation(seen: Seen, families: Sequence[Family]) -> Variant | None:
    """Return the first variant that gives every answer that was seen."""
    variants = chain.from_iterable(family(seen) for family in families)
    return next((one for one in variants if explains(seen, one.gives)), None)


def always(answer: Callable[[Board], Key]) -> Callable[[Arguments, Key], bool]:
    """Return whether an answer is that of a function of the board alone."""
    return lambda call, key: key == answer(call[0])
