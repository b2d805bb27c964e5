"""The rubric: what is worth how much, and under which limits."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from grader.core.course.limits import Limits
from grader.core.values import Reads, Written, said

SLUG: Final = r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$"
"""What names of criteria and cases are like."""

HandedIn = Literal["functions", "program"]
"""What students hand in: a file with functions, or a program."""


class Criterion(Written):
    """One line of the rubric: it owns points and groups cases."""

    id: str = said(description="The name that fixtures refer to.", pattern=SLUG, max_length=60)
    description: str = said(min_length=1, description="What the points are given for, in one line.")
    points: float = said(ge=0, le=10_000, description="What the criterion is worth.")
    by_hand: bool = said(
        default=False, description="A person judges it: it needs no case and earns nothing by itself."
    )


def _not_negative(value: object) -> object:
    if isinstance(value, int | float) and value < 0:
        raise ValueError("input should be greater than or equal to 0")
    return value


_Points = Annotated[float, Reads(_not_negative, {"minimum": 0, "type": "number"})]


def _known_cost(value: object) -> object:
    if isinstance(value, str) and value not in ("not_run", "note"):
        raise ValueError("'forbidden' is not_run, note, or a number of points")
    return value


class Imports(Written):
    """Which modules a submission may import beside the standard library, and what others cost."""

    allowed: tuple[str, ...] = said(
        default=(),
        description="Modules allowed beside the standard library, as they are imported: installed here, and "
        "tried inside the sandbox before anybody is graded.",
    )
    forbidden: Annotated[Literal["not_run", "note"] | _Points, Reads(_known_cost)] = said(
        default="not_run",
        description="What a forbidden import costs: the file is not run (not_run), "
        "a note and no points (note), or so many points (a number).",
    )


class Style(Written):
    """How code quality is marked."""

    points_per_finding: float = said(
        default=0.5, ge=0, description="Points that a finding, or a kind of finding, costs."
    )
    per: Literal["kind", "finding"] = said(
        default="kind", description="Whether a habit is charged once, or wherever it shows."
    )
    line_length: int = said(default=100, ge=40, le=320, description="Longest line, in characters.")
    function_statements: int = said(default=40, ge=5, le=1000, description="Longest function, in statements.")


def _as_typed(value: object) -> object:
    """Return an answer as it is typed: a number may stand without quotes."""
    if isinstance(value, bool):
        raise ValueError("an answer is a text: put yes, no, on and off in quotes")
    return str(value) if isinstance(value, int) else value


class HowToRun(Written):
    """How programs are built, run and answered, where their files and their words do not tell."""

    build: str | None = said(default=None, description="The command that builds a program, in its folder.")
    run: str | None = said(default=None, description="The command that starts it, in its folder.")
    answers: tuple[Annotated[str, Reads(_as_typed)], ...] = said(
        default=(),
        max_length=10,
        description="What is answered to the first questions of every program, in their order; a file "
        "answers.txt in a submission's folder, a line each, comes before it.",
    )


class Rubric(Written):
    """What is worth how much."""

    kind: HandedIn = said(
        default="functions",
        description="What is handed in: a file with functions that are called, or a program in any "
        "language that is played in a terminal.",
    )

    title: str = said(min_length=1, description="The assignment's name, shown on every report.")
    extends: str | None = said(
        default=None,
        description="What this builds on, a course by its name or a file beside this one: only what differs "
        "is said here, and criteria are the same if their ids are.",
    )
    left_out: tuple[str, ...] = said(
        default=(),
        description="Criteria of what this builds on that it does not have; their cases are not asked.",
    )
    about: str = said(default="", description="A line that tells this course from others.")
    smileys: bool = said(
        default=False, description="Whether the report also lists every check with :) :( or :| before it."
    )
    similarity: bool = said(
        default=False, description="Whether a class is searched for files that are alike, unasked."
    )
    criteria: tuple[Criterion, ...] = said(min_length=1, description="What the points are given for.")
    bonus: tuple[Criterion, ...] = said(default=(), description="Criteria on top of the full marks.")
    scale_to: float | None = said(
        default=None, gt=0, description="Show the total out of this many points too."
    )
    follow_through: float = said(
        default=0.0,
        ge=0,
        le=1,
        description="Share of a function's lost points that is given back when it is right as soon as "
        "those are that it relies on: with 1 a mistake is charged once.",
    )
    seen_at_least: float = said(
        default=0.5,
        ge=0,
        le=1,
        description="Share of what a criterion asks that has to be seen; below that, because a file is "
        "too slow to be asked, a person decides.",
    )
    mistakes: Literal["shown", "hidden"] = said(
        default="shown", description="Whether students are told the mistakes that were named."
    )
    shallow_pruning: float = said(
        default=0.5,
        ge=0,
        le=1,
        description="Share of a search case's points for pruning against the board one move up only.",
    )
    sandbox: Literal["best_effort", "required"] = said(
        default="best_effort",
        description="Whether nobody is graded on a machine that lacks a layer of confinement (required), "
        "or missing layers are noted (best_effort).",
    )
    hand_in: Literal["not_asked", "note"] | _Points = said(
        default="note",
        description="What a fault of the hand-in costs where its case has no weight: a note, or points; "
        "with not_asked these cases are left out.",
    )
    notebooks: bool = said(
        default=False,
        description="Whether a notebook is graded by its code cells; if not, a person is told of it.",
    )
    template: str | None = said(
        default=None,
        description="The file that was handed out, beside the rubric: its lines are not the student's own.",
    )
    leaderboard: bool = said(
        default=False,
        description="Whether a place that ranks submissions is told total and first move's time.",
    )
    program: HowToRun = HowToRun()
    limits: Limits = Limits()
    imports: Imports = Imports()
    style: Style = Style()

    def __post_init__(self) -> None:
        if self.points <= 0:
            raise ValueError("the criteria are worth nothing together: give at least one of them points")

    @property
    def points(self) -> float:
        """The full marks, without bonus."""
        return sum(criterion.points for criterion in self.criteria)

    def all_criteria(self) -> Iterator[Criterion]:
        """Return the criteria, then those of the bonus."""
        yield from self.criteria
        yield from self.bonus

    def criterion(self, name: str) -> Criterion | None:
        """Return the criterion with that id, or None."""
        return next((criterion for criterion in self.all_criteria() if criterion.id == name), None)

    def is_bonus(self, name: str) -> bool:
        """Return whether the criterion with that id is on top of the full marks."""
        return any(criterion.id == name for criterion in self.bonus)

    def unknown(self, name: str) -> str:
        """Return the sentence about a criterion that the rubric does not have."""
        known = ", ".join(criterion.id for criterion in self.all_criteria())
        return f"unknown criterion '{name}': the rubric has {known}"


def with_commands(rubric: Rubric, build: str | None, run: str | None) -> Rubric:
    """Return the rubric with other commands for programs, if there are any."""
    given: dict[str, Any] = {name: command for name, command in (("build", build), ("run", run)) if command}
    how = replace(rubric.program, **given)
    return replace(rubric, program=how) if given else rubric
