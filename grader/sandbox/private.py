"""Private folders, to which strangers' processes may write: made, measured by the blocks they take, removed.

Their names do not say that somebody is graded; the grader knows them by a sum over the name.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from grader.core import system

_PREFIX: Final = "home-"
BLOCK: Final = 512
"""Bytes of a block, in which the system tells what a file takes."""

_EACH: Final = 10_000
"""Bytes that anything in a folder counts for at least: twenty thousand empty files are too many."""

_LONGEST_PATH, _FAR_TOO_MUCH = 2_000, 1 << 60
_MOST: Final = 20_000
_ALL_OF_MINE: Final = 0o700
_AGE: Final = 24 * 3600.0
"""Seconds after which a folder is nobody's any more, where nobody can ask whether its process runs."""


def new_folder() -> Path:
    """Return a new folder that bears this process's number: if nobody removes it, another grader will."""
    _sweep_up()
    while True:
        name = f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
        folder = Path(tempfile.gettempdir()).resolve() / f"{name}-{_sum(name)}"
        with suppress(FileExistsError):
            folder.mkdir(mode=_ALL_OF_MINE)
            return folder


def folders_of(process: int) -> list[Path]:
    """Return the folders that a process has made and not removed."""
    return [folder for owner, folder in _known() if owner == process]


def written(folder: Path) -> int:
    """Return how many bytes a folder takes on the disk; each thing in it counts for some.

    What lies so deep that nobody could list it is far too much.
    """
    total = 0
    for path, found in _measured(folder):
        if len(path) > _LONGEST_PATH:
            return _FAR_TOO_MUCH
        total += _EACH + BLOCK * found.st_blocks
    return total


def size(folder: Path) -> int:
    """Return how many bytes a copy of a folder would take, holes in its files filled."""
    return sum(_EACH + found.st_size for _, found in _measured(folder))


def _measured(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for entry in entries(folder):
        with suppress(OSError):
            yield entry.path, entry.stat(follow_symlinks=False)


def entries(folder: Path, without: frozenset[str] = frozenset()) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a folder and below it but for some names, folders first; not without an end.

    Folders that were made without rights are opened.
    """
    waiting, count = deque([str(folder)]), 0
    while waiting and count < _MOST:
        place = waiting.popleft()
        with suppress(OSError), _listed(place) as found:
            for entry in found:
                count += 1
                if entry.name in without:
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _listed(folder: str) -> "os._ScandirIterator[str]":
    try:
        return os.scandir(folder)
    except PermissionError:  # made without rights: its owner, which is this user, has the last word
        Path(folder).chmod(_ALL_OF_MINE)
        return os.scandir(folder)


def remove(folder: Path) -> None:
    """Remove a folder, however deep it is, and whatever rights were taken from what is in it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        has_rm = shutil.which("rm")
        for entry in entries(folder):  # which opens what is locked
            if not (has_rm or entry.is_symlink()):
                with suppress(OSError):
                    os.chmod(entry.path, _ALL_OF_MINE)  # noqa: PTH101 - Windows removes no read-only file
        if has_rm:
            subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _sweep_up() -> None:
    """Remove the folders of graders that were killed before they could do so themselves."""
    for owner, folder in _known():
        if not is_running(owner, folder):
            remove(folder)


def _known() -> Iterator[tuple[int, Path]]:
    """Yield the graders' folders on this machine, each with the process that made it."""
    for folder in Path(tempfile.gettempdir()).resolve().glob(f"{_PREFIX}*-*-*"):
        name, _, told = folder.name.rpartition("-")
        owner = name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdecimal() and told == _sum(name) and _is_mine(folder):
            yield int(owner), folder


def _is_mine(folder: Path) -> bool:
    """Return whether it is a folder of this user, and not a link that somebody else has put there."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and system.is_mine(found)


def _sum(name: str) -> str:
    return f"{zlib.crc32(b'tictactoe-grader' + name.encode()):08x}"


def is_running(process: int, folder: Path) -> bool:
    """Return whether the process that made a folder runs; by the folder's age where nobody can ask."""
    runs = system.is_running(process)
    if runs is None:
        with suppress(OSError):
            runs = time.time() - folder.stat().st_mtime < _AGE
    return bool(runs)
