"""How a submission is built and run: its language, its main file and the commands.

A source has a build error only if the other ways to build it fail as well.
"""

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from grader.core.course.rubric import HowToRun
from grader.core.course.submission import Folder, Handed, Submission
from grader.core.errors import UserError
from grader.core.messages import _, listing
from grader.core.values import printable

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
    """How it differs from the plain way to build and run it."""
    forgiven: bool = False
    """Whether it takes what the text forgets."""
    brought: Folder = ()
    """Files of ours that lie beside those that were handed in."""


@dataclass(frozen=True)
class Language:
    """A language: how its files are called, which of them can be run, and how.

    In a command, words in braces stand for files: `{main}`, `{all}` sources, those `{linked}` with the main
    and those of its `{folder}`; for the `{encoding}`; and for what is run: its `{class}` or `{module}`.
    """

    name: str
    suffixes: tuple[str, ...]
    main: re.Pattern[str]
    build: tuple[str, ...]
    run: tuple[str, ...]
    tools: tuple[str, ...]
    virtual_machine: bool = False

    def recipe(self, main: Handed, files: Sequence[Handed]) -> Recipe:
        """Return how a main is built and run, with the other files of its language."""
        package = PACKAGE.search(text_of(main))
        linked = (file for file in files if file is not main and not _C_MAIN.search(text_of(file)))
        meanings = {
            "{main}": [main.name],
            "{all}": [file.name for file in files],
            "{linked}": [main.name, *(file.name for file in linked)],
            "{folder}": [file.name for file in files if path_of(file).parent == path_of(main).parent],
            "{encoding}": [_encoding(files)],
            "{class}": [f"{package[1]}.{path_of(main).stem}" if package else path_of(main).stem],
            "{module}": _as_module(main),
        }
        build, run = (
            tuple(itertools.chain.from_iterable(meanings.get(word, [word]) for word in command))
            for command in (self.build, self.run)
        )
        return Recipe(self.name, main.name, (build,) * bool(build), run, self.tools, self.virtual_machine)


def _as_module(main: Handed) -> list[str]:
    """Return how a main is started: one of a package that imports itself by its name, as a module of that."""
    *packages, name = path_of(main).with_suffix("").parts
    if not packages or not all(map(str.isidentifier, packages)):
        return [main.name]
    own = re.compile(rf"^[ \t]*(?:from[ \t]+(?:\.|{packages[0]}\b)|import[ \t]+{packages[0]}\b)", re.M)
    if not own.search(text_of(main)):
        return [main.name]
    return ["-m", ".".join(packages if name == "__main__" else [*packages, name])]


def free_name(files: Sequence[Handed], name: str) -> str:
    """Return a name that no file or folder of a submission has."""
    taken = {part for file in files for part in path_of(file).parts}
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))
    return next(free for free in names if free not in taken)


def with_free_names(recipe: Recipe, folder: Folder) -> Recipe:
    """Return a recipe in which the built files have names that are free in the folder."""
    names = {name: free_name(folder, name) for name in (_BUILT, _CLASSES)}
    names |= {f"./{name}": f"./{other}" for name, other in names.items()}
    steps = tuple(tuple(names.get(word, word) for word in step) for step in recipe.build)
    return replace(recipe, build=steps, run=tuple(names.get(word, word) for word in recipe.run))


def path_of(file: Handed) -> PurePosixPath:
    """Return the path of a file in its folder."""
    return PurePosixPath(file.name)


def text_of(file: Handed) -> str:
    """Return the beginning of a source as text."""
    return file.content[:_MOST].decode("utf-8", "replace")


def _encoding(files: Sequence[Handed]) -> str:
    with suppress(UnicodeDecodeError):
        return "UTF-8" if [file.content.decode() for file in files] else ""
    return "ISO-8859-1"


