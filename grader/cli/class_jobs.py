"""Jobs about a class: grade, compare, show a student, mark; and the files written for other platforms."""

import argparse
import os
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rich import progress as bars
from rich.console import Console

from grader.classroom import batch, records, similarity
from grader.classroom.batch import ClassSettings, grade_class
from grader.classroom.class_summary import changes, find, render, student_changes
from grader.classroom.outputs import answer_text, student_page
from grader.classroom.records import STATE
from grader.core import system
from grader.core.course.course import Case
from grader.core.course.rubric import Rubric
from grader.core.errors import GRADED, GRADER_FAILED, GraderError, NotGradable, UserError
from grader.core.grade import Grade
from grader.core.messages import _, ngettext, pgettext
from grader.core.system import write
from grader.course import cases, rubric_files
from grader.grading.session import Settings, check_configuration, load_course
from grader.places import PACKED_FOR, SITE, WRITTEN_FOR, unknown
from grader.places.packers import PACKERS, material, pack, refuse, refuse_kind
from grader.places.place_report import UNFINISHED, PlaceReport, of_failure, of_grade
from grader.places.site import site
from grader.places.writers import text_for, write_for
from grader.report.pages import figures_of
from grader.report.wording import number, show
from grader.sandbox import process

DEFAULT_OUT: Final = Path("grades")


def grade(options: argparse.Namespace, settings: Settings) -> int:
    """Grade a class, print its summary, and return the exit code."""
    if not options.paths and Path("class").is_dir():
        raise UserError(
            _(
                "name the class: a folder, an archive, a roster, or several files; "
                "the folder of that name is ./class"
            )
        )
    if not options.paths:
        raise UserError(_("name the class: a folder, an archive, a roster, or several files"))
    out = options.out or DEFAULT_OUT
    if options.diff and options.diff.resolve() == out.resolve():
        raise UserError(_("is written by this run: copy it first, and name the copy"), file=options.diff)
    for path in options.paths:
        if (path / STATE).is_file():
            problem = _(
                "is the folder of a class that was graded: name what was handed in; "
                "two such folders are compared by '{command}'",
                command=f"diff OLD {path}",
            )
            raise UserError(problem, file=path)
    if options.diff:
        records.folder_of(options.diff)  # before anybody is graded: it may not be there
    jobs = options.jobs if options.jobs is not None else system.processors()
    if jobs < 1:
        raise UserError(_("--jobs is at least 1"))
    for file in options.template:
        if not file.is_file():
            raise UserError(_("there is no such template"), file=file)
    given = ClassSettings(
        settings,
        out,
        jobs,
        regrade=options.regrade,
        cluster=options.cluster,
        similarity=options.similarity,
        templates=tuple(options.template),
        canvas_id=options.canvas_id,
        canvas_gradebook=options.canvas_gradebook,
        moodle_worksheet=options.moodle_worksheet,
        html=not options.no_html,
    )
    with ended_politely(), _progress() as (on_record, on_pair):
        result = grade_class(options.paths, given, on_record, on_pair)
    show(render(result))
    if options.diff:
        show(changes(options.diff, out))
    failed = any(record.status == "grader_error" for record in result.records)
    return GRADER_FAILED if failed else GRADED


def diff(old: Path, new: Path, student: str | None) -> int:
    """Print who changed between two folders of one class, or all that changed for one student."""
    show(student_changes(old, new, student) if student else changes(old, new))
    return GRADED


def student(folder: Path, name: str, page: Path | None, *, hidden: bool) -> int:
    """Print one student's grade with its reasons, or write it as a page; the folder does not change."""
    record = find(folder, name)
    if not page:
        print(answer_text(record, hidden=hidden), end="")
        return GRADED
    text = student_page(folder, record, records.load_class(folder).rubric, hidden=hidden)
    if text is None:
        raise UserError(
            _("{student} has no page: {in_short}", student=record.student, in_short=record.in_short)
        )
    write(page, text)
    print(_("wrote {files}", files=page))
    return GRADED


