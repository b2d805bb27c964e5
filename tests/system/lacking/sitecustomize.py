"""Makes a Python on Linux lack what Windows lacks; found by every process that has this folder in PYTHONPATH.

The standard library and other packages keep what they have looked up by now: they know their system.
"""

import asyncio
import builtins
import ctypes
import getpass
import io
import multiprocessing
import os
import platform
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
import webbrowser
from pathlib import Path
from typing import Any, NoReturn

KNOW_THEIR_SYSTEM = (asyncio, getpass, multiprocessing, selectors, shutil, tempfile, uuid, webbrowser)
MODULES = "_posixshmem _posixsubprocess crypt fcntl grp pty pwd readline resource syslog termios tty".split()  # noqa: SIM905
OF_OS = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "P_PID", "WEXITED", "WNOWAIT", "chown", "fchmod",
    "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid", "kill", "killpg", "lchown",
    "memfd_create", "mkfifo", "mknod", "nice", "openpty", "pidfd_open", "pipe2", "posix_fallocate", "pread", "preadv", "pwrite",
    "register_at_fork", "sched_getaffinity", "sched_setaffinity", "sched_yield", "sendfile", "set_blocking", "setpgid", "setpriority",
    "setsid", "statvfs", "sync", "sysconf", "ttyname", "uname", "wait", "wait3", "wait4", "waitid",
)  # fmt: skip
HAS_SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
OF_SIGNAL = ("alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "siginterrupt", "sigwait")
NEW_LINE = "\r\n"


def refuse(what: str) -> NoReturn:
    raise AssertionError(f"Windows has no {what}")


def hide() -> None:
    platform.uname()  # which is kept
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    signals = {name for name in dir(signal) if name.startswith("SIG") and name.isupper()} - HAS_SIGNALS
    for module, names in (
        (os, OF_OS),
        (signal, (*OF_SIGNAL, *signals)),
        (select, ("epoll", "poll")),
        (socket, ("AF_UNIX", "SOCK_SEQPACKET", "recv_fds", "send_fds")),
    ):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    ctypes.CDLL = refuse_library  # type: ignore[assignment, misc]
    shutil._use_fd_functions = shutil._USE_CP_SENDFILE = False  # type: ignore[attr-defined]
    for known in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        known.clear()


def refuse_library(name: object, *others: object, **named: object) -> NoReturn:
    raise OSError(f"Windows has no library {name}")


def connected(*about: object) -> tuple[socket.socket, socket.socket]:
    """Stand in for `socket.socketpair` as on Windows: by the loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        return client, listening.accept()[0]


class Popen(subprocess.Popen[Any]):
    """Takes what Windows takes."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        for name in (
            "preexec_fn",
            "start_new_session",
            "pass_fds",
            "process_group",
            "user",
            "group",
            "umask",
        ):
            if named.get(name) not in (None, False, (), -1):
                refuse(f"{name} in subprocess.Popen")
        super().__init__(*arguments, **named)

    def kill(self) -> None:
        if self.poll() is None:
            end(self.pid, 9)

    terminate = kill


def is_open(file: Any) -> bool:
    """Return whether this process has a file open."""
    try:
        wanted = os.path.realpath(file)
        numbers = os.listdir("/proc/self/fd")  # noqa: PTH208
        return wanted in {os.path.realpath(f"/proc/self/fd/{number}") for number in numbers}
    except OSError:
        return False


def unless_open(function: Any, at: int) -> Any:
    """Refuse to replace or remove what is open, and names that no file has."""

    def guarded(*arguments: Any, **named: Any) -> Any:
        if is_open(arguments[at]):
            raise PermissionError(13, "Permission denied", str(arguments[at]))
        return function(*arguments, **named)

    return guarded


def opening(function: Any) -> Any:
    """Refuse /proc and names that Windows does not know; end lines as there."""

    def guarded(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if not isinstance(file, int):
            check(file)
        writes = "b" not in mode and not mode.startswith("r")
        if writes and len(arguments) < 4 and named.get("newline") is None:
            named["newline"] = NEW_LINE
        return function(file, mode, *arguments, **named)

    return guarded


def check(file: Any) -> None:
    path = Path(os.fsdecode(file))
    if path.parts[:2] in (("/", "proc"), ("/", "sys")) or (
        str(path).startswith("/dev/") and str(path) != os.devnull
    ):
        raise FileNotFoundError(2, "No such file or directory", str(path))
    for part in path.parts[len(path.anchor) :]:
        stem = part.partition(".")[0].casefold()
        if (
            set(part) & set('<>:"|?*\\')
            or (part.rstrip(". ") != part and part not in (".", ".."))
            or stem in ("con", "nul", "aux", "prn", "com1")
        ):
            raise OSError(22, "Invalid argument", str(path))


def checked(function: Any) -> Any:
    def guarded(path: Any, *arguments: Any, **named: Any) -> Any:
        if not isinstance(path, int):
            check(path)
        if named.get("dir_fd") is not None:
            refuse("dir_fd")
        return function(path, *arguments, **named)

    return guarded


end = os.kill
if "GRADER_LACKING" in os.environ:
    socket.socketpair = connected  # type: ignore[assignment]
    subprocess.Popen = Popen  # type: ignore[misc]
    for module in KNOW_THEIR_SYSTEM:
        assert module
    hide()
    builtins.open = io.open = opening(io.open)
    os.open, os.mkdir = checked(os.open), checked(os.mkdir)
    os.replace, os.rename = unless_open(os.replace, 1), unless_open(os.rename, 1)
    os.unlink = os.remove = unless_open(os.unlink, 0)
    from grader.core import system

    system.HAS_WINDOWS_FILES = True
    if os.environ["GRADER_LACKING"] == "nothing":  # as it is before anything was installed for it
        sys.modules["wasmtime"] = None  # type: ignore[assignment]
    if os.environ["GRADER_LACKING"] == "inside":  # our own files, beside the judge
        from grader.core.asking.inside import InProcess
        from grader.grading import session

        def inside(kind: str = "native") -> Any:
            return InProcess

        session.carrier = inside
        session.kind_of = lambda *_: "native"