_C_MAIN: Final = re.compile(r"\b(int|void|auto)\s+main\s*\(|^[ \t]*main[ \t]*\(", re.M)
_JAVA_FILES: Final = (".java",)
_NODE_SCRIPTS: Final = (".js", ".mjs", ".cjs")
_PROGRAM: Final = (f"./{_BUILT}",)
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
    Language(
        "Java", _JAVA_FILES, re.compile(r"static\s+(public\s+)?void\s+main\s*\(|void\s+main\s*\(\s*String"),
        ("javac", "-encoding", "{encoding}", "-J-XX:+UseSerialGC", "-d", _CLASSES, "{all}"),
        ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
         "-Xmx256m", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", _CLASSES, "{class}"),
        ("javac", "java"), virtual_machine=True,
    ),
    Language("C++", (".cpp", ".cc", ".cxx"), _C_MAIN,
             ("g++", "-std=c++17", "-O1", "-o", _BUILT, "{linked}"), _PROGRAM, ("g++",)),
    Language("C", (".c",), _C_MAIN, ("gcc", "-O1", "-o", _BUILT, "{linked}", "-lm"), _PROGRAM, ("gcc",)),
    Language("Rust", (".rs",), re.compile(r"\bfn\s+main\s*\("),
             ("rustc", "-O", "-o", _BUILT, "{main}"), _PROGRAM, ("rustc",)),
    Language("Go", (".go",), re.compile(r"\bfunc\s+main\s*\("),
             ("go", "build", "-o", _BUILT, "{folder}"), _PROGRAM, ("go",), virtual_machine=True),
    Language("JavaScript", _NODE_SCRIPTS, re.compile(r"readline|process\.stdin|prompt"), (),
             ("node", "--no-memory-reducer", "--max-old-space-size=256", "{main}"),  # no clocks but its own
             ("node",), virtual_machine=True),
    Language("Python", (".py",), re.compile(r"\binput\s*\(|sys\.stdin|__main__"), (),
             (PYTHON, "-s", "-X", "utf8", "{module}"), (PYTHON,)),
    *(
        Language(name, (suffix,), re.compile(reads), (), (tool, "{main}"), (tool,))
        for name, suffix, tool, reads in _SCRIPTS
    ),
)  # fmt: skip
SUFFIXES: Final = tuple(suffix for language in LANGUAGES for suffix in language.suffixes)


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
    """Why a person has to say how a submission is run."""

    why: str
    candidates: tuple[Recipe, ...] = ()
    """Where there are several mains: whichever of them plays may be meant."""


def main_source(submission: Submission, how: HowToRun) -> tuple[str, bytes]:
    """Return the file that a person would open first, and what is in it."""
    if not submission.folder or submission.source:
        return submission.path.name, submission.source
    found = recipe_for(submission.folder, how.build, how.run)
    name = found.main if isinstance(found, Recipe) else _first(submission.folder)
    return name, next((file.content for file in submission.folder if file.name == name), b"")


def is_source(name: str) -> bool:
    """Return whether a file is named like a part of a program."""
    return name.lower().endswith(SUFFIXES) or name.lower() == "makefile"


def recipe_for(folder: Folder, build: str | None = None, run: str | None = None) -> Recipe | Unclear:
    """Return how a submission is built and run; given commands take precedence over its files."""
    folder = tuple(replace(file, name=f"./{file.name}") if file.name[0] in "-@+" else file for file in folder)
    found = _by_make(folder) or by_files(folder)  # where no name of a file is taken for an option
    if not run:
        return (
            found
            if isinstance(found, Unclear) or not build
            else replace(found, build=(_split_command(build),))
        )
    known = found if isinstance(found, Recipe) else Recipe("", _first(folder), (), (), ())
    steps = (_split_command(build),) if build else known.build
    return Recipe(known.language, known.main, steps, _split_command(run), (), virtual_machine=True)


