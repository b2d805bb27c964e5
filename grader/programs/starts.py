"""Starts of a program, one for each game: some ahead, all counted, and in haste where nothing hangs on it."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.core.course.hand_in import Folder, Handed
from grader.core.errors import NotGradable
from grader.programs.built import Built, build
from grader.programs.recipes import Recipe, free_name
from grader.programs.terminal import Terminal

_TIMERS: Final = Path(__file__).parent / "standins" / "timers.cjs"
_SLEEP: Final = re.compile(rb"(\.\s*sleep\s*\()\s*(?:\d[\d_]*+|[A-Za-z_]\w*+)[Ll]?\s*(\))")


class Starts:
    """Starts a built program in a terminal for one game after the other."""

    def __init__(self, built: Built, folder: Folder, end: float) -> None:
        self._built = self._taken = built
        self._folder, self._end = folder, end
        """What it was built from, and until when it may be built another time."""
        self._awake: Built | None = None
        self._latest: Terminal | None = None
        self._ahead: list[Terminal] = []
        """Started for the next games, before those are played."""
        self._before = 0.0
        self.most_ahead = 1
        self.count = 0
        """How often it was started."""

    def __call__(self, *, again: bool = False) -> Terminal:
        """Return a terminal in which it starts; what is looked at again is so without haste."""
        if again:
            self.end_haste()
        self.count += 1
        self._before, self._latest = self.seconds, None
        self._latest = self._ahead.pop(0) if self._ahead else self._taken.opened()
        while len(self._ahead) < self.most_ahead:  # which begin while this one is played
            self._ahead.append(self._taken.opened())
        self._latest.beside = tuple(self._ahead)
        return self._latest

    def hurry(self) -> None:
        """Let it not sleep from now on, until something is looked at again."""
        if self._built.recipe.virtual_machine:
            self._awake = self._awake or self._hasty()
            self._taken = self._awake or self._built
        else:
            self._built.hurries = True

    def _hasty(self) -> Built | None:
        """Return it built another time, without its sleeps; None if nothing is gained by that."""
        found = without_sleeps(self._built.recipe, self._folder)
        with suppress(NotGradable):  # there was no time for it
            again = build(*found, self._built.limits, self._end) if found else None
            return again if isinstance(again, Built) else None
        return None

    def end_haste(self) -> None:
        """Let it sleep as long as it likes: what is seen next may be charged."""
        if self._built.hurries or self._taken is not self._built:
            self._built.hurries, self._taken = False, self._built
            self._end_those_ahead()

    @property
    def seconds(self) -> float:
        """What the program has taken in all its games."""
        return self._before + (self._latest.seconds if self._latest else 0.0)

    def close(self) -> None:
        """End what was started ahead, and remove what was built for haste."""
        self._end_those_ahead()
        if self._awake:
            self._awake.close()

    def _end_those_ahead(self) -> None:
        while self._ahead:
            self._ahead.pop().close()


def without_sleeps(recipe: Recipe, folder: Folder) -> tuple[Recipe, Folder] | None:
    """Return how a program is run so that it does not sleep, and from which files, or None."""
    if recipe.language == "JavaScript" and recipe.run[0] == "node":
        name = f"{free_name(folder, 'haste')}/{_TIMERS.name}"
        content = _TIMERS.read_bytes()
        ours = Handed(name, len(content), content)
        run = (recipe.run[0], "--require", f"./{name}", *recipe.run[1:])
        return replace(recipe, run=run, brought=(*recipe.brought, ours)), folder
    if recipe.language == "Java":
        awake = tuple(map(_awake, folder))
        return (recipe, awake) if awake != folder else None
    return None


def _awake(one: Handed) -> Handed:
    """Return a source that sleeps for no time wherever it slept for a number, or for a variable."""
    if not one.name.endswith(".java"):
        return one
    content = _SLEEP.sub(rb"\g<1>0\g<2>", one.content)
    return replace(one, content=content, size=len(content))
