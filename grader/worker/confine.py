"""What the worker takes away from itself before it loads a submission, layer by layer, and whether it worked.

Each layer is switched on as far as the system offers it and then tried: the report says "on" only for what is
refused in fact.
"""

import ctypes
import os
import resource

from grader.worker import landlock, seccomp, trials
from grader.worker.own import *

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
    version = landlock.known_version(libc, settings["landlock"])
    files = landlock.restrict(libc, grants(settings), version)
    files = files or trials.open_paths("/etc/passwd", settings["forbidden"], "/")
    calls = seccomp.restrict(libc) or trials.reach_others(libc, paths_are_guarded=False) or _try_fork()
    return [limits, ("privileges", privileges), ("files", files), ("system calls", calls)]


def grants(settings: dict[str, Any]) -> list[tuple[str, int]]:
    """Return what may be read and written: the standard library, the submission's own, a private folder.

    Installed packages lie in the library's folder: what is in it is granted one by one, and not the folder.
    """
    library = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib would cost every worker's start
    readable = [f"{library}/{name}" for name in os.listdir(library) if name not in _FOREIGN]  # noqa: PTH208
    readable += [*settings["readable"], *settings["packages"], *_DEVICES, *_SHARED_LIBRARIES]
    return [*((path, landlock.READ) for path in readable), (settings["private"], landlock.WRITE)]


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
