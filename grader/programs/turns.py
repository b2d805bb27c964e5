"""Whose turn it is, by the kernel's word on every thread: all asleep, one in a wait for a line."""

import math
import os
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from grader.programs.processes import are_held, read, tasks

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
"""Nanoseconds that others of its threads may work before who waits for a line is believed."""


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
        return self.asleep and any(one.at_most == math.inf for one in self.waiters)


class Quiet:
    """A time in which nothing was printed: it is my turn when two looks see the same wait for a line."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._waiters: tuple[Waiter, ...] | None = None
        self._worked: int | None = None

    def lasts(self, found: Look, watched: list[int]) -> bool:
        """Return whether it is my turn by this look and the one before."""
        now, before, self._waiters = time.monotonic(), self._waiters, found.waiters
        if found.is_turn:
            return found.waiters == before
        if found.asleep and (found.waiters or found.blind):
            clock = max((one.at_most for one in found.waiters), default=0.0)
            return now - self._since > max(_DOUBTFUL, min(_AGAIN * clock, clock + _AGAIN))
        total = _worked_by(watched)
        self._worked = total if self._worked is None or not found.waiters else self._worked
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
            if state not in _ASLEEP:
                asleep = False
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


def _worked_by(processes: list[int]) -> int:
    """Return the processor time of the threads of these processes together, in nanoseconds."""
    total = 0
    for task in tasks(processes):
        with suppress(OSError):
            total += _scheduled(task)[0]
    return total


def _scheduled(task: str) -> list[int]:
    """Return the nanoseconds in which a thread ran, those in which it waited, and how often it has run."""
    return list(map(int, read(f"{task}/schedstat").split()))


def _longest(task: str, call: int, arguments: list[int], terminal: str) -> float | None:
    """Return how long a thread waits for a line at most, or None if it waits for something else."""
    if call not in _CALLS:
        return None
    watched, seconds = _WATCHED[_CALLS[call]](task, arguments)
    return seconds if any(_is_terminal(task, one, terminal) for one in watched) else None


def _is_terminal(task: str, descriptor: int, terminal: str) -> bool:
    with suppress(OSError):
        return os.readlink(f"{task}/fd/{descriptor}") in (terminal, "/dev/tty")  # noqa: PTH115 - see tasks()
    return False


def _polled(task: str, arguments: list[int]) -> list[int]:
    data = _memory(task, arguments[0], 8 * min(arguments[1], _MOST_POLLED))
    return [struct.unpack_from("i", data, at)[0] for at in range(0, len(data), 8)]


def _selected(task: str, arguments: list[int]) -> list[int]:
    highest = min(arguments[0], _MOST_POLLED)
    bits = int.from_bytes(_memory(task, arguments[1], 8 * ((highest + 63) // 64)), "little")
    return [one for one in range(highest) if bits >> one & 1]


def _registered(task: str, arguments: list[int]) -> list[int]:
    lines = read(f"{task}/fdinfo/{arguments[0]}").splitlines()
    return [int(line.split()[1]) for line in lines if line.startswith("tfd:")]


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


_WATCHED: Final[dict[str, Callable[[str, list[int]], tuple[list[int], float]]]] = {
    "read": lambda task, given: (given[:1], math.inf),
    "poll": lambda task, given: (_polled(task, given), _milliseconds(given[2])),
    "ppoll": lambda task, given: (_polled(task, given), _interval(task, given[2], 1_000_000_000)),
    "select": lambda task, given: (_selected(task, given), _interval(task, given[4], 1_000_000)),
    "pselect": lambda task, given: (_selected(task, given), _interval(task, given[4], 1_000_000_000)),
    "epoll": lambda task, given: (_registered(task, given), _milliseconds(given[3])),
    "epoll2": lambda task, given: (_registered(task, given), _interval(task, given[3], 1_000_000_000)),
}
