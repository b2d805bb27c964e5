"""The batch: entries go through an executor, and each result is kept the moment it is known."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from grader.classroom import records
from grader.classroom.adjustments import decided
from grader.classroom.clerk import dismiss, grade_apart
from grader.classroom.closing import Pages
from grader.classroom.entries import Attempt, Entry, of_several, unreadable
from grader.classroom.folder import keep_source
from grader.classroom.lateness import late_work
from grader.classroom.records import Record
from grader.classroom.task import Configuration, Done, Task
from grader.core.course import notebook
from grader.core.course.hand_in import alone, collect
from grader.core.course.rubric import Rubric
from grader.core.text import printable

_MOST_BYTES: Final = 10_000_000


@dataclass(frozen=True)
class Progress:
    """How far a batch is: the newest line, and how many there are."""

    record: Record
    done: int
    total: int
    kept: int
    """How many of them were graded before and are unchanged."""
    anew: bool = True


OnRecord = Callable[[Progress], None]


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
            on_record(Progress(record, len(found), len(entries), kept, anew))

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

        for done in pool.results(tasks()):
            entry, fingerprint = waiting[done.key]
            known(self._keep(entry, done, fingerprint))
        return [found[entry.key] for entry in entries]

    def _task(self, entry: Entry) -> Task:
        assert entry.file
        source, size = _read(entry)
        name, is_program = entry.submission, self.rubric.kind == "program"
        if not name.endswith((".py", notebook.SUFFIX)):
            name = f"{name}/{entry.file.name}"
        folder = collect(entry.folder) if entry.folder else (alone(entry.file),) if is_program else None
        main = printable(entry.file.relative_to(entry.folder).as_posix()) if entry.folder else ""
        helpers = () if is_program else entry.helpers(source)
        return Task(entry.key, name, source, size, self.configuration, folder, helpers, main)

    def _looked_at(self, entry: Entry) -> tuple[Entry, str]:
        """Return an entry and its fingerprint; what cannot be read is that one student's problem."""
        try:
            return entry, self._fingerprint(entry)
        except (OSError, ValueError) as error:
            blamed = unreadable(entry, entry.file, error)
            return blamed, self._fingerprint(blamed)

    def _fingerprint(self, entry: Entry) -> str:
        """Return what changes whenever this student's grade might."""
        source, _ = _read(entry)
        about = f"{self.configuration.digest} {entry.submission} {entry.problem}"
        found = hashlib.sha256(about.encode() + source)
        is_program = self.rubric.kind == "program"
        beside = collect(entry.folder) if entry.folder else () if is_program else entry.helpers(source)
        for one in beside:
            found.update(f"\n{one.name} {one.size} {one.digests}\n".encode() + one.content)
        return found.hexdigest()

    def _keep(self, entry: Entry, done: Done | None, fingerprint: str) -> Record:
        since = keep_source(self.out, entry, self.rubric)
        record = replace(records.record_of(entry, done, fingerprint), changed_at=since)
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
    work: Callable[[bytes], bytes] = grade_apart

    def results(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Yield what comes of each task, as it is known; tasks are made when they can be handed over."""
        waiting, running = iter(tasks), dict[Future[bytes], str]()
        with _closing(self.open_executor()) as executor:
            while True:
                for task in islice(waiting, self.at_once - len(running)):
                    running[executor.submit(self.work, task.to_bytes())] = task.key
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield _done(future, running.pop(future))


def _done(future: Future[bytes], key: str) -> Done:
    """Return what came of a task; what the executor itself could not do is a fault of the grader."""
    try:
        done = Done.from_bytes(future.result())
    except Exception as error:
        return Done(key, fault=f"{type(error).__name__}: {error}")
    return done if done.key == key else Done(key, fault="The answer to another task came back.")


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
    """Return the entries, of several hand-ins the one that earned most: late work counts; of equals the last.

    Each is kept in a folder of its own beside the grades, so that it is not graded again.
    """
    keyed = [one for entry in entries for one in _tries(entry)]
    if not keyed:
        return list(entries)
    found = {one.key: one for one in batch.run(keyed, pool, on_record)}
    late, _ = late_work(batch.rubric.late, keyed, None)
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
