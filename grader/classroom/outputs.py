"""The files of a graded class: feedback, pages, the index, gradebooks and the zip for the LMS."""

import hashlib
import io
import json
import re
import time
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.classroom import class_summary, gradebooks, records, sheet, similarity
from grader.classroom.adjustments import Adjustment, decided
from grader.classroom.entries import shared
from grader.classroom.gradebooks import Capped
from grader.classroom.records import Alike, AlikePair, ClassResult, ClassState, Record, source_of
from grader.classroom.sheet import Matching, Sheet
from grader.core.course.rubric import Rubric
from grader.core.grade import Grade, student_view
from grader.core.messages import _, in_language, later, ngettext, own_text
from grader.core.scores import ungraded
from grader.core.system import write
from grader.core.values import plain, printable
from grader.report import terminal_report
from grader.report.pages import AlikeFiles, ClassPage, PairRow, StudentRow, class_page, page, pair_page
from grader.report.wording import COMMENTS, Quoted, as_text, comments_of, in_scale, number

Participant = tuple[str, str]
"""A student as Moodle knows one: the name, and the number in the assignment."""


@dataclass(frozen=True)
class Forms:
    """The files that were downloaded to be filled in, and which assignment is meant in Canvas."""

    moodle: Sheet | None = None
    canvas: Sheet | None = None
    assignment: str | None = None


@dataclass(frozen=True)
class ReturnedFiles:
    """The files by name, the notes, and the participants in Moodle's worksheet by the students' keys."""

    files: dict[str, str]
    notes: tuple[str, ...]
    participants: dict[str, Participant]


def forms(worksheet: Path | None, export: Path | None, assignment: str | None, rubric: Rubric) -> Forms:
    """Return the downloaded files; raise UserError early for what cannot be filled in."""
    moodle, canvas = (sheet.read(file) if file else None for file in (worksheet, export))
    if moodle:
        gradebooks.fill_moodle(moodle, (), (), rubric)
    if canvas:
        gradebooks.fill_canvas(canvas, (), rubric, assignment)
    return Forms(moodle, canvas, assignment)


def returned(given: Forms, finals: Sequence[Record], rubric: Rubric) -> ReturnedFiles:
    """Return everything that goes back."""
    files = {"gradebook.csv": gradebooks.gradebook(finals, rubric)}
    records = [_withheld(record) if gradebooks.is_withheld(record, rubric) else record for record in finals]
    canvas_apart, notes = _sharing_numbers(records, "Canvas")
    moodle_apart, in_moodle = _sharing_numbers(records, "Moodle")
    notes += in_moodle
    if given.canvas:
        files["canvas.csv"], matching = gradebooks.fill_canvas(
            given.canvas, records, rubric, given.assignment, canvas_apart
        )
        notes += _matching_notes(matching, "canvas.csv", 0)
    else:
        files["canvas.csv"] = gradebooks.canvas(_without_ids(records, canvas_apart), rubric, given.assignment)
    participants: dict[str, Participant] = {}
    if given.moodle:
        comments = [gradebooks.comment(record) for record in records]
        filled = gradebooks.fill_moodle(given.moodle, records, comments, rubric, moodle_apart)
        files["moodle.csv"], participants = filled.text, filled.participants
        notes += _capped_notes(filled.capped, has_comments=filled.columns.comment is not None)
        if filled.columns.comment is None:
            notes.append(_("moodle.csv has no column for comments, so no student reads one."))
        if filled.locked:
            names = _listed(filled.locked)
            notes.append(_("Locked in Moodle, which leaves these grades out: {names}", names=names))
        notes += _matching_notes(filled.matching, "moodle.csv", filled.columns.name)
    else:
        comments = ["" if record.key in moodle_apart else gradebooks.comment(record) for record in records]
        known, full = _without_ids(records, moodle_apart), rubric.scale_to or rubric.points
        files["moodle.csv"], capped = gradebooks.moodle(known, comments, full)
        notes += _capped_notes(capped)
    without = [record.student for record in finals if gradebooks.final(record) is None]
    if without:
        notes.append(_("No grade goes back for: {names}", names=_listed(without)))
    waiting = [record.student for record in finals if record.provisional]
    if waiting and rubric.release == "when_marked":
        withheld = _(
            "Withheld until a person has judged them (release: when_marked): {names}", names=_listed(waiting)
        )
        notes.append(withheld)
    elif waiting:
        notes.append(
            _(
                "Provisional: a person still judges a part of {waiting} of {grades} grades. "
                "moodle.csv and feedback.zip say so to students, canvas.csv cannot. "
                "'release: when_marked' in the rubric withholds these grades.",
                waiting=len(waiting),
                grades=len(finals),
            )
        )
    return ReturnedFiles(files, tuple(notes), participants)


