"""Feedback that goes back as one zip, in the forms in which Moodle and Canvas know whose a file is.

Moodle reads folders, `Name_NUMBER_assignfeedback_file_/`, where NUMBER is the assignment's own number of a
participant; Canvas reads file names, `name_USER_ATTACHMENT_...`, with both numbers of its download.
"""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from grader.core.text import printable

_MOODLE: Final = re.compile(r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assign(submission|feedback)_[a-z]+(_|\Z)", re.S)
_CANVAS: Final = re.compile(r"\A(?P<head>[^_]+(_LATE)?_(?P<id>[0-9]+)_[0-9]+)_.", re.S)
_WHEN: Final = (2000, 1, 1, 0, 0, 0)
"""The time of every file in it: equal feedback makes an equal zip."""

Feedback = tuple[str, str, str, tuple[str, str] | None, dict[str, bytes]]
"""A student's key, name and submission as the download calls it; the name and the number that Moodle's
worksheet has; and the files by how their names end."""


@dataclass(frozen=True)
class Packed:
    """The zip, and whom no LMS would find in it, in a sentence."""

    content: bytes
    notes: tuple[str, ...]


def feedback_zip(students: Iterable[Feedback]) -> Packed:
    """Return everybody's feedback in one zip.

    Who cannot be matched has a folder of the own name, and so has whoever an LMS would take for another.
    """
    everybody = list(students)
    places = [_place(submission, participant) for _, _, submission, participant, _ in everybody]
    having = Counter(who for who, _ in filter(None, places))
    stream, unknown = io.BytesIO(), []
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for (key, student, _, _, files), place in zip(everybody, places, strict=True):
            is_known = place is not None and having[place[0]] == 1
            unknown += [] if is_known else [student]
            begins = place[1] if place and is_known else f"{_bare(key)}/"
            for end, content in files.items():
                info = zipfile.ZipInfo(f"{begins}feedback{end}", _WHEN)
                packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    if not unknown or not any(places):  # a class of no LMS has nobody to be missed there
        return Packed(stream.getvalue(), ())
    names = "; ".join(map(printable, unknown))
    note = f"In feedback.zip, but under no name that Moodle or Canvas knows, which leave these out: {names}."
    return Packed(stream.getvalue(), (note,))


def _place(submission: str, participant: tuple[str, str] | None) -> tuple[str, str] | None:
    """Return whom an LMS takes a student for, and how the names of the files begin that tell it so."""
    canvas, moodle = _CANVAS.match(submission), _MOODLE.match(submission)
    if participant is None and moodle:
        participant = moodle["name"], moodle["id"]
    if participant:
        name, number = participant
        return f"Moodle {int(number)}", f"{_bare(name)}_{number}_assignfeedback_file_/"
    return (f"Canvas {int(canvas['id'])}", f"{canvas['head']}_") if canvas else None


def _bare(name: str) -> str:
    """Return a name in which nothing ends a folder or moves Moodle's pieces, and that is not ignored."""
    return re.sub(r"[\\/:*?\"<>|_\x00-\x1f]+", " ", name).strip(" .~") or "unnamed"
