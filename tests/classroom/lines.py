"""Students' records, made up."""

from dataclasses import replace
from typing import Any

from grader.classroom.records import Record, Status
from grader.core.grade import Count, CriterionScore, DoesNotRun, Grade, Tally, Unrun, Verdict
from grader.core.grade import Status as CaseStatus


def earned(
    id: str, score: float, points: float, *, failed: tuple[str, ...] = (), **more: Any
) -> CriterionScore:
    """Return what a criterion earned, with the cases that failed."""
    verdicts = tuple(
        Verdict(id=case, status=CaseStatus.FAILED, weight=1, earned=0, reason="r") for case in failed
    )
    tally = Tally() if more.get("by_hand") else Tally(public=Count(cases=1 + len(failed), passed=1))
    told = {"bonus": False, "verdicts": verdicts, "tally": tally, **more}
    return CriterionScore(id=id, description="d", points=points, score=score, **told)


def record(key: str, student: str, submission: str, status: Status = "graded", **about: Any) -> Record:
    """Return a record; what is said of a grade is put into one."""
    own = {name: about.pop(name) for name in ("why", "late", "ids", "notes") if name in about}
    line = Record(key=key, student=student, submission=submission, status=status, **own)
    return changed(line, **about) if about else line


def changed(line: Record, unrun: str = "", **about: Any) -> Record:
    """Return a record whose grade says something else."""
    if unrun:
        about["does_not_run"] = DoesNotRun(why=Unrun.RAISES, sentence=unrun)
    blank = {"title": "T", "submission": line.submission, "seconds": 1, "submission_seconds": 1}
    numbers = {"score": 0, "points": 0, "bonus": 0, "total": 0, "scaled": None, "criteria": ()}
    grade = replace(line.grade, **about) if line.grade else Grade(**{**blank, **numbers, **about})
    return replace(line, grade=grade)
