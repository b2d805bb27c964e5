"""A program that is ready to be started: its files in a folder of its own, built inside the wall."""

import itertools
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.core.course.rubric import Limits
from grader.core.course.submission import Folder
from grader.core.errors import MachineBusy, NotGradable
from grader.core.messages import _, later
from grader.programs.processes import Stopwatch, are_held, memory, states, tree, unlinked
from grader.programs.recipes import PYTHON, Recipe, other_ways, parts
from grader.programs.terminal import Terminal, plain
from grader.programs.wall import Bounds, Inside, Streams, find
from grader.sandbox.process import entries, new_folder, remove, size, written

_BUILD_SECONDS: Final = 120
_ABOVE: Final = 2
"""So many times its memory a control group lets it hold: what was read from the disk counts there, too."""

NO_TIME_TO_PLAY: Final = later(
    "not gradable here: this machine was too busy to play it in time; grade it again, or with --patient"
)
_NO_TIME_TO_BUILD: Final = later(
    "not gradable here: this machine was too busy to build it in time; grade it again, or with --patient"
)
_STILL_BUILDING: Final = later(
    "not gradable here: it was still not built after {seconds:.0f} seconds of its own; "
    "look at what its build does, or grade it with --patient"
)
_LONG: Final = 4
"""A build that has taken this part of its time did not only wait for the machine."""

_BUILD_BYTES: Final = 3_000_000_000
_BUILD_WRITTEN: Final = 500_000_000
_BUILT_BYTES: Final = 200_000_000
"""Largest size of a built program, which is copied for every game."""

_TOO_MUCH: Final = -9
"""Stands for the exit code of a compiler that was ended."""

_SAID: Final = 4_000
_ABSENT: Final = re.compile(
    r"^\S+:\d+:\d+: fatal error: (\S+): No such file or directory$"
    r"|^\S+\.java:\d+: error: package (\S+) does not exist$"
    r"|^\S+:\d+:\d+: (?:cannot find package \"?([\w./-]+)|no required module provides package (\S+?);)"
    r"|^error\[E0463\]: can't find crate for `(\w+)`", re.M,
)  # fmt: skip
"""A compiler's message about a missing file, at the start of a line: sources are quoted on others."""

_PLAIN: Final = re.compile(r"[\w./-]+( [\w./=:-]+)*")
_CACHE: Final = ".cache"
"""What compilers keep for themselves."""

_GO: Final = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GO111MODULE": "auto", "GOTOOLCHAIN": "local"}


@dataclass(frozen=True)
class NotBuilt:
    """A compiler's output; `missing` names what is not installed here, if that is the reason."""

    said: str
    missing: str = ""
    whole: str = ""
    """All that it said, where another way to build it may do."""


@dataclass(eq=False)
class Built:
    """A program in its folder; each start is a new process in a new terminal."""

    recipe: Recipe
    folder: Path
    limits: Limits
    layers: dict[str, str] = field(default_factory=dict)
    skips_sleeps: bool = False
    """Whether its sleeps end at once until a fault is looked at again; those of a virtual machine stay."""
    plain: str = ""
    """What was said against the plain way to build it, if another one works."""

    starts_ahead: bool = False
    """Whether the next game's process starts while one is played: quick programs take 40 % less time so."""
    count: int = 0
    """How often it was started."""
    _ahead: tuple[Terminal, bool] | None = None
    """The next process, and whether its sleeps end at once."""
    _running: list[Terminal] = field(default_factory=list)
    _before: float = 0.0
    """Seconds of the games that have ended."""

    def opened(self, *, again: bool = False) -> Terminal:
        """Return a terminal in which it starts; it may sleep from now on if a fault is looked at `again`."""
        self.skips_sleeps &= not again
        if self._ahead and self._ahead[1] == self.skips_sleeps:
            terminal = self._ahead[0]
        else:
            self.close_ahead()
            terminal = self._start()
        self._ahead = (self._start(), self.skips_sleeps) if self.starts_ahead else None
        terminal.beside = self._ahead[0] if self._ahead else None
        self.count += 1
        self._before += sum(earlier.seconds for earlier in self._running if earlier.is_closed)
        self._running = [terminal, *(earlier for earlier in self._running if not earlier.is_closed)]
        return terminal

    def _start(self) -> Terminal:
        most, reserves = self.limits.memory_mb, self.recipe.virtual_machine
        bounds = Bounds(
            cpu_seconds=int(self.limits.total) + 60,
            memory_mb=0 if reserves else most,
            resident_mb=_ABOVE * most,
            sleeps=reserves or not self.skips_sleeps,
        )
        place = _copied(self.folder)  # a game does not see what an earlier one has written
        command, environment = _command(self.recipe.run), _environment(place)
        terminal = Terminal(command, place, bounds, environment, most_memory=most * 1_000_000)
        self.layers = self.layers or terminal.layers()
        return terminal

    def close_ahead(self) -> None:
        """End the process that was started for the next game."""
        if self._ahead:
            self._ahead[0].close()
            self._ahead = None

    @property
    def seconds(self) -> float:
        """The time that the program has taken in all its games."""
        return self._before + sum(terminal.seconds for terminal in self._running)

    def close(self) -> None:
        """End what was started, and remove the folder."""
        self.close_ahead()
        remove(self.folder)


