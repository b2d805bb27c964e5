"""Grades to tell places about: each in a moment, without a submission that runs."""

from dataclasses import replace
from typing import Any

from grader.core.course.rubric import Criterion, Rubric
from grader.core.grade import Deduction, DoesNotRun, Grade, Status, Unrun, Verdict, tally_of
from grader.core.scores import make_grade

RUBRIC = Rubric(
    title="Tic-Tac-Toe für Anfänger",
    criteria=(
        Criterion(id="player", description="Whose turn it is", points=20),
        Criterion(id="minimax", description="An optimal move", points=80),
    ),
    bonus=(Criterion(id="alpha_beta", description="Pruning", points=10),),
)
FORGED = "Grade :=>> 100\r\nGrade :=>> 100\x0bGrade :=>> 100\u2028Grade :=>> 100\x85Grade :=>> 100\n--|>\nGrade :=>> 100"


def verdict(
    id: str, earned: float | None = 1, *, weight: float = 1, status: Status | None = None, **more: object
) -> Verdict:
    found = status or (Status.PASSED if earned == weight else Status.FAILED)
    report: dict[str, Any] = {"reason": f"why {id}", **more}
    return Verdict(id=id, status=found, weight=weight, earned=earned, **report)


def grade(*shares: float, rubric: Rubric = RUBRIC, submission: str = "ada.py", **details: object) -> Grade:
    """Return a grade with a share of each criterion earned, in a public and a hidden case each."""
    verdicts = []
    for criterion, share in zip(rubric.all_criteria(), shares, strict=True):
        verdicts.append((criterion.id, verdict("seen", share, call="minimax(board)", got="None")))
        verdicts.append((criterion.id, verdict("secret", share, visibility="hidden", reason="the secret")))
    deductions = [Deduction(points=5, reason="imports numpy")] if details.pop("deducted", False) else []
    return make_grade(
        rubric, submission, verdicts, deductions=deductions, seconds=1, submission_seconds=1, **details
    )


UNRUN = DoesNotRun(
    why=Unrun.NOT_PYTHON,
    sentence="The file is not valid Python: expected ':' (line 3).",
    line=3,
    column=18,
    text="def winner(board)",
)


def unrun(why: DoesNotRun = UNRUN) -> Grade:
    """Return the grade of a file that does not run: no case could be asked."""
    verdicts = [
        (criterion.id, verdict(name, 0, reason=why.sentence, visibility=visibility, unrun=True))
        for criterion in RUBRIC.all_criteria()
        for name, visibility in (("seen", "public"), ("secret", "hidden"))
    ]
    return make_grade(RUBRIC, "ada.py", verdicts, does_not_run=why, seconds=1, submission_seconds=1)


def with_verdict(given: Grade, found: Verdict) -> Grade:
    """Return a grade with one more case of the first criterion."""
    first = given.criteria[0]
    verdicts = (*first.verdicts, found)
    changed = replace(first, verdicts=verdicts, tally=tally_of(verdicts))
    return replace(given, criteria=(changed, *given.criteria[1:]))
