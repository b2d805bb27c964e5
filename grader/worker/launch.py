"""Starts a program, or a compiler on somebody's text, inside the wall: confines itself, then becomes it.

It tells its layers on a descriptor of its own before anything else runs, a line each.
"""

import ctypes
import fcntl
import os
import resource

from grader.worker import confine, seccomp
from grader.worker.own import *
from grader.worker.program_filter import program_filter

TOLD_AT = 3
"""The descriptor on which the layers are reported, or why the program could not be started."""

_TAKE_TERMINAL = 0x540E
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
_SETTINGS = (
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
    "/etc/ssl/openssl.cnf",
)  # fmt: skip
_KERNEL = (
    "/dev/urandom", "/dev/random", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
    "/proc/version", "/proc/sys/vm", "/proc/sys/kernel", "/sys/devices/system/cpu", "/sys/fs/cgroup",
    "/sys/kernel/mm",
)  # fmt: skip
"""What a virtual machine asks about the machine it is on."""


def main(settings: dict[str, Any]) -> None:
    """Become the program."""
    os.set_inheritable(TOLD_AT, False)
    too_many = confine.unexpected((0, 1, 2, TOLD_AT))
    if too_many:
        _tell("failed", too_many)
        os._exit(127)
    _tell("descriptors", "")
    if settings["terminal"]:
        fcntl.ioctl(0, _TAKE_TERMINAL, 0)
    os.chdir(settings["folder"])
    for group in settings["groups"]:
        _enter(group)
    for layer, why_off in confined(settings).items():
        _tell(layer, why_off)
    command = settings["command"]
    if not command:
        return
    try:
        os.execvpe(command[0], command, settings["environment"])
    except OSError as error:
        _tell("failed", f"{command[0]}: {error.strerror}")
        os._exit(127)


def _enter(group: str) -> None:
    """Go into a control group; without it the other limits hold."""
    try:
        entrance = os.open(group, os.O_WRONLY)
        os.write(entrance, b"0")
        os.close(entrance)
    except OSError:
        return


def confined(settings: dict[str, Any]) -> dict[str, str]:
    """Confine this process, and so what it becomes; return each layer with why it is off, or nothing."""
    libc = ctypes.CDLL(None, use_errno=True)
    privileges = confine.drop_privileges(libc)
    limits = confine.limit(
        {
            resource.RLIMIT_CPU: settings["cpu_seconds"],
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: settings["file_bytes"],
            resource.RLIMIT_NOFILE: 512,
            resource.RLIMIT_NPROC: settings["processes"],
            **({resource.RLIMIT_AS: settings["memory_mb"] << 20} if settings["memory_mb"] else {}),
        }
    )
    version = confine.known_version(libc, settings["landlock"])
    files = confine.restrict(libc, grants(settings), version)
    files = files or confine.open_paths("/etc/passwd", settings["forbidden"])
    calls = (
        seccomp.restrict(libc, program_filter(version, sleeps=settings["sleeps"]))
        or confine.reach_others(libc, paths_are_guarded=version >= confine.GUARDS_TRUNCATE)
        or _try_priorities(libc)
    )
    return {"limits": limits, "privileges": privileges, "files": files, "system calls": calls}


def grants(settings: dict[str, Any]) -> list[tuple[str, int]]:
    """Return what may be read, run and written: the system's tools, and one private folder."""
    readable = (*_SETTINGS, *_KERNEL, *settings["readable"])
    granted = [(path, confine.RUN) for path in readable]
    granted += [(path, confine.LIST) for path in settings["listable"]]
    granted += [(path, confine.DEVICE) for path in _DEVICES]
    return [*granted, (settings["folder"], confine.OWN)]


def _try_priorities(libc: ctypes.CDLL) -> str:
    return "priorities can still be set" if libc.setpriority(0, 0, 0) == 0 else ""


def _tell(what: str, how: str) -> None:
    os.write(TOLD_AT, f"{what}\t{how}\n".encode())