def _sharing_numbers(records: Sequence[Record], lms: str) -> tuple[frozenset[str], list[str]]:
    """Return the keys of the students whom an LMS would confuse, and a sentence on each number they share."""
    found = shared(records, lms)
    return frozenset(record.key for _known, same in found for record in same), [
        ngettext(
            "{count} submission has the number {number} in {lms}, so {file} has a grade for none of them; "
            "find out whose each is: {names}",
            "{count} submissions have the number {number} in {lms}, so {file} has a grade for none of them; "
            "find out whose each is: {names}",
            len(same),
            number=known,
            lms=lms,
            file=f"{lms.lower()}.csv",
            names=_listed(f"{record.student} ({record.submission})" for record in same),
        )
        for known, same in found
    ]


def _withheld(record: Record) -> Record:
    """Return a record without its grade, with the reason in the place of the comment."""
    with in_language(record.language):
        why = _("There is no grade yet: a person still judges a part of it.")
    return replace(record, grade=None, status="not_graded", why=why)


def _without_ids(records: Sequence[Record], apart: Collection[str]) -> list[Record]:
    """Return the records; those in `apart` without numbers of an LMS, and without a grade."""
    return [replace(record, ids={}, grade=None) if record.key in apart else record for record in records]


def _capped_notes(capped: Sequence[Capped], *, has_comments: bool = True) -> list[str]:
    """Return whose grade ends at the maximum in Moodle, which would leave it out otherwise."""
    if not capped:
        return []
    names = _listed(f"{student.student} ({number(student.grade)})" for student in capped)
    about = {"maximum": number(capped[0].maximum), "names": names}
    said = later("In moodle.csv these grades end at {maximum}, and the comment says what is above: {names}")
    silent = later(
        "In moodle.csv these grades end at {maximum}, and nothing there says what is above: {names}"
    )
    return [_(said if has_comments else silent, **about)]


def _matching_notes(matching: Matching[Record], file: str, name: int) -> list[str]:
    """Return sentences on rows without a submission, on grades without a row, and on what is ambiguous."""
    nothing, missing = [row[name] for row in matching.alone], [record.student for record in matching.left]
    unsure = [row[name] for row in matching.unsure_rows] + [record.student for record in matching.unsure]
    sentences = []
    if nothing:
        about = {"file": file, "names": _listed(nothing)}
        sentences.append(_("In {file}, but handed in nothing, and left as they were: {names}", **about))
    if missing:
        sentences.append(_("Graded, but not in {file}: {names}", file=file, names=_listed(missing)))
    if unsure:
        sentences.append(
            _(
                "More than one row of {file} or more than one file fits, so fill these in yourself: {names}",
                file=file,
                names=_listed(dict.fromkeys(unsure)),
            )
        )
    return sentences


def _listed(names: Iterable[str]) -> str:
    return "; ".join(map(printable, names)) + "."


INDEX: Final = "index.html"
REPORTS, FEEDBACK, PAIRS = "reports", "feedback", "pairs"
WRITTEN: Final = ".written.json"
"""Digests of the records of which the files are written: what is unchanged is not written again."""

ZIP: Final = "feedback.zip"
SUMMARY: Final = "summary.txt"
_SECTION: Final = ("section", "group")
"""Names of a roster's column of sections."""

_SELDOM: Final = 25
"""For how many times as long as it took to write the index it is not written again."""

