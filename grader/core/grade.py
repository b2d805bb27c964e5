"""A grade is one frozen value: all scores and verdicts. Every report is made from it alone."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, Final

from grader.core.evidence import (
    Count,
    DoesNotRun,
    Finding,
    FirstMove,
    Mistake,
    PlayedGame,
    Search,
    Sweep,
    Tactic,
    Tally,
)
from grader.core.plain import plain
from grader.core.values import OneLine, SomeLines, Value, said

SCHEMA: Final = "tictactoe-grade/1"


class Status(StrEnum):
    """The outcome of one case."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"
    SKIPPED = "skipped"
    GRADER_ERROR = "grader_error"

    @property
    def counts(self) -> bool:
        """Whether the case's weight counts for or against the submission."""
        return self not in (Status.SKIPPED, Status.GRADER_ERROR)

    @property
    def is_bad(self) -> bool:
        """Whether the case failed, for a reason of the submission's."""
        return self.counts and self is not Status.PASSED


class Verdict(Value):
    """The outcome of one case: a status, what it earned, and the reason."""

    always_told: ClassVar = frozenset(["earned"])
    """As plain data blanks are left out, but for these."""

    id: OneLine
    status: Status
    weight: float = said(ge=0)
    earned: float | None = said(
        description="The part of the weight that was earned; null if it does not count."
    )
    seen: float | None = said(
        default=None,
        description="The share of what the case asks that was seen, where more would have told more.",
    )
    points: float | None = said(
        default=None, description="What it is worth in points, if it counts: its share of the criterion's."
    )
    score: float | None = said(default=None, description="What it earned of them, given back included.")
    given_back: float | None = said(
        default=None, description="The part of the score that was lost by what other functions get wrong."
    )
    reason: SomeLines
    code: str = said(default="", description="What the reason is, for programs: its sentence may change.")
    parameters: dict[str, Any] = said(
        default_factory=dict, description="What the sentence is made of, beside the code."
    )
    unrun: bool | None = said(default=None, description="Whether the file would have to run for it.")
    function: str | None = said(
        default=None, description="The function that the case is about, if it is one."
    )
    aspect: str | None = said(default=None, description="What of the function: see 'mistakes'.")
    explained_by: str | None = said(
        default=None, description="The mistake that explains the failure, as function/id."
    )
    visibility: str = "public"
    hint: SomeLines | None = None
    board: tuple[str, str, str] | None = said(default=None, description="The rows of the board in question.")
    call: SomeLines | None = None
    expected: SomeLines | None = None
    got: SomeLines | None = None
    line: int | None = said(default=None, description="The line of the source that raised, if one did.")
    asked: int | None = said(default=None, description="How many questions a case over many boards asked.")
    right: int | None = said(default=None, description="How many of them were answered right.")
    findings: tuple[Finding, ...] | None = None
    refutation: PlayedGame | None = said(
        default=None, description="The shortest game that beats the submission."
    )
    missed_win: PlayedGame | None = said(default=None, description="The win that a wasteful move gave away.")
    search: Search | None = said(default=None, description="How minimax searches, where that is judged.")
    transcript: SomeLines | None = said(
        default=None, description="The end of what was seen and typed in a program's terminal."
    )
    restored: tuple[str, ...] | None = said(
        default=None,
        description="The aspects in which the function is right when those that it follows are; none of them "
        "where it follows nobody.",
    )
    follows: tuple[str, ...] | None = said(
        default=None, description="The wrong functions that make this one wrong."
    )

    @property
    def lost(self) -> float:
        """The points that it costs in the end."""
        return (self.points or 0.0) - (self.score or 0.0)


class CriterionScore(Value):
    """What one criterion earned, and the verdicts behind it."""

    id: str
    description: SomeLines
    points: float = said(ge=0)
    score: float = said(ge=0)
    bonus: bool
    by_hand: bool = False
    given_back: float = said(
        ge=0,
        default=0.0,
        description="The part of the score that was lost by what other functions get wrong.",
    )
    seen: float = said(default=1.0, description="The share of what its cases ask that was seen.")
    undecided: bool = said(
        default=False, description="Whether a person has to decide, for too little of it was seen."
    )
    tally: Tally = Tally()
    verdicts: tuple[Verdict, ...]


class Deduction(Value):
    """Points taken off the score for something that belongs to no criterion."""

    points: float = said(ge=0)
    reason: SomeLines


