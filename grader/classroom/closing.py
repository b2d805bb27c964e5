"""What follows from grades and decisions: feedback, pages, the index, gradebooks and the zip that goes back.

It needs the folder of a class and nothing else, so it can be done again whenever a person decides something.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.classroom import folder, gradebook, records, returned, show, similarity
from grader.classroom.adjustments import Adjustment, decided
from grader.classroom.entries import Attempt
from grader.classroom.folder import Alike, AlikePair, ClassResult, Kept, source_of
from grader.classroom.records import Record
from grader.core.course.rubric import Rubric
from grader.core.files import write
from grader.core.grade import Grade, student_view
from grader.core.plain import plain
from grader.core.text import printable
from grader.places.feedback import Packed, feedback_zip
from grader.report import terminal
from grader.report.class_page import AlikeFiles, ClassPage, PairRow, Row, class_page, pair_page
from grader.report.pages import page
from grader.report.text import as_text, number
from grader.report.words import COMMENTS, comments_of, that_is

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
            text = student_page(self.out, record, hidden=hidden)
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
        self, found: Sequence[Record], alike: Alike | None = None, faulty_tests: Sequence[str] = ()
    ) -> None:
        """Write the index of those who are graded so far; it begins with sentences on faulty tests."""
        rows = {one.key: self._row(one) for one in found}
        shown = ClassPage(
            title=self.rubric.title,
            points=self.rubric.points,
            criteria=tuple(criterion.id for criterion in self.rubric.all_criteria()),
            rows=tuple(rows.values()),
            total=max(self.total, len(found)),
            late=sum(one.late for one in found),
            adjusted=sum(one.adjusted for one in found),
            mistakes=records.mistakes_of(found),
            failed=records.most_failed(found),
            look=[(rows[one.key], one.to_look_at) for one in found if one.to_look_at],
            alike=self._alike(alike, rows) if alike else None,
            faulty_tests=faulty_tests,
        )
        write(self.out / INDEX, class_page(shown), into_new=True)

    def _row(self, record: Record) -> Row:
        cells: list[tuple[float | None, float | None]] = []
        for criterion in self.rubric.all_criteria():
            earned, points = record.judged(criterion.id), criterion.points
            shared = points and not (criterion.by_hand or self.rubric.is_bonus(criterion.id))
            cells.append((earned / points if shared and earned is not None else None, earned))
        has_page = (self.out / REPORTS / f"{record.key}.html").is_file()
        report, feedback = (f"{place}/{record.key}.html" if has_page else "" for place in (REPORTS, FEEDBACK))
        section = next((value for name, value in record.ids.items() if name.casefold() in _SECTION), "")
        told, ran = gradebook.status(record), not record.unrun
        mistakes = tuple(record.mistakes) if ran else ()
        known = record.student, record.total, tuple(cells), told, report, feedback, mistakes, section, ran
        return Row(*known, tuple(record.to_judge))

    def _alike(self, alike: Alike, rows: dict[str, Row]) -> AlikeFiles:
        """Return the pairs, each with its page; pages of pairs that are not listed any more are removed."""
        pairs = [self._pair(pair, rows) for pair in alike.pairs]
        for file in {*(self.out / PAIRS).glob("*.html")} - {self.out / pair.page for pair in pairs}:
            file.unlink()
        return AlikeFiles(similarity.title(alike), pairs, similarity.words(alike, self.rubric))

    def _pair(self, pair: AlikePair, rows: dict[str, Row]) -> PairRow:
        """Return two whose files are alike, whose page is written if it is not there."""
        name = f"{pair.keys[0]}--{pair.keys[1]}.html"
        first, second = (rows[key].student if key in rows else key for key in pair.keys)
        row = PairRow(first, second, pair.shares, similarity.rarity(pair), f"{PAIRS}/{name}")
        files = [source.files if (source := source_of(self.out, key)) else () for key in pair.keys]
        text = pair_page(row, files, similarity.words_on(pair, self.rubric))
        write(self.out / PAIRS / name, text, into_new=True)
        return row


WRITTEN: Final = ".written.json"
"""What everybody's files were written from: who is unchanged is not written again."""

ZIP: Final = "feedback.zip"
SUMMARY: Final = "summary.txt"


