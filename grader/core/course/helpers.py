"""Helper modules: what a file imports and what lies beside it is part of the submission.

They are found by their names and read here, so that whoever runs the file needs no more of the folder.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.course.hand_in import Folder, Handed, files_below, is_plain_file
from grader.core.text import as_utf8, is_wide, lines_of, printable, source_text

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
