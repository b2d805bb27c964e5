"""The command: which job is meant, and its exit code."""

import argparse
import os
import select
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.options import STUDENT, called, class_is_meant, parser, refuse_beside, settle
from grader.core.errors import BELOW, GRADED, GraderError, UserError
from grader.core.text import printable_lines
from grader.course.courses import fixtures_of, rubric_of, text_to_change, write_copy
from grader.course.shipped import DEFAULT_RUBRIC, DEFAULT_SUBMISSION
from grader.grading.settings import Settings

if TYPE_CHECKING:
    from grader.cli.writing import Writing


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = parser().parse_args([] if words[:1] == [STUDENT] else words)
    try:
        return _student(words[1:]) if words[:1] == [STUDENT] else _run(options)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return GRADED
        _tell_places(options, error)
        if not isinstance(error, GraderError):
            raise
        print(f"error: {printable_lines(str(error))}", file=sys.stderr)
        return error.exit_code


def _student(arguments: Sequence[str]) -> int:
    """Show one student of a graded class."""
    from grader.classroom import student

    return student.run(arguments, called())


def _nobody_reads() -> bool:
    """Return whether the reader of the output has gone: it has seen enough. No other pipe is meant."""
    outputs = select.poll()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            outputs.register(stream.fileno(), select.POLLOUT)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in outputs.poll(0))


def _run(options: argparse.Namespace) -> int:
    """Do the job that is meant and return its exit code."""
    if options.schema:
        print(schema_text(options.schema), end="")
        return GRADED
    settle(options)
    _choose(options)
    return _job(options)(options)


def _job(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """Return the job that is meant."""
    jobs = {
        _mark: options.mark or options.anonymous,
        _courses: options.courses,
        _init: options.init,
        _pack: options.pack,
        _sandbox: options.sandbox,
        _play: options.play or options.coach or options.window,
        _benchmark: options.benchmark or options.plot,
        _audit: options.audit,
    }
    meant = next((job for job, is_meant in jobs.items() if is_meant), None)
    return meant or (_class if class_is_meant(options) else _grade)


def _tell_places(options: argparse.Namespace, error: Exception) -> None:
    """Write for every place that was asked for that there is no score, and why."""
    writing = _writing(options)
    if writing:
        writing.failed(error)


def _writing(options: argparse.Namespace) -> "Writing | None":
    """Return what writes for the places that were asked for, if any were."""
    if not options.write:
        return None
    from grader.cli.writing import Writing

    return Writing(options)


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        options.rubric,
        options.fixtures,
        options.junitxml,
        recall=not options.no_recall,
        time_first_move=options.time_first_move,
        build=options.build,
        run=options.run,
        patient=options.patient,
        rubric_named=options.named[0],
        fixtures_named=options.named[1],
    )


def _choose(options: argparse.Namespace) -> None:
    """Find the rubric and the cases that are meant."""
    if options.course and options.rubric:
        raise UserError("give --course or --rubric: a course has its own")
    options.named = bool(options.course or options.rubric), bool(options.fixtures)
    options.rubric = rubric_of(options.course) if options.course else options.rubric or DEFAULT_RUBRIC
    options.fixtures = options.fixtures or fixtures_of(options.rubric)


def _courses(options: argparse.Namespace) -> int:
    """List the courses, a line each."""
    from grader.course.courses import all_courses

    print(*all_courses(), sep="\n")
    return GRADED


def _init(options: argparse.Namespace) -> int:
    """Write what an instructor may change, and say how to grade by it."""
    folder: Path = options.init
    for file in write_copy(folder, text_to_change(options.rubric), options.fixtures):
        print(f"wrote {file}")
    print(
        "\nChange what you like, then grade by it:\n"
        f"  {called()} tictactoe.py --rubric {folder / 'rubric.yaml'} --fixtures {folder / 'fixtures'}"
    )
    return GRADED


def _pack(options: argparse.Namespace) -> int:
    """Write what a place needs in order to grade by a rubric, and say what is left to do."""
    from grader.cli.packing import run

    if options.paths:
        raise UserError("--pack takes no submission: what is packed grades them where they are handed in")
    refuse_beside(options, "--pack")
    if len(options.pack) > 1:
        raise UserError("--pack takes one place at a time: run the command once for each")
    ((place, out),) = options.pack
    return run(place, Path(out), _settings(options), options.pyodide)


