"""What is said of a program that was played in a terminal."""

from collections.abc import Callable
from typing import Final


def _after(typed: str) -> str:
    return f"After {typed} was typed" if typed else "At the start"


def _misdrawn(typed: str, new: int) -> str:
    if new > 2:
        return f"{_after(typed)} its board shows {new} new marks, not one of each side."
    return f"{_after(typed)} its board is not what can follow: a mark has changed, or its turn was lost."


def _in_each_choice(choice: str, found: object, other: str, also: object) -> str:
    return f"With {choice}: {str(found).rstrip('.')}. With {other}: {str(also).rstrip('.')}."


SENTENCES: Final[dict[str, str | Callable[..., str]]] = {
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
