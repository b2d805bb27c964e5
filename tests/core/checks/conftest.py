"""What the tests of checks share: a context for a source."""

from collections.abc import Callable

import pytest

from grader.core.checks.outcome import Context
from grader.core.course.rubric import Criterion, Limits, Rubric
from tests.conftest import MakeClient, context_for

RUBRIC = Rubric(title="T", criteria=(Criterion(id="a", description="A", points=10),))
MakeContext = Callable[..., Context]


@pytest.fixture
def context_of(make_client: MakeClient) -> MakeContext:
    def make(
        source: str, rubric: Rubric = RUBRIC, worth: float = 2.0, recall: bool = True, **limits: float
    ) -> Context:
        client = make_client(source, Limits(**limits)) if limits else make_client(source)  # type: ignore[arg-type]
        return context_for(client, rubric, recall=recall, worth=worth)

    return make
