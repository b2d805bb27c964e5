"""Kernels that people have: every version of Landlock is simulated, and what it does not guard is refused."""

import os
import sys
from pathlib import Path

import pytest

from grader.core.asking.reply import Returned
from grader.programs import wall
from grader.programs.terminal import Turn
from grader.sandbox import process
from grader.sandbox.layers import LAYERS
from tests.conftest import MakeClient
from tests.programs.conftest import Opens, opened  # noqa: F401 - a pytest fixture

if sys.platform != "linux":
    pytest.skip("Landlock is Linux's", allow_module_level=True)

VERSIONS = range(8)
JUDGE = os.getpid()
WAYS = {
    "fcntl says whom to tell": "fcntl.fcntl(0, fcntl.F_SETOWN, JUDGE)",
    "fcntl says whom to tell, in another way": "fcntl.fcntl(0, 15, struct.pack('ii', 1, JUDGE))",
    "fcntl says which signal": "fcntl.fcntl(0, fcntl.F_SETSIG, 9)",
    "fcntl leases a file": "fcntl.fcntl(0, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    "fcntl watches a folder": "fcntl.fcntl(0, fcntl.F_NOTIFY, 1)",
    "ioctl says whom to tell": "fcntl.ioctl(0, 0x8901, struct.pack('i', JUDGE))",
    "ioctl says whom to tell, by the socket's word": "fcntl.ioctl(0, 0x8902, struct.pack('i', JUDGE))",
    "ioctl takes the terminal's discipline": "fcntl.ioctl(0, 0x5423, struct.pack('i', 27))",
    "truncate empties a file": "os.truncate(VICTIM, 0)",
    "a signal is sent": "os.kill(JUDGE, 15)",
    "a file is read": "open(VICTIM).read()",
    "a file is written": "open(VICTIM, 'w')",
}
NEEDS_LANDLOCK = {"a file is read", "a file is written"}
IN_PROGRAMS = {
    "datagrams to an address": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "raw is datagrams": "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)",
    "an address for a pair": "socket.socketpair()[0].sendto(b'x', VICTIM)",
    "a signal is queued": "ctypes_call('sigqueue', JUDGE, 0, 0)",
    "a signal is queued for a thread": "ctypes_call('syscall', QUEUE, JUDGE, JUDGE, 0, bytes(128))",
    "a signal goes to a descriptor": "ctypes_call('syscall', 424, ctypes_call('syscall', 434, JUDGE, 0), 0, 0, 0)",
    "inotify": "ctypes_call('inotify_init1', 0)",
    "rights over a socket": "socket.socketpair()[0].sendmsg([b'x'])",
    "a file without a name": "os.open('.', os.O_TMPFILE | os.O_RDWR)",
    "what is set on a file, by a new call": "ctypes_call('syscall', 463, -100, VICTIM.encode(), 0, b'user.x', 0, 0)",
    "the same, by a newer one": "ctypes_call('syscall', 469, -100, VICTIM.encode(), 0, 0, 0)",
    "memory that nobody sees": "ctypes_call('syscall', 447, 0)",
    "memory that was moved away": "ctypes_call('vmsplice', 1, 0, 0, 0)",
    "space that no file shows": "ctypes_call('fallocate', 1, 1, ctypes_long(0), ctypes_long(1))",
    "a sibling for a child": "ctypes_call('syscall', CLONE, 0x8000 | 17, 0, 0, 0, 0)",
}
"""What a worker is refused with all sockets and processes, and a program one by one."""

REFUSED = """\
import fcntl, os, struct, sys
JUDGE, VICTIM = {judge}, {victim!r}
CLONE, QUEUE = (56, 297) if os.uname().machine == 'x86_64' else (220, 240)


def ctypes_call(name, *arguments):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def ctypes_long(number):
    import ctypes
    return ctypes.c_long(number)


def attempt():
    import socket
    try:
        {what}
    except OSError as error:
        return error.errno
    return 'DONE'
"""


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    file = tmp_path / "victim.txt"
    file.write_text("precious")
    return file


def attack(what: str, victim: Path) -> str:
    return REFUSED.format(judge=JUDGE, victim=str(victim), what=what)


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_worker_on_an_older_kernel(
    version: int, make_client: MakeClient, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LANDLOCK", version)
    for name, what in WAYS.items():
        client = make_client(attack(what, victim) + "\n\ndef player(board):\n    return attempt()\n")
        reply = client.call("player", [])
        off = {layer: why for layer, why in client.layers.items() if why}
        assert set(client.layers) == set(LAYERS)
        assert off == ({} if version else {"files": "the kernel has no Landlock"})
        if version or name not in NEEDS_LANDLOCK:
            assert isinstance(reply, Returned) and reply.value in (1, 13, None), (name, reply)
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_program_on_an_older_kernel(
    version: int,
    opened: Opens,  # noqa: F811
    victim: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wall, "LANDLOCK", version)
    layers = {name: why for name, why in wall.layers().items() if why}
    assert layers == ({} if version else {"files": "the kernel has no Landlock"})
    names = [name for name in (*WAYS, *IN_PROGRAMS) if version or name not in NEEDS_LANDLOCK]
    tries = [attack({**WAYS, **IN_PROGRAMS}[name], victim) + "\nprint(attempt())\n" for name in names]
    terminal = opened("\n".join(tries))
    assert terminal.wait(60) is Turn.ENDED
    said = dict(zip(names, terminal.said.split(), strict=True))
    assert {name: code for name, code in said.items() if code not in ("1", "13", "38", "95")} == {}
    assert victim.read_text() == "precious"


def test_a_pair_of_streams_still_works(opened: Opens) -> None:  # noqa: F811
    """Node and Java talk to their own threads that way."""
    terminal = opened(
        "import socket\na, b = socket.socketpair()\na.send(b'hello')\nprint(b.recv(9).decode())\n"
    )
    terminal.wait(60)
    assert terminal.said == "hello\n"
