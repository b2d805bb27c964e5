"""The job that is done most: one submission graded, shown, and written where that was asked for."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from grader.core.asking.client import Client
from grader.core.course.course import Course
from grader.core.course.hand_in import files_below
from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.course.submission import Submission
from grader.core.errors import BELOW, GRADED, GRADER_FAILED, GraderError, NotGradable, UserError
from grader.core.files import write
from grader.core.grade import Grade, student_view, to_json
from grader.core.text import printable_lines
from grader.course import cases, loading, rubric_files
from grader.grading.session import Settings, open_client, read
from grader.places.names import WRITTEN_FOR, unknown
from grader.places.place_report import UNFINISHED, Told, of_failure, of_grade
from grader.places.writers import text_for, write_for
from grader.report.wording import changes


@contextmanager
def progress(doing: str, what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error while something long is done, if somebody is looking."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


_SPOKEN: Final = "-"


class Writing:
    """The files that were asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._wanted: list[tuple[str, str]] = [(place, file) for place, file in options.write]

    @property
    def files(self) -> list[Path]:
        """The files that are written."""
        return [Path(file) for _, file in self._wanted if file != _SPOKEN]

    @property
    def speaks(self) -> bool:
        """Whether standard output has a place's text instead of the report."""
        return any(file == _SPOKEN for _, file in self._wanted)

    def begin(self) -> None:
        """Refuse what cannot be written, and let every file say that there is no score yet."""
        for place, file in self._wanted:
            if place not in WRITTEN_FOR:
                raise unknown(place, WRITTEN_FOR, "write")
            if file != _SPOKEN and not Path(file).resolve().parent.is_dir():
                raise UserError("no such folder to write to", file=Path(file))
            if file != _SPOKEN and Path(file).is_dir():
                raise UserError("is a folder: name a file to write to", file=Path(file))
        if self._spoken_twice():
            raise UserError("only one of --write and --json can go to standard output: name files")
        files = [file.resolve() for file in self.files]
        twice = [file for at, file in enumerate(files) if file in files[:at]]
        if twice:
            raise UserError("cannot hold what two places read: name a file for each", file=twice[0])
        self._write(self._failure(UNFINISHED), files_only=True)

    def graded(self, grade: Grade, rubric: Rubric) -> None:
        """Write the grade."""
        self._write(of_grade(grade, rubric))

    def failed(self, error: Exception) -> None:
        """Write that there is no score, and why; what cannot be written is left: the error is told anyhow."""
        if isinstance(error, UserError | NotGradable):
            told = self._failure(f"This could not be graded: {error}")
        else:
            told = self._failure("The grader failed, so there is no score: a person has to look.")
        for place, file in self._wanted:
            with suppress(GraderError, OSError, ValueError):
                self._write_one(place, file, told, files_only=self._spoken_twice())

    def _write(self, told: Told, *, files_only: bool = False) -> None:
        for place, file in self._wanted:
            self._write_one(place, file, told, files_only=files_only)

    def _write_one(self, place: str, file: str, told: Told, *, files_only: bool) -> None:
        if place not in WRITTEN_FOR:
            return
        if file != _SPOKEN:
            write_for(place, told, Path(file))
        elif not files_only:
            print(text_for(place, told), end="")

    def _spoken_twice(self) -> bool:
        """Return whether two things would go to standard output, where nobody could tell them apart."""
        spoken = [place for place, file in self._wanted if file == _SPOKEN]
        return len(spoken) > 1 or bool(spoken and self._options.json == Path(_SPOKEN))

    def _failure(self, problem: str) -> Told:
        """Return that there is no score, with as much of the rubric and its cases as can be read."""
        paths, loaded, questions = self._options.paths, None, list[Case]()
        with suppress(GraderError, OSError):
            if self._options.rubric:
                loaded = rubric_files.load(self._options.rubric)
            if loaded and self._options.fixtures:
                questions = list(cases.load_all(self._options.fixtures, loaded))
        return of_failure(problem, str(paths[0]) if paths else "", loaded, questions)


if TYPE_CHECKING:
    pass


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
    from grader.grading.session import (
        graded,
        opened,  # these, and those below, while the submission is at work
        set_to_work,
    )

    with opened(found, course, settings, client=client) as one:
        set_to_work(one, settings)
        pass
        from grader.report import terminal
        from grader.report.wording import show

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
                print(f"error: {printable_lines(str(error))}", file=sys.stderr)
            sys.stdout.flush()
            print(f"\nwatching {path}: save it to grade it again, Ctrl-C to end", file=sys.stderr, flush=True)
            while _state(path) == seen:
                time.sleep(_LOOK)
    except KeyboardInterrupt:
        print(f"\nwatched {path}: graded {count} time{'' if count == 1 else 's'}", file=sys.stderr)
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
