"""The batch: entries go through an executor, and each result is kept the moment it is known."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.classroom import adjustments, intake, outputs, records, similarity
from grader.classroom.adjustments import decided, late_work, with_lateness
from grader.classroom.clerk import Configuration, Task, configuration, decoded, dismiss, encoded, grade_apart
from grader.classroom.entries import Attempt, Entry, language_of, of_several, unreadable, with_earlier_keys
from grader.classroom.intake import Wanted
from grader.classroom.outputs import Closing, Pages
from grader.classroom.records import ClassResult, Record, keep_source
from grader.classroom.similarity import OnPair
from grader.core.course.course import Course
from grader.core.course.reading import NOTEBOOK_SUFFIX, read_source
from grader.core.course.rubric import Rubric
from grader.core.course.submission import alone, collect, locate
from grader.core.errors import UserError
from grader.core.messages import ENGLISH, _, listing
from grader.core.values import printable, source_text
from grader.course.courses import DEFAULT_SUBMISSION, fixtures_of
from grader.grading.session import Settings, check_configuration, load_course

_MOST_BYTES: Final = 10_000_000


@dataclass(frozen=True)
class BatchProgress:
    """How far a batch is: the newest line, and how many there are."""

    record: Record
    done: int
    total: int
    kept: int
    """How many of them were graded before and are unchanged."""
    anew: bool = True


OnRecord = Callable[[BatchProgress], None]


@dataclass(frozen=True)
class Batch:
    """Many submissions to grade into one folder."""

    configuration: Configuration
    out: Path
    rubric: Rubric
    regrade: bool = False
    pages: Pages | None = None

    def run(self, entries: Sequence[Entry], pool: "Pool", on_record: OnRecord) -> list[Record]:
        """Grade what is new or changed; return a line for every entry, in their order."""
        records.tidy(self.out)
        found: dict[str, Record] = {}
        kept = 0

        def known(record: Record, *, anew: bool = True) -> None:
            found[record.key] = record
            if self.pages:
                self.pages.now_and_then(found.values())
            on_record(BatchProgress(record, len(found), len(entries), kept, anew))

        waiting: dict[str, tuple[Entry, str]] = {}
        for entry, fingerprint in map(self._looked_at, entries):
            before = None if self.regrade else records.load(self.out, entry.key)
            if before and before.fingerprint == fingerprint and before.is_final:
                kept += 1
                since = keep_source(self.out, entry, self.rubric)
                same = replace(before, attempts=entry.others, late=entry.late, changed_at=since)
                if same != before:
                    before = same
                    records.save(self.out, before)
                now = replace(before.lighter(), student=entry.student, notes=entry.notes, ids=entry.ids)
                known(now, anew=False)
            elif entry.file is None:
                known(self._keep(entry, None, fingerprint))
            else:
                waiting[entry.key] = entry, fingerprint

        def tasks() -> Iterator[Task]:
            for entry, fingerprint in waiting.values():
                try:
                    task = self._task(entry)
                except (OSError, ValueError) as error:  # it was readable a moment ago
                    known(self._keep(unreadable(entry, entry.file, error), None, fingerprint))
                else:
                    yield task

        for done in pool.results(self.configuration, tasks()):
            entry, fingerprint = waiting[done.key]
            known(self._keep(entry, done, fingerprint))
        return [found[entry.key] for entry in entries]

    def _task(self, entry: Entry) -> Task:
        assert entry.file
        source, size = _read(entry)
        name, is_program = entry.submission, self.rubric.kind == "program"
        if not name.endswith((".py", NOTEBOOK_SUFFIX)):
            name = f"{name}/{entry.file.name}"
        folder = collect(entry.folder) if entry.folder else (alone(entry.file),) if is_program else None
        main = printable(entry.file.relative_to(entry.folder).as_posix()) if entry.folder else ""
        helpers = () if is_program else entry.helpers(source)
        language = language_of(entry, self.rubric)
        return Task(entry.key, name, source, size, folder, helpers, main, language)

    def _looked_at(self, entry: Entry) -> tuple[Entry, str]:
        """Return an entry and its fingerprint; what cannot be read is that one student's problem."""
        try:
            return entry, self._fingerprint(entry)
        except (OSError, ValueError) as error:
            blamed = unreadable(entry, entry.file, error)
            return blamed, self._fingerprint(blamed)

    def _fingerprint(self, entry: Entry) -> str:
        """Return what changes whenever this student's grade might."""
        source, _size = _read(entry)
        language = language_of(entry, self.rubric)
        about = f"{self.configuration.digest} {entry.submission} {entry.problem}"
        about += f" {language}" if language != ENGLISH else ""
        found = hashlib.sha256(about.encode() + source)
        is_program = self.rubric.kind == "program"
        beside = collect(entry.folder) if entry.folder else () if is_program else entry.helpers(source)
        for one in beside:
            found.update(f"\n{one.name} {one.size} {one.digests}\n".encode() + one.content)
        return found.hexdigest()

    def _keep(self, entry: Entry, done: Record | None, fingerprint: str) -> Record:
        since = keep_source(self.out, entry, self.rubric)
        language = language_of(entry, self.rubric)
        record = records.record_of(entry, done, fingerprint, language)
        record = replace(record, changed_at=since)
        records.save(self.out, record)
        if self.pages:
            self.pages.of_student(record)
        return record.lighter()


