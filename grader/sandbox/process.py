"""A worker process as its client sees it, and the private folders of such processes.

The name of a folder does not show that somebody is graded; the grader knows its folders by a checksum in it.
"""

import marshal
import os
import selectors
import shutil
import stat
import subprocess
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from grader.core import system
from grader.core.asking.reply import Loss
from grader.core.asking.worker import Allowance, WorkerLost, breach, checked
from grader.core.errors import GraderFault
from grader.core.messages import _, later, reworded
from grader.sandbox.start import Clock, start
from grader.worker.wire import MAX_PRINTED, MAX_REPLY, TOGETHER

_PREFIX: Final = "home-"
BLOCK: Final = 512
"""Bytes of a block, in which the system tells what a file takes."""

_EACH: Final = 10_000
"""Bytes that anything in a folder counts for at least: twenty thousand empty files are too many."""

_LONGEST_PATH, _FAR_TOO_MUCH = 2_000, 1 << 60
_MOST: Final = 20_000
_ALL_OF_MINE: Final = 0o700
_AGE: Final = 24 * 3600.0
"""Seconds after which a folder is nobody's any more, where nobody can ask whether its process runs."""


def new_folder() -> Path:
    """Return a new folder that bears this process's number: if nobody removes it, another grader will."""
    _sweep_up()
    while True:
        name = f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
        folder = Path(tempfile.gettempdir()).resolve() / f"{name}-{_sum(name)}"
        with suppress(FileExistsError):
            folder.mkdir(mode=_ALL_OF_MINE)
            return folder


def folders_of(process: int) -> list[Path]:
    """Return the folders that a process has made and not removed."""
    return [folder for owner, folder in _known() if owner == process]


def written(folder: Path) -> int:
    """Return how many bytes a folder takes on the disk; each thing in it counts for some.

    What lies so deep that nobody could list it is far too much.
    """
    total = 0
    for path, found in _measured(folder):
        if len(path) > _LONGEST_PATH:
            return _FAR_TOO_MUCH
        total += _EACH + BLOCK * found.st_blocks
    return total


def size(folder: Path) -> int:
    """Return how many bytes a copy of a folder would take, holes in its files filled."""
    return sum(_EACH + found.st_size for _, found in _measured(folder))


