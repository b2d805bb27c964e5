"""The batch: entries go through an executor, and each result is kept the moment it is known."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.classroom import adjustments, intake, outputs, records, similarity
from grader.classroom.adjustments import decided, late_work
from grader.classroom.clerk import Configuration, Task, configuration, decoded, dismiss, encoded, grade_apart
from grader.classroom.entries import Attempt, Entry, of_several, unreadable, with_earlier_keys
from grader.classroom.outputs import Closing
from grader.classroom.records import ClassResult, ClassState, Record, keep_source
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
    """How far a batch is: the newest record, whole if it is new, and how many there are."""

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

    def run(self, entries: Sequence[Entry], pool: "Pool", on_record: OnRecord) -> list[Record]:
        """Grade what is new or changed; return a light record for every entry, in their order."""
        records.tidy(self.out)
        found: dict[str, Record] = {}
        waiting: dict[str, tuple[Entry, str]] = {}
        kept = 0

        def known(record: Record, *, anew: bool = True) -> None:
            found[record.key] = record.lighter()
            on_record(BatchProgress(record, len(found), len(entries), kept, anew))

        for entry, fingerprint in map(self._fingerprinted, entries):
            before = None if self.regrade else records.load(self.out, entry.key)
            if before and before.fingerprint == fingerprint and before.is_final:
                kept += 1
                since = keep_source(self.out, entry, self.rubric)
                same = replace(before, attempts=entry.others, late=entry.late, changed_at=since)
                if same != before:
                    records.save(self.out, same)
                now = replace(same.lighter(), student=entry.student, notes=entry.notes, ids=entry.ids)
                known(now, anew=False)
            elif entry.file is None:
                known(self._save(entry, None, fingerprint))
            else:
                waiting[entry.key] = entry, fingerprint

        def tasks() -> Iterator[Task]:
            for entry, fingerprint in waiting.values():
                try:
                    task = self._task(entry)
                except (OSError, ValueError) as error:  # it was readable a moment ago
                    known(self._save(unreadable(entry, entry.file, error), None, fingerprint))
                else:
                    yield task

        for done in pool.results(self.configuration, tasks()):
            entry, fingerprint = waiting[done.key]
            known(self._save(entry, done, fingerprint))
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
        return Task(entry.key, name, source, size, folder, helpers, main, entry.language(self.rubric))

    def _fingerprinted(self, entry: Entry) -> tuple[Entry, str]:
        """Return an entry and its fingerprint; what cannot be read is that student's problem."""
        try:
            return entry, self._fingerprint(entry)
        except (OSError, ValueError) as error:
            blamed = unreadable(entry, entry.file, error)
            return blamed, self._fingerprint(blamed)

    def _fingerprint(self, entry: Entry) -> str:
        """Return what changes whenever this student's grade might."""
        source, _size = _read(entry)
        language = entry.language(self.rubric)
        about = f"{self.configuration.digest} {entry.submission} {entry.problem}"
        about += f" {language}" if language != ENGLISH else ""
        found = hashlib.sha256(about.encode() + source)
        is_program = self.rubric.kind == "program"
        beside = collect(entry.folder) if entry.folder else () if is_program else entry.helpers(source)
        for file in beside:
            found.update(f"\n{file.name} {file.size} {file.digests}\n".encode() + file.content)
        return found.hexdigest()

    def _save(self, entry: Entry, done: Record | None, fingerprint: str) -> Record:
        """Write down what a clerk has found, or that there is nothing to grade; return the record."""
        record = replace(
            done or Record(key=entry.key, status="not_graded", why=entry.problem),
            student=entry.student,
            submission=entry.submission,
            language=entry.language(self.rubric),
            late=entry.late,
            notes=entry.notes,
            ids=entry.ids,
            fingerprint=fingerprint,
            attempts=entry.others,
            changed_at=keep_source(self.out, entry, self.rubric),
        )
        records.save(self.out, record)
        return record


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
        """Yield what comes of each task, as it is known; tasks are made when they can be handed over.

        Whatever ends the work, the processes of the executor end too, and nobody waits for what they do.
        """
        waiting, running, course = iter(tasks), dict[Future[bytes], str](), self.shared(encoded(by))
        executor = self.open_executor()
        try:
            while True:
                for task in islice(waiting, self.at_once - len(running)):
                    running[executor.submit(self.work, course, encoded(task))] = task.key
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield _result_of(future, running.pop(future))
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            dismiss()
            raise
        executor.shutdown()


