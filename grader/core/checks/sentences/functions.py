"""What is said of the answers of functions, of their source and of the hand-in."""

from collections.abc import Callable
from typing import Any, Final

from grader.core.checks.sentences.minimax import by_others


def _no_win(**said: Any) -> str:
    lost = f"lets {said['other']} win"
    if said["won"]:
        lost = "gives away a certain win" + (f" and {lost}" if said["loses"] else "")
    kept = "wins" if said["won"] else "holds the tie"
    return f"{said['side']}'s move {said['action']} {lost}; {said['better']} {kept}."


def _wrong_cells(missing: str, extra: str) -> str:
    if not missing:
        return f"The cell {extra} is taken, so it is no action."
    return f"The empty cell {missing} is missing" + (f", and {extra} is taken." if extra else ".")


def _returned_none(function: str, turn: object) -> str:
    return f"`{function}` returned None. Is a `return` missing? {turn}".rstrip()


def _right_on(asked: int, total: int) -> str:
    if asked == total:
        return f"right on all {total:,}"
    return f"right on the {asked:,} of {total:,} that were asked"


def _findings(count: int, kinds: int, per: str) -> str:
    if per == "kind" and kinds < count:
        return f"{count} places, {f'{kinds} problems: each' if kinds > 1 else 'same problem:'} counted once."
    return "1 place to improve." if count == 1 else f"{count} places to improve."


SENTENCES: Final[dict[str, str | Callable[..., str]]] = {
    # nothing came of a call
    "still-to-be-written": "`{function}` is still to be written: it raises {error}.",
    "reads-the-keyboard": "`{function}` reads from the keyboard, but nobody is there: {error}.",
    "raised": "`{function}` raised {error}.",
    "missing": "The file defines no function `{function}`.",
    "no-answer": "`{function}` gave no answer: {detail}.",
    "nothing": "no answer",
    "does-not-run": "{why}",
    "not-gradable": "{why}",
    "not-asked": "Not judged: {why}.",
    # the answers of functions
    "alien": "`{function}` must return plain data; this is {what}.",
    "none": _returned_none,
    "turn": "X has {x} marks and O has {o}, so it is {side}'s turn.",
    "not-a-set": "`actions` must return a set of tuples, not a {type}.",
    "no-action-in-set": "An action is a tuple (i, j) with i and j from 0 to 2; {item} is not.",
    "wrong-cells": _wrong_cells,
    "no-whole-numbers": "An action holds two whole numbers.",
    "not-a-board": "`result` must return a board: a list of three lists of three cells.",
    "wrong-mark": "The cells of a board hold X, O or EMPTY (None); this one holds {mark}.",
    "old-board": "The new board is the old one: {side}'s mark at {action} is missing.",
    "wrong-cell": "The cell {action} should hold {side}, whose turn it is.",
    "other-cells": "Only the cell {action} should change.",
    "winning-line": "{champion} has three in a row: {line}.",
    "none-not-false": "Nobody has three in a row: return None then, not {value}.",
    "no-winner": "Nobody has three in a row, so there is no winner.",
    "not-a-bool": "`terminal` must return True or False, not a {type}.",
    "over-by-line": "The game is over: {champion} holds {line}.",
    "over-by-full-board": "The game is over: the board is full.",
    "goes-on": "The game goes on: nobody has won and cells are free.",
    "utility-of-x": "X has won, so the utility is 1.",
    "utility-of-o": "O has won, so the utility is -1.",
    "utility-of-tie": "It is a tie, so the utility is 0.",
    "move-at-end": "The game is over, so there is no move: return None.",
    "value-and-action": "`minimax` must return the action alone, not a value and an action.",
    "action-not-a-tuple": "`minimax` must return an action as a tuple (i, j), not a {type}.",
    "no-action": "An action is a tuple (i, j) with i and j from 0 to 2.",
    "cell-taken": "The cell {action} is taken.",
    "not-the-best": _no_win,
    "changes-the-board": "`{function}` changed the board it was given. Work on a copy, all three rows of it.",
    "nothing-on-every-board": "`{function}` returns None on every board, so it shows nothing.",
    "shows-no-move": "`minimax` has no legal move on any board that was asked, so it shows nothing.",
    "refuses-valid": "`result` raises for valid actions too, so its refusals show nothing.",
    "takes-taken-cell": "The cell {action} is taken by {mark}: `result` must raise an exception.",
    "takes-negative": "{action} is off the board: a negative index counts from the end, so test for it "
    "and raise.",
    "takes-off-the-board": "{action} is off the board: `result` must raise an exception.",
    "takes-no-pair": "{action} is not a pair of row and column: `result` must raise an exception.",
    "no-threads": "Not judged: `{function}` needs threads that run side by side, and the grader allows no "
    "threads. A person has to look at it.",
    "right": "right",
    "right-on": _right_on,
    "wrong-by-others": lambda **said: (
        f"Wrong in {said['wrong']:,} of {said['asked']:,} calls, each {by_others(said['others'])}."
    ),
    "wrong-the-second-time": "Right at first, and wrong in {wrong:,} of {asked:,} calls that were made later "
    "in the same process: something is kept from one call to the next. The first: {first}",
    "wrong-in-some": "Wrong in {wrong:,} of {asked:,} calls; the first: {first}",
    # the source
    "is-python": "the file is Python",
    "not-python": "{why}",
    "is-a-variable": "`{function}` is a variable ({place}); it must be a function.",
    "is-a-stub": "`{function}` is still to be written ({place}).",
    "declared-otherwise": "The declaration must stay as it was given ({place}).",
    "declared": "declared as given",
    "callable": "`{function}` can be called as it has to be",
    "not-readable": "Not judged: {what} ({place}) runs code that does not stand in the file, so a person has "
    "to judge how it is written.",
    "imports-allowed": "only allowed modules are imported",
    "imports-forbidden": "{sentence}",
    "style-later": "Not judged here: style is looked at when the file is handed in.",
    "style-not-python": "Not judged: the source is empty, or is not Python.",
    "nothing-to-improve": "nothing to improve",
    "to-improve": _findings,
    # the hand-in
    "without-folder": "Not checked: the file came without its folder.",
    "hand-in": lambda faults: f"The hand-in: {'; '.join(faults)}.",
    "all-files": lambda files: f"all of {', '.join(files)}",
    "too-large-to-compare": lambda most, files: (
        f"Not compared, for at most files of {most:g} MB together are: {', '.join(files)}."
    ),
    "no-readme": "There is no {file}.",
    "readme-without": lambda parts: (
        f"Not found in the README by the grader, a person may look: {', '.join(parts)}."
    ),
    "readme-has-all": "all parts were found",
}
