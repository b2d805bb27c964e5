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
from grader.classroom.entries import Attempt, shared
from grader.classroom.gradebooks import Capped
from grader.classroom.records import Alike, AlikePair, ClassResult, ClassState, Record, source_of
from grader.classroom.sheet import Matching, Sheet
from grader.core.course.rubric import Rubric
from grader.core.grade import Grade, student_view
from grader.core.messages import _, in_language, ngettext, own_text
from grader.core.scores import ungraded
from grader.core.system import write
from grader.core.values import plain, printable
from grader.report import terminal_report
from grader.report.pages import AlikeFiles, ClassPage, PairRow, StudentRow, class_page, page, pair_page
from grader.report.wording import COMMENTS, Quoted, as_text, comments_of, in_scale, number


@dataclass(frozen=True)
class Forms:
    """The files that were downloaded to be filled in, and which assignment is meant in Canvas."""

    moodle: Sheet | None = None
    canvas: Sheet | None = None
    assignment: str | None = None


@dataclass(frozen=True)
class ReturnedFiles:
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
        gradebooks.check(found.moodle, rubric)
    if found.canvas:
        gradebooks.fill_canvas(found.canvas, (), rubric, assignment)
    return found


def returned(given: Forms, finals: Sequence[Record], rubric: Rubric) -> ReturnedFiles:
    """Return everything that goes back."""
    full = rubric.scale_to or rubric.points
    files = {"gradebook.csv": gradebooks.gradebook(finals, rubric)}
    records = [_withheld(one) if gradebooks.is_withheld(one, rubric) else one for one in finals]
    comments = [gradebooks.comment(one) for one in records]
    participants: dict[str, tuple[str, str]] = {}
    canvas_apart, notes = _apart(records, "Canvas")
    moodle_apart, in_moodle = _apart(records, "Moodle")
    notes += in_moodle
    if given.canvas:
        files["canvas.csv"], matching = gradebooks.fill_canvas(
            given.canvas, records, rubric, given.assignment, canvas_apart
        )
        notes += _who(matching, "canvas.csv", 0)
    else:
        files["canvas.csv"] = gradebooks.canvas(_unknown(records, canvas_apart), rubric, given.assignment)
    if given.moodle:
        filled = gradebooks.fill_moodle(given.moodle, records, comments, rubric, moodle_apart)
        files["moodle.csv"] = filled.text
        participants = gradebooks.participants(given.moodle, filled)
        untold = filled.columns.comment is None
        notes += _ended(filled.capped, untold=untold)
        notes += [_("moodle.csv has no column for comments, so no student reads one.")] * untold
        if filled.locked:
            names = _listed(filled.locked)
            notes.append(_("Locked in Moodle, which leaves these grades out: {names}", names=names))
        notes += _who(filled.matching, "moodle.csv", filled.columns.name)
    else:
        known = _unknown(records, moodle_apart)
        said = ["" if one.key in moodle_apart else text for one, text in zip(records, comments, strict=True)]
        files["moodle.csv"] = gradebooks.moodle(known, said, full)
        notes += _ended(gradebooks.capped(known, full))
    without = [one.student for one in finals if gradebooks.final(one) is None]
    if without:
        notes.append(_("No grade goes back for: {names}", names=_listed(without)))
    waiting = [one.student for one in finals if one.provisional]
    if waiting and rubric.release == "when_marked":
        names = _listed(waiting)
        notes.append(
            _("Withheld until a person has judged them (release: when_marked): {names}", names=names)
        )
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


def _apart(records: Sequence[Record], lms: str) -> tuple[frozenset[str], list[str]]:
    """Return the keys of those whom an LMS would take for one, and a sentence on each number they share."""
    found, file = shared(records, lms), f"{lms.lower()}.csv"
    return frozenset(one.key for _known, ones in found for one in ones), [
        ngettext(
            "{count} submission has the number {number} in {lms}, so {file} has a grade for none of them; "
            "find out whose each is: {names}",
            "{count} submissions have the number {number} in {lms}, so {file} has a grade for none of them; "
            "find out whose each is: {names}",
            len(ones),
            number=known,
            lms=lms,
            file=file,
            names=_listed(f"{one.student} ({one.submission})" for one in ones),
        )
        for known, ones in found
    ]


def _withheld(record: Record) -> Record:
    """Return a record without its grade, with the reason in the place of the comment."""
    with in_language(record.language):
        why = _("There is no grade yet: a person still judges a part of it.")
    return replace(record, grade=None, status="not_graded", why=why)


def _unknown(records: Sequence[Record], apart: Collection[str]) -> list[Record]:
    """Return the records; those in `apart` without numbers of an LMS, and without a grade."""
    return [replace(one, ids={}, grade=None) if one.key in apart else one for one in records]


