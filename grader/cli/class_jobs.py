"""The jobs about a class: grade it, compare two runs, show one student."""

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
from grader.classroom.changes import changes, find, of_student, render_changes, render_student
from grader.classroom.class_summary import render
from grader.classroom.outputs import answer_text, student_page
from grader.classroom.records import STATE
from grader.core import system
from grader.core.errors import GRADED, GRADER_FAILED, UserError
from grader.core.files import write
from grader.core.messages import _, ngettext, pgettext
from grader.grading.settings import Settings
from grader.report.pages import figures_of
from grader.report.wording import number, show
from grader.sandbox import private

DEFAULT_OUT: Final = Path("grades")


def grade(options: argparse.Namespace, settings: Settings) -> int:
    """Grade a class, print its summary, and return the exit code."""
    if not options.paths:
        if Path("class").is_dir():
            raise UserError(
                _(
                    "name the class: a folder, an archive, a roster, or several files; "
                    "the folder of that name is ./class"
                )
            )
        raise UserError(_("name the class: a folder, an archive, a roster, or several files"))
    out = options.out or DEFAULT_OUT
    if options.diff and options.diff.resolve() == out.resolve():
        raise UserError(_("is written by this run: copy it first, and name the copy"), file=options.diff)
    code = _grade(options, settings, out)
    if options.diff:
        show(render_changes(changes(options.diff, out)))
    return code


def diff(old: Path, new: Path, student: str | None) -> int:
    """Print who changed between two folders of one class, or all that changed for one student."""
    if student:
        show(render_student(of_student(old, new, student)))
    else:
        show(render_changes(changes(old, new)))
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


def _grade(options: argparse.Namespace, settings: Settings, out: Path) -> int:
    for path in options.paths:
        if (path / STATE).is_file():
            told = _(
                "is the folder of a class that was graded: name what was handed in; "
                "two such folders are compared by '{command}'",
                command=f"diff OLD {path}",
            )
            raise UserError(told, file=path)
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
    return GRADER_FAILED if any(one.status == "grader_error" for one in result.records) else GRADED


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
    figures = figures_of(known)
    mean = _("mean {points}", points=number(figures.mean)) if figures else ""
    left = len(totals) - len(known)
    without = ngettext("{count} without a grade", "{count} without a grade", left) if left else ""
    return ", ".join(filter(None, (mean, without)))


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
        told = _(
            "Marking {folder}: {marked} of {needing} marked. This machine only; Ctrl-C ends it.",
            folder=out,
            marked=marked,
            needing=needing,
        )
        print(f"{told}\n{address}")
        sys.stdout.flush()
        app = application(desk, secret, port)
        config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, lifespan="off")
        place = _shown(address)
        try:
            with ended_politely(), suppress(KeyboardInterrupt):  # which is how it is meant to end
                uvicorn.Server(config).run([listening])
        finally:
            desk.end()
            if place:
                private.remove(place)
    marked, needing = desk.tally()
    told = _(
        "{marked} of {needing} marked. Everything in {folder}/ is up to date.",
        marked=marked,
        needing=needing,
        folder=out,
    )
    print(told)
    return GRADED


def _shown(address: str) -> Path | None:
    """Open the page in a browser, if somebody is there to look at it.

    The browser is given a file that only this user can read: everybody here can read a command line.
    """
    graphical = not system.IS_LINUX or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    if not graphical or not sys.stdout.isatty():
        return None
    place = private.new_folder()
    file = place / "marking.html"
    file.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
    webbrowser.open(file.as_uri())
    return place
