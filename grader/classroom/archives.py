"""Archives from strangers: unpacked member by member; what is wrong with one is reported, not followed."""

import gzip
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from grader.core.course.submission import CLUTTER
from grader.core.messages import _
from grader.core.system import file_name

_CODINGS: Final = ("cp437", "cp850", "cp1252", "cp1250")
"""What the programs of Western machines write, the usual ones first."""

_RARE: Final = "ðþÐÞ"
_SAYS_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
"""The content in which some programs give a name in UTF-8 beside the other."""


def name_of(info: zipfile.ZipInfo) -> str:
    """Return the name of a member of a zip file."""
    name, extra = info.filename, info.extra
    if name.isascii() or info.flag_bits & _SAYS_UTF8:
        return name
    raw = name.encode("cp437")  # which is how the library has read it
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        content, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and len(content) > 5 and content[1:5] == struct.pack("<L", zlib.crc32(raw)):
            with suppress(UnicodeDecodeError):
                return content[5:].decode("utf-8")
    return decoded_name(raw)


def taped_name(name: str) -> str:
    """Return the name of a member of a tar file, whose bytes may be no UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return decoded_name(name.encode("utf-8", "surrogateescape"))
    return name


def decoded_name(raw: bytes) -> str:
    """Return bytes as text: UTF-8 if they are that, else in the coding with the fewest odd letters."""
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8")
    texts = []
    for coding in _CODINGS:
        with suppress(UnicodeDecodeError):
            texts.append(raw.decode(coding))
    return min(texts, key=_odd_letters, default=raw.decode("latin-1"))


def _odd_letters(text: str) -> tuple[int, int]:
    """Return how many characters nobody's name has, and how many hardly any name has there.

    The former are no Latin letters, or capitals after a small letter; the latter begin a name as small
    letters, or belong to a single language.
    """
    odd = rare = 0
    for before, char in zip(" " + text, text, strict=False):
        if not char.isascii():
            is_latin = unicodedata.name(char, "").startswith(("LATIN SMALL LETTER", "LATIN CAPITAL LETTER"))
            odd += not is_latin or (char.isupper() and before.islower())
            rare += char in _RARE or (char.islower() and not before.isalpha())
    return odd, rare


SUFFIXES: Final = (".zip", ".tar.gz", ".tgz", ".tar")
_WANTED: Final = (".py", ".ipynb", ".yml", ".csv", *SUFFIXES)
_BESIDE: Final = (".md", ".markdown", ".rst", ".txt", "readme")
"""Files that may belong to a submission: taken if they are small, and nobody's problem if not."""

_BESIDE_BYTES: Final = 200_000
_METADATA_BYTES: Final = 50_000_000
_LONGEST_NAME: Final = 200
_DEEPEST: Final = 40
_CHUNK: Final = 65_536


@dataclass(frozen=True)
class ArchiveBounds:
    """How much an archive may hold: so that no archive eats the machine."""

    members: int = 20_000
    file_bytes: int = 5_000_000
    total_bytes: int = 500_000_000
    ratio: int = 200


BOUNDS: Final = ArchiveBounds()


@dataclass(frozen=True)
class Refused:
    """A member that was not unpacked, and why. Without a member the archive itself is at fault."""

    member: str
    why: str
    needed: bool = True
    """Whether it may be what is graded; if not, it still shows that the student handed in something."""


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    packed: int
    why: str
    open: Callable[[], Any]
    is_folder: bool


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


def unpack(
    archive: Path, target: Path, bounds: ArchiveBounds = BOUNDS, *, everything: bool = False
) -> list[Refused]:
    """Unpack what grading may need of an archive below a new folder; return what of that was refused.

    With `everything` any small file may be needed. Of other files the name is kept, on an empty file: it
    shows which students handed in something.
    """
    target.mkdir(parents=True, exist_ok=True)
    refused: list[Refused] = []
    count = total = 0
    try:
        for member in _members(archive, bounds):
            if CLUTTER.intersection(PurePosixPath(member.name).parts):
                continue
            count += 1
            if count > bounds.members:
                raise _Stop(_("it holds more than {count:,} files", count=bounds.members))
            named = everything or member.name.lower().endswith(_BESIDE)
            beside = named and 0 < member.size <= _BESIDE_BYTES
            if member.is_folder or not (beside or member.name.lower().endswith(_WANTED)):
                why = _keep_name(member, target)
                refused += [Refused(member.name, why, needed=False)] if why else []
                continue
            why = member.why or _name_problem(member.name) or _size_problem(member, bounds)
            if not why and total + member.size > bounds.total_bytes:
                raise _Stop(_("it holds more than {size:g} MB", size=bounds.total_bytes / 1e6))
            why = why or _copy(member, _place(target, member.name))
            if why:
                refused.append(Refused(member.name, why, needed=not beside))
            else:
                total += member.size
    except _Stop as stop:
        refused.append(Refused("", _("{why}; the rest of the archive is not read", why=stop)))
    except Exception as error:  # the libraries raise what they like at a damaged archive
        refused.append(Refused("", _("it is damaged: {error}", error=str(error) or type(error).__name__)))
    return refused


