"""The wall around a program: what it may read, write and use, and the launcher that sees to it."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from grader.core import system
from grader.core.errors import GraderFault
from grader.core.messages import _, later
from grader.programs.processes import is_alive
from grader.sandbox import process
from grader.sandbox.layers import around_the_grader
from grader.sandbox.start import launch

_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_CONFIGURED: Final = ("/etc/java*", "/opt/java", "/opt/jdk*")
MOST_PROCESSES: Final = 200
"""Of one program, with its threads; those that an ordinary user has already come on top."""

_MOUNTED: Final = Path("/sys/fs/cgroup")
_NAME: Final = "tictactoe-grader-"
_LOOKS, _LOOK = 50, 0.01
_COUNT: Final = "pids.max"
_MOST_MEMORY: Final = ("memory.max", "memory.limit_in_bytes")
LANDLOCK: int | None = None
"""Tests set this to the version of an older kernel, to see what is left of the layers there."""

LAYERS: Final = {
    "descriptors": later("none but its own, no matter who started the grader: counted before it is started"),
    "limits": later("memory, processor time, file size, open files, processes and threads"),
    "privileges": later("no capabilities, nothing gained from set-user-id programs, dies with the grader"),
    "files": later("Landlock: reads and runs the system's tools, writes a private folder"),
    "system calls": later(
        "seccomp: no sockets, no way out of its session, no rights changed, no others' processes"
    ),
}


@dataclass(frozen=True)
class Bounds:
    """What a program, or a compiler, may use."""

    cpu_seconds: int
    memory_mb: int
    """Of address space; 0 for a virtual machine, which reserves much: what it holds is watched."""
    resident_mb: int = 0
    """Of memory that all of its processes hold, where a control group can be made; 0: as much as there is."""
    file_bytes: int = 20_000_000
    sleeps: bool = True
    """Whether it may wait for a clock alone; otherwise such a wait ends at once."""


@dataclass(frozen=True)
class Streams:
    """The input of a process, and its output with its errors; a terminal is taken as its own."""

    input: int
    output: int
    terminal: bool = False


@dataclass(frozen=True)
class Group:
    """Limits how many processes, and how much memory, there are together: a folder in each hierarchy.

    The kernel counts all that a program starts, where this user may make groups. Elsewhere the limit of
    processes holds for ordinary users, and the judge looks now and then for everybody.
    """

    folders: list[Path]

    @property
    def entrances(self) -> list[str]:
        """Files of it: a process that writes a 0 to each of them is in it, with all that it starts."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def close(self) -> None:
        """Remove it, and kill the processes that are still in it."""
        for folder in self.folders:
            _remove(folder)


def _new_group(memory: int) -> Group:
    """Return a new group, without folders where this user cannot make any; 0 does not limit the memory."""
    name = f"{_NAME}{os.getpid()}-{os.urandom(4).hex()}"
    limits = [(_COUNT, MOST_PROCESSES), *((file, memory) for file in _MOST_MEMORY if memory)]
    made: list[Path] = []
    for base in _bases():
        folder = base / name
        with suppress(OSError):
            folder.mkdir()
            made.append(folder)
            for file, most in limits:
                if (folder / file).exists():
                    (folder / file).write_text(str(most))
    return Group(made)


@cache
def _bases() -> tuple[Path, ...]:
    """Return where groups can be made that limit processes or memory: one was, just now."""
    found: dict[str, Path] = {}
    for base in _candidates():
        folder = base / f"{_NAME}{os.getpid()}"
        with suppress(OSError):
            _sweep_up(base)
            folder.mkdir()
            kinds = [file for file in (_COUNT, *_MOST_MEMORY) if (folder / file).exists()]
            folder.rmdir()
            if os.access(base / "cgroup.procs", os.W_OK):
                for kind in kinds:
                    found.setdefault(kind.partition(".")[0], base)
    return tuple(dict.fromkeys(found.values()))


