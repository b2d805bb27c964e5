"""A pack opened to the last file: folders, zips, wheels, archives in them, and what a script carries at its end."""

import base64
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

_COURSE = b"\n__COURSE__\n"


def opened(pack: Path) -> dict[str, bytes]:
    """Return all that is in a pack, by path; what is inside of an archive has its path, too."""
    files = sorted(file for file in pack.rglob("*") if file.is_file()) if pack.is_dir() else [pack]
    return dict(
        inner for file in files for inner in _inside(str(file.relative_to(pack.parent)), file.read_bytes())
    )


def _inside(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, content
    for inner, text in _members(content):
        yield from _inside(f"{name}/{inner}", text)


def _members(content: bytes) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
    elif tarfile.is_tarfile(io.BytesIO(content)):
        with tarfile.open(fileobj=io.BytesIO(content)) as opened_tar:
            for about in opened_tar:
                member = opened_tar.extractfile(about)
                yield about.name, member.read() if member else b""
    elif _COURSE in content:
        packed = content.partition(_COURSE)[2].partition(b"\nVPL_EXECUTION")[0]
        yield "course.tar.gz", base64.b64decode(packed)
