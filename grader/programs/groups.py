"""A control group around a program, where this user may make one: the kernel then counts all that it starts.

Elsewhere the limit of processes holds for ordinary users, and the judge looks now and then for everybody.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_MOUNTED: Final = Path("/sys/fs/cgroup")
_NAME: Final = "tictactoe-grader-"


class Group:
    """A control group that limits how many processes, and how much memory, there are in it together."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.entrance = str(folder / "cgroup.procs")
        """Whoever writes a 0 there is in it, with all that it starts."""

    def close(self) -> None:
        """Remove it; nobody is in it any more."""
        with suppress(OSError):
            self._folder.rmdir()


def new_group(processes: int, memory: int) -> Group | None:
    """Return a new group, or None where this user cannot make one. Without memory that is not limited."""
    base = _base()
    if base is None:
        return None
    folder = base / f"{_NAME}{os.getpid()}-{os.urandom(4).hex()}"
    try:
        folder.mkdir()
        (folder / "pids.max").write_text(str(processes))
        if memory and (folder / "memory.max").exists():
            (folder / "memory.max").write_text(str(memory))
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        return None
    return Group(folder)


@cache
def _base() -> Path | None:
    """Return where groups can be made: one was, just now, and it can limit processes."""
    for base in _candidates():
        folder = base / f"{_NAME}{os.getpid()}"
        with suppress(OSError):
            _sweep_up(base)
            folder.mkdir()
            works = (folder / "pids.max").exists() and os.access(base / "cgroup.procs", os.W_OK)
            folder.rmdir()
            if works:
                return base
    return None


def _candidates() -> Iterator[Path]:
    """Yield where groups may be made: beside this process's own, at the top, and where pids have a tree."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds == "":
                yield (_MOUNTED / path.strip("/")).parent if path != "/" else _MOUNTED
                yield _MOUNTED
            elif kinds == "pids":
                yield _MOUNTED / "pids" / path.lstrip("/")


def _sweep_up(base: Path) -> None:
    """Remove the groups of graders that were killed; one with somebody in it stays by itself."""
    for folder in base.glob(f"{_NAME}*"):
        owner = folder.name.removeprefix(_NAME).partition("-")[0]
        if not Path(f"/proc/{owner}").exists():
            with suppress(OSError):
                folder.rmdir()
