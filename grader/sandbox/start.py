"""Starts workers, and measures the time that they take.

Workers are forked from a template that has everything imported, or started one by one on other systems. A
template belongs to one thread of one process: it ends with that thread, and so do its workers. A process that
is started here has no descriptors but those that it was given.

A deadline counts processor time, so that a busy machine makes no difference. A worker that sleeps uses none:
several times the deadline is the limit by the wall clock, not counting waits for a processor.
"""

import marshal
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core import system
from grader.core.asking.worker import TimePoint
from grader.core.errors import GraderFault
from grader.core.messages import _

_ROOT: Final = Path(__file__).resolve().parents[2]
PATH: Final = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); "
"""Lets a new interpreter find the grader."""

# -I would ignore PYTHONHASHSEED: without it, sets keep their order from run to run.
_PYTHON: Final = (sys.executable, "-s", "-P", "-S", "-c")
_ALONE: Final = ("OPENBLAS", "GOTO", "OMP", "MKL", "BLIS", "NUMEXPR")
"""Libraries that compute with as many threads as there are cores by default."""

_ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONTZPATH": "",
    **{f"{library}_NUM_THREADS": "1" for library in _ALONE},
}
Pipes = tuple[int, int, int]
"""The worker's ends: its input, its output, its errors."""


def renew() -> None:
    """Let the next worker of this thread come from a new template."""
    if system.IS_LINUX:
        _template().close()


def start(private: Path, pipes: Pipes) -> "Forked | _Spawned":
    """Start a worker that works in a private folder, in a group of its own."""
    forked = _forked("fork", str(private), pipes) if system.IS_LINUX else None
    return forked or _Spawned(private, pipes)


def launch(settings: dict[str, object], descriptors: Sequence[int]) -> "Forked":
    """Start a program inside the sandbox; the descriptors are its streams, and the one for its layers."""
    if not system.IS_LINUX:
        raise GraderFault(_("programs can be run on Linux alone, where the wall around them is"))
    forked = _forked("launch", settings, descriptors)
    if forked is None:
        raise GraderFault("no program can be started: the template of workers has ended")
    return forked


def _forked(request: str, argument: object, descriptors: Sequence[int]) -> "Forked | None":
    """Return a process that this thread's template has forked; None if no template can be reached."""
    for _try in range(2):  # a template that an unrelated clean-up has ended is replaced
        with suppress(OSError):
            return Forked(_template(), request, argument, descriptors)
    return None


class _Spawned:
    """A worker with an interpreter of its own."""

    def __init__(self, private: Path, pipes: Pipes) -> None:
        self._child = subprocess.Popen(
            [*_PYTHON, f"{PATH}from grader.worker.serve import main; main()"],
            stdin=pipes[0],
            stdout=pipes[1],
            stderr=pipes[2],
            env={**_ENVIRONMENT, "TMPDIR": str(private)},
            cwd=private,
            start_new_session=True,
        )
        self.pid = self._child.pid

    def state(self) -> tuple[str, int] | None:
        # Not reaped: its number, and so its group's, stays its own until the end.
        ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return ended and ("exited" if ended.si_code == os.CLD_EXITED else "killed", ended.si_status)

    def end(self) -> None:
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError):
                kill(self.pid, signal.SIGKILL)
        self._child.wait()


