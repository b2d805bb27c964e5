"""The folder of a graded class: a record for each student, and what is needed to write all output again."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from grader.classroom.entries import Attempt, Entry
from grader.core.course.reading import read_source
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.core.grade import Comment, CriterionScore, Grade, Pruning, RequestAnswer, Verdict
from grader.core.messages import ENGLISH, _, active, in_language, later
from grader.core.scores import without_cases
from grader.core.system import PART, write
from grader.core.values import (
    OneLine,
    SomeLines,
    Value,
    plain,
    printable,
    printable_lines,
    said,
    source_text,
    value_of,
)
from grader.course.courses import course_names, fixtures_of, rubric_of
from grader.report.wording import Quoted, number

FOLDER: Final = "grades"

Status = Literal["graded", "not_graded", "grader_error"]
Stored = TypeVar("Stored", bound=Value)

_TIMED_OUT: Final = "test-timed-out"  # the code of a verdict

_MOST_TIMED_OUT: Final = 0.25
"""The share of a class for which a test may time out: beyond it, the fault is the test's."""


class LateWork(Value):
    """How late somebody was, in seconds; None where nobody knows."""

    by: float | None = None


class FaultyTest(Value):
    """An instructor's own test that timed out for more students than their own mistakes explain."""

    criterion: str
    id: OneLine
    timed_out: int
    students: int

    @property
    def sentence(self) -> str:
        """The sentence for the instructor, before anything else about the class."""
        return _(
            "The test {test} timed out for {timed_out} of {students}: that is a fault of the "
            "test, not of the students. It counts for none of these {timed_out}, and a student who has "
            "not earned all of '{criterion}' without it waits for a person. Correct the test and "
            "run the same command again, or decide with 'mark'.",
            test=self.id,
            timed_out=self.timed_out,
            students=self.students,
            criterion=self.criterion,
        )

    @property
    def reason(self) -> str:
        """The sentence for a student whose test timed out."""
        return _(
            "It timed out for {timed_out} of {students} students, which is a fault of the test: "
            "it costs nothing.",
            timed_out=self.timed_out,
            students=self.students,
        )


_OF_A_CLASS: Final = [
    "id",
    "status",
    "weight",
    "earned",
    "points",
    "score",
    "reason",
    "code",
    "visibility",
    "function",
    "explained_by",
]
"""What the summary of a class needs of a verdict."""

_STATUS: Final = {
    "graded": later("graded"),
    "not_graded": later("not graded"),
    "grader_error": later("grader error"),
}


