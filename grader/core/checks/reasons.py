"""Why a case has its verdict: a code with parameters, and the sentence that is made of them."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from grader.core.asking.reply import ALIENS, HIDING
from grader.core.course.reading import PARTS
from grader.core.messages import _, alternatives, later, listing, ngettext, pgettext, reworded


def listed(names: Sequence[str]) -> str:
    """Return functions as they are written in a sentence."""
    return listing([f"`{name}`" for name in names])


_RIGHT_EVERYWHERE: Final = {
    "optimal": later("an optimal move on all {asked:,} running boards ({how})"),
    "legal": later("a legal move, as a tuple, on all {asked:,} running boards ({how})"),
    "end": later("None on all {asked:,} finished boards ({how})"),
}


def _right_everywhere(**said: Any) -> str:
    must, left_out, why = said["must"], said["total"] - said["asked"], _why(said["stopped"])
    if not left_out:
        return _(_RIGHT_EVERYWHERE[must], **said)
    if must == "optimal":
        return ngettext(
            "an optimal move on all {asked:,} running boards that were asked; {count:,} was not{why} ({how})",
            "an optimal move on all {asked:,} running boards that were asked; {count:,} were not{why} "
            "({how})",
            left_out, why=why, **said,
        )  # fmt: skip
    if must == "legal":
        return ngettext(
            "a legal move, as a tuple, on all {asked:,} running boards that were asked; {count:,} was "
            "not{why} ({how})",
            "a legal move, as a tuple, on all {asked:,} running boards that were asked; {count:,} were "
            "not{why} ({how})",
            left_out, why=why, **said,
        )  # fmt: skip
    return ngettext(
        "None on all {asked:,} finished boards that were asked; {count:,} was not{why} ({how})",
        "None on all {asked:,} finished boards that were asked; {count:,} were not{why} ({how})",
        left_out, why=why, **said,
    )  # fmt: skip


def _of_asked(whole: str, partly: str) -> Callable[..., str]:
    """Return what makes a sentence of boards: another one where some of them were not asked."""

    def sentence(**words: Any) -> str:
        left_out = words["total"] - words["asked"]
        return _(partly if left_out else whole, left_out=left_out, **words)

    return sentence


def _with_or_without(name: str, with_it: str, without: str) -> Callable[..., str]:
    """Return what makes a sentence by whether one of its parameters is empty."""
    return lambda **words: _(with_it if words[name] else without, **words)


def _games(**said: Any) -> str:
    return ngettext(
        "As {side} against every opponent: {count:,} games, {won:,} won, {drawn:,} drawn, {lost:,} lost.",
        "As {side} against every opponent: {count:,} games, {won:,} won, {drawn:,} drawn, {lost:,} lost.",
        said["games"],
        **said,
    )


def _never_lost(**said: Any) -> str:
    if said["seen"] == 1:
        return _games(**said)
    unseen = ngettext(
        "{count:,} more lead to boards that were not asked{why}.",
        "{count:,} more lead to boards that were not asked{why}.",
        said["unseen"],
        why=_why(said["stopped"]),
    )
    return f"{_games(**said)} {unseen}"


def _lost_game(**said: Any) -> str:
    sentence = later("The shortest game that leaves it without a legal move, as {opponent}: {moves}.")
    if said["over"]:
        sentence = later("The shortest game that beats it, as {opponent}: {moves}.")
    moves = ", ".join(said["moves"]) or pgettext("moves of a game", "none")
    return f"{_games(**said)} {_(sentence, opponent=said['opponent'], moves=moves)}"


def _lost_by_others(**said: Any) -> str:
    others = said["others"]
    blame = ngettext(
        "They are lost by what {names} gets wrong.",
        "They are lost by what {names} get wrong.",
        len(others),
        names=listed(others),
    )
    return f"{_games(**said)} {blame}"


def _wrong_by_others(**said: Any) -> str:
    return ngettext(
        "Wrong in {wrong:,} of {asked:,} calls, each by what {names} gets wrong.",
        "Wrong in {wrong:,} of {asked:,} calls, each by what {names} get wrong.",
        len(said["others"]),
        names=listed(said["others"]),
        **said,
    )


def _circle(names: Sequence[str]) -> str:
    """Return that functions call each other without end."""
    if len(names) == 2:
        sentence = later("`{first}` calls `{second}`, and `{second}` calls `{first}`: neither can answer.")
        return _(sentence, first=names[0], second=names[1])
    return _("{names} call each other in a circle: none of them can answer.", names=listed(names))


def _follows(**said: Any) -> str:
    words = {"names": listed(said["follows"]), "function": said["function"]}
    if said["still"]:
        return _(
            "With a correct {names} this `{function}` is right in its {restored}, and still wrong in its "
            "{still}.",
            **words,
            restored=_aspects(said["restored"]),
            still=_aspects(said["still"]),
        )
    if said["function"] == "minimax":
        return _("With a correct {names} this `{function}` plays perfectly.", **words)
    return _("With a correct {names} this `{function}` is right.", **words)


def _aspects(names: Sequence[str]) -> str:
    words = {
        # For translators: each stands in "right in its ..., and still wrong in its ..."
        "answers": pgettext("what of a function is right or wrong", "answers"),
        "refusals": pgettext("what of a function is right or wrong", "refusals"),
        "end": pgettext("what of a function is right or wrong", "answers when the game is over"),
        "board": pgettext("what of a function is right or wrong", "care for the board it is given"),
    }
    return listing([words.get(name, name) for name in names])


def _why(stopped: str) -> str:
    return f" ({stopped})" if stopped else ""


_PROBED: Final = {
    "prunes": later("Alpha-beta pruning: every cut-off is taken, deep ones too."),
    "prunes-below-the-root": later(
        "Alpha-beta pruning (each move at the root gets a full window): every cut-off "
        "is taken, deep ones too."
    ),
    "prunes-by-winner": later(
        "Alpha-beta pruning, by scores that keep only who has won: every cut-off is taken."
    ),
    "prunes-swapped": later(
        "Alpha-beta pruning, with the sides swapped: it takes X for the side that minimises."
    ),
    "prunes-swapped-shallow": later(
        "Shallow pruning, with the sides swapped: it takes X for the side that minimises."
    ),
    "prunes-shallow": later(
        "Shallow pruning: it cuts off against the board one move up, not against those further up."
    ),
    "prunes-at-the-root-only": later(
        "No alpha-beta: it cuts off right below the root only, and nowhere deeper."
    ),
    "prunes-elsewhere": later("No alpha-beta: it stops early on some boards, but not where alpha-beta does."),
    "prunes-nothing": later("No pruning: the search never leaves a move out."),
    "prunes-too-much": later(
        "Your pruning cuts too much: on this board it stops although nothing found so far "
        "allows that. (Unless it counts on symmetry, searches twice with a narrow window, or takes -1, 0 "
        "and 1 for all there is; a person has to decide.)"
    ),
    "prunes-and-errs": later(
        "It leaves moves out, but its moves are not the best under the probe's values: look "
        "for a comparison that ends a loop over the actions early."
    ),
    "prunes-some": later(
        "It takes {taken} of its cut-offs and misses {missed}, not by a rule that the probe "
        "knows: look for a comparison that ends a loop over the actions early."
    ),
}
"""What is said of searches that were followed to their end; the figures come behind it."""


def _probed(sentence: str) -> Callable[..., str]:
    """Return the sentence on a search, with the figures behind it."""

    def with_figures(**said: Any) -> str:
        figures = _(
            "On {boards} boards it evaluated {evaluated} of {finished} finished boards (textbook alpha-beta "
            "in its order of moves: {textbook_evaluated}) and called `result` {made:,} times (textbook: "
            "{textbook_made:,}; without pruning: {plain:,}).",
            **said,
        )
        return f"{_(sentence, **said)} {figures}"

    return with_figures


_OF_MINIMAX: Final[dict[str, str | Callable[..., str]]] = {
    # minimax on every board
    "right-everywhere": _right_everywhere,
    "nothing-asked": later("Not judged: none of its boards was asked of the file itself ({how})."),
    "silent": later(
        "`minimax` gives no answer on any of the {asked:,} boards that were asked, from the first move "
        "to the last. The first: {first}"
    ),
    "not-optimal": _of_asked(
        later(
            "Not optimal on {wrong:,} of {asked:,} boards ({lose:,} lose, {waste:,} waste a win, {taken:,} "
            "take a taken cell, {no_move:,} are no move). The worst: {first} ({how})"
        ),
        later(
            "Not optimal on {wrong:,} of {asked:,} ({left_out:,} more were not asked) boards ({lose:,} lose, "
            "{waste:,} waste a win, {taken:,} take a taken cell, {no_move:,} are no move). The worst: "
            "{first} ({how})"
        ),
    ),
    "not-legal": _of_asked(
        later("No legal move as a tuple on {wrong:,} of {asked:,} boards; the first: {first} ({how})"),
        later(
            "No legal move as a tuple on {wrong:,} of {asked:,} ({left_out:,} more were not asked) boards; "
            "the first: {first} ({how})"
        ),
    ),
    "not-none": _of_asked(
        later("Not None on {wrong:,} of {asked:,} finished boards; the first: {first} ({how})"),
        later(
            "Not None on {wrong:,} of {asked:,} ({left_out:,} more were not asked) finished boards; the "
            "first: {first} ({how})"
        ),
    ),
    "never-lost": _never_lost,
    "never-moves": later(
        "As {side} it loses every game: it has no legal move on any of the {asked:,} boards that were asked."
    ),
    "lost-game": _lost_game,
    "lost-by-others": _lost_by_others,
    "no-game-seen": later(
        "Not judged: no game could be followed to its end, for boards were not asked ({how})."
    ),
    "not-confirmed": later("Not judged: the losing move could not be asked again in time."),
    # the function to blame
    "file-does-not-run": later("The file does not run."),
    "stands-alone": later("`{function}` stands on its own"),
    "follows": _follows,
    "circle": _circle,
    "own-fault": later("The fault is in `{function}` itself."),
    "own-fault-too": lambda **said: _(
        "Even with a correct {names} this `{function}` is not right.", names=listed(said["suspects"]), **said
    ),
    # how it searches
    "probe-unanswered": later("With other values than -1, 0 and 1 for finished games: {nothing}"),
    "probe-too-long": later(
        "The search takes too many steps to follow them: look for a comparison that ends a "
        "loop over the actions early."
    ),
    "probe-strange-boards": later(
        "The search looks into boards that no game leads to: look for a comparison that "
        "ends a loop over the actions early."
    ),
    "probe-without-utility": later(
        "`minimax` never calls `utility`, so a probe cannot tell what it prunes: look "
        "for a comparison that ends a loop over the actions early."
    ),
    "probed-with-right-ones": lambda **said: _(
        "With a correct {names}: {found}", names=listed(said["follows"]), **said
    ),
    "no-working-search": later("Pruning can't be checked until `minimax` searches correctly."),
    "prunes-nothing-at-all": later("No pruning: the search looks into every board there is."),
    **{code: _probed(sentence) for code, sentence in _PROBED.items()},
}


def _no_win(**said: Any) -> str:
    if not said["won"]:
        return _("{side}'s move {action} lets {other} win; {better} holds the tie.", **said)
    if said["loses"]:
        return _(
            "{side}'s move {action} gives away a certain win and lets {other} win; {better} wins.", **said
        )
    return _("{side}'s move {action} gives away a certain win; {better} wins.", **said)


def _wrong_cells(missing: str, extra: str) -> str:
    if not missing:
        return _("The cell {extra} is taken, so it is no action.", extra=extra)
    if extra:
        return _("The empty cell {missing} is missing, and {extra} is taken.", missing=missing, extra=extra)
    return _("The empty cell {missing} is missing.", missing=missing)


def _returned_none(function: str, turn: object) -> str:
    sentence = _("`{function}` returned None. Is a `return` missing?", function=function)
    return f"{sentence} {turn}".rstrip()


def _right_on(asked: int, total: int) -> str:
    if asked == total:
        return _("right on all {total:,}", total=total)
    return _("right on the {asked:,} of {total:,} that were asked", asked=asked, total=total)


def _findings(count: int, kinds: int, per: str) -> str:
    if per == "kind" and 1 == kinds < count:
        return ngettext(
            "{count} place, same problem: counted once.", "{count} places, same problem: counted once.", count
        )
    if per == "kind" and kinds < count:
        return ngettext(
            "{count} place, {kinds} problems: each counted once.",
            "{count} places, {kinds} problems: each counted once.",
            count,
            kinds=kinds,
        )
    return ngettext("{count} place to improve.", "{count} places to improve.", count)


_OF_FUNCTIONS: Final[dict[str, str | Callable[..., str]]] = {
    # nothing came of a call
    "still-to-be-written": later("`{function}` is still to be written: it raises {error}."),
    "reads-the-keyboard": later("`{function}` reads from the keyboard, but nobody is there: {error}."),
    "raised": later("`{function}` raised {error}."),
    "missing": later("The file defines no function `{function}`."),
    "no-answer": later("`{function}` gave no answer: {detail}."),
    "nothing": later("no answer"),
    "does-not-run": "{why}",
    "not-gradable": "{why}",
    "not-asked": later("Not judged: {why}."),
    # the answers of functions
    "alien": lambda function, what: _(
        "`{function}` must return plain data; this is {what}.",
        function=function,
        what=reworded(str(what), ALIENS),
    ),
    "none": _returned_none,
    "turn": later("X has {x} marks and O has {o}, so it is {side}'s turn."),
    "not-a-set": later("`actions` must return a set of tuples, not a {type}."),
    "no-action-in-set": later("An action is a tuple (i, j) with i and j from 0 to 2; {item} is not."),
    "wrong-cells": _wrong_cells,
    "no-whole-numbers": later("An action holds two whole numbers."),
    "not-a-board": later("`result` must return a board: a list of three lists of three cells."),
    "wrong-mark": later("The cells of a board hold X, O or EMPTY (None); this one holds {mark}."),
    "old-board": later("The new board is the old one: {side}'s mark at {action} is missing."),
    "wrong-cell": later("The cell {action} should hold {side}, whose turn it is."),
    "other-cells": later("Only the cell {action} should change."),
    "winning-line": lambda champion, line: _(
        "{champion} has three in a row: {line}.", champion=champion, line=_(line)
    ),
    "none-not-false": later("Nobody has three in a row: return None then, not {value}."),
    "no-winner": later("Nobody has three in a row, so there is no winner."),
    "not-a-bool": later("`terminal` must return True or False, not a {type}."),
    "over-by-line": lambda champion, line: _(
        "The game is over: {champion} holds {line}.", champion=champion, line=_(line)
    ),
    "over-by-full-board": later("The game is over: the board is full."),
    "goes-on": later("The game goes on: nobody has won and cells are free."),
    "utility-of-x": later("X has won, so the utility is 1."),
    "utility-of-o": later("O has won, so the utility is -1."),
    "utility-of-tie": later("It is a tie, so the utility is 0."),
    "move-at-end": later("The game is over, so there is no move: return None."),
    "value-and-action": later("`minimax` must return the action alone, not a value and an action."),
    "action-not-a-tuple": later("`minimax` must return an action as a tuple (i, j), not a {type}."),
    "no-action": later("An action is a tuple (i, j) with i and j from 0 to 2."),
    "cell-taken": later("The cell {action} is taken."),
    "not-the-best": _no_win,
    "changes-the-board": later(
        "`{function}` changed the board it was given. Work on a copy, all three rows of it."
    ),
    "nothing-on-every-board": later("`{function}` returns None on every board, so it shows nothing."),
    "shows-no-move": later("`minimax` has no legal move on any board that was asked, so it shows nothing."),
    "refuses-valid": later("`result` raises for valid actions too, so its refusals show nothing."),
    "takes-taken-cell": later("The cell {action} is taken by {mark}: `result` must raise an exception."),
    "takes-negative": later(
        "{action} is off the board: a negative index counts from the end, so test for it and raise."
    ),
    "takes-off-the-board": later("{action} is off the board: `result` must raise an exception."),
    "takes-no-pair": later("{action} is not a pair of row and column: `result` must raise an exception."),
    "no-threads": later(
        "Not judged: `{function}` needs threads that run side by side, and the grader allows no "
        "threads. A person has to look at it."
    ),
    "right": later("right"),
    "right-on": _right_on,
    "wrong-by-others": _wrong_by_others,
    "wrong-the-second-time": later(
        "Right at first, and wrong in {wrong:,} of {asked:,} calls that were made later "
        "in the same process: something is kept from one call to the next. The first: {first}"
    ),
    "wrong-in-some": later("Wrong in {wrong:,} of {asked:,} calls; the first: {first}"),
    # the source
    "is-python": later("the file is Python"),
    "not-python": "{why}",
    "is-a-variable": later("`{function}` is a variable ({place}); it must be a function."),
    "is-a-stub": later("`{function}` is still to be written ({place})."),
    "declared-otherwise": later("The declaration must stay as it was given ({place})."),
    "declared": later("declared as given"),
    "callable": later("`{function}` can be called as it has to be"),
    "not-readable": lambda what, place: _(
        "Not judged: {what} ({place}) runs code that does not stand in the file, so a person has to judge "
        "how it is written.",
        what=reworded(what, HIDING),
        place=place,
    ),
    "imports-allowed": later("only allowed modules are imported"),
    "imports-forbidden": "{sentence}",
    "style-later": later("Not judged here: style is looked at when the file is handed in."),
    "style-not-python": later("Not judged: the source is empty, or is not Python."),
    "nothing-to-improve": later("nothing to improve"),
    "to-improve": _findings,
    # the submission's folder
    "without-folder": later("Not checked: the file came without its folder."),
    "hand-in": lambda faults: _("The submission: {faults}.", faults="; ".join(faults)),
    "all-files": lambda files: _("all of {files}", files=", ".join(files)),
    "too-large-to-compare": lambda most, files: _(
        "Not compared, for at most files of {most:g} MB together are: {files}.",
        most=most,
        files=", ".join(files),
    ),
    "no-readme": later("There is no {file}."),
    "readme-without": lambda parts: _(
        "Not found in the README by the grader, a person may look: {parts}.",
        parts=", ".join(_(part) if part in PARTS else part for part in parts),
    ),
    "readme-has-all": later("all parts were found"),
}


def _misdrawn(typed: str, new: int) -> str:
    if new > 2 and typed:
        return ngettext(
            "After {typed} was typed its board shows {count} new mark, not one of each side.",
            "After {typed} was typed its board shows {count} new marks, not one of each side.",
            new,
            typed=typed,
        )
    if new > 2:
        return ngettext(
            "At the start its board shows {count} new mark, not one of each side.",
            "At the start its board shows {count} new marks, not one of each side.",
            new,
        )
    if typed:
        return _(
            "After {typed} was typed its board is not what can follow: a mark has changed, or its turn was "
            "lost.",
            typed=typed,
        )
    return _("At the start its board is not what can follow: a mark has changed, or its turn was lost.")


def _rightly(games: str, results: Sequence[str]) -> str:
    words = {
        "won": pgettext("how a game ends for a program", "won"),
        "lost": pgettext("how a game ends for a program", "lost"),
        "drawn": pgettext("how a game ends for a program", "drawn"),
    }
    shown = ", ".join(words.get(result, result) for result in results)
    return _("the right result after {games} ({results})", games=games, results=shown)


def _in_each_choice(choice: str, found: object, other: str, also: object) -> str:
    return _(
        "With {choice}: {found}. With {other}: {also}.",
        choice=choice,
        found=str(found).rstrip("."),
        other=other,
        also=str(also).rstrip("."),
    )


def _not_x(signs: Sequence[str]) -> str:
    if not signs:
        return _("It plays no mark that could be read, not X.")
    return _("It plays {signs}, not X.", signs=listing(list(signs)))


_LOSES: Final = later(
    "Not optimal on {wrong} of {asked} positions in which a reply can be wrong ({on}). The first: it "
    "takes square {square}, which loses."
)
_GIVES_A_WIN_AWAY: Final = later(
    "Not optimal on {wrong} of {asked} positions in which a reply can be wrong ({on}). The first: it "
    "takes square {square}, which gives a win away."
)

_OF_PROGRAMS: Final[dict[str, str | Callable[..., str]]] = {
    # a program
    "no-game-ended": later("Not judged: no game came to its end in time."),
    "game-stopped": _with_or_without(
        "typed", later("After {typed} was typed: {how}."), later("At the start: {how}.")
    ),
    "game-left": _with_or_without(
        "typed",
        later("After {typed} was typed it ends in the middle of a game."),
        later("At the start it ends in the middle of a game."),
    ),
    "game-misdrawn": _misdrawn,
    "games-took-too-long": later("Nothing more was asked: its games had taken {seconds} seconds together."),
    "games-played": later("{games} from the first move to the last; {typed}"),
    "no-reply-read": later("Not judged: no reply could be read."),
    "replies-optimal": later("an optimal reply on {on}"),
    "replies-not-optimal": lambda worth, **words: _(
        _LOSES if worth == "loses" else _GIVES_A_WIN_AWAY, **words
    ),
    "replies-missing": later(
        "Not optimal on {wrong} of {asked} positions in which a reply can be wrong ({on}): to "
        "{without} of them it gave no reply at all. The first is shown."
    ),
    "beaten": lambda moves: _("It can be beaten: {moves}.", moves=", ".join(moves)),
    "unbeaten": later("lost none of {games} ({on})"),
    "ends-too-early": later(
        "It ends in the middle of a game, with squares free and nobody with three in a row."
    ),
    "goes-on-at-end": later("When the game is over it asks for another move."),
    "crashes-at-end": later("When the game is over it crashes."),
    "ends-well": lambda games, ends: _(
        "after each of {games} {ends}", games=games, ends=alternatives([_(end) for end in ends])
    ),
    "announces-wrongly": lambda ended, told: _("{ended}; it announces {result}.", ended=ended, result=told),
    "announces-rightly": _rightly,
    "input-not-tried": later("Not judged: no game came so far that {what} could be typed."),
    "input-refused": later("{what}: {how}"),
    "input-not-refused": _with_or_without(
        "typed", later("Given {what} ({typed}), {how}."), later("Given {what}, {how}.")
    ),
    "plays-x": later("it plays X"),
    "plays-not-x": _not_x,
    "starts": later("it makes the first move"),
    "starts-by-chance": later("Chance decides who makes the first move."),
    "user-starts": later("The user makes the first move."),
    "takes-1-to-9": later("squares are typed as 1 to 9, row by row"),
    "takes-other-squares": later("Squares are typed in another way: {typed}."),
    "no-choice": later("It does not ask the user for X or O, or who starts."),
    "other-choice-not-tried": later("Not judged: no time was left for the other choice."),
    "other-choice-without-game": later(
        "Not judged: it asks the user to choose, and the grader found no game with the other choice."
    ),
    "choice-without-effect": later(
        "It asks the user to choose, but both choices lead to the same side ({answer})."
    ),
    "in-each-choice": _in_each_choice,
    "choice-works": later("both choices lead to right games; with the other one ({answer}): {on}"),
}


SENTENCES: Final = _OF_FUNCTIONS | _OF_MINIMAX | _OF_PROGRAMS
"""The sentence of each code, with its parameters in braces; a function where a part may be missing."""


class Reason(NamedTuple):
    """A code and its parameters: plain data, or a reason within this one. As text it is the sentence."""

    code: str
    parameters: dict[str, Any]

    def __str__(self) -> str:
        sentence, said = SENTENCES[self.code], self.parameters
        return _(sentence, **said) if isinstance(sentence, str) else sentence(**said)

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
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
