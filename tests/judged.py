"""Submissions judged by the shipped course: across the wall as students' files are, or inside, without one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.core.asking.inside import InProcess
from grader.core.course.course import Course
from grader.core.course.submission import Submission
from grader.core.grade import Grade
from grader.core.grading import Subject, grade_of, judging_of
from grader.core.messages import in_language
from grader.grading.linter import ruff
from grader.grading.plugin import judge_with_pytest
from grader.grading.session import Settings, grade_found, load_course, read

ONE_AFTER_THE_OTHER = Settings()


def course_with(
    settings: Settings = ONE_AFTER_THE_OTHER, limits: dict[str, Any] | None = None, **changes: Any
) -> Course:
    """Return a course with other limits, or other fields of its rubric."""
    course = load_course(settings)
    rubric = replace(course.rubric, limits=replace(course.rubric.limits, **(limits or {})), **changes)
    return replace(course, rubric=rubric)


def grade_submission(path: Path, settings: Settings) -> Grade:
    """Return the grade of the submission that a path means, by the course that settings name."""
    course = load_course(settings)
    with in_language(course.rubric.language):
        found = read(path, course.rubric)
    return grade_found(found, course, settings)


def judged(found: Submission, settings: Settings = ONE_AFTER_THE_OTHER, **changes: Any) -> Grade:
    """Return the grade of a submission that runs across the wall."""
    return grade_found(found, course_with(settings, **changes), settings)


def judged_inside(
    found: Submission, settings: Settings = ONE_AFTER_THE_OTHER, *, by_pytest: bool = False, **changes: Any
) -> Grade:
    """Return the grade of a submission that runs in this very process: for files that are known.

    The cases are taken one by one by the plain loop, or by pytest.
    """
    judging = judging_of(found, course_with(settings, **changes), InProcess, ruff, recall=settings.recall)
    try:
        if by_pytest:
            judge_with_pytest(judging, settings)
        else:
            judging.judge_all()
        return grade_of(judging, Subject())
    finally:
        judging.close()
