"""The rubric: what each criterion is worth, the limits of submissions, and what late work loses."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from grader.core.errors import meant
from grader.core.messages import ENGLISH, Own, _, known_code, later, ngettext
from grader.core.values import Reads, Written, said

if TYPE_CHECKING:
    from datetime import datetime


_UNITS: Final = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1, "y": 31_536_000}
_TIME: Final = (
    r"(?i)(?<!\d)(\d{1,9}(?:\.\d{1,9})?)\s{0,9}"
    r"(w|d|h|m|s|y|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?|years?)\b"
)
_CLOCK: Final = r"(\d{1,6}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?"
_WHY_LATE: Final = {
    (True, False): later("Handed in {time} late: {each} per day or part of a day."),
    (True, True): later("Handed in {time} late: {each} per day or part of a day, at most {most}."),
    (False, False): later(
        "Handed in late, nobody knows by how much (one day): {each} per day or part of a day."
    ),
    (False, True): later(
        "Handed in late, nobody knows by how much (one day): {each} per day or part of a day, at most {most}."
    ),
}
"""Why something is taken off: whether it is known how late it was, and whether there is a limit."""


def seconds_in(text: str) -> float | None:
    """Return the time that a text names (`2 days 3 hours late`, `15m`, `26:30:00`) in seconds, or None."""
    clock = re.fullmatch(_CLOCK, text.strip())
    if clock:
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return 3600.0 * hours + 60 * minutes + seconds
    found = re.findall(_TIME, text)
    return sum(float(count) * _UNITS[unit[0].lower()] for count, unit in found) if found else None


def _known_time(value: object) -> object:
    if not isinstance(value, str) or seconds_in(value) is None or re.sub(_TIME, "", value).strip():
        raise ValueError(_("a time is a number and its unit, as 15m, 36h or 7d"))
    return value


def _known_date(value: object) -> object:
    try:
        _date(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(_("a date is written as 2026-03-01 23:59, or with its zone: 23:59+01:00")) from None
    return value


def _date(text: str) -> "datetime":
    """Return the date in a text; raise ValueError for anything else."""
    from datetime import datetime  # most courses take nothing off: they need no calendar to start

    return datetime.fromisoformat(text)


def _known_amount(value: object) -> object:
    is_share = isinstance(value, str) and re.fullmatch(r"\d{1,3}(\.\d+)?\s*%", value)
    if isinstance(value, bool) or not (is_share or isinstance(value, int | float)):
        raise ValueError(_("points, or a share as 10%"))
    return _not_negative(value)


def _not_negative(value: object) -> object:
    if isinstance(value, int | float) and value < 0:
        raise ValueError(_("input should be greater than or equal to 0"))
    return value


_Time = Annotated[str, Reads(_known_time)]
_Amount = Annotated[float | str, Reads(_known_amount)]


class Late(Written):
    """What is taken off for late work; a share is one of the full marks."""

    due: Annotated[str, Reads(_known_date)] | None = said(
        "When it was due, as 2026-03-01 23:59 (this machine's time, or with a zone): needed "
        "where a date says when something was handed in, and not how late it was.",
        default=None,
    )
    per_day: _Amount = said("Taken off per day or part of a day: points, or a share as 10%.")
    grace: _Time = said("So much later is not late yet, as 15m.", default="0m")
    at_most: _Amount | None = said("Never more than that: points, or a share as 50%.", default=None)
    not_after: _Time | None = said("What comes later than that, as 7d, earns nothing.", default=None)

    def taken_off(self, late_by: float | None, total: float, points: float) -> tuple[float, str]:
        """Return what is taken off a total for a delay in seconds, and the reason.

        None is an unknown delay, which counts as one day.
        """
        if self.is_in_time(late_by):
            return 0.0, ""
        nothing = "" if total else _("There was nothing to take off.")
        words: dict[str, Any] = {} if late_by is None else {"time": _duration(late_by)}
        if late_by is not None and self.not_after and late_by > (seconds_in(self.not_after) or 0.0):
            why = later("Handed in {time} late: what comes after {limit} earns nothing.")
            return total, f"{_(why, limit=self.not_after, **words)} {nothing}".rstrip()
        days = 1 if late_by is None else math.ceil(late_by / _UNITS["d"])
        most = math.inf if self.at_most is None else _in_points(self.at_most, points)
        costs = min(days * _in_points(self.per_day, points), most)
        if total and costs > total:
            nothing = _("That would be {costs:g} points: all that there were are taken off.", costs=costs)
        if isinstance(self.per_day, str):
            each = _("{share} of {points:g} points", share=self.per_day, points=points)
        else:
            each = _("{points:g} points", points=self.per_day)
        why = _WHY_LATE[late_by is not None, self.at_most is not None]
        return round(
            min(costs, total), 2
        ), f"{_(why, each=each, most=self.at_most, **words)} {nothing}".rstrip()

    def is_in_time(self, late_by: float | None) -> bool:
        """Return whether a delay in seconds is within the time of grace."""
        return late_by is not None and late_by <= (seconds_in(self.grace) or 0.0)

    def seconds_after(self, date: str) -> float | None:
        """Return how long after the day on which it was due a date is; None where either is not known."""
        if not self.due or not date:
            return None
        due, there = _date(self.due), _date(date)
        if (due.tzinfo is None) != (there.tzinfo is None):
            due, there = due.astimezone(), there.astimezone()
        return (there - due).total_seconds()


def _in_points(amount: float | str, points: float) -> float:
    return float(amount.rstrip("% ")) * points / 100 if isinstance(amount, str) else amount


def _duration(seconds: float) -> str:
    """Return a time in its two largest units."""
    days, rest = divmod(round(seconds), _UNITS["d"])
    hours, rest = divmod(rest, _UNITS["h"])
    minutes = rest // _UNITS["m"]
    parts = [
        *([ngettext("{count} day", "{count} days", days)] if days else []),
        *([ngettext("{count} hour", "{count} hours", hours)] if hours else []),
        *([ngettext("{count} minute", "{count} minutes", minutes)] if minutes else []),
    ]
    return " ".join(parts[:2]) or _("a moment")


class Limits(Written):
    """What a submission may use, so that grading always ends."""

    deadline: float = said(
        "Seconds for one call, of the submission's processor time.", default=5.0, gt=0, le=3600
    )
    load: float = said("Seconds for loading the file, with all that it runs.", default=30.0, gt=0, le=3600)
    total: float = said(
        "Seconds that a submission's processes may take together; then nothing more is asked.",
        default=120.0,
        gt=0,
        le=86_400,
    )
    memory_mb: int = said(
        "Address space of the worker, in MB; what allowed modules take is on top.",
        default=512,
        ge=64,
        le=65_536,
    )
    sweep_budget: float = said(
        "Seconds for asking one function about every board.", default=8.0, gt=0, le=86_400
    )
    strikes: int = said(
        "After so many hung or killed calls a function is asked no more.", default=3, ge=1, le=100
    )
    source_kb: int = said("Largest submission that is read, in KB.", default=1000, ge=1, le=10_000)

    def times(self, factor: float) -> "Limits":
        """Return the limits with all times multiplied."""
        return replace(self, **{name: factor * getattr(self, name) for name in ("deadline", "load", "total")})


SLUG: Final = r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$"
"""What names of criteria and cases are like."""


def _by_language(value: object) -> object:
    """Return a text, or texts by the codes of languages that there are."""
    if not isinstance(value, dict):
        return value
    for code, text in value.items():
        known_code(str(code))
        if not isinstance(text, str) or not text:
            raise ValueError(_("the text for '{code}' is missing: write one line of text", code=code))
    if not value:
        raise ValueError(_("write a text, or one for each language, as {en: ..., pt: ...}"))
    return value


OwnText = Annotated[
    Own,
    Reads(
        _by_language,
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
            ]
        },
    ),
]
"""A text of an instructor: for readers of all languages, or by language."""


class Level(Written):
    """One of the levels among which a person chooses."""

    name: str
    points: float


def _leveled(value: object) -> object:
    """Return levels that are written as names with their points."""
    if not isinstance(value, dict):
        raise ValueError(_("'levels' holds names with their points, as {excellent: 20, good: 15, weak: 8}"))
    wrong = [name for name, points in value.items() if type(points) not in (int, float) or points < 0]
    if wrong:
        raise ValueError(_("'levels': give {wrong} points, a number of 0 or more", wrong=", ".join(wrong)))
    return [{"name": name, "points": points} for name, points in value.items()]


_LEVELS: Final = {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}}

HandedIn = Literal["functions", "program"]
"""What students hand in: a file with functions, or a program."""

Attempts = Literal["last", "best", "first"]
"""Which of several submissions counts."""

Release = Literal["always", "when_marked"]
"""When grades go back."""


class Criterion(Written):
    """One line of the rubric: it owns points and groups cases."""

    id: str = said("The name that fixtures refer to.", pattern=SLUG, max_length=60)
    description: OwnText = said(
        "What the points are given for, in one line; or a line for each language.", min_length=1
    )
    points: float = said("What the criterion is worth.", ge=0, le=10_000)
    by_hand: bool = said("A person judges it: it needs no case and earns nothing by itself.", default=False)
    levels: Annotated[tuple[Level, ...], Reads(_leveled, _LEVELS)] = said(
        "With by_hand: the levels among which a person chooses, each with its points.", default=()
    )
    checklist: tuple[str, ...] = said("With by_hand: what a person looks at.", default=())

    def __post_init__(self) -> None:
        if (self.levels or self.checklist) and not self.by_hand:
            raise ValueError(_("'levels' and 'checklist' go with 'by_hand: true': add it, or take them out"))
        best = max((level.points for level in self.levels), default=self.points)
        if best != self.points:
            unequal = later(
                "the best level is worth {best:g} points, and the criterion {points:g}: make them equal"
            )
            raise ValueError(_(unequal, best=best, points=self.points))

    def level_at(self, points: float) -> str:
        """Return the name of the only level with these points, or an empty text."""
        names = [level.name for level in self.levels if level.points == points]
        return names[0] if len(names) == 1 else ""


_Points = Annotated[float, Reads(_not_negative, {"minimum": 0, "type": "number"})]


def _known_cost(value: object) -> object:
    if isinstance(value, str) and value not in ("not_run", "note"):
        raise ValueError(_("'forbidden' is not_run, note, or a number of points"))
    return value


class Imports(Written):
    """Which modules a submission may import beside the standard library, and what others cost."""

    allowed: tuple[str, ...] = said(
        "Modules allowed beside the standard library, as they are imported: installed here, and "
        "tried inside the sandbox before anybody is graded.",
        default=(),
    )
    forbidden: Annotated[Literal["not_run", "note"] | _Points, Reads(_known_cost)] = said(
        "What a forbidden import costs: the file is not run (not_run), "
        "a note and no points (note), or so many points (a number).",
        default="not_run",
    )


class StyleRules(Written):
    """How code quality is marked."""

    points_per_finding: float = said("Points that a finding, or a kind of finding, costs.", default=0.5, ge=0)
    per: Literal["kind", "finding"] = said(
        "Whether a habit is charged once, or wherever it shows.", default="kind"
    )
    line_length: int = said("Longest line, in characters.", default=100, ge=40, le=320)
    function_statements: int = said("Longest function, in statements.", default=40, ge=5, le=1000)


class GivenBack(Written):
    """What is given back to functions that are wrong only because of others."""

    share: float = said("Share of the lost points that is given back.", default=1.0, ge=0, le=1)
    at_most: float | None = said(
        "Points that one fault may give back, all functions together.", default=None, ge=0
    )


_SHARE: Final = {"maximum": 1, "minimum": 0, "type": "number"}


def _given_back(value: object) -> object:
    """Return a share that is written as a number as what it stands for."""
    return {"share": value} if type(value) in (int, float) else value


def _as_typed(value: object) -> object:
    """Return an answer as it is typed: a number may stand without quotes."""
    if isinstance(value, bool):
        raise ValueError(_("an answer is a text: put yes, no, on and off in quotes"))
    return str(value) if isinstance(value, int) else value


def _language(value: object) -> object:
    """Return the code of a language that there is."""
    if not isinstance(value, str):
        raise ValueError(_("'language' is the code of a language, such as en or pt"))
    return known_code(value)


class HowToRun(Written):
    """How programs are built, run and answered, where their files and their words do not tell."""

    build: str | None = said("The command that builds a program, in its folder.", default=None)
    run: str | None = said("The command that starts it, in its folder.", default=None)
    answers: tuple[Annotated[str, Reads(_as_typed)], ...] = said(
        "What is answered to the first questions of every program, in their order; where no game comes "
        "of that, a file answers.txt in a submission's folder, a line each, is tried.",
        default=(),
        max_length=10,
    )
    squares: str | None = said(
        "How squares are typed, where that is not found out: as the notes call it, such as "
        "'1-9' or 'row column 1'.",
        default=None,
    )
    forgiven: Literal["note"] | _Points = said(
        "What it costs that a program is only built with headers that its text forgets: a note, or points.",
        default="note",
    )


class Rubric(Written):
    """What is worth how much."""

    kind: HandedIn = said(
        "What is handed in: a file with functions that are called, or a program in any "
        "language that is played in a terminal.",
        default="functions",
    )

    title: str = said("The assignment's name, shown on every report.", min_length=1)
    extends: str | None = said(
        "What this builds on, a course by its name or a file beside this one: only what differs "
        "is said here, and criteria are the same if their ids are.",
        default=None,
    )
    left_out: tuple[str, ...] = said(
        "Criteria of what this builds on that it does not have; their cases are not asked.", default=()
    )
    language: Annotated[str, Reads(_language, {"type": "string"})] = said(
        "The language of reports and feedback, by its code: en, pt, ...", default=ENGLISH
    )
    about: str = said("A line that tells this course from others.", default="")
    smileys: bool = said(
        "Whether the report also lists every check with :) :( or :| before it.", default=False
    )
    similarity: bool = said("Whether a class is searched for files that are alike, unasked.", default=False)
    criteria: tuple[Criterion, ...] = said("What the points are given for.", min_length=1)
    bonus: tuple[Criterion, ...] = said("Criteria on top of the full marks.", default=())
    scale_to: float | None = said("Show the total out of this many points too.", default=None, gt=0)
    rounding: float | None = said(
        "What goes back to gradebooks and students is rounded to a multiple of this, halves up; "
        "exact figures stay in JSON.",
        default=None,
        gt=0,
        le=10_000,
    )
    follow_through: Annotated[GivenBack, Reads(_given_back, also=_SHARE)] = said(
        "Share of a function's lost points that is given back when it is right as soon as "
        "those are that it relies on, with 1 a mistake is charged once; or share and at_most, the "
        "points that one fault may give back.",
        default=GivenBack(share=0.0),
    )
    seen_at_least: float = said(
        "Share of what a criterion asks that has to be seen; below that, because a file is "
        "too slow to be asked, a person decides.",
        default=0.5,
        ge=0,
        le=1,
    )
    mistakes: Literal["shown", "hidden"] = said(
        "Whether students see the mistakes that were named.", default="shown"
    )
    shallow_pruning: float = said(
        "Share of a search case's points for pruning against the board one move up only.",
        default=0.5,
        ge=0,
        le=1,
    )
    sandbox: Literal["best_effort", "required"] = said(
        "Whether nobody is graded on a machine that lacks a layer of confinement (required), "
        "or missing layers are noted (best_effort); WebAssembly lacks none.",
        default="best_effort",
    )
    sandbox_kind: Literal["auto", "native", "wasm"] = said(
        "What confines submissions with functions: processes and the kernel of this machine (native), an "
        "interpreter in WebAssembly, the same on every machine (wasm), or native where every layer of it is "
        "on and WebAssembly elsewhere (auto). Modules that are allowed, and programs, need native.",
        default="auto",
    )
    hand_in: Literal["not_asked", "note"] | _Points = said(
        "What a fault of the submission costs where its case has no weight: a note, or points; "
        "with not_asked these cases are left out.",
        default="not_asked",
    )
    notebooks: bool = said(
        "Whether a notebook is graded by its code cells; if not, it is left to a person.", default=False
    )
    template: str | None = said(
        "The file that was handed out, beside the rubric: its lines are not the student's own.", default=None
    )
    leaderboard: bool = said(
        "Whether a place that ranks submissions receives the total and the first move's time.", default=False
    )
    late: Late | None = said("What is taken off for work that is handed in late.", default=None)
    release: Release = said(
        "Whether grades that a person still has to judge a part of go back at once, or when that is done.",
        default="always",
    )
    attempts: Attempts = said("Which of several submissions of one student counts.", default="last")
    program: HowToRun = HowToRun()
    limits: Limits = Limits()
    imports: Imports = Imports()
    style: StyleRules = StyleRules()

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
        known = [criterion.id for criterion in self.all_criteria()]
        sentence = later("unknown criterion '{name}': the rubric has {known}")
        return _(sentence, name=name, known=", ".join(known)) + meant(name, known)


def with_commands(rubric: Rubric, build: str | None, run: str | None) -> Rubric:
    """Return the rubric with other commands for programs, if there are any."""
    given: dict[str, Any] = {name: command for name, command in (("build", build), ("run", run)) if command}
    return replace(rubric, program=replace(rubric.program, **given))
