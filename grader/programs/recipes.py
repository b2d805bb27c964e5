"""How a program is built and run, by the language of its files."""

import itertools
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed

PYTHON: Final = "python3"
"""Stands for this machine's Python in a command."""

PACKAGE: Final = re.compile(r"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", re.M)
_MOST: Final = 100_000
"""Bytes of a source that are looked at."""

_BUILT, _CLASSES = "program", "classes"

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
    remark: str = ""
    """What is not the plain way about it."""
    forgiven: bool = False
    """Whether it takes what the text forgets."""
    brought: Folder = ()
    """Files of ours that lie beside those that were handed in."""


@dataclass(frozen=True)
class Language:
    """A language: how its files are called, which of them can be run, and how."""

    name: str
    suffixes: tuple[str, ...]
    main: re.Pattern[str]
    recipe: Callable[[Handed, Sequence[Handed]], Recipe]


def _python(main: Handed, files: Sequence[Handed]) -> Recipe:
    return Recipe("Python", main.name, (), (PYTHON, "-s", "-X", "utf8", *_as_module(main)), (PYTHON,))


def _as_module(main: Handed) -> tuple[str, ...]:
    """Return how a main is started: one of a package that imports itself by its name, as a module of that."""
    *packages, name = PurePosixPath(main.name).with_suffix("").parts
    if not packages or not all(map(str.isidentifier, packages)):
        return (main.name,)
    own = re.compile(rf"^[ \t]*(?:from[ \t]+(?:\.|{packages[0]}\b)|import[ \t]+{packages[0]}\b)", re.M)
    if not own.search(text_of(main)):
        return (main.name,)
    return ("-m", ".".join(packages if name == "__main__" else [*packages, name]))


def _java(main: Handed, files: Sequence[Handed]) -> Recipe:
    package = PACKAGE.search(text_of(main))
    name = PurePosixPath(main.name).stem
    sources = (one.name for one in files)
    build = ("javac", "-encoding", _encoding(files), "-J-XX:+UseSerialGC", "-d", _CLASSES, *sources)
    run = (
        "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
        "-Xmx256m", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", _CLASSES,
        f"{package[1]}.{name}" if package else name,
    )  # fmt: skip
    return Recipe("Java", main.name, (build,), run, ("javac", "java"), virtual_machine=True)


def _c(main: Handed, files: Sequence[Handed]) -> Recipe:
    build = ("gcc", "-O1", "-o", _BUILT, *_with(main, files), "-lm")
    return Recipe("C", main.name, (build,), (f"./{_BUILT}",), ("gcc",))


def _cpp(main: Handed, files: Sequence[Handed]) -> Recipe:
    build = ("g++", "-std=c++17", "-O1", "-o", _BUILT, *_with(main, files))
    return Recipe("C++", main.name, (build,), (f"./{_BUILT}",), ("g++",))


def _javascript(main: Handed, files: Sequence[Handed]) -> Recipe:
    run = ("node", "--no-memory-reducer", "--max-old-space-size=256", main.name)  # no clocks but its own
    return Recipe("JavaScript", main.name, (), run, ("node",), virtual_machine=True)


def _rust(main: Handed, files: Sequence[Handed]) -> Recipe:
    build = ("rustc", "-O", "-o", _BUILT, main.name)
    return Recipe("Rust", main.name, (build,), (f"./{_BUILT}",), ("rustc",))


def _go(main: Handed, files: Sequence[Handed]) -> Recipe:
    sources = [one.name for one in files if PurePosixPath(one.name).parent == PurePosixPath(main.name).parent]
    build = ("go", "build", "-o", _BUILT, *sources)
    return Recipe("Go", main.name, (build,), (f"./{_BUILT}",), ("go",), virtual_machine=True)


def _script(name: str, interpreter: str, main: Handed, files: Sequence[Handed]) -> Recipe:
    return Recipe(name, main.name, (), (interpreter, main.name), (interpreter,))


def free_name(files: Sequence[Handed], name: str) -> str:
    """Return a name that no file or folder of a hand-in has."""
    taken = {part for one in files for part in PurePosixPath(one.name).parts}
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))
    return next(one for one in names if one not in taken)


def apart(recipe: Recipe, folder: Folder) -> Recipe:
    """Return a recipe in which what is built has a name that nothing in the folder has."""
    names = {name: free_name(folder, name) for name in (_BUILT, _CLASSES)}
    names |= {f"./{name}": f"./{other}" for name, other in names.items()}
    steps = tuple(tuple(names.get(word, word) for word in step) for step in recipe.build)
    return replace(recipe, build=steps, run=tuple(names.get(word, word) for word in recipe.run))


def text_of(one: Handed) -> str:
    """Return the beginning of a source as text."""
    return one.content[:_MOST].decode("utf-8", "replace")


def _encoding(files: Sequence[Handed]) -> str:
    with suppress(UnicodeDecodeError):
        return "UTF-8" if [one.content.decode() for one in files] else ""
    return "ISO-8859-1"


def _with(main: Handed, files: Sequence[Handed]) -> tuple[str, ...]:
    """Return the sources that belong to a main: not those with a main of their own."""
    others = [one for one in files if one is not main and not _C_MAIN.search(text_of(one))]
    return tuple(one.name for one in (main, *others))


_C_MAIN: Final = re.compile(r"\b(int|void|auto)\s+main\s*\(|^[ \t]*main[ \t]*\(", re.M)
_JAVA_MAIN: Final = re.compile(r"static\s+(public\s+)?void\s+main\s*\(|void\s+main\s*\(\s*String")
_SCRIPT_MAIN: Final = re.compile(r"readline|process\.stdin|prompt")
_SCRIPTS: Final = (
    ("Ruby", ".rb", "ruby", r"\bgets\b"),
    ("Perl", ".pl", "perl", r"<STDIN>|<>|ReadLine"),
    ("PHP", ".php", "php", r"STDIN|php://stdin|\breadline\b"),
    ("Lua", ".lua", "lua", r"\bio\.(?:read|lines)\b"),
    ("Tcl", ".tcl", "tclsh", r"\bgets\b"),
    ("Bash", ".sh", "bash", r"\bread\b"),
)
"""Languages whose file is given to one program: their suffix, that program, and how they read a line."""

LANGUAGES: Final = (
    Language("Java", (".java",), _JAVA_MAIN, _java),
    Language("C++", (".cpp", ".cc", ".cxx"), _C_MAIN, _cpp),
    Language("C", (".c",), _C_MAIN, _c),
    Language("Rust", (".rs",), re.compile(r"\bfn\s+main\s*\("), _rust),
    Language("Go", (".go",), re.compile(r"\bfunc\s+main\s*\("), _go),
    Language("JavaScript", (".js", ".mjs", ".cjs"), _SCRIPT_MAIN, _javascript),
    Language("Python", (".py",), re.compile(r"\binput\s*\(|sys\.stdin|__main__"), _python),
    *(
        Language(name, (suffix,), re.compile(reads), partial(_script, name, interpreter))
        for name, suffix, interpreter, reads in _SCRIPTS
    ),
)
SUFFIXES: Final = tuple(suffix for one in LANGUAGES for suffix in one.suffixes)
