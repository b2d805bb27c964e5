"""What the kernel knows of a running program: who belongs to it, how long it took, what it uses."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from grader.sandbox.private import BLOCK

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_LONGEST: Final = 100_000
"""Bytes of a file of the kernel's, which is read in one piece."""

_STEP: Final = 0.5
"""Seconds from one look to the next: when it takes longer, the machine stood still, not the program."""

PROCESSORS: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class Moment(NamedTuple):
    """When something began: by the wall's clock, and by what was waited for a processor until then.

    The program has waited for one, and so has whoever looks at it.
    """

    wall: float
    waited: float


def tree(process: int) -> list[int]:
    """Return a process and all that descend from it, by way of orphans as well."""
    found = [process, *_orphans(process)]
    for one in found:
        for task in tasks([one]):
            with suppress(OSError):
                found += map(int, read(f"{task}/children").split())
    return found


def _orphans(process: int) -> list[int]:
    """Return who is of a program's group and was adopted by the template that the program was forked from."""
    found = []
    with suppress(OSError, ValueError):
        template = _fields(process)[1]
        for child in read(f"/proc/{template}/task/{template}/children").split():
            with suppress(OSError):
                if int(child) != process and _fields(int(child))[2] == str(process):
                    found.append(int(child))
    return found


def _fields(process: int, file: str = "stat") -> list[str]:
    """Return what the kernel tells of a process: its state, its parent, its group, and so on."""
    return read(f"/proc/{process}/{file}").rpartition(")")[2].split()


def _told(processes: list[int], file: str = "stat") -> Iterator[list[str]]:
    """Yield what the kernel tells of each of these processes in a file, as far as they are there."""
    for process in processes:
        with suppress(OSError):
            yield _fields(process, file)


def is_alive(process: int) -> bool:
    """Return whether a process has not ended; who was not waited for yet has."""
    return any(fields[0] not in "ZX" for fields in _told([process]))


def states(processes: list[int]) -> str:
    """Return the states of these processes, a letter each."""
    return "".join(fields[0] for fields in _told(processes))


def are_held(states: str) -> bool:
    """Return whether what has these states is held up by a disk: one waits for it, and none runs."""
    return "D" in states and "R" not in states


def ran(processes: list[int]) -> float:
    """Return the processor time of these processes together, in seconds."""
    return sum(int(fields[11]) + int(fields[12]) for fields in _told(processes)) / _TICKS


def memory(processes: list[int]) -> int:
    """Return the memory that these processes hold together, in bytes."""
    return sum(int(fields[1]) for fields in _told(processes, "statm")) * _PAGE


def unlinked(processes: list[int]) -> int:
    """Return how many bytes of the disk these processes keep in files that have no name any more.

    What is only mapped is seen where the user may look there.
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


def now(processes: list[int]) -> Moment:
    """Return this moment."""
    most = max(map(_waited, tasks(processes)), default=0)
    return Moment(time.monotonic(), (most + _waited("/proc/thread-self")) / 1e9)


def tasks(processes: list[int]) -> Iterator[str]:
    """Yield where the kernel tells of each thread."""
    for process in processes:
        folder = f"/proc/{process}/task"
        with suppress(OSError):
            for task in os.listdir(folder):  # noqa: PTH208 - a path each would take half of all the time
                yield f"{folder}/{task}"


def read(file: str) -> str:
    """Return what is in a file of the kernel's; raise OSError if nothing can be read there."""
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


def since(start: Moment, processes: list[int]) -> float:
    """Return the seconds that count from a moment on: not those in which a processor was waited for."""
    moment = now(processes)
    return max(0.0, moment.wall - start.wall - max(0.0, moment.waited - start.waited))


class Stopwatch:
    """Counts what a program takes of a turn, as long as somebody looks at it again and again."""

    def __init__(self, watched: list[int]) -> None:
        self._start, self._ran = now(watched), ran(watched)
        self._unseen, self._last = 0.0, self._start.wall
        self.began = self._start.wall
        """When the turn began, by the wall's clock."""

    def look(self, *, held: bool = False) -> float:
        """Return this moment; what is longer than a step since the last look was not seen.

        Nor does the time count in which the program was held: it waited for a disk.
        """
        moment = time.monotonic()
        self._unseen += max(0.0, moment - self._last - (0.0 if held else _STEP))
        self._last = moment
        return moment

    def seconds(self, watched: list[int]) -> float:
        """Return what the program has taken: its processor time at least, at most what has passed."""
        passed = since(self._start, watched)
        wall = self.look() - self._start.wall  # whoever looks may have been held up just now, by a disk
        return max(passed - self._unseen, min(ran(watched) - self._ran, wall))
