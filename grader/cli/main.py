"""The command: which job is meant, and its exit code."""

import argparse
import os
import select
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.cli.jobs import (
    JOBS,
    NO_JOB,
    called,
    class_is_meant,
    help_text,
    refuse_beside_class,
    whole_parser,
    without_job,
)
from grader.cli.old_spellings import announce, translated
from grader.core.errors import BELOW, GRADED, GraderError, UserError, nearest
from grader.core.text import printable_lines
from grader.course.courses import (
    DEFAULT_RUBRIC,
    DEFAULT_SUBMISSION,
    FOR_STUDENTS,
    fixtures_of,
    rubric_of,
    text_to_change,
    write_copy,
)
from grader.grading.session import Settings, check_configuration, load_course
from grader.places.material import left_out_told, material
from grader.places.names import PACKED_FOR, SITE, unknown
from grader.places.packers import PACKERS, pack, refuse, refuse_kind
from grader.places.site import site


def run(place: str, out: Path, settings: Settings, pyodide: Path | None) -> int:
    """Write a pack and print what is in it; a rubric by which nobody could be graded is refused."""
    if place not in PACKED_FOR:
        raise unknown(place, PACKED_FOR, "pack")
    if pyodide and place != SITE:
        raise UserError("--pyodide goes with a site")
    refuse(place, out)
    refuse_kind(place, load_course(settings).rubric)
    listed = check_configuration(settings)
    if place == SITE:
        files, left_out = site(load_course(settings), listed, pyodide), sum(one.hidden for one in listed)
    else:
        given = material(place, settings.rubric_file, settings.fixtures, listed)
        files, left_out = PACKERS[place](given), given.left_out
    names = pack(place, files, out)
    print(f"wrote {out}: {', '.join(name for name in names if '/fixtures/' not in name)}")
    if left_out:
        print(f"{left_out_told(left_out)}: students can read this pack")
    if place == SITE and not pyodide:
        print("Python is loaded from cdn.jsdelivr.net; with --pyodide DIR it is in the site.")
    if place == SITE:
        print(f"To look at it: python -m http.server -d {out}")
    print("README.md in it says what is left to do, in three steps.")
    return GRADED


if TYPE_CHECKING:
    from grader.cli.one import Writing


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] and words[0] not in JOBS and (new := translated(words)):
        announce(new)
        words = new
    options = argparse.Namespace(job=NO_JOB)
    try:
        options = options_of(words)
        return _run(options)
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


def options_of(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line, and under `job` the job that is named."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(whole_parser())
    if words and (job := JOBS.get(words[0])):
        parser = job.parser(words[0], shows_all="--help-all" in words)
        options = parser.parse_args(words[1:], argparse.Namespace(job=words[0]))
        if options.job == "write":
            options.paths, options.write = [options.file], [(options.place, options.out)]
        return options
    return without_job().parse_args(words, argparse.Namespace(job=NO_JOB))


def _nobody_reads() -> bool:
    """Return whether the reader of the output has gone: it has seen enough. No other pipe is meant."""
    outputs = select.poll()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            outputs.register(stream.fileno(), select.POLLOUT)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in outputs.poll(0))


def _run(options: argparse.Namespace) -> int:
    """Do a job and return its exit code."""
    if options.job == NO_JOB and (options.help or options.completion or options.paths == [Path("help")]):
        return _about(options)
    if options.job == NO_JOB and options.paths:
        _refuse_unknown_word(options.paths[0])
    elif options.job == NO_JOB and Path("tictactoe.py").is_file():
        print(f"note: this is the reference; to grade your file: {called()} tictactoe.py", file=sys.stderr)
    if FOR_STUDENTS:
        _refuse_for_students(options)
    if hasattr(options, "rubric"):
        _choose(options)
    if options.job == NO_JOB:
        return _class(options) if class_is_meant(options) else _grade(options)
    return _RUN[options.job](options)


def _about(options: argparse.Namespace) -> int:
    """Print the help, or a completion script."""
    if not options.completion:
        print(help_text(), end="")
        return GRADED
    from argcomplete.shell_integration import shellcode

    print(shellcode(["tictactoe-grader"], shell=options.completion))
    return GRADED


