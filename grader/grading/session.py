"""One submission in, one grade out: by the plain loop, or by pytest where a course has tests of its own."""

from pathlib import Path

from grader.core.course.course import Course, Listed, listed
from grader.core.course.submission import Submission, from_bytes
from grader.core.grade import Grade
from grader.core.grading import grade_of
from grader.core.messages import in_language
from grader.grading.asking import read
from grader.grading.opening import Opened, opened
from grader.grading.settings import Settings
from grader.grading.settings import load_course as load_course  # noqa: PLC0414 - handed on


def grade_submission(path: Path, settings: Settings) -> Grade:
    """Return the grade of the submission that a path means.

    Raises UserError for a bad path, rubric or fixture, before anything of the submission has run.
    """
    course = load_course(settings)
    with in_language(course.rubric.language):
        found = read(path, course.rubric)
    return grade_found(found, course, settings)


def grade_found(found: Submission, course: Course, settings: Settings) -> Grade:
    """Return the grade of a submission by a course."""
    with in_language(course.rubric.language), opened(found, course, settings) as one:
        return graded(one, settings)


def set_to_work(one: Opened, settings: Settings) -> None:
    """Let a submission be at work from now on, beside whatever else is done before it is judged."""
    if not _needs_pytest(one, settings):
        one.judging.expect(one.judging.course.cases)
        one.judging.begin()


def _needs_pytest(one: Opened, settings: Settings) -> bool:
    return one.judging.course.has_tests or settings.junitxml is not None


def graded(one: Opened, settings: Settings) -> Grade:
    """Judge all cases and return the grade; raise NotGradable for a program that cannot be graded here."""
    judging, subject = one
    subject.prepare()
    if _needs_pytest(one, settings):
        from grader.grading.pytest_runner import (
            judge_with_pytest,  # only who has tests of their own needs pytest
        )

        judge_with_pytest(judging, settings)
    else:
        judging.judge_all()
    return grade_of(judging, subject)


def check_configuration(settings: Settings) -> tuple[Listed, ...]:
    """Return all that is asked; raise UserError for a rubric or fixtures by which nobody could be graded."""
    course = load_course(settings)
    nobody = from_bytes("nobody", b"", 0, course.rubric.limits.source_kb)
    with opened(nobody, course, settings) as one:  # what the rubric demands of the machine is tried, too
        if not course.has_tests:
            return tuple(map(listed, course.cases))
        from grader.grading.pytest_runner import collected

        return collected(one.judging, settings)
