"""What a program in any language may not ask of the kernel; everything else is allowed.

A compiler, a virtual machine and what they run need too much for a list of what is allowed. Refused is what
reaches beyond the program: sockets, other processes, memory that outlives it, the rights and times of files,
leaving its session.
"""

from __future__ import annotations

from grader.worker.seccomp import (
    ALLOW,
    EQUAL,
    FIRST_ARGUMENT,
    LOAD,
    REFUSE,
    RETURN,
    Instruction,
    allowed_if,
    prologue,
)

_X86_64 = (
    29, 30, 31, 41, 42, 64, 65, 66, 67, 68, 69, 70, 71, 90, 91, 92, 93, 94, 101, 109, 112, 132, 133, 141,
    142, 144, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179, 188,
    189, 190, 197, 198, 199, 203, 220, 227, 235, 240, 246, 248, 249, 250, 251, 256, 259, 260, 261, 268,
    272, 279, 280, 298, 300, 304, 305, 308, 310, 311, 312, 313, 314, 319, 320, 321, 323, 424, 425, 426,
    427, 428, 429, 430, 431, 432, 433, 438, 442, 452,
)  # fmt: skip
_AARCH64 = (
    5, 6, 7, 14, 15, 16, 30, 33, 39, 40, 41, 51, 52, 53, 54, 55, 60, 88, 89, 97, 104, 105, 106, 112, 117,
    118, 119, 122, 140, 142, 154, 157, 161, 162, 170, 171, 180, 186, 187, 188, 189, 190, 191, 192, 193,
    194, 195, 196, 197, 198, 203, 217, 218, 219, 224, 225, 238, 239, 241, 262, 265, 266, 268, 270, 271,
    272, 273, 274, 279, 280, 282, 294, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 452,
)  # fmt: skip

# By machine: the refused calls, those that depend on arguments, and those that send signals.
_MACHINES = {
    "x86_64": (
        _X86_64,
        {"prlimit64": 302, "ioctl": 16, "clone": 56, "prctl": 157, "kill": 62},
        (62, 200, 234, 129, 297),
    ),
    "aarch64": (
        _AARCH64,
        {"prlimit64": 261, "ioctl": 29, "clone": 220, "prctl": 167, "kill": 129},
        (129, 130, 131, 138, 240),
    ),
}
_ANY_BIT = 0x45
_SECOND_ARGUMENT = 24
_NEW_NAMESPACES = 0x7E020000
_TYPES_INTO_TERMINAL = 0x5412
_SET_DEATH_SIGNAL, _EVERYBODY = 1, 0xFFFFFFFF


def signals_stay_inside(machine: str, process: int) -> list[Instruction]:
    """Return the filter for a kernel whose Landlock keeps signals among the program's own processes."""
    return _filter(machine, [])


def signals_to_itself(machine: str, process: int) -> list[Instruction]:
    """Return the filter for other kernels: a program may signal itself alone."""
    numbers = _MACHINES[machine][2]
    return _filter(
        machine, [step for number in numbers for step in allowed_if(number, FIRST_ARGUMENT, process)]
    )


def _filter(machine: str, signals: list[Instruction]) -> list[Instruction]:
    refused, calls, _ = _MACHINES[machine]
    head = [
        *prologue(machine),
        *signals,
        *_refused_if(calls["kill"], EQUAL, FIRST_ARGUMENT, _EVERYBODY),
        *_refused_if(calls["ioctl"], EQUAL, _SECOND_ARGUMENT, _TYPES_INTO_TERMINAL),
        *_refused_if(calls["clone"], _ANY_BIT, FIRST_ARGUMENT, _NEW_NAMESPACES),
        *_refused_if(calls["prctl"], EQUAL, FIRST_ARGUMENT, _SET_DEATH_SIGNAL),
        *allowed_if(calls["prlimit64"], FIRST_ARGUMENT, 0),
    ]
    tests: list[Instruction] = [(EQUAL, len(refused) - i, 0, number) for i, number in enumerate(refused)]
    return [*head, *tests, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]


def _refused_if(number: int, test: int, argument: int, value: int) -> list[Instruction]:
    """Return instructions that refuse a call when a word of its arguments has a value, else allow it."""
    return [
        (EQUAL, 0, 4, number),
        (LOAD, 0, 0, argument),
        (test, 1, 0, value),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
