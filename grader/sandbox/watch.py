"""An audit hook in the worker: refuses what a Tic-Tac-Toe engine has no business with, and notes who tried.

It is a lookout, not a wall: it works on every system, it knows the line, and it tells the instructor. The
walls are the layers of `confine`.
"""

from __future__ import annotations

import sys
from builtins import PermissionError, isinstance, len, str  # noqa: UP029 - see `encode`

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

_MAX_NOTES = 20

# What these modules do for good reasons, and nobody else may.
_TRUSTED = (
    "/collections/__init__.py",
    "/enum.py",
    "/typing.py",
    "/dataclasses.py",
    "/functools.py",
    "/warnings.py",
    __file__.replace("watch.py", "recall.py"),
)
_UNLESS_TRUSTED = {
    "sys._getframe": "read frames",
    "sys._getframemodulename": "read frames",
    "object.__getattr__": "read a function's insides",
    "gc.get_objects": "search the memory",
    "gc.get_referrers": "search the memory",
    "gc.get_referents": "search the memory",
    "code.__new__": "make code objects",
}
# What nobody in the worker must do, whoever asks for it.
_AT_ALL = {
    "sys._current_frames": "read frames",
    "sys.settrace": "trace the grader",
    "sys.setprofile": "trace the grader",
    "sys.addaudithook": "add an audit hook",
    "sys.unraisablehook": "catch the grader's errors",
    "ctypes.dlopen": "use ctypes",
    "ctypes.dlsym": "use ctypes",
    "ctypes.dlsym/handle": "use ctypes",
    "ctypes.cdata": "use ctypes",
    "ctypes.string_at": "use ctypes",
    "ctypes.call_function": "use ctypes",
    "socket.__new__": "open a socket",
    "socket.getaddrinfo": "look up an address",
    "subprocess.Popen": "start a process",
    "os.fork": "start a process",
    "os.forkpty": "start a process",
    "os.system": "start a process",
    "os.exec": "start a process",
    "os.posix_spawn": "start a process",
    "os.spawn": "start a process",
    "pty.spawn": "start a process",
    "_thread.start_new_thread": "start a thread",
    "os.kill": "send a signal",
    "os.killpg": "send a signal",
    "signal.pthread_kill": "send a signal",
    "resource.prlimit": "change limits",
    "resource.setrlimit": "change limits",
}


def watch(filename: str, allowed: tuple[str, ...]) -> list[tuple[str, int]]:
    """Install the hook; return the list in which it notes what was tried, and on which line of the file.

    Files may be opened below the allowed paths only.
    """
    notes: list[tuple[str, int]] = []
    get_frame = sys._getframe
    busy = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        if event == "builtins.id" or busy:
            return
        what = _AT_ALL.get(event)
        guarded = what is None and event in _UNLESS_TRUSTED
        if guarded:
            what = _UNLESS_TRUSTED[event]
        elif event == "open":
            path = arguments[0]
            if (
                not isinstance(path, str)
                or path.startswith(allowed)
                or (path[:1] != "/" and ".." not in path)
            ):
                return
            what = f"open {path[:100]}"
        elif what is None:
            return
        busy = True
        try:
            frame: Any = get_frame(1)
            trusted = guarded and frame.f_code.co_filename.endswith(_TRUSTED)
            while frame is not None and frame.f_code.co_filename != filename:
                frame = frame.f_back
            if trusted or frame is None:
                return
            if len(notes) < _MAX_NOTES:
                notes.append((what or "", frame.f_lineno))
        finally:
            busy = False
        raise PermissionError(f"the grader does not let a submission {what}")

    sys.addaudithook(hook)
    return notes
