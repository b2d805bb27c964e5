"""Which language a hand-in is written in, where its main is, and how it is built and run: by its files."""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.core.course.rubric import HowToRun
from grader.core.course.submission import Submission
from grader.core.errors import UserError
from grader.core.text import printable

PYTHON: Final = "python3"
"""Stands for this machine's Python in a command."""

_COMMAND: Final = re.compile(
    r"^[ \t>$`*-]{0,9}((?:python3?|java|node|go run|cargo run|make|\./)[\w./ -]{1,80})`{0,3}$", re.M
)
_MOST: Final = 100_000
"""Bytes of a source that are looked at."""

_IMPORTED: Final = re.compile(r"\b(?:import|from|require)\W{1,40}(?=(\w[^\"'`;()\n]{0,80}))")
_WORD: Final = re.compile(r"\w+")
_TEXTS: Final = ("readme", "sample", "test_", "conftest", "setup.py")


Steps = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Recipe:
    """How a program is built and run, by commands in its folder."""

    language: str
    main: str
    """The file that a person would open first."""
    build: Steps
    run: tuple[str, ...]
    tools: tuple[str, ...]
    virtual_machine: bool = False
    """Whether it reserves more memory than it uses."""


@dataclass(frozen=True)
class Unclear:
    """Why it cannot be said how a hand-in is run; a person can."""

    why: str


@dataclass(frozen=True)
class _Language:
    """A language: how its files are called, which of them can be run, and how."""

    name: str
    suffixes: tuple[str, ...]
    main: re.Pattern[str]
    recipe: Callable[[Handed, Sequence[Handed]], Recipe]


def _python(main: Handed, files: Sequence[Handed]) -> Recipe:
    return Recipe("Python", main.name, (), (PYTHON, "-s", "-X", "utf8", main.name), (PYTHON,))


def _java(main: Handed, files: Sequence[Handed]) -> Recipe:
    package = re.search(r"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", _text(main), re.M)
    name = PurePosixPath(main.name).stem
    whole = f"{package[1]}.{name}" if package else name
    sources = tuple(one.name for one in files)
    return Recipe(
        "Java",
        main.name,
        (("javac", "-encoding", "UTF-8", "-J-XX:+UseSerialGC", "-d", "classes", *sources),),
        (
            "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
            "-Xmx256m", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", "classes", whole,
        ),
        ("javac", "java"),
        virtual_machine=True,
    )  # fmt: skip


def _c(main: Handed, files: Sequence[Handed]) -> Recipe:
    sources = _with(main, files)
    return Recipe(
        "C", main.name, (("gcc", "-O1", "-o", "program", *sources, "-lm"),), ("./program",), ("gcc",)
    )


def _cpp(main: Handed, files: Sequence[Handed]) -> Recipe:
    build = ("g++", "-std=c++17", "-O1", "-o", "program", *_with(main, files))
    return Recipe("C++", main.name, (build,), ("./program",), ("g++",))


def _javascript(main: Handed, files: Sequence[Handed]) -> Recipe:
    run = ("node", "--max-old-space-size=256", main.name)
    return Recipe("JavaScript", main.name, (), run, ("node",), virtual_machine=True)


def _rust(main: Handed, files: Sequence[Handed]) -> Recipe:
    return Recipe(
        "Rust", main.name, (("rustc", "-O", "-o", "program", main.name),), ("./program",), ("rustc",)
    )


def _go(main: Handed, files: Sequence[Handed]) -> Recipe:
    sources = [one.name for one in files if PurePosixPath(one.name).parent == PurePosixPath(main.name).parent]
    build = ("go", "build", "-o", "program", *sources)
    return Recipe("Go", main.name, (build,), ("./program",), ("go",), virtual_machine=True)


def _with(main: Handed, files: Sequence[Handed]) -> tuple[str, ...]:
    """Return the sources that belong to a main: not those with a main of their own."""
    others = [one for one in files if one is not main and not _MAINS["C"].search(_text(one))]
    return tuple(one.name for one in (main, *others))


