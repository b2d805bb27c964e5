"""Gradebooks: Moodle's worksheet, Canvas's export, and CSV files for other systems."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from grader.classroom.records import Record
from grader.classroom.sheet import Matching, Row, Sheet, Way, as_number, by_name, csv_text, known_by, matched
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.core.grade import Grade
from grader.core.messages import ENGLISH, _, clauses, in_language
from grader.core.values import without_accents
from grader.report.wording import COMMENTS, comments_of, decimal, in_scale, number

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
    rows = [["submission", "student", *numbers, *criteria, *late, "status", "mistakes"]]
    for record in records:
        points = [getattr(record.grade, name, None) for name in numbers]
        points += [record.judged(name) for name in criteria]
        points += [record.taken_off and -record.taken_off for _late in late]
        mistakes = "; ".join([record.unrun] if record.unrun else record.mistakes).replace("\n", " / ")
        with in_language(ENGLISH):  # programs read it
            known = [safe(record.submission), safe(record.student), *map(_points, points), status(record)]
        rows.append([*known, safe(mistakes)])
    return csv_text(rows)


def canvas(records: Iterable[Record], rubric: Rubric, assignment: str | None) -> str:
    """Return the file that Canvas imports; the assignment is its number, or is found by its title."""
    title = f"{safe(rubric.title)} ({assignment})" if assignment else safe(rubric.title)
    rows = [["Student", "ID", *_CANVAS_COLUMNS, title]]
    rows.append(["    Points Possible", "", "", "", "", _points(rubric.scale_to or rubric.points)])
    for record in records:
        known = record.ids.get("canvas") or record.ids.get("ID", "")
        ids = [known, *(record.ids.get(name, "") for name in _CANVAS_COLUMNS)]
        rows.append([*map(safe, (record.student, *ids)), _points(final(record))])
    return csv_text(rows)


def moodle(
    records: Iterable[Record], feedback: Iterable[str], maximum: float
) -> tuple[str, tuple[Capped, ...]]:
    """Return the grading worksheet that Moodle imports, and whose grade in it is above the maximum."""
    rows = [["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]]
    capped: list[Capped] = []
    for record, text in zip(records, feedback, strict=True):
        participant = record.ids.get("moodle")
        known = f"Participant {participant}" if participant else record.ids.get("Identifier", "")
        grade, comment = _capped(record, text, maximum, capped)
        rows.append([safe(known), safe(record.student), _points(grade), "-", safe(as_html(comment))])
    return csv_text(rows), tuple(capped)


def _capped(record: Record, comment: str, maximum: float, capped: list[Capped]) -> tuple[float | None, str]:
    """Return the grade that Moodle takes and the comment, which tells what is above the maximum.

    A grade above it is added to those that are capped.
    """
    grade = final(record)
    if grade is None or grade <= maximum:
        return grade, comment
    capped.append(Capped(record.student, grade, maximum))
    with in_language(record.language):
        about = {"maximum": number(maximum), "grade": number(grade)}
        above = _("Moodle's maximum is {maximum}, so {maximum} of {grade} is recorded.", **about)
    return maximum, f"{comment} {above}"


def refuse_maximum(file: Path, maximum: float, stated: str, rubric: Rubric) -> None:
    """Raise UserError for an LMS's file whose maximum, stated in a clause, is not the rubric's."""
    full = rubric.scale_to or rubric.points
    with_bonus = full * (1 + sum(criterion.points for criterion in rubric.bonus) / rubric.points)
    if not full <= maximum <= with_bonus:
        why = _(
            "{stated}, but the rubric gives {points}: "
            "say 'scale_to: {maximum}' in the rubric, or change the assignment",
            stated=stated,
            points=number(full),
            maximum=decimal(maximum),
        )
        raise UserError(why, file=file)


def is_withheld(record: Record, rubric: Rubric) -> bool:
    """Return whether a grade stays here until a person has judged the rest of it."""
    return rubric.release == "when_marked" and bool(record.provisional)


def status(record: Record) -> str:
    """Return what became of a submission, in a word or two."""
    words = [record.outcome]
    words += [_("fails to run")] if record.unrun else []
    words += [_("late")] if record.late else []
    words += [_("adjusted")] if record.adjusted else []
    words += [_("provisional")] if record.provisional else []
    return ", ".join(words)


def comment(record: Record) -> str:
    """Return a student's result in a few sentences for the student, and what a person says of it."""
    with in_language(record.language):
        said = comments_of((record.grade or record).comments, ())
        by_person = [f"{_(COMMENTS)}: {'; '.join(said)}."] if said else []
        if record.grade is None and record.status == "not_graded":
            return " ".join([record.why, *by_person])
        if record.grade is None:
            return " ".join([_("The grader failed; a person will look at it."), *by_person])
        return " ".join(_sentences(record, record.grade, by_person))


