"""A submission: one student's file and the folder it came in, found and read but never run here."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.core.course.hand_in import (
    MOST_BYTES,
    MOST_FILES,
    Folder,
    alone,
    beside,
    collect,
    files_below,
    is_graders,
)
from grader.core.course.reading import (
    MOST_OF_A_NOTEBOOK,
    NOTEBOOK_SUFFIX,
    code_of_notebook,
    is_notebook,
    problem_of,
    read_source,
)
from grader.core.errors import UserError
from grader.core.messages import _, ngettext
from grader.core.text import printable
from grader.core.values import Frozen

FILE_NAME: Final = "tictactoe.py"
_NOT_MEANT: Final = {"runner.py", "setup.py", "conftest.py"}
"""Files that come with the assignment or with Python, not with an answer."""

NOWHERE: Final = Path("/nowhere") / FILE_NAME
"""Stands for the path of a submission that came as bytes."""


class Submission(Frozen):
    """One student's file as bytes. `problem` says why it cannot be run at all, before anyone tries."""

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
    """Whether a problem is the file's own; if not, nobody's score follows from it, and a person looks."""
    note: str = ""
    """What a person should know about the file as it came."""


def locate(path: Path) -> Path:
    """Return the one file that a path means: itself, or the only tictactoe.py in a folder or below it.

    A notebook is meant where there is no Python file at all.
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
    found = sorted(one for one in below if one.name == FILE_NAME)
    if not any(may_be_meant(one.name) for one in below):
        found, what = sorted(one for one in below if one.suffix.lower() == NOTEBOOK_SUFFIX), "*.ipynb"
    if not found:
        raise UserError(
            _("no {file_name} in this folder: name the file to grade", file_name=FILE_NAME), file=path
        )
    if len(found) > 1:
        listed = ", ".join(candidate.relative_to(path).as_posix() for candidate in found[:5])
        raise UserError(
            _(
                "{found} files {what} in this folder ({listed}): name one of them",
                found=len(found),
                what=what,
                listed=listed,
            ),
            file=path,
        )
    return found[0]


def may_be_meant(name: str) -> bool:
    """Return whether a file is named like what a student wrote to be graded."""
    is_python = name.lower().endswith(".py") and not name.startswith((".", "test_"))
    return is_python and name not in _NOT_MEANT


def read_program(path: Path) -> Submission:
    """Return the program that a path means: a folder, or a source that came alone."""
    if not path.exists():
        raise UserError(_("no such file or folder"), file=path)
    try:
        folder = collect(path) if path.is_dir() else (alone(path),)
    except OSError as error:
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=path) from None
    if not folder:
        raise UserError(_("there are no files in this folder"), file=path)
    return Submission(_name(path), path, b"", folder=folder)


def read(path: Path, max_kb: int, *, notebooks: bool = False) -> Submission:
    """Return the submission that a path means, read up to a limit."""
    file = locate(path)
    try:
        with file.open("rb") as stream:
            raw = stream.read(max(max_kb * 1000, MOST_OF_A_NOTEBOOK) + 1)
    except OSError as error:
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=file) from None
    folder = collect(path) if path.is_dir() else None
    came = Submission(
        _name(file),
        file,
        raw,
        folder=folder,
        helpers=helpers_of(file, raw, has_folder=folder is not None),
        main=printable(file.relative_to(path).as_posix()) if folder is not None else "",
        note=_left_aside(file, raw) if folder is None else "",
    )
    return _made(came, file.stat().st_size, max_kb, notebooks)


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
    return _made(came, size, max_kb, notebooks)


def _made(came: Submission, size: int, max_kb: int, notebooks: bool) -> Submission:
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


def _left_aside(file: Path, source: bytes) -> str:
    """Return the note about modules that a bare file imports and that are not taken along."""
    if file.name.lower() == FILE_NAME:
        return ""
    names = ", ".join(one.name for one in beside(file, source)[:5])
    if not names:
        return ""
    return _(
        "It imports what lies beside it ({names}). That may be another student's, and was not taken along: "
        "call the file {file}, in its own folder.",
        names=names,
        file=FILE_NAME,
    )


def _problem_of_helpers(own: Folder) -> str | None:
    """Return the sentence for helper modules that are too many, or that Python would refuse as text."""
    size = sum(one.size for one in own)
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
    texts = ((one.name, one.content) for one in own if one.content.strip())
    found = (problem_of(text, len(text), MOST_BYTES // 1000, name) for name, text in texts)
    return next(filter(None, found), None)


def unused(submission: Submission) -> list[str]:
    """Return the Python files of a hand-in that are neither what is graded nor imported by it."""
    folder, _, _ = submission.main.rpartition("/")
    used = {submission.main, *(f"{folder}/{one.name}".lstrip("/") for one in submission.helpers)}
    names = [one.name for one in submission.folder or () if one.name not in used]
    return [name for name in names if may_be_meant(name.rpartition("/")[2])]


def own_paths(submission: Submission) -> list[Path]:
    """Return what a submission may read, itself first: what lies beside it only if its folder was named.

    What is hidden there is not its own, and nothing is in a folder that the grader's own files are in.
    """
    file = submission.path.resolve()
    if submission.folder is None or not file.is_file() or is_graders(file.parent):
        return [file]
    others = (one for one in file.parent.iterdir() if one.name[0] != "." and one.name != file.name)
    return [file, *sorted(one for one in others if not one.is_symlink())]


def _name(file: Path) -> str:
    """Return the file as a person here would call it."""
    return printable((file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file).as_posix())
