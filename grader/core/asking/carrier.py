"""What carries questions to a submission and its answers back: across the wall, or inside."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from grader.core.asking.allowance import Allowance
from grader.core.asking.reply import Loss
from grader.worker.wire import MAX_REPLY


class WorkerLost(Exception):
    """The worker hung, died or broke the protocol; it has been killed."""

    def __init__(self, loss: Loss, detail: str) -> None:
        self.loss, self.detail = loss, detail
        super().__init__(detail)


def breach() -> WorkerLost:
    """Return the loss of a worker that broke the protocol."""
    return WorkerLost(Loss.BREACH, "its worker sent something that is no answer")


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