def _read(entry: Entry) -> tuple[bytes, int]:
    """Return a submission's bytes, as many as anybody would grade, and how many there are."""
    if entry.file is None:
        return b"", 0
    with entry.file.open("rb") as stream:
        return stream.read(_MOST_BYTES), entry.file.stat().st_size


@dataclass(frozen=True)
class Pool:
    """Runs tasks on any executor of concurrent.futures; a few more than it can do at once are handed over."""

    open_executor: Callable[[], Executor]
    at_once: int
    work: Callable[[bytes, bytes], bytes] = grade_apart
    shared: Callable[[bytes], Any] = bytes
    """Sends once what each task needs, where tasks are done elsewhere; returns what stands for it."""

    def results(self, by: Configuration, tasks: Iterable[Task]) -> Iterator[Record]:
        """Yield what comes of each task, as it is known; tasks are made when they can be handed over."""
        waiting, running, course = iter(tasks), dict[Future[bytes], str](), self.shared(encoded(by))
        with _closing(self.open_executor()) as executor:
            while True:
                for task in islice(waiting, self.at_once - len(running)):
                    running[executor.submit(self.work, course, encoded(task))] = task.key
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield _done(future, running.pop(future))


def _done(future: Future[bytes], key: str) -> Record:
    """Return what came of a task; what the executor itself could not do is a fault of the grader."""
    try:
        done = decoded(Record, future.result())
        why = "" if done.key == key else _("The answer to another task came back.")
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    return Record(key=key, status="grader_error", why=why) if why else done


@contextmanager
def _closing(executor: Executor) -> Iterator[Executor]:
    """Give an executor; whatever ends the work, its processes end too, and nobody waits for what they do."""
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        dismiss()
        raise
    executor.shutdown()


def local_pool(jobs: int) -> Pool:
    """Return a pool of so many processes on this machine: a clerk for each thread."""
    return Pool(lambda: ThreadPoolExecutor(jobs), 2 * jobs)


def best_of(entries: Sequence[Entry], batch: Batch, pool: Pool, on_record: OnRecord) -> list[Entry]:
    """Return the entries, of several submissions the one that earned most; of equals the last.

    Each is kept in a folder of its own beside the grades, so that it is not graded again.
    """
    keyed = [one for entry in entries for one in _tries(entry)]
    if not keyed:
        return list(entries)
    found = {one.key: one for one in batch.run(keyed, pool, on_record)}
    late, _notes = late_work(batch.rubric.late, keyed, None)
    earned = {key: decided(one, (), batch.rubric, late.get(key)).total for key, one in found.items()}
    return [_best(entry, batch, earned) if entry.tries else entry for entry in entries]


def _tries(entry: Entry) -> list[Entry]:
    return [replace(one, key=f"attempts/{entry.key}-{number}") for number, one in enumerate(entry.tries, 1)]


def _best(entry: Entry, batch: Batch, earned: dict[str, float | None]) -> Entry:
    tries = _tries(entry)
    totals = [earned[one.key] for one in tries]
    at = max(range(len(tries)), key=lambda one: (-1.0 if totals[one] is None else totals[one] or 0.0, one))
    told_later = tuple(one for one in entry.notes if one not in entry.tries[-1].notes)
    meant = of_several(entry.tries, entry.tries[at])
    others = tuple(
        Attempt(submission=one.submission, total=total)
        for number, (one, total) in enumerate(zip(tries, totals, strict=True))
        if number != at
    )
    whole, known = records.load(batch.out, tries[at].key), records.load(batch.out, entry.key)
    if whole and (known is None or known.fingerprint != whole.fingerprint):
        records.save(batch.out, replace(whole, key=entry.key))
    return replace(meant, key=entry.key, others=others, notes=(*meant.notes, *told_later))


_TIMEOUT = 10


def version() -> str:
    """Return the version of the grader, wherever this runs."""
    return __version__


