"""What goes back to the LMS: its own files filled in, or files made for it; and what to know about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.classroom import canvas, gradebook, sheet, worksheet
from grader.classroom.entries import shared
from grader.classroom.gradebook import Capped
from grader.classroom.matching import Matching
from grader.classroom.records import Record
from grader.classroom.sheet import Sheet
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


def forms(moodle: Path | None, export: Path | None, assignment: str | None, rubric: Rubric) -> Forms:
    """Return the downloaded files; raise UserError early for what cannot be filled in."""
    found = Forms(sheet.read(moodle) if moodle else None, sheet.read(export) if export else None, assignment)
    if found.moodle:
        worksheet.check(found.moodle, rubric)
    if found.canvas:
        canvas.fill(found.canvas, (), rubric, assignment)
    return found


def returned(given: Forms, records: Sequence[Record], comments: Sequence[str], rubric: Rubric) -> Returned:
    """Return everything that goes back."""
    full = rubric.scale_to or rubric.points
    files = {"gradebook.csv": gradebook.gradebook(records, rubric)}
    in_canvas, in_moodle = _apart(records, "Canvas"), _apart(records, "Moodle")
    notes = [*in_canvas.notes, *in_moodle.notes]
    if given.canvas:
        filled = canvas.fill(given.canvas, records, rubric, given.assignment, in_canvas.keys)
        files["canvas.csv"] = filled.text
        notes += _who(filled.matching, "canvas.csv", 0)
    else:
        files["canvas.csv"] = gradebook.canvas(records, rubric, given.assignment, in_canvas.keys)
    if given.moodle:
        sheet_filled = worksheet.fill(given.moodle, records, comments, rubric, in_moodle.keys)
        files["moodle.csv"] = sheet_filled.text
        untold = sheet_filled.columns.comment is None
        notes += _ended(sheet_filled.capped, untold=untold)
        notes += ["moodle.csv has no column for comments, so no student reads one."] * untold
        notes += _locked(sheet_filled.locked)
        notes += _who(sheet_filled.matching, "moodle.csv", sheet_filled.columns.name)
    else:
        files["moodle.csv"] = gradebook.moodle(records, comments, full, in_moodle.keys)
        notes += _ended(gradebook.capped([one for one in records if one.key not in in_moodle.keys], full))
    without = [one.student for one in records if gradebook.final(one) is None]
    notes += [f"No grade goes back for: {_listed(without)}"] if without else []
    return Returned(files, tuple(notes))


@dataclass(frozen=True)
class _Apart:
    """Hand-ins that an LMS would take for one student's: their keys, and a sentence about each number."""

    keys: frozenset[str]
    notes: tuple[str, ...]


def _apart(records: Sequence[Record], lms: str) -> _Apart:
    """Return those who have one number in an LMS with somebody else: no grade goes there by itself."""
    found = shared(records, lms)
    file = f"{lms.lower()}.csv"
    return _Apart(
        frozenset(one.key for _, ones in found for one in ones),
        tuple(
            f"{len(ones)} hand-ins have the number {known} in {lms}, so {file} has a grade for none of them; "
            f"look who is who: {_listed(f'{one.student} ({one.submission})' for one in ones)}"
            for known, ones in found
        ),
    )


def _ended(capped: Sequence[Capped], *, untold: bool = False) -> list[str]:
    """Return whose grade ends at the maximum in Moodle, which would leave it out otherwise."""
    if not capped:
        return []
    names = _listed(f"{one.student} ({number(one.grade)})" for one in capped)
    maximum = number(capped[0].maximum)
    said = "nothing there says what is above" if untold else "the comment says what is above"
    return [f"In moodle.csv these grades end at {maximum}, and {said}: {names}"]


def _locked(students: Sequence[str]) -> list[str]:
    return [f"Locked in Moodle, which leaves these grades out: {_listed(students)}"] if students else []


def _who(matching: Matching, file: str, name: int) -> list[str]:
    """Return who handed in nothing, whose grade has no row to go to, and who may be meant more than once."""
    nothing = [row[name] for row in matching.alone]
    notes = (
        [f"In {file}, but handed in nothing, and left as they were: {_listed(nothing)}"] if nothing else []
    )
    missing = [record.student for record in matching.left]
    notes += [f"Graded, but not in {file}: {_listed(missing)}"] if missing else []
    unsure = [row[name] for row in matching.unsure_rows] + [one.student for one in matching.unsure]
    if unsure:
        who = _listed(dict.fromkeys(unsure))
        notes.append(
            f"More than one row of {file} or more than one file fits, so fill these in yourself: {who}"
        )
    return notes


def _listed(names: Iterable[str]) -> str:
    return "; ".join(map(printable, names)) + "."
