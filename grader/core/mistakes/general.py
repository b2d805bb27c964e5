"""Mistakes that any function may have: no answer, always the same, or the same on a set of boards."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, compress
from typing import Any, Final

from grader.core.asking.reply import Arguments, Loss, Lost, Raised
from grader.core.game import oracle
from grader.core.game.board import EMPTY, Board, O, X, is_over, marks, side_to_move, winner
from grader.core.mistakes.family import LOST, MISSING, Key, Part, SeenReplies, Variant, is_raised, text_of

SETS: Final[dict[str, Callable[[Board], bool]]] = {
    "the empty board": lambda board: marks(board) == 0,
    "every board but the empty one": lambda board: marks(board) > 0,
    "full boards": lambda board: EMPTY not in board,
    "boards with a free cell": lambda board: EMPTY in board,
    "boards with one free cell": lambda board: board.count(EMPTY) == 1,
    "ties": lambda board: EMPTY not in board and winner(board) is None,
    "boards that X has won": lambda board: winner(board) == X,
    "boards that O has won": lambda board: winner(board) == O,
    "boards that somebody has won": lambda board: winner(board) is not None,
    "boards that nobody has won": lambda board: winner(board) is None,
    "finished games": is_over,
    "running games": lambda board: not is_over(board),
    "boards where it is X's turn": lambda board: side_to_move(board) == X,
    "boards where it is O's turn": lambda board: side_to_move(board) == O,
    "running games that have begun": lambda board: not is_over(board) and marks(board) > 0,
    "running games that the next move can end": lambda board: any(map(is_over, oracle.following(board))),
    "running games where every move loses": lambda board: is_lost(board, X) or is_lost(board, O),
    "running games where it is X's turn": lambda board: not is_over(board) and side_to_move(board) == X,
    "running games where it is O's turn": lambda board: not is_over(board) and side_to_move(board) == O,
    "boards with one mark": lambda board: marks(board) == 1,
    "boards with at most one mark": lambda board: marks(board) <= 1,
    "boards whose centre is free": lambda board: board[4] == EMPTY,
    "boards whose centre is taken": lambda board: board[4] != EMPTY,
}
"""Sets of boards that can be told in a few words."""

_HINTS: Final = {
    "NameError": "Is the name spelt as where it is defined?",
    "UnboundLocalError": "Give the variable a value on every path to that line. Is it named like a function?",
    "TypeError": "Print the values just before that line: one of them has another type than expected.",
    "AttributeError": "Print the value before the dot just before that line.",
    "IndexError": "Print the list and the index just before that line.",
    "KeyError": "Print the key just before that line.",
    "RecursionError": "The function calls itself again and again: which case should end that?",
}
"""What to try after an exception, by its class."""


def is_lost(board: Board, side: str) -> bool:
    """Return whether it is a side's turn and every move of it loses."""
    return (
        not is_over(board) and side_to_move(board) == side and oracle.value(board) == (-1 if side == X else 1)
    )


@cache
def members(name: str) -> frozenset[Board]:
    """Return the reachable boards of a set."""
    return frozenset(filter(SETS[name], oracle.boards()))


