"""The check of follow-through: is a function right as soon as those are that it relies on?"""

from grader.checks.blame import named
from grader.checks.outcome import Context, Outcome, passed
from grader.course.questions import FollowThrough
from grader.grade import Status


def check_follow_through(question: FollowThrough, context: Context) -> Outcome:
    """Find the smallest set of wrong functions with whose correction this one is right."""
    function = question.function or "minimax"
    if not context.client.looks_runnable():
        return Outcome(Status.SKIPPED, "The file does not run.")
    blame = context.blamer.of(function)
    if not blame.is_wrong:
        return passed(f"`{function}` stands on its own")
    if blame.follows:
        does = "plays perfectly" if function == "minimax" else "is right"
        reason = f"With a correct {named(blame.follows)} this `{function}` {does}."
        return passed(reason, restores=True, follows=blame.follows)
    if not blame.suspects:
        return passed(f"The fault is in `{function}` itself.", restores=False)
    return passed(
        f"Even with a correct {named(blame.suspects)} this `{function}` is not right.", restores=False
    )
