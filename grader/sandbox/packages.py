"""Modules beside the standard library that submissions may import: where they are, and what they need.

A worker can read these packages and no others. What installed them says which files they have and which other
packages they require; each is tried inside the sandbox before anybody is graded.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import metadata
from importlib.machinery import all_suffixes
from importlib.metadata import Distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Raised, Reply, Returned
from grader.core.asking.worker import Packages, Place
from grader.core.course.rubric import Limits
from grader.core.course.submission import NOWHERE, Submission
from grader.core.messages import _
from grader.sandbox.layers import around_the_grader, is_the_graders
from grader.sandbox.process import Process

_GRADER: Final = __name__.partition(".")[0]

_NAME: Final = re.compile(r"[\w.-]+")

_OPTIONAL: Final = re.compile(r";[^;]*\bextra\b")
"""In a requirement: it belongs to an extra, which has to be asked for by name."""


class Unusable(Exception):
    """A module that submissions may import and that is not available: why, and what to do."""

    def __init__(self, module: str, why: str) -> None:
        self.module, self.why = module, why
        super().__init__(why)


def installed(modules: Iterable[str]) -> Packages:
    """Return where modules and their requirements are installed; raise Unusable for a missing module."""
    places: dict[str, Place] = {}
    readable: dict[str, None] = {}
    for module in modules:
        if module in sys.stdlib_module_names:
            continue
        places[module] = _place_of(module)
        for distribution in _needed(metadata.packages_distributions().get(module, [])):
            for name, path in _parts(distribution):
                readable.update(dict.fromkeys(around_the_grader([path])[0]))
                place = _found(name)
                if place:
                    places.setdefault(name, place)
    for place in places.values():
        own = place.folders or ([place.file] if place.file else [])
        readable.update(dict.fromkeys(around_the_grader(own)[0]))
    return Packages(tuple(places.values()), tuple(readable))


def _place_of(module: str) -> Place:
    """Return where a module is; raise Unusable if it is nowhere."""
    if not module.isidentifier():
        raise Unusable(module, _no_name(module))
    if module == _GRADER:
        message = _(
            "'imports.allowed' names {module}, which is the grader itself: take it out", module=module
        )
        raise Unusable(module, message)
    place = _found(module)
    if place is None:
        message = _(
            "'imports.allowed' names {module}, which is not installed here: {command}, or take it out",
            module=module,
            command=f"pip install {module}",
        )
        raise Unusable(module, message)
    return place


def _no_name(name: str) -> str:
    """Return a sentence about a name that is no module's, with what may be meant instead."""
    top = name.partition(".")[0]
    if top.isidentifier() and top != name:
        return _(
            "'imports.allowed' names {module}, which is no name of a module: say how it is imported, "
            "by its first part ({top})",
            module=name,
            top=top,
        )
    known = set[str]()
    with suppress(metadata.PackageNotFoundError, ValueError):
        parts = {part for part, _path in _parts(metadata.distribution(name))}
        known = {part for part in parts if part.isidentifier() and part[0] != "_"}
    if known:
        return _(
            "'imports.allowed' names {module}, which is no name of a module: say how it is imported, "
            "as in {known}",
            module=name,
            known=", ".join(sorted(known)),
        )
    return _(
        "'imports.allowed' names {module}, which is no name of a module: say how it is imported", module=name
    )


def _found(module: str) -> Place | None:
    """Return where a module is, unless it is nowhere or the grader's own."""
    try:
        spec = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError, AttributeError):
        spec = None
    if spec is None:
        return None
    file = spec.origin if spec.has_location else None
    folders = tuple(spec.submodule_search_locations or ())
    if any(map(is_the_graders, (*folders, *([file] if file else [])))):
        return None
    return Place(spec.name, file, folders) if file or folders else None


def _needed(names: Iterable[str]) -> Iterator[Distribution]:
    """Yield distributions and all that they require, as far as it is installed."""
    waiting, seen = list(names), set[str]()
    while waiting:
        try:
            distribution = metadata.distribution(waiting.pop())
        except metadata.PackageNotFoundError:  # for another system, or another Python
            continue
        name = distribution.metadata["Name"]
        if name not in seen:
            seen.add(name)
            yield distribution
            required = distribution.requires or ()
            found = (
                _NAME.match(requirement) for requirement in required if not _OPTIONAL.search(requirement)
            )
            waiting += [name[0] for name in found if name]


def _parts(distribution: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield what a distribution has put side by side: the module that it may be, and its path."""
    suffixes = tuple(all_suffixes())
    tops = dict.fromkeys((file.parts[0], len(file.parts) > 1) for file in distribution.files or ())
    for top, is_folder in tops:
        if top not in ("..", "/", "__pycache__") and (is_folder or top.endswith(suffixes)):
            yield top if is_folder else top.partition(".")[0], Path(str(distribution.locate_file(top)))


_SOURCE: Final = b"def load(module):\n    __import__(module)\n"

_LIMITS: Final = Limits(deadline=120.0, total=600.0, memory_mb=16_384)


@cache
def tried(modules: tuple[str, ...]) -> Packages:
    """Return where modules are, and what memory they take; raise Unusable for one that does not work."""
    found = installed(modules)
    if not found.places:
        return found
    with Client(Submission("trial", NOWHERE, _SOURCE), _LIMITS, Process, found) as client:
        client.load_failure()
        before = client.peak_mb
        for module in modules:
            reply = client.call("load", module)
            if not isinstance(reply, Returned):
                problem = _(
                    "'imports.allowed' names {module}, which does not work inside the sandbox ({why}): "
                    "take it out",
                    module=module,
                    why=_why(reply),
                )
                raise Unusable(module, problem)
        return replace(found, memory_mb=client.peak_mb - before)


def _why(reply: Reply) -> str:
    if isinstance(reply, Raised):
        return f"{reply.error}: {reply.message}" if reply.message else reply.error
    return reply.detail if isinstance(reply, Lost) else str(reply)