@contextmanager
def cluster_pool(address: str) -> Iterator[Pool]:
    """Give a pool on the workers of a scheduler; tasks of a lost worker are run again by the others."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UserError(_("--cluster needs Dask: pip install -e '.[cluster]'")) from None
    try:
        client = distributed.Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UserError(
            _("there is no Dask scheduler at {address}: {error}", address=address, error=error)
        ) from None
    with client:
        versions = client.run(version, on_error="return")
        if not versions:
            raise UserError(
                _(
                    "the scheduler at {address} has no workers: start some with 'dask worker {address}'",
                    address=address,
                )
            )
        for where, found in versions.items():
            if found != __version__:
                raise UserError(
                    _(
                        "the worker {where} needs tictactoe-grader {version}, and has: {found}",
                        where=where,
                        version=__version__,
                        found=found,
                    )
                )

        def shared(course: bytes) -> Any:
            return client.scatter(course, broadcast=True)

        yield Pool(lambda: client.get_executor(pure=False), 4 * len(versions), shared=shared)


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
        raise UserError(_("is a file: --out names a folder"), file=given.out)
    before = None
    with suppress(UserError):  # a class that cannot be read is graded anew
        before = records.load_if_graded(given.out)
    settings, used, notes = _with_course(given.settings, given.out, before)
    check_configuration(settings)
    course = load_course(settings)
    loaded = course.rubric
    given, files = _with_what_was_given(replace(given, settings=settings), before, loaded)
    if used := used + files:
        notes.append(_("Used again, from the last run: {files}.", files=listing(used)))
    forms = outputs.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    wanted = Wanted(loaded.kind, loaded.attempts)
    with intake.opened(paths, wanted, given.out, loaded.language) as opened, _pool(given) as pool:
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

        def told_with_decisions(news: BatchProgress) -> None:
            record = decided(news.record, decisions, loaded, late.get(news.record.key))
            on_record(replace(news, record=record))

        found = batch.run(entries, pool, told_with_decisions)
        alike = _alike(found, course, given, on_pair) if given.similarity else None
    notes += _gone(before, known, entries)
    notes += _boundaries(found)
    kept = records.ClassState(
        rubric=loaded,
        keys=tuple(one.key for one in found),
        html=given.html,
        assignment=given.canvas_id,
        late=late,
        notes=(*notes, *about_late),
        alike=alike,
        faulty_tests=records.faulty_tests(found),
    )
    records.save_class(given.out, kept)
    return _closed(Closing(given.out, kept, pages), found, students)


def _closed(closing: Closing, found: Sequence[Record], students: Sequence[tuple[str, str]]) -> ClassResult:
    """Write all that goes back, again as long as somebody marks meanwhile."""
    while True:
        stamp = adjustments.stamp(closing.out)
        decisions = adjustments.load_all(closing.out, closing.kept.rubric, students)
        final = [replace(closing.student(one, decisions), feedback="") for one in found]
        result = closing.books(final)
        closing.pack(final)
        if adjustments.stamp(closing.out) == stamp:
            return result


def _gone(before: records.ClassState | None, known: dict[str, Record], entries: Sequence[Entry]) -> list[str]:
    """Return a note on students of the last run that are missing in this one."""
    here = {entry.key for entry in entries}
    gone = [known[key].student for key in (before.keys if before else ()) if key in known and key not in here]
    if not gone:
        return []
    return [_("In the last run, but not in this one, so in no gradebook: {names}.", names="; ".join(gone))]


def _boundaries(found: Sequence[Record]) -> list[str]:
    """Return notes on a class of which not everybody ran in the same sandbox, or not in the chosen one."""
    ran = [(one.student, one.grade.boundary) for one in found if one.grade and one.grade.boundary]
    native = [student for student, boundary in ran if boundary.kind == "native"]
    wasm = [student for student, boundary in ran if boundary.kind == "wasm"]
    notes = []
    if native and wasm:
        fewer, kind, other = (
            (native, "native", "wasm") if len(native) < len(wasm) else (wasm, "wasm", "native")
        )
        notes.append(
            _(
                "Two sandboxes graded this class: {kind} for {names}, {other} for all others. "
                "'--regrade' with '--sandbox-kind' grades everybody in one.",
                kind=kind,
                names="; ".join(fewer),
                other=other,
            )
        )
    reasons = sorted({boundary.no_wasm for _, boundary in ran if boundary.no_wasm})
    return notes + [
        _("Files ran in the native sandbox, because WebAssembly could not be prepared: {why}", why=why)
        for why in reasons
    ]


def _with_course(
    given: Settings, out: Path, before: records.ClassState | None
) -> tuple[Settings, list[str], list[str]]:
    """Return the settings with the rubric and fixtures of the last run where none is named.

    Beside them: what is used again, and sentences on what is replaced.
    """
    last = records.given_course(out)
    if last is None:
        if before and not given.rubric_named and before.rubric != load_course(given).rubric:
            why = _(
                "was graded by another rubric, and does not say where that is: "
                "name it with --rubric FILE or --course NAME (the shipped rubric: --course default)"
            )
            raise UserError(why, file=out)
        return given, [], []
    rubric = given.rubric_file if given.rubric_named else last.rubric_file
    is_same = rubric.resolve() == last.rubric_file.resolve()
    last_fixtures = Path(last.fixtures) if last.fixtures else fixtures_of(last.rubric_file)
    again = last_fixtures if is_same else fixtures_of(rubric)
    fixtures = given.fixtures if given.fixtures_named else again
    _missed(rubric, _("--rubric FILE or --course NAME"), is_named=given.rubric_named)
    _missed(fixtures, "--fixtures FOLDER", is_named=given.fixtures_named)
    is_known = given.rubric_named or last.course == "default"
    used = [] if is_known else [_("the rubric {file}", file=last.course or rubric)]
    used += (
        [_("the fixtures {folder}", folder=fixtures)]
        if last.fixtures and is_same and not given.fixtures_named
        else []
    )
    new = printable(str(rubric))
    notes = [] if is_same else [_("The rubric of the last run is replaced by {file}.", file=new)]
    if fixtures.resolve() != last_fixtures.resolve() and (given.fixtures_named or last.fixtures):
        new = printable(str(fixtures))
        notes.append(_("The fixtures of the last run are replaced by {folder}.", folder=new))
    return replace(given, rubric_file=rubric, fixtures=fixtures), list(map(printable, used)), notes


def _missed(file: Path, option: str, *, is_named: bool) -> None:
    """Raise UserError for a file of the last run that is gone, and that nobody has named."""
    if not (is_named or file.exists()):
        why = _("is gone, and the class was graded by it: give {option}", option=option)
        raise UserError(why, file=file)


def _with_what_was_given(
    given: ClassSettings, before: records.ClassState | None, rubric: Rubric
) -> tuple[ClassSettings, list[str]]:
    """Return the settings with the files of the last run where none is named, and which these are."""
    moodle, canvas = records.given(given.out, records.MOODLE), records.given(given.out, records.CANVAS)
    used = [_("Moodle's worksheet")] if moodle and not given.moodle_worksheet else []
    used += [_("Canvas's gradebook")] if canvas and not given.canvas_gradebook else []
    again = replace(
        given,
        moodle_worksheet=given.moodle_worksheet or moodle,
        canvas_gradebook=given.canvas_gradebook or canvas,
        canvas_id=given.canvas_id or (before.assignment if before else None),
        templates=given.templates or records.given_templates(given.out),
        similarity=given.similarity or rubric.similarity or bool(before and before.alike),
    )
    return again, used


def _keep_given(given: ClassSettings) -> list[str]:
    """Keep copies of the files that a class is graded with; return a sentence on each that is replaced."""
    records.keep_course(given.out, given.settings.rubric_file, given.settings.fixtures)
    files = (
        (
            records.MOODLE,
            _("Moodle's worksheet of the last run is replaced by {file}."),
            given.moodle_worksheet,
        ),
        (
            records.CANVAS,
            _("Canvas's gradebook of the last run is replaced by {file}."),
            given.canvas_gradebook,
        ),
    )
    if given.templates != records.given_templates(given.out):
        records.keep_templates(given.out, given.templates)
    return [
        sentence.format(file=file.name)
        for name, sentence, file in files
        if file and records.keep_given(given.out, name, file)
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


def _alike(found: Sequence[Record], course: Course, given: ClassSettings, on_pair: OnPair) -> records.Alike:
    """Compare what everybody handed in, as it was graded."""
    files = [locate(DEFAULT_SUBMISSION), *given.templates]
    handed_out = [course.template.text, *(_handed_out(file) for file in files)]
    graded = (one.key for one in found if one.status != "not_graded")
    sources = {key: source for key in graded if (source := records.source_of(given.out, key))}
    beyond_template = bool(course.rubric.template or given.templates)
    alike = similarity.alike(sources, handed_out, on_pair, beyond_template=beyond_template)
    others = (one.key for one in found if one.status == "not_graded")
    return replace(alike, not_graded=sum(records.source_of(given.out, key) is not None for key in others))


def _handed_out(file: Path) -> str:
    raw = file.read_bytes()
    return source_text(read_source(raw, len(raw), len(raw), notebooks=True).source)


def _pool(given: ClassSettings) -> AbstractContextManager[Pool]:
    return cluster_pool(given.cluster) if given.cluster else nullcontext(local_pool(given.jobs))
