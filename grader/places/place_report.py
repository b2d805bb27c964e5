"""A grade as one row for each criterion, with its sentences: the input of every writer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from grader.core.course.course import Case
from grader.core.course.rubric import Rubric
from grader.core.grade import (
    Count,
    CriterionScore,
    DoesNotRun,
    Grade,
    Mistake,
    Status,
    Tally,
    Unrun,
    Verdict,
    unjudged,
)
from grader.core.messages import _, active, in_language, later, ngettext
from grader.core.scores import make_grade
from grader.core.values import SomeLines, Value
from grader.report.wording import (
    BONUS_POINTS,
    FIX_FIRST,
    POINTS,
    cases_passed,
    failure_text,
    named,
    number,
    outcome,
    pointed_out,
    shares,
    what_is_right,
    worth,
)

UNFINISHED: Final = later("The grader did not finish, so there is no score: a person has to look.")
_MOST: Final = 20_000
_MOST_TOGETHER: Final = 200_000
"""Characters of text about one criterion, and about all of them."""


def clipped(text: str, most: int) -> str:
    """Return at most so many characters of a text, and say how many are left out."""
    left_out = len(text) - most
    if left_out <= 0:
        return text
    more = ngettext(
        "({count:,} more character is left out.)", "({count:,} more characters are left out.)", left_out
    )
    return f"{text[:most]}\n{more}"


def per_row(rows: int) -> int:
    """Return how many characters may be said about one criterion of so many."""
    return max(200, min(_MOST, _MOST_TOGETHER // max(1, rows)))


class ReportRow(CriterionScore):
    """One criterion, with the mistakes behind it; without a score if a person judges, or nothing counts."""

    score: float | None  # type: ignore[assignment]
    mistakes: tuple[Mistake, ...] = ()
    text: SomeLines = ""
    """What is said of it instead of its cases."""
    room: int = per_row(1)
    """Characters that may be said about it."""

    @property
    def full(self) -> bool:
        """Whether all of its points were earned."""
        return self.score is not None and self.score >= self.points

    @property
    def judged(self) -> bool:
        """Whether there is something to say about it."""
        return self.by_hand or bool(self.text) or any(one.status.counts for one in self.verdicts)

    @property
    def unrun(self) -> bool:
        """Whether none of its cases could be judged because the file does not run."""
        others = (one for one in self.verdicts if one.weight and not one.unrun)
        return any(one.unrun for one in self.verdicts) and not any(one.status.counts for one in others)

    def public(self) -> list[Verdict]:
        """Return the cases that a student may see."""
        return [one for one in self.verdicts if one.visibility == "public"]

    def hidden(self) -> list[Verdict]:
        """Return the cases of which only the number may be shown."""
        return [one for one in self.verdicts if one.visibility != "public"]

    def shown(self, verdict: Verdict) -> str:
        """Return the text that shows a case."""
        is_right = verdict.status is Status.PASSED
        return clipped(verdict.reason if is_right else failure_text(verdict), self.room)


class PlaceReport(Value):
    """All that a place may show of one submission."""

    grade: Grade
    rows: tuple[ReportRow, ...] = ()
    problem: SomeLines = ""
    """Why there is no score; empty if there is one."""
    right: str = ""
    """The criteria in which nothing is wrong, in a line, if something is elsewhere."""
    leaderboard: bool = False

    @property
    def gradable(self) -> bool:
        """Whether the numbers are a score."""
        return not self.problem

    @property
    def not_python(self) -> bool:
        """Whether the file is not Python at all."""
        unrun = self.grade.does_not_run
        return unrun is not None and unrun.why is Unrun.NOT_PYTHON

    @property
    def final(self) -> float:
        """The number that goes into a gradebook: the total, or what it is out of `scale_to`, rounded."""
        return self.grade.final

    @property
    def out_of(self) -> float:
        """What the final number is out of."""
        return self.grade.out_of

    @property
    def share(self) -> float:
        """What goes back, as a share of the full marks: not by a scaled total, which has two decimals."""
        grade = self.grade
        return grade.final / grade.out_of if grade.rounding else grade.total / grade.points

    @property
    def notes(self) -> list[str]:
        """The grade's notes, none without an end."""
        return [clipped(note, per_row(len(self.rows))) for note in self.grade.notes]

    def judged(self) -> list[ReportRow]:
        """Return the criteria that something can be said about: none if nothing was graded.

        Those for which the file would have to run are one row, if it does not.
        """
        if not any(row.judged and not row.by_hand for row in self.rows):
            return []
        spoilt = [row for row in self.rows if row.unrun]
        if not self.grade.does_not_run or not spoilt:
            return list(self.rows)
        others = (row for row in self.rows if not row.unrun)
        return [_spoilt(spoilt, self.grade.does_not_run), *others]