def _result_of(future: Future[bytes], key: str) -> Record:
    """Return what came of a task; what the executor itself could not do is a fault of the grader."""
    try:
        done = decoded(Record, future.result())
        why = "" if done.key == key else _("The answer to another task came back.")
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    return Record(key=key, status="grader_error", why=why) if why else done


def local_pool(jobs: int) -> Pool:
    """Return a pool of so many processes on this machine: a clerk for each thread."""
    return Pool(lambda: ThreadPoolExecutor(jobs), 2 * jobs)


def best_of(entries: Sequence[Entry], batch: Batch, pool: Pool, on_record: OnRecord) -> list[Entry]:
    """Return the entries, of several submissions the one that earned most; of equals the last.

    Each is kept in a folder of its own beside the grades, so that it is not graded again.
    """
    tries = {
        entry.key: [
            replace(attempt, key=f"attempts/{entry.key}-{number}")
            for number, attempt in enumerate(entry.tries, 1)
        ]
        for entry in entries
    }
    keyed = [attempt for own in tries.values() for attempt in own]
    if not keyed:
        return list(entries)
    late, _notes = late_work(batch.rubric.late, keyed, None)
    earned = {
        record.key: decided(record, (), batch.rubric, late.get(record.key)).total
        for record in batch.run(keyed, pool, on_record)
    }

    def best(entry: Entry) -> Entry:
        keys = [attempt.key for attempt in tries[entry.key]]
        totals = [earned[key] for key in keys]
        at = max(range(len(keys)), key=lambda at: (-1.0 if (total := totals[at]) is None else total, at))
        meant = of_several(entry.tries, entry.tries[at])
        others = tuple(
            Attempt(submission=attempt.submission, total=total)
            for number, (attempt, total) in enumerate(zip(entry.tries, totals, strict=True))
            if number != at
        )
        whole, known = records.load(batch.out, keys[at]), records.load(batch.out, entry.key)
        if whole and (known is None or known.fingerprint != whole.fingerprint):
            records.save(batch.out, replace(whole, key=entry.key))
        added = tuple(note for note in entry.notes if note not in entry.tries[-1].notes)
        return replace(meant, key=entry.key, others=others, notes=(*meant.notes, *added))

    return [best(entry) if entry.tries else entry for entry in entries]


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
        why = _("there is no Dask scheduler at {address}: {error}", address=address, error=error)
        raise UserError(why) from None
    with client:
        versions = client.run(version, on_error="return")
        if not versions:
            why = _(
                "the scheduler at {address} has no workers: start some with 'dask worker {address}'",
                address=address,
            )
            raise UserError(why)
        for worker, found in versions.items():
            if found != __version__:
                about = {"where": worker, "version": __version__, "found": found}
                raise UserError(
                    _("the worker {where} needs tictactoe-grader {version}, and has: {found}", **about)
                )
        yield Pool(
            lambda: client.get_executor(pure=False),
            4 * len(versions),
            shared=lambda course: client.scatter(course, broadcast=True),
        )


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
    out = given.out
    if out.exists() and not out.is_dir():
        raise UserError(_("is a file: --out names a folder"), file=out)
    before = None
    with suppress(UserError):  # a class that cannot be read is graded anew
        before = records.load_if_graded(out)
    given, notes = _with_last_run(given, before)
    check_configuration(given.settings)
    course = load_course(given.settings)
    loaded = course.rubric
    given = replace(given, similarity=given.similarity or loaded.similarity)
    forms = outputs.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    wanted = intake.Wanted(loaded.kind, loaded.attempts)
    pooled = cluster_pool(given.cluster) if given.cluster else nullcontext(local_pool(given.jobs))
    with intake.opened(paths, wanted, out, loaded.language) as opened, pooled as pool:
        graded = records.load_all(out) if (out / records.FOLDER).is_dir() else ()
        known = {record.key: record.lighter() for record in graded}
        keyed = with_earlier_keys(opened, known.values())
        entries = [_completed(entry, known.get(entry.key)) for entry in keyed]
        students = [(entry.student, entry.key) for entry in entries]
        students += [(record.student, record.key) for record in known.values()]
        decisions = adjustments.load_all(out, loaded, students)
        notes += _keep_given(given)
        batch = Batch(configuration(given.settings), out, loaded, given.regrade)
        if loaded.attempts == "best":
            entries = best_of(entries, batch, pool, on_record)
        late, about_late = late_work(loaded.late, entries, forms.moodle, before.late if before else None)
        if rule := loaded.late:  # without one they are late as the entries say
            are_late = {key for key, work in late.items() if not rule.is_in_time(work.by)}
            entries = [replace(entry, late=entry.key in are_late) for entry in entries]
        keys = tuple(entry.key for entry in entries)
        kept = ClassState(rubric=loaded, keys=keys, html=given.html, assignment=given.canvas_id, late=late)
        closing = Closing(out, kept)
        finals: list[Record] = []

        def on_news(news: BatchProgress) -> None:
            whole = news.record
            if news.anew:
                final = closing.student(whole.lighter(), decisions, whole)
            else:
                final = closing.decided(whole, decisions)
            finals.append(final)
            closing.now_and_then(finals)
            on_record(replace(news, record=final))

        found = batch.run(entries, pool, on_news)
        alike = _alike(found, course, given, on_pair) if given.similarity else None
    gone = [known[key].student for key in (before.keys if before else ()) if key in known.keys() - set(keys)]
    notes += _notes_on(gone, found) + about_late
    closing.kept = replace(kept, notes=tuple(notes), alike=alike, faulty_tests=records.faulty_tests(found))
    records.save_class(out, closing.kept)
    return _closed(closing, found, students)