_WHEN: Final = (2000, 1, 1, 0, 0, 0)
"""The time of every file in the zip: equal feedback makes an equal zip."""


@dataclass
class Closing:
    """Writes what follows from the grades of a class and a person's decisions."""

    out: Path
    kept: ClassState
    _participants: dict[str, Participant] = field(default_factory=dict, init=False)
    _next_index: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        moodle, canvas = records.given(self.out, records.MOODLE), records.given(self.out, records.CANVAS)
        self._forms = forms(moodle, canvas, self.kept.assignment, self.kept.rubric)
        self._written = records.remembered(self.out / WRITTEN)

    def decided(self, record: Record, decisions: Sequence[Adjustment]) -> Record:
        """Return a student's record with all decisions, and without what late work costs."""
        record = record.without_faulty_tests(self.kept.faulty_tests)
        return decided(record, decisions, self.kept.rubric, self.kept.late.get(record.key))

    def student(self, record: Record, decisions: Sequence[Adjustment], whole: Record | None = None) -> Record:
        """Write a student's feedback and pages, unless they say so already; return the record as decided.

        The whole record is read if it is not given.
        """
        final = self.decided(record, decisions)
        digest = hashlib.sha256(json.dumps(plain(final)).encode()).hexdigest()
        text = self.out / FEEDBACK / f"{record.key}.txt"
        pages = {self.out / place / f"{record.key}.html": place == REPORTS for place in (REPORTS, FEEDBACK)}
        expected = [text, *(pages if self.kept.html and record.grade else ())]
        if self._written.get(record.key) == digest and all(file.is_file() for file in expected):
            return final
        whole = whole or records.load(self.out, record.key) or record
        shown = self.decided(whole, decisions)
        report = ""
        if record.grade and shown.grade:
            is_known = whole.feedback and shown.grade == whole.grade
            report = whole.feedback if is_known else report_of(shown.grade)
        for file, hidden in pages.items() if self.kept.html else ():
            if content := student_page(self.out, shown, self.kept.rubric, hidden=hidden):
                write(file, content, into_new=True)
        write(text, feedback_text(final, report), durable=True, into_new=True)
        self._written[record.key] = digest
        return final

    def now_and_then(self, found: Sequence[Record]) -> None:
        """Write the index of a class that is being graded, unless that was done a moment ago."""
        if self.kept.html and time.monotonic() >= self._next_index:
            started = time.monotonic()
            self.index(found)
            ended = time.monotonic()
            self._next_index = ended + max(1.0, _SELDOM * (ended - started))

    def index(self, found: Sequence[Record]) -> None:
        """Write the index of those who are graded so far; it begins with the warnings."""
        rubric, alike = self.kept.rubric, self.kept.alike
        made = class_summary.mistakes_by_student(found)
        rows = {record.key: self._row(record, made.get(record.key, ())) for record in found}
        shown = ClassPage(
            title=own_text(rubric.title),
            points=rubric.points,
            criteria=tuple(criterion.id for criterion in rubric.all_criteria()),
            rows=tuple(rows.values()),
            total=max(len(self.kept.keys), len(found)),
            late=sum(record.late for record in found),
            adjusted=sum(record.adjusted for record in found),
            mistakes=class_summary.mistakes_of(found),
            failed=class_summary.most_failed(found),
            look=[(rows[record.key], why) for record in found if (why := record.reasons_to_look)],
            alike=self._alike(alike, rows) if alike else None,
            warnings=class_summary.warnings(self.kept, found),
        )
        write(self.out / INDEX, class_page(shown), into_new=True)

    def _row(self, record: Record, made: Iterable[Quoted]) -> StudentRow:
        cells: list[tuple[float | None, float | None]] = []
        for criterion in self.kept.rubric.all_criteria():
            earned, points = record.judged(criterion.id), criterion.points
            shared = points and not (criterion.by_hand or self.kept.rubric.is_bonus(criterion.id))
            cells.append((earned / points if shared and earned is not None else None, earned))
        has_page = (self.out / REPORTS / f"{record.key}.html").is_file()
        report, feedback = (f"{place}/{record.key}.html" if has_page else "" for place in (REPORTS, FEEDBACK))
        section = next((value for name, value in record.ids.items() if name.casefold() in _SECTION), "")
        status, ran = gradebooks.status(record), not record.unrun
        mistakes = tuple(mistake.text for mistake in made) if ran else ()
        known = record.student, record.total, tuple(cells), status, report, feedback, mistakes, section, ran
        return StudentRow(*known, tuple(record.to_judge))

    def _alike(self, alike: Alike, rows: dict[str, StudentRow]) -> AlikeFiles:
        """Return the pairs, each with its page; pages of pairs that are not listed any more are removed."""
        pairs = [self._pair(pair, rows) for pair in alike.pairs]
        for file in {*(self.out / PAIRS).glob("*.html")} - {self.out / pair.page for pair in pairs}:
            file.unlink()
        return AlikeFiles(similarity.title(alike), pairs, similarity.words(alike, self.kept.rubric))

    def _pair(self, pair: AlikePair, rows: dict[str, StudentRow]) -> PairRow:
        """Return a pair of students whose files are alike, and write its page."""
        name = f"{PAIRS}/{pair.keys[0]}--{pair.keys[1]}.html"
        first, second = (rows[key].student if key in rows else key for key in pair.keys)
        row = PairRow(first, second, pair.shares, similarity.rarity(pair), name)
        files = [source.files if (source := source_of(self.out, key)) else () for key in pair.keys]
        text = pair_page(row, files, similarity.words_on(pair, self.kept.rubric))
        write(self.out / name, text, into_new=True)
        return row

    def books(self, finals: Sequence[Record]) -> ClassResult:
        """Write the index, the gradebooks and the summary; return the result of the class."""
        if self.kept.html:
            self.index(finals)
        back = returned(self._forms, finals, self.kept.rubric)
        for name, text in back.files.items():
            write(self.out / name, text, durable=True, into_new=True)
        self._participants = back.participants
        notes = (*self.kept.notes, *back.notes, *zip_folders(self._released(finals), back.participants)[1])
        file = self.out / class_summary.NOTES
        if notes:
            write(file, "".join(f"{note}\n" for note in notes))
        else:
            file.unlink(missing_ok=True)
        write(self.out / WRITTEN, json.dumps(self._written, sort_keys=True), into_new=True)
        result = ClassResult(self.kept, self.out, tuple(finals), notes)
        write(self.out / SUMMARY, as_text(class_summary.render(result)), into_new=True)
        return result

    def _released(self, finals: Sequence[Record]) -> list[Record]:
        return [record for record in finals if not gradebooks.is_withheld(record, self.kept.rubric)]

    def pack(self, finals: Sequence[Record]) -> None:
        """Write the zip of everybody's feedback, after the gradebooks."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
            for key, folder in zip_folders(self._released(finals), self._participants)[0].items():
                for suffix in (".html", ".txt"):
                    if (file := self.out / FEEDBACK / f"{key}{suffix}").is_file():
                        info = zipfile.ZipInfo(f"{folder}feedback{suffix}", _WHEN)
                        packed.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
        write(self.out / ZIP, stream.getvalue(), into_new=True)


def student_page(out: Path, record: Record, rubric: Rubric, *, hidden: bool) -> str | None:
    """Return the page of a student, with hidden cases or without; None where nothing could be graded.

    A program that could not be played has one: it shows what was tried, and what came back.
    """
    source, grade = source_of(out, record.key), record.grade
    if grade is None and rubric.kind == "program" and record.status == "not_graded":
        with in_language(record.language):
            grade = ungraded(replace(rubric, language=record.language), record.submission, record.why)
    if grade is None or source is None:
        return None
    grade = replace(grade, submission=printable(f"{record.student}, {record.submission}"))
    shown = grade if hidden else student_view(grade)
    return page(shown, source.text, source.name, helpers=source.helpers)


def report_of(grade: Grade, *, hidden: bool = False) -> str:
    """Return the report on a grade as text."""
    return as_text(terminal_report.render(grade if hidden else student_view(grade)))


def answer_text(record: Record, *, hidden: bool = False) -> str:
    """Return a student's grade as a text that can be mailed, to answer a question about it."""
    was_graded = record.grade and record.status != "not_graded"  # else a person alone has given points
    report = report_of(record.grade, hidden=hidden) if was_graded and record.grade else ""
    with in_language(record.language):
        lines = [feedback_text(record, report).rstrip(), ""]
        lines.append(_("Handed in: {submission}", submission=record.submission))
        for attempt in record.attempts:
            if attempt.total is None:
                also = _("Also handed in, and not counted: {submission}", submission=attempt.submission)
            else:
                also = _(
                    "Also handed in, and not counted: {submission} ({points} points)",
                    submission=attempt.submission,
                    points=number(attempt.total),
                )
            lines.append(also)
    return "\n".join(lines) + "\n"