@dataclass
class Closing:
    """Writes what follows from the grades of a class and a person's decisions."""

    out: Path
    kept: Kept
    pages: Pages | None

    def __post_init__(self) -> None:
        moodle, canvas = folder.given(self.out, folder.MOODLE), folder.given(self.out, folder.CANVAS)
        self._forms = returned.forms(moodle, canvas, self.kept.assignment, self.kept.rubric)
        self._written = folder.remembered(self.out / WRITTEN)
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
            faulty = [test.sentence for test in self.kept.faulty_tests]
            self.pages.index(finals, self.kept.alike, faulty)
        back = returned.returned(self._forms, finals, self.kept.rubric)
        for name, text in back.files.items():
            write(self.out / name, text, durable=True, into_new=True)
        self._participants = back.participants
        notes = (*self.kept.notes, *back.notes, *self._packed(finals, whole=False).notes)
        file = self.out / returned.NOTES
        if notes:
            write(file, "".join(f"{note}\n" for note in notes))
        else:
            file.unlink(missing_ok=True)
        write(self.out / WRITTEN, json.dumps(self._written), into_new=True)
        result = ClassResult(self.kept, self.out, tuple(finals), notes)
        write(self.out / SUMMARY, as_text(show.render(result)), into_new=True)
        return result

    def pack(self, finals: Sequence[Record]) -> None:
        """Write the zip of everybody's feedback, after the gradebooks."""
        write(self.out / ZIP, self._packed(finals).content, into_new=True)

    def _packed(self, finals: Sequence[Record], *, whole: bool = True) -> Packed:
        """Return the zip, or one with nothing in it, which tells as well whom no LMS would find."""
        known = self._participants
        return feedback_zip(
            (one.key, one.student, one.submission, known.get(one.key), self._files(one.key) if whole else {})
            for one in finals
            if not gradebook.is_withheld(one, self.kept.rubric)
        )

    def _files(self, key: str) -> dict[str, bytes]:
        """Return what a student reads, by how its name ends."""
        files = {end: self.out / FEEDBACK / f"{key}{end}" for end in (".html", ".txt")}
        return {end: file.read_bytes() for end, file in files.items() if file.is_file()}


def student_page(out: Path, record: Record, *, hidden: bool) -> str | None:
    """Return the page of a student, with hidden cases or without; None where nothing could be graded."""
    source = source_of(out, record.key)
    if record.grade is None or source is None:
        return None
    grade = replace(record.grade, submission=printable(f"{record.student}, {record.submission}"))
    shown = grade if hidden else student_view(grade)
    return page(shown, source.text, source.name, helpers=source.helpers)


def feedback_text(record: Record, *, hidden: bool = False) -> str:
    """Return the text about a whole record, decisions included, with hidden cases or without."""
    was_graded = record.grade and record.status != "not_graded"  # else a person alone has given points
    return _feedback(record, report_of(record.grade, hidden=hidden) if was_graded and record.grade else "")


def answer_text(record: Record, *, hidden: bool = False) -> str:
    """Return a student's grade as a text that can be mailed, to answer a question about it."""
    lines = [feedback_text(record, hidden=hidden).rstrip(), "", f"Handed in: {record.submission}"]
    lines += [f"Also handed in, and not counted: {_attempt(one)}" for one in record.attempts]
    return "\n".join(lines) + "\n"


def _attempt(attempt: Attempt) -> str:
    total = "" if attempt.total is None else f" ({number(attempt.total)} points)"
    return f"{attempt.submission}{total}"


def report_of(grade: Grade, *, hidden: bool = False) -> str:
    """Return the report on a grade as text."""
    return as_text(terminal.render(grade if hidden else student_view(grade)))


def _feedback(record: Record, feedback: str) -> str:
    """Return the text for one student to read."""
    lines = [record.student, ""]
    lines += [f"{record.provisional}\n"] if record.provisional else []
    if record.grade and record.adjusted and not feedback:
        total = f"{number(record.grade.total)} of {number(record.grade.points)}{that_is(record.grade)}"
        lines += [] if record.grade.marked_by else [f"Total: {total}"]  # else a decision says it
        lines += record.grade.decisions
        lines += [record.why] if record.why else []
    elif record.status == "not_graded":
        lines += ["There is no grade yet.", record.why]
    elif not feedback:
        lines += ["There is no grade yet: the grader failed, and a person will look at it."]
    if not feedback:
        said = record.grade or record
        comments = comments_of(said.comments, said.answers)
        lines += ["", f"{COMMENTS}:", *comments] if comments else []
    lines += ["Handed in late."] if record.late and record.taken_off is None else []
    lines += record.notes
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n{feedback}" if feedback else text
