"""The parts that every check is built from: what a reply means, and the verdict that follows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.checks.blame import Blamer
from grader.checks.style import Stylist
from grader.checks.sweep import Sweeper
from grader.course.questions import Question
from grader.course.rubric import Rubric
from grader.evidence import Finding, Line, Search
from grader.grade import Status, Verdict
from grader.sandbox.client import Client
from grader.sandbox.reply import Loss, Lost, Missing, NotLoaded, Raised, Reply, Returned

if TYPE_CHECKING:  # who grades functions never needs it
    from grader.programs.program import Program


@dataclass(frozen=True)
class Context:
    """What a check may use: the submission's client, the rubric, and what the case is worth in points."""

    client: Client
    sweeper: Sweeper
    rubric: Rubric
    stylist: Stylist
    blamer: Blamer
    worth: float
    program: "Program | None" = None
    """The program, if that is what is handed in."""


@dataclass(frozen=True)
class Outcome:
    """What a check found: a status, the share of the weight that was earned, a reason, and the details."""

    status: Status
    reason: str
    share: float = 0.0
    board: tuple[str, str, str] | None = None
    call: str | None = None
    expected: str | None = None
    got: str | None = None
    line: int | None = None
    asked: int | None = None
    right: int | None = None
    findings: tuple[Finding, ...] | None = None
    refutation: Line | None = None
    missed_win: Line | None = None
    restores: bool | None = None
    follows: tuple[str, ...] | None = None
    search: Search | None = None
    transcript: str | None = None
    hinted: bool = True
    """Whether the hint of the case fits what was found."""

    def verdict(self, question: Question) -> Verdict:
        """Return the outcome as the verdict of a case."""
        function, aspect = question.about or (None, None)
        return Verdict(
            id=question.id,
            status=self.status,
            weight=question.weight,
            earned=round(question.weight * self.share, 6) if self.status.counts else None,
            reason=self.reason,
            function=function,
            aspect=aspect,
            visibility=question.visibility,
            hint=question.hint if self.hinted and self.status.counts and self.share < 1 else None,
            board=self.board,
            call=self.call,
            expected=self.expected,
            got=self.got,
            line=self.line or None,
            asked=self.asked,
            right=self.right,
            findings=self.findings,
            refutation=self.refutation,
            missed_win=self.missed_win,
            restores=self.restores,
            follows=self.follows,
            search=self.search,
            transcript=self.transcript,
        )


def passed(reason: str, **details: Any) -> Outcome:
    """Return the outcome of a case that earns its whole weight."""
    return Outcome(Status.PASSED, reason, 1.0, **details)


def failed(reason: str, **details: Any) -> Outcome:
    """Return the outcome of a case that earns nothing."""
    return Outcome(Status.FAILED, reason, **details)


def no_answer(function: str, reply: Reply) -> tuple[Status, str] | None:
    """Return the status and the reason when a reply holds no value, or None when it does."""
    match reply:
        case Returned():
            return None
        case Raised(error="NotImplementedError"):
            return Status.CRASHED, f"`{function}` is still to be written: it raises {reply}."
        case Raised(error="EOFError"):
            return Status.CRASHED, f"`{function}` reads from the keyboard, but nobody is there: {reply}."
        case Raised():
            return Status.CRASHED, f"`{function}` raised {reply}."
        case Missing():
            return Status.FAILED, f"The file defines no function `{function}`."
        case Lost(loss=Loss.DEADLINE):
            return Status.TIMED_OUT, f"`{function}` gave no answer: {reply.detail}."
        case Lost():
            return Status.CRASHED, f"`{function}` gave no answer: {reply.detail}."
        case NotLoaded():
            return _not_loaded(reply), reply.why


def _not_loaded(reply: NotLoaded) -> Status:
    if reply.loss is Loss.DEADLINE:
        return Status.TIMED_OUT
    return Status.CRASHED if reply.loss or reply.raised else Status.FAILED