class Record(Value):
    """One student: the name, what was handed in, the grade, or why there is none."""

    schema: Literal["tictactoe-record/1"] = "tictactoe-record/1"
    key: str
    student: OneLine = said("The name; a clerk does not get it.", default="")
    submission: OneLine = ""
    status: Status
    language: str = said("The language of what the student reads, by its code.", default=ENGLISH)
    why: SomeLines = ""
    late: bool = False
    notes: tuple[OneLine, ...] = ()
    ids: dict[str, OneLine] = said(default_factory=dict)
    fingerprint: str = ""
    changed_at: str = said("When another file took the place of the first one.", default="")
    grade: Grade | None = None
    feedback: SomeLines = ""
    attempts: tuple[Attempt, ...] = said("The student's other submissions.", default=())
    comments: tuple[Comment, ...] = said("What a person says where there is no grade.", default=())
    answers: tuple[RequestAnswer, ...] = said("Answered where there is no grade.", default=())
    seen: bool = said("Whether a person has seen what the grader could not judge.", default=False)
    outdated: bool = said("Whether a person has marked it before the file changed.", default=False)
    machine_was_busy: bool = said("Whether there is no grade for that reason alone.", default=False)

    @property
    def in_short(self) -> str:
        """Why there is no grade, in a line: the last one of a traceback, else the first."""
        lines = self.why.strip().splitlines() or [self.outcome]
        return lines[-1] if self.status == "grader_error" else lines[0]

    @property
    def outcome(self) -> str:
        """The status, in a word or two."""
        return _(_STATUS[self.status])

    @property
    def is_cut_off(self) -> bool:
        """Whether a busy machine kept the grader from asking everything, or from grading at all."""
        return self.machine_was_busy or (self.grade is not None and self.grade.machine_was_busy)

    @property
    def is_final(self) -> bool:
        """Whether grading the same files again would find nothing more."""
        return self.status != "grader_error" and not self.is_cut_off

    @property
    def total(self) -> float | None:
        """The total; None without a grade, and where the grader failed and no person has decided."""
        if self.status == "grader_error" and not self.adjusted:
            return None
        return self.grade.total if self.grade else None

    @property
    def adjusted(self) -> bool:
        """Whether a person has decided something."""
        return bool(self.grade and self.grade.decisions)

    @property
    def taken_off(self) -> float | None:
        """What being late costs, perhaps nothing; None where no rule says that."""
        deductions = self.grade.deductions if self.grade else ()
        costs = [deduction.points for deduction in deductions if deduction.late]
        return sum(costs) if costs else None

    @property
    def criteria(self) -> dict[str, CriterionScore]:
        """The scores by the criteria's ids."""
        return {criterion.id: criterion for criterion in self.grade.criteria} if self.grade else {}

    def judged(self, criterion: str) -> float | None:
        """Return what a criterion earned; None where nothing of it was judged, or a person has still to."""
        earned = self.criteria.get(criterion)
        return None if earned is None or earned.by_hand or earned.unjudged else earned.score

    @property
    def to_judge(self) -> dict[str, float]:
        """The criteria that a person has still to judge, with their points."""
        if self.grade and self.grade.marked_by:
            return {}
        return {name: criterion.points for name, criterion in self.criteria.items() if criterion.by_hand}

    @property
    def unjudged(self) -> list[str]:
        """The criteria of which nothing could be judged, though the file runs, until a person decides."""
        if self.grade is None or self.grade.marked_by or self.unrun or self.status != "graded":
            return []
        return [
            name
            for name, found in self.criteria.items()
            if found.points and found.unjudged and not (found.bonus or found.undecided)
        ]

    @property
    def _verdicts(self) -> Iterator[tuple[CriterionScore, Verdict]]:
        yield from ((found, verdict) for found in self.criteria.values() for verdict in found.verdicts)

    @property
    def failed(self) -> list[str]:
        """The cases that cost points by a mistake of the function's own."""
        return [
            f"{criterion.id}/{verdict.id}"
            for criterion, verdict in self._verdicts
            if verdict.weight and verdict.status.is_bad and not (criterion.bonus or _follows(verdict))
        ]

    @property
    def mistakes(self) -> list[str]:
        """What was named, each as the function and what it does."""
        found = self.grade.mistakes if self.grade else ()
        return [f"{mistake.function} {mistake.title}" for mistake in found]

    @property
    def unrun(self) -> str:
        """Why the file does not run, if it does not."""
        return self.grade.does_not_run.sentence if self.grade and self.grade.does_not_run else ""

    @property
    def undecided(self) -> bool:
        """Whether the probe leaves the bonus to a person, who has not decided yet."""
        if self.grade is None or self.grade.marked_by:
            return False
        is_left = self.grade.search is not None and self.grade.search.pruning is Pruning.UNDECIDED
        return is_left and not any(found.bonus and found.marked_by for found in self.grade.criteria)

    @property
    def to_look_at(self) -> str:
        """Why a person should look at the grade; nothing if nobody has to.

        Criteria that a person judges, of everybody, are counted apart.
        """
        return "; ".join(reason.text for reason in self.reasons_to_look)

    @property
    def reasons_to_look(self) -> tuple[Quoted, ...]:
        """The same, each by itself: what the grade says stays in its language."""
        here, theirs, found = active().code, self.language, list[Quoted]()
        if self.status != "graded" and not (self.adjusted or self.seen):
            found.append(Quoted(self.in_short, theirs))
        if self.unrun and not self.seen:
            found.append(Quoted(self.unrun, theirs))
        if self.outdated:
            found.append(Quoted(_("marked before the file changed"), here))
        if self.late and self.taken_off is None:
            found.append(Quoted(_("handed in late"), here))
        found += [Quoted(sentence, theirs) for sentence in (self.grade.for_a_person if self.grade else ())]
        for name in () if self.seen else self.unjudged:
            found.append(Quoted(_("nothing of {criterion} could be judged", criterion=name), here))
        if self.undecided and not self.seen:
            found.append(Quoted(_("the bonus is for a person to decide"), here))
        return tuple(Quoted(record.text.rstrip("."), record.language) for record in found)

    @property
    def provisional(self) -> str:
        """That a person still has to judge a part of the grade, in a sentence for the student, or nothing."""
        left = sum(self.to_judge.values())
        if self.grade and not self.grade.marked_by:
            left += sum(found.points - found.score for found in self.grade.criteria if found.undecided)
        if not left:
            return ""
        with in_language(self.language):
            return _("Provisional: a person still judges up to {points} points.", points=number(left))

    def without_faulty_tests(self, faulty: Iterable[FaultyTest]) -> "Record":
        """Return it without faulty tests that timed out for this student: their points wait for a person."""
        if not self.grade:
            return self
        timed_out = {(found.id, case.id) for found, case in self._verdicts if case.code == _TIMED_OUT}
        with in_language(self.language):
            why = {(test.criterion, test.id): test.reason for test in faulty}
            late = {case: reason for case, reason in why.items() if case in timed_out}
            return replace(self, grade=without_cases(self.grade, late), feedback="") if late else self

    def lighter(self) -> "Record":
        """Return it without what is only in the report on one student: there may be hundreds."""
        if not self.grade:
            return self
        criteria = tuple(
            replace(found, verdicts=tuple(_lighter(case) for case in found.verdicts if case.status.is_bad))
            for found in self.grade.criteria
        )
        mistakes = tuple(replace(mistake, boards=()) for mistake in self.grade.mistakes)
        light = replace(self.grade, policy=None, instead={}, refutation=None, notes=())
        return replace(self, grade=replace(light, criteria=criteria, mistakes=mistakes))


