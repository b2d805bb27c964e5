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
_MOST_TOGETHER: Final = 200_000  # characters of text about one criterion, and about all of them


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
    """Return the most characters of text about one criterion of so many."""
    return max(200, min(_MOST, _MOST_TOGETHER // max(1, rows)))


class ReportRow(CriterionScore):
    """One criterion, with the mistakes behind it; without a score if a person judges, or nothing counts."""

    score: float | None  # type: ignore[assignment]
    mistakes: tuple[Mistake, ...] = ()
    text: SomeLines = ""  # the text in place of its cases
    limit: int = per_row(1)  # characters of text about it

    @property
    def full(self) -> bool:
        """Whether all of its points were earned."""
        return self.score is not None and self.score >= self.points

    @property
    def judged(self) -> bool:
        """Whether there is something to say about it."""
        return self.by_hand or bool(self.text) or any(verdict.status.counts for verdict in self.verdicts)

    @property
    def unrun(self) -> bool:
        """Whether none of its cases could be judged because the file does not run."""
        others = (verdict for verdict in self.verdicts if verdict.weight and not verdict.unrun)
        is_unrun = any(verdict.unrun for verdict in self.verdicts)
        return is_unrun and not any(verdict.status.counts for verdict in others)

    def public(self) -> list[Verdict]:
        """Return the cases that a student may see."""
        return [verdict for verdict in self.verdicts if verdict.visibility == "public"]

    def hidden(self) -> list[Verdict]:
        """Return the cases of which only the number may be shown."""
        return [verdict for verdict in self.verdicts if verdict.visibility != "public"]

    def shown(self, verdict: Verdict) -> str:
        """Return the text that shows a case."""
        is_right = verdict.status is Status.PASSED
        return clipped(verdict.reason if is_right else failure_text(verdict), self.limit)


class PlaceReport(Value):
    """All that a place may show of one submission."""

    grade: Grade
    rows: tuple[ReportRow, ...] = ()
    problem: SomeLines = ""  # why there is no score; empty if there is one
    right: str = ""  # the criteria in which nothing is wrong, in a line, if something is elsewhere
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
    def notes(self) -> list[str]:
        """The grade's notes, none without an end."""
        return [clipped(note, per_row(len(self.rows))) for note in self.grade.notes]

    def judged(self) -> list[ReportRow]:
        """Return the criteria that a report shows: none if nothing was graded.

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
        rows = tuple(_row(criterion, grade, is_scored=not problem) for criterion in grade.criteria)
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
        asked = [(case.criterion, case.question) for case in cases]
        verdicts = [
            (criterion, unjudged(question.id, question.weight, question.visibility, problem))
            for criterion, question in asked
        ]
        grade = make_grade(rubric, submission, verdicts, **about)
    else:
        about |= dict.fromkeys(("score", "points", "bonus", "total"), 0.0)
        about |= {"title": "Tic-Tac-Toe", "submission": submission, "language": active().code}
        grade = Grade(scaled=None, criteria=(), **about)
    rows = tuple(_row(criterion, grade, is_scored=False) for criterion in grade.criteria)
    return PlaceReport(grade=grade, rows=rows, problem=problem)


def _row(criterion: CriterionScore, grade: Grade, *, is_scored: bool) -> ReportRow:
    limit = per_row(len(grade.criteria))
    verdicts = tuple(
        replace(verdict, reason=clipped(verdict.reason, limit)) for verdict in criterion.verdicts
    )
    seen = {
        verdict.function for verdict in verdicts if verdict.visibility == "public" and verdict.status.is_bad
    }
    mistakes = tuple(
        mistake for mistake in grade.mistakes if grade.show_mistakes and mistake.function in seen
    )
    about: dict[str, Any] = {**vars(criterion), "verdicts": verdicts}
    if criterion.by_hand or not is_scored:
        about["score"] = None
    return ReportRow(**about, mistakes=mistakes, limit=limit)


def _problem(grade: Grade) -> str:
    """Return why the numbers of a grade are no score, or nothing."""
    if grade.grader_errors:
        return ngettext(
            "The grader failed on {count} case, so there is no score: a person has to look.",
            "The grader failed on {count} cases, so there is no score: a person has to look.",
            len(grade.grader_errors),
        )
    if grade.not_gradable:
        return " ".join((_("Not gradable, so there is no score: a person has to look."), grade.not_gradable))
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
    each = [vars(count) for count in counts]
    return Count(**{name: sum(count[name] for count in each) for name in each[0]})


_SHOWN: Final = 2  # cases of a criterion that are shown in full
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
    lines = [mistake.sentence for mistake in row.mistakes]
    lines += [_("Hint: {hint}", hint=mistake.hint) for mistake in row.mistakes if mistake.hint]
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
            became = outcome(case.status) if case.weight or not case.status.is_bad else _("note")
            others.setdefault((became, case.reason), []).append(case_id)
    for (became, reason), ids in others.items():
        about = {"outcome": became, "cases": named(ids, _NAMED), "reason": reason}
        lines.append(_("{outcome}: {cases}: {reason}", **about))
    return lines


def taken_off(report: PlaceReport) -> list[str]:
    """Return what was taken off for something that belongs to no criterion."""
    return [
        _("{points} points are taken off: {reason}", points=number(lost.points), reason=lost.reason)
        for lost in report.grade.deductions
    ]


def _telling(row: ReportRow) -> list[Verdict]:
    """Return the failed cases that show most, each for a reason of its own, if points were lost."""
    if row.full:
        return []
    failed = {case.reason: case for case in row.public()[::-1] if case.status.is_bad and case.weight}
    return [case for case in list(failed.values())[::-1] if row.shown(case) != case.reason][:_SHOWN]
