"""What a family of mistakes is made of: variants, each with its words and the answers that it gives."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, compress, starmap
from operator import not_
from typing import Any, Final

from grader.core.asking.decode import Alien
from grader.core.asking.reply import Arguments, Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game.board import CELLS, Action, Board, from_lists
from grader.core.game.interface import right_answer
from grader.core.messages import _, later

Key = Hashable

MISSING: Final = ("missing",)
LOST: Final = ("lost",)
TRUE: Final = ("bool", True)
FALSE: Final = ("bool", False)
_OF_ACTIONS: Final[dict[Action, Key]] = {(i, j): ("tuple", (("number", i), ("number", j))) for i, j in CELLS}


def key_of(reply: Reply) -> Key:
    """Return what came of a call as a key."""
    match reply:
        case Returned():
            return key_of_value(reply.value)
        case Raised():
            return "raised", reply.error
        case Missing() | NotLoaded():
            return MISSING
        case Lost():
            return LOST


def key_of_value(value: Any) -> Key:
    """Return a value as a key: text and None as they are, 1 and 1.0 alike, but True apart from them."""
    if value is None or type(value) is str:
        return value
    if type(value) is bool:
        return TRUE if value else FALSE
    if type(value) in (int, float):
        return number(value)
    if type(value) is list:
        board = from_lists(value)
        return ("board", board) if board is not None else ("list", tuple(map(key_of_value, value)))
    if type(value) is tuple:
        if len(value) == 2 and type(value[0]) is type(value[1]) is int and value in _OF_ACTIONS:
            return _OF_ACTIONS[value]
        return "tuple", tuple(map(key_of_value, value))
    if type(value) in (set, frozenset):
        return type(value).__name__, frozenset(map(key_of_value, value))
    return "alien", value.what if isinstance(value, Alien) else repr(value)


def key_of_action(action: Action) -> Key:
    """Return the key of a cell of the board."""
    return _OF_ACTIONS[action]


def is_raised(key: Key) -> bool:
    """Return whether a key stands for an exception."""
    return type(key) is tuple and key[0] == "raised"


def number(value: float) -> Key:
    """Return the key of a number."""
    return "number", value


def text_of(key: Key) -> str:
    """Return what a key stands for, the way a student would write it."""
    match key:
        case None | str():
            return repr(key)
        case ("bool" | "number", value):
            return repr(value)
        case ("raised", error):
            return _("{error} (raised)", error=error)
        case ("tuple", tuple(items)):
            return "(" + ", ".join(map(text_of, items)) + ("," if len(items) == 1 else "") + ")"
        case ("list", tuple(items)):
            return "[" + ", ".join(map(text_of, items)) + "]"
        case ("set" | "frozenset", frozenset() as items):
            return "{" + ", ".join(sorted(map(text_of, items))) + "}" if items else "set()"
        case ("board", str(cells)):
            return " / ".join((cells[:3], cells[3:6], cells[6:]))
        case ("alien", str(what)):
            return what
        case _:
            return _("no answer")


Text = str | Callable[..., str]
"""A sentence with its parameters in braces, or a function of them."""


@dataclass(frozen=True)
class Part:
    """One mistake in words: a few for a list, a sentence for the student, and a hint.

    They are made in the active language when they are shown: many parts are proposed, few are proved.
    """

    id: str
    title: Text
    sentence: Text
    hint: Text = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    """The parameters of title, sentence and hint."""

    def text(self, sentence: Text) -> str:
        """Return the title, the sentence or the hint in the active language."""
        if callable(sentence):
            return sentence(**self.words)
        return _(sentence, **self.words) if sentence else ""


@dataclass(frozen=True)
class Variant:
    """A faulty function: what is wrong with it, one part or two, and whether an answer is its answer."""

    parts: tuple[Part, ...]
    gives: Callable[[Arguments, Key], bool]


@dataclass(frozen=True)
class SeenReplies:
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
    where: str = later("every board")
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


Family = Callable[[SeenReplies], Iterable[Variant]]
"""Proposes variants for what was seen, the simplest first; none is named that does not give every answer."""


@cache
def right_key(function: str, call: Arguments) -> Key:
    """Return the right answer as a key; for minimax on a running board a set of them."""
    right = right_answer(function, *call)
    if function == "minimax":
        return _keys_of_moves(right)
    if function == "actions":
        return "set", _keys_of_moves(right)
    return ("board", right) if function == "result" else key_of_value(right)


@cache
def _keys_of_moves(moves: frozenset[Action] | None) -> frozenset[Key]:
    return frozenset([None]) if moves is None else frozenset(map(key_of_action, moves))


def explains(seen: SeenReplies, gives: Callable[[Arguments, Key], bool]) -> bool:
    """Return whether every answer that was seen is given.

    The wrong ones are compared first, on the fullest boards: what a search says of these is known soonest.
    """
    return all(starmap(gives, chain(reversed(seen.wrong_answers), reversed(seen.right_answers))))


def explanation(seen: SeenReplies, families: Sequence[Family]) -> Variant | None:
    """Return the first variant that gives every answer that was seen."""
    variants = chain.from_iterable(family(seen) for family in families)
    return next((one for one in variants if explains(seen, one.gives)), None)


def always(answer: Callable[[Board], Key]) -> Callable[[Arguments, Key], bool]:
    """Return whether an answer is that of a function of the board alone."""
    return lambda call, key: key == answer(call[0])
