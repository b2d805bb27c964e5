"""A fixture: a YAML file of cases for one criterion, as people write it."""

from typing import Annotated

from pydantic import Discriminator

from grader.core.course.questions import AnyQuestion, FunctionName
from grader.core.values import Reads, Written, said


def _with_checks(cases: object) -> object:
    """Return the cases; one that names no check asks for the right answer."""
    if not isinstance(cases, list):
        return cases
    return [{"check": "answer", **case} if isinstance(case, dict) else case for case in cases]


class Fixture(Written):
    """A file of cases for one criterion."""

    criterion: str = said("The criterion of the rubric whose points these cases share.")
    function: FunctionName | None = said("Default: the criterion, if it is one.", default=None)
    cases: Annotated[tuple[Annotated[AnyQuestion, Discriminator("check")], ...], Reads(_with_checks)] = said(
        min_length=1
    )
