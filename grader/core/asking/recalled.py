"""A second copy of a submission, in a worker of its own, whose functions remember: see `recall`."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, starmap
from typing import Final

from grader.core.asking import reply
from grader.core.asking.client import PATIENCE, Client
from grader.core.asking.reply import Loss, Missing, Raised, Reply, packed, replies_of
from grader.core.asking.worker import WorkerLost, prepared, seconds_in
from grader.core.game.board import Board
from grader.core.messages import _, later, reworded
from grader.core.values import printable


class NotRecalled(Exception):
    """The copy cannot answer, or not surely as the submission would."""


class TooSlow(NotRecalled):
    """The copy answers, but not all boards in the time there is."""

    def __init__(self) -> None:
        super().__init__(_("it takes too long even with recall"))


_WHY_NOT: Final = (
    later("it writes to a class (line {line})"),
    later("it writes to {name}, which outlives the call (line {line})"),
    later("{name} may hold something that outlives the call"),
    later("it uses {name} (line {line})"),
    later("it changes the default of {name}, which outlives the call (line {line})"),
    later("{name} cannot be read"),
    later("it defines {name} for the whole module inside a function"),
)
"""What a worker says of functions that cannot be remembered."""


class RecalledCopy:
    """Asks a copy for its move on many boards. The work begins at once, beside whatever else is done.

    It may take so many seconds in all.
    """

    def __init__(
        self,
        client: Client,
        boards: tuple[Board, ...],
        replace: Sequence[str] = (),
        seconds: float = math.inf,
        known: dict[str, bytes] | None = None,
    ) -> None:
        self.seconds, self._boards, self._limits, self._most = 0.0, boards, client.limits, seconds
        self._patience = (
            None if replace else client.patience
        )  # with others replaced, it is not the submission
        self._process = client.opens(client.allowance)
        self._load = self._process.load(*client.load_arguments(recall=True, replace=replace, known=known))
        self._ask = self._process.post("ask", "minimax", _packed(boards), PATIENCE)

    @property
    def spent(self) -> float:
        """The seconds that the copy's process has taken."""
        return self._process.spent

    def answers(self) -> Iterator[tuple[Board, Reply]]:
        """Yield each board with its reply, as `batches` does."""
        return chain.from_iterable(starmap(zip, self.batches()))

    def batches(self) -> Iterator[tuple[Sequence[Board], Sequence[Reply]]]:
        """Yield several boards with their replies; raise NotRecalled when they are not to be had this way.

        Raises TooSlow after the replies that came in time.
        """
        try:
            self._loaded()
            unanswered = iter(self._boards)
            for payloads in self._process.replies(self._ask, self._limits.deadline):
                boards = list(islice(unanswered, len(payloads)))
                if not boards:
                    self.seconds = seconds_in(payloads[0])
                    return
                replies = replies_of(payloads)
                if replies[0] == Missing():
                    yield self._boards, [replies[0]] * len(self._boards)
                    return
                for reply in replies if Raised in set(map(type, replies)) else ():
                    if isinstance(reply, Raised) and reply.error == "NotRecallable":
                        raise NotRecalled(reworded(reply.message, _WHY_NOT))
                    if isinstance(reply, Raised) and reply.is_out_of_memory:
                        raise NotRecalled(_("it runs out of memory"))
                yield boards, replies[: len(boards)]
                if self.spent > self._most:
                    raise TooSlow
        except WorkerLost as lost:
            if self._patience:
                self._patience.lose("minimax", lost, by_known_call=False)
            if lost.loss is Loss.DEADLINE:
                raise TooSlow from None
            raise NotRecalled(_("its worker was lost: {why}", why=lost)) from None
        except ValueError as error:
            raise NotRecalled(_("its worker was lost: {why}", why=error)) from None
        finally:
            self._process.kill()

    def _loaded(self) -> None:
        replies = self._process.replies(self._load, self._limits.load)
        prepared(next(replies)[0])
        match reply.data_of(next(replies)[0]):
            case ["loaded", list()]:
                return
            case ["not recallable", str(why)]:
                raise NotRecalled(reworded(printable(why), _WHY_NOT))
            case _:
                raise NotRecalled(_("the copy does not load"))

    def close(self) -> None:
        """End the worker, wanted or not."""
        self._process.kill()


@lru_cache(maxsize=2)
def _packed(boards: tuple[Board, ...]) -> bytes:
    return packed([(board,) for board in boards])
