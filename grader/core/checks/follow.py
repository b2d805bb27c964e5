"""The check of follow-through: is a function right as soon as those are that it relies on?"""

from grader.core.checks.outcome import Context, Outcome, passed
from grader.core.checks.reasons import because
from grader.core.course.questions import FollowThrough
from grader.core.grade import Status


def check_follow_through(question: FollowThrough, context: Context) -> Outcome:
    """Find the smallest set of wrong functions with whose correction this one is right, in what aspects."""
    function = question.function or "minimax"
    if not context.client.looks_runnable():
        return Outcome(Status.SKIPPED, because("file-does-not-run"))
    blame = context.blamer.of(function)
    if not blame.wrong:
        return passed(because("stands-alone", function=function))
    if blame.follows:
        still = [aspect for aspect in blame.wrong if aspect not in blame.restored]
        reason = because(
            "follows", function=function, follows=blame.follows, restored=blame.restored, still=still
        )
        return passed(reason, restored=blame.restored, follows=blame.follows)
    reason = because("own-fault", function=function)
    if blame.suspects:
        reason = because("own-fault-too", function=function, suspects=blame.suspects)
    return Outcome(Status.SKIPPED, reason, restored=())
