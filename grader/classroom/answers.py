"""Which files of a download may be an answer: no clutter, no links, nothing that came with the assignment."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.classroom import archives
from grader.course.submission import FILE_NAME

_NOT_MEANT: Final = {"runner.py", "setup.py", "conftest.py"}
"""Files that come with the assignment or with Python, not with an answer."""


def folders(folder: Path) -> list[Path]:
    """Return the folders that may be students': no clutter, and not what the grader itself has written."""
    found = (one for one in folder.iterdir() if one.is_dir() and one.name[0] != ".")
    return sorted(
        one for one in found if one.name not in archives.CLUTTER and not (one / "gradebook.csv").is_file()
    )


def sources(folder: Path) -> list[Path]:
    """Return the Python files right in a folder that may be an answer."""
    return sorted(one for one in folder.iterdir() if is_answer(one))


def archives_in(folder: Path) -> list[Path]:
    """Return the archives right in a folder."""
    return sorted(
        one
        for one in folder.iterdir()
        if one.is_file() and not one.is_symlink() and archives.is_archive(one) and one.name[0] != "."
    )


def python_files(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder that may be an answer; links are not followed."""
    for parent, below, files in os.walk(folder):
        below[:] = sorted(one for one in below if one not in archives.CLUTTER and one[0] != ".")
        yield from (Path(parent, name) for name in sorted(files) if is_answer(Path(parent, name)))


def is_answer(file: Path) -> bool:
    """Return whether a file may be what a student wrote."""
    named = file.suffix.lower() == ".py" and file.name[0] != "." and file.name not in _NOT_MEANT
    return named and not file.name.startswith("test_") and file.is_file() and not file.is_symlink()


def is_one(folder: Path) -> bool:
    """Return whether a folder is one student's: the file is right there, and not in several folders below."""
    if not is_answer(folder / FILE_NAME):
        return False
    return sum((one / FILE_NAME).is_file() for one in folders(folder)) < 2
