"""The whole class: entries in, grades for everybody out, and what goes back written beside them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from grader.classroom import adjustments, folder, intake, records, returned, similarity
from grader.classroom.adjustments import decided
from grader.classroom.batch import Batch, OnRecord, Pool, Progress, best_of, local_pool
from grader.classroom.candidates import Wanted
from grader.classroom.closing import Closing, Pages
from grader.classroom.cluster import cluster_pool
from grader.classroom.entries import Entry
from grader.classroom.folder import ClassResult
from grader.classroom.lateness import late_work
from grader.classroom.records import Record
from grader.classroom.similarity import OnPair
from grader.classroom.task import configuration
from grader.core.course.submission import locate
from grader.core.errors import UserError
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


def grade_class(
    paths: Sequence[Path], given: ClassSettings, on_record: OnRecord, on_pair: OnPair
) -> ClassResult:
    """Grade everybody whose submission is new or changed, and write all that goes back."""
    check_configuration(given.settings)
    course = load_course(given.settings)
    loaded = course.rubric
    if given.out.exists() and not given.out.is_dir():
        raise UserError("is a file: --out names a folder", file=given.out)
    before = folder.load_if_graded(given.out)
    given, notes = _with_what_was_given(given, before)
    if given.similarity:
        similarity.detector()  # before anybody is graded: it may not be installed
    forms = returned.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    wanted = Wanted(loaded.kind, loaded.attempts)
    with intake.opened(paths, wanted, given.out) as opened, _pool(given) as pool:
        known = {record.key: record for record in folder.students(given.out, before)} if before else {}
        entries = [_completed(entry, known.get(entry.key)) for entry in opened]
        decisions = adjustments.load_all(given.out, loaded, _students(entries, given.out))
        notes += _keep_given(given)
        pages = Pages(given.out, loaded, len(entries)) if given.html else None
        batch = Batch(configuration(given.settings), given.out, loaded, given.regrade, pages)
        if loaded.attempts == "best":
            entries = best_of(entries, replace(batch, pages=None), pool, on_record)
        late, about_late = late_work(loaded.late, entries, forms.moodle, before.late if before else None)

        def told_with_decisions(news: Progress) -> None:
            record = decided(news.record, decisions, loaded, late.get(news.record.key))
            on_record(replace(news, record=record))

        found = batch.run(entries, pool, told_with_decisions)
        pairs = None
        if given.similarity:
            handed_out = [locate(DEFAULT_SUBMISSION), *given.templates]
            pairs = similarity.alike(entries, course.template, handed_out, on_pair)
    gone = [record.student for key, record in known.items() if key not in {entry.key for entry in entries}]
    if gone:
        notes.append(f"Graded before, but not handed in this time, so in no gradebook: {'; '.join(gone)}.")
    kept = folder.Kept(
        rubric=loaded,
        keys=tuple(one.key for one in found),
        html=given.html,
        assignment=given.canvas_id,
        late=late,
        notes=(*notes, *about_late),
        pairs=pairs,
        faulty_tests=records.faulty_tests(found),
    )
    folder.save(given.out, kept)
    folder.keep_light(given.out, found)
    closing = Closing(given.out, kept, pages)
    final = [replace(closing.student(one, decisions), feedback="") for one in found]
    result = closing.books(final)
    closing.pack(final)
    return result


def _with_what_was_given(given: ClassSettings, before: folder.Kept | None) -> tuple[ClassSettings, list[str]]:
    """Return the settings with the files of the last run where none is named, and a sentence about them."""
    if before is None:
        return given, []
    moodle, canvas = folder.given(given.out, folder.MOODLE), folder.given(given.out, folder.CANVAS)
    used = ["Moodle's worksheet"] if moodle and not given.moodle_worksheet else []
    used += ["Canvas's gradebook"] if canvas and not given.canvas_gradebook else []
    again = replace(
        given,
        moodle_worksheet=given.moodle_worksheet or moodle,
        canvas_gradebook=given.canvas_gradebook or canvas,
        canvas_id=given.canvas_id or before.assignment,
        templates=given.templates or folder.given_templates(given.out),
        similarity=given.similarity or before.pairs is not None,
    )
    return again, [f"Used again, from the last run: {' and '.join(used)}."] if used else []


def _keep_given(given: ClassSettings) -> list[str]:
    """Keep copies of the files that a class is graded with; return a sentence on each that is replaced."""
    files = (
        (folder.MOODLE, "Moodle's worksheet", given.moodle_worksheet),
        (folder.CANVAS, "Canvas's gradebook", given.canvas_gradebook),
    )
    if given.templates != folder.given_templates(given.out):
        folder.keep_templates(given.out, given.templates)
    return [
        f"{what} of the last run is replaced by {file.name}."
        for name, what, file in files
        if file and folder.keep_given(given.out, name, file)
    ]


def _completed(entry: Entry, before: Record | None) -> Entry:
    """Return an entry with what an earlier run knew of the student, where this one does not say it."""
    if before is None:
        return entry
    return replace(entry, ids={**before.ids, **entry.ids}, others=entry.others or before.attempts)


def _students(entries: Sequence[Entry], out: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the key of everybody who is here or was graded into the same folder before."""
    yield from ((entry.student, entry.key) for entry in entries)
    if (out / records.FOLDER).is_dir():
        yield from ((one.student, one.key) for one in records.load_all(out))


def _pool(given: ClassSettings) -> AbstractContextManager[Pool]:
    return cluster_pool(given.cluster) if given.cluster else nullcontext(local_pool(given.jobs))
