"""How minimax searched for a move, as the worker's recorder told it: checked, frozen, plain."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from grader.core.asking.carrier import breach
from grader.core.asking.decode import data_of
from grader.core.asking.reply import Reply, reply_of
from grader.core.asking.worker import Worker
from grader.core.game import walk
from grader.core.game.board import Board
from grader.core.game.walk import Step
from grader.core.values import Frozen
from grader.worker import wire
from grader.worker.wire import COUNTED, MAX_REPLY, MAX_STEPS, STEP

_STEPS: Final = re.compile(rf"(?:[{wire.MADE}{wire.SEEN}{wire.EVALUATED}][XO.]{{9}})*")
_KINDS: Final = {wire.MADE: walk.MADE, wire.SEEN: walk.SEEN, wire.EVALUATED: walk.EVALUATED}
_MAX_WALK: Final = MAX_STEPS * STEP + MAX_REPLY


class WalkQuestions(NamedTuple):
    """Boards, each with the values that stand in for `utility`, if any; and how to record the search.

    With `level` the game goes on until the board is full. With `by_winner` the values stand in for `winner`
    instead: above 0 for X, below for O, 0 for nobody. With `orders` the order in which the moves on each
    board were tried is recorded instead of every step.
    """

    boards: tuple[tuple[Board, dict[Board, float] | None], ...]
    level: bool = False
    orders: bool = False
    by_winner: bool = False


class Walked(Frozen):
    """How minimax searched for a move: its reply, how often each function was called, and every step."""

    reply: Reply
    calls: dict[str, int]
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0

    @property
    def cut_short(self) -> bool:
        """Whether there were more steps than are told."""
        return len(self.steps) >= MAX_STEPS


def walks_of(worker: Worker, token: str, count: int, deadline: float) -> Iterator[Walked]:
    """Yield so many walks as the worker tells them, each under the deadline; raise WorkerLost."""
    replies = worker.replies(token, deadline, _MAX_WALK)
    for _walk in range(count):
        payloads = next(replies)
        try:
            yield walked_of(*payloads)
        except (ValueError, TypeError):
            raise breach() from None


def walked_of(answer: bytes, record: bytes) -> Walked:
    """Return the walk in two payloads; raise ValueError for anything a worker does not write."""
    match data_of(record):
        case ["walked", int(took), [*counts], str(text)] if _are_counts(counts) and _STEPS.fullmatch(text):
            kinds = [_KINDS[kind] for kind in text[::STEP]]
            boards = [Board(text[at + 1 : at + STEP]) for at in range(0, len(text), STEP)]
            calls = dict(zip(COUNTED, counts, strict=True))
            return Walked(reply_of(answer), calls, tuple(zip(kinds, boards, strict=True)), took / 1e6)
    raise ValueError("not a walk")


def _are_counts(counts: list[object]) -> bool:
    return len(counts) == len(COUNTED) and all(type(count) is int for count in counts)