def _ended(capped: Sequence[Capped], *, untold: bool = False) -> list[str]:
    """Return whose grade ends at the maximum in Moodle, which would leave it out otherwise."""
    if not capped:
        return []
    names = _listed(f"{one.student} ({number(one.grade)})" for one in capped)
    maximum = number(capped[0].maximum)
    about = {"maximum": maximum, "names": names}
    return [
        _(
            "In moodle.csv these grades end at {maximum}, and nothing there says what is above: {names}",
            **about,
        )
        if untold
        else _(
            "In moodle.csv these grades end at {maximum}, and the comment says what is above: {names}",
            **about,
        )
    ]


def _who(matching: Matching[Record], file: str, name: int) -> list[str]:
    """Return sentences on rows without a submission, on grades without a row, and on what is ambiguous."""
    nothing, missing = [row[name] for row in matching.alone], [one.student for one in matching.left]
    unsure = [row[name] for row in matching.unsure_rows] + [one.student for one in matching.unsure]
    sentences = []
    if nothing:
        names = _listed(nothing)
        sentences.append(
            _("In {file}, but handed in nothing, and left as they were: {names}", file=file, names=names)
        )
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
_SECTION: Final = ("section", "group")
"""What a roster's column of sections is called."""

_SELDOM: Final = 25
"""How many times longer than it takes to write the index nothing is written again."""


@dataclass
class Pages:
    """Writes the pages of a class into its folder."""

    out: Path
    rubric: Rubric
    total: int
    fresh: set[str] = field(default_factory=set, init=False)
    """Whose pages were written by this one, without anybody's decisions."""
    _next: float = field(default=0.0, init=False)

    def of_student(self, record: Record) -> None:
        """Write a student's two pages."""
        for place, hidden in ((REPORTS, True), (FEEDBACK, False)):
            text = student_page(self.out, record, self.rubric, hidden=hidden)
            if text is None:
                return
            write(self.out / place / f"{record.key}.html", text, into_new=True)
        self.fresh.add(record.key)

    def are_there(self, key: str) -> bool:
        """Return whether a student has both pages."""
        return all((self.out / place / f"{key}.html").is_file() for place in (REPORTS, FEEDBACK))

    def now_and_then(self, found: Iterable[Record]) -> None:
        """Write the index of a class that is being graded, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            started = time.monotonic()
            self.index(list(found))
            ended = time.monotonic()
            self._next = ended + max(1.0, _SELDOM * (ended - started))

    def index(
        self, found: Sequence[Record], alike: Alike | None = None, warnings: Sequence[str] = ()
    ) -> None:
        """Write the index of those who are graded so far; it begins with the warnings."""
        made = class_summary.mistakes_by_student(found)
        rows = {one.key: self._row(one, made.get(one.key, ())) for one in found}
        shown = ClassPage(
            title=own_text(self.rubric.title),
            points=self.rubric.points,
            criteria=tuple(criterion.id for criterion in self.rubric.all_criteria()),
            rows=tuple(rows.values()),
            total=max(self.total, len(found)),
            late=sum(one.late for one in found),
            adjusted=sum(one.adjusted for one in found),
            mistakes=class_summary.mistakes_of(found),
            failed=class_summary.most_failed(found),
            look=[(rows[one.key], why) for one in found if (why := one.reasons_to_look)],
            alike=self._alike(alike, rows) if alike else None,
            warnings=warnings,
        )
        write(self.out / INDEX, class_page(shown), into_new=True)

    def _row(self, record: Record, made: Iterable[Quoted]) -> StudentRow:
        cells: list[tuple[float | None, float | None]] = []
        for criterion in self.rubric.all_criteria():
            earned, points = record.judged(criterion.id), criterion.points
            shared = points and not (criterion.by_hand or self.rubric.is_bonus(criterion.id))
            cells.append((earned / points if shared and earned is not None else None, earned))
        has_page = (self.out / REPORTS / f"{record.key}.html").is_file()
        report, feedback = (f"{place}/{record.key}.html" if has_page else "" for place in (REPORTS, FEEDBACK))
        section = next((value for name, value in record.ids.items() if name.casefold() in _SECTION), "")
        status, ran = gradebooks.status(record), not record.unrun
        mistakes = tuple(one.text for one in made) if ran else ()
        known = record.student, record.total, tuple(cells), status, report, feedback, mistakes, section, ran
        return StudentRow(*known, tuple(record.to_judge))

    def _alike(self, alike: Alike, rows: dict[str, StudentRow]) -> AlikeFiles:
        """Return the pairs, each with its page; pages of pairs that are not listed any more are removed."""
        pairs = [self._pair(pair, rows) for pair in alike.pairs]
        for file in {*(self.out / PAIRS).glob("*.html")} - {self.out / pair.page for pair in pairs}:
            file.unlink()
        return AlikeFiles(similarity.title(alike), pairs, similarity.words(alike, self.rubric))

    def _pair(self, pair: AlikePair, rows: dict[str, StudentRow]) -> PairRow:
        """Return two whose files are alike, whose page is written if it is not there."""
        name = f"{pair.keys[0]}--{pair.keys[1]}.html"
        first, second = (rows[key].student if key in rows else key for key in pair.keys)
        row = PairRow(first, second, pair.shares, similarity.rarity(pair), f"{PAIRS}/{name}")
        files = [source.files if (source := source_of(self.out, key)) else () for key in pair.keys]
        text = pair_page(row, files, similarity.words_on(pair, self.rubric))
        write(self.out / PAIRS / name, text, into_new=True)
        return row


WRITTEN: Final = ".written.json"
"""What everybody's files were written from: what is unchanged is not written again."""

