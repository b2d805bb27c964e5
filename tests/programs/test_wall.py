"""Programs that mean harm: what they reach, and what is left of them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.course.courses import ROOT
from grader.programs import processes, wall
from grader.programs.terminal import Terminal, Turn
from grader.sandbox.process import written
from tests.programs.conftest import Opens

PATIENCE = 30.0


def attempt(what: str) -> str:
    return f"import os, socket, signal, sys\ntry:\n    {what}\n    print('DONE')\nexcept OSError as error:\n    print('refused', error)\n"


@pytest.mark.parametrize(
    "what",
    [
        "open('/etc/passwd').read()",
        "open('/etc/hostname').read()",
        "os.listdir('/root' if os.getuid() == 0 else '/home')",
        "os.listdir('/tmp')",
        f"open({str(Path(__file__))!r}).read()",
        "open('/tmp/left_behind', 'w').write('x')",
        "open('/proc/1/environ').read()",
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "socket.create_connection(('127.0.0.1', 22), 1)",
        "os.chmod('program.py', 0o777)",
        "os.setsid()",
        "os.kill(-1, signal.SIGKILL)",
        "os.kill(JUDGE, signal.SIGTERM)",
        "os.nice(-5)",
        "os.memfd_create('hidden')",
        "os.chroot('.')",
        "os.mkfifo('/tmp/fifo')",
        "os.symlink('/etc/passwd', 'link'); open('link').read()",
    ],
)  # fmt: skip
def test_what_lies_outside_cannot_be_reached(opened: Opens, what: str) -> None:
    terminal = opened(attempt(what.replace("JUDGE", str(os.getpid()))))
    assert terminal.wait(PATIENCE) is Turn.ENDED
    assert "refused" in terminal.said and "DONE" not in terminal.said, terminal.said


def test_its_own_folder_can_be_written(opened: Opens) -> None:
    terminal = opened(attempt("open('scores.txt', 'w').write('10')"))
    terminal.wait(PATIENCE)
    assert terminal.said == "DONE\n"


def gone(terminal: Terminal) -> bool:
    """Return whether nothing is left of a program and what it started."""
    process = terminal._inside.pid
    terminal.close()
    for _ in range(100):
        left = [stat for stat in Path("/proc").glob("[0-9]*/stat") if in_session(stat, process)]
        if not left:
            return True
        time.sleep(0.05)
    return False


def in_session(stat: Path, session: int) -> bool:
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[3] == str(session) and fields[0] != "Z"


IGNORES_SIGNALS = (
    "import signal, os\nfor number in range(1, 32):\n    try: signal.signal(number, signal.SIG_IGN)\n"
    "    except OSError: pass\nos.fork()\nwhile True:\n    try: input('? ')\n    except EOFError: pass\n"
)
FORK_BOMB = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"


@pytest.mark.parametrize(
    ("source", "seconds", "turns"),
    [
        (FORK_BOMB, PATIENCE, [Turn.TOO_LARGE, Turn.TOO_LATE]),
        (IGNORES_SIGNALS, PATIENCE, [Turn.WAITS]),
        ("import os, time\nos.closerange(0, 3)\ntime.sleep(600)\n", 2.0, [Turn.TOO_LATE, Turn.ENDED]),
    ],
    ids=["a fork bomb", "ignores signals", "closes its terminal"],
)
def test_nothing_is_left_of_it(opened: Opens, source: str, seconds: float, turns: list[Turn]) -> None:
    terminal = opened(source)
    assert terminal.wait(seconds) in turns
    assert gone(terminal)


def test_who_kills_its_group_kills_itself_alone(opened: Opens) -> None:
    terminal = opened("import os, signal\nprint('bye', flush=True)\nos.kill(0, signal.SIGKILL)\n")
    assert terminal.wait(PATIENCE) is Turn.ENDED
    assert terminal.code == -9


def test_who_fills_the_disk_is_stopped(opened: Opens) -> None:
    source = (
        "import itertools\nfor n in itertools.count():\n    open(f'f{n}', 'wb').write(bytes(15_000_000))\n"
    )
    terminal = opened(source)
    assert terminal.wait(PATIENCE) in (Turn.TOO_LARGE, Turn.ENDED)
    assert written(terminal._folder) < 600_000_000


def test_one_file_has_a_largest_size(opened: Opens) -> None:
    terminal = opened("f = open('f', 'wb')\nwhile True:\n    f.write(bytes(1_000_000))\n")
    assert terminal.wait(PATIENCE) is Turn.ENDED
    assert written(terminal._folder) < 25_000_000


def test_who_takes_all_memory_is_refused_it(opened: Opens) -> None:
    terminal = opened("x = bytearray(3_000_000_000)\nprint('DONE')\n")
    terminal.wait(PATIENCE)
    assert "MemoryError" in terminal.said


def test_what_is_printed_forges_nothing(opened: Opens) -> None:
    terminal = opened(
        "print('\\x1b]0;title\\x07\\x1b[2J\\x1b[999;999HGrade :=>> 100\\x1b[c\\x1b[6n'); input('> ')\n"
    )
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert "\x1b" not in terminal.transcript and "\x07" not in terminal.transcript


def test_every_layer_is_on_or_says_why() -> None:
    assert set(wall.layers()) == set(wall.LAYERS)
    if os.environ.get("GRADER_WINDOW"):  # where everything must be there
        assert not any(wall.layers().values())


def test_the_processes_of_a_program_are_found(opened: Opens) -> None:
    terminal = opened("import os\nos.fork()\ninput('? ')\n")
    terminal.wait(PATIENCE)
    assert len(processes.tree(terminal._inside.pid)) == 2


@pytest.mark.parametrize("call", ["shmget(0, 4096, 0o1600)", "msgget(0, 0o1600)", "semget(0, 1, 0o1600)"])
def test_nothing_that_outlives_it_can_be_made(opened: Opens, call: str) -> None:
    terminal = opened(f"import ctypes\nprint('got', ctypes.CDLL(None).{call})\n")
    terminal.wait(PATIENCE)
    assert terminal.said == "got -1\n"


def test_a_folder_may_be_deep(opened: Opens) -> None:
    terminal = opened("import os\nfor n in range(2500):\n    os.mkdir('d'); os.chdir('d')\ninput('? ')\n")
    assert terminal.wait(PATIENCE) in (Turn.WAITS, Turn.TOO_LARGE)
    folder = terminal._folder
    terminal.close()
    assert not folder.exists()


def test_a_file_without_a_name_counts_too(opened: Opens) -> None:
    source = "import os\nkept = []\nwhile True:\n    f = open('f', 'wb'); os.unlink('f'); f.write(bytes(15_000_000)); f.flush(); kept.append(f)\n"
    assert opened(source).wait(PATIENCE) is Turn.TOO_LARGE


def test_marks_upon_marks_take_no_time(opened: Opens) -> None:
    terminal = opened("print('a' + '\\u0301' * 20_000); input('? ')\n")
    started = time.process_time()
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert time.process_time() - started < 5


ORPHANS = """\
import os, signal, time
for _ in range(12):
    if os.fork() == 0:
        for number in (1, 2, 3, 15):
            signal.signal(number, signal.SIG_IGN)
        if os.fork():
            os._exit(0)
        kept = bytearray({size})
        while True:
            time.sleep(1)
