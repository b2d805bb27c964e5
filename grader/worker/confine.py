"""Layers by which a worker confines itself before it loads a submission.

Each layer is switched on as far as the system offers it, and then tried: the report says "on" only if what
the layer must refuse fails, and fails for that reason. All descriptors but the worker's own are closed, and
counted before any code of a submission runs.
"""

import ctypes
import os
import resource

from grader.worker import seccomp
from grader.worker.own import *

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_MAKE_FIFO, _MAKE_SYM, _REFER = 1 << 10, 1 << 12, 1 << 13
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_FILE_ACCESS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many kinds of access to files each version knows; from version 5 on there are 16."""

READ = _READ_FILE | _READ_DIR
WRITE = READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
LIST = _READ_DIR
RUN = READ | _EXECUTE
OWN = WRITE | _EXECUTE | _MAKE_FIFO | _MAKE_SYM | _REFER
DEVICE = _READ_FILE | _WRITE_FILE | _IOCTL_DEV

SCOPES_SIGNALS = 6
"""The first version that keeps signals among the processes which are restricted together."""

GUARDS_TRUNCATE = 3
"""The first version that keeps files from being emptied by their path."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scope", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def known_version(libc: ctypes.CDLL, at_most: int | None = None) -> int:
    """Return the version of Landlock that the kernel has; below 1 it has none.

    With `at_most` the kernel is taken for one as old as that.
    """
    version = int(libc.syscall(_CREATE, None, 0, _VERSION_FLAG))
    return version if at_most is None else min(version, at_most)


def restrict(libc: ctypes.CDLL, grants: list[tuple[str, int]], version: int) -> str:
    """Deny all files, TCP and signals to others but for the grants; return why that failed, or nothing.

    Call it after no-new-privileges is set. A path that does not exist is left out.
    """
    if version < 1:
        return "Landlock is switched off" if ctypes.get_errno() == 95 else "the kernel has no Landlock"
    handled = (1 << _FS_BITS.get(version, 16)) - 1
    ruleset = _Ruleset(handled, 0b11 if version >= 4 else 0, 0b11 if version >= SCOPES_SIGNALS else 0)
    size = 24 if version >= SCOPES_SIGNALS else 16 if version >= 4 else 8
    descriptor = libc.syscall(_CREATE, ctypes.byref(ruleset), size, 0)
    if descriptor < 0:
        return os.strerror(ctypes.get_errno())
    try:
        for path, access in grants:
            _grant(libc, descriptor, path, access & handled)
        if libc.syscall(_RESTRICT, descriptor, 0) != 0:
            return os.strerror(ctypes.get_errno())
    finally:
        os.close(descriptor)
    return ""