@contextmanager
def ended_politely() -> Iterator[None]:
    """Treat a request to end this process (`kill`, `timeout`) like Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tally(totals: Sequence[float | None]) -> str:
    """Return how a batch stands, in a few words."""
    known = [total for total in totals if total is not None]
    figures, left = figures_of(known), len(totals) - len(known)
    parts = [_("mean {points}", points=number(figures.mean))] if figures else []
    parts += [ngettext("{count} without a grade", "{count} without a grade", left)] if left else []
    return ", ".join(parts)


@contextmanager
def _progress() -> Iterator[tuple[batch.OnRecord, similarity.OnPair]]:
    """Show a live bar on standard error if somebody is looking, and a line for each student if not."""
    console, totals = Console(stderr=True), list[float | None]()
    if not console.is_terminal:
        yield lambda news: print(_line(news), file=sys.stderr), lambda done, total: None
        return
    columns = (
        bars.SpinnerColumn(),
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeElapsedColumn(),
        bars.TextColumn(pgettext("progress", "left")),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[tally]}", style="dim"),
    )
    with bars.Progress(*columns, console=console, transient=True) as progress:
        grading = progress.add_task(pgettext("progress", "grading"), total=None, rate="", tally="")
        comparing = progress.add_task(
            pgettext("progress", "comparing"),
            total=None,
            rate="",
            tally=pgettext("progress", "pairs"),
            visible=False,
        )

        def on_record(news: batch.BatchProgress) -> None:
            totals.append(news.record.total)
            elapsed = progress.tasks[grading].elapsed or 0.0
            fresh = news.done - news.kept
            rate = _("{rate:.0f} a minute", rate=60 * fresh / elapsed) if fresh and elapsed else ""
            progress.update(grading, completed=news.done, total=news.total, rate=rate, tally=_tally(totals))

        def on_pair(done: int, total: int) -> None:
            progress.update(comparing, completed=done, total=total, visible=True)

        yield on_record, on_pair


def _line(news: batch.BatchProgress) -> str:
    record = news.record
    what = number(record.total) if record.total is not None else record.outcome
    line = f"{news.done}/{news.total} {record.student}: {what}"
    return line if news.anew else _("{line} (unchanged)", line=line)


def mark(out: Path, *, anonymous: bool) -> int:
    """Serve the page for marking a class; return the exit code when somebody ends it."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise UserError(
            _(
                "marking needs Starlette and uvicorn: {command} ({options} in a checkout)",
                command="pip install 'tictactoe-grader[mark]'",
                options="-e '.[mark]'",
            )
        )
    import uvicorn

    from grader.marking.desk import Desk
    from grader.marking.server import application

    desk = Desk(out, anonymous=anonymous)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, secret = listening.getsockname()[1], secrets.token_urlsafe(32)
        address = f"http://127.0.0.1:{port}/#key={secret}"
        marked, needing = desk.tally()
        line = _(
            "Marking {folder}: {marked} of {needing} marked. This machine only; Ctrl-C ends it.",
            folder=out,
            marked=marked,
            needing=needing,
        )
        print(line, address, sep="\n", flush=True)
        app = application(desk, secret, port)
        config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, lifespan="off")
        place = _open_in_browser(address)
        try:
            with ended_politely(), suppress(KeyboardInterrupt):  # which is how it is meant to end
                uvicorn.Server(config).run([listening])
        finally:
            if not desk.scribe.wait(0):
                print(_("Writing the pages and gradebooks that are not up to date yet."), flush=True)
            desk.end()
            if place:
                process.remove(place)
    marked, needing = desk.tally()
    about = {"marked": marked, "needing": needing, "folder": out}
    print(_("{marked} of {needing} marked. Everything in {folder}/ is up to date.", **about))
    return GRADED


def _open_in_browser(address: str) -> Path | None:
    """Open the page in a browser, if somebody is there to look at it.

    The browser is given a file that only this user can read: everybody here can read a command line.
    """
    graphical = not system.IS_LINUX or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    if not graphical or not sys.stdout.isatty():
        return None
    place = process.new_folder()
    file = place / "marking.html"
    file.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
    webbrowser.open(file.as_uri())
    return place


_STANDARD_OUTPUT: Final = "-"


