"""The grade: one frozen value with all scores, verdicts and evidence. Every report is made from it alone."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, Final

from grader.core.messages import ENGLISH, _, figure, place_of
from grader.core.values import OneLine, SomeLines, Value, json_text, plain, said


class Finding(Value):
    """One thing about the source, with its line."""

    line: int
    rule: str
    message: OneLine
    file: OneLine | None = said(
        "The helper module that it is in; null for the submission's file itself.", default=None
    )

    @property
    def where(self) -> str:
        """The line, and the helper module if it is in one."""
        return place_of(self.file, self.line)


class Move(Value):
    """One move of a game."""

    by: str
    row: int
    column: int
    better: tuple[tuple[int, int], ...] | None = said(
        "If the move gives something away: the moves that would have kept it.", default=None
    )


class PlayedGame(Value):
    """A game, move by move; the boards start with the one before the first move."""

    side: str = said("Whose game it is: the side that the submission plays, or that missed a win.")
    moves: tuple[Move, ...]
    boards: tuple[tuple[str, str, str], ...]


class Boundary(Value):
    """What a submission ran in."""

    kind: str = said("native (a process, by the kernel's means) or wasm (WebAssembly).")
    python: str = said("The Python that ran it.")
    component: str = said(
        "For wasm the digest of its interpreter: with the same one a file gets the same grade everywhere.",
        default="",
    )
    no_wasm: OneLine = said(
        "Why it is not wasm, where the native sandbox lacks a layer and WebAssembly is installed.", default=""
    )


class Sweep(Value):
    """How minimax was asked about every board."""

    asked: int
    seconds: float
    recalled: bool = said("Whether a copy that remembers answered, checked against the file itself.")
    why_plain: OneLine = ""


class FirstMove(Value):
    """How long the first move from the empty board takes."""

    seconds: float


class Pruning(StrEnum):
    """How a search prunes: by alpha-beta, against the board one move up only, or not at all."""

    FULL = "full"
    SHALLOW = "shallow"
    NONE = "none"
    UNDECIDED = "undecided"


class ProbedBoard(Value):
    """What a search did on one board, and what textbook alpha-beta does in the same order of moves."""

    board: tuple[str, str, str]
    finished: int = said("Finished boards that can be reached.")
    evaluated: int = said("Those that the search evaluated.")
    textbook_evaluated: int
    plain: int = said("Calls of `result` without pruning.")
    made: int = said("Calls of `result` by the search.")
    textbook_made: int


class Search(Value):
    """How minimax searches: what the probe saw."""

    pruning: Pruning
    taken_shallow: int = said("Cut-offs that were taken against the board one move up.")
    taken_deep: int = said("Cut-offs that were taken against a board further up.")
    missed_shallow: int
    missed_deep: int
    too_early: int = said("Boards on which the search stopped although nothing allowed that.")
    boards: tuple[ProbedBoard, ...]
    calls: dict[str, int] = said("How often each function was called on these boards together.")


class Example(Value):
    """One call that shows a mistake."""

    board: tuple[str, str, str]
    call: SomeLines
    expected: SomeLines
    got: SomeLines


class Mistake(Value):
    """A named fault: a small faulty variant that gives every answer which the function gave."""

    function: str
    aspect: str = said(
        "What of the function it explains: its answers, refusals, what it does at the end "
        "of a game, or to the board it is given.",
        default="answers",
    )
    id: str
    title: OneLine = said(
        "What the function does, in a few words: 'counts three empty cells as a completed line'."
    )
    sentence: SomeLines
    hint: SomeLines = ""
    parameters: dict[str, Any] = said(default_factory=dict)
    boards: tuple[Example, ...] = said("Calls that show it, the simplest first.", default=())

    @property
    def name(self) -> str:
        """The function and the id: what a class counts by."""
        return f"{self.function}/{self.id}"


class Tactic(Value):
    """On how many boards that ask for a tactic minimax does it."""

    name: str
    boards: int
    done: int
    as_good: int = said("Where it does something else that is worth as much.", default=0)


class Count(Value):
    """How many cases passed, of those that have a weight; those not judged are among them."""

    passed: int = 0
    cases: int = 0
    not_judged: int = 0
    lost: float = said("The points that they cost, without what was given back.", default=0.0)


class Tally(Value):
    """The cases that students see, and the hidden ones, counted apart: the count that all reports show."""

    public: Count = Count()
    hidden: Count = Count()


class Unrun(StrEnum):
    """Why a file does not run: it is no Python, is refused, raises, never ends, dies, or does not build."""

    NOT_PYTHON = "not_python"
    REFUSED = "refused"
    RAISES = "raises"
    ENDLESS = "endless"
    DIES = "dies"
    NOT_BUILT = "not_built"


class DoesNotRun(Value):
    """Why no function of a file could be called, and where: reported once, and to be fixed first."""

    why: Unrun
    sentence: OneLine
    line: int | None = None
    column: int | None = said("The place in `text`, counted from 1.", default=None)
    text: OneLine | None = said("The line of the source, or the part around it.", default=None)
    said: SomeLines | None = said("What a compiler said, or a program's screen.", default=None)


class Comment(Value):
    """What a person says of a submission, or of a line of its source."""

    text: SomeLines
    by: OneLine
    line: int | None = None
    file: OneLine = said("A module that came with the file, if the line is in one.", default="")
    points: float | None = said("What it added to a criterion, or took off.", default=None)
    criterion: str | None = None


class RequestAnswer(Value):
    """What a person has answered to a student's request."""

    request: SomeLines
    answer: SomeLines
    by: OneLine


