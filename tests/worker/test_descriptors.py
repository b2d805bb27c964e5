"""No descriptor but its own, whoever started the grader."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.core.asking.reply import Returned
from grader.core.errors import GraderFault
from grader.course.courses import ROOT
from grader.sandbox import start
from grader.sandbox.layers import machine_layers
from tests.conftest import MakeClient
from tests.programs.conftest import Opens, opened  # noqa: F401 - a pytest fixture

COUNTS = """\
import os


def player(board):
    found = []
    for number in range(256):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found
"""


@pytest.fixture
def careless() -> Iterator[None]:
    """Leave a pipe, a socket and a file open to whatever this process starts, and let it start anew."""
    pair = socket.socketpair()
    ends = [*os.pipe(), *(one.detach() for one in pair), os.open(__file__, os.O_RDONLY)]
    for end in ends:
        os.set_inheritable(end, True)
    high = [os.dup2(end, 100 + place, inheritable=True) for place, end in enumerate(ends)]
    start.renew()
    yield
    for end in (*ends, *high):
        os.close(end)


@pytest.mark.usefixtures("careless")
def test_a_worker_has_its_own_alone(make_client: MakeClient) -> None:
    assert make_client(COUNTS).call("player", []) == Returned([0, 1, 2, 3, 4, 5])


@pytest.mark.usefixtures("careless")
def test_a_program_has_its_own_alone(opened: Opens) -> None:  # noqa: F811
    terminal = opened(f"{COUNTS}\nprint(player([]))\n")
    terminal.wait(30)
    assert terminal.said == "[0, 1, 2]\n"


@pytest.mark.usefixtures("careless")
def test_the_template_has_its_own_alone(make_client: MakeClient) -> None:
    reply = make_client("import os\n\n\ndef player(board):\n    return os.getppid()\n").call("player", [])
    assert isinstance(reply, Returned)
    assert sorted(int(one.name) for one in Path(f"/proc/{reply.value}/fd").iterdir())[:3] == [0, 1, 2]
    assert len(list(Path(f"/proc/{reply.value}/fd").iterdir())) == 4


def test_one_too_many_keeps_a_worker_from_loading(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Given a template that closes nothing: nothing of the submission is run, and the grader is at fault."""
    leaky = "from grader.worker import template; template.os.closerange = lambda first, last: None; "
    monkeypatch.setattr(start, "PATH", start.PATH + leaky)
    start.renew()
    client = make_client(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(GraderFault, match=r"descriptor \d+ \(.*\) of another process is open in it"):
        client.call("player", [])
    assert not (tmp_path / "ran").exists()
    start.renew()


def test_they_are_a_layer_that_is_tried() -> None:
    machine_layers.cache_clear()
    assert machine_layers()["descriptors"] == ""


@pytest.mark.exhaustive
def test_a_shell_that_hands_files_on(tmp_path: Path) -> None:
    """Given `4>file`: the file stays empty, and the submission finds nothing to write to."""
    source = f"{COUNTS}\n\nfor number in range(5, 200):\n    try:\n        os.write(number, b'here')\n    except OSError:\n        pass\n"
    (tmp_path / "tictactoe.py").write_text(source)
    with (tmp_path / "shared").open("wb") as shared:
        os.set_inheritable(shared.fileno(), True)
        done = subprocess.run(
            [sys.executable, ROOT / "run_grader.py", tmp_path / "tictactoe.py"],
            close_fds=False,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shared").read_bytes() == b""
