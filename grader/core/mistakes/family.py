"""Families of mistakes: what they are made of, and those that any function may have.

A family proposes variants: faulty functions, each with its answers and its words.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, compress, starmap
from operator import not_
from typing import Any, Final

from grader.core.asking.reply import Alien, Arguments, Loss, Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game import oracle
from grader.core.game.board import (
    CELLS,
    EMPTY,
    Action,
    Board,
    O,
    X,
    from_lists,
    is_over,
    marks,
    side_to_move,
    winner,
)
from grader.core.game.oracle import right_answer
from grader.core.messages import _, later, ngettext, pgettext

Key = Hashable
Gives = Callable[[Arguments, Key], bool]
"""Whether a function gives an answer to a call."""

MISSING: Final = ("missing",)
LOST: Final = ("lost",)
TRUE: Final = ("bool", True)
FALSE: Final = ("bool", False)
KEY_OF_ACTION: Final[dict[Action, Key]] = {
    (i, j): ("tuple", (("number", i), ("number", j))) for i, j in CELLS
}


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
        if len(value) == 2 and type(value[0]) is type(value[1]) is int and value in KEY_OF_ACTION:
            return KEY_OF_ACTION[value]
        return "tuple", tuple(map(key_of_value, value))
    if type(value) in (set, frozenset):
        return type(value).__name__, frozenset(map(key_of_value, value))
    return "alien", value.what if isinstance(value, Alien) else repr(value)


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
    """One mistake in words: a title for a list, a sentence for the student, and a hint.

    They are made in the active language when they are shown: many parts are proposed, few are proved. Each
    may use the function's name, the parameters, and `words`, which are not in the grade.
    """

    id: str
    title: Text
    sentence: Text
    hint: Text = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)

    def text(self, sentence: Text, function: str) -> str:
        """Return the title, the sentence or the hint in the active language."""
        words = {"function": function, **self.parameters, **self.words}
        if callable(sentence):
            return sentence(**words)
        return _(sentence, **words) if sentence else ""


@dataclass(frozen=True)
class Variant:
    """A faulty function: what is wrong with it, one part or more, and whether an answer is its answer."""

    parts: tuple[Part, ...]
    gives: Gives


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
    def _hardest_first(self) -> list[tuple[Arguments, Key]]:
        right = compress(zip(self.calls, self.keys, strict=True), map(not_, self.wrong))
        return [*reversed(self.wrong_answers), *reversed(list(right))]

    def is_explained(self, gives: Gives) -> bool:
        """Return whether a function gives every answer that was seen.

        The wrong ones are compared first, on the fullest boards: a search answers these quickest.
        """
        return all(starmap(gives, self._hardest_first))


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
    return frozenset([None]) if moves is None else frozenset(map(KEY_OF_ACTION.__getitem__, moves))


def always(answer: Callable[[Board], Key]) -> Gives:
    """Return whether an answer is that of a function of the board alone."""
    return lambda call, key: key == answer(call[0])


SETS: Final[dict[str, Callable[[Board], bool]]] = {
    later("the empty board"): lambda board: marks(board) == 0,
    later("every board but the empty one"): lambda board: marks(board) > 0,
    later("full boards"): lambda board: EMPTY not in board,
    later("boards with a free cell"): lambda board: EMPTY in board,
    later("boards with one free cell"): lambda board: board.count(EMPTY) == 1,
    later("ties"): lambda board: EMPTY not in board and winner(board) is None,
    later("boards that X has won"): lambda board: winner(board) == X,
    later("boards that O has won"): lambda board: winner(board) == O,
    later("boards that somebody has won"): lambda board: winner(board) is not None,
    later("boards that nobody has won"): lambda board: winner(board) is None,
    later("finished games"): is_over,
    later("running games"): lambda board: not is_over(board),
    later("boards where it is X's turn"): lambda board: side_to_move(board) == X,
    later("boards where it is O's turn"): lambda board: side_to_move(board) == O,
    later("running games that have begun"): lambda board: not is_over(board) and marks(board) > 0,
    later("running games that the next move can end"): lambda board: any(
        map(is_over, oracle.following(board))
    ),
    later("running games where every move loses"): lambda board: (
        not is_over(board) and oracle.value(board) == (-1 if side_to_move(board) == X else 1)
    ),
    later("running games where it is X's turn"): lambda board: (
        not is_over(board) and side_to_move(board) == X
    ),
    later("running games where it is O's turn"): lambda board: (
        not is_over(board) and side_to_move(board) == O
    ),
    later("boards with one mark"): lambda board: marks(board) == 1,
    later("boards with at most one mark"): lambda board: marks(board) <= 1,
    later("boards whose centre is free"): lambda board: board[4] == EMPTY,
    later("boards whose centre is taken"): lambda board: board[4] != EMPTY,
}
"""Sets of boards with short descriptions."""

_HINTS: Final = {
    "NameError": later("Is the name spelt as where it is defined?"),
    "UnboundLocalError": later(
        "Give the variable a value on every path to that line. Is it named like a function?"
    ),
    "TypeError": later("Print the values just before that line: one of them has another type than expected."),
    "AttributeError": later("Print the value before the dot just before that line."),
    "IndexError": later("Print the list and the index just before that line."),
    "KeyError": later("Print the key just before that line."),
    "RecursionError": later("The function calls itself again and again: which case should end that?"),
}
"""What to try after an exception, by its class."""


@cache
def members(name: str) -> frozenset[Board]:
    """Return the reachable boards of a set."""
    return frozenset(filter(SETS[name], oracle.boards()))


def no_answer(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every call raises the same, is lost, or that there is no such function."""
    first, reply = seen.keys[0], seen.replies[0]
    if first == MISSING:
        sentence = later("The file defines no function `{function}`.")
        hint = later("Define it, with the given name.")
        yield _same(first, Part("missing", later("is not there"), sentence, hint))
    elif isinstance(reply, Lost):
        words = {"why": reply.detail}
        sentence = later("`{function}` gives no answer: {why}.")
        if not reply.asked:
            sentence = later("`{function}` gives no answer: so often that it was asked no more.")
        part = Part("ends-the-program", later("ends the program"), sentence, words=words)
        if reply.loss is Loss.DEADLINE:
            hint = later("Look for a loop or a recursion that has no end.")
            part = Part("never-answers", later("never answers"), sentence, hint, words=words)
        yield _same(first, part)
    elif isinstance(reply, Raised):
        yield _same(first, _raised_everywhere(seen, reply))
        if all(map(is_raised, seen.keys)):
            error, line = _exceptions(seen)[0][0]
            sentence = later("Every call of `{function}` raises an exception: {which}.")
            words = {"which": _most_common(seen), "where": _(seen.where)}
            parameters = {"error": error, "line": line}
            title = later("raises on {where}")
            part = Part("raises", title, sentence, _HINTS.get(error, ""), parameters, words)
            yield Variant((part,), lambda call, key: is_raised(key))