class Grade(Value):
    """All scores and verdicts of one submission."""

    schema: str = SCHEMA
    title: SomeLines
    submission: OneLine
    score: float = said(ge=0, description="What the criteria earned, without bonus.")
    points: float = said(ge=0, description="The full marks, without bonus.")
    bonus: float = said(ge=0, description="What the bonus criteria earned.")
    total: float = said(ge=0, description="Score and bonus together.")
    scaled: float | None = said(description="The total out of scale_to, if the rubric names one.")
    scale_to: float | None = None
    does_not_run: DoesNotRun | None = said(
        default=None, description="Why nothing of the file could be asked, if so: to be mended first."
    )
    tally: Tally = said(default=Tally(), description="How many cases passed, hidden ones counted apart.")
    criteria: tuple[CriterionScore, ...]
    for_a_person: tuple[OneLine, ...] = said(
        default=(), description="What a person has to decide, for too little of it was seen."
    )
    decisions: tuple[OneLine, ...] = said(
        default=(), description="What a person has decided, each in a sentence: scores and total are with it."
    )
    deductions: tuple[Deduction, ...] = ()
    notes: tuple[OneLine, ...] = ()
    for_instructors: tuple[OneLine, ...] = said(
        default=(), description="Notes that a student's view leaves out."
    )
    grader_errors: tuple[SomeLines, ...] = ()
    not_gradable: OneLine | None = said(
        default=None,
        description="Why nothing was judged, for what was handed in is no Python file: a person has to look, "
        "and the numbers are no score.",
    )
    refutation: PlayedGame | None = said(
        default=None, description="The shortest game that beats the submission."
    )
    policy: str | None = said(
        default=None,
        description="The move on every reachable board, a character each: the cell 0 to 8 (row by row), "
        "- when the game is over, ? for no legal move, a dot where it was not asked. Boards are ordered "
        "by their number of marks, then as text of X, O and '.'.",
    )
    instead: dict[str, OneLine] = said(
        default_factory=dict,
        description="What minimax did where it gave no legal move, by board; under '' what it did most.",
    )
    mistakes: tuple[Mistake, ...] = said(
        default=(), description="The mistakes that explain all wrong answers of a function, in order to mend."
    )
    show_mistakes: bool = said(default=True, description="Whether a student's view has the mistakes.")
    tactics: tuple[Tactic, ...] = ()
    smileys: bool = said(
        default=False, description="Whether every check is listed with :) :( or :| before it."
    )
    search: Search | None = said(default=None, description="How minimax searches, if a case asks for it.")
    sweep: Sweep | None = None
    first_move: FirstMove | None = None
    hidden: int = said(default=0, description="How many cases a student's view leaves out.")
    seconds: float
    submission_seconds: float = said(description="The part of it spent inside the submission's functions.")

    @property
    def by_hand_points(self) -> float:
        """The points that a person still has to judge."""
        return sum(one.points for one in self.criteria if one.by_hand and not one.bonus)


def to_json(grade: Grade) -> str:
    """Return the grade as JSON text."""
    return json.dumps(plain(grade), ensure_ascii=False, indent=2)


def student_view(grade: Grade) -> Grade:
    """Return the grade as a student may see it: public cases only, and how many are hidden."""
    unnamed: dict[str, Any] = {} if grade.show_mistakes else {"explained_by": None}
    criteria = tuple(
        replace(
            criterion,
            verdicts=tuple(
                replace(one, **unnamed) for one in criterion.verdicts if one.visibility == "public"
            ),
        )
        for criterion in grade.criteria
    )
    public = [(criterion.id, verdict) for criterion in criteria for verdict in criterion.verdicts]
    return replace(
        grade,
        criteria=criteria,
        hidden=grade.tally.hidden.cases,
        for_instructors=(),
        mistakes=grade.mistakes if grade.show_mistakes else (),
        **gathered(public),
    )


def gathered(verdicts: Sequence[tuple[str, Verdict]]) -> dict[str, Any]:
    """Return what a grade takes over from single verdicts, each given with the id of its criterion."""
    return {
        "grader_errors": tuple(
            f"{criterion}/{verdict.id}: {verdict.reason}"
            for criterion, verdict in verdicts
            if verdict.status is Status.GRADER_ERROR
        ),
        "refutation": min(
            (verdict.refutation for _, verdict in verdicts if verdict.refutation),
            key=lambda line: len(line.moves),
            default=None,
        ),
        "search": next((verdict.search for _, verdict in verdicts if verdict.search), None),
    }


def tally_of(verdicts: Iterable[Verdict]) -> Tally:
    """Return how many cases passed: a case without a weight is a remark, and in no count."""
    counting = [one for one in verdicts if one.weight]
    return Tally(
        public=_count([one for one in counting if one.visibility == "public"]),
        hidden=_count([one for one in counting if one.visibility != "public"]),
    )


def _count(verdicts: Sequence[Verdict]) -> Count:
    return Count(
        passed=sum(one.status is Status.PASSED for one in verdicts),
        cases=len(verdicts),
        not_judged=sum(not one.status.counts for one in verdicts),
        lost=round(sum(one.lost for one in verdicts), 2),
    )
