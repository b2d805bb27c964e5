"""One worker process, as its client sees it: a pipe in, a pipe out, and a clock."""

import marshal
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.errors import GraderFault
from grader.sandbox.encode import MAX_REPLY, TOGETHER
from grader.sandbox.reply import Loss

_ROOT: Final = Path(__file__).resolve().parents[2]
_START: Final = (
    f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from grader.sandbox.host import main; main()"
)
_START_DEADLINE: Final = 30.0
_KEPT_OUTPUT: Final = 4_096
_CHUNK: Final = 65_536


class WorkerLost(Exception):
    """The worker hung, died or broke the protocol; it has been killed."""

    def __init__(self, loss: Loss, detail: str) -> None:
        self.loss, self.detail = loss, detail
        super().__init__(detail)


class Process:
    """A running worker. After a `WorkerLost` it is dead and cannot be used again."""

    def __init__(self) -> None:
        # -I would ignore PYTHONHASHSEED: without it, sets keep their order from run to run.
        self._child = subprocess.Popen(
            [sys.executable, "-s", "-P", "-S", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"},
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self._requests = self._child.stdin.fileno()
        self._replies = self._child.stdout.fileno()
        self._prints = self._child.stderr.fileno()
        self._selector = selectors.DefaultSelector()
        self._rest = b""
        self.output = bytearray()
        for descriptor in (self._requests, self._replies, self._prints):
            os.set_blocking(descriptor, False)
        self._selector.register(self._replies, selectors.EVENT_READ)
        self._selector.register(self._prints, selectors.EVENT_READ)
        try:
            if next(self._lines(b"", _START_DEADLINE, MAX_REPLY)) != b' 0 ["ready"]':
                raise WorkerLost(Loss.BREACH, "an odd greeting")
        except WorkerLost as lost:
            self.kill()
            said = self.output.decode("utf-8", "replace").strip()
            raise GraderFault(f"the worker did not start: {lost.detail}. {said}") from None

    def exchange(
        self, operation: str, *arguments: object, deadline: float, max_reply: int = MAX_REPLY
    ) -> Iterator[list[bytes]]:
        """Send a request and yield the payloads of its replies as they come, each under the deadline."""
        token = secrets.token_hex(4)
        body = marshal.dumps((operation, token, *arguments))
        try:
            yield from self._replies_to(token, len(body).to_bytes(4, "big") + body, deadline, max_reply)
        except WorkerLost:
            self.kill()
            raise

    def _replies_to(self, token: str, frame: bytes, deadline: float, max_reply: int) -> Iterator[list[bytes]]:
        count = 0
        for line in self._lines(frame, deadline, max_reply * TOGETHER):
            prefix = b"%s %d " % (token.encode("ascii"), count)
            payloads = line[len(prefix) :].split(b"\t")
            if (
                not line.startswith(prefix)
                or len(payloads) > TOGETHER
                or any(len(payload) > max_reply for payload in payloads)
            ):
                raise WorkerLost(Loss.BREACH, "its worker sent something that is no answer")
            yield payloads
            count += len(payloads)

    def _lines(self, frame: bytes, deadline: float, longest: int) -> Iterator[bytes]:
        """Send a frame and yield what comes back line by line."""
        unsent = memoryview(frame)
        if unsent:
            self._selector.register(self._requests, selectors.EVENT_WRITE)
        due = time.monotonic() + deadline
        while True:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                yield line
                due = time.monotonic() + deadline
            if len(self._rest) > longest:
                raise WorkerLost(Loss.BREACH, "its worker sent an answer without an end")
            for key, _ in self._wait(due, deadline):
                if key.fd == self._requests:
                    unsent = self._send(unsent)
                elif key.fd == self._replies:
                    self._receive()
                else:
                    self._drain()

    def _wait(self, due: float, deadline: float) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._selector.select(max(0.0, due - time.monotonic()))
        if not ready or time.monotonic() > due + deadline:
            raise WorkerLost(Loss.DEADLINE, f"no answer within {deadline:g} seconds")
        return ready

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            unsent = unsent[os.write(self._requests, unsent[:_CHUNK]) :]
        except BlockingIOError:
            return unsent
        except OSError:
            raise WorkerLost(Loss.DEATH, self._last_words()) from None
        if not unsent:
            self._selector.unregister(self._requests)
        return unsent

    def _receive(self) -> None:
        part = os.read(self._replies, _CHUNK)
        if not part:
            raise WorkerLost(Loss.DEATH, self._last_words())
        self._rest += part

    def _drain(self) -> None:
        part = os.read(self._prints, _CHUNK)
        if not part:
            self._selector.unregister(self._prints)
        self.output += part[: _KEPT_OUTPUT - len(self.output)]

    def _last_words(self) -> str:
        """Return how the process ended, for the reader; no verdict depends on it."""
        for _ in range(100):
            # Not reaped yet: its number, and so its group's, stays its own until `kill`.
            ended = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                time.sleep(0.01)
            elif ended.si_code == os.CLD_EXITED:
                return f"its process ended with exit code {ended.si_status}"
            else:
                return f"its process was killed by {signal.Signals(ended.si_status).name}"
        return "its process closed the pipe"

    def kill(self) -> None:
        """End the process and everything it started; free all descriptors."""
        if self._child.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._selector.close()
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe:
                pipe.close()
