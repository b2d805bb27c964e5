"""What became of each student: a JSON file each, with the grade in it, and a lighter copy to remember."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from grader.classroom.clerk import Done
from grader.classroom.entries import Attempt, Entry, grouped
from grader.core.errors import UserError
from grader.core.evidence import Comment, Pruning, RequestAnswer
from grader.core.files import PART, write
from grader.core.grade import CriterionScore, Grade, Verdict
from grader.core.plain import plain, value_of
from grader.core.scores import without_cases
from grader.core.values import OneLine, SomeLines, Value, said
from grader.report.wording import number

FOLDER: Final = "grades"

Status = Literal["graded", "not_graded", "grader_error"]

_TIMED_OUT: Final = "test-timed-out"
"""The code of the verdict on an instructor's own test that timed out."""

_MOST_TIMED_OUT: Final = 0.25
"""The share of a class for which a test may time out: beyond it, the fault is the test's."""


class FaultyTest(Value):
    """An instructor's own test that timed out for more students than their own mistakes explain."""

    criterion: str
    id: OneLine
    timed_out: int
    students: int

    @property
    def sentence(self) -> str:
        """What the instructor is told, before anything else about the class."""
        return (
            f"The test {self.id} timed out for {self.timed_out} of {self.students}: that is a fault of the "
            f"test, not of the students. It counts for none of these {self.timed_out}, and whoever has not "
            f"earned all of '{self.criterion}' without it waits for a person. Correct the test and run the "
            "same command again, or decide with 'mark'."
        )

    @property
    def reason(self) -> str:
        """What a student is told for whom it timed out."""
        return (
            f"It timed out for {self.timed_out} of {self.students} students, which is a fault of the test: "
            "it costs nothing."
        )


class Record(Value):
    """One student: who, what was handed in, the grade, and why there is none if so."""

    schema: Literal["tictactoe-record/1"] = "tictactoe-record/1"
    key: str
    student: OneLine
    submission: OneLine
    status: Status
    why: SomeLines = ""
    late: bool = False
    notes: tuple[OneLine, ...] = ()
    ids: dict[str, OneLine] = said(default_factory=dict)
    fingerprint: str = ""
    changed_at: str = said("When another file took the place of the first one.", default="")
    grade: Grade | None = None
    feedback: SomeLines = ""
    attempts: tuple[Attempt, ...] = said("The student's other hand-ins.", default=())
    comments: tuple[Comment, ...] = said("What a person says where there is no grade.", default=())
    answers: tuple[RequestAnswer, ...] = said("Answered where there is no grade.", default=())
    seen: bool = said("Whether a person has seen what the grader could not judge.", default=False)
    outdated: bool = said("Whether a person has marked it before the file changed.", default=False)

    @property
    def in_short(self) -> str:
        """Why there is no grade, in a line: the last one of a traceback, else the first."""
        lines = self.why.strip().splitlines() or [self.status.replace("_", " ")]
        return lines[-1] if self.status == "grader_error" else lines[0]

    @property
    def is_final(self) -> bool:
        """Whether grading the same files again would find nothing more."""
        return self.status != "grader_error" and not (self.grade and self.grade.machine_was_busy)

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
        costs = [one.points for one in self.grade.deductions if one.late] if self.grade else []
        return sum(costs) if costs else None

    @property
    def criteria(self) -> dict[str, CriterionScore]:
        """The scores by the criteria's ids."""
        return {one.id: one for one in self.grade.criteria} if self.grade else {}

    def judged(self, criterion: str) -> float | None:
        """Return what a criterion earned; None where nothing of it was judged, or a person has still to."""
        earned = self.criteria.get(criterion)
        return None if earned is None or earned.by_hand or earned.unjudged else earned.score

    @property
    def to_judge(self) -> dict[str, float]:
        """The criteria that a person has still to judge, with their points."""
        if self.grade and self.grade.marked_by:
            return {}
        return {name: one.points for name, one in self.criteria.items() if one.by_hand}

    @property
    def unjudged(self) -> list[str]:
        """The criteria of which nothing could be judged, though the file runs, until a person decides."""
        if self.grade is None or self.grade.marked_by or self.unrun or self.status != "graded":
            return []
        criteria = (one for one in self.criteria.values() if one.points and not (one.bonus or one.undecided))
        return [one.id for one in criteria if one.unjudged]

    @property
    def failed(self) -> list[str]:
        """The cases that cost points by a mistake of the function's own."""
        return [
            f"{one.id}/{verdict.id}"
            for one in self.criteria.values()
            for verdict in one.verdicts
            if not one.bonus and verdict.weight and verdict.status.is_bad and not _follows(verdict)
        ]

    @property
    def mistakes(self) -> list[str]:
        """What was named, each as the function and what it does."""
        return [f"{one.function} {one.title}" for one in self.grade.mistakes] if self.grade else []

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
        return is_left and not any(one.bonus and one.marked_by for one in self.grade.criteria)

    @property
    def to_look_at(self) -> str:
        """Why a person should look at the grade; nothing if nobody has to.

        Criteria that a person judges, of everybody, are counted apart.
        """
        reasons = [self.in_short] if self.status != "graded" and not (self.adjusted or self.seen) else []
        reasons += [self.unrun] if self.unrun and not self.seen else []
        reasons += ["marked before the file changed"] if self.outdated else []
        reasons += ["handed in late"] if self.late and self.taken_off is None else []
        reasons += self.grade.for_a_person if self.grade else ()
        reasons += [f"nothing of {name} could be judged" for name in self.unjudged if not self.seen]
        reasons += ["the bonus is for a person to decide"] if self.undecided and not self.seen else []
        return "; ".join(one.rstrip(".") for one in reasons)

    @property
    def provisional(self) -> str:
        """That a person still has to judge a part of the grade, in a sentence; nothing if none has to."""
        left = sum(self.to_judge.values())
        if self.grade and not self.grade.marked_by:
            left += sum(one.points - one.score for one in self.grade.criteria if one.undecided)
        return f"Provisional: a person still judges up to {number(left)} points." if left else ""

    def without_faulty_tests(self, faulty: Iterable[FaultyTest]) -> "Record":
        """Return it without faulty tests that timed out for this student: their points wait for a person."""
        why = {(test.criterion, test.id): test.reason for test in faulty} if self.grade else {}
        late = {case: reason for case, reason in why.items() if case in self._timed_out}
        if not (self.grade and late):
            return self
        return replace(self, grade=without_cases(self.grade, late), feedback="")

    @property
    def _timed_out(self) -> list[tuple[str, str]]:
        """The instructor's own tests that timed out, each with its criterion."""
        return [
            (one.id, verdict.id)
            for one in self.criteria.values()
            for verdict in one.verdicts
            if verdict.code == _TIMED_OUT
        ]

    def lighter(self) -> "Record":
        """Return it with no more than a class is told of each: there may be hundreds."""
        if not self.grade:
            return self
        criteria = tuple(
            replace(one, verdicts=tuple(_lighter(case) for case in one.verdicts if case.status.is_bad))
            for one in self.grade.criteria
        )
        mistakes = tuple(replace(one, boards=()) for one in self.grade.mistakes)
        light = replace(self.grade, policy=None, instead={}, refutation=None, notes=())
        return replace(self, grade=replace(light, criteria=criteria, mistakes=mistakes))


