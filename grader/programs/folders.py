"""The folders in which programs are built and run: made, copied, measured, and removed."""

import os
import shutil
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.sandbox.process import new_private_folder

_LEFT_BEHIND: Final = {".cache"}
"""What compilers keep for themselves."""

_MOST: Final = 20_000
_EACH: Final = 10_000
"""Bytes that anything in a folder counts for at least: twenty thousand empty files are too many."""


def new_folder() -> Path:
    """Return a new folder; it is swept up later if nobody is left to remove it."""
    return new_private_folder().resolve()


def copied(folder: Path) -> Path:
    """Return a new folder with what is in another: files, folders and links, and nothing that would wait."""
    target = new_folder()
    for entry in entries(folder):
        place = target / Path(entry.path).relative_to(folder)
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                place.mkdir()
            elif entry.is_file(follow_symlinks=False):
                shutil.copy2(entry.path, place)
            elif entry.is_symlink():
                place.symlink_to(Path(entry.path).readlink())
    return target


def written(folder: Path) -> int:
    """Return how many bytes lie in a folder; each thing in it counts for some."""
    total = 0
    for entry in entries(folder):
        with suppress(OSError):
            total += _EACH + (entry.stat(follow_symlinks=False).st_size if entry.is_file() else 0)
    return total


def entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a folder and below it, folders first; not without an end."""
    waiting, count = deque([str(folder)]), 0
    while waiting and count < _MOST:
        with suppress(OSError), os.scandir(waiting.popleft()) as found:
            for entry in found:
                count += 1
                if entry.name in _LEFT_BEHIND:
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def remove(folder: Path) -> None:
    """Remove a folder, however deep it is."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