def _closed(closing: Closing, found: Sequence[Record], students: Sequence[tuple[str, str]]) -> ClassResult:
    """Write all that goes back, again as long as somebody marks meanwhile."""
    while True:
        stamp = adjustments.stamp(closing.out)
        decisions = adjustments.load_all(closing.out, closing.kept.rubric, students)
        final = [replace(closing.student(record, decisions), feedback="") for record in found]
        result = closing.books(final)
        closing.pack(final)
        if adjustments.stamp(closing.out) == stamp:
            return result


def _completed(entry: Entry, before: Record | None) -> Entry:
    """Return an entry with what an earlier run knew of the student, where this one does not say it."""
    if before is None:
        return entry
    return replace(entry, ids={**before.ids, **entry.ids}, others=entry.others or before.attempts)


def _notes_on(gone: Sequence[str], found: Sequence[Record]) -> list[str]:
    """Return notes on students of the last run who are gone, and on files in different sandboxes."""
    graded = ((record.student, record.grade) for record in found if record.grade)
    ran = [(student, grade.boundary) for student, grade in graded if grade.boundary]
    native = [student for student, boundary in ran if boundary.kind == "native"]
    wasm = [student for student, boundary in ran if boundary.kind == "wasm"]
    notes = []
    if gone:
        names = "; ".join(gone)
        notes.append(_("In the last run, but not in this one, so in no gradebook: {names}.", names=names))
    if native and wasm:
        by_kind = (wasm, "wasm", "native"), (native, "native", "wasm")
        fewer, kind, other = min(by_kind, key=lambda ran: len(ran[0]))
        notes.append(
            _(
                "Two sandboxes graded this class: {kind} for {names}, {other} for all others. "
                "'--regrade' with '--sandbox-kind' grades everybody in one.",
                kind=kind,
                names="; ".join(fewer),
                other=other,
            )
        )
    return notes + [
        _("Files ran in the native sandbox, because WebAssembly could not be prepared: {why}", why=why)
        for why in sorted({boundary.no_wasm for _student, boundary in ran if boundary.no_wasm})
    ]