def _members(archive: Path, bounds: ArchiveBounds) -> Iterator[_Member]:
    suffix = archive.name.lower().rpartition(".")[2]
    is_link = _("it is a link or a device, not a file")
    if suffix == "zip":
        with zipfile.ZipFile(archive) as packed:
            for info in packed.infolist():
                why = is_link if stat.S_ISLNK(info.external_attr >> 16) else ""
                why = _("it is encrypted") if info.flag_bits & 0x1 else why
                opener, sizes = partial(packed.open, info), (info.file_size, info.compress_size)
                yield _Member(name_of(info), *sizes, why, opener, info.is_dir())
        return
    size = archive.stat().st_size
    most = min(bounds.total_bytes, 10_000_000 + bounds.ratio * size)
    with archive.open("rb") as file:
        stream: Any = file if suffix == "tar" else gzip.GzipFile(fileobj=file)
        bounded: Any = _Bounded(stream, most)
        with tarfile.open(fileobj=bounded, mode="r|") as tape:
            for item in tape:
                why = "" if item.isreg() or item.isdir() else is_link
                extract = partial(tape.extractfile, item)
                yield _Member(taped_name(item.name), item.size, size, why, extract, item.isdir())


class _Bounded:
    """A stream that ends the reading when more comes out of it than can be meant."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._left = stream, most

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        part = self._stream.read(size)
        self._left -= len(part)
        if self._left < 0:
            raise _Stop(_("it unpacks to far more than its size"))
        return part


def _keep_name(member: _Member, target: Path) -> str:
    """Keep the name of a folder, or of a file that nobody needs; return why that cannot be, or nothing."""
    why = member.why or _name_problem(member.name)
    if not why:
        with suppress(OSError):
            place = _place(target, member.name)
            (place if member.is_folder else place.parent).mkdir(parents=True, exist_ok=True)
            if not member.is_folder:
                place.touch()
    return why


def _place(target: Path, name: str) -> Path:
    """Return where a member goes; on Windows under a name that a file can have there."""
    return target.joinpath(*map(file_name, PurePosixPath(name).parts))


def _name_problem(name: str) -> str:
    """Return why a name cannot be that of a file below the target, or nothing."""
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or "\\" in name or (len(name) > 1 and name[1] == ":"):
        return _("its name leads out of the archive")
    if len(parts) > _DEEPEST:
        return _("it lies more than {count} folders deep", count=_DEEPEST)
    if not parts or not name.isprintable() or any(len(part.encode()) > _LONGEST_NAME for part in parts):
        return _("its name cannot be used")
    return ""


def _size_problem(member: _Member, bounds: ArchiveBounds) -> str:
    if member.name.endswith("submission_metadata.yml"):  # Gradescope's holds the output of every test
        return "" if member.size <= _METADATA_BYTES else _("it is too large")
    if member.size > bounds.file_bytes:
        return _(
            "it unpacks to {size:.1f} MB; at most {most:g} MB are unpacked",
            size=member.size / 1e6,
            most=bounds.file_bytes / 1e6,
        )
    if member.size > 100_000 and member.size > bounds.ratio * max(1, member.packed):
        return _("it unpacks to more than {count} times its size", count=bounds.ratio)
    return ""


def _copy(member: _Member, to: Path) -> str:
    """Write a member to a file, and return why that cannot be done, or nothing. Its size is not believed."""
    if to.exists():
        return _("two members have this name")
    written = 0
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("wb") as out:
            stream = member.open()
            assert stream
            while part := stream.read(_CHUNK):
                written += len(part)
                if written > member.size:
                    raise ValueError(_("it holds more than it says"))
                out.write(part)
    except _Stop:
        to.unlink()
        raise
    except Exception as error:  # the libraries raise what they like at a damaged member
        with suppress(OSError):
            to.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else str(error)
        return _("it is damaged: {error}", error=why or type(error).__name__)
    return ""
