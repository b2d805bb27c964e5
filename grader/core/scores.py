"""Verdicts and rubric become scores: the points of a criterion are shared by the weights of its cases."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from grader.core.course.rubric import Criterion, Rubric
from grader.core.grade import (
    Count,
    CriterionScore,
    Deduction,
    Grade,
    Status,
    Tally,
    Verdict,
    gathered,
    tally_of,
)
from grader.core.messages import _, active, later, own_text
from grader.core.values import percent

_ENOUGH: Final = 0.75
"""Below this share of a criterion seen, a person is asked to look: slowness may hide faults."""

_EXACT: Final = 6  # decimals of a case's points: their sum is the criterion's score, to two
_LEFT_OUT: Final = "left-out"  # the code of a verdict that was left out of a grade after it was made
_Part = tuple[str, str | None, str | None]  # a criterion's cases about one aspect of one function


def make_grade(
    rubric: Rubric,
    submission: str,
    verdicts: Iterable[tuple[str, Verdict]],
    *,
    deductions: Iterable[Deduction] = (),
    **details: Any,
) -> Grade:
    """Return the grade for a submission's verdicts, each given with the id of its criterion.

    The details are fields of the grade that are not computed here.
    """
    by_criterion: dict[str, list[Verdict]] = {criterion.id: [] for criterion in rubric.all_criteria()}
    for criterion_id, verdict in verdicts:
        by_criterion[criterion_id].append(verdict)
    shares = _shares_given_back(rubric, by_criterion)
    criteria = tuple(
        _score(criterion, by_criterion[criterion.id], rubric, shares) for criterion in rubric.all_criteria()
    )
    regular = [criterion for criterion in criteria if not criterion.bonus]
    deductions = tuple(deductions)
    return Grade(
        language=active().code,
        title=own_text(rubric.title),
        submission=submission,
        **_totals(criteria, deductions, rubric.scale_to, rubric.points),
        points=round(sum(criterion.points for criterion in regular), 2),
        scale_to=rubric.scale_to,
        rounding=rubric.rounding,
        smileys=rubric.smileys,
        tally=tally_of(verdict for criterion in regular for verdict in criterion.verdicts),
        criteria=criteria,
        for_a_person=tuple(
            to_decide(criterion) for criterion in criteria if criterion.undecided or criterion.seen < _ENOUGH
        ),
        deductions=deductions,
        **gathered([(name, verdict) for name, found in by_criterion.items() for verdict in found]),
        **details,
    )


def _totals(
    criteria: Iterable[CriterionScore], deductions: Iterable[Deduction], scale_to: float | None, points: float
) -> dict[str, Any]:
    """Return the sums of a grade: score, bonus, total, and the total out of `scale_to`."""
    earned = {False: 0.0, True: 0.0}
    for criterion in criteria:
        earned[criterion.bonus] += criterion.score
    score = max(0.0, earned[False] - sum(deduction.points for deduction in deductions))
    total = score + earned[True]
    return {
        "score": round(score, 2),
        "bonus": round(earned[True], 2),
        "total": round(total, 2),
        "scaled": round(total * scale_to / points, 2) if scale_to else None,
    }


def ungraded(rubric: Rubric, submission: str, why: str) -> Grade:
    """Return what stands for a grade where nothing was judged: it has no score, and a person has to look."""
    return make_grade(rubric, submission, (), not_gradable=why, seconds=0.0, submission_seconds=0.0)


def _shares_given_back(rubric: Rubric, by_criterion: Mapping[str, list[Verdict]]) -> dict[_Part, float]:
    """Return the share of the lost points that is given back, by criterion, function and aspect.

    Points are given back only if the functions at the end of the chain lose points themselves; for each of
    them at most what the rubric says.
    """
    back = rubric.follow_through
    lost: dict[_Part, float] = defaultdict(float)
    follows: dict[_Part, tuple[str, ...]] = {}
    for criterion in rubric.all_criteria():
        verdicts = by_criterion[criterion.id]
        each = _points_each(criterion, verdicts, rubric)
        for verdict in verdicts:
            lost[criterion.id, verdict.function, verdict.aspect] += each * _missed(verdict)
            parts = ((criterion.id, verdict.function, aspect) for aspect in verdict.restored or ())
            follows |= dict.fromkeys(parts, verdict.follows or ())
    charged = {part[1] or "" for part, points in lost.items() if points and part not in follows}
    leads: dict[str, set[str]] = defaultdict(set)
    for (_criterion, function, _aspect), names in follows.items():
        leads[function or ""].update(names)
    faults = {part: _faults_behind(names, charged, leads) for part, names in follows.items()}
    given: dict[str, float] = defaultdict(float)
    for part, behind in faults.items():
        for fault in behind:
            given[fault] += back.share * lost[part] / len(behind)
    most = math.inf if back.at_most is None else back.at_most
    kept = {fault: min(1.0, most / points) if points else 1.0 for fault, points in given.items()}
    return {
        part: back.share * sum(map(kept.__getitem__, behind)) / len(behind)
        for part, behind in faults.items()
        if behind
    }


def _faults_behind(names: Iterable[str], charged: set[str], leads: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the charged functions to which all names lead; none if a name leads to no charged function."""
    behind = []
    for name in names:
        reached, pending = {name}, [name]
        while pending:
            new = leads.get(pending.pop(), set()) - reached
            reached |= new
            pending += new
        behind.append(reached & charged)
    return frozenset().union(*behind) if all(behind) else frozenset()