def _with_course(
    given: Settings, out: Path, before: ClassState | None
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
    for file, option, is_named in (
        (rubric, _("--rubric FILE or --course NAME"), given.rubric_named),
        (fixtures, "--fixtures FOLDER", given.fixtures_named),
    ):
        if not (is_named or file.exists()):
            why = _("is gone, and the class was graded by it: give {option}", option=option)
            raise UserError(why, file=file)
    used, notes = [], []
    if not (given.rubric_named or last.course == "default"):
        used.append(_("the rubric {file}", file=last.course or rubric))
    if last.fixtures and is_same and not given.fixtures_named:
        used.append(_("the fixtures {folder}", folder=fixtures))
    if not is_same:
        new = printable(str(rubric))
        notes.append(_("The rubric of the last run is replaced by {file}.", file=new))
    if fixtures.resolve() != last_fixtures.resolve() and (given.fixtures_named or last.fixtures):
        new = printable(str(fixtures))
        notes.append(_("The fixtures of the last run are replaced by {folder}.", folder=new))
    return replace(given, rubric_file=rubric, fixtures=fixtures), list(map(printable, used)), notes


def _with_last_run(given: ClassSettings, before: ClassState | None) -> tuple[ClassSettings, list[str]]:
    """Return the settings with what the last run was given where nothing is named, and notes on that."""
    settings, used, notes = _with_course(given.settings, given.out, before)
    moodle, canvas = records.given(given.out, records.MOODLE), records.given(given.out, records.CANVAS)
    used += [_("Moodle's worksheet")] if moodle and not given.moodle_worksheet else []
    used += [_("Canvas's gradebook")] if canvas and not given.canvas_gradebook else []
    if used:
        notes.append(_("Used again, from the last run: {files}.", files=listing(used)))
    again = replace(
        given,
        settings=settings,
        moodle_worksheet=given.moodle_worksheet or moodle,
        canvas_gradebook=given.canvas_gradebook or canvas,
        canvas_id=given.canvas_id or (before.assignment if before else None),
        templates=given.templates or records.given_templates(given.out),
        similarity=given.similarity or bool(before and before.alike),
    )
    return again, notes


def _keep_given(given: ClassSettings) -> list[str]:
    """Keep copies of the files that a class is graded with; return a sentence on each that is replaced."""
    records.keep_course(given.out, given.settings.rubric_file, given.settings.fixtures)
    if given.templates != records.given_templates(given.out):
        records.keep_templates(given.out, given.templates)
    moodle = _("Moodle's worksheet of the last run is replaced by {file}.")
    canvas = _("Canvas's gradebook of the last run is replaced by {file}.")
    return [
        sentence.format(file=file.name)
        for name, sentence, file in (
            (records.MOODLE, moodle, given.moodle_worksheet),
            (records.CANVAS, canvas, given.canvas_gradebook),
        )
        if file and records.keep_given(given.out, name, file)
    ]


def _alike(found: Sequence[Record], course: Course, given: ClassSettings, on_pair: OnPair) -> records.Alike:
    """Compare what everybody handed in, as it was graded."""
    handed_out = [course.template.text]
    for file in (locate(DEFAULT_SUBMISSION), *given.templates):
        raw = file.read_bytes()
        handed_out.append(source_text(read_source(raw, len(raw), len(raw), notebooks=True).source))
    sources = {record.key: records.source_of(given.out, record.key) for record in found}
    graded = [record.key for record in found if record.status != "not_graded"]
    compared = {key: source for key in graded if (source := sources[key])}
    beyond_template = bool(course.rubric.template or given.templates)
    alike = similarity.alike(compared, handed_out, on_pair, beyond_template=beyond_template)
    return replace(alike, not_graded=sum(source is not None for source in sources.values()) - len(compared))
