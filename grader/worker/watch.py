"""An audit hook in the worker: refuses what a Tic-Tac-Toe engine has no business with, and notes who tried.

It is a lookout, not a wall: it works on every system, it knows the line, and it tells the instructor. The
walls are the layers of `confine`.
"""

import os
import sys

from grader.worker.imports import ABSENT, USED
from grader.worker.own import *

_MAX_NOTES = 20
_IMPORTER = "<frozen importlib._bootstrap>"
_LIBRARY = (os.__file__.removesuffix("os.py"), "<frozen ")
_get_frame = sys._getframe

# What these modules do for good reasons, and nobody else may.
_TRUSTED = (
    "/collections/__init__.py",
    "/enum.py",
    "/typing.py",
    "/dataclasses.py",
    "/functools.py",
    "/warnings.py",
)

# What those call for the same reasons: a submission that calls these itself is refused.
_CALLED_BY_THEM = ("/annotationlib.py", "/inspect.py")


def _by_event(events: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {event: what for what, several in events.items() for event in several}


_UNLESS_TRUSTED = _by_event(
    {
        "read frames": ("sys._getframe", "sys._getframemodulename"),
        "read a function's insides": ("object.__getattr__",),
        "search the memory": ("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
        "make code objects": ("code.__new__",),
    }
)
# Events that are refused in the worker, no matter which code causes them.
_AT_ALL = _by_event(
    {
        "read frames": ("sys._current_frames",),
        "trace the grader": ("sys.settrace", "sys.setprofile", "sys.monitoring.register_callback"),
        "add an audit hook": ("sys.addaudithook",),
        "catch the grader's errors": ("sys.unraisablehook",),
        "use ctypes": (
            "ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.cdata", "ctypes.string_at",
            "ctypes.call_function",
        ),
        "open a socket": ("socket.__new__",),
        "look up an address": ("socket.getaddrinfo",),
        "start a process": (
            "subprocess.Popen", "os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn",
            "os.spawn", "pty.spawn",
        ),
        "start a thread": ("_thread.start_new_thread",),
        "send a signal": ("os.kill", "os.killpg", "signal.pthread_kill"),
        "change limits": ("resource.prlimit", "resource.setrlimit"),
    }
)  # fmt: skip


class Lookout:
    """What the hook has noted. While it is `resting`, the worker itself is at work: nothing is looked at."""

    __slots__ = ("absent", "files", "notes", "resting")

    def __init__(self) -> None:
        self.resting = False
        self.files: tuple[str, ...] = ("",)
        """The submission's file, then the modules that came with it."""
        self.notes: list[tuple[str, int]] = []
        """What was tried, and on which line of the file."""
        self.absent: list[tuple[str, int]] = []
        """Modules for which a stand-in was imported, and on which line."""

    def note(self, what: str, absent: bool = False) -> bool:
        """Note what is tried right now if the submission has a hand in it; return whether it has."""
        notes = self.absent if absent else self.notes
        self.resting = True
        try:
            frame: Any = _get_frame(1)
            while frame is not None and frame.f_code.co_filename not in self.files:
                frame = frame.f_back
            if frame is not None and len(notes) < _MAX_NOTES:
                file = frame.f_code.co_filename
                notes.append((what if file == self.files[0] else f"{what} in {file}", frame.f_lineno))
            return frame is not None
        finally:
            self.resting = False


def watch(allowed: tuple[str, ...], packages: tuple[str, ...], lookout: Lookout) -> None:
    """Install the hook. Files may be opened below the allowed paths only; packages are trusted."""
    known = sys.stdlib_module_names
    watched = frozenset((*_AT_ALL, *_UNLESS_TRUSTED, ABSENT, USED, "open"))

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in watched and not lookout.resting:  # most events are of no interest
            look(event, arguments)

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event in (ABSENT, USED):
            name = arguments[0]
            if type(name) is str and name.partition(".")[0] in known:
                lookout.note(name[:60] if event == ABSENT else f"use {name:.60}", event == ABSENT)
            return
        if event == "open" and _is_allowed(arguments[0], allowed):
            return
        if event in _UNLESS_TRUSTED and _is_trusted(lookout, packages):
            return
        what = _AT_ALL.get(event) or _UNLESS_TRUSTED.get(event) or f"open {arguments[0]:.100}"
        if lookout.note(what):
            raise PermissionError(f"the grader does not let a submission {what}")

    sys.addaudithook(hook)


def _is_trusted(lookout: Lookout, packages: tuple[str, ...]) -> bool:
    """Return whether the code at work is one of a few modules, or the library while it is imported."""
    lookout.resting = True
    try:
        frame: Any = _get_frame(3)
        file = frame.f_code.co_filename
        while file.endswith(_CALLED_BY_THEM) and file not in lookout.files and frame.f_back is not None:
            frame = frame.f_back
            file = frame.f_code.co_filename
        if file in lookout.files:  # whatever a student calls a module
            return False
        if file.endswith(_TRUSTED) or file.startswith(packages):
            return True
        if not file.startswith(_LIBRARY) or "site-packages" in file:
            return False
        while frame is not None and frame.f_code.co_filename not in lookout.files:
            if frame.f_code.co_filename == _IMPORTER:
                return True
            frame = frame.f_back
        return False
    finally:
        lookout.resting = False


def _is_allowed(path: Any, allowed: tuple[str, ...]) -> bool:
    """Return whether a file may be opened: a descriptor, below an allowed path, or in the private folder."""
    if not isinstance(path, str):
        return True
    return path.startswith(allowed) or (path[:1] != "/" and ".." not in path)