def _lighter(verdict: Verdict) -> Verdict:
    return Verdict(**{name: getattr(verdict, name) for name in _OF_A_CLASS})


def _follows(verdict: Verdict) -> bool:
    """Return whether another function's mistake explains a failure."""
    explained = (verdict.explained_by or verdict.function or "").partition("/")[0]
    return explained != (verdict.function or "")


def faulty_tests(found: Iterable[Record]) -> tuple[FaultyTest, ...]:
    """Return the instructor's own tests that timed out for too many of those whose file runs."""
    ran = [record for record in found if record.grade and not record.unrun]
    counts = Counter(
        (criterion.id, verdict.id)
        for record in ran
        for criterion, verdict in record._verdicts
        if verdict.code == _TIMED_OUT
    )
    return tuple(
        FaultyTest(criterion=criterion, id=name, timed_out=count, students=len(ran))
        for (criterion, name), count in counts.most_common()
        if count > _MOST_TIMED_OUT * len(ran)
    )


def _store(file: Path, value: Value, *, durable: bool = True, indent: int | None = None) -> None:
    """Write a value as JSON."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=indent) + "\n"
    write(file, text, durable=durable, into_new=True)


def _stored(kind: type[Stored], file: Path) -> Stored | None:
    """Return the value in a file; None if there is none, or another program's: it is made again."""
    try:
        return value_of(kind, json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def save(out: Path, record: Record) -> None:
    """Write one student's file."""
    _store(file_of(out, record.key), record, indent=1)


def file_of(out: Path, key: str) -> Path:
    """Return where a student's record is."""
    return out / FOLDER / f"{key}.json"


def load(out: Path, key: str) -> Record | None:
    """Return what a student's file holds, or None when there is none that can be used."""
    return _stored(Record, file_of(out, key))


def load_all(out: Path) -> Iterator[Record]:
    """Yield what the files of all students hold, by name."""
    found = (load(out, file.stem) for file in sorted(folder_of(out).glob("*.json")))
    yield from filter(None, found)


def folder_of(out: Path) -> Path:
    """Return where the records of a class are; raise UserError if there are none."""
    folder = out / FOLDER
    if not folder.is_dir():
        raise UserError(_("there are no grades here: it has no folder {folder}/", folder=FOLDER), file=out)
    return folder


def tidy(out: Path) -> None:
    """Remove what a run that was killed had begun to write."""
    for file in (out / FOLDER).glob(f".*{PART}"):
        file.unlink(missing_ok=True)


STATE: Final = "class.json"
SOURCES: Final = "sources"
GIVEN: Final = "given"
"""Copies of the files that the class was graded with: another run uses them again."""

MOODLE, CANVAS, TEMPLATES, COURSE = "moodle.csv", "canvas.csv", "templates", "course.json"

_MOST_SOURCE: Final = 5_000_000
_MOST_SHOWN: Final = 100_000


class AlikePair(Value):
    """Two students whose files are alike, by their keys, and which share of each is in the other."""

    keys: tuple[str, str]
    shares: tuple[float, float]
    one_in: int = said("Of how many pairs of strangers' files one is at least as alike.")


class Alike(Value):
    """The files of a class that are strikingly alike, and what was compared."""

    files: int = said("How many files were compared.")
    pairs: tuple[AlikePair, ...] = ()
    left_out: int = said("How many pairs more there are.", default=0)
    too_short: int = said("How many have too little of their own to be compared.", default=0)
    not_graded: int = said("How many were not compared, for they were not graded.", default=0)
    beyond_template: bool = said("Whether an instructor's own template was left out.", default=False)


class ClassState(Value):
    """What a class was graded by, and what is known of it beside the grades."""

    schema: Literal["tictactoe-class/1"] = "tictactoe-class/1"
    rubric: Rubric
    keys: tuple[str, ...]
    html: bool = True
    assignment: str | None = None
    late: dict[str, LateWork] = said(default_factory=dict)
    alike: Alike | None = None
    notes: tuple[OneLine, ...] = ()
    faulty_tests: tuple[FaultyTest, ...] = ()


class GivenCourse(Value):
    """Which rubric and fixtures a class is graded by: a shipped course by its name, else files."""

    course: str = ""
    rubric: str = ""
    fixtures: str = said("Nothing where they are those that go with the rubric.", default="")

    @property
    def rubric_file(self) -> Path:
        """The rubric; a file that is not there for a course that is not shipped any more."""
        is_shipped = self.course in ("default", *course_names())
        return rubric_of(self.course) if is_shipped else Path(self.rubric or self.course)


@dataclass(frozen=True)
class ClassResult:
    """What became of a class: a record for each student, with a person's decisions and lateness in it."""

    kept: ClassState
    out: Path
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    """What to know about the gradebooks."""


class Source(Value):
    """What was handed in, to be shown: the file, and the modules that came with it."""

    name: OneLine
    text: str
    helpers: tuple[tuple[str, str], ...] = ()
    since: str = said("When it replaced another one, as marks say times; nothing for the first.", default="")

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """All of them, each with its name and text."""
        return (self.name, self.text), *self.helpers


def save_class(out: Path, kept: ClassState) -> None:
    """Write what a class was graded by."""
    _store(out / STATE, kept)


def load_class(out: Path) -> ClassState:
    """Return what a class was graded by; raise UserError for a folder in which there is none."""
    try:
        data = json.loads((out / STATE).read_text(encoding="utf-8"))
        if isinstance(data, dict):
            data.pop("pairs", None)  # of an older version, which measured otherwise
        return value_of(ClassState, data)
    except OSError:
        why = (
            _("is an older one: grade the class first, with --out {folder}", folder=out)
            if (out / FOLDER).is_dir()
            else _("there is no graded class in it: grade the class first, with --out {folder}", folder=out)
        )
    except (ValueError, RecursionError):
        why = _(
            "cannot be read: {file} is not what this grader writes: grade the class first, with --out "
            "{folder}",
            file=STATE,
            folder=out,
        )
    raise UserError(why, file=out)


def load_if_graded(out: Path) -> ClassState | None:
    """Return what a class was graded by before, or None for a folder in which nothing of this was written."""
    return load_class(out) if (out / STATE).is_file() else None


def students(out: Path, state: ClassState) -> Iterator[Record]:
    """Yield the records of a class, as light as they can be, in its order."""
    for key in state.keys:
        record = load(out, key)
        if record is None:
            raise UserError(_("is damaged or missing: grade the class again"), file=file_of(out, key))
        yield record.lighter().without_faulty_tests(state.faulty_tests)


def remembered(file: Path) -> dict[str, Any]:
    """Return what was written down to save work; nothing where that cannot be read."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_source(out: Path, entry: Entry, rubric: Rubric) -> str:
    """Write down what a student handed in, to be shown later; return since when it is that."""
    file, before = out / SOURCES / f"{entry.key}.json", source_of(out, entry.key)
    if entry.file is None:
        return before.since if before else ""
    raw = entry.file.read_bytes()[:_MOST_SOURCE]
    source, helpers = raw, list[tuple[str, str]]()
    if rubric.kind == "functions":
        source = read_source(raw, len(raw), _MOST_SOURCE // 1000, notebooks=rubric.notebooks).source
        helpers = [(printable(helper.name), _displayed(helper.content)) for helper in entry.helpers(raw)]
    found = Source(name=entry.file.name, text=_displayed(source), helpers=tuple(helpers))
    if before and [text for _, text in before.files] == [text for _, text in found.files]:
        return before.since
    found = replace(found, since=datetime.now(UTC).isoformat(timespec="seconds") if before else "")
    _store(file, found, durable=False)
    return found.since


def _displayed(source: bytes) -> str:
    """Return a source as text; of more than anybody reads, the beginning."""
    return printable_lines(source_text(source)[:_MOST_SHOWN])


def source_of(out: Path, key: str) -> Source | None:
    """Return what a student handed in, or None if that was nothing."""
    return _stored(Source, out / SOURCES / f"{key}.json")


def keep_given(out: Path, name: str, file: Path) -> bool:
    """Keep a copy of a file that the class is graded with; return whether it replaces another one."""
    copy, new = out / GIVEN / name, file.read_bytes()
    replaces = copy.is_file() and copy.read_bytes() != new
    write(copy, new, into_new=True)
    return replaces


def given(out: Path, name: str) -> Path | None:
    """Return the copy of a file that the class was graded with, if there is one."""
    file = out / GIVEN / name
    return file if file.is_file() else None


def keep_course(out: Path, rubric: Path, fixtures: Path) -> None:
    """Write down which rubric and fixtures a class is graded by."""
    rubric, fixtures = rubric.resolve(), fixtures.resolve()
    course = next((name for name in ("default", *course_names()) if rubric_of(name).resolve() == rubric), "")
    belong = fixtures_of(rubric).resolve() == fixtures
    given = GivenCourse(
        course=course, rubric="" if course else str(rubric), fixtures="" if belong else str(fixtures)
    )
    _store(out / GIVEN / COURSE, given, durable=False)


def given_course(out: Path) -> GivenCourse | None:
    """Return which rubric and fixtures a class was graded by; None where nothing says so."""
    return _stored(GivenCourse, out / GIVEN / COURSE)


def keep_templates(out: Path, files: Sequence[Path]) -> None:
    """Keep copies of the code that everybody was given, in the place of any earlier ones."""
    contents = [file.read_bytes() for file in files]
    for old in given_templates(out):
        old.unlink()
    for at, content in enumerate(contents, 1):
        write(out / GIVEN / TEMPLATES / f"{at}.py", content, into_new=True)


def given_templates(out: Path) -> tuple[Path, ...]:
    """Return the copies of the code that everybody was given."""
    return tuple(sorted((out / GIVEN / TEMPLATES).glob("*.py")))
