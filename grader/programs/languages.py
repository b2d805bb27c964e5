"""Which language a hand-in is written in, and where its main is: by its files."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.core.course.rubric import HowToRun
from grader.core.course.submission import Submission
from grader.core.errors import UserError
from grader.core.messages import _
from grader.core.text import printable
from grader.programs.recipes import LANGUAGES, SUFFIXES, Language, Recipe, apart, text_of

_COMMAND: Final = re.compile(
    r"^[ \t>$`*-]{0,9}((?:python3?|java|node|go run|cargo run|make|\./)[\w./ -]{1,80})`{0,3}$", re.M
)
_IMPORTED: Final = re.compile(r"\b(?:import|from|require)\W{1,40}(?=(\w[^\"'`;()\n]{0,80}))")
_WORD: Final = re.compile(r"\w+")
_MOST_MAINS: Final = 4
_USUAL: Final = ("main", "game", "tictactoe", "tic_tac_toe", "play", "index", "app", "ttt", "runner")
_NOT_PLAYED: Final = re.compile(
    r"simul|bench|tourn|train|eval|profil|stats|arena|self_?play|^test|test$", re.I
)
"""Names of mains in which a program plays itself, or is measured."""

_IMPORTING: Final = ("Python", "JavaScript")
"""Languages in which a main imports what it needs, by the names of files."""

_COMPUTER: Final = re.compile(r"mini_?max|alpha_?beta|computer|(?-i:\bAI\b(?!\.))", re.I)
_MINIMAX: Final = re.compile(r"mini_?max", re.I)
"""What a main has or is called in which the user plays against the program."""

_TEXTS: Final = ("readme", "sample", "test_", "conftest", "setup.py")


@dataclass(frozen=True)
class Unclear:
    """Why it cannot be said how a hand-in is run; a person can."""

    why: str
    candidates: tuple[Recipe, ...] = ()
    """Where there are several mains: whichever of them plays may be meant."""


def main_source(submission: Submission, how: HowToRun) -> tuple[str, bytes]:
    """Return the file that a person would open first, and what is in it."""
    if not submission.folder or submission.source:
        return submission.path.name, submission.source
    found = recipe_for(submission.folder, how.build, how.run)
    name = found.main if isinstance(found, Recipe) else _first(submission.folder)
    return name, next((one.content for one in submission.folder if one.name == name), b"")


def is_source(name: str) -> bool:
    """Return whether a file is named like a part of a program."""
    return name.lower().endswith(SUFFIXES) or name.lower() == "makefile"


def recipe_for(folder: Folder, build: str | None = None, run: str | None = None) -> Recipe | Unclear:
    """Return how a hand-in is built and run; commands that a person gives come before what the files tell."""
    folder = tuple(replace(one, name=f"./{one.name}") if one.name[0] in "-@+" else one for one in folder)
    found = _by_make(folder) or by_files(folder)  # where no name of a file is taken for an option
    if not run:
        return found if isinstance(found, Unclear) or not build else replace(found, build=(_words(build),))
    known = found if isinstance(found, Recipe) else Recipe("", _first(folder), (), (), ())
    steps = (_words(build),) if build else known.build
    return Recipe(known.language, known.main, steps, _words(run), (), virtual_machine=True)


def _words(command: str) -> tuple[str, ...]:
    """Return the words of a command that a person gave."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UserError(
            _("cannot be read as a command ({error}): {command}", error=error, command=command)
        ) from None


def _first(folder: Folder) -> str:
    return next((one.name for one in folder if one.name.endswith(SUFFIXES)), folder[0].name if folder else "")


def _by_make(folder: Folder) -> Recipe | None:
    """Return the recipe of a Makefile that has a target `run`."""
    makefile = next((one for one in folder if one.name.lower() in ("makefile", "gnumakefile")), None)
    if makefile is None or not re.search(r"^run\s*:", text_of(makefile), re.M):
        return None
    return Recipe(
        "make", _first(folder), (("make",),), ("make", "-s", "run"), ("make",), virtual_machine=True
    )


