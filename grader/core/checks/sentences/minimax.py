"""What is said of minimax on every board, and of who is to blame."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from grader.core.checks.sentences.parts import by_others, listed, share_seen


def _asked(asked: int, total: int, kind: str, stopped: str) -> str:
    """Return so many boards of a kind, and how many were left out."""
    if asked == total:
        return f"{asked:,} {kind} boards"
    left_out = "1 was" if total - asked == 1 else f"{total - asked:,} were"
    return f"{asked:,} {kind} boards that were asked; {left_out} not{_why(stopped)}"


def _right_everywhere(**said: Any) -> str:
    what = {
        "optimal": "an optimal move on all",
        "legal": "a legal move, as a tuple, on all",
        "end": "None on all",
    }
    boards = _asked(said["asked"], said["total"], said["kind"], said["stopped"])
    return f"{what[said['must']]} {boards}{share_seen(said['seen'])} ({said['how']})"


def _not_optimal(**said: Any) -> str:
    return (
        f"Not optimal on {said['wrong']:,} of {_of(said)} boards ({said['lose']:,} lose, "
        f"{said['waste']:,} waste a win, {said['taken']:,} take a taken cell, {said['no_move']:,} are no "
        f"move). The worst: {said['first']} ({said['how']})"
    )


def _of(said: dict[str, Any]) -> str:
    """Return the boards that were asked, of how many if not of all."""
    left_out = (
        f" ({said['total'] - said['asked']:,} more were not asked)" if said["asked"] < said["total"] else ""
    )
    return f"{said['asked']:,}{left_out}"


def _games(**said: Any) -> str:
    played = f"{said['won']:,} won, {said['drawn']:,} drawn, {said['lost']:,} lost"
    return f"As {said['side']} against every opponent: {said['games']:,} games, {played}."


def _never_lost(**said: Any) -> str:
    if said["seen"] == 1:
        return _games(**said)
    return (
        f"{_games(**said)} {said['unseen']:,} more lead to boards that were not asked{_why(said['stopped'])}"
        f"{share_seen(said['seen'])}."
    )


def _lost_game(**said: Any) -> str:
    how = "beats it" if said["over"] else "leaves it without a legal move"
    return f"{_games(**said)} The shortest game that {how}, as {said['opponent']}: {_moves(said['moves'])}."


def _moves(moves: Sequence[str]) -> str:
    return ", ".join(moves) or "none"


def _follows(**said: Any) -> str:
    does = "plays perfectly" if said["function"] == "minimax" else "is right"
    if said["still"]:
        does = (
            f"is right in its {_aspects(said['restored'])}, and still wrong in its {_aspects(said['still'])}"
        )
    return f"With a correct {listed(said['follows'])} this `{said['function']}` {does}."


def _aspects(names: Sequence[str]) -> str:
    words = {"answers": "answers", "end": "answers when the game is over", "refusals": "refusals"}
    words |= {"board": "care for the board it is given"}
    return " and ".join(words[name] for name in names)


def _why(stopped: str) -> str:
    return f" ({stopped})" if stopped else ""


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
    "lost-game": _lost_game,
    "lost-by-others": lambda **said: f"{_games(**said)} They are lost {by_others(said['others'])}.",
    "no-game-seen": "Not judged: no game could be followed to its end, for boards were not asked ({how}).",
    "not-confirmed": "Not judged: the losing move could not be asked again in time.",
    # who is to blame
    "file-does-not-run": "The file does not run.",
    "stands-alone": "`{function}` stands on its own",
    "follows": _follows,
    "own-fault": "The fault is in `{function}` itself.",
    "own-fault-too": lambda **said: (
        f"Even with a correct {listed(said['suspects'])} this `{said['function']}` is not right."
    ),
}
