"""What is said of minimax on every board, of who is to blame, and of a search that was probed."""

from collections.abc import Callable, Sequence
from typing import Any, Final

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


SENTENCES: Final[dict[str, str | Callable[..., str]]] = {
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
