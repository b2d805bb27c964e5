"""The filter of a program decides on both machines as it should, by every version of Landlock."""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.courses import ROOT
from grader.worker import system_calls
from grader.worker.program_filter import program_filter
from grader.worker.seccomp import NOTHING_TO_DO
from tests.worker import kernel
from tests.worker.kernel import ALLOW, ARCHITECTURE, NO_SUCH_CALL, NOT_SUPPORTED, REFUSE

CALLS = {
    "x86_64": {"read": 0, "openat": 257, "socket": 41, "socketpair": 53, "sendto": 44, "sendmsg": 46, "fcntl": 72, "ioctl": 16, "clone": 56, "truncate": 76, "fallocate": 285, "vmsplice": 278, "inotify_init1": 294, "kill": 62, "setsid": 112, "execve": 59},
    "aarch64": {"read": 63, "openat": 56, "socket": 198, "socketpair": 199, "sendto": 206, "sendmsg": 211, "fcntl": 25, "ioctl": 29, "clone": 220, "truncate": 45, "fallocate": 47, "vmsplice": 75, "inotify_init1": 26, "kill": 129, "setsid": 157, "execve": 221},
}  # fmt: skip
PROCESS = 1234


def verdict_of(machine: str, version: int, number: int, *arguments: int) -> int:
    """Return what the filter says about a call."""
    return kernel.verdict_of(
        program_filter(version)(machine, PROCESS), ARCHITECTURE[machine], number, *arguments
    )


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("machine", "naps"), [("x86_64", (35, 230)), ("aarch64", (101, 115))])
def test_who_does_not_sleep_goes_on_at_once_and_nothing_else_changes(
    machine: str, naps: tuple[int, ...]
) -> None:
    for version, number in itertools.product(range(8), range(470)):
        awake = program_filter(version, sleeps=False)(machine, PROCESS)
        found = kernel.verdict_of(awake, ARCHITECTURE[machine], number, 1, 2, 3)
        plain = verdict_of(machine, version, number, 1, 2, 3)
        assert (plain, found) == (ALLOW, NOTHING_TO_DO) if number in naps else plain == found, number


@pytest.mark.parametrize("machine", CALLS)
@pytest.mark.parametrize(
    ("call", "arguments", "verdict"),
    [
        ("read", (0, 1, 1), ALLOW),
        ("execve", (), ALLOW),
        ("socket", (1, 1, 0), REFUSE),
        ("setsid", (), REFUSE),
        ("openat", (0, 1, 0o2102), ALLOW),
        ("openat", (0, 1, 0x400000 | 2), REFUSE),
        ("socketpair", (1, 1, 0), ALLOW),
        ("socketpair", (1, 1 | 0o2000000, 0), ALLOW),
        ("socketpair", (1, 5, 0), ALLOW),
        ("socketpair", (1, 2 | 0o4000, 0), REFUSE),
        ("socketpair", (1, 3, 0), REFUSE),
        ("sendto", (3, 1, 1, 0, 0, 0), ALLOW),
        ("sendto", (3, 1, 1, 0, 4096, 10), REFUSE),
        ("sendto", (3, 1, 1, 0, 1 << 32, 10), REFUSE),
        ("sendmsg", (3, 1, 0), REFUSE),
        ("fcntl", (0, 3), ALLOW),
        *(("fcntl", (0, command), REFUSE) for command in (8, 10, 15, 1024, 1026)),
        ("ioctl", (0, 0x5401), ALLOW),
        *(("ioctl", (0, command), REFUSE) for command in (0x5412, 0x5423, 0x8901, 0x8902)),
        ("clone", (0x3D0F00,), ALLOW),
        ("clone", (0x8000 | 17,), REFUSE),
        ("clone", (0x20000000,), REFUSE),
        ("fallocate", (), NOT_SUPPORTED),
        ("vmsplice", (), REFUSE),
        ("inotify_init1", (), REFUSE),
        ("kill", (PROCESS, 9), ALLOW),
        ("kill", (0xFFFFFFFF, 9), REFUSE),
    ],
)
def test_what_a_program_may_ask_for(
    machine: str, call: str, arguments: tuple[int, ...], verdict: int
) -> None:
    for version in range(8):
        assert verdict_of(machine, version, CALLS[machine][call], *arguments) == verdict, version


@pytest.mark.parametrize("machine", CALLS)
def test_what_depends_on_the_kernel(machine: str) -> None:
    calls = CALLS[machine]
    truncates = [verdict_of(machine, version, calls["truncate"]) for version in range(8)]
    assert truncates == [REFUSE] * 3 + [ALLOW] * 5
    signals = [verdict_of(machine, version, calls["kill"], 4321, 15) for version in range(8)]
    assert signals == [REFUSE] * 6 + [ALLOW] * 2


@pytest.mark.parametrize("machine", CALLS)
@pytest.mark.parametrize("number", [435, 437, 463, 469, 600])
def test_calls_that_nobody_has_looked_at_do_not_exist(machine: str, number: int) -> None:
    assert verdict_of(machine, 7, number) == NO_SUCH_CALL


def test_the_numbers_of_system_calls_are_those_of_the_kernels_headers() -> None:
    if shutil.which("cpp") is None or not Path("/usr/include/asm-generic/unistd.h").exists():
        pytest.skip("needs cpp and the kernel's headers")
    command = [sys.executable, str(ROOT / "scripts" / "system_calls")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert printed.stdout == Path(system_calls.__file__).read_text()
