"""The whole class: entries in, grades for everybody out, and what goes back written beside them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from grader.classroom import adjustments, folder, intake, records, returned
from grader.classroom.adjustments import decided
from grader.classroom.batch import Batch, OnRecord, Pool, Progress, best_of, local_pool
from grader.classroom.candidates import Wanted
from grader.classroom.closing import Closing, Pages
from grader.classroom.cluster import cluster_pool
from grader.classroom.entries import Entry
from grader.classroom.lateness import late_work
from grader.classroom.records import Record
from grader.classroom.similarity import OnPair, alike
from grader.classroom.task import configuration
from grader.core.course.course import Course
from grader.core.course.reading import read_source
from grader.core.course.submission import locate
from grader.core.errors import UserError
from grader.core.text import source_text
from grader.course.shipped import DEFAULT_SUBMISSION
from grader.grading.session import check_configuration, load_course
from grader.grading.settings import Settings


@dataclass(frozen=True)
class ClassSettings:
    """How to grade a class, and where everything goes."""

    settings: Settings
    out: Path
    jobs: int
    regrade: bool = False
    cluster: str | None = None
    similarity: bool = False
    templates: tuple[Path, ...] = ()
    canvas_id: str | None = None
    canvas_gradebook: Path | None = None
    moodle_worksheet: Path | None = None
    html: bool = True


@dataclass(frozen=True)
class ClassResult:
    """What became of a class: a line for each student, with a person's decisions in it."""

    kept: folder.Kept
    out: Path
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    """What to know about the gradebooks."""

    def totals(self) -> list[float]:
        """Return the totals of everybody who has one."""
        return [one.total for one in self.records if one.total is not None]


def grade_class(
    paths: Sequence[Path], given: ClassSettings, on_record: OnRecord, on_pair: OnPair
) -> ClassResult:
    """Grade everybody whose submission is new or changed, and write all that goes back."""
    check_configuration(given.settings)
    course = load_course(given.settings)
    loaded = course.rubric
    if given.out.exists() and not given.out.is_dir():
        raise UserError("is a file: --out names a folder", file=given.out)
    forms = returned.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    wanted = Wanted(loaded.kind, loaded.attempts)
    with intake.opened(paths, wanted, given.out) as opened, _pool(given) as pool:
        entries = opened
        decisions = adjustments.load_all(given.out, loaded, _students(entries, given.out))
        pages = Pages(given.out, loaded, len(entries)) if given.html else None
        batch = Batch(configuration(given.settings), given.out, loaded, given.regrade, pages)
        if loaded.attempts == "best":
            entries = best_of(entries, replace(batch, pages=None), pool, on_record)

        def told_with_decisions(news: Progress) -> None:
            on_record(replace(news, record=decided(news.record, decisions, loaded)))

        found = batch.run(entries, pool, told_with_decisions)
        pairs = _alike(found, course, given, on_pair) if given.similarity else None
        late, notes = late_work(loaded.late, entries, found, forms.moodle)
    kept = folder.Kept(
        rubric=loaded,
        keys=tuple(one.key for one in found),
        html=given.html,
        assignment=given.canvas_id,
        late=late,
        notes=tuple(notes),
        alike=pairs,
    )
    folder.save(given.out, kept)
    folder.keep_light(given.out, found)
    folder.keep_given(given.out, (("moodle", given.moodle_worksheet), ("canvas", given.canvas_gradebook)))
    closing = Closing(given.out, kept, pages)
    final = [replace(closing.student(one, decisions), feedback="") for one in found]
    told = closing.books(final)
    closing.pack(final)
    return ClassResult(kept, given.out, tuple(final), told)


def _alike(found: Sequence[Record], course: Course, given: ClassSettings, on_pair: OnPair) -> folder.Alike:
    """Compare what everybody handed in, as it was graded."""
    files = [locate(DEFAULT_SUBMISSION), *given.templates]
    handed_out = [course.template.text, *(_handed_out(file) for file in files)]
    graded = (one.key for one in found if one.status != "not_graded")
    sources = {key: source for key in graded if (source := folder.source_of(given.out, key))}
    beyond_template = bool(course.rubric.template or given.templates)
    return alike(sources, handed_out, on_pair, beyond_template=beyond_template)


def _handed_out(file: Path) -> str:
    raw = file.read_bytes()
    return source_text(read_source(raw, len(raw), len(raw), notebooks=True).source)


def _students(entries: Sequence[Entry], out: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the key of everybody who is here or was graded into the same folder before."""
    yield from ((entry.student, entry.key) for entry in entries)
    if (out / records.FOLDER).is_dir():
        yield from ((one.student, one.key) for one in records.load_all(out))


def _pool(given: ClassSettings) -> AbstractContextManager[Pool]:
    return cluster_pool(given.cluster) if given.cluster else nullcontext(local_pool(given.jobs))