def _missed(verdict: Verdict) -> float:
    """Return the part of its weight that a case has not earned."""
    return verdict.weight - (verdict.earned or 0.0) if verdict.status.counts else 0.0


def _points_each(criterion: Criterion, verdicts: list[Verdict], rubric: Rubric) -> float:
    """Return the points of a case with weight one: a criterion's are shared by the cases that count.

    What could not be seen counts too where a person has to decide: until then it earns nothing.
    """
    is_undecided = _seen(verdicts, rubric) < rubric.seen_at_least
    weight = sum(
        verdict.weight
        for verdict in verdicts
        if verdict.status.counts or (is_undecided and verdict.seen is not None)
    )
    return criterion.points / weight if weight else 0.0


def _only_seen(verdict: Verdict) -> Verdict:
    """Return a verdict that earns no more than the share that was seen."""
    if verdict.seen is None or verdict.earned is None:
        return verdict
    return replace(verdict, earned=min(verdict.earned, round(verdict.weight * verdict.seen, _EXACT)))


def _score(
    criterion: Criterion, verdicts: list[Verdict], rubric: Rubric, shares: Mapping[_Part, float]
) -> CriterionScore:
    """Return a criterion's score: its points, shared by the weights of the cases that count.

    Where a verdict says that only other functions are to blame, a share of what was lost is given back.
    """
    seen = _seen(verdicts, rubric)
    each = _points_each(criterion, verdicts, rubric)
    if seen < rubric.seen_at_least:
        verdicts = list(map(_only_seen, verdicts))
    priced = tuple(
        _priced(verdict, each, shares.get((criterion.id, verdict.function, verdict.aspect), 0.0))
        for verdict in verdicts
    )
    return CriterionScore(
        id=criterion.id,
        description=own_text(criterion.description),
        points=round(criterion.points, 2),
        score=round(sum(verdict.score or 0.0 for verdict in priced), 2),
        bonus=rubric.is_bonus(criterion.id),
        by_hand=criterion.by_hand,
        given_back=round(sum(verdict.given_back or 0.0 for verdict in priced), 2),
        seen=round(seen, 4),
        undecided=seen < rubric.seen_at_least,
        tally=tally_of(priced),
        verdicts=priced,
    )


def _priced(verdict: Verdict, each: float, restored: float) -> Verdict:
    """Return a verdict with what it is worth, what it earned, and what of that was given back.

    A weight of one is worth `each` points; of what was lost the share `restored` is given back.
    """
    if not (verdict.status.counts and verdict.weight):
        return verdict
    back = restored * each * _missed(verdict)
    return replace(
        verdict,
        points=round(each * verdict.weight, _EXACT),
        score=round(each * (verdict.earned or 0.0) + back, _EXACT),
        given_back=round(back, _EXACT) or None,
    )


def to_decide(criterion: CriterionScore) -> str:
    """Return the sentence about a criterion of which too little was seen, or a case was left out."""
    words: dict[str, Any] = {"criterion": criterion.id, "points": criterion.points}
    words |= {"share": percent(criterion.seen), "left": round(criterion.points - criterion.score, 2)}
    if any(verdict.code == _LEFT_OUT for verdict in criterion.verdicts):
        sentence = later(
            "A test of '{criterion}' does not count, for a fault of its own: a person decides about the "
            "{left:g} points that the other cases have not earned."
        )
    elif not criterion.undecided:
        sentence = later(
            "Only {share} of what '{criterion}' asks could be seen, for the file is slow; its score is of "
            "what was seen. A person should look at the rest."
        )
    elif not criterion.seen:
        sentence = later(
            "Nothing of what '{criterion}' asks could be seen: it earns nothing until a person decides about "
            "its {points:g} points."
        )
    else:
        sentence = later(
            "Only {share} of what '{criterion}' asks could be seen: it earns that share until a person "
            "decides about its {points:g} points."
        )
    return _(sentence, **words)


