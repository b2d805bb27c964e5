"""A machine that has no time changes no verdict: programs are stopped at every turn, and the kernel answers slowly."""

import os
import signal
import time
from contextlib import suppress
from threading import Timer

import pytest

from grader.core.course.rubric import HowToRun, Limits
from grader.programs import processes
from grader.programs import program as programs
from grader.programs import terminal as terminals
from grader.programs.program import Program
from grader.programs.terminal import Terminal
from tests.programs.catalog import BY_NAME, FIXTURES
from tests.programs.test_catalog import skip_without_tools
from tests.sharing import some

RIGHT = [case.name for case in FIXTURES if case.outcome == "graded" and case.name != "two_marks_in_one_turn"]
LIMITS = Limits(load=60, deadline=20, total=60, memory_mb=1024)
FOR_GAMES = 0.06
"""Of the wall-clock backstop: some games, with a hindrance at every turn."""


def go_on(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, signal.SIGCONT)


@pytest.fixture(params=["stopped", "slowly seen"])
def hindered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop a program for a moment whenever a line is typed, or let each look at its threads take long."""
    plain = Terminal.type

    def type_and_stop(terminal: Terminal, line: str) -> None:
        for pid in processes.tree(terminal._inside.pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
            Timer(0.3, go_on, (pid,)).start()
        plain(terminal, line)

    def look_slowly(watched: list[int], name: str) -> processes.Look:
        time.sleep(0.03)
        return processes.look(watched, name)

    if request.param == "stopped":
        monkeypatch.setattr(Terminal, "type", type_and_stop)
    else:
        monkeypatch.setattr(terminals, "look", look_slowly)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", some(RIGHT, 9))
def test_nobody_is_charged_for_the_machine(
    hindered: None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_without_tools(name)
    monkeypatch.setattr(programs, "_UNTIL_GAMES", FOR_GAMES)
    program = Program(BY_NAME[name].files(), LIMITS, HowToRun())
    assert program.discover() == ""
    series = program.play()
    assert series.games and (series.faults, series.doubts) == ([], [])
