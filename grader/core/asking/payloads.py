"""What a worker sends back, read with no trust: whatever it would not have written is a breach."""

from collections.abc import Sequence
from contextlib import suppress

from grader.core.asking import decode
from grader.core.asking.carrier import breach
from grader.core.asking.reply import Reply, replies_of


def replies_in(payloads: Sequence[bytes]) -> list[Reply]:
    """Return the replies in payloads."""
    try:
        return replies_of(payloads)
    except ValueError:
        raise breach() from None


def seconds_in(payload: bytes) -> float:
    """Return how long the calls of a request ran inside the submission, from its last reply."""
    with suppress(ValueError):
        match decode.data_of(payload):
            case ["done", int(microseconds), list()]:
                return microseconds / 1e6
    raise breach()