def _candidates() -> Iterator[Path]:
    """Yield where groups may be made: beside this process's own, at the top, in older kernels' trees."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds == "":
                yield (_MOUNTED / path.strip("/")).parent if path != "/" else _MOUNTED
                yield _MOUNTED
            elif kinds in ("pids", "memory"):
                yield _MOUNTED / kinds / path.lstrip("/")


def _sweep_up(base: Path) -> None:
    """Remove the groups of graders that were killed, with the processes that are left in them."""
    for folder in base.glob(f"{_NAME}*"):
        owner = folder.name.removeprefix(_NAME).partition("-")[0]
        if owner.isdecimal() and not system.is_running(int(owner)):
            _remove(folder)


def _remove(folder: Path) -> None:
    """End the processes of a control group, and remove it as soon as it is empty."""
    for _look in range(_LOOKS):
        with suppress(OSError):
            folder.rmdir()
        if not folder.exists():
            return
        with suppress(OSError, ValueError):
            for process in (folder / "cgroup.procs").read_text().split():
                with suppress(OSError):
                    os.kill(int(process), signal.SIGKILL)
        time.sleep(_LOOK)


class Inside:
    """A process inside the wall, in a session and a group of its own."""

    def __init__(
        self, command: Sequence[str], folder: Path, bounds: Bounds, streams: Streams,
        environment: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        settings: dict[str, object] = {
            "command": list(command),
            "folder": str(folder),
            "terminal": streams.terminal,
            "landlock": LANDLOCK,
            "readable": _tools()[0],
            "listable": _tools()[1],
            "forbidden": str(Path(__file__)),
            "cpu_seconds": bounds.cpu_seconds,
            "memory_mb": bounds.memory_mb,
            "file_bytes": bounds.file_bytes,
            "processes": MOST_PROCESSES + _of_this_user(),
            "sleeps": bounds.sleeps,
            "environment": {**_environment(folder), **(environment or {})},
        }
        self._group = _new_group(bounds.resident_mb << 20)
        settings["groups"] = self._group.entrances
        self._layers_from, layers_to = os.pipe()
        try:
            self._child = launch(settings, (streams.input, streams.output, streams.output, layers_to))
        except BaseException:
            os.close(self._layers_from)
            self._group.close()
            raise
        finally:
            os.close(layers_to)
        self.pid = self._child.pid
        self._layers: dict[str, str] | None = None

    def layers(self) -> dict[str, str]:
        """Return the layers, each with why it is off, or nothing; raise GraderFault if nothing started."""
        if self._layers is None:
            with os.fdopen(self._layers_from, "rb") as stream:
                lines = stream.read().decode("utf-8", "replace").splitlines()
            self._layers = dict(line.split("\t", 1) for line in lines if "\t" in line)
        if not self._layers:
            raise GraderFault(_("the launcher of programs did not start"))
        if "failed" in self._layers:
            raise GraderFault(_("not started: {why}", why=self._layers["failed"]))
        return self._layers

    def ended(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        if is_alive(self.pid):  # which is quicker than to ask the template
            return None
        state = self._child.state()
        if state is None:
            return None
        return state[1] if state[0] == "exited" else -state[1]

    def wait(self, seconds: float) -> int | None:
        """Wait until it has ended, at most so many seconds, and return the exit code."""
        end = time.monotonic() + seconds
        while (code := self.ended()) is None and time.monotonic() < end:
            time.sleep(0.005)
        return code

    def end(self) -> None:
        """Kill the whole group and wait until it is gone."""
        self._child.end()
        self._group.close()
        if self._layers is None:
            os.close(self._layers_from)
            self._layers = {}


def layers() -> dict[str, str]:
    """Return each layer with why it is off, or nothing when it is on: tried in the launcher just now."""
    folder = process.new_folder()
    bounds = Bounds(cpu_seconds=10, memory_mb=0)
    with Path(os.devnull).open("r+b") as nothing:
        inside = Inside((), folder, bounds, Streams(nothing.fileno(), nothing.fileno()))
        try:
            return inside.layers()
        finally:
            inside.end()
            process.remove(folder)


@cache
def _tools() -> tuple[list[str], list[str]]:
    """Return what compilers and interpreters may read and run, and which folders they can only list."""
    found = [str(path) for pattern in _CONFIGURED for path in Path("/").glob(pattern[1:])]
    return around_the_grader((*_SYSTEM, *found, sys.base_prefix))


@cache
def _of_this_user() -> int:
    """Return how many threads this user has: the limit of processes counts them all."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            text = status.read_text()
            if f"Uid:\t{os.getuid()}\t" in text:
                total += int(text.partition("Threads:")[2].split()[0])
    return total


@cache
def _path() -> str:
    own = str(Path(sys.base_prefix) / "bin")
    usual = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/go/bin")
    return ":".join((*usual, own))


def _environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": _path(),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def find(tool: str) -> str | None:
    """Return where a compiler or an interpreter is on this machine, or None."""
    return shutil.which(tool, path=_path())