def _raised_everywhere(seen: SeenReplies, reply: Raised) -> Part:
    """Return the words for an exception that every call raises."""
    parameters: dict[str, Any] = {"error": reply.error, "line": reply.line}
    words = {"raised": str(reply), "where": _(seen.where)}
    lines = {reply.line for reply in seen.replies if isinstance(reply, Raised)}
    other = next((name for name, line in seen.raising.items() if lines == {line}), None)
    if other:
        words = {"error": str(reply), "other": other}
        title = later("raises where `{other}` does")
        sentence = later("Every call of `{function}` raises {error}, where `{other}` does: fix that first.")
        return Part(f"raises-in-{other}", title, sentence, "", parameters, words)
    if reply.error == "NotImplementedError":
        words = {"error": str(reply)}
        sentence = later("`{function}` is still to be written: it raises {error}.")
        return Part("not-written", later("is not written"), sentence, "", parameters, words)
    sentence = later("Every call of `{function}` raises {raised}.")
    if len(set(map(str, seen.replies))) > 1:
        sentence = later("Every call of `{function}` raises {error}; the first: {raised}.")
    title = later("raises {error} on {where}")
    return Part("raises", title, sentence, _HINTS.get(reply.error, ""), parameters, words)


def one_answer(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every call returns the same value."""
    first, where = seen.keys[0], {"where": _(seen.where)}
    if first is None:
        title = later("returns None on {where}")
        sentence = later("`{function}` returns None on {where}: nothing is returned.")
        hint = later("Is a `return` missing, or does a function inside return what this one should?")
        yield _same(first, Part("returns-nothing", title, sentence, hint, words=where))
    elif not is_raised(first):
        title = later("answers {answer} on {where}")
        sentence = later("`{function}` answers {answer} on {where}, whatever is on it.")
        parameters = {"answer": text_of(first)}
        yield _same(first, Part("always-the-same", title, sentence, "", parameters, where))


def one_answer_on_a_set(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the function is right, but for one answer or exception on one named set or two."""
    given = {key for _call, key in seen.wrong_answers}
    if len(given) != 1:
        return
    (key,) = given
    wrong = {call[0] for call, _key in seen.wrong_answers}
    others = {call[0] for call, other in zip(seen.calls, seen.keys, strict=True) if other != key}
    fitting = [name for name in SETS if members(name).isdisjoint(others)]
    for names in [*combinations(SETS, 1), *combinations(fitting, 2)]:
        boards = frozenset[Board]().union(*map(members, names))
        if wrong <= boards:
            yield Variant((_on_boards(seen, key, names),), _gives_on(seen, key, boards))


def raises_where_wrong(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every wrong answer is an exception."""
    if all(is_raised(key) for _call, key in seen.wrong_answers):
        sentence = later(
            "`{function}` raises an exception on {how_many}, and is right on the others: {which}."
        )
        part = _exception("raises-on-some", seen, len(seen.wrong_answers), sentence)
        yield Variant((part,), lambda call, key: is_raised(key) or seen.is_right(call, key))


def exception_first(seen: SeenReplies) -> Part | None:
    """Return the exception that has to be fixed first, if most of the wrong answers are exceptions.

    It does not explain the other wrong answers, and says so.
    """
    count = sum(is_raised(key) for _call, key in seen.wrong_answers)
    others = len(seen.wrong_answers) - count
    if count < others:
        return None

    def sentence(**words: Any) -> str:
        return ngettext(
            "`{function}` raises an exception on {how_many}: {which}. Fix this first; {count:,} other answer "
            "is wrong, too.",
            "`{function}` raises an exception on {how_many}: {which}. Fix this first; {count:,} other "
            "answers are wrong, too.",
            others,
            **words,
        )

    return _exception("raises-first", seen, count, sentence)


def _exception(name: str, seen: SeenReplies, count: int, sentence: Text) -> Part:
    """Return the words for exceptions on some boards."""
    exceptions = [exception for exception, _often in _exceptions(seen)]
    error, line = exceptions[0]
    lines = sorted({line for _error, line in exceptions})
    asked = len(seen.calls)
    how_many = pgettext("raises on ...", "{count:,} of {all:,} boards", count=count, all=asked)
    if seen.function == "result":
        how_many = pgettext("raises on ...", "{count:,} of {all:,} calls", count=count, all=asked)
    parameters = {"error": error, "line": line, "lines": lines, "raised": count, "asked": asked}
    words = {"which": _most_common(seen), "how_many": how_many}
    title = later("raises {error} on {how_many}")
    return Part(name, title, sentence, _HINTS.get(error, ""), parameters, words)


def _exceptions(seen: SeenReplies) -> list[tuple[tuple[str, int], int]]:
    """Return the classes and lines of all exceptions with how many there are, the most common first."""
    raised = (reply for reply in seen.replies if isinstance(reply, Raised))
    return Counter((reply.error, reply.line) for reply in raised).most_common()


def _most_common(seen: SeenReplies) -> str:
    """Return the most common exception, its line, and in how many other places others are raised."""
    (first, _often), *rest = _exceptions(seen)
    raised = (reply for reply in seen.replies if isinstance(reply, Raised))
    shown = next(reply for reply in raised if (reply.error, reply.line) == first)
    others = [_("{error} in line {line}", error=error, line=str(line)) for (error, line), _often in rest]
    if not others:
        return str(shown)
    if len(others) <= 3:
        return _("{raised}; also {others}", raised=shown, others=", ".join(others))
    return ngettext(
        "{raised}; also {others}, and {count} more",
        "{raised}; also {others}, and {count} more",
        len(others) - 2,
        raised=shown,
        others=", ".join(others[:2]),
    )


def _gives_on(seen: SeenReplies, answer: Key, boards: frozenset[Board]) -> Gives:
    return lambda call, key: key == answer if call[0] in boards else seen.is_right(call, key)


def _on_boards(seen: SeenReplies, key: Key, names: tuple[str, ...]) -> Part:
    """Return the words for one answer on a set of boards, or on two."""
    boards = _(names[0])
    if len(names) > 1:
        boards = _("{first} and on {second}", first=boards, second=_(names[1]))
    parameters = {"boards": " and on ".join(names), "answer": text_of(key)}
    words = {"boards": boards}
    if is_raised(key):
        words["error"] = str(next(compress(seen.replies, seen.wrong)))
        sentence = later("`{function}` raises {error} on {boards}, and only there.")
        return Part("raises-on", later("raises on {boards}"), sentence, "", parameters, words)
    if key is None:
        sentence = later("`{function}` returns None on {boards}, and only there.")
        hint = later("Which branch ends without a `return`?")
        return Part("nothing-on", later("returns None on {boards}"), sentence, hint, parameters, words)
    if key == LOST:
        sentence = later("`{function}` gives no answer on {boards}, and only there.")
        return Part("no-answer-on", later("gives no answer on {boards}"), sentence, "", parameters, words)
    sentence = later("`{function}` answers {answer} on {boards}; elsewhere it is right.")
    return Part("one-answer-on", later("answers {answer} on {boards}"), sentence, "", parameters, words)


def _same(answer: Key, part: Part) -> Variant:
    return Variant((part,), lambda call, key: key == answer)
