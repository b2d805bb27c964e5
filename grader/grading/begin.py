"""A submission put to work at once: it runs beside everything else that a grade needs."""

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from grader.core.asking.client import Client
from grader.core.checks.imports import refuse_forbidden_imports
from grader.core.checks.sweep import Sweeper
from grader.core.course import submission
from grader.core.course.rubric import Rubric
from grader.core.course.submission import Submission
from grader.course import rubric
from grader.grading import demands
from grader.grading.ahead import tell_all
from grader.grading.early import AtWork
from grader.grading.settings import Settings
from grader.sandbox.process import Process


@dataclass(frozen=True)
class Begun(AtWork):
    """A submission that is at work already, with the rubric it is graded by."""

    rubric: Rubric
    is_told: bool = False
    """Whether its worker knows what will be asked."""


def begin(path: Path, settings: Settings, early: AtWork | None = None) -> Begun | None:
    """Put the functions of a submission to work, if they are not so yet; None where that has to wait.

    Raises UserError for a bad path or rubric; what was started early is then the caller's to end.
    """
    loaded = rubric.load(settings.rubric_file)
    if loaded.kind != "functions" or loaded.sandbox == "required" or not settings.fixtures.is_dir():
        return None
    begun = _adopted(early, loaded) if early else None
    if begun is None:
        found = submission.read(path, loaded.limits.source_kb, notebooks=loaded.notebooks)
        begun = begin_with(found, loaded, settings.rubric_file, recall=settings.recall)
    with ExitStack() as unless_done:
        unless_done.callback(begun.close)
        begun.client.worker.begin()
        begun.sweeper.begin()
        told = tell_all(begun.client, begun.sweeper, settings.fixtures, loaded)
        unless_done.pop_all()
    return replace(begun, is_told=told)


def _adopted(early: AtWork, loaded: Rubric) -> Begun | None:
    """Return a submission that was put to work early, unless its rubric has proved to be another."""
    if early.client.limits == loaded.limits and not loaded.imports.allowed:
        return Begun(early.client, early.sweeper, early.started, loaded)
    early.close()
    return None


def begin_with(found: Submission, loaded: Rubric, rubric_file: Path, *, recall: bool) -> Begun:
    """Return what asks a submission, if the machine is as the rubric demands; nothing of it has run yet."""
    client = open_client(found, loaded, rubric_file)
    return Begun(client, Sweeper(client, recall), time.perf_counter(), loaded)


def open_client(found: Submission, loaded: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, loaded.limits, Process, demands.met(loaded, rubric_file))
    if loaded.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, loaded)
    return client
