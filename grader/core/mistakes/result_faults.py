"""Mistakes of `result`: the wrong mark or place, the given board changed, what is not valid accepted."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.game.board import Board, O, X, rows, side_to_move
from grader.core.game.policy import opponent
from grader.core.messages import _, later, listing
from grader.core.mistakes.family import Key, Part, SeenReplies, Variant, is_raised

Mark = Callable[[Board], Key]
Written = Callable[[Board], Key]


_MARKS: Final[dict[str, tuple[Mark, str, str]]] = {
    "": (side_to_move, "", ""),
    "always-x": (
        lambda board: X,
        later("always places X"),
        later("`result` places X, whoever's turn it is."),
    ),
    "always-o": (
        lambda board: O,
        later("always places O"),
        later("`result` places O, whoever's turn it is."),
    ),
    "other-player": (
        lambda board: opponent(side_to_move(board)),
        later("places the other player's mark"),
        later("`result` places the mark of the other player."),
    ),
}
_CONTAINERS: Final[dict[str, tuple[Written, str, str]]] = {
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
    told = {} if seen.alone else seen.others.get("player", {})
    marks = dict(_MARKS)
    if any(said != side_to_move(board) for board, said in told.items()):
        sentence = later("`result` places the mark that `player` names: mend `player` first.")
        follower = told.__getitem__, later("asks `player`, and repeats its mistake"), sentence
        marks = {"": _MARKS[""], "follows-player": follower} | _MARKS
    for form, (written, returns, why) in _CONTAINERS.items():
        for swapped in (False, True):
            for name, (mark, title, sentence) in marks.items():
                parts = []
                if form:
                    hint = later("Copy the board, and change the copy.")
                    parts.append(Part(form, returns, why, hint))
                if swapped:
                    sides = later("`result` swaps row and column: an action is (row, column).")
                    parts.append(Part("swapped", later("swaps row and column"), sides))
                if name:
                    parts.append(Part(name, title, sentence))
                if parts:
                    yield Variant(tuple(parts), _placing(mark, swapped, written))


def _placing(mark: Mark, swapped: bool, written: Written) -> Callable[[Arguments, Key], bool]:
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


def changed_board(function: str, replies: Sequence[Reply]) -> Part | None:
    """Return the mistake of a function that changes the board it is given, if it does."""
    changed = [reply for reply in replies if isinstance(reply, Returned | Raised) and reply.changed]
    if not changed:
        return None
    parameters = {"changed": len(changed), "asked": len(replies)}
    often = _("every board")
    if len(changed) < len(replies):
        often = _("{changed:,} of {asked:,} boards", **parameters)
    words = {"function": function, "often": often}
    shares = {reply.shares for reply in changed if isinstance(reply, Returned)}
    if shares == {"rows"}:
        what = later("copies only the outer list")
        sentence = later(
            "`{function}` copies only the outer list: the rows of the given board are changed ({often})."
        )
        hint = later("`board[:]` keeps the rows: use `copy.deepcopy(board)`, or `[row[:] for row in board]`.")
        return Part("shallow-copy", what, sentence, hint, parameters, words)
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
    told = listing([_(_KINDS[kind]) for kind in _KINDS if kind in taken])
    name = "accepts-" + "-and-".join(kind.replace(" ", "-") for kind in _KINDS if kind in taken)
    is_none = all(reply.value is None for reply in replies if isinstance(reply, Returned))
    hint = later("Raise an exception unless the action is among `actions(board)`.")
    if "negative" in " ".join(taken):
        hint = later(
            "Raise an exception unless the action is among `actions(board)`. Python counts a negative index "
            "from the end, so `board[-1]` is a row."
        )
    title = later("accepts {kinds}")
    sentence = later("`result` accepts {kinds}; it must raise an exception.")
    if is_none:
        title = later("returns None for {kinds}")
        sentence = later("`result` returns None for {kinds}; it must raise an exception.")
    return Part(name, title, sentence, hint, {"accepts": taken}, {"kinds": told})


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