def _refuse_unknown_word(path: Path) -> None:
    """Raise UserError for a word that is no path and nearly the name of a job."""
    word = str(path)
    if word.isalpha() and not path.exists() and (near := nearest(word, JOBS)):
        raise UserError(f"there is no job and no file '{word}'; is the job {near} meant?")


def _refuse_for_students(options: argparse.Namespace) -> None:
    """Raise UserError for a job that needs what the grader for students lacks: a reference, courses."""
    if options.job in ("pack", "audit", "benchmark") or getattr(options, "task", "") in ("list", "init"):
        raise UserError("this grader is for students to read: it has no reference, no courses and no packs")
    paths = getattr(options, "paths", True)
    if hasattr(options, "rubric") and not (paths and options.rubric and options.fixtures):
        raise UserError(
            "this grader is for students to read and has no cases: name a submission, --rubric and --fixtures"
        )


def _tell_places(options: argparse.Namespace, error: Exception) -> None:
    """Write for every place that was asked for that there is no score, and why."""
    writing = _writing(options)
    if writing:
        writing.failed(error)


def _writing(options: argparse.Namespace) -> "Writing | None":
    """Return what writes for the places that were asked for, if any were."""
    if not getattr(options, "write", None):
        return None
    from grader.cli.one import Writing

    return Writing(options)


def _settings(options: argparse.Namespace) -> Settings:
    given = vars(options)
    return Settings(
        options.rubric,
        options.fixtures,
        given.get("junitxml"),
        recall=not given.get("no_recall"),
        time_first_move=bool(given.get("time_first_move")),
        build=given.get("build"),
        run=given.get("run"),
        patient=bool(given.get("patient")),
        rubric_named=options.named[0],
        fixtures_named=options.named[1],
    )


def _choose(options: argparse.Namespace) -> None:
    """Find the rubric and the cases that are meant."""
    if options.course and options.rubric:
        raise UserError("give --course or --rubric: a course has its own")
    if options.job == "course" and options.task == "check" and Path("rubric.yaml").is_file():
        options.rubric = options.rubric or Path("rubric.yaml")
    options.named = bool(options.course or options.rubric), bool(options.fixtures)
    options.rubric = rubric_of(options.course) if options.course else options.rubric or DEFAULT_RUBRIC
    options.fixtures = options.fixtures or fixtures_of(options.rubric)


def _course(options: argparse.Namespace) -> int:
    """List courses, or write, check or explain a rubric."""
    return {"list": _list, "init": _init, "check": _check, "schema": _schema}[options.task](options)


def _list(options: argparse.Namespace) -> int:
    """List the courses, a line each."""
    from grader.course.courses import all_courses

    print(*all_courses(), sep="\n")
    return GRADED


def _init(options: argparse.Namespace) -> int:
    """Write what an instructor may change, and say how to grade by it."""
    folder: Path = options.init
    text = text_to_change(options.rubric).replace("python run_grader.py", called())
    for file in write_copy(folder, text, options.fixtures):
        print(f"wrote {file}")
    print(
        "\nChange what you like, then check it and grade by it:\n"
        f"  {called()} course check {folder}\n"
        f"  {called()} tictactoe.py --rubric {folder}"
    )
    return GRADED


def _check(options: argparse.Namespace) -> int:
    """Load a rubric with its cases and tests, and print what it asks; raise UserError for its mistakes."""
    from grader.grading.session import check_configuration, load_course

    settings = _settings(options)
    rubric = load_course(settings).rubric
    cases = check_configuration(settings)
    hidden = sum(case.hidden for case in cases)
    print(
        f"{options.rubric}: no mistakes. {len(rubric.criteria)} criteria, {rubric.points:g} points, "
        f"{len(cases)} cases and tests, {hidden} of them hidden."
    )
    return GRADED


def _schema(options: argparse.Namespace) -> int:
    """Print a JSON Schema."""
    print(schema_text(options.schema), end="")
    return GRADED


def _pack(options: argparse.Namespace) -> int:
    """Write what a place needs in order to grade by a rubric, and say what is left to do."""
    pass

    return run(options.place, options.out, _settings(options), options.pyodide)