def _play(options: argparse.Namespace) -> int:
    """Let a person play; what goes with a grade does not go with a game."""
    from grader.play import command

    if not options.play:
        raise UserError("--coach and --window go with --play")
    refuse_beside(options, "--play")
    return command.run(_only_path(options), options)


def _audit(options: argparse.Namespace) -> int:
    """Audit the fixtures with mutants of the reference, print what was found, and return the exit code."""
    from grader.audit import show as report
    from grader.audit.audit import audit
    from grader.cli.progress import progress
    from grader.report.text import show

    with progress("grading", "mutants") as on_mutant:
        found = audit(_only_path(options), _settings(options), on_mutant)
    show(report.render(found))
    return GRADED if found.holds else BELOW


def _benchmark(options: argparse.Namespace) -> int:
    """Compare searches, print the table, draw the picture if asked for, and return the exit code."""
    from grader.benchmark import show as report
    from grader.benchmark.comparison import compare
    from grader.cli.progress import progress
    from grader.core.files import write
    from grader.report.text import show

    _writable(options.plot)
    if not sys.stderr.isatty():
        print("measuring searches: a minute or two", file=sys.stderr)
    with progress("measuring", "searches") as on_measured:
        found = compare(_only_path(options), on_measured)
    if options.plot:
        write(options.plot, report.picture(found))
    show(report.render(found))
    return BELOW if found.notes else GRADED


def _only_path(options: argparse.Namespace) -> Path:
    """Return the one path that most jobs take."""
    if len(options.paths) > 1:
        raise UserError("this takes one path, not several")
    return options.paths[0] if options.paths else DEFAULT_SUBMISSION


def _sandbox(options: argparse.Namespace) -> int:
    """Print the layers of this machine; return 0 when all are on."""
    from grader.programs import wall
    from grader.report.text import show
    from grader.sandbox.layers import ALWAYS, LAYERS, machine_layers
    from grader.sandbox.show import table

    found = machine_layers()
    show(table({**ALWAYS, **LAYERS}, found))
    print("\nA program in a terminal, and the compiler that builds it:\n")
    of_programs = wall.layers()
    show(table(wall.LAYERS, of_programs))
    return BELOW if any((*found.values(), *of_programs.values())) else GRADED


def _mark(options: argparse.Namespace) -> int:
    """Serve the page on which a class is marked."""
    from grader.marking import command

    if not options.mark:
        raise UserError("--anonymous goes with --mark")
    if len(options.paths) != 1:
        raise UserError("--mark takes the folder of a class that was graded: what --out named")
    refuse_beside(options, "--mark")
    return command.run(options.paths[0], anonymous=options.anonymous)


def _class(options: argparse.Namespace) -> int:
    """Grade a class."""
    from grader.classroom import command

    refuse_beside(options, "a class")
    return command.run(options, _settings(options))


def _grade(options: argparse.Namespace) -> int:
    """Grade one submission, write what was asked for, and return the exit code."""
    from grader.cli.one import exit_code, grade_one

    if options.pyodide:
        raise UserError("--pyodide goes with --pack site")

    if options.student and options.junitxml:
        raise UserError("--junitxml lists hidden cases, too: for students say '--write junit FILE'")
    _writable(options.json, options.junitxml, options.html)
    writing = _writing(options)
    if writing:
        writing.begin()
    path, settings = _only_path(options), _settings(options)
    if options.watch:
        from grader.cli.watching import watch  # who watches has time

        return watch(path, lambda tell: grade_one(path, options, settings, writing, tell))
    return exit_code(grade_one(path, options, settings, writing), options.fail_under)


def _writable(*files: Path | None) -> None:
    """Refuse, before any work is done, a file that is to be written to a folder that is not there."""
    for file in files:
        if file and not file.resolve().parent.is_dir():
            raise UserError("no such folder to write to", file=file)


def schema_text(name: str) -> str:
    """Return the JSON Schema of a rubric, a fixture, a grade, or a person's adjustments."""
    from grader.classroom.adjustments import Adjustment
    from grader.core.course.rubric import Rubric
    from grader.core.grade import Grade
    from grader.course import validation
    from grader.course.fixture import Fixture

    kinds = {"rubric": Rubric, "fixture": Fixture, "grade": Grade, "adjustments": tuple[Adjustment, ...]}
    return validation.schema_text(kinds[name])
