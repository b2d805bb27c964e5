"""What is said of a search that was probed."""

from collections.abc import Callable
from typing import Any, Final

from grader.core.checks.sentences.parts import listed

_LOOK: Final = "look for a comparison that ends a loop over the actions early"


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
    # how it searches
    "probe-unanswered": "With other values than -1, 0 and 1 for finished games: {nothing}",
    "probe-too-long": f"The search takes too many steps to follow them: {_LOOK}.",
    "probe-strange-boards": f"The search looks into boards that no game leads to: {_LOOK}.",
    "probe-without-utility": "`minimax` never calls `utility`, so a probe cannot tell what it prunes: "
    f"{_LOOK}.",
    "probed-with-right-ones": lambda **said: f"With a correct {listed(said['follows'])}: {said['found']}",
    "no-working-search": "There is no working search yet whose pruning could be told.",
    "prunes": _probed("Alpha-beta pruning: every cut-off is taken, deep ones too."),
    "prunes-below-the-root": _probed(
        "Alpha-beta pruning (each move at the root gets a full window): every cut-off is taken, "
        "deep ones too."
    ),
    "prunes-by-winner": _probed(
        "Alpha-beta pruning, by scores that keep only who has won: every cut-off is taken."
    ),
    "prunes-swapped": _probed(
        "Alpha-beta pruning, with the sides swapped: it takes X for the side that minimises."
    ),
    "prunes-swapped-shallow": _probed(
        "Shallow pruning, with the sides swapped: it takes X for the side that minimises."
    ),
    "prunes-shallow": _probed(
        "Shallow pruning: it cuts off against the board one move up, not against those further up."
    ),
    "prunes-at-the-root-only": _probed(
        "No alpha-beta: it cuts off right below the root only, and nowhere deeper."
    ),
    "prunes-elsewhere": _probed(
        "No alpha-beta: it stops early on some boards, but not where alpha-beta does."
    ),
    "prunes-nothing": _probed("No pruning: the search never leaves a move out."),
    "prunes-nothing-at-all": "No pruning: the search looks into every board there is.",
    "prunes-too-much": _probed(
        "Your pruning cuts too much: on this board it stops although nothing found so far allows that. "
        "(Unless it counts on symmetry, searches twice with a narrow window, or takes -1, 0 and 1 for all "
        "there is; a person has to decide.)"
    ),
    "prunes-and-errs": _probed(
        f"It leaves moves out, but its moves are not the best under the probe's values: {_LOOK}."
    ),
    "prunes-some": _probed(
        "It takes {taken} of its cut-offs and misses {missed}, not by a rule that the probe knows: "
        f"{_LOOK}."
    ),
}
