"""What the tests share: submissions written on the spot, and clients for them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.grading import ROOT
from grader.rubric import Limits
from grader.sandbox.client import Client
from grader.submission import Submission

pytest_plugins = ["pytester"]

SUBMISSIONS = Path(__file__).parent / "submissions"
PLAIN = (SUBMISSIONS / "correct" / "plain_deepcopy.py").read_text()
QUICK = Limits(deadline=1.0, strikes=2, sweep_budget=20.0)

MakeClient = Callable[..., Client]


def submission_of(source: str | bytes, name: str = "tictactoe.py") -> Submission:
    raw = source.encode() if isinstance(source, str) else source
    return Submission(name, Path(name), raw)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz", type=int, default=1_500, help="how many replies the fuzz test makes up")


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """Give a function that opens a client for a source; all are closed after the test."""
    clients: list[Client] = []

    def make(source: str | bytes, limits: Limits = QUICK) -> Client:
        clients.append(Client(submission_of(source), limits))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def reference_source() -> str:
    return (ROOT / "submission" / "tictactoe.py").read_text()
