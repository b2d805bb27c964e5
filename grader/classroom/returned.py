"""What goes back to the LMS: its own files filled in, or files made for it; and what to know about them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from grader.classroom import canvas, gradebook, moodle, sheet
from grader.classroom.entries import shared
from grader.classroom.gradebook import Capped
from grader.classroom.records import Record
from grader.classroom.sheet import Matching, Sheet
from grader.core.course.rubric import Rubric
from grader.core.text import printable
from grader.report.text import number

NOTES: Final = "gradebooks.txt"
"""The file of notes; it is there only if there is something to know."""


@dataclass(frozen=True)
class Forms:
    """The files that were downloaded to be filled in, and which assignment is meant in Canvas."""

    moodle: Sheet | None = None
    canvas: Sheet | None = None
    assignment: str | None = None


@dataclass(frozen=True)
class Returned:
    """The files by name, and the notes, a sentence each."""

    files: dict[str, str]
    notes: tuple[str, ...]
    participants: dict[str, tuple[str, str]]
    """What Moodle's worksheet calls students, by their keys: the name, and the number in the assignment."""


def forms(worksheet: Path | None, export: Path | None, assignment: str | None, rubric: Rubric) -> Forms:
    """Return the downloaded files; raise UserError early for what cannot be filled in."""
    found = Forms(
        sheet.read(worksheet) if worksheet else None, sheet.read(export) if export else None, assignment
    )
    if found.moodle:
        moodle.check(found.moodle, rubric)
    if found.canvas:
        canvas.fill(found.canvas, (), rubric, assignment)
    return found


def returned(given: Forms, finals: Sequence[Record], rubric: Rubric) -> Returned:
    """Return everything that goes back."""
    full = rubric.scale_to or rubric.points
    files = {"gradebook.csv": gradebook.gradebook(finals, rubric)}
    records = [_withheld(one) if gradebook.is_withheld(one, rubric) else one for one in finals]
    comments = [gradebook.comment(one) for one in records]
    participants: dict[str, tuple[str, str]] = {}
    canvas_apart, notes = _apart(records, "Canvas")
    moodle_apart, in_moodle = _apart(records, "Moodle")
    notes += in_moodle
    if given.canvas:
        files["canvas.csv"], matching = canvas.fill(
            given.canvas, records, rubric, given.assignment, canvas_apart
        )
        notes += _who(matching, "canvas.csv", 0)
    else:
        files["canvas.csv"] = gradebook.canvas(_unknown(records, canvas_apart), rubric, given.assignment)
    if given.moodle:
        filled = moodle.fill(given.moodle, records, comments, rubric, moodle_apart)
        files["moodle.csv"] = filled.text
        participants = moodle.participants(given.moodle, filled)
        untold = filled.columns.comment is None
        notes += _ended(filled.capped, untold=untold)
        notes += ["moodle.csv has no column for comments, so no student reads one."] * untold
        notes += _about("Locked in Moodle, which leaves these grades out", filled.locked)
        notes += _who(filled.matching, "moodle.csv", filled.columns.name)
    else:
        known = _unknown(records, moodle_apart)
        said = ["" if one.key in moodle_apart else text for one, text in zip(records, comments, strict=True)]
        files["moodle.csv"] = gradebook.moodle(known, said, full)
        notes += _ended(gradebook.capped(known, full))
    without = [one.student for one in finals if gradebook.final(one) is None]
    notes += _about("No grade goes back for", without)
    waiting = [one.student for one in finals if one.provisional]
    if rubric.release == "when_marked":
        notes += _about("Withheld until a person has judged them (release: when_marked)", waiting)
    elif waiting:
        notes.append(
            f"Provisional: a person still judges a part of {len(waiting)} of {len(finals)} grades. "
            "moodle.csv and feedback.zip say so to students, canvas.csv cannot. "
            "'release: when_marked' in the rubric withholds these grades."
        )
    return Returned(files, tuple(notes), participants)


def _apart(records: Sequence[Record], lms: str) -> tuple[frozenset[str], list[str]]:
    """Return the keys of those whom an LMS would take for one, and a sentence on each number they share."""
    found, file = shared(records, lms), f"{lms.lower()}.csv"
    return frozenset(one.key for _, ones in found for one in ones), [
        f"{len(ones)} hand-ins have the number {known} in {lms}, so {file} has a grade for none of them; "
        f"look who is who: {_listed(f'{one.student} ({one.submission})' for one in ones)}"
        for known, ones in found
    ]


def _withheld(record: Record) -> Record:
    """Return a record without its grade, with the reason in the place of the comment."""
    why = "There is no grade yet: a person still judges a part of it."
    return replace(record, grade=None, status="not_graded", why=why)


def _unknown(records: Sequence[Record], apart: Collection[str]) -> list[Record]:
    """Return the records; those who stand apart have nothing that an LMS would know, and no grade."""
    return [replace(one, ids={}, grade=None) if one.key in apart else one for one in records]


def _ended(capped: Sequence[Capped], *, untold: bool = False) -> list[str]:
    """Return whose grade ends at the maximum in Moodle, which would leave it out otherwise."""
    if not capped:
        return []
    names = _listed(f"{one.student} ({number(one.grade)})" for one in capped)
    maximum = number(capped[0].maximum)
    said = "nothing there says what is above" if untold else "the comment says what is above"
    return [f"In moodle.csv these grades end at {maximum}, and {said}: {names}"]


def _who(matching: Matching[Record], file: str, name: int) -> list[str]:
    """Return who handed in nothing, whose grade has no row to go to, and who may be meant more than once."""
    nothing, missing = [row[name] for row in matching.alone], [one.student for one in matching.left]
    unsure = [row[name] for row in matching.unsure_rows] + [one.student for one in matching.unsure]
    several = f"More than one row of {file} or more than one file fits, so fill these in yourself"
    return [
        *_about(f"In {file}, but handed in nothing, and left as they were", nothing),
        *_about(f"Graded, but not in {file}", missing),
        *_about(several, dict.fromkeys(unsure)),
    ]


def _about(sentence: str, names: Collection[str]) -> list[str]:
    """Return a sentence with the names that it is about, if there are any."""
    return [f"{sentence}: {_listed(names)}"] if names else []


def _listed(names: Iterable[str]) -> str:
    return "; ".join(map(printable, names)) + "."
