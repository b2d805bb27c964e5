"""The files that came with a submission: read up to a limit and never run; its own modules among them."""

import os
import re
import stat
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from grader.core.text import as_utf8, is_wide, lines_of, printable, source_text
from grader.core.values import Frozen

_MOST_FILES: Final = 200
_MOST_BYTES: Final = 200_000
"""Of one file; what is larger is known by its size and its digests."""

_MOST_TOGETHER: Final = 2_000_000
MOST_COMPARED: Final = 50_000_000
"""Bytes of such files together; what is beyond is known by its size alone."""

_DEEPEST: Final = 30
"""Folders below the hand-in's own."""

CLUTTER: Final = frozenset(
    ("__MACOSX", "__pycache__", "venv", ".venv", "node_modules", "site-packages", ".git")
)
"""Folders that nobody has written."""

_CLUTTER: Final = CLUTTER | {".DS_Store", "Thumbs.db"}


class Handed(Frozen):
    """One file of a hand-in: its path in the folder as text, its size, and as much of it as is read."""

    name: str
    size: int
    content: bytes
    digests: tuple[str, ...] = ()
    """Of the whole of it, where not all is in the content."""

    def is_copy(self, known: str) -> bool | None:
        """Return whether it is what has this SHA-256, or None if it is too large to tell."""
        if self.digests or len(self.content) == self.size:
            return known in (self.digests or digests(self.content))
        return None


Folder = tuple[Handed, ...]


def collect(folder: Path) -> Folder:
    """Return the files of a folder by name: no clutter, no links, nothing hidden, and not without an end."""
    found: list[Handed] = []
    together = compared = 0
    for file in files_below(folder):
        if len(found) == _MOST_FILES:
            break
        try:
            size = file.stat().st_size
            with file.open("rb") as stream:
                content = stream.read(min(_MOST_BYTES, max(0, _MOST_TOGETHER - together)))
                known: Iterable[str] = ()
                if len(content) < size <= MOST_COMPARED - compared:
                    compared += size
                    known = digests(content + stream.read(size))
        except OSError:
            continue
        together += len(content)
        name = printable(file.relative_to(folder).as_posix())
        found.append(Handed(name, size, content, tuple(sorted(known))))
    return tuple(found)


def alone(file: Path) -> Handed:
    """Return a file that came without a folder."""
    with file.open("rb") as stream:
        return Handed(printable(file.name), file.stat().st_size, stream.read(_MOST_BYTES))


def files_below(folder: Path, clutter: Container[str] = _CLUTTER) -> Iterator[Path]:
    """Yield the files in a folder and below it, by name: no clutter, no links, nothing hidden.

    A file that lies deeper than anybody puts one is not looked for.
    """
    waiting = [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            names = sorted(one for one in os.listdir(place) if one not in clutter and one[0] != ".")  # noqa: PTH208
        except OSError:
            continue
        found = [place / name for name in names]
        yield from filter(is_plain_file, found)
        if depth < _DEEPEST:
            below = [(one, depth + 1) for one in found if not one.is_symlink() and one.is_dir()]
            waiting += reversed(below)


def is_plain_file(file: Path) -> bool:
    """Return whether there is a file, and no link to one; what nobody may look at is none."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except (OSError, ValueError):
        return False


def matching(folder: Folder, pattern: str) -> list[Handed]:
    """Return the files that a pattern means: by their names, wherever they lie, or by their paths."""
    wanted = pattern.casefold().split("|")
    return [one for one in folder if any(_fits(one.name.casefold(), word.strip()) for word in wanted)]


def _fits(name: str, pattern: str) -> bool:
    return fnmatch(name, pattern) or fnmatch(name.rpartition("/")[2], pattern)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a text in plain form, which is among the digests of all its forms."""
    return _sha256(_plain(content) + b"\n")


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")


def digests(content: bytes) -> frozenset[str]:
    """Return the SHA-256 of a text as it is, and with other line ends or another end: these do not count."""
    plain = _plain(content)
    forms = [content]
    for ends in (plain, plain + b"\n"):
        forms += [ends, ends.replace(b"\n", b"\r\n")]
    return frozenset(map(_sha256, forms))


def _sha256(content: bytes) -> str:
    from hashlib import sha256  # brings OpenSSL along, which hardly any hand-in needs

    return sha256(content).hexdigest()


MOST_FILES: Final = 40
MOST_BYTES: Final = 1_000_000
"""Of all helper modules together."""

_IMPORT: Final = re.compile(
    r"\bfrom[ \t]++(?:\.[\w.]*+|(\w++)[\w.]*+)[ \t]++import\b"
    r"|\bimport[ \t]++([^#;]++)"
    r"|import(?:_module|__)[ \t]*+\([ \t]*+[\"'](\w++)"
)
"""How a module is imported in a line: by its first name, by a list of names, or by a call."""

_GRADERS: Final = ("rubric.yaml", "fixtures", "grader")


def beside(file: Path, source: bytes) -> Folder:
    """Return the modules that a file imports, directly or through others, and that lie beside it.

    Each is named by its path from there. What is read is bounded; the sizes tell what was not.
    """
    if is_graders(file.parent):
        return ()
    found: dict[str, Handed] = {}
    known = {*sys.stdlib_module_names, file.stem, "tictactoe"}
    waiting = [source]
    while waiting:
        for module in imported(waiting.pop()) - known:
            known.add(module)
            for one in _files(file.parent, module):
                if len(found) > MOST_FILES:
                    break
                left = MOST_BYTES - sum(len(other.content) for other in found.values())
                handed = _read(one, one.relative_to(file.parent).as_posix(), left)
                found[handed.name] = handed
                waiting.append(handed.content)
    return tuple(found[name] for name in sorted(found))


def is_graders(folder: Path) -> bool:
    """Return whether the grader's own files, or an instructor's, lie in a folder: nobody's helpers do."""
    return any((folder / name).exists() for name in _GRADERS)


def imported(source: bytes) -> set[str]:
    """Return the first names of all modules that a source may import, as far as its lines tell."""
    found: set[str] = set()
    for line in lines_of(source_text(source)):
        for by_from, by_import, by_call in _IMPORT.findall(line) if "import" in line else ():
            names = [one.strip().partition(" ")[0].partition(".")[0] for one in by_import.split(",")]
            found |= {by_from, by_call, *names}
    return {name for name in found if name.isidentifier()}


def _files(folder: Path, module: str) -> Iterator[Path]:
    """Yield the files of a module: itself, or all that are in a package."""
    if is_plain_file(folder / f"{module}.py"):
        yield folder / f"{module}.py"
    package = folder / module
    if package.is_dir() and not package.is_symlink():
        for one in files_below(package):
            parts = one.relative_to(folder).with_suffix("").parts
            if one.suffix == ".py" and all(map(str.isidentifier, parts)):
                yield one


def _read(file: Path, name: str, most: int) -> Handed:
    try:
        with file.open("rb") as stream:
            content = stream.read(max(0, most))
        with suppress(UnicodeError):  # whoever reads it will say so
            content = as_utf8(content) if is_wide(content) else content
        return Handed(printable(name), file.stat().st_size, content)
    except OSError:
        return Handed(printable(name), 0, b"")