def _measured(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for entry in entries(folder):
        with suppress(OSError):
            yield entry.path, entry.stat(follow_symlinks=False)


def entries(folder: Path, without: frozenset[str] = frozenset()) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a folder and below it but for some names, folders first; not without an end.

    Folders that were made without rights are opened.
    """
    waiting, count = deque([str(folder)]), 0
    while waiting and count < _MOST:
        place = waiting.popleft()
        with suppress(OSError), _listed(place) as found:
            for entry in found:
                count += 1
                if entry.name in without:
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _listed(folder: str) -> "os._ScandirIterator[str]":
    try:
        return os.scandir(folder)
    except PermissionError:  # made without rights: its owner, which is this user, has the last word
        Path(folder).chmod(_ALL_OF_MINE)
        return os.scandir(folder)


def remove(folder: Path) -> None:
    """Remove a folder, however deep it is, and whatever rights were taken from what is in it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        has_rm = shutil.which("rm")
        for entry in entries(folder):  # which opens what is locked
            if not (has_rm or entry.is_symlink()):
                with suppress(OSError):
                    os.chmod(entry.path, _ALL_OF_MINE)  # noqa: PTH101 - Windows removes no read-only file
        if has_rm:
            subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _sweep_up() -> None:
    """Remove the folders of graders that were killed before they could do so themselves."""
    for owner, folder in _known():
        if not is_running(owner, folder):
            remove(folder)


def _known() -> Iterator[tuple[int, Path]]:
    """Yield the graders' folders on this machine, each with the process that made it."""
    for folder in Path(tempfile.gettempdir()).resolve().glob(f"{_PREFIX}*-*-*"):
        name, _, checksum = folder.name.rpartition("-")
        owner = name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdecimal() and checksum == _sum(name) and _is_mine(folder):
            yield int(owner), folder


def _is_mine(folder: Path) -> bool:
    """Return whether it is a folder of this user, and not a link that somebody else has put there."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and system.is_mine(found)


def _sum(name: str) -> str:
    return f"{zlib.crc32(b'tictactoe-grader' + name.encode()):08x}"


def is_running(process: int, folder: Path) -> bool:
    """Return whether the process that made a folder runs; by the folder's age where nobody can ask."""
    runs = system.is_running(process)
    if runs is None:
        with suppress(OSError):
            runs = time.time() - folder.stat().st_mtime < _AGE
    return bool(runs)


_START_DEADLINE: Final = 60.0
_CHUNK: Final = 65_536
_PIPE: Final = 1_048_576
_LOOK: Final = 0.25
"""Seconds between looks at what a worker has written to its private folder."""

_MAX_WRITTEN: Final = 10_000_000

LANDLOCK: int | None = None
"""Tests set this to the version of an older kernel, to see what is left of the layers there."""


_LAST_WORDS: Final = (
    later("its process ended with exit code {code}"),
    later("its process was killed by {signal}"),
)
"""How a process has ended."""


class Process:
    """A running worker. After a `WorkerLost` it is dead and cannot be used again."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self.private = new_folder()
        theirs, self._requests = os.pipe()
        self._replies, answers = os.pipe()
        self._prints, printed = os.pipe()
        self._child = start(self.private, (theirs, answers, printed))
        self._is_over = False
        for descriptor in (theirs, answers, printed):
            os.close(descriptor)
        self._clock = Clock(self._child.pid)
        self._meter = allowance.meter(self._clock)
        self._selector = selectors.DefaultSelector()
        self._unsent = memoryview(b"")
        self._lines_read: deque[bytes] = deque()
        self._rest = b""
        self._greeted = False
        self._look_at = 0.0
        self.output = bytearray()
        for descriptor in (self._requests, self._replies, self._prints):
            os.set_blocking(descriptor, False)
            with suppress(ImportError, AttributeError, OSError):
                import fcntl  # Linux's lets a worker run ahead of a busy client

                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE)
        self._selector.register(self._replies, selectors.EVENT_READ)
        self._selector.register(self._prints, selectors.EVENT_READ)

    @property
    def spent(self) -> float:
        """The seconds that this process has taken, its sleep included."""
        return self._meter.spent

    @property
    def peak_mb(self) -> int:
        """The address space that this process has taken at most, in MB; 0 where the system does not tell."""
        with suppress(OSError):
            for line in Path(f"/proc/{self._child.pid}/status").read_text().splitlines():
                if line.startswith("VmPeak:"):
                    return int(line.split()[1]) // 1_024
        return 0

    def load(self, source: bytes, filename: str, settings: Mapping[str, object]) -> str:
        """Send the request to load a submission; the settings are completed with those of the wall."""
        wall = {
            "private": str(self.private),
            "forbidden": str(Path(__file__).resolve().parent),
            "landlock": LANDLOCK,
        }
        return self.post("load", source, filename, {**settings, **wall})

    def post(self, operation: str, *arguments: object) -> str:
        """Send a request, as far as the pipe takes it; return the token that its replies will bear."""
        token = os.urandom(4).hex()
        frame: Any = (operation, token, *arguments)
        body = marshal.dumps(frame)
        self._unsent = memoryview(bytes(self._unsent) + len(body).to_bytes(4, "big") + body)
        if self._requests not in self._selector.get_map():
            self._selector.register(self._requests, selectors.EVENT_WRITE)
        with suppress(WorkerLost):  # raised again where the reply is awaited
            self._send()
        return token

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request as they come, each under the deadline."""
        try:
            self._greet()
            self._look()  # at what the request before has left
            yield from self._replies_to(token, deadline, max_reply)
        except WorkerLost:
            self.kill()
            raise

    def _greet(self) -> None:
        """Wait until the worker has started; that it does not is never the submission's fault."""
        if self._greeted:
            return
        try:
            self._greeted = next(self._lines(_START_DEADLINE, MAX_REPLY)) == b' 0 ["ready"]'
        except WorkerLost as lost:
            self.kill()
            said = self.output.decode("utf-8", "replace").strip()
            raise GraderFault(
                _("the worker did not start: {why}. {said}", why=lost.detail, said=said)
            ) from None

    def _replies_to(self, token: str, deadline: float, max_reply: int) -> Iterator[list[bytes]]:
        count, most = 0, TOGETHER if max_reply == MAX_REPLY else 2  # others come alone, or as a pair
        for line in self._lines(deadline, max_reply * most):
            prefix = b"%s %d " % (token.encode("ascii"), count)
            if not line.startswith(prefix):
                raise breach()
            payloads = checked(line[len(prefix) :], max_reply, self._allowance)
            count += len(payloads)
            yield payloads

    def _lines(self, deadline: float, longest: int) -> Iterator[bytes]:
        """Yield what comes back line by line, and send what is unsent meanwhile."""
        while True:
            while self._lines_read:
                yield self._lines_read.popleft()
            start, took = self._meter.wait(), 0.0
            try:
                while True:
                    if len(self._rest) > longest:
                        raise WorkerLost(Loss.BREACH, _("its worker sent an answer without an end"))
                    self._exchange(took, deadline)
                    if self._lines_read:
                        break
                    took = self._clock.since(start)
            finally:
                self._meter.waited()

    def _exchange(self, took: float, deadline: float) -> None:
        """Send and receive what can be; raise WorkerLost when the deadline, or the allowance, is used up."""
        ready = self._take_part(max(0.001, min(_LOOK, deadline - took)))
        if took >= deadline and (not ready or took >= 2 * deadline):
            raise WorkerLost(Loss.DEADLINE, _("no answer within {seconds:g} seconds", seconds=deadline))
        if self._greeted and time.monotonic() >= self._look_at:
            self._look()
            if self._allowance.used_up:
                raise WorkerLost(Loss.DEADLINE, self._allowance.sentence)

    def _take_part(self, seconds: float) -> bool:
        """Send and receive what can be, or becomes possible within a time; return whether anything was."""
        ready = self._selector.select(seconds)
        for key, _events in ready:
            if key.fd == self._requests:
                self._send()
            elif key.fd == self._replies:
                self._receive()
            else:
                self._drain()
        return bool(ready)

    def _look(self) -> None:
        """Look at what the worker has written, busy or not."""
        self._look_at = time.monotonic() + _LOOK
        if written(self.private) > _MAX_WRITTEN:
            raise WorkerLost(Loss.BREACH, _("its worker wrote too much to its folder"))

    def _send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._requests, self._unsent[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            raise WorkerLost(Loss.DEATH, self._last_words()) from None
        self._selector.unregister(self._requests)

    def _receive(self) -> None:
        part = os.read(self._replies, _CHUNK)
        if not part:
            raise WorkerLost(Loss.DEATH, self._last_words())
        *lines, self._rest = (self._rest + part).split(b"\n")
        self._lines_read.extend(lines)

    def _drain(self) -> None:
        part = os.read(self._prints, _CHUNK)
        if not part:
            self._selector.unregister(self._prints)
        self.output += part[: max(0, MAX_PRINTED - len(self.output))]

    def _last_words(self) -> str:
        """Return how the process ended, for the reader; no verdict depends on it."""
        for _turn in range(100):
            words = self._child.last_words()
            if words:
                return reworded(words, _LAST_WORDS)
            time.sleep(0.01)
        return _("its process closed the pipe")

    def kill(self) -> None:
        """End the process and everything it started; free all descriptors."""
        if self._is_over:
            return
        self._is_over = True
        self._meter.close()
        self._child.end()
        remove(self.private)
        self._selector.close()
        for descriptor in (self._requests, self._replies, self._prints):
            os.close(descriptor)
