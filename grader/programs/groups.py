"""A control group around a program, where this user may make one: the kernel then counts all that it starts.

Elsewhere the limit of processes holds for ordinary users, and the judge looks now and then for everybody.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from grader.sandbox.private import is_running

_MOUNTED: Final = Path("/sys/fs/cgroup")
_NAME: Final = "tictactoe-grader-"
_LOOKS, _LOOK = 50, 0.01
_MOST_PROCESSES: Final = "pids.max"
_MOST_MEMORY: Final = ("memory.max", "memory.limit_in_bytes")


@dataclass(frozen=True)
class Group:
    """Limits how many processes, and how much memory, there are together: a folder in each hierarchy."""

    folders: list[Path]

    @property
    def entrances(self) -> list[str]:
        """Whoever writes a 0 to each of these is in it, with all that it starts."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def close(self) -> None:
        """Remove it, and end who is still in it."""
        for folder in self.folders:
            _remove(folder)


def new_group(processes: int, memory: int) -> Group:
    """Return a new group, without folders where this user cannot make any; 0 does not limit the memory."""
    name = f"{_NAME}{os.getpid()}-{os.urandom(4).hex()}"
    limits = [(_MOST_PROCESSES, processes), *((file, memory) for file in _MOST_MEMORY if memory)]
    made: list[Path] = []
    for base in _bases():
        folder = base / name
        with suppress(OSError):
            folder.mkdir()
            made.append(folder)
            for file, most in limits:
                if (folder / file).exists():
                    (folder / file).write_text(str(most))
    return Group(made)


@cache
def _bases() -> tuple[Path, ...]:
    """Return where groups can be made that limit processes or memory: one was, just now."""
    found: dict[str, Path] = {}
    for base in _candidates():
        folder = base / f"{_NAME}{os.getpid()}"
        with suppress(OSError):
            _sweep_up(base)
            folder.mkdir()
            kinds = [file for file in (_MOST_PROCESSES, *_MOST_MEMORY) if (folder / file).exists()]
            folder.rmdir()
            if os.access(base / "cgroup.procs", os.W_OK):
                for kind in kinds:
                    found.setdefault(kind.partition(".")[0], base)
    return tuple(dict.fromkeys(found.values()))


def _candidates() -> Iterator[Path]:
    """Yield where groups may be made: beside this process's own, at the top, in older kernels' trees."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds == "":
                yield (_MOUNTED / path.strip("/")).parent if path != "/" else _MOUNTED
                yield _MOUNTED
            elif kinds in ("pids", "memory"):
                yield _MOUNTED / kinds / path.lstrip("/")


def _sweep_up(base: Path) -> None:
    """Remove the groups of graders that were killed, with who is left in them."""
    for folder in base.glob(f"{_NAME}*"):
        owner = folder.name.removeprefix(_NAME).partition("-")[0]
        if owner.isdecimal() and not is_running(int(owner)):
            _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a group once nobody is in it; who is, is ended, and has a moment to go."""
    for _ in range(_LOOKS):
        with suppress(OSError):
            folder.rmdir()
        if not folder.exists():
            return
        with suppress(OSError, ValueError):
            for process in (folder / "cgroup.procs").read_text().split():
                with suppress(OSError):
                    os.kill(int(process), signal.SIGKILL)
        time.sleep(_LOOK)