def of_grade(grade: Grade, rubric: Rubric) -> PlaceReport:
    """Return the report on a grade for places, in the language of the grade."""
    with in_language(grade.language):
        problem = _problem(grade)
        rows = tuple(_row(one, grade, is_scored=not problem) for one in grade.criteria)
        right = what_is_right(grade)
    return PlaceReport(grade=grade, rows=rows, problem=problem, right=right, leaderboard=rubric.leaderboard)


def of_failure(
    problem: str, submission: str = "", rubric: Rubric | None = None, cases: Iterable[Case] = ()
) -> PlaceReport:
    """Return the report for places when there is no grade, with as much of the rubric as could be read.

    It is in the active language, as the problem is; without a problem the grader did not finish.
    """
    problem = clipped(_(problem.strip() or UNFINISHED), per_row(1))
    about: dict[str, Any] = {"seconds": 0.0, "submission_seconds": 0.0}
    if rubric:
        grade = make_grade(rubric, submission, [_unasked(case, problem) for case in cases], **about)
    else:
        numbers: dict[str, Any] = dict.fromkeys(("score", "points", "bonus", "total"), 0.0)
        about |= {"title": "Tic-Tac-Toe", "submission": submission, "language": active().code}
        grade = Grade(scaled=None, criteria=(), **numbers, **about)
    rows = tuple(_row(one, grade, is_scored=False) for one in grade.criteria)
    return PlaceReport(grade=grade, rows=rows, problem=problem)


def _row(criterion: CriterionScore, grade: Grade, *, is_scored: bool) -> ReportRow:
    room = per_row(len(grade.criteria))
    verdicts = tuple(replace(one, reason=clipped(one.reason, room)) for one in criterion.verdicts)
    seen = {one.function for one in verdicts if one.visibility == "public" and one.status.is_bad}
    mistakes = tuple(one for one in grade.mistakes if grade.show_mistakes and one.function in seen)
    about: dict[str, Any] = {**vars(criterion), "verdicts": verdicts}
    if criterion.by_hand or not is_scored:
        about["score"] = None
    return ReportRow(**about, mistakes=mistakes, room=room)


def _unasked(case: Case, problem: str) -> tuple[str, Verdict]:
    """Return a case that was not asked."""
    one = case.question
    return case.criterion, unjudged(one.id, one.weight, one.visibility, problem)


def _problem(grade: Grade) -> str:
    """Return why the numbers of a grade are no score, or nothing."""
    if grade.grader_errors:
        return ngettext(
            "The grader failed on {count} case, so there is no score: a person has to look.",
            "The grader failed on {count} cases, so there is no score: a person has to look.",
            len(grade.grader_errors),
        )
    if grade.not_gradable:
        told = _("Not gradable, so there is no score: a person has to look.")
        return f"{told} {grade.not_gradable}"
    if all(criterion.by_hand for criterion in grade.criteria):
        return _("A person judges this: there is nothing for the grader to score.")
    return ""


def _spoilt(rows: Sequence[ReportRow], why: DoesNotRun) -> ReportRow:
    """Return one row for all criteria that a file spoils by not running; a bonus is not among them."""
    ordinary = [row for row in rows if not row.bonus]
    text = "\n".join(filter(None, (why.sentence, *pointed_out(why), why.said, _(FIX_FIRST))))
    return ReportRow(
        id=_("file"),
        description=_("The file does not run"),
        points=sum(row.points for row in ordinary),
        score=sum(row.score or 0.0 for row in ordinary),
        bonus=False,
        tally=Tally(
            public=_sum(row.tally.public for row in rows), hidden=_sum(row.tally.hidden for row in rows)
        ),
        verdicts=(),
        text=clipped(text, per_row(1)),
    )


def _sum(counts: Iterable[Count]) -> Count:
    each = list(counts)
    names = ("passed", "cases", "not_judged", "lost")
    return Count(**{name: sum(getattr(one, name) for one in each) for name in names})


