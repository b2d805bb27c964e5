"""Differences between operating systems, and files that are locked or written as a whole.

No other module asks which system it runs on. Linux has all that the grader uses; macOS lacks the layers of
the sandbox, Windows also Unix's processes and file names.
"""

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Final

from grader.core.errors import UserError
from grader.core.messages import _, later

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
    """Return whether a process exists, of any user; None where the system cannot be asked."""
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
    """Return the load per processor, at least 1: by that factor everything takes longer."""
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


PART: Final = ".part"
"""How a file ends that is being written."""

_TRIES: Final = 20
_PAUSE: Final = 0.1
"""Where an open file cannot be replaced: how often that is tried, and the seconds between."""

_SILENT: Final = 5.0  # seconds to wait for a lock before a message about it
_FOREVER: Final = 1_000_000_000  # milliseconds to wait for it then


def write(file: Path, text: str | bytes, *, durable: bool = False, into_new: bool = False) -> None:
    """Write a file atomically, unless it has this content already.

    If `durable`, it is on the disk on return; if `into_new`, its folder is made.
    """
    raw = text.encode("utf-8") if isinstance(text, str) else text
    try:
        if file.exists() and not file.is_file():  # a terminal or a pipe: there is nothing to put in its place
            file.write_bytes(raw)
            return
        if file.is_file() and file.read_bytes() == raw:
            return
        if into_new:
            file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=PART)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(raw)
                stream.flush()
                if durable:
                    os.fsync(stream.fileno())
            os.chmod(name, 0o644)  # noqa: PTH101 - a temporary file is its owner's alone otherwise
            _replace(name, file)
            if durable:
                _sync_folder(file.parent)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        sentence = later("cannot be written: {strerror}")
        if HAS_WINDOWS_FILES and isinstance(error, PermissionError):
            sentence = later("cannot be written: {strerror}; close the program in which it is open")
        raise UserError(_(sentence, strerror=error.strerror), file=file) from None


def _replace(name: str, file: Path) -> None:
    """Put a file in the place of another; where that cannot be done while it is read, wait for the reader."""
    for _try in range(_TRIES if HAS_WINDOWS_FILES else 1):
        try:
            os.replace(name, file)  # noqa: PTH105
            return
        except PermissionError as error:
            denied = error
            time.sleep(_PAUSE if HAS_WINDOWS_FILES else 0)
    raise denied


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Context manager for a lock between processes; it ends with this process at the latest.

    SQLite locks a file on every system; nothing is written into it. A waiting process says so on stderr.
    """
    import sqlite3  # marking and the WebAssembly sandbox need it

    def lock() -> None:
        connection.execute("PRAGMA journal_mode=OFF")  # else a second file comes and goes
        connection.execute("BEGIN EXCLUSIVE")

    with ExitStack() as stack:
        try:
            connection = sqlite3.connect(file, timeout=_SILENT, isolation_level=None)
            stack.enter_context(closing(connection))
            try:
                lock()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                message = _("waiting for another process of the grader that has locked {file}", file=file)
                print(message, file=sys.stderr)
                connection.execute(f"PRAGMA busy_timeout={_FOREVER}")
                lock()
        except sqlite3.Error as error:
            raise UserError(_("cannot be locked: {error}", error=error), file=file) from None
        yield


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
