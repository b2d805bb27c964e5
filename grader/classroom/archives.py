"""Archives from strangers: unpacked member by member; what is wrong with one is told, not followed."""

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

SUFFIXES: Final = (".zip", ".tar.gz", ".tgz", ".tar")
_WANTED: Final = (".py", ".yml", ".csv", *SUFFIXES)
_LONGEST_NAME: Final = 200
_CHUNK: Final = 65_536


@dataclass(frozen=True)
class Bounds:
    """How much an archive may hold: so that no archive eats the machine."""

    members: int = 20_000
    file_bytes: int = 5_000_000
    total_bytes: int = 500_000_000
    ratio: int = 200


BOUNDS: Final = Bounds()


@dataclass(frozen=True)
class Refused:
    """A member that was not unpacked, and why. Without a member the archive itself is at fault."""

    member: str
    why: str


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    packed: int
    why: str
    open: Callable[[], IO[bytes] | None]


class _Stop(Exception):
    """Nothing more of this archive is to be read."""


def is_archive(path: Path) -> bool:
    """Return whether a file is named like an archive that can be unpacked."""
    return path.name.lower().endswith(SUFFIXES)


def stem(name: str) -> str:
    """Return an archive's name without its suffix."""
    lowered = name.lower()
    suffix = next((suffix for suffix in SUFFIXES if lowered.endswith(suffix)), "")
    return name[: len(name) - len(suffix)]


def unpack(archive: Path, target: Path, bounds: Bounds = BOUNDS) -> list[Refused]:
    """Unpack what grading may need of an archive below a new folder; return what was refused."""
    target.mkdir(parents=True, exist_ok=True)
    refused: list[Refused] = []
    total = 0
    try:
        for count, member in enumerate(_members(archive)):
            if count >= bounds.members:
                raise _Stop(f"it holds more than {bounds.members:,} files")
            why = member.why or _odd_name(member.name) or _too_large(member, bounds)
            if total + member.size > bounds.total_bytes:
                raise _Stop(f"it holds more than {bounds.total_bytes / 1e6:g} MB")
            if why:
                refused.append(Refused(member.name, why))
            elif member.name.lower().endswith(_WANTED):
                total += _copy(member, target / member.name, bounds)
    except _Stop as stop:
        refused.append(Refused("", f"{stop}; the rest of the archive is not read"))
    except (OSError, EOFError, RuntimeError, ValueError, NotImplementedError) as error:
        refused.append(Refused("", f"it cannot be read: {error}"))
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error) as error:
        refused.append(Refused("", f"it is damaged: {error}"))
    return refused


def _members(archive: Path) -> Iterator[_Member]:
    if archive.name.lower().endswith(".zip"):
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                if not info.is_dir():
                    yield _Member(
                        info.filename,
                        info.file_size,
                        info.compress_size,
                        _zip_fault(info),
                        _opener(packed, info),
                    )
    else:
        size = archive.stat().st_size
        with tarfile.open(archive, "r:*") as tape:
            for item in tape:
                if not item.isdir():
                    why = "" if item.isreg() else "it is a link or a device, not a file"
                    yield _Member(item.name, item.size, size, why, _tape_opener(tape, item))


def _opener(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: packed.open(info)


def _tape_opener(tape: tarfile.TarFile, item: tarfile.TarInfo) -> Callable[[], IO[bytes] | None]:
    return lambda: tape.extractfile(item)


def _zip_fault(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link or a device, not a file"
    return ""


def _odd_name(name: str) -> str:
    """Return why a name cannot be that of a file below the target, or nothing."""
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or "\\" in name or (len(name) > 1 and name[1] == ":"):
        return "its name leads out of the archive"
    if not parts or not name.isprintable() or any(len(part.encode()) > _LONGEST_NAME for part in parts):
        return "its name cannot be used"
    return ""


def _too_large(member: _Member, bounds: Bounds) -> str:
    if member.size > bounds.file_bytes and member.name.lower().endswith(_WANTED):
        return (
            f"it unpacks to {member.size / 1e6:.1f} MB; at most {bounds.file_bytes / 1e6:g} MB are unpacked"
        )
    if member.size > 100_000 and member.size > bounds.ratio * max(1, member.packed):
        return f"it unpacks to more than {bounds.ratio} times its size"
    return ""


def _copy(member: _Member, to: Path, bounds: Bounds) -> int:
    """Write a member to a file; what it says about its size is not believed."""
    if to.exists():
        raise _Stop(f"two members are named {member.name}")
    to.parent.mkdir(parents=True, exist_ok=True)
    stream, written = member.open(), 0
    assert stream
    try:
        with stream, to.open("wb") as out:
            while part := stream.read(_CHUNK):
                written += len(part)
                if written > min(bounds.file_bytes, member.size):
                    raise _Stop(f"{member.name} holds more than it says")
                out.write(part)
    except BaseException:
        to.unlink()
        raise
    return written
