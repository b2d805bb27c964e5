"""The files of a folder of fixtures."""

from pathlib import Path
from typing import Final

from grader.core.errors import UserError

_CACHES: Final = "__pycache__"


def files_in(fixtures: Path) -> list[Path]:
    """Return the files of a folder of fixtures and below it, by path: no caches, nothing hidden by a dot."""
    if not fixtures.is_dir():
        raise UserError("no such folder of fixtures", file=fixtures)
    found: list[Path] = []
    waiting, seen = [fixtures], set[Path]()
    while waiting:
        folder = waiting.pop()
        if folder.resolve() in seen:  # a link may lead in a circle
            continue
        seen.add(folder.resolve())
        try:
            inside = [one for one in folder.iterdir() if one.name != _CACHES and one.name[0] != "."]
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", file=folder) from None
        waiting += filter(Path.is_dir, inside)
        found += filter(Path.is_file, inside)
    return sorted(found)


def is_fixture(file: Path) -> bool:
    """Return whether a file holds cases; any other is a test of the instructor's own, or what one reads."""
    return file.suffix == ".yaml"


def has_tests(fixtures: Path) -> bool:
    """Return whether a folder holds an instructor's own tests, which only pytest can run."""
    return any(file.suffix == ".py" for file in files_in(fixtures))
