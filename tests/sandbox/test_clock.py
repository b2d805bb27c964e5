"""Deadlines count processor time, so a busy machine changes no verdict; sleep is noticed all the same."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from grader.core.asking.reply import Loss, Lost, Returned
from grader.core.asking.worker import Allowance
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.sandbox.process import Process
from grader.sandbox.start import Clock
from tests.conftest import MakeClient

BUSY = "while True: pass"
ASLEEP = "import time; time.sleep(60)"


@pytest.fixture
def running() -> Iterator[Callable[[str], int]]:
    """Give a function that runs a line of Python and returns the number of its process."""
    children = []

    def run(line: str) -> int:
        command = [sys.executable, "-S", "-c", line]
        children.append(subprocess.Popen(command, start_new_session=True))  # a scheduler may share by session
        return children[-1].pid

    yield run
    for child in children:
        child.kill()
        child.wait()


@pytest.mark.parametrize("has_statistics", [True, False])
def test_work_takes_processor_time(
    running: Callable[[str], int], monkeypatch: pytest.MonkeyPatch, *, has_statistics: bool
) -> None:
    def refuse(*_: object) -> int:
        raise OSError

    if not has_statistics:
        monkeypatch.setattr("grader.sandbox.start.os.open", refuse)
    watched = Clock(running(BUSY))
    start = watched.now()
    while watched.since(start) < 0.2:
        time.sleep(0.01)
    assert watched.now().ran - start.ran >= (0.2 if has_statistics else 0.001)
    watched.close()
    assert watched.now() == watched.now()


def share_of_time(child: int, seconds: float) -> float:
    """Return what a process takes, by its clock, as a share of the time that passes meanwhile."""
    time.sleep(0.3)
    watched = Clock(child)
    start, began = watched.now(), time.monotonic()
    time.sleep(seconds)
    found = watched.since(start) / (time.monotonic() - began)
    watched.close()
    return found


def test_sleep_takes_a_third_of_the_time_that_passes(running: Callable[[str], int]) -> None:
    assert 0.25 <= share_of_time(running(ASLEEP), 0.6) <= 0.67


def test_a_stopped_process_is_noticed(running: Callable[[str], int]) -> None:
    child = running(BUSY)
    os.kill(child, signal.SIGSTOP)
    assert share_of_time(child, 0.6) >= 0.25


def test_waiting_for_a_processor_takes_nothing(running: Callable[[str], int]) -> None:
    """Given four that share one core, each takes a quarter of the time that passes."""
    core = {min(os.sched_getaffinity(0))}
    children = [running(BUSY) for _ in range(4)]
    for child in children:
        os.sched_setaffinity(child, core)
    assert share_of_time(children[0], 1.2) <= 0.6


def test_an_allowance_counts_all_processes_together(running: Callable[[str], int]) -> None:
    allowance = Allowance(0.2)
    meters = [allowance.meter(Clock(running(BUSY))) for _ in range(2)]
    while not allowance.used_up:
        time.sleep(0.01)
    spent = allowance.spent
    for meter in meters:
        meter.close()
    assert 0.2 <= spent <= allowance.spent < 5
    assert allowance.sentence == "its processes had taken 0.2 seconds together"


def player(body: str) -> str:
    return f"import time\n\n\ndef player(board):\n    {body}\n    return 'X'\n"


@pytest.mark.exhaustive
def test_a_worker_that_gets_little_of_the_machine_is_not_late(
    make_client: MakeClient, running: Callable[[str], int]
) -> None:
    """Given a worker that shares one core with fifteen others, a call takes longer than its deadline on the wall."""
    core = {min(os.sched_getaffinity(0))}
    client = make_client(player("sum(range(15_000_000))"), Limits(deadline=1.8, load=3))
    assert client.load_failure() is None
    process = client._process
    assert isinstance(process, Process)
    for pid in (process._child.pid, *(running(BUSY) for _ in range(15))):
        os.sched_setaffinity(pid, core)
    began = time.monotonic()
    assert client.ask("player", [("." * 9,)]) == [Returned("X")]  # type: ignore[list-item]
    assert time.monotonic() - began > 1.8


def test_who_sleeps_is_lost(make_client: MakeClient) -> None:
    client = make_client(player("time.sleep(60)"), Limits(deadline=0.2, strikes=1))
    (reply,) = client.ask("player", [("." * 9,)])  # type: ignore[list-item]
    assert isinstance(reply, Lost) and reply.loss is Loss.DEADLINE


def test_past_the_total_nothing_more_is_asked(make_client: MakeClient) -> None:
    source = "def player(board):\n    while True: pass\n\n\ndef winner(board):\n    return None\n"
    client = make_client(source, Limits(deadline=2, strikes=50, total=3))
    began = time.monotonic()
    replies = client.ask("player", [(board,) for board in ("." * 9, "X........", "XO.......")])  # type: ignore[misc]
    assert time.monotonic() - began < 20
    assert isinstance(replies[-1], Lost) and not replies[-1].asked
    assert replies[-1].detail == "not asked, for its processes had taken 3 seconds together"
    (late,) = client.ask("winner", [("." * 9,)])  # type: ignore[list-item]
    assert isinstance(late, Lost) and not late.asked


def test_who_works_a_little_and_sleeps_a_little_ends_in_time(make_client: MakeClient) -> None:
    """Given three times as much sleep as work, which is no sleep by the deadline's measure: somebody waits for it."""
    source = (
        "import time\n\n\ndef player(board):\n    end = time.process_time() + 0.1\n"
        "    while time.process_time() < end:\n        pass\n    time.sleep(0.28)\n    return 'X'\n"
    )
    client = make_client(source, Limits(deadline=2.0, total=3.0, strikes=1))
    started = time.monotonic()
    replies = client.ask("player", [(board,) for board in oracle.running()[:100]])
    assert time.monotonic() - started < 9  # by its work alone it would be 12
    assert isinstance(replies[0], Returned) and isinstance(replies[-1], Lost) and not replies[-1].asked
