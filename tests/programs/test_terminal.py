import time
from pathlib import Path

import pytest

from grader.programs import processes
from grader.programs.terminal import END_OF_INPUT, Turn
from tests.programs.conftest import Opens

PATIENCE = 30.0


def test_it_is_my_turn_when_the_program_waits_for_a_line_and_not_before(opened: Opens) -> None:
    terminal = opened("import time\nprint('one moment'); time.sleep(1)\ninput('now? ')\nprint('thanks')\n")
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert terminal.said == "one moment\nnow? "
    terminal.type("yes")
    assert terminal.wait(PATIENCE) is Turn.ENDED
    assert (terminal.said, terminal.code) == ("thanks\n", 0)
    assert terminal.transcript == "one moment\nnow? yes\nthanks\n"


def test_a_line_that_was_typed_is_read_before_it_is_my_turn_again(opened: Opens) -> None:
    terminal = opened("while True:\n    print('got', input('> '))\n")
    terminal.wait(PATIENCE)
    for number in range(50):
        terminal.type(str(number))
        assert terminal.wait(PATIENCE) is Turn.WAITS
        assert terminal.said == f"got {number}\n> "


def test_the_screen_is_what_a_person_sees(opened: Opens) -> None:
    terminal = opened("print('old'); print('\\x1b[2J\\x1b[H\\x1b[31mnew\\x1b[0m'); print('a\\rb'); input()\n")
    terminal.wait(PATIENCE)
    assert terminal.lines == ["new", "b"]
    assert "\x1b" not in terminal.said


def test_the_end_of_input_is_typed(opened: Opens) -> None:
    terminal = opened("import sys\nprint(repr(sys.stdin.read()))\n")
    terminal.wait(PATIENCE)
    terminal.type(END_OF_INPUT)
    assert terminal.wait(PATIENCE) is Turn.ENDED
    assert "''" in terminal.said


def test_who_waits_for_nothing_is_too_late(opened: Opens) -> None:
    terminal = opened("import time\nprint('wait'); time.sleep(600)\n")
    assert terminal.wait(1.0) is Turn.TOO_LATE


def test_who_prints_without_an_end_is_stopped(opened: Opens) -> None:
    terminal = opened("while True:\n    print('Grade :=>> 100' * 9)\n")
    assert terminal.wait(PATIENCE) is Turn.FLOODS
    assert len(terminal.transcript) <= 20_000


def test_a_child_that_waits_counts_too(opened: Opens) -> None:
    terminal = opened(
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'input(\"child? \")'])\n"
    )
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert terminal.said == "child? "


def test_the_seconds_of_a_program_are_counted_and_not_those_of_the_person(opened: Opens) -> None:
    terminal = opened("import time\ninput('a'); time.sleep(0.5); input('b')\n")
    terminal.wait(PATIENCE)
    before = terminal.seconds
    time.sleep(1)
    terminal.type("")
    terminal.wait(PATIENCE)
    assert 0.4 < terminal.seconds - before < 30


def test_no_descriptor_is_left(opened: Opens) -> None:
    opened("pass").close()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        terminal = opened("input()")
        terminal.wait(PATIENCE)
        terminal.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_who_waits_for_a_processor_does_not_wait_for_a_line(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a thread that waits for several things beside one at work, as Node has, on a machine that has no time for it."""
    terminal = opened(
        "import os, select, threading, time\n"
        "threading.Thread(target=select.select, args=([os.pipe()[0]], [], []), daemon=True).start()\n"
        "input('? ')\n"
        "print('took it', flush=True)\n"
        "end = time.thread_time() + 0.8\n"
        "while time.thread_time() < end:\n"
        "    pass\n"
        "input('reply? ')\n"
    )
    assert terminal.wait(PATIENCE) is Turn.WAITS
    monkeypatch.setattr(processes, "ran", lambda watched: 0.0)
    terminal.type("1")
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert terminal.said == "took it\nreply? "
