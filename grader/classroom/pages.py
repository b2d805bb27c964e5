"""The pages of a class, written as grades come in: a report and a student's page each, and the index."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.classroom import gradebook, records
from grader.classroom.entries import Entry
from grader.classroom.records import Record
from grader.classroom.similarity import Pair
from grader.core.course.reading import read_source
from grader.core.course.rubric import Rubric
from grader.core.files import write
from grader.core.grade import Grade, student_view
from grader.core.text import printable
from grader.report.class_page import ClassPage, PairRow, Row, class_page, pair_page
from grader.report.pages import page

INDEX: Final = "index.html"
REPORTS, FEEDBACK, PAIRS = "reports", "feedback", "pairs"
_SELDOM: Final = 25
"""How many times longer than it takes to write the index nothing is written again."""

_DECIDED: Final = 'id="decided"'
_MOST_SOURCE: Final = 5_000_000


@dataclass
class Pages:
    """Writes the pages of a class into its folder."""

    out: Path
    rubric: Rubric
    total: int
    _next: float = field(default=0.0, init=False)

    def of_student(self, entry: Entry, record: Record) -> None:
        """Write a student's two pages."""
        if record.grade:
            self._write(entry, record.grade)

    def _write(self, entry: Entry, grade: Grade) -> None:
        if entry.file is None:
            return
        grade = replace(grade, submission=printable(f"{entry.student}, {entry.submission}"))
        raw = entry.file.read_bytes()[:_MOST_SOURCE]
        source, helpers = raw, list[tuple[str, bytes]]()
        if self.rubric.kind == "functions":
            source = read_source(raw, len(raw), _MOST_SOURCE // 1000, notebooks=self.rubric.notebooks).source
            helpers = [(one.name, one.content) for one in entry.helpers(raw)]
        for folder, shown in ((REPORTS, grade), (FEEDBACK, student_view(grade))):
            text = page(shown, source, entry.file.name, helpers=helpers)
            write(self.out / folder / f"{entry.key}.html", text, into_new=True)

    def kept(self, entry: Entry, record: Record) -> None:
        """Write the pages of a student whose grade is unchanged, if they are not there."""
        if not all((self.out / folder / f"{entry.key}.html").is_file() for folder in (REPORTS, FEEDBACK)):
            self.of_student(entry, record)

    def decided(self, entry: Entry, grade: Grade | None) -> None:
        """Write a student's pages anew with a person's decisions, or without those that there were before."""
        file = self.out / REPORTS / f"{entry.key}.html"
        if grade:
            self._write(entry, grade)
        elif file.is_file() and _DECIDED in file.read_text(encoding="utf-8"):
            record = records.load(self.out, entry.key)
            if record:
                self.of_student(entry, record)

    def now_and_then(self, found: Iterable[Record]) -> None:
        """Write the index of a class that is being graded, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            started = time.monotonic()
            self.index(list(found))
            ended = time.monotonic()
            self._next = ended + max(1.0, _SELDOM * (ended - started))

    def index(self, found: Sequence[Record], pairs: Sequence[Pair] | None = None) -> None:
        """Write the index of those who are graded so far."""
        rows = {one.key: self._row(one) for one in found}
        shown = ClassPage(
            title=self.rubric.title,
            points=self.rubric.points,
            criteria=tuple(criterion.id for criterion in self.rubric.all_criteria()),
            rows=tuple(rows.values()),
            total=max(self.total, len(found)),
            graded=sum(one.status == "graded" for one in found),
            late=sum(one.late for one in found),
            adjusted=sum(one.adjusted for one in found),
            mistakes=records.mistakes_of(found),
            failed=records.most_failed(found),
            look=[(rows[one.key], why) for one in found for why in _reasons_to_look(one)],
            pairs=None if pairs is None else [self._pair(pair) for pair in pairs],
        )
        write(self.out / INDEX, class_page(shown), into_new=True)

    def _row(self, record: Record) -> Row:
        cells: list[tuple[float | None, float | None]] = []
        for criterion in self.rubric.all_criteria():
            earned = record.criteria.get(criterion.id)
            if earned is None or earned.by_hand:
                cells.append((None, None))
            else:
                share = earned.score / earned.points if earned.points and not criterion.by_hand else None
                cells.append((None if criterion.id in self._bonus else share, earned.score))
        has_page = (self.out / REPORTS / f"{record.key}.html").is_file()
        return Row(
            record.student,
            record.total,
            tuple(cells),
            gradebook.status(record),
            f"{REPORTS}/{record.key}.html" if has_page else "",
            f"{FEEDBACK}/{record.key}.html" if has_page else "",
        )

    @property
    def _bonus(self) -> frozenset[str]:
        return frozenset(criterion.id for criterion in self.rubric.bonus)

    def _pair(self, pair: Pair) -> PairRow:
        name = f"{pair.keys[0]}--{pair.keys[1]}.html"
        row = PairRow(pair.first, pair.second, pair.shares, f"{PAIRS}/{name}")
        text = pair_page(row, *(file.read_bytes() for file in pair.files))
        write(self.out / PAIRS / name, text, into_new=True)
        return row


def _reasons_to_look(record: Record) -> list[str]:
    """Return why a person should look at a student's grade."""
    reasons = []
    if record.status != "graded":
        reasons.append(record.in_short)
    if record.unrun:
        reasons.append(record.unrun)
    if record.late:
        reasons.append("handed in late")
    reasons += record.grade.for_a_person if record.grade else ()
    reasons += [f"{name} is for a person to judge" for name, one in record.criteria.items() if one.by_hand]
    if record.undecided:
        reasons.append("the bonus is for a person to decide")
    return reasons
