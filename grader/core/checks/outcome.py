"""The parts that every check is built from: what a reply means, and the verdict that follows."""

from dataclasses import replace
from typing import Any, Final, NamedTuple

from grader.core.asking.client import Client
from grader.core.asking.reply import Loss, Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.checks.blame import Blamer
from grader.core.checks.reasons import Reason, because
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import Question
from grader.core.course.rubric import Rubric
from grader.core.grade import Finding, PlayedGame, Search, Status, Verdict
from grader.core.messages import own_text
from grader.core.values import Frozen


class Context(Frozen):
    """What a check may use: the submission's client, the rubric, and what the case is worth in points."""

    client: Client
    sweeper: Sweeper
    rubric: Rubric
    stylist: Stylist
    blamer: Blamer
    worth: float


class Outcome(Frozen):
    """What a check found: a status, the share of the weight that was earned, a reason, and the details."""

    status: Status
    why: Reason
    share: float = 0.0
    seen: float = 1.0
    """The share of what it asks that was seen."""
    board: tuple[str, str, str] | None = None
    call: str | None = None
    expected: str | None = None
    got: str | None = None
    line: int | None = None
    asked: int | None = None
    right: int | None = None
    findings: tuple[Finding, ...] | None = None
    refutation: PlayedGame | None = None
    missed_win: PlayedGame | None = None
    restored: tuple[str, ...] | None = None
    follows: tuple[str, ...] | None = None
    search: Search | None = None
    transcript: str | None = None
    hinted: bool = True
    """Whether the hint of the case fits what was found."""

    @property
    def reason(self) -> str:
        """The reason as a sentence."""
        return str(self.why)

    def verdict(self, question: Question) -> Verdict:
        """Return the outcome as the verdict of a case."""
        function, aspect = question.about or (None, None)
        return Verdict(
            id=question.id,
            status=self.status,
            weight=question.weight,
            earned=round(question.weight * self.share, 6) if self.status.counts else None,
            seen=self.seen if self.seen < 1 else None,
            reason=self.reason,
            code=self.why.code,
            parameters=self.why.data(),
            function=function,
            aspect=aspect,
            visibility=question.visibility,
            hint=own_text(question.hint or "") or None
            if self.hinted and self.status.counts and self.share < 1
            else None,
            line=self.line or None,
            **{name: getattr(self, name) for name in _EVIDENCE},
        )


_EVIDENCE: Final = (
    "board", "call", "expected", "got", "asked", "right", "findings", "refutation", "missed_win", "restored",
    "follows", "search", "transcript",
)  # fmt: skip
"""What a verdict takes over from an outcome as it is."""


def passed(reason: Reason, **details: Any) -> Outcome:
    """Return the outcome of a case that earns its whole weight, or the share of it that is given."""
    return Outcome(Status.PASSED, reason, details.pop("share", 1.0), **details)


def failed(reason: Reason, **details: Any) -> Outcome:
    """Return the outcome of a case that earns nothing."""
    return Outcome(Status.FAILED, reason, **details)


class CallCount(NamedTuple):
    """How many calls or boards were asked and are wrong, the share that was seen, and the share to earn."""

    asked: int
    wrong: int
    seen: float
    right_share: float


def wrong_in_some(
    shown: Outcome, reason: Reason, count: CallCount, *, in_proportion: bool, others: tuple[str, ...]
) -> Outcome:
    """Return the outcome of many calls of which some are wrong, with one as an example.

    None is shown where other functions explain all of them. What could not be asked counts neither way.
    """
    if others:
        shown = Outcome(shown.status, shown.why)
        reason = because("wrong-by-others", wrong=count.wrong, asked=count.asked, others=others)
    share = count.right_share if in_proportion else 0.0
    right = count.asked - count.wrong
    return replace(shown, why=reason, share=share, seen=count.seen, asked=count.asked, right=right)


def not_seen(reason: Reason) -> Outcome:
    """Return the outcome of a case of which nothing was seen: it counts neither way."""
    return Outcome(Status.SKIPPED, reason, seen=0.0)


def no_answer(function: str, reply: Reply) -> tuple[Status, Reason] | None:
    """Return the status and the reason when a reply holds no value, or None when it does."""
    match reply:
        case Returned():
            return None
        case Raised():
            codes = {"NotImplementedError": "still-to-be-written", "EOFError": "reads-the-keyboard"}
            code = codes.get(reply.error, "raised")
            return Status.CRASHED, because(code, function=function, error=str(reply))
        case Missing():
            return Status.FAILED, because("missing", function=function)
        case Lost():
            status = Status.TIMED_OUT if reply.loss is Loss.DEADLINE else Status.CRASHED
            return status, because("no-answer", function=function, detail=reply.detail)
        case NotLoaded():
            crashed = Status.CRASHED if reply.loss or reply.raised else Status.FAILED
            status = Status.TIMED_OUT if reply.loss is Loss.DEADLINE else crashed
            return status, because("does-not-run", why=reply.why)


def unanswered(function: str, reply: Reply) -> Outcome:
    """Return the outcome of a case where nothing can be asked, by a reply that holds no value."""
    nothing = no_answer(function, reply)
    assert nothing
    return Outcome(*nothing)
