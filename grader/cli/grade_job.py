"""The jobs `grade` and `watch`: one submission graded, shown, and written where that was asked for."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.core.course.submission import Folder, files_below
from grader.core.errors import BELOW, GRADED, GRADER_FAILED, GraderError, NotGradable
from grader.core.grade import Grade, student_view, to_json
from grader.core.messages import _, in_language, ngettext, pgettext
from grader.core.scores import ungraded
from grader.core.system import write
from grader.core.values import printable_lines
from grader.grading.session import Settings, graded, load_course, opened, read
from grader.report.wording import changes

if TYPE_CHECKING:
    from grader.cli.class_jobs import Writing


def grade_one(
    path: Path,
    options: argparse.Namespace,
    settings: Settings,
    writing: "Writing | None",
    tell: Callable[[Grade], None] = lambda grade: None,
) -> Grade:
    """Grade one submission and write what was asked for; `tell` gets the grade before the report is shown."""
    course = load_course(settings)
    with in_language(course.rubric.language):
        found = read(path, course.rubric)

        def write_page(shown: Grade, helpers: Folder = ()) -> None:
            from grader.programs.recipes import main_source
            from grader.report.pages import page

            name, source = main_source(found, course.rubric.program)
            beside = [(helper.name, helper.content) for helper in helpers]
            write(options.html, page(shown, source, name=name, helpers=beside))

        with opened(found, course, settings) as submission:
            shows = options.json != Path("-") and not (writing and writing.speaks)
            if shows:  # what it is made of, rich, takes a quarter of all imports
                from grader.report import terminal_report
                from grader.report.wording import show

            words = pgettext("progress", "judging"), pgettext("progress", "cases")
            try:
                with progress(*words) as submission.judging.on_verdict:
                    grade = graded(submission, settings)
            except NotGradable as error:
                if options.html:
                    write_page(ungraded(course.rubric, found.name, str(error)))
                    print(_("wrote {files}", files=options.html), file=sys.stderr)
                raise
        shown = student_view(grade) if options.student else grade
        if options.html:
            write_page(shown, found.helpers)
        if writing:
            writing.graded(grade, course.rubric)
        if options.junitxml:
            from grader.places.place_report import of_grade
            from grader.places.writers import write_junit

            write(options.junitxml, write_junit(of_grade(grade, course.rubric), with_hidden=True))
        if options.json == Path("-"):
            print(to_json(shown))
        elif options.json:
            write(options.json, to_json(shown) + "\n")
        if shows:
            tell(shown)
            show(terminal_report.render(shown, every_case=options.all))
        files = (options.html, options.json, options.junitxml, *(writing.files if writing else ()))
        if written := [str(file) for file in files if file and file != Path("-")]:
            print(_("wrote {files}", files=", ".join(written)), file=sys.stderr)
        return grade


def exit_code(grade: Grade, fail_under: float | None) -> int:
    """Return the exit code for a grade."""
    if grade.grader_errors or grade.not_gradable:
        return GRADER_FAILED
    return BELOW if fail_under is not None and grade.total < fail_under else GRADED


_LOOK: Final = 0.3
"""Seconds between two looks at the file."""

Grades = Callable[[Callable[[Grade], None]], Grade]
"""Grades once; what it is given is shown the grade before the report is."""


def watch(path: Path, grades: Grades) -> int:
    """Grade what a path means, and again when it changes, until somebody has seen enough."""
    before: Grade | None = None
    count = 0

    def tell(now: Grade) -> None:
        if before:
            print(*changes(before, now), "", sep="\n", flush=True)

    try:
        while True:
            seen = _state(path)
            try:
                before, count = grades(tell), count + 1
            except GraderError as error:
                if not count:
                    raise
                print(_("error: {what}", what=printable_lines(str(error))), file=sys.stderr)
            sys.stdout.flush()
            line = _("watching {path}: save it to grade it again, Ctrl-C to end", path=path)
            print(f"\n{line}", file=sys.stderr, flush=True)
            while _state(path) == seen:
                time.sleep(_LOOK)
    except KeyboardInterrupt:
        line = ngettext(
            "watched {path}: graded {count} time", "watched {path}: graded {count} times", count, path=path
        )
        print(f"\n{line}", file=sys.stderr)
        return GRADED


def _state(path: Path) -> list[tuple[str, int, int]]:
    """Return what changes whenever a file, or what lies beside it in its folder, is saved."""
    files = files_below(path, ()) if path.is_dir() else path.parent.glob("*.py")
    found = []
    for file in {path, *files}:
        with suppress(OSError):  # it is being saved
            about = file.stat()
            found.append((str(file), about.st_mtime_ns, about.st_size))
    return sorted(found)


@contextmanager
def progress(doing: str, what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error while something long is done, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # takes long to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
