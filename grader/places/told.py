"""What a place is told of a grade: one frozen value, from which every writer makes its file.

Also when there is no grade: then it says why, and no number in it may be taken for a score.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from grader.core.course.questions import Case as Question
from grader.core.course.rubric import Rubric
from grader.core.evidence import DoesNotRun, Tally, Unrun
from grader.core.grade import CriterionScore, Grade, Status, Verdict, student_view
from grader.core.text import printable, printable_lines
from grader.core.values import Value
from grader.places.clean import clipped, per_row
from grader.places.rows import Case, Row, none_judged, spoilt
from grader.report.agenda import is_bad
from grader.report.text import failure_text, worth
from grader.report.words import what_is_right

UNFINISHED = "The grader did not finish, so there is no score: a person has to look."


class Why(StrEnum):
    """Why there is no score: what was given cannot be used, the grader failed, or a person judges."""

    INPUT = "input"
    GRADER = "grader"
    PERSON = "person"


class Told(Value):
    """All that a place can be told of one submission."""

    title: str
    submission: str
    rows: tuple[Row, ...] = ()
    score: float = 0.0
    points: float = 0.0
    bonus: float = 0.0
    total: float = 0.0
    final: float = 0.0
    """The number that goes into a gradebook: the total, or what it is out of `scale_to`."""
    out_of: float = 0.0
    deductions: tuple[tuple[float, str], ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    """Why there is no score; empty if there is one."""
    why: Why | None = None
    tally: Tally = Tally()
    for_a_person: tuple[str, ...] = ()
    right: str = ""
    """The criteria in which nothing is wrong, in a line, if something is elsewhere."""
    unrun: DoesNotRun | None = None
    """Why the file does not run, if it does not."""
    seconds: float = 0.0
    first_move: float | None = None
    leaderboard: bool = False

    @property
    def gradable(self) -> bool:
        """Whether the numbers are a score."""
        return not self.problem

    @property
    def not_python(self) -> bool:
        """Whether the file is not Python at all."""
        return self.unrun is not None and self.unrun.why is Unrun.NOT_PYTHON

    def judged(self) -> list[Row]:
        """Return the criteria that something can be said about: none if nothing was graded.

        Those for which the file would have to run are one row, if it does not.
        """
        if not any(row.judged and not row.by_hand for row in self.rows):
            return []
        unrun = [row for row in self.rows if row.unrun]
        if not self.unrun or not unrun:
            return list(self.rows)
        return [spoilt(unrun, self.unrun), *(row for row in self.rows if not row.unrun)]


def of_grade(grade: Grade, rubric: Rubric) -> Told:
    """Return what a place is told of a grade."""
    seen = {criterion.id: criterion for criterion in student_view(grade).criteria}
    mistakes = grade.mistakes if grade.show_mistakes else ()
    room = per_row(len(grade.criteria))
    problem, why = _problem(grade)
    rows = []
    for criterion in grade.criteria:
        functions = {verdict.function for verdict in seen[criterion.id].verdicts if is_bad(verdict)}
        named = [one for one in mistakes if one.function in functions]
        rows.append(
            Row(
                id=criterion.id,
                description=printable_lines(criterion.description),
                points=criterion.points,
                score=None if criterion.by_hand or problem else criterion.score,
                bonus=criterion.bonus,
                by_hand=criterion.by_hand,
                given_back=criterion.given_back,
                mistakes=tuple(printable_lines(one.sentence) for one in named),
                hints=tuple(printable_lines(one.hint) for one in named if one.hint),
                cases=_cases(criterion, room),
                tally=criterion.tally,
            )
        )
    return Told(
        title=printable_lines(grade.title),
        submission=printable(grade.submission),
        rows=tuple(rows),
        score=grade.score,
        points=grade.points,
        bonus=grade.bonus,
        total=grade.total,
        final=grade.total if grade.scaled is None else grade.scaled,
        out_of=grade.scale_to or grade.points,
        deductions=tuple((one.points, printable_lines(one.reason)) for one in grade.deductions),
        notes=tuple(clipped(printable_lines(note), room) for note in grade.notes),
        problem=problem,
        why=why,
        tally=grade.tally,
        right=what_is_right(grade),
        for_a_person=grade.for_a_person,
        unrun=grade.does_not_run,
        seconds=grade.seconds,
        first_move=grade.first_move.seconds if grade.first_move else None,
        leaderboard=rubric.leaderboard,
    )


def of_failure(
    problem: str,
    why: Why,
    submission: str = "",
    rubric: Rubric | None = None,
    questions: Iterable[Question] = (),
) -> Told:
    """Return what a place is told when there is no grade, with as much of the rubric as could be read."""
    problem = clipped(printable_lines(problem).strip(), per_row(1)) or UNFINISHED
    return Told(
        title=printable_lines(rubric.title) if rubric else "Tic-Tac-Toe",
        submission=printable(submission),
        rows=_unasked(rubric, list(questions), problem) if rubric else (),
        problem=problem,
        why=why,
    )


def _unasked(rubric: Rubric, questions: Sequence[Question], problem: str) -> tuple[Row, ...]:
    """Return the criteria with their cases, none of which was asked."""
    cases: dict[str, list[Case]] = {criterion.id: [] for criterion in rubric.all_criteria()}
    for one in questions:
        cases[one.criterion].append(
            Case(
                id=one.question.id,
                status=Status.GRADER_ERROR,
                counts=one.question.weight > 0,
                reason=problem,
                text=problem,
                hidden=one.question.visibility == "hidden",
            )
        )
    return tuple(
        Row(
            id=criterion.id,
            description=printable_lines(criterion.description),
            points=criterion.points,
            score=None,
            bonus=rubric.is_bonus(criterion.id),
            by_hand=criterion.by_hand,
            cases=tuple(cases[criterion.id]),
            tally=Tally(
                public=none_judged([case for case in cases[criterion.id] if not case.hidden]),
                hidden=none_judged([case for case in cases[criterion.id] if case.hidden]),
            ),
        )
        for criterion in rubric.all_criteria()
    )


def _problem(grade: Grade) -> tuple[str, Why | None]:
    """Return why the numbers of a grade are no score, or nothing."""
    if grade.grader_errors:
        broken = "1 case" if len(grade.grader_errors) == 1 else f"{len(grade.grader_errors)} cases"
        return f"The grader failed on {broken}, so there is no score: a person has to look.", Why.GRADER
    if grade.not_gradable:
        return f"Not gradable, so there is no score: a person has to look. {grade.not_gradable}", Why.INPUT
    if all(criterion.by_hand for criterion in grade.criteria):
        return "A person judges this: there is nothing for the grader to score.", Why.PERSON
    return "", None


def _cases(criterion: CriterionScore, room: int) -> tuple[Case, ...]:
    return tuple(
        Case(
            id=printable_lines(verdict.id),
            status=verdict.status,
            counts=verdict.weight > 0,
            reason=clipped(printable_lines(verdict.reason), room),
            text=clipped(printable_lines(_text(verdict)), room),
            hidden=verdict.visibility != "public",
            worth=worth(verdict),
            unrun=bool(verdict.unrun),
        )
        for verdict in criterion.verdicts
    )


def _text(verdict: Verdict) -> str:
    return verdict.reason if verdict.status is Status.PASSED else failure_text(verdict)