def no_answer(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every call raises the same, is lost, or that there is no such function."""
    first, function = seen.keys[0], seen.function
    reply = seen.replies[0]
    if first == MISSING:
        sentence = f"The file defines no function `{function}`."
        yield _same(first, Part("missing", "is not there", sentence, "Define it, with the given name."))
    if first == LOST and isinstance(reply, Lost):
        why = reply.detail if reply.asked else "so often that it was asked no more"
        sentence = f"`{function}` gives no answer: {why}."
        if reply.loss is Loss.DEADLINE:
            hint = "Look for a loop or a recursion that has no end."
            yield _same(first, Part("never-answers", "never answers", sentence, hint))
        else:
            yield _same(first, Part("ends-the-program", "ends the program", sentence))
    if isinstance(reply, Raised):
        parameters: dict[str, Any] = {"error": reply.error, "line": reply.line}
        raised = {str(one) for one in seen.replies}
        lines = {one.line for one in seen.replies if isinstance(one, Raised)}
        other = next((name for name, line in seen.raising.items() if lines == {line}), None)
        if other:
            sentence = f"Every call of `{function}` raises {reply}, where `{other}` does: mend that first."
            title = f"raises where `{other}` does"
            yield _same(first, Part(f"raises-in-{other}", title, sentence, parameters=parameters))
        elif reply.error == "NotImplementedError":
            sentence = f"`{function}` is still to be written: it raises {reply}."
            yield _same(first, Part("not-written", "is not written", sentence, parameters=parameters))
        else:
            first_one = f"{reply.error}; the first: {reply}" if len(raised) > 1 else str(reply)
            sentence = f"Every call of `{function}` raises {first_one}."
            title = f"raises {reply.error} on {seen.where}"
            hint = _HINTS.get(reply.error, "")
            yield _same(first, Part("raises", title, sentence, hint, parameters))
        if all(map(is_raised, seen.keys)):
            (error, line), _ = _exceptions(seen)[0]
            sentence = f"Every call of `{function}` raises an exception: {_most_common(seen)}."
            parameters = {"error": error, "line": line}
            part = Part("raises", f"raises on {seen.where}", sentence, _HINTS.get(error, ""), parameters)
            yield Variant((part,), lambda call, key: is_raised(key))


def one_answer(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every call returns the same value."""
    first, function = seen.keys[0], seen.function
    if first is None:
        sentence = f"`{function}` returns None on {seen.where}: nothing is returned."
        hint = "Is a `return` missing, or does a function inside return what this one should?"
        yield _same(first, Part("returns-nothing", f"returns None on {seen.where}", sentence, hint))
    elif not is_raised(first):
        title = f"answers {text_of(first)} on {seen.where}"
        sentence = f"`{function}` answers {text_of(first)} on {seen.where}, whatever is on it."
        yield _same(first, Part("always-the-same", title, sentence, parameters={"answer": text_of(first)}))


def one_answer_on_a_set(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the function is right, but for one answer or exception on one named set or two."""
    wrong = {call[0] for call, _ in seen.wrong_answers}
    asked = {call[0] for call in seen.calls}
    given = {key for _, key in seen.wrong_answers}
    if len(given) != 1:
        return
    (key,) = given
    for name in SETS:
        boards = members(name) & asked
        if wrong <= boards:
            yield Variant((_on(seen, key, name),), _gives_on(seen, key, boards))
    others = {call[0] for call, said in zip(seen.calls, seen.keys, strict=True) if said != key}
    sets = {name: members(name) & asked for name in SETS if members(name).isdisjoint(others)}
    for (first, some), (second, more) in combinations(sets.items(), 2):
        if wrong <= some | more:
            yield Variant((_on(seen, key, f"{first} and on {second}"),), _gives_on(seen, key, some | more))


def raises_where_wrong(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every wrong answer is an exception."""
    count = sum(is_raised(key) for _, key in seen.wrong_answers)
    if count == len(seen.wrong_answers):
        sentence = (
            f"`{seen.function}` raises an exception on {_how_many(seen, count)}, and is right on the others: "
            f"{_most_common(seen)}."
        )
        part = _exception("raises-on-some", seen, count, sentence)
        yield Variant((part,), lambda call, key: is_raised(key) or seen.is_right(call, key))


def exception_first(seen: SeenReplies) -> Part | None:
    """Return the exception that has to be fixed first, if most of the wrong answers are exceptions.

    It does not explain the other wrong answers, and says so.
    """
    count = sum(is_raised(key) for _, key in seen.wrong_answers)
    others = len(seen.wrong_answers) - count
    if 2 * count < len(seen.wrong_answers):
        return None
    sentence = (
        f"`{seen.function}` raises an exception on {_how_many(seen, count)}: {_most_common(seen)}. "
        f"Fix this first; {others:,} other {'answers are' if others > 1 else 'answer is'} wrong, too."
    )
    return _exception("raises-first", seen, count, sentence)


def _exception(name: str, seen: SeenReplies, count: int, sentence: str) -> Part:
    """Return the words for exceptions on some boards."""
    (error, line), _ = _exceptions(seen)[0]
    lines = sorted({line for (_, line), _ in _exceptions(seen)})
    parameters = {"error": error, "line": line, "lines": lines, "raised": count, "asked": len(seen.calls)}
    title = f"raises {error} on {_how_many(seen, count)}"
    return Part(name, title, sentence, _HINTS.get(error, ""), parameters)


def _how_many(seen: SeenReplies, count: int) -> str:
    """Return how many of all calls raise, in words."""
    return f"{count:,} of {len(seen.calls):,} {'calls' if seen.function == 'result' else 'boards'}"


def _exceptions(seen: SeenReplies) -> list[tuple[tuple[str, int], int]]:
    """Return the classes and lines of all exceptions with how many there are, the most common first."""
    raised = (reply for reply in seen.replies if isinstance(reply, Raised))
    return Counter((reply.error, reply.line) for reply in raised).most_common()


def _most_common(seen: SeenReplies) -> str:
    """Return the most common exception, its line, and in how many other places others are raised."""
    (error, line), _ = _exceptions(seen)[0]
    raised = (reply for reply in seen.replies if isinstance(reply, Raised))
    shown = next(reply for reply in raised if (reply.error, reply.line) == (error, line))
    others = [f"{error} in line {line}" for (error, line), _ in _exceptions(seen)[1:]]
    more = f", and {len(others) - 2} more" if len(others) > 3 else ""
    return f"{shown}" + (f"; also {', '.join(others[: 2 if more else 3])}{more}" if others else "")


def _gives_on(seen: SeenReplies, answer: Key, boards: frozenset[Board]) -> Callable[[Arguments, Key], bool]:
    return lambda call, key: key == answer if call[0] in boards else seen.is_right(call, key)


def _on(seen: SeenReplies, key: Key, name: str) -> Part:
    """Return the words for one answer on a set of boards."""
    function, parameters = seen.function, {"boards": name, "answer": text_of(key)}
    if is_raised(key):
        reply = next(compress(seen.replies, seen.wrong))
        sentence = f"`{function}` raises {reply} on {name}, and only there."
        return Part("raises-on", f"raises on {name}", sentence, parameters=parameters)
    if key is None:
        sentence = f"`{function}` returns None on {name}, and only there."
        hint = "Which branch ends without a `return`?"
        return Part("nothing-on", f"returns None on {name}", sentence, hint, parameters)
    if key == LOST:
        sentence = f"`{function}` gives no answer on {name}, and only there."
        return Part("no-answer-on", f"gives no answer on {name}", sentence, parameters=parameters)
    sentence = f"`{function}` answers {text_of(key)} on {name}; elsewhere it is right."
    return Part("one-answer-on", f"answers {text_of(key)} on {name}", sentence, parameters=parameters)


def _same(answer: Key, part: Part) -> Variant:
    return Variant((part,), lambda call, key: key == answer)