SCHEMA: Final = "tictactoe-grade/1"
_GIVEN_BACK: Final = "The part of the score that was lost by what other functions get wrong."


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
    earned: float | None = said("The part of the weight that was earned; null if it does not count.")
    seen: float | None = said(
        "The share of what the case asks that was seen, where only a part was seen.", default=None
    )
    points: float | None = said(
        "What it is worth in points, if it counts: its share of the criterion's.", default=None
    )
    score: float | None = said("What it earned of them, given back included.", default=None)
    given_back: float | None = said(_GIVEN_BACK, default=None)
    reason: SomeLines
    code: str = said("What the reason is, for programs: its sentence may change.", default="")
    parameters: dict[str, Any] = said("What the sentence is made of, beside the code.", default_factory=dict)
    unrun: bool | None = said("Whether the file would have to run for it.", default=None)
    function: str | None = said("The function that the case is about, if it is one.", default=None)
    aspect: str | None = said("What of the function: see 'mistakes'.", default=None)
    explained_by: str | None = said("The mistake that explains the failure, as function/id.", default=None)
    visibility: str = "public"
    hint: SomeLines | None = None
    board: tuple[str, str, str] | None = said("The rows of the board in question.", default=None)
    call: SomeLines | None = None
    expected: SomeLines | None = None
    got: SomeLines | None = None
    line: int | None = said("The line of the source that raised, if one did.", default=None)
    asked: int | None = said("How many questions a case over many boards asked.", default=None)
    right: int | None = said("How many of them were answered right.", default=None)
    findings: tuple[Finding, ...] | None = None
    refutation: PlayedGame | None = said("The shortest game that beats the submission.", default=None)
    missed_win: PlayedGame | None = said("The win that a wasteful move gave away.", default=None)
    search: Search | None = said("How minimax searches, where that is judged.", default=None)
    transcript: SomeLines | None = said(
        "The end of what was seen and typed in a program's terminal.", default=None
    )
    restored: tuple[str, ...] | None = said(
        "The aspects in which the function is right when those that it follows are; none of them "
        "where it follows nobody.",
        default=None,
    )
    follows: tuple[str, ...] | None = said("The wrong functions that make this one wrong.", default=None)

    @property
    def lost(self) -> float:
        """The points that it costs in the end."""
        return (self.points or 0.0) - (self.score or 0.0)


def unjudged(name: str, weight: float, visibility: str, reason: str, code: str = "") -> Verdict:
    """Return the verdict of a case that was not judged: it counts neither for nor against."""
    about: dict[str, Any] = {"reason": reason, "code": code, "visibility": visibility}
    return Verdict(id=name, status=Status.GRADER_ERROR, weight=weight, earned=None, **about)


