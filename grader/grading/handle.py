"""The submission's functions, as an instructor's own tests call them: through the worker."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.checks.outcome import no_answer
from grader.core.checks.sweep import Sweeper
from grader.core.game.board import from_lists
from grader.core.game.interface import FUNCTIONS
from grader.core.grade import Status
from grader.core.text import lines_of


class NoAnswer(AssertionError):
    """A call of the submission gave no value; the status says how."""

    def __init__(self, status: Status, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class SubmissionRaised(NoAnswer):
    """A call of the submission raised an exception."""


class _Function:
    """One function of a submission; in the words of a failed assertion it is what the test called."""

    def __init__(self, client: Client, name: str, sweeper: Sweeper | None) -> None:
        self._client, self._name, self._sweeper = client, name, sweeper

    def __repr__(self) -> str:
        return f"submission.{self._name}"

    def __call__(self, *arguments: object) -> Any:
        if not self._client.submission.is_gradable:
            pytest.skip(self._client.submission.problem or "")
        reply = self._swept(*arguments) or self._client.call(self._name, *arguments)
        if isinstance(reply, Returned):
            return deepcopy(reply.value)  # equal replies are one object, which a test must not change
        nothing = no_answer(self._name, reply)
        assert nothing
        status, reason = nothing
        if isinstance(reply, Raised):
            raise SubmissionRaised(status, f"{reason}{self._elsewhere(reply.line)}")
        raise NoAnswer(status, str(reason))

    def _elsewhere(self, line: int) -> str:
        """Return a sentence on a line that is in another function of the assignment, or nothing."""
        outline = self._client.outline()
        found = outline.function_at(line, lines_of(self._client.submission.source.decode("utf-8", "replace")))
        if found not in FUNCTIONS or found == self._name or outline.helpers:
            return ""
        return f" Line {line} is in `{found}`."

    def _swept(self, *arguments: object) -> Reply | None:
        """Return the reply of minimax on a reachable board if the sweep has it with recall, else None."""
        if self._sweeper is None or self._name != "minimax" or len(arguments) != 1:
            return None
        board = from_lists(arguments[0])
        return self._sweeper.recalled_reply(board) if board else None


class Handle:
    """Calls a submission's functions by name: `submission.player(board)` gives plain data.

    With a sweeper, `minimax` replies what it replied in the sweep, if that was with recall.
    """

    Raised = SubmissionRaised

    def __init__(self, client: Client, sweeper: Sweeper | None = None) -> None:
        self._client, self._sweeper = client, sweeper

    def __repr__(self) -> str:
        return "submission"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Function(self._client, name, self._sweeper)
