"""Writes a pack: a folder that was not there before, or a zip for the place that takes one."""

import io
import zipfile
from pathlib import Path
from typing import Final

from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.course.whole import Files, mode, write
from grader.places.material import Material
from grader.places.names import FOR_PROGRAMS
from grader.places.packers import PACKERS

_ZIPPED: Final = "gradescope"
_LIMIT: Final = {"classroom50": 10_000_000}
"""What a place takes at most, in bytes, packed."""


def pack(place: str, given: Material, out: Path) -> list[str]:
    """Write everything that a place needs; return the names of the files, the grader's own left out."""
    refuse(place, out)
    files = PACKERS[place](given)
    limit = _LIMIT.get(place)
    if limit and len(zipped(files)) > limit:
        raise UserError(f"the pack has more than the {limit / 1e6:g} MB that {place} takes: leave files out")
    try:
        if place == _ZIPPED:
            out.write_bytes(zipped(files))
        else:
            write(files, out)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(error.filename or out)) from None
    return sorted(name for name in files if not name.startswith("lib/"))


def refuse(place: str, out: Path) -> None:
    """Raise UserError if something is there already, or nothing can be written there."""
    there = any(out.iterdir()) if out.is_dir() else out.exists()
    if there:
        raise UserError("is there already, and is not overwritten: name a new one", file=out)
    if place == _ZIPPED and (out.suffix != ".zip" or out.is_dir()):
        raise UserError(f"{place} takes a zip: name a file that ends in .zip", file=out)
    if place == _ZIPPED and not out.resolve().parent.is_dir():
        raise UserError("no such folder to write to", file=out)


def refuse_kind(place: str, rubric: Rubric) -> None:
    """Raise UserError for a place that cannot grade what is handed in by a rubric."""
    if rubric.kind == "program" and place not in FOR_PROGRAMS:
        raise UserError(
            f"{place} hands over one Python file and has no compilers, so no program can be graded there: "
            f"pack for {', '.join(FOR_PROGRAMS)}"
        )


def zipped(files: Files) -> bytes:
    """Return the files as a zip, those that are run with leave to be."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo(name)
            about.external_attr = (0o100000 | mode(content)) << 16
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
