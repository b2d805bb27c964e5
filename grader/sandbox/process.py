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
from signal import Signals
from typing import Any, Final

from grader.core import system
from grader.core.asking.reply import Loss
from grader.core.asking.worker import Allowance, WorkerLost, breach, checked
from grader.core.errors import GraderFault
from grader.core.messages import _
from grader.sandbox.start import Clock, start
from grader.worker.wire import MAX_PRINTED, MAX_REPLY, TOGETHER

_PREFIX: Final = "home-"
BLOCK: Final = 512
"""Bytes of a block, the unit of `st_blocks`."""

_EACH: Final = 10_000
"""Bytes that anything in a folder counts for at least: twenty thousand empty files are too many."""

_LONGEST_PATH, _FAR_TOO_MUCH = 2_000, 1 << 60
_MOST: Final = 20_000
_OWNER_ALONE: Final = 0o700
_AGE: Final = 24 * 3600.0
"""Seconds after which a folder is abandoned, where the system does not say whether its process runs."""


def new_folder() -> Path:
    """Return a new folder; by the process number in its name a later grader removes a forgotten one."""
    _remove_abandoned()
    name = f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
    folder = Path(tempfile.gettempdir()).resolve() / f"{name}-{_checksum(name)}"
    folder.mkdir(mode=_OWNER_ALONE)
    return folder


def folders_of(process: int) -> list[Path]:
    """Return the folders that a process has made and not removed."""
    return [folder for owner, folder in _known_folders() if owner == process]


def written(folder: Path) -> int:
    """Return how many bytes a folder takes on the disk; each thing in it counts for some.

    A path that is too long to be listed counts as far too much.
    """
    total = 0
    for path, found in _measured(folder):
        if len(path) > _LONGEST_PATH:
            return _FAR_TOO_MUCH
        total += _EACH + BLOCK * found.st_blocks
    return total


def size(folder: Path) -> int:
    """Return how many bytes a copy of a folder would take, holes in its files filled."""
    return sum(_EACH + found.st_size for _path, found in _measured(folder))