ZIP: Final = "feedback.zip"
SUMMARY: Final = "summary.txt"


@dataclass
class Closing:
    """Writes what follows from the grades of a class and a person's decisions."""

    out: Path
    kept: ClassState
    pages: Pages | None

    def __post_init__(self) -> None:
        moodle, canvas = records.given(self.out, records.MOODLE), records.given(self.out, records.CANVAS)
        self._forms = forms(moodle, canvas, self.kept.assignment, self.kept.rubric)
        self._written = records.remembered(self.out / WRITTEN)
        self._participants: dict[str, tuple[str, str]] = {}

    def decided(self, record: Record, decisions: Sequence[Adjustment]) -> Record:
        """Return a student's record with all decisions, and without what late work costs."""
        record = record.without_faulty_tests(self.kept.faulty_tests)
        return decided(record, decisions, self.kept.rubric, self.kept.late.get(record.key))

    def student(self, record: Record, decisions: Sequence[Adjustment]) -> Record:
        """Write a student's feedback and pages, unless they say so already; return the record as decided."""
        final = self.decided(record, decisions)
        digest = hashlib.sha256(json.dumps(plain(final)).encode()).hexdigest()
        file = self.out / FEEDBACK / f"{record.key}.txt"
        paged = not (self.pages and record.grade) or self.pages.are_there(record.key)
        is_fresh = self.pages is not None and record.key in self.pages.fresh  # without what a person decided
        if is_fresh or self._written.get(record.key) != digest or not file.is_file() or not paged:
            self._write(record, final, decisions, file, is_fresh=is_fresh)
            self._written[record.key] = digest
        return final

    def _write(
        self, record: Record, final: Record, decisions: Sequence[Adjustment], file: Path, *, is_fresh: bool
    ) -> None:
        feedback = record.feedback
        if final != record or not is_fresh:
            whole = records.load(self.out, record.key)
            shown = self.decided(whole, decisions) if whole else final
            if shown.grade and (final != record or not feedback):
                feedback = report_of(shown.grade)
            if self.pages:
                self.pages.of_student(shown)
                self.pages.fresh.discard(record.key)
        write(file, _feedback(final, feedback if record.grade else ""), durable=True, into_new=True)

    def books(self, finals: Sequence[Record]) -> ClassResult:
        """Write the index, the gradebooks and the summary; return the result of the class."""
        if self.pages:
            self.pages.index(finals, self.kept.alike, class_summary.warnings(self.kept, finals))
        back = returned(self._forms, finals, self.kept.rubric)
        for name, text in back.files.items():
            write(self.out / name, text, durable=True, into_new=True)
        self._participants = back.participants
        notes = (*self.kept.notes, *back.notes, *self._packed(finals, whole=False)[1])
        file = self.out / class_summary.NOTES
        if notes:
            write(file, "".join(f"{note}\n" for note in notes))
        else:
            file.unlink(missing_ok=True)
        write(self.out / WRITTEN, json.dumps(self._written), into_new=True)
        result = ClassResult(self.kept, self.out, tuple(finals), notes)
        write(self.out / SUMMARY, as_text(class_summary.render(result)), into_new=True)
        return result

    def pack(self, finals: Sequence[Record]) -> None:
        """Write the zip of everybody's feedback, after the gradebooks."""
        write(self.out / ZIP, self._packed(finals)[0], into_new=True)

    def _packed(self, finals: Sequence[Record], *, whole: bool = True) -> tuple[bytes, tuple[str, ...]]:
        """Return the zip and notes on it; without `whole` it is empty, and the notes are the same."""
        known = self._participants
        return feedback_zip(
            (one.key, one.student, one.submission, known.get(one.key), self._files(one.key) if whole else {})
            for one in finals
            if not gradebooks.is_withheld(one, self.kept.rubric)
        )

    def _files(self, key: str) -> dict[str, bytes]:
        """Return what a student reads, by how its name ends."""
        files = {end: self.out / FEEDBACK / f"{key}{end}" for end in (".html", ".txt")}
        return {end: file.read_bytes() for end, file in files.items() if file.is_file()}


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


