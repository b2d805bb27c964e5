"""The loop over the cases of one submission: each is asked, checked and recorded."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.checks import functions, play, probe, source
from grader.core.checks.blame import Blamer
from grader.core.checks.functions import ask_together, calls_of
from grader.core.checks.outcome import Context, Outcome
from grader.core.checks.reasons import because
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course import course
from grader.core.course.course import Case, Course, FollowThrough, Listed, Question, Reject, Style, listed
from grader.core.grade import Status, Verdict, unjudged

Check = Callable[[Any, Context], Outcome]
Checks = Mapping[type[Question], Check]

_CHECKS: Final[dict[type[Question], Check]] = {
    course.Answer: functions.check_answer,
    course.Reject: functions.check_reject,
    course.Unchanged: functions.check_unchanged,
    course.Play: play.check_play,
    course.FollowThrough: functions.check_follow_through,
    course.Probe: probe.check_search,
    course.Declaration: source.check_declaration,
    course.Parses: source.check_parses,
    course.OnlyAllowedImports: source.check_imports,
    course.Style: source.check_style,
    course.Files: source.check_files,
    course.Readme: source.check_readme,
}


OnVerdict = Callable[[int, int], None]
"""Called after each verdict with the number of verdicts so far, and of all to come."""


def no_news(done: int, total: int) -> None:
    """Do nothing."""


@dataclass(eq=False)
class Judging:
    """What judging one submission needs, and the verdicts so far."""

    course: Course
    client: Client
    sweeper: Sweeper
    stylist: Stylist
    checks: Checks = field(default_factory=dict)
    """Checks that are not the core's own."""
    on_verdict: OnVerdict = no_news
    started: float = field(default_factory=time.perf_counter)
    asked: list[Case] = field(default_factory=list)
    weights: Counter[str] = field(default_factory=Counter)
    total: int = 0
    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)
    _has_asked: bool = False

    @cached_property
    def blamer(self) -> Blamer:
        """Finds the function to blame for a failure."""
        return Blamer(self.client, self.sweeper)

    def take(self, cases: Sequence[Case], everything: Iterable[Listed] | None = None) -> None:
        """Take the cases to judge; `everything` also lists an instructor's own tests beside them."""
        self.asked = list(cases)
        for entry in everything if everything is not None else map(listed, cases):
            self.weights[entry.criterion] += entry.weight  # type: ignore[assignment]
            self.total += 1
        for case in cases:
            question = case.question
            if isinstance(question, Style):
                self.stylist.add(question.rules)
            if isinstance(question, Reject):
                self.blamer.must_refuse(calls_of(question))
            if isinstance(question, FollowThrough):
                self.blamer.must_follow(question.function or "minimax")

    def verdict_on(self, case: Case) -> Verdict:
        """Return the verdict on one case."""
        rubric, weight = self.course.rubric, self.weights[case.criterion]
        owner = rubric.criterion(case.criterion)
        assert owner
        worth = owner.points * (case.question.weight / weight if weight else 0.0)
        context = Context(self.client, self.sweeper, rubric, self.stylist, self.blamer, worth)
        question, submission = case.question, self.client.submission
        if not self._has_asked:
            self._has_asked = True
            ask_together([case.question for case in self.asked], self.client)
        if not submission.is_gradable:
            return Outcome(Status.SKIPPED, because("not-gradable", why=submission.problem)).verdict(question)
        check = self.checks.get(type(question)) or _CHECKS[type(question)]
        return check(question, context).verdict(question)

    def record(self, criterion: str, verdict: Verdict) -> None:
        """Store a verdict and call `on_verdict`."""
        self.verdicts.append((criterion, verdict))
        self.on_verdict(len(self.verdicts), self.total)

    def judge_all(self) -> None:
        """Judge every case of the course; an exception in a check is an error of the grader."""
        if not self.asked:
            self.take(self.course.cases)
        for case in self.course.cases:
            try:
                verdict = self.verdict_on(case)
            except Exception as error:
                question, why = case.question, f"{type(error).__name__}: {error}"
                verdict = unjudged(question.id, question.weight, question.visibility, why, "grader-error")
            self.record(case.criterion, verdict)

    def close(self) -> None:
        """End all workers."""
        self.client.close()