class CriterionScore(Value):
    """What one criterion earned, and the verdicts behind it."""

    id: str
    description: SomeLines
    points: float = said(ge=0)
    score: float = said(ge=0)
    bonus: bool
    by_hand: bool = False
    given_back: float = said(_GIVEN_BACK, ge=0, default=0.0)
    seen: float = said("The share of what its cases ask that was seen.", default=1.0)
    undecided: bool = said("Whether a person has to decide, for too little of it was seen.", default=False)
    marked_by: OneLine = said("The person who decided its score, if one did.", default="")
    tally: Tally = Tally()
    verdicts: tuple[Verdict, ...]

    @property
    def unjudged(self) -> bool:
        """Whether none of its cases was judged, and no person has decided its score."""
        is_decided = self.by_hand or self.marked_by
        counts = self.tally.public, self.tally.hidden
        return not is_decided and all(count.cases == count.not_judged for count in counts)


class Deduction(Value):
    """Points taken off the score for something that belongs to no criterion."""

    points: float = said(ge=0)
    reason: SomeLines
    late: bool = said("Whether it is for being late.", default=False)

    @property
    def text(self) -> str:
        """The points and the reason; late work without any points costs none."""
        return f"{figure(f'-{self.points:g}')}: {self.reason}" if self.points else self.reason


class Grade(Value):
    """All scores and verdicts of one submission."""

    schema: str = SCHEMA
    language: str = said("The language of all sentences, by its code.", default=ENGLISH)
    title: SomeLines
    submission: OneLine
    score: float = said("What the criteria earned, without bonus.", ge=0)
    points: float = said("The full marks, without bonus.", ge=0)
    bonus: float = said("What the bonus criteria earned.", ge=0)
    total: float = said("Score and bonus together.", ge=0)
    scaled: float | None = said("The total out of scale_to, if the rubric names one.")
    scale_to: float | None = None
    rounding: float | None = said(
        "What goes back is rounded to a multiple of this; the figures here are exact.", default=None
    )
    does_not_run: DoesNotRun | None = said(
        "Why nothing of the file could be asked, if so: to be fixed first.", default=None
    )
    tally: Tally = said("How many cases passed, hidden ones counted apart.", default=Tally())
    criteria: tuple[CriterionScore, ...]
    for_a_person: tuple[OneLine, ...] = said(
        "What a person has to decide, for too little of it was seen.", default=()
    )
    decisions: tuple[OneLine, ...] = said(
        "What a person has decided, each in a sentence: scores and total are with it.", default=()
    )
    marked_by: OneLine = said("The person who decided the total, if one did.", default="")
    comments: tuple[Comment, ...] = said("What a person says of it and its lines.", default=())
    answers: tuple[RequestAnswer, ...] = said("What was answered to the student's requests.", default=())
    deductions: tuple[Deduction, ...] = ()
    notes: tuple[OneLine, ...] = ()
    for_instructors: tuple[OneLine, ...] = said("Notes that a student's view leaves out.", default=())
    grader_errors: tuple[SomeLines, ...] = ()
    not_gradable: SomeLines | None = said(
        "Why nothing was judged, for what was handed in is no Python file: a person has to look, "
        "and the numbers are no score.",
        default=None,
    )
    machine_was_busy: bool = said(
        "Whether a busy machine kept the grader from asking everything: a class's next run asks again.",
        default=False,
    )
    refutation: PlayedGame | None = said("The shortest game that beats the submission.", default=None)
    policy: str | None = said(
        "The move on every reachable board, a character each: the cell 0 to 8 (row by row), "
        "- when the game is over, ? for no legal move, a dot where it was not asked. Boards are ordered "
        "by their number of marks, then as text of X, O and '.'.",
        default=None,
    )
    instead: dict[str, OneLine] = said(
        "What minimax did where it gave no legal move, by board; under '' what it did most.",
        default_factory=dict,
    )
    mistakes: tuple[Mistake, ...] = said(
        "The mistakes that explain all wrong answers of a function, in the order in which to fix them.",
        default=(),
    )
    show_mistakes: bool = said("Whether a student's view has the mistakes.", default=True)
    tactics: tuple[Tactic, ...] = ()
    smileys: bool = said("Whether every check is listed with :) :( or :| before it.", default=False)
    search: Search | None = said("How minimax searches, if a case asks for it.", default=None)
    sweep: Sweep | None = None
    boundary: Boundary | None = said("What it ran in; null where nothing confined it.", default=None)
    first_move: FirstMove | None = None
    hidden: int = said("How many cases a student's view leaves out.", default=0)
    seconds: float
    submission_seconds: float = said("The part of it spent inside the submission's functions.")

    @property
    def out_of(self) -> float:
        """What the final number is out of."""
        return self.scale_to or self.points

    @property
    def final(self) -> float:
        """The number that goes back: the total, or what it is out of `scale_to`, rounded as the rubric says.

        Halves go up; rounding never lifts a total above the full marks.
        """
        exact = self.total if self.scaled is None else self.scaled
        if self.rounding is None:
            return exact
        steps = math.floor(round(exact / self.rounding, 6) + 0.5)
        rounded = round(steps * self.rounding, 6)
        return rounded if exact > self.out_of else min(rounded, self.out_of)

    @property
    def by_hand_points(self) -> float:
        """The points that a person still has to judge; none where a person decided the total."""
        return self._points_of(criterion for criterion in self.criteria if criterion.by_hand)

    @property
    def unjudged_points(self) -> float:
        """The points of which nothing was judged; none where a person decided the total."""
        return self._points_of(criterion for criterion in self.criteria if criterion.unjudged)

    def _points_of(self, criteria: Iterable[CriterionScore]) -> float:
        return 0 if self.marked_by else sum(criterion.points for criterion in criteria if not criterion.bonus)


