"""A submission: one student's file and the folder it came in, read up to a limit and never run here."""

import os
import re
import stat
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from grader.core.course.reading import (
    MOST_OF_A_NOTEBOOK,
    NOTEBOOK_SUFFIX,
    code_of_notebook,
    is_notebook,
    problem_of,
    read_source,
)
from grader.core.errors import UserError
from grader.core.messages import _, later, ngettext
from grader.core.values import Frozen, as_utf8, is_wide, lines_of, printable, source_text

_MOST_FILES: Final = 200
_MOST_BYTES: Final = 200_000  # of one file; what is larger is known by its size and its digests
_MOST_TOGETHER: Final = 2_000_000
MOST_COMPARED: Final = 50_000_000
"""Bytes of such files together; what is beyond is known by its size alone."""

_DEEPEST: Final = 30  # levels of folders that are searched below the submission's own
CLUTTER: Final = {"__MACOSX", "__pycache__", "venv", ".venv", "node_modules", "site-packages", ".git"}
"""Folders that tools have written."""

_CLUTTER: Final = CLUTTER | {".DS_Store", "Thumbs.db"}


class Handed(Frozen):
    """One file of a submission: its path in the folder as text, its size, and as much of it as is read."""

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
    for place, folders, names in os.walk(folder):
        path = Path(place)
        is_deepest = len(path.relative_to(folder).parts) == _DEEPEST
        for found in (folders, names):
            found[:] = sorted(name for name in found if name not in clutter and name[0] != ".")
        yield from filter(is_plain_file, map(path.joinpath, names))
        if is_deepest:
            folders.clear()


def is_plain_file(file: Path) -> bool:
    """Return whether a path is a regular file and no link; an unreadable path is none."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except (OSError, ValueError):
        return False


def matching(folder: Folder, pattern: str) -> list[Handed]:
    """Return the files whose name, in any folder, or whose path matches a pattern."""
    wanted = pattern.casefold().split("|")
    return [file for file in folder if any(_fits(file.name.casefold(), word.strip()) for word in wanted)]


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
    from hashlib import sha256  # brings OpenSSL along, which hardly any submission needs

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
            for path in _files(file.parent, module):
                if len(found) > MOST_FILES:
                    break
                left = MOST_BYTES - sum(len(other.content) for other in found.values())
                handed = _read(path, path.relative_to(file.parent).as_posix(), left)
                found[handed.name] = handed
                waiting.append(handed.content)
    return tuple(found[name] for name in sorted(found))


def is_graders(folder: Path) -> bool:
    """Return whether a folder holds the grader's or an instructor's files: these are no helper modules."""
    return any((folder / name).exists() for name in _GRADERS)


def imported(source: bytes) -> set[str]:
    """Return the first names of all modules that a source may import, as far as its lines tell."""
    found: set[str] = set()
    for line in lines_of(source_text(source)):
        for by_from, by_import, by_call in _IMPORT.findall(line) if "import" in line else ():
            names = [name.strip().partition(" ")[0].partition(".")[0] for name in by_import.split(",")]
            found |= {by_from, by_call, *names}
    return {name for name in found if name.isidentifier()}


def _files(folder: Path, module: str) -> Iterator[Path]:
    """Yield the files of a module: itself, or all that are in a package."""
    if is_plain_file(folder / f"{module}.py"):
        yield folder / f"{module}.py"
    package = folder / module
    if package.is_dir() and not package.is_symlink():
        for path in files_below(package):
            parts = path.relative_to(folder).with_suffix("").parts
            if path.suffix == ".py" and all(map(str.isidentifier, parts)):
                yield path


def _read(file: Path, name: str, most: int) -> Handed:
    try:
        with file.open("rb") as stream:
            content = stream.read(max(0, most))
        with suppress(UnicodeError):  # reading the submission reports it
            content = as_utf8(content) if is_wide(content) else content
        return Handed(printable(name), file.stat().st_size, content)
    except OSError:
        return Handed(printable(name), 0, b"")


FILE_NAME: Final = "tictactoe.py"
_NOT_MEANT: Final = {"runner.py", "setup.py", "conftest.py"}
"""Files that come with the assignment or with Python, not with an answer."""

NOWHERE: Final = Path("/nowhere") / FILE_NAME
"""Stands for the path of a submission that came as bytes."""


class Submission(Frozen):
    """One student's file as bytes. `problem` is the reason why it cannot be run at all."""

    name: str
    path: Path
    source: bytes
    problem: str | None = None
    folder: Folder | None = None
    """The files that came with it; None when it came alone."""
    helpers: Folder = ()
    """The modules beside it that it imports, by their paths from there: part of the submission."""
    main: str = ""
    """Which of the files in the folder it is."""
    is_gradable: bool = True
    """Whether a problem is the file's own; if not, it decides no score, and a person looks."""
    note: str = ""
    """What a person should know about the file as it came."""


def locate(path: Path) -> Path:
    """Return the file to grade: the path itself, or the only tictactoe.py in a folder or below it.

    Where there is no Python file at all, it is the only notebook.
    """
    if path.is_file():
        return path
    if not path.exists():
        raise UserError(_("no such file or folder"), file=path)
    if not path.is_dir():
        raise UserError(_("neither a file nor a folder"), file=path)
    if (path / FILE_NAME).is_file():
        return path / FILE_NAME
    below, what = list(files_below(path, ())), FILE_NAME
    found = sorted(file for file in below if file.name == FILE_NAME)
    if not any(may_be_meant(file.name) for file in below):
        found, what = sorted(file for file in below if file.suffix.lower() == NOTEBOOK_SUFFIX), "*.ipynb"
    if not found:
        nothing = _("no {file_name} in this folder: name the file to grade", file_name=FILE_NAME)
        raise UserError(nothing, file=path)
    if len(found) > 1:
        listed = ", ".join(candidate.relative_to(path).as_posix() for candidate in found[:5])
        several = later("{found} files {what} in this folder ({listed}): name one of them")
        raise UserError(_(several, found=len(found), what=what, listed=listed), file=path)
    return found[0]


