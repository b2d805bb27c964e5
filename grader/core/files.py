"""Files that are written for somebody: whole at every moment, or a sentence on why not."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from grader.core import system
from grader.core.errors import UserError
from grader.core.messages import _

PART: Final = ".part"
"""How a file ends that is being written."""

_TRIES: Final = 20
_PAUSE: Final = 0.1
"""Where an open file cannot be replaced: how often that is tried, and the seconds between."""

_SILENT: Final = 5.0
"""Seconds to wait for a lock before a sentence says so."""

_FOREVER: Final = 1_000_000_000
"""Milliseconds to wait for it then."""


def write(file: Path, text: str | bytes, *, durable: bool = False, into_new: bool = False) -> None:
    """Write a file so that it is whole at every moment, unless it says so already.

    One that is durable is on the disk then, even if the power goes. Its folder may be a new one.
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
                _keep_name(file.parent)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(_not_written(error), file=file) from None


def _replace(name: str, file: Path) -> None:
    """Put a file in the place of another; where that cannot be done while it is read, wait for the reader."""
    for _try in range(_TRIES if system.HAS_WINDOWS_FILES else 1):
        try:
            os.replace(name, file)  # noqa: PTH105
            return
        except PermissionError as error:
            denied = error
            time.sleep(_PAUSE if system.HAS_WINDOWS_FILES else 0)
    raise denied


def _not_written(error: OSError) -> str:
    """Return why a file cannot be written, and what to do, if that is known."""
    if system.HAS_WINDOWS_FILES and isinstance(error, PermissionError):
        return _(
            "cannot be written: {strerror}; close the program in which it is open", strerror=error.strerror
        )
    return _("cannot be written: {strerror}", strerror=error.strerror)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep other processes from whatever takes the same lock; it ends with this process at the latest.

    SQLite locks a file on every system; nothing is written into it. A process that waits says so on stderr.
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
                told = _("waiting for another process of the grader that has locked {file}", file=file)
                print(told, file=sys.stderr)
                connection.execute(f"PRAGMA busy_timeout={_FOREVER}")
                lock()
        except sqlite3.Error as error:
            raise UserError(_("cannot be locked: {error}", error=error), file=file) from None
        yield


def _keep_name(folder: Path) -> None:
    """See to it that the names in a folder are on the disk, where a disk knows such a thing."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
