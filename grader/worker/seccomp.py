"""Seccomp, by system call: what CPython needs to compute is allowed, everything else gives EPERM, for good.

No new processes or threads, no sockets, no signals to others, no handlers, no ptrace.
"""

import ctypes
import os

from grader.worker.own import *

_X86_64 = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 32,
    33, 35, 39, 40, 60, 61, 63, 73, 74, 77, 78, 79, 80, 81, 89, 95, 96, 98, 99, 100, 102, 104,
    107, 108, 110, 111, 115, 118, 120, 121, 124, 127, 128, 131, 140, 149, 150, 158, 186, 201, 202, 204,
    217, 218, 219, 221, 228, 229, 230, 231, 232, 233, 239, 247, 257, 262, 267, 269, 270, 271, 273, 274,
    281, 290, 291, 292, 293, 309, 318, 324, 332, 334, 437, 439, 449,
)  # fmt: skip
_AARCH64 = (
    17, 19, 20, 21, 22, 23, 24, 32, 46, 48, 49, 50, 56, 57, 59, 61, 62, 63, 64, 65, 66, 67,
    68, 71, 72, 73, 78, 79, 80, 82, 93, 94, 95, 96, 98, 99, 100, 101, 113, 114, 115, 123, 124, 128,
    132, 135, 136, 137, 139, 141, 148, 150, 153, 155, 156, 158, 160, 165, 166, 168, 169, 172, 173, 174,
    175, 176, 177, 178, 179, 214, 215, 216, 222, 223, 226, 228, 229, 233, 236, 260, 278, 283, 291, 293,
    437, 439, 449,
)  # fmt: skip

# By machine: the architecture word, the allowed calls, and the numbers of those that depend on arguments.
_MACHINES = {
    "x86_64": (
        0xC000003E,
        _X86_64,
        {"prlimit64": 302, "kill": 62, "tgkill": 234, "prctl": 157, "fcntl": 72, "ioctl": 16},
    ),
    "aarch64": (
        0xC00000B7,
        _AARCH64,
        {"prlimit64": 261, "kill": 129, "tgkill": 131, "prctl": 167, "fcntl": 25, "ioctl": 29},
    ),
}
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicates, flags, locks, the size of a pipe; not who is sent which signal when something happens."""

_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Whether it is a terminal, and how large; what can be read, blocking, what is handed on."""

_CLONE3, _X32 = 435, 0x40000000
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_PR_SET_NAME = 15

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE, NO_SUCH_CALL, NOT_SUPPORTED = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38, 0x00050000 | 95
NOTHING_TO_DO = 0x00050000
"""The call returns at once, as if it had succeeded."""

_NUMBER, _ARCHITECTURE = 0, 4
FIRST_ARGUMENT, SECOND_ARGUMENT, _THIRD_ARGUMENT = 16, 24, 32

Instruction = tuple[int, int, int, int]


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("jt", ctypes.c_uint8),
        ("jf", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filters", ctypes.POINTER(_Filter)))


def restrict(libc: ctypes.CDLL, filter_for: "Callable[[str, int], list[Instruction]] | None" = None) -> str:
    """Allow only the listed system calls, or what another filter allows; return why that failed, or nothing.

    Call it after no-new-privileges is set, and last of all.
    """
    machine = os.uname().machine
    if machine not in _MACHINES:
        return f"no list of system calls for {machine}"
    instructions = (filter_for or program)(machine, os.getpid())
    filters = (_Filter * len(instructions))(*(_Filter(*one) for one in instructions))
    wanted = _Program(len(instructions), filters)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
        return os.strerror(ctypes.get_errno())
    return ""


def program(machine: str, process: int) -> list[Instruction]:
    """Return the filter as instructions of the kernel's packet language."""
    _, allowed, special = _MACHINES[machine]
    head: list[Instruction] = [
        *prologue(machine),
        *allowed_if(special["kill"], FIRST_ARGUMENT, process),
        *allowed_if(special["tgkill"], FIRST_ARGUMENT, process),
        *allowed_if(special["prctl"], FIRST_ARGUMENT, _PR_SET_NAME),
        *decided(special["fcntl"], SECOND_ARGUMENT, _FCNTL, ALLOW, REFUSE),
        *decided(special["ioctl"], SECOND_ARGUMENT, _IOCTL, ALLOW, REFUSE),
        *allowed_if(special["prlimit64"], _THIRD_ARGUMENT, 0, _THIRD_ARGUMENT + 4, 0),  # reading, not setting
    ]
    to_allow = len(allowed)
    tests: list[Instruction] = [(EQUAL, to_allow - i, 0, number) for i, number in enumerate(allowed)]
    return [*head, *tests, (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]


def prologue(machine: str) -> list[Instruction]:
    """Return how every filter begins: the right architecture, and the number of the call loaded."""
    return [
        (LOAD, 0, 0, _ARCHITECTURE),
        (EQUAL, 1, 0, _MACHINES[machine][0]),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, _NUMBER),
        (AT_LEAST, 0, 1, _X32),
        (RETURN, 0, 0, REFUSE),
        (EQUAL, 0, 1, _CLONE3),
        (RETURN, 0, 0, NO_SUCH_CALL),  # so that the C library falls back to clone, whose flags can be seen
    ]


def allowed_if(number: int, *conditions: int) -> list[Instruction]:
    """Return instructions that allow a call when words of its arguments have these values, else refuse it."""
    pairs = list(zip(conditions[::2], conditions[1::2], strict=True))
    checks: list[Instruction] = []
    for left, (offset, value) in enumerate(pairs):
        to_refusal = 2 * (len(pairs) - left) - 1
        checks += [(LOAD, 0, 0, offset), (EQUAL, 0, to_refusal, value)]
    checks += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    return [(EQUAL, 0, len(checks), number), *checks]


def decided(
    number: int, argument: int, values: tuple[int, ...], met: int, unmet: int, *, test: int = EQUAL
) -> list[Instruction]:
    """Return instructions that decide about a call: does a word of its arguments meet one of some values?"""
    tests: list[Instruction] = [(test, len(values) - at, 0, value) for at, value in enumerate(values)]
    checks = [(LOAD, 0, 0, argument), *tests, (RETURN, 0, 0, unmet), (RETURN, 0, 0, met)]
    return [(EQUAL, 0, len(checks), number), *checks]
