"""The submission's functions, as an instructor's own tests call them: through the worker."""

from collections.abc import Callable
from typing import Any

import pytest

from grader.checks.outcome import no_answer
from grader.grade import Status
from grader.sandbox.client import Client
from grader.sandbox.reply import Raised, Returned


class NoAnswer(AssertionError):
    """A call of the submission gave no value; the status says how."""

    def __init__(self, status: Status, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class SubmissionRaised(NoAnswer):
    """A call of the submission raised an exception."""


class Handle:
    """Calls a submission's functions by name: `submission.player(board)` gives plain data."""

    Raised = SubmissionRaised

    def __init__(self, client: Client) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*arguments: object) -> Any:
            if not self._client.submission.is_gradable:
                pytest.skip(self._client.submission.problem or "")
            reply = self._client.call(name, *arguments)
            if isinstance(reply, Returned):
                return reply.value
            nothing = no_answer(name, reply)
            assert nothing
            status, reason = nothing
            raise (SubmissionRaised if isinstance(reply, Raised) else NoAnswer)(status, str(reason))

        return call