def _lighter(verdict: Verdict) -> Verdict:
    return Verdict(
        id=verdict.id,
        status=verdict.status,
        weight=verdict.weight,
        earned=verdict.earned,
        points=verdict.points,
        score=verdict.score,
        reason=verdict.reason,
        code=verdict.code,
        visibility=verdict.visibility,
        function=verdict.function,
        explained_by=verdict.explained_by,
    )


def _follows(verdict: Verdict) -> bool:
    """Return whether another function's mistake explains a failure."""
    explained = (verdict.explained_by or verdict.function or "").partition("/")[0]
    return explained != (verdict.function or "")


def record_of(entry: Entry, done: Done | None, fingerprint: str) -> Record:
    """Return what became of an entry."""
    grade = done.grade if done else None
    status: Status = "graded"
    why = entry.problem
    if grade is None:
        status = "grader_error" if done and done.fault else "not_graded"
        why = (done.fault or done.not_gradable) if done else why
    elif grade.grader_errors:
        status, why = "grader_error", "; ".join(grade.grader_errors)
    return Record(
        key=entry.key,
        student=entry.student,
        submission=entry.submission,
        status=status,
        why=why,
        late=entry.late,
        notes=entry.notes,
        ids=entry.ids,
        fingerprint=fingerprint,
        grade=grade,
        feedback=done.feedback if done else "",
        attempts=entry.others,
    )


def mistakes_of(found: Iterable[Record]) -> list[tuple[str, list[str]]]:
    """Return the mistakes that were named, the most frequent first, with who made them."""
    made = grouped((mistake, one.student) for one in found for mistake in one.mistakes)
    return sorted(made.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def most_failed(found: Iterable[Record], most: int = 10) -> list[tuple[str, int]]:
    """Return the cases that most submissions fail, with how many do; those that do not run are told apart."""
    return Counter(case for one in found if not one.unrun for case in one.failed).most_common(most)


def faulty_tests(found: Iterable[Record]) -> tuple[FaultyTest, ...]:
    """Return the instructor's own tests that timed out for too many of those whose file runs."""
    ran = [one for one in found if one.grade and not one.unrun]
    counts = Counter(case for one in ran for case in one._timed_out)
    return tuple(
        FaultyTest(criterion=criterion, id=name, timed_out=count, students=len(ran))
        for (criterion, name), count in counts.most_common()
        if count > _MOST_TIMED_OUT * len(ran)
    )


def save(out: Path, record: Record) -> None:
    """Write one student's file."""
    text = json.dumps(plain(record), ensure_ascii=False, indent=1) + "\n"
    write(file_of(out, record.key), text, durable=True, into_new=True)


def file_of(out: Path, key: str) -> Path:
    """Return where a student's record is."""
    return out / FOLDER / f"{key}.json"


def load(out: Path, key: str) -> Record | None:
    """Return what a student's file holds, or None when there is none that can be used."""
    try:
        return value_of(Record, json.loads(file_of(out, key).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):  # none, or some other program's: grade again
        return None


def are_in(out: Path) -> bool:
    """Return whether grades were written into a folder."""
    return any(load(out, file.stem) for file in (out / FOLDER).glob("*.json"))


def load_all(out: Path) -> Iterator[Record]:
    """Yield what the files of all students hold, by name."""
    found = (load(out, file.stem) for file in sorted(folder_of(out).glob("*.json")))
    yield from filter(None, found)


def folder_of(out: Path) -> Path:
    """Return where the records of a class are; raise UserError if there are none."""
    folder = out / FOLDER
    if not folder.is_dir():
        raise UserError(f"there are no grades here: it has no folder {FOLDER}/", file=out)
    return folder


def tidy(out: Path) -> None:
    """Remove what a run that was killed had begun to write."""
    for file in (out / FOLDER).glob(f".*{PART}"):
        file.unlink(missing_ok=True)
