"""Files that are written for somebody: whole at every moment, or a sentence on why not."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.errors import UserError

PART: Final = ".part"
"""How a file ends that is being written."""


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
            os.replace(name, file)  # noqa: PTH105
            if durable:
                _keep_name(file.parent)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=file) from None


def _keep_name(folder: Path) -> None:
    """See to it that the names in a folder are on the disk, where a disk knows such a thing."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