_MAINS: Final = {
    "Python": re.compile(r"\binput\s*\(|sys\.stdin|__main__"),
    "Java": re.compile(r"static\s+(public\s+)?void\s+main\s*\(|void\s+main\s*\(\s*String"),
    "C": re.compile(r"\b(int|void|auto)\s+main\s*\(|^[ \t]*main[ \t]*\(", re.M),
    "JavaScript": re.compile(r"readline|process\.stdin|prompt"),
    "Rust": re.compile(r"\bfn\s+main\s*\("),
    "Go": re.compile(r"\bfunc\s+main\s*\("),
}
_LANGUAGES: Final = (
    _Language("Java", (".java",), _MAINS["Java"], _java),
    _Language("C++", (".cpp", ".cc", ".cxx"), _MAINS["C"], _cpp),
    _Language("C", (".c",), _MAINS["C"], _c),
    _Language("Rust", (".rs",), _MAINS["Rust"], _rust),
    _Language("Go", (".go",), _MAINS["Go"], _go),
    _Language("JavaScript", (".js", ".mjs", ".cjs"), _MAINS["JavaScript"], _javascript),
    _Language("Python", (".py",), _MAINS["Python"], _python),
)
SUFFIXES: Final = tuple(suffix for one in _LANGUAGES for suffix in one.suffixes)
_USUAL: Final = ("main", "game", "tictactoe", "tic_tac_toe", "play", "index", "app", "ttt", "runner")


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
    folder = tuple(replace(one, name=f"./{one.name}") if one.name[0] == "-" else one for one in folder)
    found = _by_make(folder) or _by_files(folder)  # where no name of a file is taken for an option
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
        raise UserError(f"cannot be read as a command ({error}): {command}") from None


def _first(folder: Folder) -> str:
    return next((one.name for one in folder if one.name.endswith(SUFFIXES)), folder[0].name if folder else "")


def _by_make(folder: Folder) -> Recipe | None:
    """Return the recipe of a Makefile that has a target `run`."""
    makefile = next((one for one in folder if one.name.lower() in ("makefile", "gnumakefile")), None)
    if makefile is None or not re.search(r"^run\s*:", _text(makefile), re.M):
        return None
    return Recipe(
        "make", _first(folder), (("make",),), ("make", "-s", "run"), ("make",), virtual_machine=True
    )


def _by_files(folder: Folder) -> Recipe | Unclear:
    """Return the recipe of the language in which there is a main."""
    seen = []
    for language in _LANGUAGES:
        files = [one for one in folder if one.name.lower().endswith(language.suffixes) and not _is_text(one)]
        if not files:
            continue
        mains = [one for one in files if language.main.search(_text(one))] or (
            files if len(files) == 1 else []
        )
        meant = _meant(mains, language)
        if len(meant) == 1:
            return language.recipe(meant[0], files)
        seen.append((language.name, [one.name for one in meant]))
        if len(meant) > 1:
            break
    if not seen:
        return Unclear(
            "there is no source in Python, Java, C, C++, JavaScript, Rust or Go, and no Makefile with "
            "a target run"
        )
    name, mains_of = seen[-1]
    if not mains_of:
        return Unclear(f"no {name} file has a main")
    listed = ", ".join(mains_of[:5])
    mend = f"say which with --run, or 'run' in the rubric{_advice(folder)}"
    return Unclear(f"several files could be started ({listed}): {mend}")


def _advice(folder: Folder) -> str:
    """Return the command that a README names, for a person to confirm."""
    readme = next((one for one in folder if PurePosixPath(one.name).name.lower().startswith("readme")), None)
    command = _COMMAND.search(_text(readme)) if readme else None
    return f"; its README says: {printable(command[1].strip())}" if command else ""


def _meant(mains: list[Handed], language: _Language) -> list[Handed]:
    """Return the mains that may be meant: of several those that nobody imports, then usual names."""
    if len(mains) < 2:
        return mains
    stems = {one: PurePosixPath(one.name).stem for one in mains}
    if language.name in ("Python", "JavaScript"):
        imported = _imported(mains)
        mains = [one for one in mains if stems[one] not in imported] or mains
    guarded = [one for one in mains if "__main__" in _text(one)]
    if language.name == "Python" and len(mains) > 1 and len(guarded) == 1:
        return guarded
    usual = [one for name in _USUAL for one in mains if stems[one].lower() == name]
    return usual[:1] if len(mains) > 1 and usual else mains


def _imported(files: Sequence[Handed]) -> set[str]:
    """Return all that is imported by these files, each also as far as any of its words reaches."""
    texts = {match[1] for one in files for match in _IMPORTED.finditer(_text(one))}
    return {text[: word.end()] for text in texts for word in _WORD.finditer(text)}


def _is_text(one: Handed) -> bool:
    return PurePosixPath(one.name).name.lower().startswith(_TEXTS)


def _text(one: Handed) -> str:
    return one.content[:_MOST].decode("utf-8", "replace")