def may_be_meant(name: str) -> bool:
    """Return whether a file is named like what a student wrote to be graded."""
    is_python = name.lower().endswith(".py") and not name.startswith((".", "test_"))
    return is_python and name not in _NOT_MEANT


def read_program(path: Path) -> Submission:
    """Return the program at a path: a folder, or a source that came alone."""
    if not path.exists():
        raise UserError(_("no such file or folder"), file=path)
    with _readable(path):
        folder = collect(path) if path.is_dir() else (alone(path),)
    if not folder:
        raise UserError(_("there are no files in this folder"), file=path)
    return Submission(_name(path), path, b"", folder=folder)


def read(path: Path, max_kb: int, *, notebooks: bool = False) -> Submission:
    """Return the submission at a path, read up to a limit."""
    file = locate(path)
    with _readable(file), file.open("rb") as stream:
        raw = stream.read(max(max_kb * 1000, MOST_OF_A_NOTEBOOK) + 1)
    folder = collect(path) if path.is_dir() else None
    came = Submission(
        _name(file),
        file,
        raw,
        folder=folder,
        helpers=helpers_of(file, raw, has_folder=folder is not None),
        main=printable(file.relative_to(path).as_posix()) if folder is not None else "",
        note=_note_on_neighbours(file, raw) if folder is None else "",
    )
    return _submission_from(came, file.stat().st_size, max_kb, notebooks)


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    """Raise UserError for a file that cannot be read."""
    try:
        yield
    except OSError as error:
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=file) from None


def from_bytes(
    name: str,
    source: bytes,
    size: int,
    max_kb: int,
    folder: Folder | None = None,
    *,
    helpers: Folder = (),
    main: str = "",
    notebooks: bool = False,
) -> Submission:
    """Return a submission whose files are not on this machine."""
    path = NOWHERE.with_name(main.rpartition("/")[2] or FILE_NAME)
    came = Submission(printable(name), path, source, folder=folder, helpers=helpers, main=main)
    return _submission_from(came, size, max_kb, notebooks)


def _submission_from(came: Submission, size: int, max_kb: int, notebooks: bool) -> Submission:
    """Return a submission as it can be run, or with why it cannot."""
    found = read_source(came.source, size, max_kb, notebooks=notebooks)
    return replace(
        came,
        source=found.source,
        problem=found.problem or _problem_of_helpers(came.helpers),
        is_gradable=found.is_gradable,
        note=f"{came.note} {found.note}".strip(),
    )


def helpers_of(file: Path, source: bytes, *, has_folder: bool) -> Folder:
    """Return the helper modules of a file, if what lies beside it is the same student's.

    It is in a folder that was handed in, and beside a file of the assignment's name: of those there is one in
    a folder. What lies beside a file with a student's name may be another student's.
    """
    if not has_folder and file.name.lower() != FILE_NAME:
        return ()
    cells = code_of_notebook(source) if is_notebook(source) else None
    return beside(file, source if cells is None else cells.encode("utf-8", "replace"))


def _note_on_neighbours(file: Path, source: bytes) -> str:
    """Return the note about modules that a bare file imports and that are not taken along."""
    if file.name.lower() == FILE_NAME:
        return ""
    names = ", ".join(module.name for module in beside(file, source)[:5])
    sentence = later(
        "It imports what lies beside it ({names}). That may be another student's, and was not taken along: "
        "call the file {file}, in its own folder."
    )
    return _(sentence, names=names, file=FILE_NAME) if names else ""


def _problem_of_helpers(own: Folder) -> str | None:
    """Return the sentence for helper modules that are too many, or that Python would refuse as text."""
    size = sum(module.size for module in own)
    if len(own) > MOST_FILES or size > MOST_BYTES:
        return ngettext(
            "It imports {count} files beside it with {size:.1f} MB; at most {files} files and {most:g} MB "
            "are read.",
            "It imports {count} files beside it with {size:.1f} MB; at most {files} files and {most:g} MB "
            "are read.",
            len(own),
            size=size / 1e6,
            files=MOST_FILES,
            most=MOST_BYTES / 1e6,
        )
    problems = (
        problem_of(module.content, len(module.content), MOST_BYTES // 1000, module.name)
        for module in own
        if module.content.strip()
    )
    return next(filter(None, problems), None)


def unused(submission: Submission) -> list[str]:
    """Return the Python files of a submission that are neither graded nor imported by the graded file."""
    folder, _, _ = submission.main.rpartition("/")
    used = {submission.main, *(f"{folder}/{helper.name}".lstrip("/") for helper in submission.helpers)}
    names = [file.name for file in submission.folder or () if file.name not in used]
    return [name for name in names if may_be_meant(name.rpartition("/")[2])]


def own_paths(submission: Submission) -> list[Path]:
    """Return what a submission may read, itself first: what lies beside it only if its folder was named.

    What is hidden there is not its own, and nothing is in a folder that the grader's own files are in.
    """
    file = submission.path.resolve()
    if submission.folder is None or not file.is_file() or is_graders(file.parent):
        return [file]
    others = (other for other in file.parent.iterdir() if other.name[0] != "." and other.name != file.name)
    return [file, *sorted(other for other in others if not other.is_symlink())]


def _name(file: Path) -> str:
    """Return the file as a person here would call it."""
    return printable((file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file).as_posix())