_SHOWN: Final = 2
"""Cases of a criterion that are shown in full."""

_NAMED: Final = 8


def summary(report: PlaceReport) -> str:
    """Return the whole result in a sentence; before it that a file does not run, after it what is left."""
    if report.problem:
        return report.problem
    grade = report.grade
    left = sum(row.points for row in report.rows if row.by_hand)
    waiting = _("A person still judges up to {points} points.", points=number(left)) if left else ""
    first = _("The file does not run.") if grade.does_not_run else ""
    sentences = (*grade.for_a_person, first, _result(grade), counted(grade.tally), report.right, waiting)
    return " ".join(filter(None, sentences))


def _result(grade: Grade) -> str:
    """Return the total in a sentence, with the bonus in it, and with what goes back where that is another."""
    names = ("total", "points", "score", "bonus", "final", "out_of")
    figures = {name: number(getattr(grade, name)) for name in names}
    match bool(grade.bonus), (grade.final, grade.out_of) != (grade.total, grade.points):
        case False, False:
            return _("{total} of {points} points.", **figures)
        case True, False:
            return _("{total} of {points} points ({score} and a bonus of {bonus}).", **figures)
        case False, True:
            return _("{total} of {points} points, that is {final} of {out_of}.", **figures)
    return _(
        "{total} of {points} points ({score} and a bonus of {bonus}), that is {final} of {out_of}.", **figures
    )


def name(row: ReportRow) -> str:
    """Return what a row is called."""
    if row.bonus:
        return _("{criterion}: {description} (bonus)", criterion=row.id, description=row.description)
    return f"{row.id}: {row.description}"


def points(row: ReportRow) -> str:
    """Return what a criterion earned, in a few words."""
    if row.by_hand:
        return _("a person judges this, up to {points} points", points=number(row.points))
    if row.score is None:
        return _("no score")
    return shares(row.score, row.points, row.given_back, BONUS_POINTS if row.bonus else POINTS)


def body(row: ReportRow, rows: int = 1) -> str:
    """Return what a student may read about one criterion of so many; of hidden cases their number."""
    if row.text:
        return f"{row.text}\n{counted(row.tally)}"
    lines = [one.sentence for one in row.mistakes]
    lines += [_("Hint: {hint}", hint=one.hint) for one in row.mistakes if one.hint]
    lines += filter(None, [counted(row.tally)])
    lines += listed(row.public())
    for case in _telling(row):
        lines += ["", f"{case.id}:", *(f"  {line}" for line in row.shown(case).splitlines())]
    return clipped("\n".join(lines), per_row(rows))


def counted(tally: Tally) -> str:
    """Return how many of the cases that count passed, in a sentence; of hidden ones only that."""
    passed = cases_passed(tally)
    return f"{passed}." if passed else ""


def listed(cases: list[Verdict]) -> list[str]:
    """Return a line for each outcome: which passed, and why the others did not, a reason once.

    What counts nothing is a note and no failure.
    """
    passed = [case.id for case in cases if case.status is Status.PASSED and case.weight]
    lines = [_("passed: {cases}", cases=", ".join(passed))] if passed else []
    others: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        if case.status is not Status.PASSED:
            case_id = f"{case.id} ({worth(case)})" if worth(case) else case.id
            others.setdefault((_outcome(case), case.reason), []).append(case_id)
    for (became, reason), ids in others.items():
        about = {"outcome": became, "cases": named(ids, _NAMED), "reason": reason}
        lines.append(_("{outcome}: {cases}: {reason}", **about))
    return lines


def taken_off(report: PlaceReport) -> list[str]:
    """Return what was taken off for something that belongs to no criterion."""
    return [
        _("{points} points are taken off: {reason}", points=number(one.points), reason=one.reason)
        for one in report.grade.deductions
    ]


def _outcome(case: Verdict) -> str:
    return outcome(case.status) if case.weight or not case.status.is_bad else _("note")


def _telling(row: ReportRow) -> list[Verdict]:
    """Return the failed cases that show most, each for a reason of its own, if points were lost."""
    if row.full:
        return []
    failed = {case.reason: case for case in row.public()[::-1] if case.status.is_bad and case.weight}
    return [case for case in list(failed.values())[::-1] if row.shown(case) != case.reason][:_SHOWN]
