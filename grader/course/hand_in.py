"""The hand-in: the files that came with a submission, read up to a limit and never run."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

_MOST_FILES: Final = 200
_MOST_BYTES: Final = 200_000
"""Of one file; what is larger is known by its size."""

_MOST_TOGETHER: Final = 2_000_000
_CLUTTER: Final = {"__pycache__", "__MACOSX", "node_modules", "venv", ".venv", ".DS_Store", "Thumbs.db"}


@dataclass(frozen=True)
class Handed:
    """One file of a hand-in: its path in the folder, its size, and as much of it as is read."""

    name: str
    size: int
    content: bytes


Folder = tuple[Handed, ...]


def collect(folder: Path) -> Folder:
    """Return the files of a folder by name: no clutter, no links, nothing hidden, and not without an end."""
    found: list[Handed] = []
    together = 0
    for file in _files(folder):
        if len(found) == _MOST_FILES:
            break
        try:
            size = file.stat().st_size
            with file.open("rb") as stream:
                content = stream.read(min(_MOST_BYTES, max(0, _MOST_TOGETHER - together)))
        except OSError:
            continue
        together += len(content)
        found.append(Handed(file.relative_to(folder).as_posix(), size, content))
    return tuple(found)


def alone(file: Path) -> Handed:
    """Return a file that came without a folder."""
    with file.open("rb") as stream:
        return Handed(file.name, file.stat().st_size, stream.read(_MOST_BYTES))


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _CLUTTER and name[0] != ".")
        for name in sorted(names):
            file = Path(place) / name
            if name not in _CLUTTER and name[0] != "." and file.is_file() and not file.is_symlink():
                yield file


def matching(folder: Folder, pattern: str) -> list[Handed]:
    """Return the files that a pattern means: by their names, wherever they lie, or by their paths."""
    wanted = pattern.casefold().split("|")
    return [one for one in folder if any(_fits(one.name.casefold(), word.strip()) for word in wanted)]


def _fits(name: str, pattern: str) -> bool:
    return fnmatch(name, pattern) or fnmatch(name.rpartition("/")[2], pattern)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a text in plain form, which is among the digests of all its forms."""
    return hashlib.sha256(_plain(content) + b"\n").hexdigest()


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")


def digests(content: bytes) -> frozenset[str]:
    """Return the SHA-256 of a text as it is, and with other line ends or another end: these do not count."""
    plain = _plain(content)
    forms = [content]
    for ends in (plain, plain + b"\n"):
        forms += [ends, ends.replace(b"\n", b"\r\n")]
    return frozenset(hashlib.sha256(form).hexdigest() for form in forms)
