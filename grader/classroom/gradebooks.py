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
    header = ["submission", "student", *numbers, *criteria, *late, "status", "mistakes"]
    rows = [
        [
            safe(one.submission),
            safe(one.student),
            *(_points(getattr(one.grade, name, None)) for name in numbers),
            *(_points(one.judged(name)) for name in criteria),
            *(_points(one.taken_off and -one.taken_off) for _ in late),
            _status(one),
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
            with in_language(one.language):
                comments.append(above(grade, maximum))
            grade = maximum
        rows.append([safe(known), safe(one.student), _points(grade), "-", safe(as_html(" ".join(comments)))])
    return csv_text(rows)


def capped(records: Iterable[Record], maximum: float) -> tuple[Capped, ...]:
    """Return whose grade is above the maximum."""
    graded = ((one, final(one)) for one in records)
    return tuple(Capped(one.student, grade, maximum) for one, grade in graded if grade and grade > maximum)


def refuse_maximum(file: Path, maximum: float, stated: str, rubric: Rubric) -> None:
    """Raise UserError for an LMS's file whose maximum, stated in a clause, is not the rubric's."""
    full = rubric.scale_to or rubric.points
    with_bonus = full * (1 + sum(one.points for one in rubric.bonus) / rubric.points)
    if not full <= maximum <= with_bonus:
        why = _(
            "{stated}, but the rubric gives {points}: "
            "say 'scale_to: {maximum}' in the rubric, or change the assignment",
            stated=stated,
            points=number(full),
            maximum=decimal(maximum),
        )
        raise UserError(why, file=file)


def above(grade: float, maximum: float) -> str:
    """Return the sentence about what is above the maximum."""
    about = {"maximum": number(maximum), "grade": number(grade)}
    return _("Moodle's maximum is {maximum}, so {maximum} of {grade} is recorded.", **about)


def is_withheld(record: Record, rubric: Rubric) -> bool:
    """Return whether a grade stays here until a person has judged the rest of it."""
    return rubric.release == "when_marked" and bool(record.provisional)


def _status(record: Record) -> str:
    """Return what became of a submission as programs read it."""
    with in_language(ENGLISH):
        return status(record)


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
        return _comment(record)


def _comment(record: Record) -> str:
    said = comments_of((record.grade or record).comments, ())
    by_person = [f"{_(COMMENTS)}: {'; '.join(said)}."] if said else []
    if record.grade is None:
        why = (
            record.why if record.status == "not_graded" else _("The grader failed; a person will look at it.")
        )
        return " ".join([why, *by_person])
    lost = [
        _(
            "{criterion} {score} of {points}",
            criterion=name,
            score=number(one.score),
            points=number(one.points),
        )
        for name, one in record.criteria.items()
        if one.score < one.points and not (one.bonus or one.by_hand or one.marked_by or one.unjudged)
    ]
    sentences = [record.provisional] if record.provisional else []
    sentences.append(_total(record.grade))
    sentences += [record.unrun] if record.unrun else []
    sentences += (
        [_("Points were lost here: {criteria}.", criteria=", ".join(lost))]
        if lost and not record.unrun
        else []
    )
    if record.unjudged:
        sentences.append(_("Could not be judged: {criteria}.", criteria=", ".join(record.unjudged)))
    if record.mistakes and record.grade.show_mistakes and not record.unrun:
        sentences.append(_("Mistakes: {mistakes}.", mistakes=clauses(record.mistakes)))
    sentences += [one.text for one in record.grade.deductions if one.late]
    sentences += [f"{one}." for one in record.grade.decisions]
    sentences += by_person
    sentences += [_("Your request was answered: {answer}", answer=one.answer) for one in record.grade.answers]
    return " ".join(sentences)


def _total(grade: Grade) -> str:
    about = {"total": number(grade.total), "points": number(grade.points), "scaled": in_scale(grade)}
    if about["scaled"]:
        return _("{total} of {points} points, {scaled}.", **about)
    return _("{total} of {points} points.", **about)


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
    matching = matched(records, rows, _ways(own), apart, numbers=1)  # the first way is by Canvas's number
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
    by_id = [at for at, (one, _) in found.items() if one == wanted]
    title = (wanted or rubric.title).strip().casefold()
    by_title = [at for at, (_, one) in found.items() if one.strip().casefold() == title]
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
            raise UserError(
                _("has this assignment's column as read only: choose another one"), file=sheet.file
            )
        possible = as_number(row[column])
        if possible is not None:
            refuse_maximum(
                sheet.file, possible, _("has {points} points possible", points=number(possible)), rubric
            )


def _is_student(row: Row) -> bool:
    """Return whether a row is about somebody: not about points, and not Canvas's own test student."""
    about = row[0].strip()
    return bool(about) and _POSSIBLE not in about.casefold() and about != _TEST_STUDENT


def _ways(own: int) -> list[Way]:
    return [
        (lambda record: [record.ids.get("canvas", "")], lambda row: [row[1]]),
        (known_by, lambda row: row[1:own]),
        *by_name(lambda row: [row[0]]),
    ]


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
    status: int | None = None
    submitted: int | None = None
    """When it was handed in."""

    @property
    def name(self) -> int:
        """The column to call somebody by: the full name, or the identifier where names are kept back."""
        return self.identity[0] if self.identity else self.identifier

    def locked(self, row: Row) -> bool:
        """Return whether a row says that its grade cannot be changed."""
        return self.changeable is not None and _bare(row[self.changeable]) in _NO


def columns_of(sheet: Sheet) -> Columns:
    """Return where things stand; raise UserError for a file that is no worksheet."""
    header = [_bare(name) for name in sheet.header]
    modified, grade = _graded(header)
    identifier = next((at for at in range(len(header)) if _identifies(sheet, at)), None)
    if grade is None or identifier is None:
        why = (
            _(
                "is no grading worksheet of Moodle, for it has no column with an identifier for each "
                "participant: download it again from the assignment (View all submissions, Download "
                "grading worksheet)"
            )
            if grade is not None
            else _(
                "is no grading worksheet of Moodle, for it has no column with 'Grade' and 'Last modified "
                "(grade)': download it again from the assignment (View all submissions, Download grading "
                "worksheet)"
            )
        )
        raise UserError(why, file=sheet.file, line=1)
    status = next((at for at in range(identifier + 1, grade) if header[at].startswith(_STATUS)), None)
    return Columns(
        identifier,
        grade,
        maximum=grade + 1 if grade + 1 < modified and not _MODIFIED.fullmatch(header[grade + 1]) else None,
        comment=_comments(sheet, header, modified),
        identity=tuple(range(identifier + 1, min(identifier + 2, grade) if status is None else status)),
        changeable=_changeable(header, grade, modified),
        status=status,
        submitted=next((at for at in range(grade + 1, modified) if _MODIFIED.fullmatch(header[at])), None),
    )


def _bare(text: str) -> str:
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


def _changeable(header: Sequence[str], grade: int, modified: int) -> int | None:
    """Return 'Grade can be changed': it follows the maximum, and its name holds the word for the grade."""
    after = range(grade + 2, modified)
    return next((at for at in after if header[grade] in header[at] and "(" not in header[at]), None)


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


def check(sheet: Sheet, rubric: Rubric) -> None:
    """Raise UserError for a worksheet that cannot be filled in by this rubric."""
    columns = columns_of(sheet)
    for row in sheet.rows[1:]:
        _maximum(sheet, row, columns, rubric)


def fill_moodle(
    sheet: Sheet, records: Sequence[Record], texts: Sequence[str], rubric: Rubric, apart: Collection[str] = ()
) -> Filled:
    """Return the worksheet with everybody's grade and comment; a row without a grade stays as it was."""
    columns = columns_of(sheet)
    rows = sheet.rows[1:]
    said = {record.key: text for record, text in zip(records, texts, strict=True)}
    matching = matched(records, rows, ways(columns), apart, NUMBERS)
    comma = columns.maximum is not None and any("," in row[columns.maximum] for row in rows)
    filled, capped, locked = [sheet.header], [], []
    for position, row in enumerate(rows):
        record = matching.of_row.get(position)
        grade = final(record) if record else None
        if record is None or grade is None:
            filled.append(row)
            continue
        maximum = _maximum(sheet, row, columns, rubric)
        cells, comment = list(row), said[record.key]
        if grade > maximum:
            capped.append(Capped(record.student, grade, maximum))
            with in_language(record.language):
                comment = f"{comment} {above(grade, maximum)}"
        shown = decimal(min(grade, maximum))
        cells[columns.grade] = shown.replace(".", ",") if comma else shown
        if columns.comment is not None:
            cells[columns.comment] = _with(row[columns.comment], as_html(comment))
        if columns.locked(row):
            locked.append(record.student)
        filled.append(tuple(cells))
    return Filled(sheet.text(filled), tuple(capped), matching, columns, tuple(locked))


def participants(sheet: Sheet, filled: Filled) -> dict[str, tuple[str, str]]:
    """Return what a worksheet calls everybody in it, by their keys: the name, and the number."""
    rows, columns = sheet.rows[1:], filled.columns
    of_row = ((record.key, rows[at]) for at, record in filled.matching.of_row.items())
    return {key: (row[columns.name], _number(row[columns.identifier])) for key, row in of_row}


def _number(identifier: str) -> str:
    """Return the number behind the word of an identifier."""
    return re.sub(r"\A\D+", "", identifier)


def _with(before: str, comment: str) -> str:
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
        raise UserError(
            _("is graded by a scale, not by points: set the assignment to points"), file=sheet.file
        )
    refuse_maximum(sheet.file, maximum, _("has a maximum of {points}", points=number(maximum)), rubric)
    return maximum


NUMBERS: Final = 1
"""The first of the ways is by Moodle's own number."""


def ways(columns: Columns) -> list[Way]:
    """Return what a record and a row of a worksheet are known by."""

    def identity(row: Row) -> list[str]:
        return [row[at] for at in columns.identity]

    return [
        (lambda record: [record.ids.get("moodle", "")], lambda row: [_number(row[columns.identifier])]),
        (lambda record: [record.ids.get("Identifier", "")], lambda row: [row[columns.identifier]]),
        (known_by, identity),
        *by_name(identity),
    ]
