"""The whole class: entries in, grades for everybody out, and what goes back written beside them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from grader.classroom import adjustments, folder, intake, records, returned, similarity
from grader.classroom.adjustments import decided
from grader.classroom.batch import Batch, OnRecord, Pool, Progress, best_of, local_pool
from grader.classroom.candidates import Wanted
from grader.classroom.closing import Closing, Pages
from grader.classroom.cluster import cluster_pool
from grader.classroom.entries import Entry, with_earlier_keys
from grader.classroom.folder import ClassResult
from grader.classroom.lateness import late_work, with_lateness
from grader.classroom.records import Record
from grader.classroom.similarity import OnPair
from grader.classroom.task import configuration
from grader.core.course.course import Course
from grader.core.course.reading import read_source
from grader.core.course.rubric import Rubric
from grader.core.course.submission import locate
from grader.core.errors import UserError
from grader.core.text import printable, source_text
from grader.course.courses import fixtures_of
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
    if given.out.exists() and not given.out.is_dir():
        raise UserError("is a file: --out names a folder", file=given.out)
    before = None
    with suppress(UserError):  # a class that cannot be read is graded anew
        before = folder.load_if_graded(given.out)
    settings, used, notes = _with_course(given.settings, given.out, before)
    check_configuration(settings)
    course = load_course(settings)
    loaded = course.rubric
    given, files = _with_what_was_given(replace(given, settings=settings), before, loaded)
    if used := used + files:
        notes.append(f"Used again, from the last run: {' and '.join(used)}.")
    forms = returned.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    wanted = Wanted(loaded.kind, loaded.attempts)
    with intake.opened(paths, wanted, given.out) as opened, _pool(given) as pool:
        known = _graded_before(given.out)
        keyed = with_earlier_keys(opened, known.values())
        entries = [_completed(entry, known.get(entry.key)) for entry in keyed]
        students = [(entry.student, entry.key) for entry in entries]
        students += [(record.student, record.key) for record in known.values()]
        decisions = adjustments.load_all(given.out, loaded, students)
        notes += _keep_given(given)
        pages = Pages(given.out, loaded, len(entries)) if given.html else None
        batch = Batch(configuration(given.settings), given.out, loaded, given.regrade, pages)
        if loaded.attempts == "best":
            entries = best_of(entries, replace(batch, pages=None), pool, on_record)
        late, about_late = late_work(loaded.late, entries, forms.moodle, before.late if before else None)
        entries = with_lateness(loaded.late, entries, late)

        def told_with_decisions(news: Progress) -> None:
            record = decided(news.record, decisions, loaded, late.get(news.record.key))
            on_record(replace(news, record=record))

        found = batch.run(entries, pool, told_with_decisions)
        alike = _alike(found, course, given, on_pair) if given.similarity else None
    here = {entry.key for entry in entries}
    gone = [known[key].student for key in (before.keys if before else ()) if key in known and key not in here]
    if gone:
        notes.append(f"In the last run, but not in this one, so in no gradebook: {'; '.join(gone)}.")
    kept = folder.Kept(
        rubric=loaded,
        keys=tuple(one.key for one in found),
        html=given.html,
        assignment=given.canvas_id,
        late=late,
        notes=(*notes, *about_late),
        alike=alike,
        faulty_tests=records.faulty_tests(found),
    )
    folder.save(given.out, kept)
    folder.keep_light(given.out, found)
    closing = Closing(given.out, kept, pages)
    while True:
        stamp = adjustments.stamp(given.out)
        decisions = adjustments.load_all(given.out, loaded, students)
        final = [replace(closing.student(one, decisions), feedback="") for one in found]
        result = closing.books(final)
        closing.pack(final)
        if adjustments.stamp(given.out) == stamp:
            return result  # else somebody has marked meanwhile


def _with_course(
    given: Settings, out: Path, before: folder.Kept | None
) -> tuple[Settings, list[str], list[str]]:
    """Return the settings with the rubric and fixtures of the last run where none is named.

    Beside them: what is used again, and sentences on what is replaced.
    """
    last = folder.given_course(out)
    if last is None:
        if before and not given.rubric_named and before.rubric != load_course(given).rubric:
            mend = "name it with --rubric FILE or --course NAME (the shipped rubric: --course default)"
            raise UserError(f"was graded by another rubric, and does not say where that is: {mend}", file=out)
        return given, [], []
    rubric = given.rubric_file if given.rubric_named else last.rubric_file
    is_same = rubric.resolve() == last.rubric_file.resolve()
    last_fixtures = Path(last.fixtures) if last.fixtures else fixtures_of(last.rubric_file)
    again = last_fixtures if is_same else fixtures_of(rubric)
    fixtures = given.fixtures if given.fixtures_named else again
    _missed(rubric, "--rubric FILE or --course NAME", is_named=given.rubric_named)
    _missed(fixtures, "--fixtures FOLDER", is_named=given.fixtures_named)
    used = [] if given.rubric_named or last.course == "default" else [f"the rubric {last.course or rubric}"]
    used += [f"the fixtures {fixtures}"] if last.fixtures and is_same and not given.fixtures_named else []
    notes = [] if is_same else [f"The rubric of the last run is replaced by {printable(str(rubric))}."]
    if fixtures.resolve() != last_fixtures.resolve() and (given.fixtures_named or last.fixtures):
        notes.append(f"The fixtures of the last run are replaced by {printable(str(fixtures))}.")
    return replace(given, rubric_file=rubric, fixtures=fixtures), list(map(printable, used)), notes


def _missed(file: Path, option: str, *, is_named: bool) -> None:
    """Raise UserError for a file of the last run that is gone, and that nobody has named."""
    if not (is_named or file.exists()):
        raise UserError(f"is gone, and the class was graded by it: give {option}", file=file)


def _with_what_was_given(
    given: ClassSettings, before: folder.Kept | None, rubric: Rubric
) -> tuple[ClassSettings, list[str]]:
    """Return the settings with the files of the last run where none is named, and which these are."""
    moodle, canvas = folder.given(given.out, folder.MOODLE), folder.given(given.out, folder.CANVAS)
    used = ["Moodle's worksheet"] if moodle and not given.moodle_worksheet else []
    used += ["Canvas's gradebook"] if canvas and not given.canvas_gradebook else []
    again = replace(
        given,
        moodle_worksheet=given.moodle_worksheet or moodle,
        canvas_gradebook=given.canvas_gradebook or canvas,
        canvas_id=given.canvas_id or (before.assignment if before else None),
        templates=given.templates or folder.given_templates(given.out),
        similarity=given.similarity or rubric.similarity or bool(before and before.alike),
    )
    return again, used


def _keep_given(given: ClassSettings) -> list[str]:
    """Keep copies of the files that a class is graded with; return a sentence on each that is replaced."""
    folder.keep_course(given.out, given.settings.rubric_file, given.settings.fixtures)
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


def _graded_before(out: Path) -> dict[str, Record]:
    """Return everybody who was graded into a folder before, by their keys."""
    found = records.load_all(out) if (out / records.FOLDER).is_dir() else ()
    return {record.key: record.lighter() for record in found}


def _alike(found: Sequence[Record], course: Course, given: ClassSettings, on_pair: OnPair) -> folder.Alike:
    """Compare what everybody handed in, as it was graded."""
    files = [locate(DEFAULT_SUBMISSION), *given.templates]
    handed_out = [course.template.text, *(_handed_out(file) for file in files)]
    graded = (one.key for one in found if one.status != "not_graded")
    sources = {key: source for key in graded if (source := folder.source_of(given.out, key))}
    beyond_template = bool(course.rubric.template or given.templates)
    alike = similarity.alike(sources, handed_out, on_pair, beyond_template=beyond_template)
    others = (one.key for one in found if one.status == "not_graded")
    return replace(alike, not_graded=sum(folder.source_of(given.out, key) is not None for key in others))


def _handed_out(file: Path) -> str:
    raw = file.read_bytes()
    return source_text(read_source(raw, len(raw), len(raw), notebooks=True).source)


def _pool(given: ClassSettings) -> AbstractContextManager[Pool]:
    return cluster_pool(given.cluster) if given.cluster else nullcontext(local_pool(given.jobs))
