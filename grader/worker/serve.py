"""The worker: a host in a process of its own, confined for good before anything of the submission runs.

It keeps its pipes away from the descriptors that programs use, and leaves nothing of itself in `sys.modules`.
"""

import marshal
import os
import sys

from grader.worker.confine import confine, limit_memory, unexpected
from grader.worker.host import Host
from grader.worker.imports import guard_imports
from grader.worker.module import own_names
from grader.worker.own import *
from grader.worker.package_finder import admit
from grader.worker.printed import printed_to
from grader.worker.watch import watch
from grader.worker.wire import DEEPEST

_read, _write, _set_blocking = os.read, os.write, os.set_blocking


def main() -> None:
    """Serve requests until the client closes the pipe."""
    requests, replies, printed = _own_the_pipes()
    host = Confined(requests, replies, printed)
    _reply(replies, "", 0, '["ready"]')
    while True:
        frame = _frame(requests)
        if frame is None:
            os._exit(0)
        operation, token, *arguments = marshal.loads(frame)
        count = 0
        for payload in getattr(host, operation)(*arguments):
            _reply(replies, token, count, payload)
            count += payload.count("\t") + 1


def _reply(descriptor: int, token: str, count: int, payload: str) -> None:
    """Write one line; the client gets it at once, so that its deadline is of this answer alone."""
    line = f"{token} {count} {payload}\n".encode("ascii")
    _set_blocking(descriptor, True)  # a submission that tries every descriptor may have changed it
    while line:
        line = line[_write(descriptor, line) :]


def _own_the_pipes() -> tuple[int, int, int]:
    """Move the protocol, and what is printed, to other descriptors; input is empty."""
    requests, replies, printed = os.dup(0), os.dup(1), os.dup(2)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout, sys.stderr = printed_to(printed), printed_to(printed)
    return requests, replies, printed


def _frame(descriptor: int) -> bytes | None:
    """Return the next request, or None when the client is gone."""
    _set_blocking(descriptor, True)  # here too: to find nothing to read yet is no reason to die
    header = _exactly(descriptor, 4)
    return None if header is None else _exactly(descriptor, int.from_bytes(header, "big"))


def _exactly(descriptor: int, length: int) -> bytes | None:
    parts, missing = [], length
    while missing:
        part = _read(descriptor, missing)
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


class Confined(Host):
    """A host whose process nobody can leave: each step of its preparation closes something for good."""

    def __init__(self, requests: int, replies: int, printed: int) -> None:
        super().__init__()
        self._pipes = requests, replies, printed
        self._allowed: tuple[str, ...] = ()

    def _limit(self, memory_mb: int) -> None:
        limit_memory(memory_mb)

    def _confine(self, settings: dict[str, Any]) -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)  # nobody reads what is not written by way of `sys`
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.close(nothing)
        too_many = unexpected((0, 1, 2, *self._pipes))
        if too_many:
            raise PermissionError(too_many)
        readable = settings["readable"], settings["packages"], settings["private"]
        self._allowed = (*sys.path[1:], *readable[0], *readable[1], readable[2], "/dev/null")
        sys.dont_write_bytecode = True
        sys.setrecursionlimit(DEEPEST)
        _list_the_path()
        self._layers = [("descriptors", ""), *confine(settings)]
        _leave_no_trace()

    def _open_imports(self, sources: dict[str, bytes], settings: dict[str, Any]) -> None:
        super()._open_imports(sources, settings)
        places = settings["places"]
        guard_imports((*own_names(self._filename), *self._helpers.names), [module for module, *_ in places])
        self._beforehand = admit(places, settings["at_once"])

    def _watch(self, settings: dict[str, Any]) -> None:
        # The copy with recall does without the lookout (it watches the file itself): every look-up would pay.
        if not settings["recall"]:
            watch(self._allowed, (*settings["packages"],), self._lookout)
            self._layers.append(("audit hook", ""))


def _list_the_path() -> None:
    """Let the import system list the folders on the path: some cannot be listed later, and need not be."""
    try:  # noqa: SIM105 - contextlib would cost every worker's start
        __import__("_nowhere_to_be_found")
    except ImportError:
        pass


def _leave_no_trace() -> None:
    """Forget the grader's modules and the way to them: the submission has no business there."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("grader", "__main__", "ctypes")]:
        del sys.modules[name]
    sys.modules["__main__"] = type(sys)("__main__")  # an empty one: some of the library asks for it
    sys.path.pop(0)
