"""Other ways to build what the plain one does not: a text is wrong if it is so for all of them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.core.messages import _, listing
from grader.programs.languages import by_files
from grader.programs.recipes import PACKAGE, SUFFIXES, Recipe, Steps, free_name

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
_NODE_SCRIPTS: Final = (".js", ".mjs", ".cjs")
_STOOD_IN: Final = ("prompt-sync", "readline-sync")
_JAVA: Final = ".java"


def other_ways(recipe: Recipe, folder: Folder, said: str) -> Iterator[Recipe]:
    """Yield other ways to build a program, when a compiler said this about the plain one."""
    if recipe.language == "make" and isinstance(found := by_files(folder), Recipe):
        yield _remarked(found, _("built without its Makefile"))
    if recipe.language not in _HEADERS or not recipe.build:
        return
    main, places = PurePosixPath(recipe.main), [PurePosixPath(one.name) for one in folder]
    alone = _without(recipe, {one for one in places if one != main}, _("built from the file with main alone"))
    outside = {one for one in places if one.parent != main.parent}
    beside = _without(recipe, outside, _("built from the folder of main alone"))
    yield from dict.fromkeys((alone, beside))
    for one in dict.fromkeys((recipe, alone, beside)):
        yield from _with_headers(one, said)
    for standard in _STANDARDS[recipe.language]:
        yield _remarked(_with_options(recipe, (standard,)), _("built with {option}", option=standard))
    absent = tuple(dict.fromkeys(_ABSENT.findall(said)))
    if absent and not any(one.name.endswith(name) for one in folder for name in absent):
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
    sources = [one for one in folder if one.name.lower().endswith(SUFFIXES)]
    places = dict.fromkeys(PurePosixPath(one.name).parent for one in sources)
    for place in sorted(places, key=lambda one: one != PurePosixPath(recipe.main).parent):  # its own first
        inside = tuple(one for one in folder if place in PurePosixPath(one.name).parents)
        found = by_files(inside) if len(inside) < len(folder) else None
        if isinstance(found, Recipe):
            yield replace(found, remark=_("built from the folder {folder} alone", folder=place))


def _by_source_path(recipe: Recipe, folder: Folder) -> Recipe:
    """Return how a main in Java is built with what it needs: classes are looked for below all roots."""
    sources = [one for one in folder if one.name.endswith(_JAVA)]
    roots = dict.fromkeys(map(_root, sorted(sources, key=lambda one: one.name != recipe.main)))
    path = ("-sourcepath", ":".join(roots))
    steps = tuple(
        (step[0], *path, *(word for word in step[1:] if not word.endswith(_JAVA)), recipe.main)
        for step in recipe.build
    )
    return replace(recipe, build=steps, remark=_("built from what its main needs"))


def _root(one: Handed) -> str:
    """Return the folder in which the packages of a source begin."""
    place, package = PurePosixPath(one.name).parent, PACKAGE.search(one.content.decode("utf-8", "replace"))
    own = package[1].split(".") if package else []
    outside = place.parts[: len(place.parts) - len(own)]
    return str(PurePosixPath(*outside) if place.parts[len(outside) :] == tuple(own) else place)


def _without(recipe: Recipe, left_out: set[PurePosixPath], what: str) -> Recipe:
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
            told = ", ".join(named or headers)
            forgiven = replace(_with_options(recipe, options), forgiven=True)
            yield _remarked(forgiven, _("built with headers that it forgets ({headers})", headers=told))


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
    sources = [one.content.decode("utf-8", "replace") for one in folder if one.name.endswith(_NODE_SCRIPTS)]
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
