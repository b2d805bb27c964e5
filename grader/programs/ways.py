"""Other ways to build what the plain one does not: a text is wrong if it is so for all of them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.programs.languages import by_files
from grader.programs.recipes import Recipe, Steps, free_name

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
_SCRIPTS: Final = (".js", ".mjs", ".cjs")
_STOOD_IN: Final = ("prompt-sync", "readline-sync")


def other_ways(recipe: Recipe, folder: Folder, said: str) -> Iterator[Recipe]:
    """Yield other ways to build a program, when a compiler said this about the plain one."""
    if recipe.language == "make" and isinstance(found := by_files(folder), Recipe):
        yield _remarked(found, "built without its Makefile")
    if recipe.language not in _HEADERS or not recipe.build:
        return
    alone, beside = _alone(recipe, folder), _beside(recipe, folder)
    yield from dict.fromkeys((alone, beside))
    for one in dict.fromkeys((recipe, alone, beside)):
        yield from _with_headers(one, said)
    for standard in _STANDARDS[recipe.language]:
        yield _remarked(_with_options(recipe, (standard,)), f"built with {standard}")
    absent = tuple(dict.fromkeys(_ABSENT.findall(said)))
    if absent and not any(one.name.endswith(name) for one in folder for name in absent):
        place = free_name(folder, "headers")
        empty = tuple(Handed(f"{place}/{name}", 0, b"") for name in absent if ".." not in name)
        there = _with_options(recipe, ("-I", place))
        yield _remarked(
            replace(there, brought=empty),
            f"built with nothing in place of {', '.join(absent)}, which is not here",
        )


def _alone(recipe: Recipe, folder: Folder) -> Recipe:
    """Return how the file with `main` is built alone: it may include the others."""
    return _without(
        recipe, [one.name for one in folder if not _is(one, recipe.main)], "the file with main alone"
    )


def _beside(recipe: Recipe, folder: Folder) -> Recipe:
    """Return how the files of the main's own folder are built."""
    place = PurePosixPath(recipe.main).parent
    others = [one.name for one in folder if PurePosixPath(one.name).parent != place]
    return _without(recipe, others, "the folder of main alone")


def _is(one: Handed, name: str) -> bool:
    return PurePosixPath(one.name) == PurePosixPath(name)


def _without(recipe: Recipe, names: list[str], remark: str) -> Recipe:
    left_out = {str(PurePosixPath(name)) for name in names}
    steps = tuple(
        tuple(word for word in step if str(PurePosixPath(word)) not in left_out) for step in recipe.build
    )
    return (
        recipe if steps == recipe.build else _remarked(replace(recipe, build=steps), f"built from {remark}")
    )


def _with_headers(recipe: Recipe, said: str) -> Iterator[Recipe]:
    """Yield the same with headers that the text forgets and older compilers brought along."""
    named = tuple(dict.fromkeys(_FORGOTTEN.findall(said)))
    for headers in dict.fromkeys((named, _HEADERS[recipe.language])):
        if headers:
            options = tuple(word for header in headers for word in ("-include", header))
            told = ", ".join(named or headers)
            yield replace(
                _remarked(_with_options(recipe, options), f"built with headers that it forgets ({told})"),
                forgiven=True,
            )


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
    if recipe.language != "JavaScript" or any("node_modules" in one.name.split("/") for one in folder):
        return recipe
    sources = [one.content.decode("utf-8", "replace") for one in folder if one.name.endswith(_SCRIPTS)]
    asked = {name for text in sources for found in _NEEDED.findall(text) for name in found}
    names = [name for name in _STOOD_IN if name in asked]
    if not names:
        return recipe
    brought = tuple(
        Handed(f"node_modules/{name}/{file}", len(content), content)
        for name in names
        for file, content in (
            ("index.js", (_STAND_INS / f"{name}.js").read_bytes()),
            ("line.js", (_STAND_INS / "line.js").read_bytes()),
        )
    )
    return _remarked(replace(recipe, brought=brought), f"run with a stand-in for {' and '.join(names)}")
