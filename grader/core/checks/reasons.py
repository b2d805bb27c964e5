"""Why a case has its verdict: a code with parameters, and the sentence that is made of them."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

_LOOK: Final = "look for a comparison that ends a loop over the actions early"


def listed(names: Sequence[str]) -> str:
    """Return functions as they are written in a sentence."""
    return " and ".join(f"`{name}`" for name in names)


def by_others(names: Sequence[str]) -> str:
    """Return that others are to blame."""
    return f"by what {listed(names)} {'gets' if len(names) == 1 else 'get'} wrong"


def _asked(asked: int, total: int, kind: str, stopped: str) -> str:
    """Return so many boards of a kind, and how many were left out."""
    if asked == total:
        return f"{asked:,} {kind} boards"
    left_out = "1 was" if total - asked == 1 else f"{total - asked:,} were"
    return f"{asked:,} {kind} boards that were asked; {left_out} not{_why(stopped)}"


def _right_everywhere(**said: Any) -> str:
    what = {"optimal": "an optimal move", "legal": "a legal move, as a tuple,", "end": "None"}[said["must"]]
    boards = _asked(said["asked"], said["total"], said["kind"], said["stopped"])
    return f"{what} on all {boards} ({said['how']})"


def _not_optimal(**said: Any) -> str:
    return (
        f"Not optimal on {said['wrong']:,} of {_of(said)} boards ({said['lose']:,} lose, "
        f"{said['waste']:,} waste a win, {said['taken']:,} take a taken cell, {said['no_move']:,} are no "
        f"move). The worst: {said['first']} ({said['how']})"
    )


def _of(said: dict[str, Any]) -> str:
    """Return the boards that were asked, of how many if not of all."""
    left_out = said["total"] - said["asked"]
    return f"{said['asked']:,}" + (f" ({left_out:,} more were not asked)" if left_out else "")


def _games(**said: Any) -> str:
    played = f"{said['won']:,} won, {said['drawn']:,} drawn, {said['lost']:,} lost"
    return f"As {said['side']} against every opponent: {said['games']:,} games, {played}."


def _never_lost(**said: Any) -> str:
    if said["seen"] == 1:
        return _games(**said)
    unseen = f"{said['unseen']:,} more lead to boards that were not asked{_why(said['stopped'])}"
    return f"{_games(**said)} {unseen}."


def _lost_game(**said: Any) -> str:
    how = "beats it" if said["over"] else "leaves it without a legal move"
    moves = ", ".join(said["moves"]) or "none"
    return f"{_games(**said)} The shortest game that {how}, as {said['opponent']}: {moves}."


def _circle(names: Sequence[str]) -> str:
    """Return that functions call each other without end."""
    if len(names) == 2:
        first, second = names
        return f"`{first}` calls `{second}`, and `{second}` calls `{first}`: neither can answer."
    return f"{listed(names)} call each other in a circle: none of them can answer."


def _follows(**said: Any) -> str:
    does = "plays perfectly" if said["function"] == "minimax" else "is right"
    if said["still"]:
        does = f"is right in its {_aspects(said['restored'])}"
        does += f", and still wrong in its {_aspects(said['still'])}"
    return f"With a correct {listed(said['follows'])} this `{said['function']}` {does}."


def _aspects(names: Sequence[str]) -> str:
    words = {"end": "answers when the game is over", "board": "care for the board it is given"}
    return " and ".join(words.get(name, name) for name in names)


def _why(stopped: str) -> str:
    return f" ({stopped})" if stopped else ""


_PROBED: Final = {
    "prunes": "Alpha-beta pruning: every cut-off is taken, deep ones too.",
    "prunes-below-the-root": "Alpha-beta pruning (each move at the root gets a full window): every cut-off "
    "is taken, deep ones too.",
    "prunes-by-winner": "Alpha-beta pruning, by scores that keep only who has won: every cut-off is taken.",
    "prunes-swapped": "Alpha-beta pruning, with the sides swapped: it takes X for the side that minimises.",
    "prunes-swapped-shallow": "Shallow pruning, with the sides swapped: it takes X for the side that "
    "minimises.",
    "prunes-shallow": "Shallow pruning: it cuts off against the board one move up, not against those "
    "further up.",
    "prunes-at-the-root-only": "No alpha-beta: it cuts off right below the root only, and nowhere deeper.",
    "prunes-elsewhere": "No alpha-beta: it stops early on some boards, but not where alpha-beta does.",
    "prunes-nothing": "No pruning: the search never leaves a move out.",
    "prunes-too-much": "Your pruning cuts too much: on this board it stops although nothing found so far "
    "allows that. (Unless it counts on symmetry, searches twice with a narrow window, or takes -1, 0 and 1 "
    "for all there is; a person has to decide.)",
    "prunes-and-errs": "It leaves moves out, but its moves are not the best under the probe's values: "
    f"{_LOOK}.",
    "prunes-some": "It takes {taken} of its cut-offs and misses {missed}, not by a rule that the probe "
    f"knows: {_LOOK}.",
}
"""What is said of searches that were followed to their end; the figures come behind it."""


def _probed(sentence: str) -> Callable[..., str]:
    """Return the sentence on a search, with the figures behind it."""

    def told(**said: Any) -> str:
        return (
            f"{sentence.format(**said)} On {said['boards']} boards it evaluated {said['evaluated']} of "
            f"{said['finished']} finished boards (textbook alpha-beta in its order of moves: "
            f"{said['textbook_evaluated']}) and called `result` {said['made']:,} times (textbook: "
            f"{said['textbook_made']:,}; without pruning: {said['plain']:,})."
        )

    return told


_OF_MINIMAX: Final[dict[str, str | Callable[..., str]]] = {
    # minimax on every board
    "right-everywhere": _right_everywhere,
    "nothing-asked": "Not judged: none of its boards was asked of the file itself ({how}).",
    "silent": "`minimax` gives no answer on any of the {asked:,} boards that were asked, from the first move "
    "to the last. The first: {first}",
    "not-optimal": _not_optimal,
    "not-legal": lambda **said: (
        f"No legal move as a tuple on {said['wrong']:,} of {_of(said)} boards; the first: "
        f"{said['first']} ({said['how']})"
    ),
    "not-none": lambda **said: (
        f"Not None on {said['wrong']:,} of {_of(said)} finished boards; the first: "
        f"{said['first']} ({said['how']})"
    ),
    "never-lost": _never_lost,
    "never-moves": "As {side} it loses every game: it has no legal move on any of the {asked:,} boards that "
    "were asked.",
    "lost-game": _lost_game,
    "lost-by-others": lambda **said: f"{_games(**said)} They are lost {by_others(said['others'])}.",
    "no-game-seen": "Not judged: no game could be followed to its end, for boards were not asked ({how}).",
    "not-confirmed": "Not judged: the losing move could not be asked again in time.",
    # who is to blame
    "file-does-not-run": "The file does not run.",
    "stands-alone": "`{function}` stands on its own",
    "follows": _follows,
    "circle": _circle,
    "own-fault": "The fault is in `{function}` itself.",
    "own-fault-too": lambda **said: (
        f"Even with a correct {listed(said['suspects'])} this `{said['function']}` is not right."
    ),
    # how it searches
    "probe-unanswered": "With other values than -1, 0 and 1 for finished games: {nothing}",
    "probe-too-long": f"The search takes too many steps to follow them: {_LOOK}.",
    "probe-strange-boards": f"The search looks into boards that no game leads to: {_LOOK}.",
    "probe-without-utility": "`minimax` never calls `utility`, so a probe cannot tell what it prunes: "
    f"{_LOOK}.",
    "probed-with-right-ones": lambda **said: f"With a correct {listed(said['follows'])}: {said['found']}",
    "no-working-search": "Pruning can't be checked until `minimax` searches correctly.",
    "prunes-nothing-at-all": "No pruning: the search looks into every board there is.",
    **{code: _probed(sentence) for code, sentence in _PROBED.items()},
}


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


_OF_FUNCTIONS: Final[dict[str, str | Callable[..., str]]] = {
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


def _after(typed: str) -> str:
    return f"After {typed} was typed" if typed else "At the start"


def _misdrawn(typed: str, new: int) -> str:
    if new > 2:
        return f"{_after(typed)} its board shows {new} new marks, not one of each side."
    return f"{_after(typed)} its board is not what can follow: a mark has changed, or its turn was lost."


def _in_each_choice(choice: str, found: object, other: str, also: object) -> str:
    return f"With {choice}: {str(found).rstrip('.')}. With {other}: {str(also).rstrip('.')}."


_OF_PROGRAMS: Final[dict[str, str | Callable[..., str]]] = {
    # a program
    "no-game-ended": "Not judged: no game came to its end in time.",
    "game-stopped": lambda typed, how: f"{_after(typed)}: {how}.",
    "game-left": lambda typed: f"{_after(typed)} it ends in the middle of a game.",
    "game-misdrawn": _misdrawn,
    "games-took-too-long": "Nothing more was asked: its games had taken {seconds} seconds together.",
    "games-played": "{games} from the first move to the last; {typed}",
    "no-reply-read": "Not judged: no reply could be read.",
    "replies-optimal": "an optimal reply on {on}",
    "replies-not-optimal": "Not optimal on {wrong} of {asked} positions in which a reply can be wrong "
    "({on}). The first: it takes square {square}, which {worth}.",
    "replies-missing": "Not optimal on {wrong} of {asked} positions in which a reply can be wrong ({on}): to "
    "{without} of them it gave no reply at all. The first is shown.",
    "beaten": lambda moves: f"It can be beaten: {', '.join(moves)}.",
    "unbeaten": "lost none of {games} ({on})",
    "ends-too-early": "It ends in the middle of a game, with squares free and nobody with three in a row.",
    "goes-on-at-end": "When the game is over it asks for another move.",
    "crashes-at-end": "When the game is over it crashes.",
    "ends-well": lambda games, ends: f"after each of {games} {' or '.join(ends)}",
    "announces-wrongly": "{ended}; it announces {told}.",
    "announces-rightly": lambda games, results: f"the right result after {games} ({', '.join(results)})",
    "input-not-tried": "Not judged: no game came so far that {what} could be typed.",
    "input-refused": "{what}: {how}",
    "input-not-refused": lambda what, typed, how: f"Given {what}{f' ({typed})' if typed else ''}, {how}.",
    "plays-x": "it plays X",
    "plays-not-x": lambda signs: f"It plays {' and '.join(signs) or 'no mark that could be read'}, not X.",
    "starts": "it makes the first move",
    "starts-by-chance": "Chance decides who makes the first move.",
    "user-starts": "The user makes the first move.",
    "takes-1-to-9": "squares are typed as 1 to 9, row by row",
    "takes-other-squares": "Squares are typed in another way: {typed}.",
    "no-choice": "It does not ask the user for X or O, or who starts.",
    "other-choice-not-tried": "Not judged: no time was left for the other choice.",
    "other-choice-without-game": "Not judged: it asks the user to choose, and the grader found no game with "
    "the other choice.",
    "choice-without-effect": "It asks the user to choose, but both choices lead to the same side ({answer}).",
    "in-each-choice": _in_each_choice,
    "choice-works": "both choices lead to right games; with the other one ({answer}): {on}",
}


SENTENCES: Final = _OF_FUNCTIONS | _OF_MINIMAX | _OF_PROGRAMS
"""The sentence of each code, with its parameters in braces; a function where a part may be missing."""


class Reason(NamedTuple):
    """A code and its parameters: plain data, or a reason within this one. As text it is the sentence."""

    code: str
    parameters: dict[str, Any]

    def __str__(self) -> str:
        sentence, said = SENTENCES[self.code], self.parameters
        return sentence.format(**said) if isinstance(sentence, str) else sentence(**said)

    def data(self) -> dict[str, Any]:
        """Return the parameters as plain data."""
        return {name: _plain(value) for name, value in self.parameters.items()}


def because(code: str, /, **parameters: Any) -> Reason:
    """Return a reason; its parameters are those that the sentence of its code has."""
    return Reason(code, parameters)


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"code": value.code, "parameters": value.data()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