def _play(options: argparse.Namespace) -> int:
    """Let a person play against a submission."""
    from grader.course import rubric_files
    from grader.grading.session import open_client, read
    from grader.play.match import Opponent

    path, loaded = _only_path(options), rubric_files.load(options.rubric)
    with open_client(read(path, loaded), loaded, options.rubric) as client:
        failure = client.load_failure()
        if failure:
            raise UserError(f"cannot be played against: {failure.why}", file=path)
        if options.window:
            from grader.play.window import show

            show(Opponent(client), coach=options.coach)
        else:
            from grader.play.terminal import Table

            Table(Opponent(client), iter(sys.stdin), sys.stdout, options.coach).play()
    return GRADED


def _audit(options: argparse.Namespace) -> int:
    """Audit the fixtures with mutants of the reference, print what was found, and return the exit code."""
    from grader.audit import audit as report
    from grader.audit.audit import audit
    from grader.cli.one import progress
    from grader.report.wording import show

    with progress("grading", "mutants") as on_mutant:
        found = audit(_only_path(options), _settings(options), on_mutant)
    show(report.render(found))
    return GRADED if found.holds else BELOW


def _benchmark(options: argparse.Namespace) -> int:
    """Compare searches, print the table, draw the picture if asked for, and return the exit code."""
    from grader.benchmark import comparison as report
    from grader.benchmark.comparison import compare
    from grader.cli.one import progress
    from grader.core.files import write
    from grader.report.wording import show

    _writable(options.plot)
    if not sys.stderr.isatty():
        print("measuring searches: a minute or two", file=sys.stderr)
    with progress("measuring", "searches") as on_measured:
        found = compare(_only_path(options), on_measured)
    if options.plot:
        write(options.plot, report.picture(found))
    show(report.render(found))
    if options.plot:
        print(f"wrote {options.plot}", file=sys.stderr)
    return BELOW if found.notes else GRADED


def _only_path(options: argparse.Namespace) -> Path:
    """Return the one path that most jobs take."""
    if len(options.paths) > 1:
        raise UserError("this takes one path, not several")
    return options.paths[0] if options.paths else DEFAULT_SUBMISSION


def _sandbox(options: argparse.Namespace) -> int:
    """Print the layers of this machine; return 0 when all are on."""
    from grader.programs import wall
    from grader.report.wording import show
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
    from grader.cli.classes import run

    return run(options.folder, anonymous=options.anonymous)


def _class(options: argparse.Namespace) -> int:
    """Grade a class."""
    from grader.cli import classes

    refuse_beside_class(options)
    return classes.grade(options, _settings(options))


def _student(options: argparse.Namespace) -> int:
    """Show one student of a graded class."""
    from grader.cli import classes

    _writable(options.html)
    return classes.student(options.folder, options.name, options.html, hidden=options.all)


def _diff(options: argparse.Namespace) -> int:
    """Show what changed between two runs."""
    from grader.cli import classes

    return classes.diff(options.old, options.new, options.student)


def _grade(options: argparse.Namespace) -> int:
    """Grade one submission, write what was asked for, and return the exit code."""
    from grader.cli.one import exit_code, grade_one

    if options.student and options.junitxml:
        raise UserError("--junitxml lists hidden cases, too: for students say '--write junit FILE'")
    _writable(options.json, options.junitxml, options.html)
    writing = _writing(options)
    if writing:
        writing.begin()
    path, settings = _only_path(options), _settings(options)
    if options.job == "watch":
        from grader.cli.one import watch

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
    from grader.course.cases import Fixture

    kinds = {"rubric": Rubric, "fixture": Fixture, "grade": Grade, "adjustments": tuple[Adjustment, ...]}
    return validation.schema_text(kinds[name])


_RUN: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "grade": _grade,
    "watch": _grade,
    "play": _play,
    "class": _class,
    "student": _student,
    "diff": _diff,
    "mark": _mark,
    "course": _course,
    "pack": _pack,
    "audit": _audit,
    "write": _grade,
    "benchmark": _benchmark,
    "sandbox": _sandbox,
}
"""What does each job."""
