"""A submission: one student's file and the folder it came in, found and read but never run here."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.course.hand_in import Folder, alone, collect, files_below
from grader.errors import UserError
from grader.text import coding_of, printable

if TYPE_CHECKING:
    from grader.course.rubric import HandedIn

FILE_NAME: Final = "tictactoe.py"
_PLAIN_CODINGS: Final = (
    *("utf-8", "ascii", "iso8859", "cp", "koi8", "mac", "gb", "big5", "shift_jis", "euc", "iso2022", "johab"),
    *("tis-620", "ptcp", "hp-", "kz"),
)
"""What editors have written in; other codings hide code in comments, or take for ever."""

NOWHERE: Final = Path("/nowhere") / FILE_NAME
"""Stands for the path of a submission that came as bytes."""


@dataclass(frozen=True)
class Submission:
    """One student's file as bytes. `problem` says why it cannot be run at all, before anyone tries."""

    name: str
    path: Path
    source: bytes
    problem: str | None = None
    folder: Folder | None = None
    """The files that came with it; None when it came alone."""


def locate(path: Path) -> Path:
    """Return the one file that a path means: itself, or the only tictactoe.py in a folder or below it."""
    if path.is_file():
        return path
    if not path.exists():
        raise UserError("no such file or folder", file=path)
    if not path.is_dir():
        raise UserError("neither a file nor a folder", file=path)
    if (path / FILE_NAME).is_file():
        return path / FILE_NAME
    found = sorted(one for one in files_below(path, ()) if one.name == FILE_NAME)
    if not found:
        raise UserError(f"no {FILE_NAME} in this folder: name the file to grade", file=path)
    if len(found) > 1:
        listed = ", ".join(str(candidate.relative_to(path)) for candidate in found[:5])
        raise UserError(
            f"{len(found)} files {FILE_NAME} in this folder ({listed}): name one of them", file=path
        )
    return found[0]


def read_as(kind: "HandedIn", path: Path, max_kb: int) -> Submission:
    """Return the submission that a path means: a file with functions, or a program with all its files."""
    return read(path, max_kb) if kind == "functions" else read_program(path)


def read_program(path: Path) -> Submission:
    """Return the program that a path means: a folder, or a source that came alone."""
    if not path.exists():
        raise UserError("no such file or folder", file=path)
    try:
        folder = collect(path) if path.is_dir() else (alone(path),)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    if not folder:
        raise UserError("there are no files in this folder", file=path)
    return Submission(_name(path), path, b"", folder=folder)


def read(path: Path, max_kb: int) -> Submission:
    """Return the submission that a path means, read up to a limit."""
    file = locate(path)
    try:
        with file.open("rb") as stream:
            source = stream.read(max_kb * 1000 + 1)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=file) from None
    folder = collect(path) if path.is_dir() else None
    return Submission(_name(file), file, source, _problem(source, file.stat().st_size, max_kb), folder)


def from_bytes(name: str, source: bytes, size: int, max_kb: int, folder: Folder | None = None) -> Submission:
    """Return a submission whose file is not on this machine."""
    return Submission(
        printable(name), NOWHERE, source[: max_kb * 1000 + 1], _problem(source, size, max_kb), folder
    )


def own_paths(submission: Submission) -> list[Path]:
    """Return what a submission may read, itself first: what lies beside it only if its folder was named.

    What is hidden there is not its own, and nothing is in a folder that the grader's own files are in.
    """
    file = submission.path.resolve()
    if submission.folder is None or not file.is_file():
        return [file]
    if any((file.parent / name).exists() for name in ("rubric.yaml", "fixtures", "grader")):
        return [file]
    beside = (one for one in file.parent.iterdir() if one.name[0] != "." and one.name != file.name)
    return [file, *sorted(one for one in beside if not one.is_symlink())]


def _name(file: Path) -> str:
    """Return the file as a person here would call it."""
    return printable(str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file))


def _problem(source: bytes, size: int, max_kb: int) -> str | None:
    """Return the sentence for a file that Python would refuse or that nobody means to hand in."""
    if len(source) > max_kb * 1000:
        return f"The file has {size / 1e6:.1f} MB; at most {max_kb / 1000:g} MB are read."
    if not source.strip():
        return "The file is empty."
    if b"\0" in source:
        line = _line(source, source.index(b"\0"))
        return f"The file holds a null byte (line {line}), so it is not text: save it as UTF-8."
    try:
        coding = coding_of(source)
    except LookupError:
        return None  # Python itself says so, with the line
    if not coding.startswith(_PLAIN_CODINGS):
        return f"The file declares the coding {coding}, in which text is not what it seems: save it as UTF-8."
    if coding == "utf-8":
        try:
            source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = _line(source, error.start)
            return f"The file is not UTF-8 text (line {line}): save it as UTF-8."
    return None


def _line(source: bytes, at: int) -> int:
    """Return the number of the line in which a byte stands."""
    return len((source[:at] + b".").splitlines())  # of bytes it ends them where Python does