def by_files(folder: Folder) -> Recipe | Unclear:
    """Return the recipe of the language in which there is a main."""
    seen = []
    for language in LANGUAGES:
        files = [one for one in folder if one.name.lower().endswith(language.suffixes) and not _is_text(one)]
        if not files:
            continue
        mains = [one for one in files if language.main.search(text_of(one))]
        mains += _starting(mains, files) if language.name in _IMPORTING else []
        meant = _meant(mains or (files if len(files) == 1 else []), language)
        main = meant[0] if len(meant) == 1 else _named_in_readme(meant, folder)
        if main:
            return apart(language.recipe(main, files), folder)
        seen.append((language, meant, files))
        if len(meant) > 1:
            break
    if not seen:
        return Unclear(
            _(
                "there is no source in {languages}, and no Makefile with a target run; how else it is run "
                "says --run, or 'run' in the rubric",
                languages=", ".join(sorted(one.name for one in LANGUAGES)),
            )
        )
    language, meant, files = seen[-1]
    if not meant:
        return Unclear(_("no {language} file has a main", language=language.name))
    listed = ", ".join(one.name for one in meant[:5])
    if command := _command(folder):
        why = _(
            "several files could be started ({files}): say which with --run, or 'run' in the rubric; its "
            "README says: {command}",
            files=listed,
            command=printable(command),
        )
    else:
        why = _(
            "several files could be started ({files}): say which with --run, or 'run' in the rubric",
            files=listed,
        )
    candidates = tuple(apart(language.recipe(one, files), folder) for one in meant[:_MOST_MAINS])
    return Unclear(why, candidates)


def _named_in_readme(mains: Sequence[Handed], folder: Folder) -> Handed | None:
    """Return the main that the command in a README starts, if it is one."""
    words = set(_command(folder).split())
    named = [one for one in mains if {PurePosixPath(one.name).name, PurePosixPath(one.name).stem} & words]
    return named[0] if len(named) == 1 else None


def _command(folder: Folder) -> str:
    """Return the command that a README names, or nothing."""
    readmes = (one for one in folder if PurePosixPath(one.name).name.lower().startswith("readme"))
    command = next((_COMMAND.search(text_of(one)) for one in readmes), None)
    return command[1].strip() if command else ""


def _meant(mains: list[Handed], language: Language) -> list[Handed]:
    """Return the mains that may be meant: of several those to play, that nobody imports, of usual names."""
    if len(mains) < 2:
        return mains
    stems = {one: PurePosixPath(one.name).stem for one in mains}
    mains = [one for one in mains if not _NOT_PLAYED.search(stems[one])] or mains
    if language.name in _IMPORTING:
        imported = _imported(mains)
        mains = [one for one in mains if stems[one] not in imported] or mains
    guarded = [one for one in mains if "__main__" in text_of(one)]
    if language.name == "Python" and len(mains) > 1 and len(guarded) == 1:
        return guarded
    playing = [one for one in mains if _COMPUTER.search(text_of(one))]
    mains = playing or mains  # others let two people play
    usual = [one for name in _USUAL for one in mains if stems[one].lower() == name]
    named = [one for one in mains if _MINIMAX.search(stems[one])]
    if len(mains) > 1 and (usual or len(named) == 1):
        return usual[:1] or named
    return mains


def _starting(mains: Sequence[Handed], files: Sequence[Handed]) -> list[Handed]:
    """Return the files that import a main, or what reads a line, and that nobody imports."""
    stems, imported = {PurePosixPath(one.name).stem for one in mains}, _imported(files)
    others = [one for one in files if one not in mains and PurePosixPath(one.name).stem not in imported]
    return [one for one in others if _imported([one]) & stems]


def _imported(files: Sequence[Handed]) -> set[str]:
    """Return all that is imported by these files, each also as far as any of its words reaches.

    What lies in a folder is named without that as well.
    """
    texts = {match[1] for one in files for match in _IMPORTED.finditer(text_of(one))}
    paths = {text[: word.end()] for text in texts for word in _WORD.finditer(text)}
    return paths | {PurePosixPath(path).name for path in paths}


def _is_text(one: Handed) -> bool:
    return PurePosixPath(one.name).name.lower().startswith(_TEXTS)
