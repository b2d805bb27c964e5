"""State of the processes of a running program, read from `/proc`: time, memory, and waits for input."""

import math
import os
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from grader.sandbox.process import BLOCK

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_LONGEST: Final = 100_000
"""Bytes of a file of the kernel's, which is read in one piece."""

_STEP: Final = 0.5
"""Seconds from one look to the next: when it takes longer, the machine stood still, not the program."""


def tree(process: int) -> list[int]:
    """Return a process and all that descend from it, orphans included."""
    found = [process, *_orphans(process)]
    for member in found:
        for task in tasks([member]):
            with suppress(OSError):
                found += map(int, read(f"{task}/children").split())
    return found


def _orphans(process: int) -> list[int]:
    """Return the orphans of a program's group: the template that the program was forked from adopts them."""
    found = []
    with suppress(OSError, ValueError):
        template = _fields(process)[1]
        for child in read(f"/proc/{template}/task/{template}/children").split():
            with suppress(OSError):
                if int(child) != process and _fields(int(child))[2] == str(process):
                    found.append(int(child))
    return found


def _fields(process: int, file: str = "stat") -> list[str]:
    """Return the kernel's fields of a process: its state, its parent, its group, and so on."""
    return read(f"/proc/{process}/{file}").rpartition(")")[2].split()


def _fields_of_each(processes: list[int], file: str = "stat") -> Iterator[list[str]]:
    for process in processes:
        with suppress(OSError):
            yield _fields(process, file)


def is_alive(process: int) -> bool:
    """Return whether a process has not ended; a zombie has."""
    return any(fields[0] not in _GONE for fields in _fields_of_each([process]))


def states(processes: list[int]) -> str:
    """Return the states of these processes, a letter each."""
    return "".join(fields[0] for fields in _fields_of_each(processes))


def are_held(states: str) -> bool:
    """Return whether processes in these states are held up by a disk: one waits for it, and none runs."""
    return "D" in states and "R" not in states


def ran(processes: list[int]) -> float:
    """Return the processor time of these processes together, in seconds."""
    return sum(int(fields[11]) + int(fields[12]) for fields in _fields_of_each(processes)) / _TICKS


def memory(processes: list[int]) -> int:
    """Return the memory that these processes hold together, in bytes."""
    return sum(int(fields[1]) for fields in _fields_of_each(processes, "statm")) * _PAGE


def unlinked(processes: list[int]) -> int:
    """Return how many bytes of the disk these processes keep in files that have no name any more.

    Files that are only mapped are found where the user may look there.
    """
    kept: dict[tuple[int, int], int] = {}
    for place in (f"/proc/{process}/{name}" for process in processes for name in ("fd", "map_files")):
        with suppress(OSError):
            for opened in Path(place).iterdir():
                with suppress(OSError):
                    found = opened.stat()
                    if found.st_nlink == 0:
                        kept[found.st_dev, found.st_ino] = BLOCK * found.st_blocks
    return sum(kept.values())


def tasks(processes: list[int]) -> Iterator[str]:
    """Yield the folder of each thread in `/proc`."""
    for process in processes:
        folder = f"/proc/{process}/task"
        with suppress(OSError):
            for task in os.listdir(folder):  # noqa: PTH208 - a path each would take half of all the time
                yield f"{folder}/{task}"


def read(file: str) -> str:
    """Return the content of a file in `/proc`; raise OSError if it cannot be read."""
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _LONGEST).decode("utf-8", "replace")
    finally:
        os.close(descriptor)


def _waited(task: str) -> int:
    """Return how long a thread has waited for a processor, in nanoseconds."""
    with suppress(OSError):
        return int(read(f"{task}/schedstat").split()[1])
    return 0


def _waited_together(processes: list[int]) -> float:
    """Return the seconds in which a program and the thread that watches it waited for a processor."""
    return (max(map(_waited, tasks(processes)), default=0) + _waited("/proc/thread-self")) / 1e9


class Stopwatch:
    """Measures the time that a program takes in a turn; `look` has to be called every half second."""

    def __init__(self, watched: list[int]) -> None:
        self.began = self._last = time.monotonic()
        """When the turn began, by the wall's clock."""
        self._waited, self._unseen = _waited_together(watched), 0.0
        self.ran = self._ran_before = ran(watched)
        """The processor time of its processes when they were looked at last."""

    def look(self, *, held: bool = False) -> float:
        """Return the time; what exceeds a step since the last look does not count.

        Nor does the time count in which the program was held: it waited for a disk.
        """
        moment = time.monotonic()
        self._unseen += max(0.0, moment - self._last - (0.0 if held else _STEP))
        self._last = moment
        return moment

    def seconds(self, watched: list[int]) -> float:
        """Return what the program has taken: its processor time at least, at most what has passed."""
        passed = time.monotonic() - self.began - max(0.0, _waited_together(watched) - self._waited)
        wall = self.look() - self.began  # this process may have been held up by a disk just now
        self.ran = ran(watched)
        return max(passed - self._unseen, min(self.ran - self._ran_before, wall))


_CALLS: Final = {
    "x86_64": {
        0: "read", 19: "read", 7: "poll", 271: "ppoll", 23: "select", 270: "pselect",
        232: "epoll", 281: "epoll", 441: "epoll2",
    },
    "aarch64": {63: "read", 65: "read", 73: "ppoll", 72: "pselect", 22: "epoll", 441: "epoll2"},
}.get(os.uname().machine, {})  # fmt: skip
"""Calls in which a line may be waited for, by their numbers."""

_MOST_POLLED: Final = 1024
_GONE: Final = "ZX"
_ASLEEP: Final = "SI"
_DOUBTFUL: Final = 1.0
"""Quiet seconds after which it is my turn where the kernel does not tell, or a clock runs."""