def feedback_text(record: Record, *, hidden: bool = False) -> str:
    """Return the text about a whole record, decisions included, with hidden cases or without."""
    was_graded = record.grade and record.status != "not_graded"  # else a person alone has given points
    return _feedback(record, report_of(record.grade, hidden=hidden) if was_graded and record.grade else "")


def answer_text(record: Record, *, hidden: bool = False) -> str:
    """Return a student's grade as a text that can be mailed, to answer a question about it."""
    with in_language(record.language):
        handed_in = _("Handed in: {submission}", submission=record.submission)
        lines = [
            feedback_text(record, hidden=hidden).rstrip(),
            "",
            handed_in,
            *map(_attempt, record.attempts),
        ]
    return "\n".join(lines) + "\n"


def _attempt(attempt: Attempt) -> str:
    if attempt.total is None:
        return _("Also handed in, and not counted: {submission}", submission=attempt.submission)
    return _(
        "Also handed in, and not counted: {submission} ({points} points)",
        submission=attempt.submission,
        points=number(attempt.total),
    )


def report_of(grade: Grade, *, hidden: bool = False) -> str:
    """Return the report on a grade as text."""
    return as_text(terminal_report.render(grade if hidden else student_view(grade)))


def _feedback(record: Record, feedback: str) -> str:
    """Return the text for one student to read, in the student's language."""
    with in_language(record.language):
        return _told(record, feedback)


def _told(record: Record, feedback: str) -> str:
    lines = [record.student, ""]
    lines += [f"{record.provisional}\n"] if record.provisional else []
    if record.grade and record.adjusted and not feedback:
        lines += [] if record.grade.marked_by else [_total(record.grade)]  # else a decision says it
        lines += record.grade.decisions
        lines += [record.why] if record.why else []
    elif record.status == "not_graded":
        lines += [_("There is no grade yet."), record.why]
    elif not feedback:
        lines += [_("There is no grade yet: the grader failed, and a person will look at it.")]
    if not feedback:
        said = record.grade or record
        comments = comments_of(said.comments, said.answers)
        lines += ["", f"{_(COMMENTS)}:", *comments] if comments else []
    lines += [_("Handed in late.")] if record.late and record.taken_off is None else []
    lines += record.notes
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n{feedback}" if feedback else text


def _total(grade: Grade) -> str:
    about = {"total": number(grade.total), "points": number(grade.points), "scaled": in_scale(grade)}
    if about["scaled"]:
        return _("Total: {total} of {points}, {scaled}", **about)
    return _("Total: {total} of {points}", **about)


_MOODLE: Final = re.compile(r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assign(submission|feedback)_[a-z]+(_|\Z)", re.S)
_CANVAS: Final = re.compile(r"\A(?P<head>[^_]+(_LATE)?_(?P<id>[0-9]+)_[0-9]+)_.", re.S)
_WHEN: Final = (2000, 1, 1, 0, 0, 0)
"""The time of every file in it: equal feedback makes an equal zip."""

Feedback = tuple[str, str, str, tuple[str, str] | None, dict[str, bytes]]
"""A student's key, name and submission as the download calls it; the name and the number that Moodle's
worksheet has; and the files by how their names end."""


def feedback_zip(students: Iterable[Feedback]) -> tuple[bytes, tuple[str, ...]]:
    """Return everybody's feedback in one zip.

    A student who cannot be matched, or whom an LMS would take for another, has a folder of the own name.
    """
    everybody = list(students)
    places = [_place(submission, participant) for _key, _name, submission, participant, _files in everybody]
    having = Counter(who for who, _begins in filter(None, places))
    stream, unknown = io.BytesIO(), []
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for (key, student, _submission, _participant, files), place in zip(everybody, places, strict=True):
            is_known = place is not None and having[place[0]] == 1
            unknown += [] if is_known else [student]
            begins = place[1] if place and is_known else f"{_bare(key)}/"
            for end, content in files.items():
                info = zipfile.ZipInfo(f"{begins}feedback{end}", _WHEN)
                packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    if not unknown or not any(places):  # a class of no LMS has nobody to be missed there
        return stream.getvalue(), ()
    names = "; ".join(map(printable, unknown))
    note = _(
        "In feedback.zip, but under no name that Moodle or Canvas knows, which leave these out: {names}.",
        names=names,
    )
    return stream.getvalue(), (note,)


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
