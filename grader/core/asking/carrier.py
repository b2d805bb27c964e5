"""What carries questions to a submission and its answers back: across the wall, or inside."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

from grader.core.asking.allowance import Allowance
from grader.core.asking.reply import Loss
from grader.core.messages import _
from grader.core.values import Frozen
from grader.worker.wire import MAX_REPLY, TOGETHER


class Place(Frozen):
    """Where a module is: its file, if there is one, and the folders of a package."""

    module: str
    file: str | None
    folders: tuple[str, ...] = ()


class Packages(Frozen):
    """What submissions may import: modules with all that they need, and what may be read of the disk."""

    places: tuple[Place, ...] = ()
    readable: tuple[str, ...] = ()
    memory_mb: int = 0
    """What they take of the address space, on top of what a submission may use."""


NONE: Final = Packages()


_LONG: Final = 256
"""Bytes of an answer that is longer than any right one."""

_MAX_LONG: Final = 8_000_000
"""Bytes of such answers together, of one submission: as values they take many times that in the judge."""


class WorkerLost(Exception):
    """The worker hung, died or broke the protocol; it has been killed."""

    def __init__(self, loss: Loss, detail: str) -> None:
        self.loss, self.detail = loss, detail
        super().__init__(detail)


def breach() -> WorkerLost:
    """Return the loss of a worker that broke the protocol."""
    return WorkerLost(Loss.BREACH, _("its worker sent something that is no answer"))


def checked(line: bytes, max_reply: int, allowance: Allowance) -> list[bytes]:
    """Return the payloads of replies that came together; raise WorkerLost for what no worker would send."""
    most = TOGETHER if max_reply == MAX_REPLY else 2  # others come alone, or as a pair
    payloads = line.split(b"\t")
    longest = max(map(len, payloads))
    if len(payloads) > most or longest > max_reply:
        raise breach()
    if max_reply == MAX_REPLY and longest > _LONG:
        allowance.long_answers += sum(len(one) for one in payloads if len(one) > _LONG)
        if allowance.long_answers > _MAX_LONG:
            raise WorkerLost(Loss.BREACH, _("its answers are far longer than any right one"))
    return payloads


class Carrier(Protocol):
    """A running worker. After a `WorkerLost` it is dead and cannot be used again."""

    output: bytearray
    """What the submission printed, the beginning of it."""

    @property
    def spent(self) -> float:
        """The seconds that it has taken."""

    @property
    def peak_mb(self) -> int:
        """The memory that it has taken at most, in MB; 0 where that is not known."""

    def load(self, source: bytes, filename: str, settings: Mapping[str, object]) -> str:
        """Send the request to load a submission; return the token of its replies."""

    def post(self, operation: str, *arguments: object) -> str:
        """Send a request and wait for nothing; return the token of its replies."""

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request as they come, each under the deadline."""

    def kill(self) -> None:
        """End it, and everything that it started."""


Opens = Callable[[Allowance], Carrier]
"""Starts a carrier, which takes its time from an allowance."""
