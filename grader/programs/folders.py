"""The folder of a program: copied for every game, so that what one does to it, the next does not know."""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.sandbox.private import entries, new_folder

_LEFT_BEHIND: Final = frozenset((".cache",))
"""What compilers keep for themselves."""


def copied(folder: Path) -> Path:
    """Return a new folder with what is in another: files, folders and links, and nothing that would wait."""
    target = new_folder()
    for entry in entries(folder, _LEFT_BEHIND):
        place = target / Path(entry.path).relative_to(folder)
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                place.mkdir()
            elif entry.is_file(follow_symlinks=False):
                shutil.copy2(entry.path, place)
            elif entry.is_symlink():
                place.symlink_to(Path(entry.path).readlink())
    return target