def _sentences(record: Record, grade: Grade, by_person: Sequence[str]) -> list[str]:
    about = {"total": number(grade.total), "points": number(grade.points), "scaled": in_scale(grade)}
    if about["scaled"]:
        total = _("{total} of {points} points, {scaled}.", **about)
    else:
        total = _("{total} of {points} points.", **about)
    sentences = [record.provisional, total] if record.provisional else [total]
    lost = []
    for name, found in record.criteria.items():
        is_decided = found.bonus or found.by_hand or found.marked_by or found.unjudged
        if found.score < found.points and not is_decided:
            earned = {"score": number(found.score), "points": number(found.points)}
            lost.append(_("{criterion} {score} of {points}", criterion=name, **earned))
    if record.unrun:
        sentences.append(record.unrun)
    elif lost:
        sentences.append(_("Points were lost here: {criteria}.", criteria=", ".join(lost)))
    if record.unjudged:
        sentences.append(_("Could not be judged: {criteria}.", criteria=", ".join(record.unjudged)))
    if record.mistakes and grade.show_mistakes and not record.unrun:
        sentences.append(_("Mistakes: {mistakes}.", mistakes=clauses(record.mistakes)))
    sentences += [deduction.text for deduction in grade.deductions if deduction.late]
    sentences += [f"{decision}." for decision in grade.decisions]
    sentences += by_person
    sentences += [_("Your request was answered: {answer}", answer=found.answer) for found in grade.answers]
    return sentences


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
    return "" if value is None else decimal(value)


_ASSIGNMENT: Final = re.compile(r"\A(?P<title>.*)\((?P<id>\d+)\)\s*+\Z")
_POSSIBLE: Final = "points possible"
_TEST_STUDENT: Final = "Student, Test"


def fill_canvas(
    sheet: Sheet, records: Sequence[Record], rubric: Rubric, wanted: str | None, apart: Collection[str] = ()
) -> tuple[str, Matching[Record]]:
    """Return the gradebook with everybody's grade, and the matching; a row without a grade keeps its cell."""
    own = _own_columns(sheet)
    column = _column(sheet, own, rubric, wanted)
    _hold_points(sheet, column, rubric)
    students = [at for at, row in enumerate(sheet.rows) if at and _is_student(row)]
    rows = [sheet.rows[at] for at in students]
    ways = [
        Way(lambda record: [record.ids.get("canvas", "")], lambda row: [row[1]], is_number=True),
        Way(known_by, lambda row: row[1:own]),
        *by_name(lambda row: [row[0]]),
    ]
    matching = matched(records, rows, ways, apart)
    grades = ((students[at], final(record)) for at, record in matching.of_row.items())
    shown = {at: decimal(grade) for at, grade in grades if grade is not None}
    filled = [(*row[:own], shown.get(at, row[column])) for at, row in enumerate(sheet.rows)]
    return sheet.text(filled), matching


def _own_columns(sheet: Sheet) -> int:
    """Return how many columns are about the students: they end with the section."""
    header = sheet.header
    first = next((at for at, name in enumerate(header) if _ASSIGNMENT.fullmatch(name)), len(header))
    section = [at for at in range(2, first) if "Section" in header[at]]
    if len(header) < 3 or "Student" not in header[0] or "ID" not in header[1] or not section:
        raise UserError(
            _(
                "is no gradebook of Canvas, which begins with Student, ID and ends these columns with "
                "Section: export it again (Grades, Export)"
            ),
            file=sheet.file,
            line=1,
        )
    return section[-1] + 1


def _column(sheet: Sheet, own: int, rubric: Rubric, wanted: str | None) -> int:
    """Return the assignment's column: by its number, by its title, or the only one that there is."""
    found = {
        at: (match["id"], match["title"].rstrip())
        for at, name in enumerate(sheet.header)
        if at >= own and (match := _ASSIGNMENT.fullmatch(name))
    }
    by_id = [at for at, (known, _title) in found.items() if known == wanted]
    title = (wanted or rubric.title).strip().casefold()
    by_title = [at for at, (_known, name) in found.items() if name.strip().casefold() == title]
    chosen = by_id or by_title or (list(found) if wanted is None else [])
    if len(chosen) == 1:
        return chosen[0]
    about = {"names": "; ".join(sheet.header[at] for at in found) or _("none"), "wanted": wanted}
    why = (
        _("has no assignment '{wanted}': say --canvas-id with a number of these: {names}", **about)
        if wanted and not chosen
        else _(
            "has not one assignment that is meant: say --canvas-id with a number of these: {names}", **about
        )
    )
    raise UserError(why, file=sheet.file, line=1)