_AGAIN: Final = 3
"""So many times a short clock may run out before nothing is expected of it, or seconds after a long one."""

_AT_WORK_BESIDE: Final = 3_000_000_000
"""Nanoseconds that its other threads may work before a thread that waits for a line is believed."""


class Waiter(NamedTuple):
    """A thread that waits for a line: how often it has run, and how many seconds it waits at most.

    Its processor time would not do: on a virtual machine a short run may take no time by the kernel's clock.
    """

    thread: int
    runs: int
    at_most: float


class Look(NamedTuple):
    """What all threads of a program do at one moment."""

    waiters: tuple[Waiter, ...]
    asleep: bool
    """Whether none of them runs, or waits for a processor, a page of memory or a disk, or is stopped."""
    blind: bool
    """Whether the kernel did not tell what one of them waits for."""
    held: bool
    """Whether they are held up by a disk."""

    @property
    def is_turn(self) -> bool:
        """Whether a line is waited for, and for nothing but a line."""
        return self.asleep and any(waiter.at_most == math.inf for waiter in self.waiters)


class Quiet:
    """A time in which nothing was printed: it is my turn when two looks see the same wait for a line."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._waiters: tuple[Waiter, ...] | None = None
        self._worked: int | None = None

    def lasts(self, found: Look, watched: list[int]) -> bool:
        """Return whether it is my turn by this look and the one before."""
        before, self._waiters = self._waiters, found.waiters
        if found.is_turn:
            return found.waiters == before
        if found.asleep and (found.waiters or found.blind):
            clock = max((waiter.at_most for waiter in found.waiters), default=0.0)
            quiet = time.monotonic() - self._since
            return quiet > max(_DOUBTFUL, min(_AGAIN * clock, clock + _AGAIN))
        if not found.waiters:
            self._worked = None
            return False
        total = 0
        for task in tasks(watched):
            with suppress(OSError):
                total += _scheduled(task)[0]
        self._worked = total if self._worked is None else self._worked
        return found.waiters == before and total - self._worked > _AT_WORK_BESIDE


def look(processes: list[int], terminal: str) -> Look:
    """Return what the threads of these processes do."""
    waiters, asleep, blind, states = list[Waiter](), True, False, ""
    for task in tasks(processes):
        with suppress(OSError, IndexError, ValueError):
            state = read(f"{task}/stat").rpartition(")")[2].split(maxsplit=1)[0]
            states += state
            if state in _GONE:
                continue
            asleep &= state in _ASLEEP
            if state not in _ASLEEP:
                continue
            try:
                words = read(f"{task}/syscall").split()
            except PermissionError:
                blind = True
                continue
            if len(words) < 7:  # it runs, or sleeps outside of any call: a page is on its way
                asleep = False
                continue
            longest = _longest(task, int(words[0]), [int(word, 16) for word in words[1:7]], terminal)
            if longest is not None:
                waiters.append(Waiter(int(task.rpartition("/")[2]), _scheduled(task)[2], longest))
    return Look(tuple(waiters), asleep, blind, are_held(states))


def _scheduled(task: str) -> list[int]:
    """Return the nanoseconds in which a thread ran, those in which it waited, and how often it has run."""
    return list(map(int, read(f"{task}/schedstat").split()))


def _longest(task: str, call: int, arguments: list[int], terminal: str) -> float | None:
    """Return how long a thread waits for a line at most, or None if it waits for something else."""
    first, second, third, fourth, fifth, _ = arguments
    seconds = math.inf
    match _CALLS.get(call):
        case "read":
            watched = [first]
        case "poll" | "ppoll" as name:
            data = _memory(task, first, 8 * min(second, _MOST_POLLED))
            watched = [number for number, _events in struct.iter_unpack("ii", data)]
            seconds = _milliseconds(third) if name == "poll" else _interval(task, third, 1_000_000_000)
        case "select" | "pselect" as name:
            highest = min(first, _MOST_POLLED)
            bits = int.from_bytes(_memory(task, second, 8 * ((highest + 63) // 64)), "little")
            watched = [number for number in range(highest) if bits >> number & 1]
            seconds = _interval(task, fifth, 1_000_000 if name == "select" else 1_000_000_000)
        case "epoll" | "epoll2" as name:
            lines = read(f"{task}/fdinfo/{first}").splitlines()
            watched = [int(line.split()[1]) for line in lines if line.startswith("tfd:")]
            seconds = _milliseconds(fourth) if name == "epoll" else _interval(task, fourth, 1_000_000_000)
        case _:
            return None
    return seconds if any(_is_terminal(task, number, terminal) for number in watched) else None


def _is_terminal(task: str, descriptor: int, terminal: str) -> bool:
    with suppress(OSError):
        return os.readlink(f"{task}/fd/{descriptor}") in (terminal, "/dev/tty")  # noqa: PTH115 - see tasks()
    return False


def _milliseconds(count: int) -> float:
    return math.inf if count & 0x8000_0000 else (count & 0xFFFF_FFFF) / 1000


def _interval(task: str, address: int, parts: int) -> float:
    """Return the seconds of a time in a thread's memory: whole ones, and so many parts; none is for ever."""
    if not address:
        return math.inf
    whole, part = struct.unpack("qq", _memory(task, address, 16))
    return float(whole + part / parts)


def _memory(task: str, address: int, count: int) -> bytes:
    if not address or not count:
        return b""
    with open(f"{task}/mem", "rb", buffering=0) as memory:  # noqa: PTH123 - see tasks()
        memory.seek(address)
        return memory.read(count)