def _measured(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for entry in entries(folder):
        with suppress(OSError):
            yield entry.path, entry.stat(follow_symlinks=False)


def entries(folder: Path, without: frozenset[str] = frozenset()) -> Iterator[os.DirEntry[str]]:
    """Yield what is in a folder and below it but for some names, folders first, up to a number of entries.

    Folders that were made without permissions are opened.
    """
    waiting, count = deque([str(folder)]), 0
    while waiting and count < _MOST:
        place = waiting.popleft()
        with suppress(OSError), _scanned(place) as found:
            for entry in found:
                count += 1
                if entry.name in without:
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _scanned(folder: str) -> "os._ScandirIterator[str]":
    try:
        return os.scandir(folder)
    except PermissionError:  # made without permissions by a process of this user, who may change that
        Path(folder).chmod(_OWNER_ALONE)
        return os.scandir(folder)


def remove(folder: Path) -> None:
    """Remove a folder, however deep it is, and whatever permissions were taken from what is in it."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        has_rm = shutil.which("rm")
        for entry in entries(folder):  # which opens what is locked
            if not (has_rm or entry.is_symlink()):
                with suppress(OSError):
                    os.chmod(entry.path, _OWNER_ALONE)  # noqa: PTH101 - Windows removes no read-only file
        if has_rm:
            subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _remove_abandoned() -> None:
    """Remove the folders of graders that were killed before they could do so themselves."""
    for owner, folder in _known_folders():
        if not is_running(owner, folder):
            remove(folder)


def _known_folders() -> Iterator[tuple[int, Path]]:
    """Yield this user's folders of graders on this machine, each with the process that made it."""
    for folder in Path(tempfile.gettempdir()).resolve().glob(f"{_PREFIX}*-*-*"):
        name, _dash, checksum = folder.name.rpartition("-")
        owner = name.removeprefix(_PREFIX).partition("-")[0]
        with suppress(OSError):
            found = folder.lstat()  # of a link itself, which another user may have put there
            is_mine = stat.S_ISDIR(found.st_mode) and system.is_mine(found)
            if owner.isdecimal() and checksum == _checksum(name) and is_mine:
                yield int(owner), folder


def _checksum(name: str) -> str:
    return f"{zlib.crc32(b'tictactoe-grader' + name.encode()):08x}"


def is_running(process: int, folder: Path) -> bool:
    """Return whether the process that made a folder runs; where that is not known, by the folder's age."""
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
        """Send the request to load a submission; the settings are completed with those of the sandbox."""
        forbidden = str(Path(__file__).resolve().parent)
        own = {"private": str(self.private), "forbidden": forbidden, "landlock": LANDLOCK}
        return self.post("load", source, filename, {**settings, **own})

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
        most = TOGETHER if max_reply == MAX_REPLY else 2  # longer replies come alone, or as a pair
        count = 0
        try:
            self._greet()
            self._look()  # at what the request before has left
            for line in self._lines(deadline, max_reply * most):
                prefix = b"%s %d " % (token.encode("ascii"), count)
                if not line.startswith(prefix):
                    raise breach()
                payloads = checked(line[len(prefix) :], max_reply, self._allowance)
                count += len(payloads)
                yield payloads
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

    def _lines(self, deadline: float, longest: int) -> Iterator[bytes]:
        """Yield the lines that are received; send the rest of the requests meanwhile."""
        while True:
            while self._lines_read:
                yield self._lines_read.popleft()
            start, took = self._meter.wait(), 0.0
            try:
                while not self._lines_read:
                    if len(self._rest) > longest:
                        raise WorkerLost(Loss.BREACH, _("its worker sent an answer without an end"))
                    self._exchange(took, deadline)
                    took = self._clock.since(start)
            finally:
                self._meter.waited()

    def _exchange(self, took: float, deadline: float) -> None:
        """Send and receive what can be; raise WorkerLost when the deadline, or the allowance, is used up."""
        ready = self._selector.select(max(0.001, min(_LOOK, deadline - took)))
        transfers = {self._requests: self._send, self._replies: self._receive, self._prints: self._drain}
        for key, _events in ready:
            transfers[key.fd]()
        if took >= deadline and (not ready or took >= 2 * deadline):
            raise WorkerLost(Loss.DEADLINE, _("no answer within {seconds:g} seconds", seconds=deadline))
        if self._greeted and time.monotonic() >= self._look_at:
            self._look()
            if self._allowance.used_up:
                raise WorkerLost(Loss.DEADLINE, self._allowance.sentence)

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
            raise self._death() from None
        self._selector.unregister(self._requests)

    def _receive(self) -> None:
        part = os.read(self._replies, _CHUNK)
        if not part:
            raise self._death()
        *lines, self._rest = (self._rest + part).split(b"\n")
        self._lines_read.extend(lines)

    def _drain(self) -> None:
        part = os.read(self._prints, _CHUNK)
        if not part:
            self._selector.unregister(self._prints)
        self.output += part[: max(0, MAX_PRINTED - len(self.output))]

    def _death(self) -> WorkerLost:
        """Return the loss of a process that has ended; its detail is for the reader, no verdict needs it."""
        for _turn in range(100):
            state = self._child.state()
            if state:
                return WorkerLost(Loss.DEATH, _end_of(*state))
            time.sleep(0.01)
        return WorkerLost(Loss.DEATH, _("its process closed the pipe"))

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


def _end_of(how: str, number: int) -> str:
    """Return how a process has ended, as a sentence."""
    if how == "exited":
        return _("its process ended with exit code {code}", code=number)
    known = {member.value: member.name for member in Signals}
    return _("its process was killed by {signal}", signal=known.get(number, f"signal {number}"))
