"""A program that is ready to be started: its files in a folder of its own, built inside the wall."""

import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.core.course.hand_in import Folder
from grader.core.course.limits import Limits
from grader.programs.folders import copied
from grader.programs.languages import PYTHON, Recipe
from grader.programs.processes import memory, now, since, tree, unlinked
from grader.programs.terminal import Terminal, plain
from grader.programs.wall import Bounds, Inside, Streams, find
from grader.sandbox.private import entries, new_folder, remove, size, written

_BUILD_SECONDS: Final = 120
_ABOVE: Final = 2
"""So many times its memory a control group lets it hold: what was read from the disk counts there, too."""

_CROWDED: Final = 5
"""So many times as long as it may take, where it waits for a processor."""

_BUILD_BYTES: Final = 3_000_000_000
_BUILD_WRITTEN: Final = 500_000_000
_BUILT_BYTES: Final = 200_000_000
"""Of what is built, for it is copied for every game."""

_SAID: Final = 4_000
_ABSENT: Final = re.compile(
    r"fatal error: (\S+): No such file|error: package (\S+) does not exist|cannot find package \"?([\w./-]+)"
    r"|no required module provides package (\S+?);|can't find crate for `(\w+)`"
)
_CACHES: Final = {
    "GOCACHE": ".cache",
    "GOFLAGS": "-mod=mod",
    "GOPROXY": "off",
    "GO111MODULE": "auto",
    "GOTOOLCHAIN": "local",
}


@dataclass(frozen=True)
class NotBuilt:
    """What a compiler said; `missing` names what is not installed here, if that is the reason."""

    said: str
    missing: str = ""


class Built:
    """A program in its folder; each start is a new process in a new terminal."""

    def __init__(self, recipe: Recipe, folder: Path, limits: Limits) -> None:
        self.recipe, self.folder, self.limits = recipe, folder, limits
        memory = 0 if recipe.virtual_machine else limits.memory_mb
        resident = _ABOVE * limits.memory_mb
        self._bounds = Bounds(cpu_seconds=int(limits.total) + 60, memory_mb=memory, resident_mb=resident)
        self.layers: dict[str, str] = {}

    def opened(self) -> Terminal:
        """Return a terminal in which the program starts."""
        most = self.limits.memory_mb * 1_000_000
        place = copied(self.folder)  # what one game does to it, the next one does not know
        terminal = Terminal(
            _command(self.recipe.run), place, self._bounds, _environment(place), most_memory=most
        )
        if not self.layers:
            self.layers = terminal.told()
        return terminal

    def close(self) -> None:
        """Remove the folder."""
        remove(self.folder)


def missing_tools(recipe: Recipe) -> list[str]:
    """Return the compilers and interpreters that are not installed here."""
    return [tool for tool in recipe.tools if tool != PYTHON and find(tool) is None]


def build(recipe: Recipe, files: Folder, limits: Limits) -> Built | NotBuilt:
    """Lay the files of a hand-in down in a folder of their own, and build them inside the wall."""
    folder = new_folder()
    try:
        for one in files:
            place = folder / one.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(one.content)
            place.chmod(0o755 if one.content.startswith(b"#!") else 0o644)
        for command in recipe.build:
            code, said = _run(command, folder, limits)
            if code != 0:
                remove(folder)
                found = _ABSENT.search(said)
                return NotBuilt(
                    _shortened(said), next((one for one in found.groups() if one), "") if found else ""
                )
        if size(folder) > _BUILT_BYTES:
            remove(folder)
            return NotBuilt(f"What is built takes more than {_BUILT_BYTES / 1e6:g} MB.")
        _make_runnable(folder)
        return Built(recipe, folder, limits)
    except BaseException:
        remove(folder)
        raise


def _run(command: Sequence[str], folder: Path, limits: Limits) -> tuple[int, str]:
    """Run a compiler; return its exit code, and what it said."""
    bounds = Bounds(cpu_seconds=_BUILD_SECONDS, memory_mb=0, file_bytes=200_000_000)
    with tempfile.TemporaryFile() as out, Path(os.devnull).open("rb") as nothing:
        streams = Streams(nothing.fileno(), out.fileno(), out.fileno())
        inside = Inside(_command(command), folder, bounds, streams, _environment(folder))
        try:
            inside.told()
            code = _watched(inside, folder, min(2 * _BUILD_SECONDS, limits.total))
        finally:
            inside.end()
        out.seek(0)
        said = plain(out.read(1_000_000))
    return (-9, f"{said}\nIt took too long, or too much.") if code is None else (code, said)


def _watched(inside: Inside, folder: Path, seconds: float) -> int | None:
    """Wait for a compiler, and return its exit code; None when it takes too long, or too much."""
    start, end = now([inside.pid]), time.monotonic() + _CROWDED * seconds
    while time.monotonic() < end:
        code = inside.wait(0.3)
        if code is not None:
            return code
        processes = tree(inside.pid)
        if since(start, processes) > seconds:
            return None
        if memory(processes) > _BUILD_BYTES or written(folder) + unlinked(processes) > _BUILD_WRITTEN:
            return None
    return None


def _command(words: Sequence[str]) -> list[str]:
    """Return a command with this machine's own Python in it, not that of an environment."""
    python = getattr(sys, "_base_executable", None) or sys.executable
    return [python if word == PYTHON else word for word in words]


def _environment(folder: Path) -> dict[str, str]:
    return {name: str(folder / value) if value[0] == "." else value for name, value in _CACHES.items()}


def _make_runnable(folder: Path) -> None:
    """Let what was built be run: inside the wall nobody may change the rights of a file."""
    for entry in entries(folder):
        if entry.is_file(follow_symlinks=False):  # a pipe would never let go of who reads it
            file = Path(entry.path)
            with suppress(OSError), file.open("rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def _shortened(said: str) -> str:
    text = said.strip()
    return text if len(text) <= _SAID else text[:_SAID] + "\n…"
