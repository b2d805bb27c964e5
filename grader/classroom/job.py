"""The whole class: entries in, grades for everybody out, and what goes back written beside them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from grader.classroom import adjustments, gradebook, intake, records, returned
from grader.classroom.batch import Batch, OnRecord, Pool, Progress, local_pool
from grader.classroom.candidates import Wanted
from grader.classroom.cluster import cluster_pool
from grader.classroom.entries import Entry
from grader.classroom.pages import FEEDBACK, Pages
from grader.classroom.records import Record
from grader.classroom.similarity import Pair, alike
from grader.classroom.task import configuration
from grader.core.course.rubric import Rubric
from grader.core.course.submission import locate
from grader.core.errors import UserError
from grader.core.files import write
from grader.core.grade import student_view
from grader.course.shipped import DEFAULT_SUBMISSION
from grader.grading.session import check_configuration, load_course
from grader.grading.settings import Settings
from grader.report import terminal
from grader.report.text import as_text, number

ADJUSTMENTS: Final = "adjustments.yaml"


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

    rubric: Rubric
    out: Path
    records: tuple[Record, ...]
    pairs: tuple[Pair, ...] | None = None
    notes: tuple[str, ...] = ()
    """What to know about the gradebooks."""
    html: bool = True
    """Whether there are pages."""

    def totals(self) -> list[float]:
        """Return the totals of everybody who has one."""
        return [one.total for one in self.records if one.total is not None]


def grade_class(
    paths: Sequence[Path], given: ClassSettings, on_record: OnRecord, on_pair: Callable[[int, int], None]
) -> ClassResult:
    """Grade everybody whose submission is new or changed, and write all that goes back."""
    check_configuration(given.settings)
    course = load_course(given.settings)
    loaded = course.rubric
    _refuse_file(given.out)
    forms = returned.forms(given.moodle_worksheet, given.canvas_gradebook, given.canvas_id, loaded)
    final: list[Record] = []
    comments: list[str] = []
    with intake.opened(paths, Wanted(loaded.kind), given.out) as entries, _pool(given) as pool:
        decisions = adjustments.load(given.out / ADJUSTMENTS, loaded, _students(entries, given.out))
        pages = Pages(given.out, loaded, len(entries)) if given.html else None
        programs = loaded.kind == "program"
        batch = Batch(configuration(given.settings), given.out, given.regrade, pages, programs)

        def told_with_decisions(news: Progress) -> None:
            on_record(replace(news, record=adjustments.adjusted(news.record, decisions, loaded)))

        found = batch.run(entries, pool, told_with_decisions)
        pairs = (
            alike(entries, course.template, [locate(DEFAULT_SUBMISSION), *given.templates], on_pair)
            if given.similarity
            else None
        )
        for entry, record in zip(entries, found, strict=True):
            changed = adjustments.adjusted(record, decisions, loaded)
            grade, feedback = None, record.feedback
            whole = records.load(given.out, record.key) if changed.adjusted else None
            if whole and whole.grade:
                grade = adjustments.adjusted(whole, decisions, loaded).grade
                assert grade
                feedback = as_text(terminal.render(student_view(grade)))
            file = given.out / FEEDBACK / f"{record.key}.txt"
            write(file, _feedback(changed, feedback), durable=True, into_new=True)
            final.append(replace(changed, feedback=""))
            comments.append(gradebook.comment(changed))
            if pages:
                pages.decided(entry, grade)
        if pages:
            pages.index(final, pairs)
    back = returned.returned(forms, final, comments, loaded)
    for name, text in back.files.items():
        write(given.out / name, text, durable=True, into_new=True)
    notes = given.out / returned.NOTES
    if back.notes:
        write(notes, "".join(f"{note}\n" for note in back.notes))
    else:
        notes.unlink(missing_ok=True)
    return ClassResult(loaded, given.out, tuple(final), pairs, back.notes, given.html)


def _refuse_file(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UserError("is a file: --out names a folder", file=out)


def _students(entries: Sequence[Entry], out: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the key of everybody who is here or was graded into the same folder before."""
    yield from ((entry.student, entry.key) for entry in entries)
    if (out / records.FOLDER).is_dir():
        yield from ((one.student, one.key) for one in records.load_all(out))


@contextmanager
def _pool(given: ClassSettings) -> Iterator[Pool]:
    if given.cluster:
        with cluster_pool(given.cluster) as pool:
            yield pool
    else:
        yield local_pool(given.jobs)


def _feedback(record: Record, feedback: str) -> str:
    """Return the text for one student to read."""
    lines = [record.student, ""]
    if record.grade and record.adjusted and not feedback:
        lines += [f"Total: {number(record.grade.total)} of {number(record.grade.points)}"]
        lines += ["A person has decided:", *(f"  {one}" for one in record.grade.decisions)]
        lines += [record.why] if record.why else []
    elif record.status == "not_graded":
        lines += ["There is no grade yet.", record.why]
    elif not feedback:
        lines += ["There is no grade yet: the grader failed, and a person will look at it."]
    lines += ["Handed in late."] if record.late else []
    lines += record.notes
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n{feedback}" if feedback else text