class Forked:
    """A process that was forked from a template, which keeps its number until the end."""

    def __init__(
        self, template: "_Template", request: str, argument: object, descriptors: Sequence[int]
    ) -> None:
        self._template = template
        answer = template.ask(request, argument, descriptors)
        if type(answer) is not int:
            raise GraderFault("the template of workers does not fork")
        self.pid = answer

    def state(self) -> tuple[str, int] | None:
        """Return how the process has ended, exited or killed and by what, or None while it runs."""
        try:
            state = self._template.ask("look", self.pid)
        except OSError:
            self._kill()
            raise GraderFault("the template of workers has ended, and its workers with it") from None
        return state if isinstance(state, tuple) else None

    def end(self) -> None:
        """Kill the whole group and wait until it is gone."""
        try:
            self._template.ask("end", self.pid)
        except OSError:
            self._kill()

    def _kill(self) -> None:
        """Kill what a lost template has left of the group: the worker itself has ended with it."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)


class _Template:
    """The judge's handle on the process from which its workers are forked."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            child = subprocess.Popen(
                [*_PYTHON, f"{PATH}from grader.worker.template import main; main({theirs.fileno()})"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_ENVIRONMENT,
                pass_fds=(theirs.fileno(),),  # and all others are closed
                start_new_session=True,
            )
        self.close = weakref.finalize(self, _end, self._socket, child, self.owner)
        """Ends it, and the workers that it has left; done at the latest when this process ends."""

    def ask(self, request: str, argument: object, descriptors: Sequence[int] = ()) -> object:
        """Return the answer to a request; raise OSError when the template is gone."""
        message: object = (request, argument)
        try:
            socket.send_fds(self._socket, [marshal.dumps(message)], list(descriptors))  # type: ignore[arg-type]
            answer = self._socket.recv(4_096)
        except BrokenPipeError:  # a word that others take for a closed output
            answer = b""
        if not answer:
            self.close()
            raise ConnectionResetError("the template has ended")
        return marshal.loads(answer)

    @property
    def is_ours(self) -> bool:
        """Whether it can be used: it has not ended, and was not inherited from a process that forked."""
        return self.owner == os.getpid() and self._socket.fileno() >= 0


def _end(link: socket.socket, template: "subprocess.Popen[bytes]", owner: int) -> None:
    """Hang up on a template, which ends then with all that it has forked, and wait until it has."""
    link.close()
    if owner == os.getpid():
        template.wait()


_own = threading.local()


def _template() -> _Template:
    """Return the template of this thread, started if there is none."""
    known: _Template | None = getattr(_own, "template", None)
    if known is None or not known.is_ours:
        known = _own.template = _Template()
    return known


BACKSTOP: Final = 3.0
"""So many times a deadline may pass while a worker does nothing, where it is known what it waits for."""

_BLIND_BACKSTOP: Final = 10.0
"""The same where it is not known whether it sleeps or waits for a processor."""

_CPU_CLOCK: Final = 2
"""The clock of a process's own processor time, in the numbers that Linux makes of process ids."""


class Clock:
    """Tells how long a process has taken for something."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._last = TimePoint(time.monotonic(), 0.0, 0.0)
        self._statistics = -1
        with suppress(OSError):
            self._statistics = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._backstop = BACKSTOP if self._statistics >= 0 else _BLIND_BACKSTOP

    def close(self) -> None:
        """Stand still from now on: the process has ended, or is about to."""
        self.now()
        self._process = 0
        if self._statistics >= 0:
            os.close(self._statistics)
            self._statistics = -1

    def now(self) -> TimePoint:
        """Return this moment; the last one of a process that is gone."""
        try:
            if self._statistics >= 0:
                ran, waited, _ = os.pread(self._statistics, 100, 0).split()
                self._last = TimePoint(time.monotonic(), int(ran) / 1e9, int(waited) / 1e9)
            elif self._process:
                self._last = TimePoint(time.monotonic(), self._ran(), 0.0)
        except (OSError, ValueError):
            pass
        return self._last

    def since(self, start: TimePoint) -> float:
        """Return the seconds that count from a moment on, for a deadline."""
        now = self.now()
        return max(now.ran - start.ran, start.passed(now) / self._backstop)

    def slept(self, start: TimePoint, end: TimePoint) -> float:
        """Return the seconds that the process has slept between moments: what its work does not explain."""
        return max(0.0, start.passed(end) - self._backstop * (end.ran - start.ran))

    def _ran(self) -> float:
        try:
            return time.clock_gettime(~self._process << 3 | _CPU_CLOCK)
        except (OSError, AttributeError, OverflowError):  # not on this system: the wall's clock it is
            self._backstop = 1.0
            return 0.0
