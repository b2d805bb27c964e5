"""Seccomp, by system call: what CPython needs to compute is allowed, everything else gives EPERM, for good.

No new processes or threads, no sockets, no signals to others, no handlers, no ptrace.
"""

import ctypes
import os

from grader.worker.own import *
from grader.worker.system_calls import NUMBERS

_ALLOWED = """
    read pread64 readv write pwrite64 writev sendfile lseek close dup dup2 dup3 pipe pipe2 eventfd2
    open openat openat2 access faccessat faccessat2 readlink readlinkat getdents getdents64
    stat fstat lstat newfstatat statx fsync ftruncate flock fadvise64 getcwd chdir fchdir umask
    poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait
    mmap munmap mprotect mremap madvise brk mlock munlock get_mempolicy membarrier
    nanosleep clock_nanosleep gettimeofday time clock_gettime clock_getres times
    rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack restart_syscall
    exit exit_group wait4 waitid sched_yield sched_getaffinity getpriority getcpu getrusage
    arch_prctl set_tid_address set_robust_list get_robust_list rseq futex futex_waitv
    getpid getppid gettid getpgrp getpgid getsid getuid geteuid getgid getegid getgroups getresuid getresgid
    uname sysinfo getrandom
"""
"""What is allowed whatever its arguments are; a machine may lack some of them."""

_BY_ARGUMENTS = ["kill", "tgkill", "prctl", "fcntl", "ioctl", "prlimit64"]

NAMES = (*_ALLOWED.split(), *_BY_ARGUMENTS, "clone3")
"""All calls that this filter names."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Duplicates, flags, locks, the size of a pipe; not who is sent which signal when something happens."""

_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Whether it is a terminal, and how large; what can be read, blocking, what is handed on."""

_X32 = 0x40000000
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
    if machine not in NUMBERS:
        return f"no list of system calls for {machine}"
    instructions = (filter_for or program)(machine, os.getpid())
    filters = (_Filter * len(instructions))(*(_Filter(*instruction) for instruction in instructions))
    wanted = _Program(len(instructions), filters)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
        return os.strerror(ctypes.get_errno())
    return ""


def program(machine: str, process: int) -> list[Instruction]:
    """Return the filter as instructions of the kernel's packet language."""
    call = NUMBERS[machine]
    head: list[Instruction] = [
        *prologue(machine),
        *allowed_if(call["kill"], FIRST_ARGUMENT, process),
        *allowed_if(call["tgkill"], FIRST_ARGUMENT, process),
        *allowed_if(call["prctl"], FIRST_ARGUMENT, _PR_SET_NAME),
        *decided(call["fcntl"], SECOND_ARGUMENT, _FCNTL, ALLOW, REFUSE),
        *decided(call["ioctl"], SECOND_ARGUMENT, _IOCTL, ALLOW, REFUSE),
        *allowed_if(call["prlimit64"], _THIRD_ARGUMENT, 0, _THIRD_ARGUMENT + 4, 0),  # reading, not setting
    ]
    allowed = any_of(numbers_of(_ALLOWED.split(), machine))
    return [*head, *allowed, (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]


def numbers_of(names: "Iterable[str]", machine: str) -> list[int]:
    """Return the numbers of calls, in ascending order; a machine may lack some."""
    known = NUMBERS[machine]
    return sorted(known[name] for name in names if name in known)


def any_of(numbers: list[int]) -> list[Instruction]:
    """Return instructions that skip the one behind them if the call has one of these numbers."""
    return [(EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]


def prologue(machine: str) -> list[Instruction]:
    """Return how every filter begins: the right architecture, and the number of the call loaded."""
    return [
        (LOAD, 0, 0, _ARCHITECTURE),
        (EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, _NUMBER),
        (AT_LEAST, 0, 1, _X32),
        (RETURN, 0, 0, REFUSE),
        (EQUAL, 0, 1, NUMBERS[machine]["clone3"]),
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