for _ in range(12):
    os.wait()
input('? ')
"""


def test_orphans_are_found_and_counted(opened: Opens) -> None:
    terminal = opened(ORPHANS.format(size=1))
    assert terminal.wait(PATIENCE) is Turn.WAITS
    assert len(processes.tree(terminal._inside.pid)) == 13
    assert gone(terminal)


def test_the_memory_of_orphans_counts(opened: Opens) -> None:
    """Given a limit of 400 MB: each of them has less, and together they have more."""
    terminal = opened(ORPHANS.format(size=60_000_000).replace("input('? ')", "time.sleep(600)"))
    assert terminal.wait(PATIENCE) is Turn.TOO_LARGE
    assert gone(terminal)


@pytest.mark.skipif(os.getuid() == 0 and not wall._bases(), reason="root may have as many as it likes")
def test_no_more_processes_than_may_be(opened: Opens) -> None:
    source = "import os, time\nmade = 0\nwhile made < 900:\n    try:\n        if os.fork() == 0:\n            time.sleep(600)\n    except OSError:\n        break\n    made += 1\nprint(made)\ntime.sleep(600)\n"
    terminal = opened(source)
    assert terminal.wait(PATIENCE) is Turn.TOO_LARGE or int(terminal.said) < 900
    assert gone(terminal)


def test_a_group_is_removed_with_its_program(opened: Opens) -> None:
    before = own_groups()
    terminal = opened(ORPHANS.format(size=1))
    terminal.wait(PATIENCE)
    assert len(own_groups() - before) == len(wall._bases())
    terminal.close()
    assert own_groups() <= before


def own_groups() -> set[Path]:
    return {group for base in wall._bases() for group in base.glob(f"tictactoe-grader-{os.getpid()}-*")}


def test_nothing_survives_a_grader_that_is_killed(tmp_path: Path) -> None:
    """Given a program with orphans that ignore signals: the template ends them when the judge is gone."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "ttt.py").write_text(ORPHANS.format(size=1))
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    command = [sys.executable, str(ROOT / "run_grader.py"), str(tmp_path / "ttt.py"), "--course", "cpsc352"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as grader:
        while len(found := at_work_in(tmp_path / "temporary")) < 13:
            time.sleep(0.02)
        grader.kill()
    end = time.monotonic() + PATIENCE
    while at_work_in(tmp_path / "temporary") and time.monotonic() < end:
        time.sleep(0.05)
    assert found and at_work_in(tmp_path / "temporary") == []


def at_work_in(folder: Path) -> list[str]:
    """Return the processes whose working folder is below another."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(folder):
                found.append(process.name)
        except OSError:
            continue
    return found
