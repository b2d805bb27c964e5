"""Lets a submission import the packages that it may: found where the judge says they are, and nowhere else.

What is installed beside them cannot be found, so that a package which could use it does without.
"""

import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import spec_from_file_location
from time import process_time

from grader.worker.own import *

Place = tuple[str, "str | None", "list[str]"]
"""A module, its file if there is one, and the folders of a package."""


class PackageFinder:
    """A finder of modules, asked before any other: a file beside a submission has no such name."""

    __slots__ = ("_places",)

    def __init__(self, places: list[Place]) -> None:
        self._places = {module: (file, folders) for module, file, folders in places}

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Return how a module is loaded, or None if it is none of these."""
        if name not in self._places:
            return None
        file, folders = self._places[name]
        if file is not None:
            return spec_from_file_location(name, file, submodule_search_locations=folders or None)
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = folders
        return spec


def admit(places: list[Place], at_once: list[str]) -> float:
    """Let packages be found, and import some at once; return how many seconds that took.

    Nothing of the submission can be found yet, for nothing of it must run.
    """
    if places:
        sys.meta_path.insert(0, PackageFinder(places))
    started = process_time()
    for name in at_once:
        __import__(name)
    return process_time() - started