class Writing:
    """The files that were asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._wanted: list[tuple[str, str]] = [(place, file) for place, file in options.write]
        self.files = [Path(file) for _place, file in self._wanted if file != _STANDARD_OUTPUT]
        """The files that are written."""
        self.speaks = len(self.files) < len(self._wanted)
        """Whether standard output has a place's text instead of the report."""
        spoken = (
            len(self._wanted) - len(self.files) + (self.speaks and options.json == Path(_STANDARD_OUTPUT))
        )
        self._is_ambiguous = spoken > 1  # where nobody could tell them apart

    def begin(self) -> None:
        """Refuse what cannot be written, and let every file say that there is no score yet."""
        for place, file in self._wanted:
            if place not in WRITTEN_FOR:
                raise unknown(place, WRITTEN_FOR, "write")
            if file != _STANDARD_OUTPUT and not Path(file).resolve().parent.is_dir():
                raise UserError(_("no such folder to write to"), file=Path(file))
            if file != _STANDARD_OUTPUT and Path(file).is_dir():
                raise UserError(_("is a folder: name a file to write to"), file=Path(file))
        if self._is_ambiguous:
            raise UserError(_("only one of --write and --json can go to standard output: name files"))
        files = [file.resolve() for file in self.files]
        twice = [file for at, file in enumerate(files) if file in files[:at]]
        if twice:
            raise UserError(_("cannot hold what two places read: name a file for each"), file=twice[0])
        report = self._failure(UNFINISHED)
        for place, file in self._wanted:
            _write(place, file, report, files_only=True)

    def graded(self, grade: Grade, rubric: Rubric) -> None:
        """Write the grade."""
        report = of_grade(grade, rubric)
        for place, file in self._wanted:
            _write(place, file, report)

    def failed(self, error: Exception) -> None:
        """Write that there is no score, and why; a file that cannot be written is left out."""
        if isinstance(error, UserError | NotGradable):
            report = self._failure(_("This could not be graded: {error}", error=error))
        else:
            report = self._failure(_("The grader failed, so there is no score: a person has to look."))
        for place, file in self._wanted:
            with suppress(GraderError, OSError, ValueError):
                _write(place, file, report, files_only=self._is_ambiguous)

    def _failure(self, problem: str) -> PlaceReport:
        """Return that there is no score, with as much of the rubric and its cases as can be read."""
        paths, loaded, questions = self._options.paths, None, list[Case]()
        with suppress(GraderError, OSError):
            if self._options.rubric:
                loaded = rubric_files.load(self._options.rubric)
            if loaded and self._options.fixtures:
                questions = list(cases.load_all(self._options.fixtures, loaded))
        return of_failure(problem, str(paths[0]) if paths else "", loaded, questions)


def _write(place: str, file: str, report: PlaceReport, *, files_only: bool = False) -> None:
    if place in WRITTEN_FOR and file != _STANDARD_OUTPUT:
        write_for(place, report, Path(file))
    elif place in WRITTEN_FOR and not files_only:
        print(text_for(place, report), end="")


def run(place: str, out: Path, settings: Settings, pyodide: Path | None) -> int:
    """Write a pack and print what is in it; a rubric by which nobody could be graded is refused."""
    if place not in PACKED_FOR:
        raise unknown(place, PACKED_FOR, "pack")
    if pyodide and place != SITE:
        raise UserError(_("--pyodide goes with a site"))
    refuse(place, out)
    refuse_kind(place, load_course(settings).rubric)
    listed = check_configuration(settings)
    if place == SITE:
        files, left_out = site(load_course(settings), listed, pyodide), sum(case.hidden for case in listed)
    else:
        given = material(place, settings.rubric_file, settings.fixtures, listed)
        files, left_out = PACKERS[place](given), given.left_out
    names = pack(place, files, out)
    shown = ", ".join(name for name in names if "/fixtures/" not in name)
    print(_("wrote {place}: {files}", place=out, files=shown))
    if left_out:
        note = ngettext(
            "{count} hidden case is left out: students can read this pack",
            "{count} hidden cases are left out: students can read this pack",
            left_out,
        )
        print(note)
    if place == SITE and not pyodide:
        print(_("Python is loaded from cdn.jsdelivr.net; with --pyodide DIR it is in the site."))
    if place == SITE:
        print(_("To look at it: {command}", command=f"python -m http.server -d {out}"))
    print(_("README.md in it says what is left to do, in three steps."))
    return GRADED
