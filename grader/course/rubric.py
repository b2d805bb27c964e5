"""The rubric: what is worth how much, and under which limits. Loaded from YAML and validated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from grader.core.course.limits import Limits
from grader.core.errors import UserError
from grader.course import extends, strict_yaml

Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$", max_length=60)]


HandedIn = Literal["functions", "program"]
"""What students hand in: a file with functions, or a program."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Criterion(_Part):
    """One line of the rubric: it owns points and groups cases."""

    id: Slug = Field(description="The name that fixtures refer to.")
    description: str = Field(min_length=1, description="What the points are given for, in one line.")
    points: float = Field(ge=0, le=10_000, description="What the criterion is worth.")
    by_hand: bool = Field(
        default=False, description="A person judges it: it needs no case and earns nothing by itself."
    )


class Imports(_Part):
    """Which modules a submission may import beside the standard library, and what others cost."""

    allowed: tuple[str, ...] = Field(
        default=(),
        description="Modules allowed beside the standard library, as they are imported: installed here, and "
        "tried inside the sandbox before anybody is graded.",
    )
    forbidden: Literal["not_run", "note"] | Annotated[float, Field(ge=0)] = Field(
        default="not_run",
        description="What a forbidden import costs: the file is not run (not_run), "
        "a note and no points (note), or so many points (a number).",
    )

    @field_validator("forbidden", mode="before")
    @classmethod
    def _known_cost(cls, value: object) -> object:
        if isinstance(value, str) and value not in ("not_run", "note"):
            raise ValueError("'forbidden' is not_run, note, or a number of points")
        return value


class Style(_Part):
    """How code quality is marked."""

    points_per_finding: float = Field(
        default=0.5, ge=0, description="Points that a finding, or a kind of finding, costs."
    )
    per: Literal["kind", "finding"] = Field(
        default="kind", description="Whether a habit is charged once, or wherever it shows."
    )
    line_length: int = Field(default=100, ge=40, le=320, description="Longest line, in characters.")
    function_statements: int = Field(
        default=40, ge=5, le=1000, description="Longest function, in statements."
    )


def _as_typed(value: object) -> object:
    """Return an answer as it is typed: a number may stand without quotes."""
    if isinstance(value, bool):
        raise ValueError("an answer is a text: put yes, no, on and off in quotes")
    return str(value) if isinstance(value, int) else value


_Answer = Annotated[str, BeforeValidator(_as_typed)]


class HowToRun(_Part):
    """How programs are built, run and answered, where their files and their words do not tell."""

    build: str | None = Field(default=None, description="The command that builds a program, in its folder.")
    run: str | None = Field(default=None, description="The command that starts it, in its folder.")
    answers: tuple[_Answer, ...] = Field(
        default=(),
        max_length=10,
        description="What is answered to the first questions of every program, in their order; a file "
        "answers.txt in a submission's folder, a line each, comes before it.",
    )


class Rubric(_Part):
    """What is worth how much."""

    kind: HandedIn = Field(
        default="functions",
        description="What is handed in: a file with functions that are called, or a program in any "
        "language that is played in a terminal.",
    )

    title: str = Field(min_length=1, description="The assignment's name, shown on every report.")
    extends: str | None = Field(
        default=None,
        description="What this builds on, a course by its name or a file beside this one: only what differs "
        "is said here, and criteria are the same if their ids are.",
    )
    left_out: tuple[str, ...] = Field(
        default=(),
        description="Criteria of what this builds on that it does not have; their cases are not asked.",
    )
    about: str = Field(default="", description="A line that tells this course from others.")
    smileys: bool = Field(
        default=False, description="Whether the report also lists every check with :) :( or :| before it."
    )
    similarity: bool = Field(
        default=False, description="Whether a class is searched for files that are alike, unasked."
    )
    criteria: tuple[Criterion, ...] = Field(min_length=1, description="What the points are given for.")
    bonus: tuple[Criterion, ...] = Field(default=(), description="Criteria on top of the full marks.")
    scale_to: float | None = Field(
        default=None, gt=0, description="Show the total out of this many points too."
    )
    follow_through: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Share of a function's lost points that is given back when it is right as soon as "
        "those are that it relies on: with 1 a mistake is charged once.",
    )
    seen_at_least: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Share of what a criterion asks that has to be seen; below that, because a file is "
        "too slow to be asked, a person decides.",
    )
    mistakes: Literal["shown", "hidden"] = Field(
        default="shown", description="Whether students are told the mistakes that were named."
    )
    shallow_pruning: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Share of a search case's points for pruning against the board one move up only.",
    )
    sandbox: Literal["best_effort", "required"] = Field(
        default="best_effort",
        description="Whether nobody is graded on a machine that lacks a layer of confinement (required), "
        "or missing layers are noted (best_effort).",
    )
    hand_in: Literal["not_asked", "note"] | Annotated[float, Field(ge=0)] = Field(
        default="note",
        description="What a fault of the hand-in costs where its case has no weight: a note, or points; "
        "with not_asked these cases are left out.",
    )
    notebooks: bool = Field(
        default=False,
        description="Whether a notebook is graded by its code cells; if not, a person is told of it.",
    )
    template: str | None = Field(
        default=None,
        description="The file that was handed out, beside the rubric: its lines are not the student's own.",
    )
    leaderboard: bool = Field(
        default=False,
        description="Whether a place that ranks submissions is told total and first move's time.",
    )
    program: HowToRun = HowToRun()
    limits: Limits = Limits()
    imports: Imports = Imports()
    style: Style = Style()

    @model_validator(mode="after")
    def _worth_something(self) -> "Rubric":
        if self.points <= 0:
            raise ValueError("the criteria are worth nothing together: give at least one of them points")
        return self

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


def load(file: Path) -> Rubric:
    """Return the rubric in a file; raise UserError with file and line for anything that does not fit."""
    document = extends.load(file)
    rubric = document.validated(Rubric)
    seen: set[str] = set()
    for group, criteria in (("criteria", rubric.criteria), ("bonus", rubric.bonus)):
        for number, criterion in enumerate(criteria):
            if criterion.id in seen:
                raise document.error(f"the criterion '{criterion.id}' is given twice", (group, number, "id"))
            seen.add(criterion.id)
    return rubric


def with_commands(rubric: Rubric, build: str | None, run: str | None) -> Rubric:
    """Return the rubric with other commands for programs, if there are any."""
    given = {name: command for name, command in (("build", build), ("run", run)) if command}
    how = rubric.program.model_copy(update=given)
    return rubric.model_copy(update={"program": how}) if given else rubric


def whole_text(file: Path) -> bytes:
    """Return a rubric as text that stands on its own, whatever it builds on."""
    if extends.base_of(file) is None:
        return file.read_bytes()
    return strict_yaml.dump(extends.load(file).data)


def without_case(file: Path, criterion: Criterion, *, weightless: bool = False) -> UserError:
    """Return the error about a criterion that no case judges, or none that counts."""
    wrong = "has no case: add one to a fixture"
    if weightless:
        wrong = "has cases of weight 0 alone, so nobody can earn its points: give one a weight"
    return about_criterion(file, criterion, f"the criterion '{criterion.id}' {wrong}, or say 'by_hand: true'")


def about_criterion(file: Path, criterion: Criterion, message: str) -> UserError:
    """Return an error about a criterion, with its line in the rubric."""
    document = extends.load(file)
    groups = [
        (group, number)
        for group in ("criteria", "bonus")
        for number in range(len(document.data.get(group) or ()))
    ]
    where = next(place for place in groups if document.data[place[0]][place[1]]["id"] == criterion.id)
    return document.error(message, where)
