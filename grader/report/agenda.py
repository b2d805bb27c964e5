"""What to mend, in the order to mend it: failed cases folded under the mistake that explains them."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from grader.core.evidence import Mistake
from grader.core.game.interface import MENDING
from grader.core.grade import CriterionScore, Grade, Verdict
from grader.core.text import joined

_EVERYWHERE: Final = 3
"""Criteria, or all cases that fail, with one and the same reason, from which on it is the file's."""


_NOTHING: Final = 0.005
"""Points that no report shows."""


class FailedCase(NamedTuple):
    """A failed case, by the name of its criterion and its own."""

    name: str
    verdict: Verdict


@dataclass(frozen=True)
class Item:
    """One thing to mend: a function, a criterion, or the file; with all cases that it fails.

    `shown` are cases that say what no mistake explains.
    """

    name: str
    cases: tuple[FailedCase, ...]
    mistakes: tuple[Mistake, ...] = ()
    shown: tuple[Verdict, ...] = ()
    followers: str = ""
    remark: str = ""

    @property
    def lost(self) -> float:
        """What these cases cost together."""
        return sum(verdict.lost for _, verdict in self.cases)


def agenda(grade: Grade) -> list[Item]:
    """Return what to mend; what else a person may earn (a bonus) is not among it.

    Nor is that a file does not run, which `does_not_run` tells.
    """
    ordinary = [criterion for criterion in grade.criteria if not criterion.bonus]
    verdicts = [(one, verdict) for one in ordinary for verdict in one.verdicts]
    bad = [(one, verdict) for one, verdict in verdicts if verdict.status.is_bad and verdict.weight]
    failed = [(one, verdict) for one, verdict in bad if not verdict.unrun]
    items = []
    everywhere = _one_reason(failed)
    if everywhere:
        same = [(one, verdict) for one, verdict in failed if verdict.reason == everywhere]
        items.append(Item("the file", _cases(same), shown=(same[0][1],)))
        failed = [(one, verdict) for one, verdict in failed if verdict.reason != everywhere]
    follows = _follows(grade)
    for function in MENDING:
        restored = (follows[function].restored if function in follows else None) or ()
        named = [(one, verdict) for one, verdict in failed if verdict.function == function]
        own = [
            (one, verdict)
            for one, verdict in named
            if verdict.aspect not in restored or verdict.lost > _NOTHING
        ]
        if own:
            items.append(_function(grade, function, own, follows))
    for criterion in ordinary:
        rest = [(one, verdict) for one, verdict in failed if one is criterion and not verdict.function]
        if rest:
            shown = tuple({verdict.reason: verdict for _, verdict in rest[::-1]}.values())[::-1]
            items.append(Item(criterion.id, _cases(rest), shown=shown))
    return items


Failed = list[tuple[CriterionScore, Verdict]]


def _one_reason(failed: Failed) -> str | None:
    """Return the reason for which several criteria fail alike, or None."""
    criteria: dict[str, set[str]] = {}
    for criterion, verdict in failed:
        criteria.setdefault(verdict.reason, set()).add(criterion.id)
    functions = {verdict.function for _, verdict in failed}
    only = len(criteria) == 1 and len(failed) >= _EVERYWHERE and len(functions) > 1
    return next((reason for reason, ids in criteria.items() if only or len(ids) >= _EVERYWHERE), None)


def _follows(grade: Grade) -> dict[str, Verdict]:
    """Return the functions that are wrong because others are, if only in part, each with what says so."""
    verdicts = (verdict for criterion in grade.criteria for verdict in criterion.verdicts)
    return {one.function: one for one in verdicts if one.function and one.follows}


def _function(grade: Grade, function: str, own: Failed, follows: dict[str, Verdict]) -> Item:
    unexplained = [verdict for _, verdict in own if not verdict.explained_by]
    telling = max(unexplained, key=lambda verdict: verdict.weight, default=None)
    tried = (
        verdict.reason
        for criterion in grade.criteria
        for verdict in criterion.verdicts
        if verdict.function == function and verdict.code == "own-fault-too"
    )
    mistakes = tuple(one for one in grade.mistakes if one.function == function)
    by_others = follows[function].reason if function in follows and not mistakes else ""
    return Item(
        function,
        _cases(own),
        mistakes,
        (telling,) if telling else (),
        _followers(grade, function, follows),
        next(tried, "") if unexplained else by_others,
    )


def _followers(grade: Grade, function: str, follows: dict[str, Verdict]) -> str:
    """Return which functions are right as soon as this one is, and what is given back for that."""
    mine = {name: verdict for name, verdict in follows.items() if (verdict.follows or ("",))[0] == function}
    if not mine:
        return ""
    others = {name for verdict in mine.values() for name in verdict.follows or ()}
    needed = _quoted([name for name in MENDING if name in others])
    given_back = sum(
        criterion.given_back
        for criterion in grade.criteria
        if any(verdict.function in mine for verdict in criterion.verdicts)
    )
    back = f"{given_back:g} points are given back." if given_back else ""
    whole = [name for name, verdict in mine.items() if not verdict.parameters.get("still")]
    are = "is right too" if len(whole) == 1 else "are right too"
    told = [f"With a correct {needed} your {_quoted(whole)} {are}."] if whole else []
    told += [verdict.reason for name, verdict in mine.items() if name not in whole]
    return " ".join(filter(None, (*told, back)))


def _quoted(names: list[str]) -> str:
    return joined([f"`{name}`" for name in names])


def _cases(failed: Failed) -> tuple[FailedCase, ...]:
    """Return the cases by name, those that cost most first."""
    named = (FailedCase(f"{criterion.id}/{verdict.id}", verdict) for criterion, verdict in failed)
    return tuple(sorted(named, key=lambda case: -case.verdict.lost))
