"""What the tests share: submissions written on the spot, and clients for them."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from grader.core.asking.client import Client
from grader.core.checks.blame import Blamer
from grader.core.checks.outcome import Context
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import DESCRIBED
from grader.core.course.rubric import Limits, Rubric
from grader.core.course.submission import Handed, Submission
from grader.course.courses import ROOT
from grader.grading.linter import ruff
from grader.sandbox.process import Process
from tests.sharing import ALL, Share, left_to_exhaustive, scheduler, without

if "PYTEST_XDIST_WORKER" not in os.environ:  # what a user keeps of courses is neither used nor changed
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "tictactoe-grader", "wasm")
    os.environ["XDG_CACHE_HOME"] = mkdtemp(prefix="grader-tests-")
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)
    if own.is_dir():  # the sandbox for WebAssembly takes half a minute to build
        shutil.copytree(own, Path(os.environ["XDG_CACHE_HOME"], own.parent.name, own.name))

os.environ["LC_ALL"] = "C.UTF-8"  # the command speaks English here, wherever the tests run

pytest_plugins = ["pytester", "tests.classroom.cluster"]

OWN_WAY = "loadscope"
"""The way of pytest-xdist to hand out tests of which ours is one."""

HERE = Path(__file__).parent
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
"""The environment of a program that is run as a user runs it, and not by a test."""

QUICK = Limits(deadline=1.0, load=1.0, strikes=2, sweep_budget=20.0)

MakeClient = Callable[..., Client]


def started(command: Sequence[str], **how: Any) -> "subprocess.Popen[Any]":
    """Start a command that hears Ctrl-C: a job in the background, or a child of one, would ignore it."""

    def hear() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    return subprocess.Popen(command, preexec_fn=hear, **how)  # noqa: PLW1509


def submission_of(
    source: str | bytes, name: str = "tictactoe.py", helpers: Mapping[str, str] | None = None
) -> Submission:
    raw = source.encode() if isinstance(source, str) else source
    own = [Handed(file, len(text), text.encode()) for file, text in (helpers or {}).items()]
    return Submission(name, Path(name), raw, helpers=tuple(own))


def context_for(client: Client, rubric: Rubric, *, recall: bool = True, worth: float = 1.0) -> Context:
    """Return what a check of this client's submission may use."""
    stylist = Stylist(client.submission.source, rubric.style, DESCRIBED, ruff)
    sweeper = Sweeper(client, recall)
    return Context(client, sweeper, rubric, stylist, Blamer(client, sweeper), worth)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run the suite on all cores, if pytest-xdist is here and nothing else is said (-n0: one after the other).

    Two more at once than there are cores: many tests wait, for a deadline or for a process to end. Tests
    that share something run on one of them.
    """
    distributed = config.pluginmanager.has_plugin("xdist") and not hasattr(config, "workerinput")
    if distributed and config.option.numprocesses != 0 and config.option.dist == "no":
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        config.option.numprocesses = config.option.numprocesses or cores + 2
        config.option.dist = OWN_WAY


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out together what shares something, if nothing else is said."""
    return scheduler(config, log) if config.option.dist == OWN_WAY else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz", type=int, default=1_500, help="how many replies the fuzz test makes up")
    parser.addoption("--exhaustive", action="store_true", help="also the whole of what a sample stands for")
    parser.addoption(
        "--share", type=Share.from_text, default=ALL, metavar="1/8", help="of what is exhaustive, a part only"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is exhaustive, unless somebody asks for it, or for its file or folder."""
    left = left_to_exhaustive(items)
    if config.getoption("--exhaustive"):
        _leave_out(config, items, without(left, config.getoption("--share")))
        return
    named = {Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args}
    named -= {HERE, HERE.parent}
    _leave_out(config, items, [item for item in left if named.isdisjoint((item.path, *item.path.parents))])


def _leave_out(config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]) -> None:
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        unwanted = set(left_out)
        items[:] = [item for item in items if item not in unwanted]


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """Give a function that opens a client for a source; all are closed after the test."""
    clients: list[Client] = []

    def make(source: str | bytes, limits: Limits = QUICK, **helpers: str) -> Client:
        own = {f"{name.replace('__in__', '/')}.py": text for name, text in helpers.items()}
        clients.append(Client(submission_of(source, helpers=own), limits, Process))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def reference_source() -> str:
    return (ROOT / "submission" / "tictactoe.py").read_text()
