"""Mistakes of `actions`: another container, other pairs, cells left out, taken ones included."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from grader.core.asking.reply import Arguments
from grader.core.game.board import CELLS, EMPTY, Action, O, X
from grader.core.messages import later, ngettext
from grader.core.mistakes.family import Key, Part, SeenReplies, Variant

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
    """Return the cell that an item means if actions are written in a form, or None."""
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
    if len(containers) != 1:
        return
    (container,) = containers
    for form in ("", *_FORMS):
        if variant := _proposed(seen, container, form):
            yield variant


def _proposed(seen: SeenReplies, container: str, form: str) -> Variant | None:
    @cache
    def told(key: Key) -> frozenset[Action] | None:
        found = _items(key)
        if found is None or found[0] != container:
            return None
        cells = [_read(form, item) for item in found[1]]
        distinct = frozenset(cell for cell in cells if cell is not None)
        return distinct if len(distinct) == len(found[1]) else None  # none unread, none twice

    included: dict[tuple[int, str], bool] = {}
    for board, key in seen.by_board.items():
        cells = told(key)
        if cells is None:
            return None
        for index, cell in enumerate(CELLS):
            included.setdefault((index, board[index]), cell in cells)
        if len(included) == 27:
            break

    def gives(call: Arguments, key: Key) -> bool:
        cells, board = told(key), call[0]
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
            lambda cells: ngettext(
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
