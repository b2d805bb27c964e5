"""What this system lacks of what the grader uses, and what is used instead: no other module asks for it.

Linux has all of it. macOS lacks the layers of the sandbox, Windows also Unix's processes and file names.
"""

import os
import stat
import sys
from importlib import import_module
from typing import Final

IS_LINUX: Final = sys.platform == "linux" and hasattr(os, "fork")
"""Whether workers can be forked and programs confined."""

HAS_WINDOWS_FILES = os.name == "nt"
"""Whether some names cannot be given to files, and an open file cannot be replaced; tests set this."""

_UNIX: Final = ("killpg", "waitid", "set_blocking", "getuid")
"""What a worker's process needs of `os`, beside the modules."""

_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_MODULES: Final = ("fcntl", "resource")
_PORTS: Final = (f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³")
_RESERVED: Final = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS))
_NO_NAME: Final = str.maketrans(dict.fromkeys('<>:"|?*\\', "_") | dict.fromkeys(range(32), "_"))


def lacks_workers() -> list[str]:
    """Return what is missing here for a submission in a process of its own; nothing on Linux and macOS."""
    missing = [f"os.{name}" for name in _UNIX if not hasattr(os, name)]
    for name in _MODULES:
        try:
            import_module(name)
        except ModuleNotFoundError:
            missing.append(name)
    return missing


def user() -> str:
    """Return the number of the user on this machine, or the name where there are no numbers."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")


def is_mine(found: os.stat_result, *, alone: bool = False) -> bool:
    """Return whether a file is this user's; `alone`: whether nobody but this user and root may write to it.

    Where a file has no owner, the system guards the folders of each user, that of temporary files too.
    """
    if not hasattr(os, "getuid"):
        return True
    if alone:
        return found.st_uid in (os.getuid(), 0) and not found.st_mode & _OTHERS_MAY_WRITE
    return found.st_uid == os.getuid()


def is_running(process: int) -> bool | None:
    """Return whether there is such a process, whoever it belongs to; None where nobody can ask."""
    if not hasattr(os, "getuid"):  # Windows: os.kill ends a process, whatever the signal
        return None
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def crowd() -> float:
    """Return how many want each processor of this machine: on a busy one everything takes longer."""
    if not hasattr(os, "getloadavg"):
        return 1.0
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def is_reserved(name: str) -> bool:
    """Return whether Windows takes a name, whatever its suffix, for a device."""
    return name.partition(".")[0].rstrip(" ").casefold() in _RESERVED


def file_name(name: str) -> str:
    """Return a name that a file can have here: on Windows some characters, ends and names are replaced."""
    if not HAS_WINDOWS_FILES:
        return name
    name = name.translate(_NO_NAME)
    stem = name.rstrip(". ")
    name = stem + "_" * (len(name) - len(stem))
    return f"_{name}" if is_reserved(name) else name
