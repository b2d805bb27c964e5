import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from grader.core.course.rubric import Limits
from grader.programs import processes
from grader.programs import terminal as terminals
from grader.programs.built import Built
from grader.programs.recipes import Recipe
from grader.programs.terminal import END_OF_INPUT, Terminal, Turn
from grader.programs.wall import Inside, find
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


def test_a_program_that_takes_the_terminal_for_itself_at_once_shuts_nobody_out(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a terminal that cannot be opened from the moment on at which the program is started."""

    def started(*given: Any) -> Any:
        program = Inside(*given)
        monkeypatch.setattr(os, "open", lambda *_: pytest.fail("opened too late"))
        return program

    monkeypatch.setattr(terminals, "Inside", started)
    terminal = opened('print("your move")\ninput()\n')
    monkeypatch.undo()
    assert terminal.wait(PATIENCE) is Turn.WAITS


def test_who_was_not_woken_yet_has_not_read_what_is_echoed_already(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a kernel that is interrupted between the echo of a line and waking who waits for it."""
    terminal = opened("import time\nline = input('> ')\ntime.sleep(1)\nprint('got', line)\ninput('> ')\n")
    assert terminal.wait(PATIENCE) is Turn.WAITS
    asleep, until = (
        processes.look(processes.tree(terminal._inside.pid), terminal._name),
        time.monotonic() + 0.7,
    )
    assert asleep.is_turn
    monkeypatch.setattr(
        terminals, "look", lambda *given: asleep if time.monotonic() < until else processes.look(*given)
    )
    terminal.type("7")
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert terminal.said == "got 7\n> "


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


def test_time_in_which_nobody_could_look_is_not_the_programs(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a disk that holds up whoever counts what was written, and a program that thinks for a moment."""
    terminal = opened("import time\ntime.sleep(1)\ninput('now? ')\n")

    def slowly(_: Path) -> int:
        time.sleep(3)
        return 0

    monkeypatch.setattr(terminals, "written", slowly)
    assert terminal.wait(2.0) is Turn.WAITS
    assert terminal.seconds < 2


def test_time_in_which_the_program_waits_for_a_disk_is_not_its_own(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a kernel that says of a program, for two seconds, that it waits for a disk."""
    terminal = opened("import time\ntime.sleep(3)\ninput('now? ')\n")
    until = time.monotonic() + 2

    def held_up(*given: Any) -> processes.Look:
        return processes.look(*given)._replace(held=time.monotonic() < until)

    monkeypatch.setattr(terminals, "look", held_up)
    assert terminal.wait(2.0) is Turn.WAITS
    assert terminal.seconds < 2


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


def test_the_seconds_of_a_program_are_counted_and_not_those_of_the_person(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_waited", lambda task: 0)
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


def test_a_run_that_takes_no_time_by_the_kernels_clock_is_seen(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a virtual machine: about one short run in ten thousand adds nothing to a thread's processor time."""
    read = processes.read

    def without_time(file: str) -> str:
        return " ".join(["1", *read(file).split()[1:]]) if file.endswith("schedstat") else read(file)

    monkeypatch.setattr(processes, "read", without_time)
    terminal = opened("while True:\n    print('got', input('> '))\n")
    terminal.wait(PATIENCE)
    terminal.type("1")
    assert terminal.wait(2.0) is Turn.WAITS


def test_what_nobody_reads_is_not_drawn(opened: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a flood, which would take longer to draw than to print."""
    monkeypatch.setattr(terminals, "feed", lambda *given: pytest.fail("drawn"))
    assert opened("while True:\n    print('no such square')\n").wait(PATIENCE) is Turn.FLOODS


NODE = """
const lines = require('readline').createInterface({ input: process.stdin, output: process.stdout });
const work = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
const rest = (ms) => new Promise((done) => setTimeout(done, ms));
const ask = (text) => new Promise((done) => lines.question(text, done));
(async () => {
  for (let turn = 0; ; turn++) {
    await ask(`turn ${turn} `);
    console.log('took it');
    work(100);
    await rest(600);
    console.log('replied');
  }
})();
"""


def in_node(tmp_path: Path) -> Terminal:
    if find("node") is None:
        pytest.skip("no node on this machine")
    (tmp_path / "game.js").write_text(NODE)
    recipe = Recipe("JavaScript", "game.js", (), ("node", "game.js"), ("node",), virtual_machine=True)
    return Built(recipe, tmp_path, Limits(memory_mb=1000)).opened()


def stopped_at_every_turn(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the program for half a second whenever a line was typed."""
    plain = terminal.type

    def type_and_stop(line: str) -> None:
        pids = processes.tree(terminal._inside.pid)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        plain(line)
        for pid in pids:
            Timer(0.5, os.kill, (pid, signal.SIGCONT)).start()

    monkeypatch.setattr(terminal, "type", type_and_stop)


def slow_reader(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the threads take long."""

    def slowly(watched: list[int], name: str) -> processes.Look:
        time.sleep(0.2)
        return processes.look(watched, name)

    monkeypatch.setattr(terminals, "look", slowly)


@pytest.mark.exhaustive
@pytest.mark.parametrize("hindered", [stopped_at_every_turn, slow_reader])
def test_an_event_loop_that_rests_is_not_waiting_for_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hindered: Callable[..., None]
) -> None:
    """Given a program that could read a line at any time, but has a clock running until it replies."""
    with in_node(tmp_path) as terminal:
        assert terminal.wait(PATIENCE) is Turn.WAITS and terminal.said == "turn 0 "
        hindered(terminal, monkeypatch)
        for turn in (1, 2):
            terminal.type("1")
            assert terminal.wait(PATIENCE) is Turn.WAITS
            assert terminal.said.lstrip() == f"took it\nreplied\nturn {turn} "


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "wait",
    [
        "select.select([0], [], [])",
        "p = select.poll(); p.register(0); p.poll()",
        "e = select.epoll(); e.register(0, 1); e.poll()",
    ],
)
def test_whoever_waits_for_several_things_waits_for_a_line_if_the_terminal_is_one_of_them(
    opened: Opens, wait: str
) -> None:
    beside = "select.select([os.pipe()[0]], [], [])"
    terminal = opened(f"import os, select\n{wait}\nprint('read', os.read(0, 9))\n{beside}\n")
    assert terminal.wait(PATIENCE) is Turn.WAITS
    terminal.type("1")
    assert terminal.wait(3.0) is Turn.TOO_LATE  # a pipe is no terminal
    assert "read b'1" in terminal.said


def test_a_line_that_is_not_shown_is_read_before_it_is_my_turn_again(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = opened("import getpass\nwhile True:\n    print('got', getpass.getpass('> '))\n")
    terminal.wait(PATIENCE)
    stopped_at_every_turn(terminal, monkeypatch)
    for number in range(3):
        terminal.type(str(number))
        assert terminal.wait(PATIENCE) is Turn.WAITS
        assert terminal.said.strip().startswith(f"got {number}\n")


def test_the_judges_own_marker_is_never_seen(opened: Opens) -> None:
    terminal = opened("import time\nfor _ in range(5):\n    time.sleep(0.05)\n    input('> ')\n")
    while terminal.wait(PATIENCE) is Turn.WAITS:
        terminal.type("1")
    assert terminal.transcript == "> 1\n" * 5
    halves = terminal._marker[:7], terminal._marker[7:]
    terminal._sent = True
    assert [terminal._without_marker(part) for part in (b"a" + halves[0], halves[1] + b"b\x00")] == [
        b"a",
        b"b\x00",
    ]
