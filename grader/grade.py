"""A grade is one frozen value: all scores and verdicts. Every report is made from it alone."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from grader.evidence import (
    Finding,
    FirstMove,
    Line,
    Mistake,
    OneLine,
    Search,
    SomeLines,
    Sweep,
    Tactic,
    Value,
)

SCHEMA: Final = "tictactoe-grade/1"
_ALWAYS_SHOWN: Final = {"earned"}

Points = Annotated[float, Field(ge=0)]


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

    id: str
    status: Status
    weight: float = Field(ge=0)
    earned: float | None = Field(
        description="The part of the weight that was earned; null if it does not count."
    )
    reason: SomeLines
    function: str | None = Field(
        default=None, description="The function that the case is about, if it is one."
    )
    aspect: str | None = Field(default=None, description="What of the function: see 'mistakes'.")
    explained_by: str | None = Field(
        default=None, description="The mistake that explains the failure, as function/id."
    )
    visibility: str = "public"
    hint: str | None = None
    board: tuple[str, str, str] | None = Field(default=None, description="The rows of the board in question.")
    call: SomeLines | None = None
    expected: SomeLines | None = None
    got: SomeLines | None = None
    line: int | None = Field(default=None, description="The line of the source that raised, if one did.")
    asked: int | None = Field(default=None, description="How many questions a case over many boards asked.")
    right: int | None = Field(default=None, description="How many of them were answered right.")
    findings: tuple[Finding, ...] | None = None
    refutation: Line | None = Field(default=None, description="The shortest game that beats the submission.")
    missed_win: Line | None = Field(default=None, description="The win that a wasteful move gave away.")
    search: Search | None = Field(default=None, description="How minimax searches, where that is judged.")
    transcript: SomeLines | None = Field(
        default=None, description="The end of what was seen and typed in a program's terminal."
    )
    restores: bool | None = Field(
        default=None, description="Whether the function is right when those that it follows are."
    )
    follows: tuple[str, ...] | None = Field(
        default=None, description="The wrong functions that make this one wrong."
    )

    @model_serializer(mode="wrap")
    def _without_blanks(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        return {key: value for key, value in data.items() if value is not None or key in _ALWAYS_SHOWN}


class CriterionScore(Value):
    """What one criterion earned, and the verdicts behind it."""

    id: str
    description: str
    points: Points
    score: Points
    bonus: bool
    by_hand: bool = False
    given_back: Points = Field(
        default=0.0, description="The part of the score that was lost by what other functions get wrong."
    )
    verdicts: tuple[Verdict, ...]


class Deduction(Value):
    """Points taken off the score for something that belongs to no criterion."""

    points: Points
    reason: SomeLines


class Grade(Value):
    """All scores and verdicts of one submission."""

    schema_: str = Field(default=SCHEMA, alias="schema")
    title: str
    submission: OneLine
    score: Points = Field(description="What the criteria earned, without bonus.")
    points: Points = Field(description="The full marks, without bonus.")
    bonus: Points = Field(description="What the bonus criteria earned.")
    total: Points = Field(description="Score and bonus together.")
    scaled: float | None = Field(description="The total out of scale_to, if the rubric names one.")
    scale_to: float | None = None
    criteria: tuple[CriterionScore, ...]
    deductions: tuple[Deduction, ...] = ()
    notes: tuple[OneLine, ...] = ()
    for_instructors: tuple[OneLine, ...] = Field(
        default=(), description="Notes that a student's view leaves out."
    )
    grader_errors: tuple[SomeLines, ...] = ()
    not_gradable: OneLine | None = Field(
        default=None,
        description="Why nothing was judged, for what was handed in is no Python file: a person has to look, "
        "and the numbers are no score.",
    )
    refutation: Line | None = Field(default=None, description="The shortest game that beats the submission.")
    policy: str | None = Field(
        default=None,
        description="The move on every reachable board, a character each: the cell 0 to 8 (row by row), "
        "- when the game is over, ? for no legal move. Boards are ordered by their number of marks, "
        "then as text of X, O and '.'.",
    )
    instead: dict[str, OneLine] = Field(
        default_factory=dict,
        description="What minimax did where it gave no legal move, by board; under '' what it did most.",
    )
    mistakes: tuple[Mistake, ...] = Field(
        default=(), description="The mistakes that explain all wrong answers of a function, in order to mend."
    )
    show_mistakes: bool = Field(default=True, description="Whether a student's view has the mistakes.")
    tactics: tuple[Tactic, ...] = ()
    smileys: bool = Field(
        default=False, description="Whether every check is listed with :) :( or :| before it."
    )
    search: Search | None = Field(default=None, description="How minimax searches, if a case asks for it.")
    sweep: Sweep | None = None
    first_move: FirstMove | None = None
    hidden: int = Field(default=0, description="How many cases a student's view leaves out.")
    seconds: float
    submission_seconds: float = Field(description="The part of it spent inside the submission's functions.")

    @property
    def by_hand_points(self) -> float:
        """The points that a person still has to judge."""
        return sum(one.points for one in self.criteria if one.by_hand and not one.bonus)


def to_json(grade: Grade) -> str:
    """Return the grade as JSON text."""
    return grade.model_dump_json(by_alias=True, indent=2)


def student_view(grade: Grade) -> Grade:
    """Return the grade as a student may see it: public cases only, and how many are hidden."""
    unnamed = {} if grade.show_mistakes else {"explained_by": None}
    criteria = tuple(
        criterion.model_copy(
            update={
                "verdicts": tuple(
                    one.model_copy(update=unnamed) for one in criterion.verdicts if one.visibility == "public"
                )
            }
        )
        for criterion in grade.criteria
    )
    public = [(criterion.id, verdict) for criterion in criteria for verdict in criterion.verdicts]
    total = sum(len(criterion.verdicts) for criterion in grade.criteria)
    return grade.model_copy(
        update={
            "criteria": criteria,
            "hidden": total - len(public),
            "for_instructors": (),
            "mistakes": grade.mistakes if grade.show_mistakes else (),
            **gathered(public),
        }
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
