"""The worker inside WebAssembly: a host in an interpreter without files, sockets and processes.

This is the entry of the component that `grader/sandbox/component.py` builds. It is imported once, when the
component is built: what is in memory then is what every instance starts with. What closes a process (see
`serve`) is not needed here, for there is nothing that a submission could reach.
"""

import builtins
import gc
import io
import marshal
import os
import sys
from importlib import import_module
from pkgutil import walk_packages
from time import perf_counter

from grader.worker import calling, recall, source_outline
from grader.worker.host import Host
from grader.worker.imports import guard_imports
from grader.worker.module import own_names
from grader.worker.own import *
from grader.worker.watch import watch
from grader.worker.wire import DEEPEST, MAX_PRINTED

WARM = (calling, recall, source_outline)
"""What is imported late elsewhere, to start quickly; here it is in memory already."""

_NEVER_IMPORTED = ("antigravity", "idlelib", "lib2to3", "test", "this", "turtledemo", "__main__")
_NOT_IMPORTED = ("_test", "ensurepip", "encodings.", "pydoc_data", "venv", ".__main__", ".test")
_CODECS = ("ascii", "latin_1", "utf_16", "utf_32", "cp1252", "cp437", "idna", "unicode_escape")
_OURS = ("grader", "__main__", "entry", "wit_world", "componentize_py_types", "componentize_py_runtime")
_READ_EVERY = 0.001
_MOST_CALLS = 64
"""The clock is the judge's and asking it takes microseconds: it is asked once a millisecond, or after so many
calls of a function."""


_NO_PROCESSES = ("fork", "kill", "posix_spawn", "system")
_OF_SITE = ("copyright", "credits", "exit", "help", "license", "quit")
"""Names that a worker has not, for it starts without `site`."""


class Guest(Host):
    """A host whose interpreter is closed by what it runs in."""

    def ask(self, name: str, calls: bytes, patience: float) -> "Iterator[str]":
        """Answer each call of one function with a board, by a clock that is seldom asked."""
        vars(calling)["perf_counter"] = sparing_clock()
        return super().ask(name, calls, patience)

    def _confine(self, settings: dict[str, Any]) -> None:
        sys.setrecursionlimit(DEEPEST)
        self._layers = [("WebAssembly", "")]
        for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
            del sys.modules[name]
        sys.modules["__main__"] = type(sys)("__main__")  # an empty one: some of the library asks for it

    def _open_imports(self, sources: dict[str, bytes], settings: dict[str, Any]) -> None:
        super()._open_imports(sources, settings)
        guard_imports((*own_names(self._filename), *self._helpers.names), [])
        for name in _NO_PROCESSES:
            if not hasattr(os, name):
                setattr(os, name, _refusing(f"os.{name}"))

    def _watch(self, settings: dict[str, Any]) -> None:
        if not settings["recall"]:
            watch(("/dev/null",), (), self._lookout)
            self._layers.append(("audit hook", ""))


def sparing_clock() -> Any:
    """Return a clock for `Answers.to`, which reads it before and after each call: it looks after a call."""
    last, calls, left = perf_counter(), 1, 2

    def now() -> float:
        nonlocal last, calls, left
        if left:
            left -= 1
            return last
        current = perf_counter()
        each = (current - last) / calls
        calls = max(1, min(2 * calls, _MOST_CALLS, int(_READ_EVERY / each) if each else _MOST_CALLS))
        last, left = current, 2 * calls - 1
        return current

    return now


def _refusing(event: str) -> Any:
    """Return a function of `os` that there is elsewhere: it is refused, as there, and noted."""

    def refused(*arguments: object, **named: object) -> NoReturn:
        sys.audit(event, *arguments)
        raise PermissionError("the grader does not let a submission start a process")

    return refused


class _Printed(io.RawIOBase):
    """Sends the beginning of what is printed to the judge; the rest costs next to nothing."""

    def __init__(self, send: Any) -> None:
        self._send, self._left = send, MAX_PRINTED

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self._left > 0:
            shown = bytes(data[: self._left])
            self._left -= len(shown)
            self._send(shown.decode("utf-8", "replace"))
        return len(data)


def about() -> str:
    """Return which Python this is."""
    return "{}.{}.{}".format(*sys.version_info)


class Requests:
    """Takes requests one after the other, and gives their replies one by one."""

    def __init__(self, send: Any) -> None:
        """Print to `send`, which takes text."""
        self._host = Guest()
        self._send = send
        self._replies: Any = iter(())
        self._is_new = True

    def request(self, frame: str) -> None:
        """Take a request, whose frame is bytes of `marshal` as text."""
        if self._is_new:
            self._is_new = False
            self._begin()
        operation, *arguments = marshal.loads(frame.encode("latin-1"))
        self._replies = getattr(self._host, operation)(*arguments)

    def next(self) -> str:
        """Return the next replies to the request, or nothing when there are no more."""
        return next(self._replies, "")

    def _begin(self) -> None:
        """Give the submission streams of its own, and nothing of what the component was built with."""
        buffer = io.BufferedWriter(_Printed(self._send))
        stream: Any = io.TextIOWrapper(buffer, encoding="utf-8", errors="replace", line_buffering=True)
        sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = stream  # type: ignore[misc]
        sys.stdin = sys.__stdin__ = io.StringIO()  # type: ignore[misc, assignment]
        for descriptor in range(3):
            os.close(descriptor)
        sys.argv[:] = ["-c"]
        os.environ.clear()
        sys.path.clear()
        sys.path_importer_cache.clear()


def import_the_library() -> None:
    """Import the standard library, as far as it can be had here: what is not imported now, nobody can."""
    encodings = [f"encodings.{name}" for name in _CODECS]
    tops = [name for name in sorted(sys.stdlib_module_names) if name not in _NEVER_IMPORTED]
    for name in (*tops, *encodings):
        module = _imported(name)
        for found in walk_packages(getattr(module, "__path__", ()), f"{name}.", onerror=lambda name: None):
            _imported(found.name)


def _imported(name: str) -> Any:
    if any(part in name for part in _NOT_IMPORTED) and not name.endswith(_CODECS):
        return None
    try:
        return import_module(name)
    except BaseException:  # for another system
        return None


import_the_library()
for builtin in _OF_SITE:
    vars(builtins).pop(builtin, None)
calling.draw_boards()
gc.collect()
gc.freeze()  # nobody looks through it again