def without_cases(grade: Grade, why: Mapping[tuple[str, str], str]) -> Grade:
    """Return a grade in which some cases that earned nothing do not count: by criterion and id, with why.

    The other cases of a criterion share its points; where they do not earn all of them, a person decides.
    """
    criteria = tuple(
        _without(criterion, {case: reason for (owner, case), reason in why.items() if owner == criterion.id})
        for criterion in grade.criteria
    )
    tallies = [criterion.tally for criterion in criteria if not criterion.bonus]
    return replace(
        grade,
        **_totals(criteria, grade.deductions, grade.scale_to, grade.points),
        tally=Tally(
            public=_sum(tally.public for tally in tallies), hidden=_sum(tally.hidden for tally in tallies)
        ),
        criteria=criteria,
        for_a_person=tuple(to_decide(criterion) for criterion in criteria if criterion.undecided),
    )


def _without(criterion: CriterionScore, why: Mapping[str, str]) -> CriterionScore:
    """Return a criterion's score without some of its cases, given by id with the reason."""
    gone = [verdict for verdict in criterion.verdicts if verdict.id in why]
    if not gone:
        return criterion
    worth = sum(verdict.points or 0.0 for verdict in gone)
    left = criterion.points - worth
    more = criterion.points / left if round(left, 2) else 0.0
    is_full = more > 0 and criterion.score >= round(left, 2)
    score = criterion.points if is_full else round(more * criterion.score, 2)
    public = [verdict for verdict in gone if verdict.visibility == "public"]
    hidden = [verdict for verdict in gone if verdict.visibility != "public"]
    tally = Tally(
        public=_uncounted(criterion.tally.public, public, more),
        hidden=_uncounted(criterion.tally.hidden, hidden, more),
    )
    uncounted: dict[str, Any] = {"status": Status.SKIPPED, "code": _LEFT_OUT}
    uncounted |= dict.fromkeys(("earned", "points", "score"))
    return replace(
        criterion,
        score=score,
        given_back=round(more * criterion.given_back, 2),
        undecided=criterion.undecided or (worth > 0 and score < criterion.points),
        tally=tally,
        verdicts=tuple(
            replace(verdict, reason=why[verdict.id], **uncounted)
            if verdict.id in why
            else _times(verdict, more)
            for verdict in criterion.verdicts
        ),
    )


def _times(verdict: Verdict, more: float) -> Verdict:
    """Return a verdict with its points multiplied."""
    if verdict.points is None or verdict.score is None:
        return verdict
    points, score = round(more * verdict.points, _EXACT), round(more * verdict.score, _EXACT)
    back = verdict.given_back and round(more * verdict.given_back, _EXACT)
    return replace(verdict, points=points, score=score, given_back=back)


def _uncounted(count: Count, gone: Sequence[Verdict], more: float) -> Count:
    """Return a count in which some cases are not judged, and the points of the others are multiplied."""
    lost = round(count.lost - round(sum(verdict.lost for verdict in gone), 2), 2)  # as it is rounded there
    not_judged = count.not_judged + sum(verdict.weight > 0 for verdict in gone)
    return replace(count, not_judged=not_judged, lost=round(more * lost, 2))


def _sum(counts: Iterable[Count]) -> Count:
    found = list(counts)
    return Count(
        passed=sum(count.passed for count in found),
        cases=sum(count.cases for count in found),
        not_judged=sum(count.not_judged for count in found),
        lost=round(sum(count.lost for count in found), 2),
    )


def _seen(verdicts: list[Verdict], rubric: Rubric) -> float:
    """Return the share of what cases ask that was seen; a case that could not be asked was not.

    Of a program it is the least share of a case: what a single game shows, as its marks or its end, does not
    make up for games that were not played.
    """
    asked = [verdict for verdict in verdicts if verdict.status.counts or verdict.seen is not None]
    weight = sum(verdict.weight for verdict in asked)
    seen = sum(verdict.weight * (1.0 if verdict.seen is None else verdict.seen) for verdict in asked)
    shares = [verdict.seen for verdict in asked if verdict.status.counts and verdict.seen is not None]
    least = min(shares, default=1.0) if rubric.kind == "program" else 1.0
    return min(least, seen / weight) if weight else 1.0