def _hold_points(sheet: Sheet, column: int, rubric: Rubric) -> None:
    """Raise UserError for a column that cannot be filled, or is not worth what the rubric gives."""
    for row in sheet.rows[1:]:
        if _POSSIBLE not in row[0].casefold():
            continue
        if "read only" in row[column].casefold():
            why = _("has this assignment's column as read only: choose another one")
            raise UserError(why, file=sheet.file)
        possible = as_number(row[column])
        if possible is not None:
            stated = _("has {points} points possible", points=number(possible))
            refuse_maximum(sheet.file, possible, stated, rubric)


def _is_student(row: Row) -> bool:
    """Return whether a row is about somebody: not about points, and not Canvas's own test student."""
    about = row[0].strip()
    return bool(about) and _POSSIBLE not in about.casefold() and about != _TEST_STUDENT


_MODIFIED: Final = re.compile(r"\A.+\((?P<what>[^()]+)\)\s*+\Z")
_COMMENTS: Final = (
    "comment", "komment", "coment", "commento", "коммент", "комента", "opmerking", "palaute", "feedback",
    "retroalimenta", "ruckmeldung", "aterkoppling", "komentar", "コメント", "评语", "反馈", "意见",
)  # fmt: skip
"""Parts of what the column of comments is called, in Moodle's languages, without accents."""

_STATUS: Final = (
    "stat", "estad", "estat", "stan", "stav", "tila", "durum", "сост", "стат", "状", "ステータス",
)  # fmt: skip
"""How the word for status begins."""

_NO: Final = {
    "no", "nein", "non", "nao", "nee", "nej", "nei", "nie", "ne", "ei", "nem", "нет", "ні", "いいえ", "否",
}  # fmt: skip
"""What is said where a grade cannot be changed."""


@dataclass(frozen=True)
class Columns:
    """Where things stand in a worksheet; some may be missing."""

    identifier: int
    grade: int
    maximum: int | None
    comment: int | None
    identity: tuple[int, ...]
    """What names the student: the full name, and what else stands before the status, if any."""
    changeable: int | None
    """'Grade can be changed': it follows the maximum, and its name holds the word for the grade."""
    status: int | None = None
    submitted: int | None = None
    """When it was handed in."""

    @property
    def name(self) -> int:
        """The column to call somebody by: the full name, or the identifier where names are kept back."""
        return self.identity[0] if self.identity else self.identifier

    def locked(self, row: Row) -> bool:
        """Return whether a row says that its grade cannot be changed."""
        return self.changeable is not None and _normalized(row[self.changeable]) in _NO


def columns_of(sheet: Sheet) -> Columns:
    """Return where things stand; raise UserError for a file that is no worksheet."""
    header = [_normalized(name) for name in sheet.header]
    modified, grade = _graded(header)
    identifier = next((at for at in range(len(header)) if _identifies(sheet, at)), None)
    why = ""
    if grade is None:
        why = _(
            "is no grading worksheet of Moodle, for it has no column with 'Grade' and 'Last modified "
            "(grade)': download it again from the assignment (View all submissions, Download grading "
            "worksheet)"
        )
    elif identifier is None:
        why = _(
            "is no grading worksheet of Moodle, for it has no column with an identifier for each "
            "participant: download it again from the assignment (View all submissions, Download "
            "grading worksheet)"
        )
    if grade is None or identifier is None:
        raise UserError(why, file=sheet.file, line=1)
    status = next((at for at in range(identifier + 1, grade) if header[at].startswith(_STATUS)), None)
    dates = [at for at in range(grade + 1, modified) if _MODIFIED.fullmatch(header[at])]
    words = [at for at in range(grade + 2, modified) if header[grade] in header[at] and "(" not in header[at]]
    return Columns(
        identifier,
        grade,
        maximum=grade + 1 if grade + 1 < modified and grade + 1 not in dates else None,
        comment=_comments(sheet, header, modified),
        identity=tuple(range(identifier + 1, min(identifier + 2, grade) if status is None else status)),
        changeable=words[0] if words else None,
        status=status,
        submitted=dates[0] if dates else None,
    )


def _normalized(text: str) -> str:
    """Return a text in small letters, without accents."""
    return unicodedata.normalize("NFKC", without_accents(text.strip().casefold()))


