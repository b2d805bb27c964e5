"""Which files of a download may be an answer: no clutter, no links, nothing that came with the assignment."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.classroom import archives
from grader.core.course import notebook
from grader.core.course.hand_in import collect, files_below, is_plain_file
from grader.core.course.helpers import imported
from grader.core.course.rubric import Attempts, HandedIn
from grader.core.course.submission import FILE_NAME, may_be_meant
from grader.core.text import printable
from grader.programs.languages import is_source, recipe_for
from grader.programs.recipes import Recipe

_TRY: Final = re.compile(
    r"(?:attempt|try|version|revision|submission|v)[ _.-]*(?P<number>[0-9]{1,9})"
    r"|(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}.*)",
    re.I | re.S,
)
"""What the folders of several hand-ins are called."""

_MOST_READ: Final = 200_000
"""Bytes of a file that are looked through for its imports."""


def folders_in(folder: Path) -> list[Path]:
    """Return the folders that may be students': no clutter, and not what the grader itself has written."""
    found = (one for one in _in(folder) if one.is_dir() and not one.is_symlink())
    return [one for one in found if one.name not in archives.CLUTTER and not _is_written(one)]


def files_in(folder: Path) -> list[Path]:
    """Return the files right in a folder."""
    return [one for one in _in(folder) if is_plain_file(one)]


def odd_in(folder: Path) -> list[tuple[Path, str]]:
    """Return what is neither a file nor a folder, each with a sentence: it may be all that somebody has."""
    return [
        (one, f"{one.name} is {'a link, which is not followed' if one.is_symlink() else 'no file'}.")
        for one in _in(folder)
        if one.is_symlink() or not (one.is_dir() or one.is_file())
    ]


def _in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.name[0] != "." or _is_moodle_s(one))


def _is_moodle_s(folder: Path) -> bool:
    """Return whether Moodle has named a folder, after a student whose name may begin with a dot."""
    return "_assignsubmission_" in folder.name and folder.is_dir()


def _is_written(folder: Path) -> bool:
    """Return whether the grader itself has written a folder: its records are in it, and nothing to grade.

    A gradebook alone may be a student's.
    """
    if not is_plain_file(folder / "gradebook.csv") or any(Wanted("program").files(folder)):
        return False
    from grader.classroom import records  # much comes with it, and hardly ever is it needed here

    return records.are_in(folder)


def archives_in(folder: Path) -> list[Path]:
    """Return the archives right in a folder."""
    return [one for one in files_in(folder) if archives.is_archive(one)]


def tries_in(folder: Path) -> list[Path]:
    """Return a student's several hand-ins, the first one first: folders that are all numbered or dated."""
    folders = folders_in(folder)
    found = {one: match for one in folders if (match := _TRY.fullmatch(one.name))}
    if len(found) < max(2, len(folders)):
        return []
    return sorted(found, key=lambda one: (found[one]["date"] or "", int(found[one]["number"] or 0)))


@dataclass(frozen=True)
class Wanted:
    """What is looked for: files with functions, or programs in any language; and which of several counts."""

    kind: HandedIn = "functions"
    attempts: Attempts = "last"

    @property
    def is_program(self) -> bool:
        """Whether programs are looked for."""
        return self.kind == "program"

    def sources(self, folder: Path) -> list[Path]:
        """Return the files right in a folder that may be an answer."""
        return sorted(one for one in folder.iterdir() if self.is_answer(one))

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that may be an answer; links are not followed."""
        yield from filter(self.is_answer, files_below(folder, archives.CLUTTER))

    def is_answer(self, file: Path) -> bool:
        """Return whether a file may be what a student wrote."""
        if self.is_program:
            named = is_source(file.name) and file.name[0] != "."
        else:
            named = may_be_meant(file.name) or is_notebook(file)
        return named and is_plain_file(file)

    def meant(self, folder: Path) -> list[Path]:
        """Return the files below a student's folder that may be the one to grade.

        One of the assignment's name comes first, then what no other one imports; a notebook comes last. Of a
        program it is the one that a person would open first: how it is run is found out later.
        """
        found = list(self.files(folder))
        if self.is_program:
            recipe = recipe_for(collect(folder))
            named = {printable(file.relative_to(folder).as_posix()): file for file in found}
            return [named.get(recipe.main, folder / recipe.main)] if isinstance(recipe, Recipe) else found[:1]
        found = [one for one in found if not is_notebook(one)] or found
        return [one for one in found if one.name.lower() == FILE_NAME] or _not_imported(found)

    def is_one(self, folder: Path) -> bool:
        """Return whether a folder is one student's, and not several folders below it are."""
        if self.is_program:
            below = [one for one in folders_in(folder) if any(self.files(one))]
            if sum(map(_is_program, below)) > 1:
                return False
            alone = not below and any(one.name.lower().startswith("readme") for one in folder.iterdir())
            return _is_program(folder) or (alone and any(self.sources(folder)))
        if not self.is_answer(folder / FILE_NAME):
            return False
        return sum(is_plain_file(one / FILE_NAME) for one in folders_in(folder)) < 2


def is_notebook(file: Path) -> bool:
    """Return whether a file is named like a notebook."""
    return file.suffix.lower() == notebook.SUFFIX and file.name[0] != "."


def _not_imported(files: list[Path]) -> list[Path]:
    """Return the files that no other one of them imports, or all if that leaves none."""
    if len(files) < 2:
        return files
    modules: set[str] = set()
    for file in files:
        with file.open("rb") as stream:
            modules |= imported(stream.read(_MOST_READ)) - {file.stem}
    return [one for one in files if one.stem not in modules] or files


def _is_program(folder: Path) -> bool:
    return isinstance(recipe_for(collect(folder)), Recipe)
