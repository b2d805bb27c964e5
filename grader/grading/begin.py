"""A submission put to work at once: it runs beside everything else that a grade needs."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grader.checks.functions import foresee
from grader.checks.imports import refuse_forbidden_imports
from grader.checks.probe import ORDINARY
from grader.checks.sweep import Sweeper
from grader.course import cases, rubric, submission
from grader.course.questions import AnyQuestion, Play, Probe
from grader.course.rubric import Rubric
from grader.course.submission import Submission
from grader.errors import UserError
from grader.grading.settings import Settings
from grader.sandbox.client import Client

_MOMENT: Final = 0.1
"""Seconds for which loading a submission is waited for before anybody is told that there is work to do."""


@dataclass(frozen=True)
class Begun:
    """A submission that is at work already, with the rubric it is graded by."""

    rubric: Rubric
    submission: Submission
    client: Client
    sweeper: Sweeper
    is_told: bool = False
    """Whether its worker knows what will be asked."""

    def close(self) -> None:
        """End its workers."""
        self.sweeper.close()
        self.client.close()


def begin(path: Path, settings: Settings) -> Begun | None:
    """Put the functions of a submission to work; None where that has to wait.

    Raises UserError for a bad path or rubric, before anything of the submission has run.
    """
    loaded = rubric.load(settings.rubric_file)
    if loaded.kind != "functions" or loaded.sandbox == "required" or not settings.fixtures.is_dir():
        return None
    found = submission.read(path, loaded.limits.source_kb)
    begun = begin_with(found, loaded, recall=settings.recall)
    begun.client.begin()
    begun.sweeper.begin()
    with suppress(UserError):  # a mistake in a fixture: pytest tells it, and all others
        questions = [case.question for case in cases.load_all(settings.fixtures, loaded)]
        if begun.client.is_loaded(_MOMENT):
            tell(begun.client, begun.sweeper, questions)
            return replace(begun, is_told=True)
    return begun


def tell(client: Client, sweeper: Sweeper, questions: Iterable[AnyQuestion]) -> None:
    """Let the workers begin with what will be asked, while the judge does its part."""
    if any(isinstance(question, Play) for question in questions):
        sweeper.begin()
    foresee(questions, client)
    for question in questions:
        if isinstance(question, Probe):
            client.foresee_walks(ORDINARY.questions(question.boards))


def begin_with(found: Submission, loaded: Rubric, *, recall: bool) -> Begun:
    """Return what asks a submission; nothing of it has run yet."""
    client = open_client(found, loaded)
    return Begun(loaded, found, client, Sweeper(client, recall))


def open_client(found: Submission, loaded: Rubric) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, loaded.limits, import_paths(loaded))
    if loaded.kind == "functions":
        refuse_forbidden_imports(client, loaded)
    return client


def import_paths(loaded: Rubric) -> list[str]:
    """Return the folders in which the modules that the rubric allows are installed."""
    specs = [find_spec(name) for name in loaded.imports.allowed]
    origins = [spec.origin for spec in specs if spec and spec.origin]
    parents = [Path(origin).parent for origin in origins]
    return sorted({str(folder.parent if (folder / "__init__.py").exists() else folder) for folder in parents})
