"""What a program in any language may not ask of the kernel; everything else is allowed.

A compiler, a virtual machine and what they run need too much for a list of what is allowed. Refused is what
reaches beyond the program: sockets, other processes, memory that outlives it, the rights and times of files,
watching others' files, signals by way of a descriptor, leaving its session or its parent; and what would be
kept where nobody counts it.
"""

from grader.worker import landlock
from grader.worker.own import *
from grader.worker.seccomp import (
    ALLOW,
    AT_LEAST,
    EQUAL,
    FIRST_ARGUMENT,
    LOAD,
    NO_SUCH_CALL,
    NOT_SUPPORTED,
    NOTHING_TO_DO,
    REFUSE,
    RETURN,
    SECOND_ARGUMENT,
    Instruction,
    allowed_if,
    decided,
    prologue,
)

_X86_64 = (
    29, 30, 31, 41, 42, 46, 64, 65, 66, 67, 68, 69, 70, 71, 90, 91, 92, 93, 94, 101, 109, 112, 132, 133,
    141, 142, 144, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179,
    188, 189, 190, 197, 198, 199, 203, 220, 227, 235, 240, 246, 248, 249, 250, 251, 253, 254, 255, 256,
    259, 260, 261, 268, 272, 278, 279, 280, 294, 298, 300, 301, 304, 305, 307, 308, 310, 311, 312, 313,
    314, 319, 320, 321, 323, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 452,
)  # fmt: skip
_AARCH64 = (
    5, 6, 7, 14, 15, 16, 26, 27, 28, 30, 33, 39, 40, 41, 51, 52, 53, 54, 55, 60, 75, 88, 89, 97, 104,
    105, 106, 112, 117, 118, 119, 122, 140, 142, 154, 157, 161, 162, 170, 171, 180, 186, 187, 188, 189,
    190, 191, 192, 193, 194, 195, 196, 197, 198, 203, 211, 217, 218, 219, 224, 225, 238, 239, 241, 262,
    263, 265, 266, 268, 269, 270, 271, 272, 273, 274, 279, 280, 282, 294, 424, 425, 426, 427, 428, 429,
    430, 431, 432, 433, 438, 442, 452,
)  # fmt: skip

# By machine: the refused calls, those that depend on arguments, and those that send signals.
_MACHINES = {
    "x86_64": (
        _X86_64,
        {
            "prlimit64": 302, "ioctl": 16, "clone": 56, "prctl": 157, "kill": 62, "fcntl": 72,
            "socketpair": 53, "sendto": 44, "truncate": 76, "open": 2, "openat": 257, "fallocate": 285,
            "nanosleep": 35, "clock_nanosleep": 230,
        },
        (62, 200, 234, 129, 297),
    ),
    "aarch64": (
        _AARCH64,
        {
            "prlimit64": 261, "ioctl": 29, "clone": 220, "prctl": 167, "kill": 129, "fcntl": 25,
            "socketpair": 199, "sendto": 206, "truncate": 45, "openat": 56, "fallocate": 47,
            "nanosleep": 101, "clock_nanosleep": 115,
        },
        (129, 130, 131, 138, 240),
    ),
}  # fmt: skip
_REVIEWED = 462
"""The highest number of a call that was looked at: an older kernel has none of the later ones."""

_OF_BOTH = (443, 447, 448, 457, 458)
"""Refused, and of the same number on both machines: quotas, hidden memory, others' memory, mounts."""

_ANY_BIT, _KEEP_BITS = 0x45, 0x54
_THIRD_ARGUMENT, _FIFTH_ARGUMENT = 32, 48
_WITHOUT_A_NAME, _OPENAT2 = 0x400000, 437
_NEW_NAMESPACES, _OF_MY_PARENT = 0x7E020000, 0x8000
_SET_DEATH_SIGNAL, _EVERYBODY = 1, 0xFFFFFFFF
_KIND, _STREAM, _PACKETS = 0xF, 1, 5
"""Of a pair of sockets: its kind without the flags, and the two kinds that reach each other alone."""

