"""What goes back to the LMS: CSV files that it imports as they are. Pure: lines go in, text comes out."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from grader.classroom.records import Record
from grader.classroom.sheet import csv_text
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.report.text import number
from grader.report.words import COMMENTS, comments_of, that_is

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_CANVAS_COLUMNS: Final = ("SIS User ID", "SIS Login ID", "Section")
"""What Canvas's importer finds by its position, after the student's name and number."""


@dataclass(frozen=True)
class Capped:
    """Somebody whose grade is above what an LMS takes."""

    student: str
    grade: float
    maximum: float


def gradebook(records: Iterable[Record], rubric: Rubric) -> str:
    """Return a line for each student with every score."""
    criteria = [criterion.id for criterion in rubric.all_criteria()]
    late = ["late"] if rubric.late else []
    numbers = ("total", "score", "points", "bonus", "scaled", *(["final"] if rubric.rounding else []))
    header = ["submission", "student", *numbers, *criteria, *late, "status", "mistakes"]
    rows = [
        [
            safe(one.submission),
            safe(one.student),
            *(_points(getattr(one.grade, name, None)) for name in numbers),
            *(_points(one.judged(name)) for name in criteria),
            *(_points(one.taken_off and -one.taken_off) for _ in late),
            status(one),
            safe("; ".join([one.unrun] if one.unrun else one.mistakes).replace("\n", " / ")),
        ]
        for one in records
    ]
    return csv_text([header, *rows])


def canvas(records: Iterable[Record], rubric: Rubric, assignment: str | None) -> str:
    """Return the file that Canvas imports; the assignment is its number, or is found by its title."""
    title = f"{safe(rubric.title)} ({assignment})" if assignment else safe(rubric.title)
    rows = [["Student", "ID", *_CANVAS_COLUMNS, title]]
    rows.append(["    Points Possible", "", "", "", "", _points(rubric.scale_to or rubric.points)])
    for one in records:
        ids = [safe(one.ids.get(name, "")) for name in _CANVAS_COLUMNS]
        known = one.ids.get("canvas") or one.ids.get("ID", "")
        rows.append([safe(one.student), safe(known), *ids, _points(final(one))])
    return csv_text(rows)


def moodle(records: Iterable[Record], feedback: Iterable[str], maximum: float) -> str:
    """Return the grading worksheet that Moodle imports; of a grade above the maximum the comment tells."""
    rows = [["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]]
    for one, text in zip(records, feedback, strict=True):
        participant = one.ids.get("moodle")
        known = f"Participant {participant}" if participant else one.ids.get("Identifier", "")
        grade, comments = final(one), [text]
        if grade is not None and grade > maximum:
            comments.append(above(grade, maximum))
            grade = maximum
        rows.append([safe(known), safe(one.student), _points(grade), "-", safe(as_html(" ".join(comments)))])
    return csv_text(rows)


def capped(records: Iterable[Record], maximum: float) -> tuple[Capped, ...]:
    """Return whose grade is above the maximum."""
    graded = ((one, final(one)) for one in records)
    return tuple(Capped(one.student, grade, maximum) for one, grade in graded if grade and grade > maximum)


def refuse_maximum(file: Path, maximum: float, told: str, rubric: Rubric) -> None:
    """Raise UserError for an LMS's file whose maximum, in these words, is not what the rubric gives."""
    full = rubric.scale_to or rubric.points
    with_bonus = full * (1 + sum(one.points for one in rubric.bonus) / rubric.points)
    if not full <= maximum <= with_bonus:
        raise UserError(
            f"has {told}, but the rubric gives {number(full)}: "
            f"say 'scale_to: {number(maximum)}' in the rubric, or change the assignment",
            file=file,
        )


def above(grade: float, maximum: float) -> str:
    """Return the sentence about what is above the maximum."""
    return f"Moodle's maximum is {number(maximum)}, so {number(maximum)} of {number(grade)} is recorded."


def is_withheld(record: Record, rubric: Rubric) -> bool:
    """Return whether a grade stays here until a person has judged the rest of it."""
    return rubric.release == "when_marked" and bool(record.provisional)


def status(record: Record) -> str:
    """Return what became of a submission, in a word or two."""
    words = [record.status.replace("_", " ")]
    words += ["fails to run"] if record.unrun else []
    words += ["late"] if record.late else []
    words += ["adjusted"] if record.adjusted else []
    words += ["provisional"] if record.provisional else []
    return ", ".join(words)


def comment(record: Record) -> str:
    """Return a student's result in a few sentences, and what a person says of it."""
    said = comments_of((record.grade or record).comments, ())
    by_person = [f"{COMMENTS}: {'; '.join(said)}."] if said else []
    if record.grade is None:
        why = record.why if record.status == "not_graded" else "The grader failed; a person will look at it."
        return " ".join([why, *by_person])
    lost = [
        f"{name} {number(one.score)} of {number(one.points)}"
        for name, one in record.criteria.items()
        if one.score < one.points and not (one.bonus or one.by_hand or one.marked_by or one.unjudged)
    ]
    sentences = [record.provisional] if record.provisional else []
    sentences += [
        f"{number(record.grade.total)} of {number(record.grade.points)} points{that_is(record.grade)}."
    ]
    sentences += [record.unrun] if record.unrun else []
    sentences += [f"Points were lost here: {', '.join(lost)}."] if lost and not record.unrun else []
    sentences += [f"Could not be judged: {', '.join(record.unjudged)}."] if record.unjudged else []
    if record.mistakes and record.grade.show_mistakes and not record.unrun:
        sentences.append(f"Mistakes: {'; '.join(record.mistakes)}.")
    sentences += [one.text for one in record.grade.deductions if one.late]
    sentences += [f"{one}." for one in record.grade.decisions]
    sentences += by_person
    sentences += [f"Your request was answered: {one.answer}" for one in record.grade.answers]
    return " ".join(sentences)


def safe(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_html(text: str) -> str:
    """Return text as Moodle shows it, which takes a comment for HTML."""
    return escape(text, quote=False).replace("\n", "<br>")


def final(record: Record) -> float | None:
    """Return the number that goes into the LMS: none where the grader failed and no person has decided."""
    return record.grade.final if record.grade and record.total is not None else None


def _points(value: float | None) -> str:
    """Return a number of points; nothing where there is none: a zero is a grade."""
    return "" if value is None else number(value)
