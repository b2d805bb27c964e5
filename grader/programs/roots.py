"""Ways to build a part of a hand-in: what a main in Java needs, or the program in one of its folders."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.programs.languages import by_files
from grader.programs.recipes import PACKAGE, SUFFIXES, Recipe

_SOURCE: Final = ".java"


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
            yield replace(found, remark=f"built from the folder {place} alone")


def _by_source_path(recipe: Recipe, folder: Folder) -> Recipe:
    """Return how a main in Java is built with what it needs: classes are looked for below all roots."""
    sources = [one for one in folder if one.name.endswith(_SOURCE)]
    roots = dict.fromkeys(map(_root, sorted(sources, key=lambda one: one.name != recipe.main)))
    path = ("-sourcepath", ":".join(roots))
    steps = tuple(
        (step[0], *path, *(word for word in step[1:] if not word.endswith(_SOURCE)), recipe.main)
        for step in recipe.build
    )
    return replace(recipe, build=steps, remark="built from what its main needs")


def _root(one: Handed) -> str:
    """Return the folder in which the packages of a source begin."""
    place, package = PurePosixPath(one.name).parent, PACKAGE.search(one.content.decode("utf-8", "replace"))
    own = package[1].split(".") if package else []
    outside = place.parts[: len(place.parts) - len(own)]
    return str(PurePosixPath(*outside) if place.parts[len(outside) :] == tuple(own) else place)
