"""The one door to the checks: a case goes in, a verdict comes out."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from grader.core.checks import functions, hand_in, play, search, source
from grader.core.checks.outcome import Context, Outcome
from grader.core.checks.reasons import because
from grader.core.course import questions
from grader.core.course.questions import Question
from grader.core.grade import Status, Verdict

Check = Callable[[Any, Context], Outcome]
Checks = Mapping[type[Question], Check]

_CHECKS: Final[dict[type[Question], Check]] = {
    questions.Answer: functions.check_answer,
    questions.Reject: functions.check_reject,
    questions.Unchanged: functions.check_unchanged,
    questions.Play: play.check_play,
    questions.FollowThrough: functions.check_follow_through,
    questions.Probe: search.check_search,
    questions.Declaration: source.check_declaration,
    questions.Parses: source.check_parses,
    questions.OnlyAllowedImports: source.check_imports,
    questions.Style: source.check_style,
    questions.Files: hand_in.check_files,
    questions.Readme: hand_in.check_readme,
}


def verdict_on(question: Question, context: Context, others: Checks = MappingProxyType({})) -> Verdict:
    """Return the verdict on one question, by a check of others' or by ours.

    Nothing is judged of what cannot be graded.
    """
    submission = context.client.submission
    if not submission.is_gradable:
        return Outcome(Status.SKIPPED, because("not-gradable", why=submission.problem)).verdict(question)
    check = others.get(type(question)) or _CHECKS[type(question)]
    return check(question, context).verdict(question)