def _grant(libc: ctypes.CDLL, ruleset: int, path: str, access: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib would cost every worker's start
        access &= _FILE_ACCESS
    rule = _PathRule(access, folder)
    libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(folder)


_REFUSED = 1
_FAMILIES = (1, 2, 10, 16)
_UNIX, _DATAGRAM, _RAW = 1, 2, 3
_FCNTL = (8, 10, 15, 1024, 1026)
_IOCTL = (0x5423, 0x8901, 0x8902)


def open_paths(*paths: str) -> str:
    """Return which of some paths can be opened although it must not be, or nothing."""
    for path in paths:
        try:
            os.close(os.open(path, os.O_RDONLY))
        except OSError:
            continue
        return f"{path} can still be opened"
    return ""


def reach_others(libc: ctypes.CDLL, *, paths_are_guarded: bool) -> str:
    """Return what a confined process can do to others although it must not, or nothing.

    Where Landlock guards files from being emptied by their paths, the call itself may be allowed.
    """
    pair, address = (ctypes.c_int * 2)(), ctypes.create_string_buffer(16)
    tries: list[tuple[str, Any, tuple[Any, ...]]] = [
        *(
            (f"sockets of family {family} can still be opened", libc.socket, (family, 2, 0))
            for family in _FAMILIES
        ),
        *(
            (f"signals can still be sent by fcntl {command}", libc.fcntl, (0, command, 0))
            for command in _FCNTL
        ),
        *(
            (f"others can still be reached by ioctl {command:#x}", libc.ioctl, (0, command, None))
            for command in _IOCTL
        ),
        *(
            ("a pair of sockets can still talk to others", libc.socketpair, (_UNIX, kind, 0, pair))
            for kind in (_DATAGRAM, _RAW)
        ),
        ("a socket can still talk to an address", libc.sendto, (-1, b"", 0, 0, address, 2)),
        ("others' files can still be watched", libc.inotify_init1, (0,)),
    ]
    if not paths_are_guarded:
        tries.append(("a file can still be emptied by its path", libc.truncate, (b"/nowhere", 0)))
    return next((what for what, call, arguments in tries if not _is_refused(call, arguments)), "")


def _is_refused(call: Any, arguments: tuple[Any, ...]) -> bool:
    """Return whether a call is refused as such, and does not fail for another reason."""
    ctypes.set_errno(0)
    return call(*arguments) < 0 and ctypes.get_errno() == _REFUSED


_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
_KILL = 9
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63
_FILE_BYTES, _OPEN_FILES = 1_000_000, 32
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_SHARED_LIBRARIES = (
    "/etc/ld.so.cache", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64",
)  # fmt: skip
"""Where modules of the standard library find the C libraries they wrap."""

_FOREIGN = ("site-packages", "dist-packages")

Layer = tuple[str, str]
"""The name of a layer, and why it is off; nothing when it is on."""


def confine(settings: dict[str, Any]) -> list[Layer]:
    """Confine this process for good; return the layers."""
    most = {
        resource.RLIMIT_AS: settings["memory_mb"] * 1024 * 1024,
        resource.RLIMIT_CPU: settings["cpu_seconds"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_NPROC: 0,
    }
    limits = ("limits", limit(most))
    try:
        libc = ctypes.CDLL(None, use_errno=True)
    except OSError as error:
        return [limits, *((name, f"no ctypes: {error}") for name in ("privileges", "files", "system calls"))]
    if not hasattr(os, "O_PATH"):
        return [limits, *((name, "not on this system") for name in ("privileges", "files", "system calls"))]
    privileges = drop_privileges(libc)
    version = known_version(libc, settings["landlock"])
    files = restrict(libc, grants(settings), version)
    files = files or open_paths("/etc/passwd", settings["forbidden"], "/")
    calls = seccomp.restrict(libc) or reach_others(libc, paths_are_guarded=False) or _try_fork()
    return [limits, ("privileges", privileges), ("files", files), ("system calls", calls)]


def grants(settings: dict[str, Any]) -> list[tuple[str, int]]:
    """Return what may be read and written: the standard library, the submission's own, a private folder.

    Installed packages lie in the library's folder: what is in it is granted one by one, and not the folder.
    """
    library = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib would cost every worker's start
    readable = [f"{library}/{name}" for name in os.listdir(library) if name not in _FOREIGN]  # noqa: PTH208
    readable += [*settings["readable"], *settings["packages"], *_DEVICES, *_SHARED_LIBRARIES]
    return [*((path, READ) for path in readable), (settings["private"], WRITE)]


def limit(limits: dict[int, int]) -> str:
    """Limit what this process may use, each kind for good; return why that failed, or nothing."""
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (lowest, lowest))
        except (OSError, ValueError) as error:
            return str(error)
    return ""


def limit_memory(megabytes: int) -> str:
    """Limit the address space alone, for what is done before everything is; return why that failed."""
    return limit({resource.RLIMIT_AS: megabytes * 1024 * 1024})


def drop_privileges(libc: ctypes.CDLL) -> str:
    """Die with the grader, gain nothing from set-user-id programs, and give up all capabilities."""
    libc.prctl(_PR_SET_PDEATHSIG, _KILL, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return os.strerror(ctypes.get_errno())
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    return "" if libc.capset(header, nothing) == 0 else os.strerror(ctypes.get_errno())


def _try_fork() -> str:
    """Return that a process could be started, if it could."""
    try:
        child = os.fork()
    except OSError:
        return ""
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "processes can still be started"


_LISTED = ("/proc/self/fd", "/dev/fd")
_BLIND = 1_024
"""How many are tried where the system does not list them."""


def close_others(own: tuple[int, ...]) -> None:
    """Close every descriptor of this process but its own."""
    for descriptor in others(own):
        os.close(descriptor)


def others(own: tuple[int, ...]) -> list[int]:
    """Return the open descriptors of this process that are not among its own."""
    return [descriptor for descriptor in _possible() if descriptor not in own and _is_open(descriptor)]


def unexpected(own: tuple[int, ...]) -> str:
    """Return the sentence about a descriptor that this process must not have, or nothing."""
    found = others(own)
    if not found:
        return ""
    try:
        what = os.readlink(f"/proc/self/fd/{found[0]}")  # noqa: PTH115 - pathlib would cost every start
    except OSError:
        what = "something unknown"
    return f"descriptor {found[0]} ({what}) of another process is open in it"


def _possible() -> list[int]:
    for folder in _LISTED:
        try:
            return [int(name) for name in os.listdir(folder)]  # noqa: PTH208 - the same
        except OSError:
            continue
    return [*range(_BLIND)]


def _is_open(descriptor: int) -> bool:
    """Return whether it is open; the one with which the list was read is not any more."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
