"""Tells workers what will be asked, so that they are at it while the judge does its part."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.asking.client import Client
from grader.core.checks.functions import foresee
from grader.core.checks.probe import ORDINARY
from grader.core.checks.sweep import Sweeper
from grader.core.course.questions import AnyQuestion, Play, Probe
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.course import cases

_MOMENT: Final = 0.1
"""Seconds for which a submission that is being loaded is waited for here, where nobody is shown progress."""


def tell_all(client: Client, sweeper: Sweeper, fixtures: Path, rubric: Rubric) -> bool:
    """Tell the workers what the fixtures in a folder ask; return False where that has to wait."""
    with suppress(UserError):  # a mistake in a fixture: pytest tells it, and all others
        questions = [case.question for case in cases.load_all(fixtures, rubric)]
        if client.worker.is_loaded(_MOMENT):
            tell(client, sweeper, questions)
            return True
    return False


def tell(client: Client, sweeper: Sweeper, questions: Sequence[AnyQuestion]) -> None:
    """Tell the workers what these questions ask."""
    if any(isinstance(question, Play) for question in questions):
        sweeper.begin()
    foresee(questions, client)
    for question in questions:
        if isinstance(question, Probe):
            client.foresee_walks(ORDINARY.questions(question.boards))