def feedback_text(record: Record, report: str) -> str:
    """Return the text for a student to read, in the student's language, with the report on the grade."""
    with in_language(record.language):
        lines = [record.student, ""]
        lines += [f"{record.provisional}\n"] if record.provisional else []
        if record.grade and record.adjusted and not report:
            lines += [] if record.grade.marked_by else [_total(record.grade)]  # else a decision says it
            lines += record.grade.decisions
            lines += [record.why] if record.why else []
        elif record.status == "not_graded":
            lines += [_("There is no grade yet."), record.why]
        elif not report:
            lines += [_("There is no grade yet: the grader failed, and a person will look at it.")]
        if not report:
            said = record.grade or record
            comments = comments_of(said.comments, said.answers)
            lines += ["", f"{_(COMMENTS)}:", *comments] if comments else []
        lines += [_("Handed in late.")] if record.late and record.taken_off is None else []
        lines += record.notes
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n{report}" if report else text


def _total(grade: Grade) -> str:
    about = {"total": number(grade.total), "points": number(grade.points), "scaled": in_scale(grade)}
    if about["scaled"]:
        return _("Total: {total} of {points}, {scaled}", **about)
    return _("Total: {total} of {points}", **about)


_MOODLE: Final = re.compile(r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assign(submission|feedback)_[a-z]+(_|\Z)", re.S)
_CANVAS: Final = re.compile(r"\A(?P<head>[^_]+(_LATE)?_(?P<id>[0-9]+)_[0-9]+)_.", re.S)


def zip_folders(
    finals: Sequence[Record], participants: dict[str, Participant]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return how the names of each student's files in the zip begin, by the key, and notes.

    A student who cannot be matched, or whom an LMS would take for another, has a folder of the own name.
    """
    places = {record.key: _zip_prefix(record.submission, participants.get(record.key)) for record in finals}
    having = Counter(place[0] for place in places.values() if place)
    folders, unknown = {}, []
    for record in finals:
        place = places[record.key]
        if place and having[place[0]] == 1:
            folders[record.key] = place[1]
        else:
            folders[record.key] = f"{_safe_name(record.key)}/"
            unknown.append(printable(record.student))
    if not unknown or not having:  # a class of no LMS has nobody to be missed there
        return folders, ()
    note = _(
        "In feedback.zip, but under no name that Moodle or Canvas knows, which leave these out: {names}.",
        names="; ".join(unknown),
    )
    return folders, (note,)


def _zip_prefix(submission: str, participant: Participant | None) -> tuple[str, str] | None:
    """Return whom an LMS takes a student for, and how the names of the files begin that tell it so."""
    canvas, moodle = _CANVAS.match(submission), _MOODLE.match(submission)
    if participant is None and moodle:
        participant = moodle["name"], moodle["id"]
    if participant:
        name, number = participant
        return f"Moodle {int(number)}", f"{_safe_name(name)}_{number}_assignfeedback_file_/"
    return (f"Canvas {int(canvas['id'])}", f"{canvas['head']}_") if canvas else None


def _safe_name(name: str) -> str:
    """Return a name in which nothing ends a folder or moves Moodle's pieces, and that is not ignored."""
    return re.sub(r"[\\/:*?\"<>|_\x00-\x1f]+", " ", name).strip(" .~") or "unnamed"
