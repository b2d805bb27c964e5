"""The job that is done most: one submission graded, shown, and written where that was asked for."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from grader.core.asking.client import Client
from grader.core.course.course import Course
from grader.core.course.submission import Submission
from grader.core.errors import BELOW, GRADED, GRADER_FAILED
from grader.core.files import write
from grader.core.grade import Grade, student_view, to_json
from grader.course import loading
from grader.grading.asking import open_client, read
from grader.grading.settings import Settings

if TYPE_CHECKING:
    from grader.cli.writing import Writing


def grade_one(
    path: Path,
    options: argparse.Namespace,
    settings: Settings,
    writing: "Writing | None",
    tell: Callable[[Grade], None] = lambda grade: None,
) -> Grade:
    """Grade one submission and write what was asked for; somebody is told before the report is shown."""
    course = loading.load(settings.rubric_file, settings.fixtures)
    found = read(path, course.rubric)
    client = _at_work(found, course, settings)
    from grader.grading.opening import opened  # these, and those below, while the submission is at work
    from grader.grading.session import graded, set_to_work

    with opened(found, course, settings, client=client) as one:
        set_to_work(one, settings)
        from grader.cli.progress import progress
        from grader.report import terminal
        from grader.report.text import show

        with progress("judging", "cases") as one.judging.on_verdict:
            grade = graded(one, settings)
    shown = student_view(grade) if options.student else grade
    if options.html:
        from grader.programs.languages import main_source
        from grader.report.pages import page

        name, source = main_source(found, course.rubric.program)
        helpers = [(one.name, one.content) for one in found.helpers]
        write(options.html, page(shown, source, name=name, helpers=helpers))
    if writing:
        writing.graded(grade, course.rubric)
    written = [file for file in (options.html, options.json) if file and file != Path("-")]
    if options.json == Path("-"):
        print(to_json(shown))
    elif options.json:
        write(options.json, to_json(shown) + "\n")
    if options.json != Path("-") and not (writing and writing.speaks):
        tell(shown)
        show(terminal.render(shown, every_case=options.all))
    written += [options.junitxml] if options.junitxml else []
    written += writing.files if writing else []
    if written:
        print(f"wrote {', '.join(map(str, written))}", file=sys.stderr)
    return grade


def _at_work(found: Submission, course: Course, settings: Settings) -> Client | None:
    """Return the client of a file with functions, which is being loaded; nobody waits for it yet."""
    if course.rubric.kind != "functions" or settings.build or settings.run or settings.patient:
        return None
    client = open_client(found, course.rubric, settings.rubric_file)
    client.worker.begin()
    return client


def exit_code(grade: Grade, fail_under: float | None) -> int:
    """Return what a grade means to whoever called the command."""
    if grade.grader_errors or grade.not_gradable:
        return GRADER_FAILED
    return BELOW if fail_under is not None and grade.total < fail_under else GRADED
