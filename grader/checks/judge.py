"""The one door to the checks: a case goes in, a verdict comes out."""

from collections.abc import Callable
from typing import Any, Final

from grader import cases
from grader.cases import Question
from grader.checks import blame, functions, play, source
from grader.checks.outcome import Context, Outcome
from grader.grade import Verdict

_CHECKS: Final[dict[type[Question], Callable[[Any, Context], Outcome]]] = {
    cases.Answer: functions.check_answer,
    cases.Reject: functions.check_reject,
    cases.Unchanged: functions.check_unchanged,
    cases.Play: play.check_play,
    cases.FollowThrough: blame.check_follow_through,
    cases.Declaration: source.check_declaration,
    cases.Parses: source.check_parses,
    cases.OnlyAllowedImports: source.check_imports,
    cases.Style: source.check_style,
}


def judge(case: cases.Case, context: Context) -> Verdict:
    """Return the verdict on one case."""
    return _CHECKS[type(case.question)](case.question, context).verdict(case.question)
