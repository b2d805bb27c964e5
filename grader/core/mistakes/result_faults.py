"""Mistakes of `result`: the wrong mark or place, the given board changed, what is not valid accepted."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.game.board import Board, O, X, rows, side_to_move
from grader.core.game.policy import opponent
from grader.core.mistakes.family import Key, Part, SeenReplies, Variant, is_raised
from grader.core.text import joined

Mark = Callable[[Board], Key]
Written = Callable[[Board], Key]


_MARKS: Final[dict[str, tuple[Mark, str, str]]] = {
    "": (side_to_move, "", ""),
    "always-x": (lambda board: X, "always places X", "`result` places X, whoever's turn it is."),
    "always-o": (lambda board: O, "always places O", "`result` places O, whoever's turn it is."),
    "other-player": (
        lambda board: opponent(side_to_move(board)),
        "places the other player's mark",
        "`result` places the mark of the other player.",
    ),
}
_CONTAINERS: Final[dict[str, tuple[Written, str]]] = {
    "": (lambda board: ("board", board), ""),
    "tuples": (lambda board: _nested(board, "tuple", "tuple"), "tuples in a tuple"),
    "list-of-tuples": (lambda board: _nested(board, "list", "tuple"), "tuples in a list"),
    "tuple-of-lists": (lambda board: _nested(board, "tuple", "list"), "lists in a tuple"),
}


def _nested(board: Board, outer: str, inner: str) -> Key:
    lines = ((inner, tuple(None if cell == "." else cell for cell in row)) for row in rows(board))
    return outer, tuple(lines)


def placements(seen: SeenReplies) -> Iterator[Variant]:
    """Propose whose mark is placed, where, and in what it is returned."""
    sentence = "`result` returns the board as it was: the move is missing."
    part = Part("no-move", "returns the board without the move", sentence)
    yield Variant((part,), lambda call, key: key == ("board", call[0]))
    told = {} if seen.alone else seen.others.get("player", {})
    marks = dict(_MARKS)
    if any(said != side_to_move(board) for board, said in told.items()):
        sentence = "`result` places the mark that `player` names: mend `player` first."
        follower = told.__getitem__, "asks `player`, and repeats its mistake", sentence
        marks = {"": _MARKS[""], "follows-player": follower} | _MARKS
    for form, (written, container) in _CONTAINERS.items():
        for swapped in (False, True):
            for name, (mark, title, sentence) in marks.items():
                parts = []
                if form:
                    why = f"`result` returns {container}; a board is a list of three lists."
                    hint = "Copy the board, and change the copy."
                    parts.append(Part(form, f"returns {container}", why, hint))
                if swapped:
                    why = "`result` swaps row and column: an action is (row, column)."
                    parts.append(Part("swapped", "swaps row and column", why))
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
    often = "every board" if len(changed) == len(replies) else f"{len(changed):,} of {len(replies):,} boards"
    parameters = {"changed": len(changed), "asked": len(replies)}
    shares = {reply.shares for reply in changed if isinstance(reply, Returned)}
    if shares == {"rows"}:
        what = "copies only the outer list"
        sentence = f"`{function}` {what}: the rows of the given board are changed ({often})."
        hint = "`board[:]` keeps the rows: use `copy.deepcopy(board)`, or `[row[:] for row in board]`."
        return Part("shallow-copy", what, sentence, hint, parameters)
    title = "changes the board it is given"
    sentence = f"`{function}` changes the board it is given ({often})."
    return Part("changes-the-board", title, sentence, "Work on a copy, all three rows of it.", parameters)


_KINDS: Final = {
    "taken": "a taken cell",
    "negative row": "a negative row",
    "negative column": "a negative column",
    "negative": "negative rows and columns",
    "off": "a cell off the board",
    "no pair": "what is no pair at all",
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
    told = joined([_KINDS[kind] for kind in _KINDS if kind in taken])
    name = "accepts-" + "-and-".join(kind.replace(" ", "-") for kind in _KINDS if kind in taken)
    is_none = all(reply.value is None for reply in replies if isinstance(reply, Returned))
    how = "returns None for" if is_none else "accepts"
    hint = "Raise an exception unless the action is among `actions(board)`."
    if "negative" in " ".join(taken):
        hint += " Python counts a negative index from the end, so `board[-1]` is a row."
    sentence = f"`result` {how} {told}; it must raise an exception."
    return Part(name, f"{how} {told}", sentence, hint, {"accepts": taken})


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