def missing_tools(recipe: Recipe) -> list[str]:
    """Return the compilers and interpreters that are not installed here."""
    return [tool for tool in recipe.tools if tool != PYTHON and find(tool) is None]


def build(recipe: Recipe, files: Folder, limits: Limits, end: float) -> Built | NotBuilt:
    """Build a submission by its recipe, or in the first other way that works.

    Raises NotGradable if the machine was too busy until `end` to find out whether it builds.
    """
    first = _build(recipe, files, limits, end)
    if isinstance(first, Built) or not first.whole:
        return first
    for way in itertools.chain(other_ways(recipe, files, first.whole), parts(recipe, files)):
        found = _build(way, files, limits, end)
        if isinstance(found, Built):
            found.plain = first.said
            return found
    return first


def _build(recipe: Recipe, files: Folder, limits: Limits, end: float) -> Built | NotBuilt:
    """Copy the files of a submission to a new folder, and build them inside the sandbox."""
    folder = new_folder()
    with ExitStack() as undone:
        undone.callback(remove, folder)
        for file in (*files, *recipe.brought):
            place = folder / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
            place.chmod(0o755 if file.content.startswith(b"#!") else 0o644)
        for command in recipe.build:
            code, said = _run(command, folder, limits, end)
            if code != 0:
                found = _ABSENT.search(said)
                missing = next((name for name in found.groups() if name), "") if found else ""
                return NotBuilt(_shortened(said), missing, "" if code == _TOO_MUCH else said)
        recipe = replace(recipe, run=_last_command(recipe, folder, limits, end))
        if size(folder) > _BUILT_BYTES:
            return NotBuilt(_("What is built takes more than {size:g} MB.", size=_BUILT_BYTES / 1e6))
        _make_runnable(folder)
        undone.pop_all()
        return Built(recipe, folder, limits)


def _last_command(recipe: Recipe, folder: Path, limits: Limits, end: float) -> tuple[str, ...]:
    """Return the command that runs the program: of `make run` only the last one, as it may link again."""
    if recipe.run[0] != "make" or recipe.language != "make":
        return recipe.run
    code, said = _run(("make", "-n", *recipe.run[1:]), folder, limits, end)
    last = said.strip().splitlines()[-1:] if code == 0 else []
    return tuple(last[0].split()) if last and _PLAIN.fullmatch(last[0]) else recipe.run


def _run(command: Sequence[str], folder: Path, limits: Limits, end: float) -> tuple[int, str]:
    """Run a compiler; return its exit code, and what it said."""
    bounds = Bounds(cpu_seconds=_BUILD_SECONDS, memory_mb=0, file_bytes=200_000_000)
    with tempfile.TemporaryFile() as out, Path(os.devnull).open("rb") as nothing:
        streams = Streams(nothing.fileno(), out.fileno())
        inside = Inside(_command(command), folder, bounds, streams, _environment(folder))
        try:
            inside.layers()
            code = _watched(inside, folder, min(_BUILD_SECONDS, limits.total / 2), end)
        finally:
            inside.end()
        out.seek(0)
        said = plain(out.read(1_000_000))
    return (_TOO_MUCH, said + "\n" + _("It took too long, or too much.")) if code is None else (code, said)


def _watched(inside: Inside, folder: Path, seconds: float, end: float) -> int | None:
    """Wait for a compiler, and return its exit code; None when it takes too long, or too much.

    Raises NotGradable at the end of all time by the wall's clock.
    """
    taken, held = Stopwatch([inside.pid]), False
    while taken.look(held=held) < end:
        code = inside.wait(0.3)
        if code is not None:
            return code
        processes = tree(inside.pid)
        held = are_held(states(processes))
        if taken.seconds(processes) > seconds or memory(processes) > _BUILD_BYTES:
            return None
        if written(folder) + unlinked(processes) > _BUILD_WRITTEN:
            return None
    own = taken.seconds(tree(inside.pid))
    if own > seconds / _LONG:
        raise NotGradable(_(_STILL_BUILDING, seconds=own))
    raise MachineBusy(_(_NO_TIME_TO_BUILD))


def _command(words: Sequence[str]) -> list[str]:
    """Return a command with this machine's own Python in it, not that of an environment."""
    python = getattr(sys, "_base_executable", None) or sys.executable
    return [python if word == PYTHON else word for word in words]


def _environment(folder: Path) -> dict[str, str]:
    return {"GOCACHE": str(folder / _CACHE), **_GO}


def _copied(folder: Path) -> Path:
    """Return a new copy of a folder: files, folders and links, but no pipes or devices."""
    target = new_folder()
    for entry in entries(folder, frozenset((_CACHE,))):
        place = target / Path(entry.path).relative_to(folder)
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                place.mkdir()
            elif entry.is_file(follow_symlinks=False):
                shutil.copy2(entry.path, place)
            elif entry.is_symlink():
                place.symlink_to(Path(entry.path).readlink())
    return target


def _make_runnable(folder: Path) -> None:
    """Make built programs executable: inside the sandbox the mode of a file cannot be changed."""
    for entry in entries(folder):
        if entry.is_file(follow_symlinks=False):  # a pipe would never let go of who reads it
            file = Path(entry.path)
            with suppress(OSError), file.open("rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def _shortened(said: str) -> str:
    text = said.strip()
    return text if len(text) <= _SAID else text[:_SAID] + "\n…"