_FCNTL = (8, 10, 15, 1024, 1026)
"""Who is sent which signal when something happens to a descriptor, a file or a folder."""

_IOCTL = (0x5412, 0x541C, 0x5423, 0x8901, 0x8902)
"""Typing into the terminal, its selection, its line discipline; who is sent a signal."""


def fence(version: int, *, sleeps: bool = True) -> "Callable[[str, int], list[Instruction]]":
    """Return what makes the filter for a machine and a process, for a kernel with this version of Landlock.

    What Landlock does not guard yet is refused: a program may then signal itself alone, and empty no file by
    its path. Whoever does not sleep goes on at once.
    """

    def filtered(machine: str, process: int) -> list[Instruction]:
        refused, calls, signals = _MACHINES[machine]
        refused = (*refused, *_OF_BOTH)
        if version < landlock.GUARDS_TRUNCATE:
            refused = (*refused, calls["truncate"])
        to_others = signals if version < landlock.SCOPES_SIGNALS else ()
        told = [step for n in to_others for step in allowed_if(n, FIRST_ARGUMENT, process)]
        naps = () if sleeps else (calls["nanosleep"], calls["clock_nanosleep"])
        for number in naps:
            told += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NOTHING_TO_DO)]
        return _filter(machine, refused, told)

    return filtered


def _filter(machine: str, refused: tuple[int, ...], told: list[Instruction]) -> list[Instruction]:
    calls = _MACHINES[machine][1]
    head = [
        *prologue(machine),
        (AT_LEAST, 0, 1, _REVIEWED + 1),
        (RETURN, 0, 0, NO_SUCH_CALL),
        (EQUAL, 0, 1, _OPENAT2),
        (RETURN, 0, 0, NO_SUCH_CALL),  # its flags cannot be seen
        (EQUAL, 0, 1, calls["fallocate"]),
        (RETURN, 0, 0, NOT_SUPPORTED),  # space on the disk that no file shows: the C library writes instead
        *_refused_if(calls["openat"], _ANY_BIT, _THIRD_ARGUMENT, _WITHOUT_A_NAME),
        *(_refused_if(calls["open"], _ANY_BIT, SECOND_ARGUMENT, _WITHOUT_A_NAME) if "open" in calls else ()),
        *told,
        *_refused_if(calls["kill"], EQUAL, FIRST_ARGUMENT, _EVERYBODY),
        *_refused_if(calls["ioctl"], EQUAL, SECOND_ARGUMENT, *_IOCTL),
        *_refused_if(calls["fcntl"], EQUAL, SECOND_ARGUMENT, *_FCNTL),
        *_refused_if(calls["clone"], _ANY_BIT, FIRST_ARGUMENT, _NEW_NAMESPACES | _OF_MY_PARENT),
        *_refused_if(calls["prctl"], EQUAL, FIRST_ARGUMENT, _SET_DEATH_SIGNAL),
        *_pairs_alone(calls["socketpair"]),
        *allowed_if(calls["sendto"], _FIFTH_ARGUMENT, 0, _FIFTH_ARGUMENT + 4, 0),  # to nobody by address
        *allowed_if(calls["prlimit64"], FIRST_ARGUMENT, 0),
    ]
    tests: list[Instruction] = [(EQUAL, len(refused) - i, 0, number) for i, number in enumerate(refused)]
    return [*head, *tests, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]


def _refused_if(number: int, test: int, argument: int, *values: int) -> list[Instruction]:
    """Return instructions that refuse a call when a word of its arguments is one of some, else allow it."""
    return decided(number, argument, values, REFUSE, ALLOW, test=test)


def _pairs_alone(number: int) -> list[Instruction]:
    """Return instructions that allow a pair of sockets only if neither can talk to anybody else."""
    return [
        (EQUAL, 0, 6, number),
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (_KEEP_BITS, 0, 0, _KIND),
        (EQUAL, 2, 0, _STREAM),
        (EQUAL, 1, 0, _PACKETS),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]
