"""Starts of a program, one for each game: some ahead, all counted, and in haste where nothing hangs on it."""

from collections.abc import Callable

from grader.programs.built import Built
from grader.programs.terminal import Terminal


class Starts:
    """Starts a built program in a terminal for one game after the other."""

    def __init__(self, built: Built, hasty: Callable[[], Built | None] = lambda: None) -> None:
        self._built = self._taken = built
        self._hasty = hasty
        """Builds it another time, without the sleeps that the kernel cannot take."""
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