def _split_command(command: str) -> tuple[str, ...]:
    """Return the words of a command that a person gave."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UserError(
            _("cannot be read as a command ({error}): {command}", error=error, command=command)
        ) from None


def _first(folder: Folder) -> str:
    return next(
        (file.name for file in folder if file.name.endswith(SUFFIXES)), folder[0].name if folder else ""
    )


def _by_make(folder: Folder) -> Recipe | None:
    """Return the recipe of a Makefile that has a target `run`."""
    makefile = next((file for file in folder if file.name.lower() in ("makefile", "gnumakefile")), None)
    if makefile is None or not re.search(r"^run\s*:", text_of(makefile), re.M):
        return None
    return Recipe(
        "make", _first(folder), (("make",),), ("make", "-s", "run"), ("make",), virtual_machine=True
    )


def by_files(folder: Folder) -> Recipe | Unclear:
    """Return the recipe of the language in which there is a main."""
    seen = []
    for language in LANGUAGES:
        files = [
            file for file in folder if file.name.lower().endswith(language.suffixes) and not _is_text(file)
        ]
        if not files:
            continue
        mains = [file for file in files if language.main.search(text_of(file))]
        mains += _importing_mains(mains, files) if language.name in _IMPORTING else []
        meant = _likely_mains(mains or (files if len(files) == 1 else []), language)
        main = meant[0] if len(meant) == 1 else _named_in_readme(meant, folder)
        if main:
            return with_free_names(language.recipe(main, files), folder)
        seen.append((language, meant, files))
        if len(meant) > 1:
            break
    if not seen:
        return Unclear(
            _(
                "there is no source in {languages}, and no Makefile with a target run; how else it is run "
                "says --run, or 'run' in the rubric",
                languages=", ".join(sorted(language.name for language in LANGUAGES)),
            )
        )
    language, meant, files = seen[-1]
    if not meant:
        return Unclear(_("no {language} file has a main", language=language.name))
    listed = ", ".join(file.name for file in meant[:5])
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
    candidates = tuple(with_free_names(language.recipe(file, files), folder) for file in meant[:_MOST_MAINS])
    return Unclear(why, candidates)


def _named_in_readme(mains: Sequence[Handed], folder: Folder) -> Handed | None:
    """Return the main that the command in a README starts, if it is one."""
    words = set(_command(folder).split())
    named = [file for file in mains if {path_of(file).name, path_of(file).stem} & words]
    return named[0] if len(named) == 1 else None


def _command(folder: Folder) -> str:
    """Return the command that a README names, or nothing."""
    readmes = (file for file in folder if path_of(file).name.lower().startswith("readme"))
    command = next((_COMMAND.search(text_of(file)) for file in readmes), None)
    return command[1].strip() if command else ""


def _likely_mains(mains: list[Handed], language: Language) -> list[Handed]:
    """Return the likely mains: of several those that are played, not imported, and of usual names."""
    if len(mains) < 2:
        return mains
    stems = {file: path_of(file).stem for file in mains}
    mains = [file for file in mains if not _NOT_PLAYED.search(stems[file])] or mains
    if language.name in _IMPORTING:
        imported = _imported(mains)
        mains = [file for file in mains if stems[file] not in imported] or mains
    guarded = [file for file in mains if "__main__" in text_of(file)]
    if language.name == "Python" and len(mains) > 1 and len(guarded) == 1:
        return guarded
    playing = [file for file in mains if _COMPUTER.search(text_of(file))]
    mains = playing or mains  # others let two people play
    usual = [file for name in _USUAL for file in mains if stems[file].lower() == name]
    named = [file for file in mains if _MINIMAX.search(stems[file])]
    if len(mains) > 1 and (usual or len(named) == 1):
        return usual[:1] or named
    return mains


def _importing_mains(mains: Sequence[Handed], files: Sequence[Handed]) -> list[Handed]:
    """Return the files that import a main and that no other file imports."""
    stems, imported = {path_of(file).stem for file in mains}, _imported(files)
    others = [file for file in files if file not in mains and path_of(file).stem not in imported]
    return [file for file in others if _imported([file]) & stems]


def _imported(files: Sequence[Handed]) -> set[str]:
    """Return the names that these files import, and the beginning of each up to every word in it.

    What lies in a folder is named without that as well.
    """
    texts = {match[1] for file in files for match in _IMPORTED.finditer(text_of(file))}
    paths = {text[: word.end()] for text in texts for word in _WORD.finditer(text)}
    return paths | {PurePosixPath(path).name for path in paths}


def _is_text(file: Handed) -> bool:
    return path_of(file).name.lower().startswith(_TEXTS)


_FORGOTTEN: Final = re.compile(r"did you forget to .#include <([\w.]+)>")
_ABSENT: Final = re.compile(r"^\S+:\d+:\d+: fatal error: ([\w./+-]+): No such file or directory$", re.M)
_NEEDED: Final = re.compile(r"""\brequire\s*\(\s*['"]([\w@/.-]+)['"]|\bfrom\s+['"]([\w@/.-]+)['"]""")
_HEADERS: Final = {
    "C": ("limits.h", "string.h", "stdlib.h", "stdio.h", "stdbool.h", "ctype.h", "time.h", "unistd.h"),
    "C++": (
        "climits", "limits", "cstring", "cstdlib", "cstdio", "cctype", "ctime", "cmath", "cstdint",
        "string", "vector", "algorithm", "iostream", "iomanip", "sstream", "functional", "unistd.h",
    ),
}  # fmt: skip
_STANDARDS: Final = {"C": ("-std=gnu11", "-std=gnu89"), "C++": ("-std=gnu++20", "-std=gnu++11")}
_STAND_INS: Final = Path(__file__).parent / "standins"
_STOOD_IN: Final = ("prompt-sync", "readline-sync")


def other_ways(recipe: Recipe, folder: Folder, said: str) -> Iterator[Recipe]:
    """Yield other ways to build a program, when a compiler said this about the plain one."""
    if recipe.language == "make" and isinstance(found := by_files(folder), Recipe):
        yield _remarked(found, _("built without its Makefile"))
    if recipe.language not in _HEADERS or not recipe.build:
        return
    main, places = PurePosixPath(recipe.main), [path_of(file) for file in folder]
    alone = _leave_out(
        recipe, {place for place in places if place != main}, _("built from the file with main alone")
    )
    outside = {place for place in places if place.parent != main.parent}
    beside = _leave_out(recipe, outside, _("built from the folder of main alone"))
    yield from dict.fromkeys((alone, beside))
    for way in dict.fromkeys((recipe, alone, beside)):
        yield from _with_headers(way, said)
    for standard in _STANDARDS[recipe.language]:
        yield _remarked(_with_options(recipe, (standard,)), _("built with {option}", option=standard))
    absent = tuple(dict.fromkeys(_ABSENT.findall(said)))
    if absent and not any(file.name.endswith(name) for file in folder for name in absent):
        place = free_name(folder, "headers")
        empty = tuple(Handed(f"{place}/{name}", 0, b"") for name in absent if ".." not in name)
        there = replace(_with_options(recipe, ("-I", place)), brought=empty)
        yield _remarked(
            there, _("built with nothing in place of {files}, which is not here", files=", ".join(absent))
        )


def parts(recipe: Recipe, folder: Folder) -> Iterator[Recipe]:
    """Yield ways to build less than everything: others of its files may be drafts, or tests."""
    if recipe.language == "Java":
        yield _by_source_path(recipe, folder)
    sources = [file for file in folder if file.name.lower().endswith(SUFFIXES)]
    places = dict.fromkeys(path_of(file).parent for file in sources)
    for place in sorted(
        places, key=lambda place: place != PurePosixPath(recipe.main).parent
    ):  # its own first
        inside = tuple(file for file in folder if place in path_of(file).parents)
        found = by_files(inside) if len(inside) < len(folder) else None
        if isinstance(found, Recipe):
            yield replace(found, remark=_("built from the folder {folder} alone", folder=place))


def _by_source_path(recipe: Recipe, folder: Folder) -> Recipe:
    """Return how a main in Java is built with what it needs: classes are looked for below all roots."""
    sources = [file for file in folder if file.name.endswith(_JAVA_FILES)]
    roots = dict.fromkeys(map(_root, sorted(sources, key=lambda file: file.name != recipe.main)))
    path = ("-sourcepath", ":".join(roots))
    steps = tuple(
        (step[0], *path, *(word for word in step[1:] if not word.endswith(_JAVA_FILES)), recipe.main)
        for step in recipe.build
    )
    return replace(recipe, build=steps, remark=_("built from what its main needs"))


def _root(file: Handed) -> str:
    """Return the folder in which the packages of a source begin."""
    place, package = path_of(file).parent, PACKAGE.search(file.content.decode("utf-8", "replace"))
    own = package[1].split(".") if package else []
    outside = place.parts[: len(place.parts) - len(own)]
    return str(PurePosixPath(*outside) if place.parts[len(outside) :] == tuple(own) else place)


def _leave_out(recipe: Recipe, left_out: set[PurePosixPath], what: str) -> Recipe:
    """Return how the rest is built, if that is less: a main may include the others."""
    steps = tuple(
        tuple(word for word in step if PurePosixPath(word) not in left_out) for step in recipe.build
    )
    return recipe if steps == recipe.build else _remarked(replace(recipe, build=steps), what)


def _with_headers(recipe: Recipe, said: str) -> Iterator[Recipe]:
    """Yield the same with headers that the text forgets and older compilers brought along."""
    named = tuple(dict.fromkeys(_FORGOTTEN.findall(said)))
    for headers in dict.fromkeys((named, _HEADERS[recipe.language])):
        if headers:
            options = tuple(word for header in headers for word in ("-include", header))
            names = ", ".join(named or headers)
            forgiven = replace(_with_options(recipe, options), forgiven=True)
            yield _remarked(forgiven, _("built with headers that it forgets ({headers})", headers=names))


def _with_options(recipe: Recipe, options: tuple[str, ...]) -> Recipe:
    steps: Steps = tuple((step[0], *options, *step[1:]) for step in recipe.build)
    if options[0].startswith("-std"):
        steps = tuple(
            tuple(word for word in step if word in options or not word.startswith("-std")) for step in steps
        )
    return replace(recipe, build=steps)


def _remarked(recipe: Recipe, remark: str) -> Recipe:
    return replace(recipe, remark="; ".join(filter(None, (recipe.remark, remark))))


def with_stand_ins(recipe: Recipe, folder: Folder) -> Recipe:
    """Return the recipe with stand-ins for packages that only read a line, where they did not come along."""
    if recipe.language != "JavaScript" or any("node_modules" in file.name.split("/") for file in folder):
        return recipe
    sources = [
        file.content.decode("utf-8", "replace") for file in folder if file.name.endswith(_NODE_SCRIPTS)
    ]
    asked = {name for text in sources for found in _NEEDED.findall(text) for name in found}
    names = [name for name in _STOOD_IN if name in asked]
    if not names:
        return recipe
    brought = []
    for name in names:
        for file, ours in (("index.js", f"{name}.js"), ("line.js", "line.js")):
            content = (_STAND_INS / ours).read_bytes()
            brought.append(Handed(f"node_modules/{name}/{file}", len(content), content))
    stood_in = replace(recipe, brought=tuple(brought))
    return _remarked(stood_in, _("run with a stand-in for {names}", names=listing(list(names))))
