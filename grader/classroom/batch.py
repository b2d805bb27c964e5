"""The batch: entries go through an executor, and each result is kept the moment it is known."""

import ctypes
import hashlib
import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from grader.classroom import records
from grader.classroom.entries import Entry
from grader.classroom.pages import Pages
from grader.classroom.records import Record
from grader.classroom.task import Configuration, Done, Task, grade_task
from grader.course.hand_in import alone, collect

_DIE_WITH_PARENT: Final = 1
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
    regrade: bool = False
    pages: Pages | None = None
    programs: bool = False
    """Whether programs are handed in, and not files with functions."""

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
        for entry in entries:
            fingerprint = self._fingerprint(entry)
            before = None if self.regrade else records.load(self.out, entry.key)
            if before and before["fingerprint"] == fingerprint and before["status"] != "grader_error":
                kept += 1
                if self.pages:
                    self.pages.kept(entry, before)
                line = records.line_of(before)
                known(replace(line, student=entry.student, notes=entry.notes, ids=entry.ids), anew=False)
            elif entry.file is None:
                known(self._keep(entry, None, fingerprint))
            else:
                waiting[entry.key] = entry, fingerprint
        for done in pool.results(self._task(entry) for entry, _ in waiting.values()):
            entry, fingerprint = waiting[done.key]
            known(self._keep(entry, done, fingerprint))
        return [found[entry.key] for entry in entries]

    def _task(self, entry: Entry) -> Task:
        assert entry.file
        source, size = _read(entry)
        inside = "" if entry.submission.endswith(".py") else f"/{entry.file.name}"
        folder = collect(entry.folder) if entry.folder else (alone(entry.file),) if self.programs else None
        return Task(entry.key, entry.submission + inside, source, size, self.configuration, folder)

    def _fingerprint(self, entry: Entry) -> str:
        """Return what changes whenever this student's grade might."""
        source, _ = _read(entry)
        about = f"{self.configuration.digest} {entry.submission} {entry.problem} {entry.late}"
        found = hashlib.sha256(about.encode() + source)
        for one in collect(entry.folder) if entry.folder else ():
            found.update(f"\n{one.name} {one.size}\n".encode() + one.content)
        return found.hexdigest()

    def _keep(self, entry: Entry, done: Done | None, fingerprint: str) -> Record:
        record, data = records.record_of(entry, done, fingerprint)
        records.save(self.out, data)
        if self.pages:
            self.pages.of_student(entry, data)
        return record


def _read(entry: Entry) -> tuple[bytes, int]:
    """Return a submission's bytes, as many as anybody would grade, and how many there are."""
    if entry.file is None:
        return b"", 0
    with entry.file.open("rb") as stream:
        return stream.read(_MOST_BYTES), entry.file.stat().st_size


class Pool:
    """Runs tasks on any executor of concurrent.futures; a few more than it can do at once are handed over."""

    def __init__(
        self, open_executor: Callable[[], Executor], at_once: int, work: Callable[[Task], Done] = grade_task
    ) -> None:
        self._open_executor = open_executor
        self._at_once = at_once
        self._work = work

    def results(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Yield what comes of each task, as it is known; tasks are made when they can be handed over.

        When a process is lost, all that were handed over are done again one by one: the one that loses its
        process again is told apart, and the others are graded.
        """
        waiting, finished = iter(tasks), False
        while not finished:
            open_tasks: dict[str, Task] = {}
            with _closing(self._open_executor()) as executor:
                try:
                    yield from self._streamed(executor, waiting, open_tasks)
                    finished = True
                except BrokenExecutor:
                    pass
            for task in open_tasks.values():
                yield self._alone(task)

    def _streamed(
        self, executor: Executor, waiting: Iterator[Task], open_tasks: dict[str, Task]
    ) -> Iterator[Done]:
        """Yield results while tasks last; those handed over and not done yet are in `open_tasks`."""
        running: dict[Future[Done], str] = {}
        while True:
            for task in islice(waiting, self._at_once - len(running)):
                open_tasks[task.key] = task
                running[executor.submit(self._work, task)] = task.key
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                done = _done(future, running[future])
                del running[future], open_tasks[done.key]
                yield done

    def _alone(self, task: Task) -> Done:
        with _closing(self._open_executor()) as executor:
            try:
                return executor.submit(self._work, task).result()
            except BrokenExecutor:
                return Done(task.key, fault="The process that graded this submission was lost.")


def _done(future: Future[Done], key: str) -> Done:
    """Return what came of a task; what the executor itself could not do is a fault of the grader."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        return Done(key, fault=f"{type(error).__name__}: {error}")


@contextmanager
def _closing(executor: Executor) -> Iterator[Executor]:
    """Give an executor; whatever ends the work, its processes end too, and nobody waits for what they do."""
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()
        raise
    executor.shutdown()


def local_pool(jobs: int) -> Pool:
    """Return a pool of so many processes on this machine."""

    def open_executor() -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)

    return Pool(open_executor, 2 * jobs)


def _begin() -> None:
    """Prepare a process of the pool: Ctrl-C is its parent's business, and it does not outlive that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