def to_json(grade: Grade) -> str:
    """Return the grade as JSON text."""
    return json_text(plain(grade))


def student_view(grade: Grade) -> Grade:
    """Return the grade as a student may see it: public cases only, and how many are hidden.

    Cases that were not judged are left out where a person decided in their place.
    """
    unnamed: dict[str, Any] = {} if grade.show_mistakes else {"explained_by": None}
    criteria = []
    for criterion in grade.criteria:
        is_decided = bool(criterion.marked_by or grade.marked_by)
        shown = [
            replace(_without_probe(verdict), **unnamed)
            for verdict in criterion.verdicts
            if verdict.visibility == "public"
            if verdict.status.counts or not verdict.weight or not is_decided
        ]
        criteria.append(replace(criterion, verdicts=tuple(shown)))
    public = [(criterion.id, verdict) for criterion in criteria for verdict in criterion.verdicts]
    return replace(
        grade,
        criteria=tuple(criteria),
        hidden=grade.tally.hidden.cases,
        for_instructors=(),
        sweep=None,
        boundary=None,
        first_move=None,
        mistakes=grade.mistakes if grade.show_mistakes else (),
        **gathered(public),
    )


def _without_probe(verdict: Verdict) -> Verdict:
    """Return a verdict without its figures if the search does not prune: that earns no bonus."""
    if verdict.search is None or verdict.search.pruning is not Pruning.NONE:
        return verdict
    return replace(verdict, search=None, reason=_("No alpha-beta pruning was found."))


def gathered(verdicts: Sequence[tuple[str, Verdict]]) -> dict[str, Any]:
    """Return what a grade takes over from single verdicts, each given with the id of its criterion."""
    errors = [
        f"{criterion}/{verdict.id}: {verdict.reason}"
        for criterion, verdict in verdicts
        if verdict.status is Status.GRADER_ERROR
    ]
    refutations = [verdict.refutation for _, verdict in verdicts if verdict.refutation]
    return {
        "grader_errors": tuple(errors),
        "refutation": min(refutations, key=lambda game: len(game.moves), default=None),
        "search": next((verdict.search for _, verdict in verdicts if verdict.search), None),
    }


def tally_of(verdicts: Iterable[Verdict]) -> Tally:
    """Return how many cases passed: a case without a weight is a remark, and in no count."""
    counting = [verdict for verdict in verdicts if verdict.weight]
    public = [verdict for verdict in counting if verdict.visibility == "public"]
    hidden = [verdict for verdict in counting if verdict.visibility != "public"]
    return Tally(public=_count(public), hidden=_count(hidden))


def _count(verdicts: Sequence[Verdict]) -> Count:
    return Count(
        passed=sum(verdict.status is Status.PASSED for verdict in verdicts),
        cases=len(verdicts),
        not_judged=sum(not verdict.status.counts for verdict in verdicts),
        lost=round(sum(verdict.lost for verdict in verdicts), 2),
    )