def _graded(header: Sequence[str]) -> tuple[int, int | None]:
    """Return 'Last modified (grade)' and the column of grades.

    That one is called what stands in the brackets, or begins like it. Columns with brackets may follow, so
    the last that fits is meant.
    """
    bracketed = [
        (at, match["what"].strip()) for at, name in enumerate(header) if (match := _MODIFIED.fullmatch(name))
    ]
    for modified, word in reversed(bracketed):
        if word in header[:modified]:
            return modified, header.index(word)
    for modified, word in reversed(bracketed):
        alike = [at for at, name in enumerate(header[:modified]) if name[:3] == word[:3] and " " not in name]
        if alike:
            return modified, alike[0]
    return 0, None


def _identifies(sheet: Sheet, at: int) -> bool:
    """Return whether a column holds the participants' numbers: a word and a number in every row."""
    cells = [row[at] for row in sheet.rows[1:]]
    words = {cell.rstrip("0123456789").rstrip() for cell in cells}
    return len(words) == 1 and "" not in words and all(re.fullmatch(r"\A\D*+\d++", cell) for cell in cells)


def _comments(sheet: Sheet, header: Sequence[str], modified: int) -> int | None:
    """Return the column of comments: by its name, or the next one if it may hold text."""
    after = range(modified + 1, len(header))
    named = [at for at in after if any(part in header[at] for part in _COMMENTS)]
    if named or not after:
        return named[0] if named else None
    cells = [row[after[0]].strip() for row in sheet.rows[1:]]
    is_text = not any(cell and as_number(cell) is not None for cell in cells)
    return after[0] if is_text and not re.search(r"[(:]", header[after[0]]) else None


@dataclass(frozen=True)
class Filled:
    """A worksheet filled in, and what a person should know about it."""

    text: str
    capped: tuple[Capped, ...]
    matching: Matching[Record]
    columns: Columns
    locked: tuple[str, ...]
    """Whose grade goes into a row that Moodle will not change."""
    participants: dict[str, tuple[str, str]]
    """What the worksheet calls everybody in it, by their keys: the name, and the number."""


def fill_moodle(
    sheet: Sheet, records: Sequence[Record], texts: Sequence[str], rubric: Rubric, apart: Collection[str] = ()
) -> Filled:
    """Return the worksheet with everybody's grade and comment; a row without a grade stays as it was.

    Raises UserError for a worksheet that cannot be filled in by this rubric.
    """
    columns = columns_of(sheet)
    rows = sheet.rows[1:]
    said = {record.key: text for record, text in zip(records, texts, strict=True)}
    matching = matched(records, rows, ways(columns), apart)
    comma = columns.maximum is not None and any("," in row[columns.maximum] for row in rows)
    filled, capped, locked = [sheet.header], list[Capped](), []
    for position, row in enumerate(rows):
        maximum, cells = _maximum(sheet, row, columns, rubric), list(row)
        record = matching.of_row.get(position)
        if record and final(record) is not None:
            grade, comment = _capped(record, said[record.key], maximum, capped)
            cells[columns.grade] = _points(grade).replace(".", "," if comma else ".")
            if columns.comment is not None:
                cells[columns.comment] = _with_comment(row[columns.comment], as_html(comment))
            if columns.locked(row):
                locked.append(record.student)
        filled.append(tuple(cells))
    participants = {
        record.key: (rows[position][columns.name], _digits(rows[position][columns.identifier]))
        for position, record in matching.of_row.items()
    }
    return Filled(sheet.text(filled), tuple(capped), matching, columns, tuple(locked), participants)


def _digits(identifier: str) -> str:
    """Return the number behind the word of an identifier."""
    return re.sub(r"\A\D+", "", identifier)


def _with_comment(before: str, comment: str) -> str:
    """Return a comment after the one that is there, once."""
    if not before.strip():
        return safe(comment)
    return before if comment in before else f"{before} {comment}"


def _maximum(sheet: Sheet, row: Row, columns: Columns, rubric: Rubric) -> float:
    """Return what a row's grade may be at most; raise UserError if it is not what the rubric gives."""
    if columns.maximum is None:
        return rubric.scale_to or rubric.points
    maximum = as_number(row[columns.maximum])
    if maximum is None:
        why = _("is graded by a scale, not by points: set the assignment to points")
        raise UserError(why, file=sheet.file)
    refuse_maximum(sheet.file, maximum, _("has a maximum of {points}", points=number(maximum)), rubric)
    return maximum


def ways(columns: Columns) -> list[Way]:
    """Return what a record and a row of a worksheet are known by: first Moodle's own number."""

    def identity(row: Row) -> list[str]:
        return [row[at] for at in columns.identity]

    return [
        Way(
            lambda record: [record.ids.get("moodle", "")],
            lambda row: [_digits(row[columns.identifier])],
            is_number=True,
        ),
        Way(lambda record: [record.ids.get("Identifier", "")], lambda row: [row[columns.identifier]]),
        Way(known_by, identity),
        *by_name(identity),
    ]
