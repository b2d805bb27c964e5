"""The one door to the checks: a case goes in, a verdict comes out."""

from collections.abc import Callable
from typing import Any, Final

from grader.core.checks import follow, functions, hand_in, play, search, source
from grader.core.checks.outcome import Context, Outcome
from grader.core.checks.reasons import because
from grader.core.course import questions
from grader.core.course.questions import Case, Question
from grader.core.grade import Status, Verdict


def _check_program(question: questions.Program, context: Context) -> Outcome:
    from grader.core.checks.program import check_program  # who grades functions never needs it

    return check_program(question, context)


_CHECKS: Final[dict[type[Question], Callable[[Any, Context], Outcome]]] = {
    questions.Answer: functions.check_answer,
    questions.Reject: functions.check_reject,
    questions.Unchanged: functions.check_unchanged,
    questions.Play: play.check_play,
    questions.FollowThrough: follow.check_follow_through,
    questions.Probe: search.check_search,
    questions.Declaration: source.check_declaration,
    questions.Parses: source.check_parses,
    questions.OnlyAllowedImports: source.check_imports,
    questions.Style: source.check_style,
    questions.Files: hand_in.check_files,
    questions.Readme: hand_in.check_readme,
    questions.Program: _check_program,
}


def judge(case: Case, context: Context) -> Verdict:
    """Return the verdict on one case; nothing is judged of what cannot be graded."""
    submission = context.client.submission
    if not submission.is_gradable:
        return Outcome(Status.SKIPPED, because("not-gradable", why=submission.problem)).verdict(case.question)
    return _CHECKS[type(case.question)](case.question, context).verdict(case.question)
