"""Mistakes of `result`, `player` and `actions`."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product, starmap
from typing import Any, Final

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.game.board import CELLS, EMPTY, Action, Board, O, X, marks, rows, side_to_move
from grader.core.game.oracle import opponent
from grader.core.messages import _, later, listing, ngettext
from grader.core.mistakes.family import Gives, Key, Part, SeenReplies, Variant, always, is_raised, text_of

OfBoard = Callable[[Board], Key]


_MARKS: Final[dict[str, tuple[OfBoard, str, str]]] = {
    "": (side_to_move, "", ""),
    "always-x": (
        lambda board: X,
        later("always places X"),
        later("`result` places X, no matter whose turn it is."),
    ),
    "always-o": (
        lambda board: O,
        later("always places O"),
        later("`result` places O, no matter whose turn it is."),
    ),
    "other-player": (
        lambda board: opponent(side_to_move(board)),
        later("places the other player's mark"),
        later("`result` places the mark of the other player."),
    ),
}
_CONTAINERS: Final[dict[str, tuple[OfBoard, str, str]]] = {
    "": (lambda board: ("board", board), "", ""),
    "tuples": (
        lambda board: _nested(board, "tuple", "tuple"),
        later("returns tuples in a tuple"),
        later("`result` returns tuples in a tuple; a board is a list of three lists."),
    ),
    "list-of-tuples": (
        lambda board: _nested(board, "list", "tuple"),
        later("returns tuples in a list"),
        later("`result` returns tuples in a list; a board is a list of three lists."),
    ),
    "tuple-of-lists": (
        lambda board: _nested(board, "tuple", "list"),
        later("returns lists in a tuple"),
        later("`result` returns lists in a tuple; a board is a list of three lists."),
    ),
}


def _nested(board: Board, outer: str, inner: str) -> Key:
    lines = ((inner, tuple(None if cell == "." else cell for cell in row)) for row in rows(board))
    return outer, tuple(lines)


def placements(seen: SeenReplies) -> Iterator[Variant]:
    """Propose whose mark is placed, where, and in what it is returned."""
    sentence = later("`result` returns the board as it was: the move is missing.")
    part = Part("no-move", later("returns the board without the move"), sentence)
    yield Variant((part,), lambda call, key: key == ("board", call[0]))
    turns = {} if seen.alone else seen.others.get("player", {})
    marks = dict(_MARKS)
    if any(turn != side_to_move(board) for board, turn in turns.items()):
        sentence = later("`result` places the mark that `player` names: fix `player` first.")
        follower = turns.__getitem__, later("asks `player`, and repeats its mistake"), sentence
        marks = {"": _MARKS[""], "follows-player": follower} | _MARKS
    hint = later("Copy the board, and change the copy.")
    swaps = later("swaps row and column"), later("`result` swaps row and column: an action is (row, column).")
    for form, swapped, name in product(_CONTAINERS, (False, True), marks):
        written, *returns = _CONTAINERS[form]
        mark, *places = marks[name]
        words = [(form, *returns, hint)] if form else []
        words += [("swapped", *swaps)] if swapped else []
        words += [(name, *places)] if name else []
        if words:
            yield Variant(tuple(starmap(Part, words)), _placing(mark, swapped, written))


def _placing(mark: OfBoard, swapped: bool, written: OfBoard) -> Gives:
    def gives(call: Arguments, key: Key) -> bool:
        board, (row, column) = call  # type: ignore[misc]
        index = 3 * column + row if swapped else 3 * row + column
        placed = mark(board)
        if is_raised(placed):
            return key == placed
        if placed not in (X, O):
            return False
        return key == written(Board(board[:index] + str(placed) + board[index + 1 :]))

    return gives


def changed_board(replies: Sequence[Reply]) -> Part | None:
    """Return the mistake of a function that changes the board it is given, if it does."""
    changed = [reply for reply in replies if isinstance(reply, Returned | Raised) and reply.changed]
    if not changed:
        return None
    parameters = {"changed": len(changed), "asked": len(replies)}
    often = _("every board")
    if len(changed) < len(replies):
        often = _("{changed:,} of {asked:,} boards", **parameters)
    words = {"often": often}
    if {reply.shares for reply in changed if isinstance(reply, Returned)} == {"rows"}:
        title = later("copies only the outer list")
        sentence = later(
            "`{function}` copies only the outer list: the rows of the given board are changed ({often})."
        )
        hint = later("`board[:]` keeps the rows: use `copy.deepcopy(board)`, or `[row[:] for row in board]`.")
        return Part("shallow-copy", title, sentence, hint, parameters, words)
    title = later("changes the board it is given")
    sentence = later("`{function}` changes the board it is given ({often}).")
    hint = later("Work on a copy, all three rows of it.")
    return Part("changes-the-board", title, sentence, hint, parameters, words)


_KINDS: Final = {
    "taken": later("a taken cell"),
    "negative row": later("a negative row"),
    "negative column": later("a negative column"),
    "negative": later("negative rows and columns"),
    "off": later("a cell off the board"),
    "no pair": later("what is no pair at all"),
}


def accepted(calls: Sequence[Arguments], replies: Sequence[Reply]) -> Part | None:
    """Return which kinds of invalid actions are accepted, if each kind is either accepted or refused."""
    kinds: dict[str, set[bool]] = {}
    for call, reply in zip(calls, replies, strict=True):
        if not isinstance(reply, Returned | Raised):
            return None
        kinds.setdefault(_kind(call[1]), set()).add(isinstance(reply, Returned))  # type: ignore[misc]
    if any(len(found) > 1 for found in kinds.values()):
        return None
    taken = [kind for kind, found in kinds.items() if found == {True}]
    if not taken:
        return None
    if {"negative row", "negative column"} <= set(taken):
        taken = ["negative", *(kind for kind in taken if not kind.startswith("negative"))]
    named = [kind for kind in _KINDS if kind in taken]
    hint = later("Raise an exception unless the action is among `actions(board)`.")
    if any(kind.startswith("negative") for kind in taken):
        hint = later(
            "Raise an exception unless the action is among `actions(board)`. Python counts a negative index "
            "from the end, so `board[-1]` is a row."
        )
    title = later("accepts {kinds}")
    sentence = later("`result` accepts {kinds}; it must raise an exception.")
    if all(reply.value is None for reply in replies if isinstance(reply, Returned)):
        title = later("returns None for {kinds}")
        sentence = later("`result` returns None for {kinds}; it must raise an exception.")
    name = "accepts-" + "-and-".join(kind.replace(" ", "-") for kind in named)
    words = {"kinds": listing([_(_KINDS[kind]) for kind in named])}
    return Part(name, title, sentence, hint, {"accepts": taken}, words)


@cache
def _kind(action: Any) -> str:
    match action:
        case (int(i), int(j)) if i < 0 or j < 0:
            return "negative" if i < 0 and j < 0 else "negative row" if i < 0 else "negative column"
        case (int(i), int(j)) if i > 2 or j > 2:
            return "off"
        case (int(), int()):
            return "taken"
        case _:
            return "no pair"


_HINT: Final = later("X begins, so it is X's turn when both have as many marks, else O's.")
_AS_GIVEN: Final = later("Return X or O, as given.")


def by_counts(seen: SeenReplies) -> Iterator[Variant]:
    """Propose the rule by the number of marks that the first boards of each number show."""
    table: dict[int, Key] = {}
    for board, key in seen.by_board.items():
        table.setdefault(marks(board), key)
    if any(is_raised(key) for key in table.values()):
        return
    answers = [table[count] for count in sorted(table)]
    yield Variant((_turns(answers),), always(lambda board: table[marks(board)]))


def _turns(answers: list[Key]) -> Part:
    """Return the words for turns by the number of marks."""
    right = [O if count % 2 else X for count in range(len(answers))]
    parameters = {"by_marks": [text_of(key) for key in answers]}
    if answers == [O if turn == X else X for turn in right]:
        sentence = later("In your `player` O begins: it says O where it is X's turn, and X where it is O's.")
        return Part("o-begins", later("lets O begin"), sentence, _HINT, parameters)
    if answers == [turn.lower() for turn in right]:
        title = later("answers in lower case")
        sentence = later(
            "`player` answers in lower case: return the constants X and O, not letters of your own."
        )
        return Part("lower-case", title, sentence, _AS_GIVEN, parameters)
    renamed = dict(zip(right, answers, strict=True))
    if len(set(renamed.values())) == 2 and answers == [renamed[turn] for turn in right]:
        words = {"for_x": text_of(renamed[X]), "for_o": text_of(renamed[O])}
        title = later("answers {for_x} for X and {for_o} for O")
        sentence = later(
            "`player` changes sides at the right moments, but answers {for_x} for X and {for_o} for O."
        )
        return Part("other-words", title, sentence, _AS_GIVEN, parameters, words)
    wrong = [count for count, (key, turn) in enumerate(zip(answers, right, strict=True)) if key != turn]
    if len(wrong) == 1:
        return _one_turn(wrong[0], text_of(answers[wrong[0]]), parameters)
    title = later("changes sides at the wrong moments")
    sentence = later("After 0, 1, 2, ... marks your `player` says {said}. Right is {right}.")
    shown = ", ".join(key if isinstance(key, str) else text_of(key) for key in answers)
    words = {"said": shown, "right": ", ".join(right)}
    return Part("counts", title, sentence, _HINT, parameters, words)


def _one_turn(count: int, answer: str, parameters: dict[str, Any]) -> Part:
    """Return the words for a wrong answer at one number of marks."""
    if not count:
        title = later("is wrong on the empty board")
        sentence = later("`player` says {said} on the empty board; it is right otherwise.")
        return Part("one-turn", title, sentence, _HINT, parameters, {"said": answer})
    return Part(
        "one-turn",
        lambda **words: ngettext(
            "is wrong when {count} cells are taken", "is wrong when {count} cells are taken", count
        ),
        lambda **words: ngettext(
            "`player` says {said} when {count} cells are taken; it is right otherwise.",
            "`player` says {said} when {count} cells are taken; it is right otherwise.",
            count,
            said=answer,
        ),
        _HINT,
        parameters,
    )


_SET_CONTAINERS: Final = ("set", "list", "tuple", "frozenset")
_SET_HINT: Final = later("Return a set: `{{(i, j), ...}}`, or `set()` to begin with and `.add((i, j))`.")
_NUMBERS: Final = (
    later("returns numbers for pairs"),
    later("An action is a pair (row, column), not the number of a cell."),
)
_FORMS: Final[dict[str, tuple[str, str]]] = {
    "lists-for-tuples": (
        later("returns lists for tuples"),
        later("Each action must be a tuple (i, j), not a list [i, j]."),
    ),
    "swapped": (
        later("swaps row and column"),
        later("Row and column are swapped: an action is (row, column)."),
    ),
    "from-one": (later("counts from 1"), later("Rows and columns are counted from 0, not from 1.")),
    "numbers": _NUMBERS,
    "numbers-from-one": _NUMBERS,
}
"""Other ways to write an action, each with its words."""


def _read(form: str, item: Key) -> Action | None:
    """Return the cell of an item whose action is written in a form, or None."""
    match form, item:
        case ("numbers" | "numbers-from-one", ("number", int(number))):
            found = divmod(number - (form == "numbers-from-one"), 3)
        case ("lists-for-tuples", ("list", (("number", int(i)), ("number", int(j))))):
            found = i, j
        case ("" | "swapped" | "from-one", ("tuple", (("number", int(i)), ("number", int(j))))):
            found = {"": (i, j), "swapped": (j, i), "from-one": (i - 1, j - 1)}[form]
        case _:
            return None
    return found if found in CELLS else None


def _items(key: Key) -> tuple[str, tuple[Any, ...]] | None:
    """Return the kind of container and what is in it."""
    match key:
        case (str() as container, (tuple() | frozenset()) as items) if container in _SET_CONTAINERS:
            return container, tuple(items)
    return None


def cells_by_content(seen: SeenReplies) -> Iterator[Variant]:
    """Propose a container, a form of pairs, and which cells are in it when they hold what."""
    containers = {found[0] for key in seen.keys if (found := _items(key)) and found[1]}
    for form in ("", *_FORMS) if len(containers) == 1 else ():
        if variant := _proposed(seen, min(containers), form):
            yield variant


def _proposed(seen: SeenReplies, container: str, form: str) -> Variant | None:
    @cache
    def cells_of(key: Key) -> frozenset[Action] | None:
        found = _items(key)
        if found is None or found[0] != container:
            return None
        cells = [_read(form, item) for item in found[1]]
        distinct = frozenset(cell for cell in cells if cell is not None)
        return distinct if len(distinct) == len(found[1]) else None  # none unread, none twice

    included: dict[tuple[int, str], bool] = {}
    for board, key in seen.by_board.items():
        cells = cells_of(key)
        if cells is None:
            return None
        for index, cell in enumerate(CELLS):
            included.setdefault((index, board[index]), cell in cells)
        if len(included) == 27:
            break

    def gives(call: Arguments, key: Key) -> bool:
        cells, board = cells_of(key), call[0]
        if cells is None:
            return False
        wanted = [cell for cell, place in zip(CELLS, enumerate(board), strict=True) if included[place]]
        return len(wanted) == len(cells) and cells.issuperset(wanted)

    parts = tuple(_parts(container, form, included))
    return Variant(parts, gives) if parts else None


def _parts(container: str, form: str, included: dict[tuple[int, str], bool]) -> Iterator[Part]:
    if container != "set":
        title = later("returns a {container}")
        sentence = later("`actions` returns a {container}; it must be a set.")
        yield Part(f"{container}-for-set", title, sentence, _SET_HINT, words={"container": container})
    if form:
        title, sentence = _FORMS[form]
        yield Part(form, title, sentence, later("An action is a tuple (row, column), each 0 to 2."))
    missing = [cell for index, cell in enumerate(CELLS) if not included.get((index, EMPTY), True)]
    taken = [(index, mark) for index in range(9) for mark in (X, O) if included.get((index, mark))]
    if len(missing) == 9 and len(taken) == 18:
        sentence = later("`actions` returns the taken cells, not the free ones.")
        yield Part("taken-for-free", later("returns the taken cells"), sentence)
        return
    if missing:
        yield Part(
            "cells-left-out",
            later("leaves out {cells}"),
            lambda cells, **words: ngettext(
                "`actions` leaves out the free cell {cells}.",
                "`actions` leaves out the free cells {cells}.",
                len(missing),
                cells=cells,
            ),
            later("Do the loops reach every row and column?"),
            {"cells": missing},
            {"cells": ", ".join(map(str, missing))},
        )
    if taken:
        extra = list(dict.fromkeys(CELLS[index] for index, _ in taken))
        marks = {mark for _, mark in taken}
        cells = "" if len(extra) == 9 else f" ({', '.join(map(str, extra))})"
        if len(marks) == 2:
            title = later("includes taken cells{cells}")
            sentence = later("`actions` also returns taken cells{cells}: only free ones can be taken.")
        else:
            title = later("includes cells that {mark} has taken{cells}")
            sentence = later(
                "`actions` also returns cells that {mark} has taken{cells}: only free ones can be taken."
            )
        words = {"cells": cells, "mark": min(marks)}
        yield Part("taken-included", title, sentence, "", {"cells": extra}, words)
