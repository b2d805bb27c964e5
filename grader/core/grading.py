"""The grade of a submission that was judged: its scores, and what is known of it beside them."""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from grader.core.asking.carrier import Opens
from grader.core.asking.client import Client
from grader.core.checks import sweep as sweeping
from grader.core.checks.play import instead
from grader.core.checks.source import refuse_forbidden_imports
from grader.core.checks.style import OpensLinter, Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import Course
from grader.core.course.questions import Play
from grader.core.course.submission import Submission
from grader.core.evidence import DoesNotRun, FirstMove, Mistake, Sweep
from grader.core.game.board import START
from grader.core.game.policy import packed
from grader.core.grade import Deduction, Grade, Status, Verdict
from grader.core.judging import Judging, OnVerdict, no_news
from grader.core.notes import deductions_of, does_not_run, for_instructors, marked, notes_of
from grader.core.scores import make_grade

Found = tuple[Sequence[tuple[str, Verdict]], tuple[Mistake, ...]]


class Subject(Protocol):
    """What is handed in, functions or a program: what can be said of it when all is judged."""

    def prepare(self) -> None:
        """Raise NotGradable if it cannot be graded here: told before anything is judged."""

    def close(self) -> None:
        """End all that runs of it beside the client."""

    def does_not_run(self, judging: Judging) -> DoesNotRun | None:
        """Return why nothing of it could be asked, or None."""

    def known(self, judging: Judging) -> dict[str, Any]:
        """Return fields of the grade that no verdict holds."""

    def diagnosed(self, judging: Judging) -> Found:
        """Return the verdicts, each with the mistake that explains it, and the mistakes."""

    def deductions(self, judging: Judging) -> Sequence[Deduction]:
        """Return what is taken off for what belongs to no criterion."""

    def notes(self, judging: Judging) -> tuple[str, ...]:
        """Return what a person should know beside the scores."""

    def for_instructors(self, judging: Judging) -> tuple[str, ...]:
        """Return what only the person who grades should know."""

    def seconds(self, judging: Judging) -> float:
        """Return how long its own code has run."""

    def was_busy(self, judging: Judging) -> bool:
        """Return whether a busy machine kept the grader from asking everything."""


def judging_of(
    found: Submission,
    course: Course,
    opens: Opens,
    linter: OpensLinter | None = None,
    *,
    on_verdict: OnVerdict = no_news,
    recall: bool = True,
) -> Judging:
    """Return what judges a file with functions, one question after the other; whoever asks closes it."""
    client = Client(found, course.rubric.limits, opens)
    client.outline()
    refuse_forbidden_imports(client, course.rubric)
    stylist = Stylist(found.source, course.rubric.style, course.template, linter, found.helpers)
    return Judging(course, client, Sweeper(client, recall), stylist, on_verdict=on_verdict, ahead=False)


def grade_of(judging: Judging, subject: Subject) -> Grade:
    """Return the grade of a submission when all its cases are judged."""
    found, rubric = judging.client.submission, judging.course.rubric
    verdicts: Sequence[tuple[str, Verdict]] = judging.verdicts
    known = subject.known(judging)
    answered = any(one.function and one.status is Status.PASSED for _, one in verdicts)
    unrun = subject.does_not_run(judging) if found.is_gradable and not answered else None
    mistakes: tuple[Mistake, ...] = ()
    if unrun:
        verdicts = marked(judging, unrun)
    elif any(one.function and one.status.is_bad for _, one in verdicts):
        verdicts, mistakes = subject.diagnosed(judging)
    return make_grade(
        rubric,
        found.name,
        verdicts,
        deductions=subject.deductions(judging),
        **known,
        does_not_run=unrun,
        mistakes=mistakes,
        show_mistakes=rubric.mistakes == "shown",
        not_gradable=None if found.is_gradable else found.problem,
        for_instructors=subject.for_instructors(judging),
        notes=subject.notes(judging),
        machine_was_busy=subject.was_busy(judging),
        boundary=judging.client.boundary,
        seconds=round(time.perf_counter() - judging.started, 3),
        submission_seconds=round(subject.seconds(judging), 3),
    )


class Functions:
    """A file with functions that are called."""

    deductions = staticmethod(deductions_of)
    notes = staticmethod(notes_of)
    for_instructors = staticmethod(for_instructors)

    def __init__(self, *, time_first_move: bool = False) -> None:
        self._time_first_move = time_first_move

    def prepare(self) -> None:
        """A file can be graded wherever Python runs."""

    def close(self) -> None:
        """The client is all that runs of it."""

    def does_not_run(self, judging: Judging) -> DoesNotRun | None:
        """Return why the file does not run, and where, or None if it does."""
        return does_not_run(judging.client)

    def known(self, judging: Judging) -> dict[str, Any]:
        """Return what is known of minimax, if a case made the grader find out."""
        found = _swept(judging)
        if found is None:
            return {}
        tactics: tuple[Any, ...] = ()
        if found.faults:
            from grader.core.mistakes.tactics import tactics_of  # a right file needs none of the mistakes

            tactics = tactics_of(found.policy)
        return {
            "policy": packed(found.policy),
            "instead": instead(found),
            "tactics": tactics,
            "sweep": Sweep(
                asked=len(found.replies),
                seconds=round(found.seconds, 3),
                recalled=found.recalled,
                why_plain=found.why_plain,
            ),
            "first_move": _first_move(judging.client) if self._time_first_move else None,
        }

    def diagnosed(self, judging: Judging) -> Found:
        """Return the verdicts, each with the mistake that explains it, and the mistakes."""
        from grader.core.checks.diagnosis import diagnosed  # a right file needs none of it

        return diagnosed(judging.client, _swept(judging), judging.asked, judging.verdicts)

    def seconds(self, judging: Judging) -> float:
        """Return how long the functions have run."""
        return judging.client.seconds

    def was_busy(self, judging: Judging) -> bool:
        """Return whether a busy machine kept the grader from asking everything."""
        return judging.client.allowance.was_busy


def _first_move(client: Client) -> FirstMove | None:
    """Return the time of the move on the empty board, or None when none is made."""
    seconds = client.timed("minimax", [START], client.limits.sweep_budget)
    return None if seconds is None else FirstMove(seconds=round(seconds, 3))


def _swept(judging: Judging) -> sweeping.SweepReplies | None:
    """Return how minimax was asked about every board, if a case wanted that and there is one to ask."""
    is_wanted = any(isinstance(case.question, Play) for case in judging.asked)
    found = judging.sweeper.sweep() if is_wanted and judging.client.looks_runnable() else None
    return None if found is None or found.absent else found
