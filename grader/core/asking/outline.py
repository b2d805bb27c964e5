"""The outline of a submission: what its files define and import, found by a worker without running them."""

import sys
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Final, NamedTuple

from grader.core.course.submission import FILE_NAME
from grader.core.messages import later, place_of
from grader.core.values import Frozen


class Import(NamedTuple):
    """An import: the helper module in which it is (nothing: the file itself), its line, and what of it."""

    file: str
    line: int
    module: str
    is_used: bool


class Outline(Frozen):
    """What a source defines and imports, or why it does not parse."""

    error: str | None = None
    line: int = 0
    column: int = 0
    """Where it does not parse; 0 when unknown."""
    functions: dict[str, tuple[int, tuple[str, ...], bool]] = field(default_factory=dict)
    variables: dict[str, tuple[int, str]] = field(default_factory=dict)
    own_imports: tuple[tuple[int, str, bool], ...] = ()
    """The line and the module of each, and whether any name of it is used."""
    suspicious: tuple[tuple[int, str], ...] = ()
    hidden: tuple[tuple[int, str], ...] = ()
    """The line and what there runs code that does not stand in the file, if anything does."""
    reach: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Which functions of the assignment each of them may call, itself or through others."""
    stand_ins: dict[str, str] = field(default_factory=dict)
    """The helpers that do all the work of a function of the assignment, each with that function."""
    file: str = ""
    """The helper module that it is of; nothing for the submission's file itself."""
    helpers: tuple["Outline", ...] = ()
    taken: frozenset[str] = frozenset()
    """The names that it takes from other modules; `*` stands for all that there are."""
    stem: str = "tictactoe"

    @property
    def imports(self) -> tuple[tuple[int, str, bool], ...]:
        """All imports, those of helper modules too."""
        return (*self.own_imports, *(one for helper in self.helpers for one in helper.own_imports))

    def defining(self, name: str) -> "Outline":
        """Return the outline of the file that defines a name: of a helper module if it is taken from one."""
        if name in {*self.functions, *self.variables} or self.taken.isdisjoint((name, "*")):
            return self
        return next((one for one in self.helpers if name in {*one.functions, *one.variables}), self)

    def function_at(self, line: int, source: Sequence[str]) -> str | None:
        """Return the function in which a line of its source is, if nothing else begins between the two."""
        before = [(start, name) for name, (start, *_) in self.functions.items() if start <= line]
        start, name = max(before, default=(0, None))
        is_inside = all(text[:1] in "# \t)]}" for text in source[start:line])
        return name if is_inside else None

    def place(self, line: int) -> str:
        """Return where a line of it is, in words."""
        return place_of(self.file, line)

    def foreign(self, allowed: Sequence[str] = ()) -> list[Import]:
        """Return the imports that are neither of the standard library, nor allowed, nor of the submission.

        A module whose name is computed is called "?".
        """
        beside = {one.file.partition("/")[0].removesuffix(".py") for one in self.helpers}  # modules, packages
        own = {FILE_NAME.removesuffix(".py"), self.stem, *beside}
        known = {"", *own, *sys.stdlib_module_names, *allowed}  # no name: it is relative, `from . import`
        return [
            Import(part.file, *one)
            for part in (self, *self.helpers)
            for one in part.own_imports
            if one[1].partition(".")[0] not in known
        ]


HIDING: Final = (later("the module {module}"),)
"""What a worker says of what runs code that does not stand in the file."""


def outline_of(data: Any, stem: str) -> Outline:
    """Return the outline of a submission and its helper modules in a worker's data."""
    whole, helpers = data
    parts = tuple(replace(_part_of(one), file=name) for name, one in helpers.items())
    return replace(_part_of(whole), helpers=parts, stem=stem)


def _part_of(data: Any) -> Outline:
    """Return the outline in a worker's data (the host's own: the submission has not run yet)."""
    if "error" in data:
        message, line, column = data["error"]
        return Outline(error=message, line=line, column=column)
    return Outline(
        functions={
            name: (line, tuple(parameters), stub)
            for name, (line, parameters, stub) in data["functions"].items()
        },
        variables={name: (line, shown) for name, (line, shown) in data["variables"].items()},
        own_imports=tuple((line, module, used) for line, module, used in data["imports"]),
        hidden=tuple((line, what) for line, what in data["hidden"]),
        suspicious=tuple((line, what) for line, what in data["suspicious"]),
        reach={name: tuple(reached) for name, reached in data["reach"].items()},
        stand_ins=data["stand_ins"],
        taken=frozenset(data["taken"]),
    )
