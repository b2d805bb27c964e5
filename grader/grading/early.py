"""A submission put to work on the rubric's word, before the rubric has been validated.

To validate it takes longer than to read it. So what a rubric says of limits is believed for that long:
whoever goes on (`begin`) holds it against the rubric, and if they differ, starts anew.
"""

import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.core.asking.client import Client
from grader.core.checks.sweep import Sweeper, sweep_order
from grader.core.course import submission
from grader.core.course.limits import Limits
from grader.core.course.submission import Submission
from grader.core.errors import UserError
from grader.course import extends
from grader.grading.settings import Settings
from grader.sandbox.process import Process


@dataclass(frozen=True)
class AtWork:
    """A submission whose file is being loaded, and whose copy is being swept."""

    client: Client
    sweeper: Sweeper
    started: float

    def close(self) -> None:
        """End its workers."""
        self.sweeper.close()
        self.client.close()


def start_early(path: Path, settings: Settings) -> AtWork | None:
    """Let a submission be loaded and swept; None where the rubric may not want that."""
    with suppress(UserError):  # who goes on will find it too, and tell
        said = extends.load(settings.rubric_file).data
        limits = _limits_of(said)
        if limits and settings.fixtures.is_dir():
            found = submission.read(path, limits.source_kb, notebooks=said.get("notebooks") is True)
            return _started(found, limits, settings.recall)
    return None


def _limits_of(said: Any) -> Limits | None:
    """Return the limits of a rubric that lets functions be run, if it has the form of one."""
    if not isinstance(said, dict) or said.get("sandbox") == "required":
        return None
    limits = said.get("limits", {})
    if said.get("kind", "functions") != "functions" or not isinstance(limits, dict):
        return None
    if not all(type(limit) in (int, float) and limit > 0 for limit in limits.values()):
        return None
    with suppress(TypeError):  # a limit that there is not
        return Limits(**limits)
    return None


def _started(found: Submission, limits: Limits, recall: bool) -> AtWork | None:
    """Return a submission at work, unless it cannot be run or imports what has to be allowed."""
    if found.problem:
        return None
    client = Client(found, limits, Process)
    early = AtWork(client, Sweeper(client, recall), time.perf_counter())
    with ExitStack() as unless_done:
        unless_done.callback(early.close)
        client.worker.begin_outline()
        sweep_order()  # meanwhile: all boards have to be found
        if not client.looks_runnable() or client.outline().foreign():
            return None
        client.worker.begin()
        early.sweeper.begin()
        unless_done.pop_all()
    return early
