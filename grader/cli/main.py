"""The command: which job is meant, and its exit code."""

import argparse
import errno
import os
import select
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from itertools import pairwise
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
from grader.core.course.rubric import Rubric, with_commands
from grader.core.errors import BELOW, GRADED, GraderError, UserError, nearest
from grader.core.messages import _, available, in_language, of_locale
from grader.core.values import printable_lines
from grader.course.courses import (
    DEFAULT_RUBRIC,
    DEFAULT_SUBMISSION,
    FOR_STUDENTS,
    all_courses,
    fixtures_of,
    rubric_of,
    text_to_change,
    write_copy,
)
from grader.grading.session import Settings

if TYPE_CHECKING:
    from grader.cli.class_jobs import Writing

_LANGUAGE: Final = "--language"

_NO_READER: Final = (errno.EPIPE, errno.EINVAL)
"""What a system says of an output that nobody reads; the latter is Windows' word."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    with in_language(_language(words)):
        return _in_its_language(words)


def _language(words: Sequence[str]) -> str:
    """Return the language of the command itself: what --language says, else what the environment does."""
    after = [pair[1] for pair in pairwise(words) if pair[0] == _LANGUAGE]
    joined = [word.removeprefix(f"{_LANGUAGE}=") for word in words if word.startswith(f"{_LANGUAGE}=")]
    known = [code for code in (*after, *joined) if code in available()]
    return known[-1] if known else of_locale(os.environ)


def _in_its_language(words: Sequence[str]) -> int:
    """Run the command in the active language and return its exit code."""
    options = argparse.Namespace(job=NO_JOB)
    try:
        options = options_of(words)
        return _run(options)
    except KeyboardInterrupt:
        print(_("interrupted"), file=sys.stderr)
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_READER and _output_is_closed(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return GRADED
        if writing := _writing(options):
            writing.failed(error)
        if not isinstance(error, GraderError):
            raise
        print(_("error: {what}", what=printable_lines(str(error))), file=sys.stderr)
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


def _output_is_closed(error: OSError) -> bool:
    """Return whether the reader of the output has gone: it has seen enough. No other pipe is meant."""
    if not hasattr(select, "poll"):
        return error.filename is None
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
        word = str(options.paths[0])
        if word.isalpha() and not Path(word).exists() and (near := nearest(word, JOBS)):
            raise UserError(
                _("there is no job and no file '{word}'; is the job {near} meant?", word=word, near=near)
            )
    elif options.job == NO_JOB and Path("tictactoe.py").is_file():
        command = f"{called()} tictactoe.py"
        note = _("note: this is the reference; to grade your file: {command}", command=command)
        print(note, file=sys.stderr)
    if FOR_STUDENTS:
        _refuse_for_students(options)
    if hasattr(options, "rubric"):
        _choose_course(options)
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


def _refuse_for_students(options: argparse.Namespace) -> None:
    """Raise UserError for a job that needs what the grader for students lacks: a reference, courses."""
    if options.job in ("pack", "audit", "benchmark") or getattr(options, "task", "") in ("list", "init"):
        raise UserError(
            _("this grader is for students to read: it has no reference, no courses and no packs")
        )
    paths = getattr(options, "paths", True)
    if hasattr(options, "rubric") and not (paths and options.rubric and options.fixtures):
        raise UserError(
            _(
                "this grader is for students to read and has no cases: name a submission, --rubric "
                "and --fixtures"
            )
        )


def _writing(options: argparse.Namespace) -> "Writing | None":
    """Return what writes for the places that were asked for, if any were."""
    if not getattr(options, "write", None):
        return None
    from grader.cli.class_jobs import Writing

    return Writing(options)


def _settings(options: argparse.Namespace) -> Settings:
    given = vars(options)
    return Settings(
        options.rubric,
        options.fixtures,
        recall=not given.get("no_recall"),
        time_first_move=bool(given.get("time_first_move")),
        build=given.get("build"),
        run=given.get("run"),
        patient=bool(given.get("patient")),
        rubric_named=options.named[0],
        fixtures_named=options.named[1],
        sandbox_kind=given.get("sandbox_kind"),
        language=given.get("language"),
    )


def _choose_course(options: argparse.Namespace) -> None:
    """Find the rubric and the cases that are meant."""
    if options.course and options.rubric:
        raise UserError(_("give --course or --rubric: a course has its own"))
    if options.job == "course" and options.task == "check" and Path("rubric.yaml").is_file():
        options.rubric = options.rubric or Path("rubric.yaml")
    options.named = bool(options.course or options.rubric), bool(options.fixtures)
    options.rubric = rubric_of(options.course) if options.course else options.rubric or DEFAULT_RUBRIC
    options.fixtures = options.fixtures or fixtures_of(options.rubric)


def _course(options: argparse.Namespace) -> int:
    """List courses, print a JSON Schema, or write or check a rubric."""
    if options.task == "list":
        print(*all_courses(), sep="\n")
    elif options.task == "schema":
        print(schema_text(options.schema), end="")
    elif options.task == "init":
        text = text_to_change(options.rubric).replace("python run_grader.py", called())
        for file in write_copy(options.init, text, options.fixtures):
            print(_("wrote {files}", files=file))
        print("\n" + _("Change what you like, then check it and grade by it:"))
        command = f"{called()} tictactoe.py --rubric {options.init}"
        print(f"  {called()} course check {options.init}\n  {command}")
    else:
        _check(options)
    return GRADED


def _check(options: argparse.Namespace) -> None:
    """Load a rubric with its cases and tests, and print what it asks; raise UserError for its mistakes."""
    from grader.grading.session import check_configuration, load_course

    settings = _settings(options)
    rubric, cases = load_course(settings).rubric, check_configuration(settings)
    print(
        _(
            "{file}: no mistakes. {criteria} criteria, {points:g} points, {cases} cases and tests, {hidden} "
            "of them hidden.",
            file=options.rubric,
            criteria=len(rubric.criteria),
            points=rubric.points,
            cases=len(cases),
            hidden=sum(case.hidden for case in cases),
        )
    )


def _play(options: argparse.Namespace) -> int:
    """Let a person play against a submission."""
    from grader.course import rubric_files
    from grader.grading.session import open_client, read
    from grader.play.match import Opponent, Table

    path, loaded = _only_path(options), rubric_files.load(options.rubric)
    if loaded.kind == "program":
        return _play_program(path, with_commands(loaded, options.build, options.run), options)
    with open_client(read(path, loaded), loaded, options.rubric) as client:
        if failure := client.load_failure():
            raise UserError(_("cannot be played against: {why}", why=failure.why), file=path)
        if options.window:
            from grader.play.window import show

            show(Opponent(client), coach=options.coach)
        else:
            Table(Opponent(client), iter(sys.stdin), sys.stdout, options.coach).play()
    return GRADED


def _play_program(path: Path, rubric: Rubric, options: argparse.Namespace) -> int:
    """Let a person play against a terminal program."""
    from grader.grading.session import read, require_linux
    from grader.play.match import Table

    if options.window:
        raise UserError(_("a terminal program is played in the terminal: leave out --window"))
    require_linux()
    from grader.play.program_opponent import ProgramOpponent
    from grader.programs.program import Program

    found = read(path, rubric)
    if found.problem:
        raise UserError(_("cannot be played against: {problem}", problem=found.problem), file=path)
    with closing(Program(found.folder or (), rubric.limits, rubric.program)) as program:
        if sys.stderr.isatty():
            print(_("Building the program, and finding out how it is played ..."), file=sys.stderr)
        with closing(ProgramOpponent(found.name, program, rubric.limits)) as opponent:
            Table(opponent, iter(sys.stdin), sys.stdout, options.coach).play()
    return GRADED


def _audit(options: argparse.Namespace) -> int:
    """Audit the fixtures with mutants of the reference, print what was found, and return the exit code."""
    from grader.audit import audit, render
    from grader.cli.grade_job import progress
    from grader.report.wording import show

    with progress("grading", "mutants") as on_mutant:
        found = audit(_only_path(options), _settings(options), on_mutant)
    show(render(found))
    return GRADED if found.holds else BELOW


def _benchmark(options: argparse.Namespace) -> int:
    """Compare searches, print the table, draw the picture if asked for, and return the exit code."""
    from grader.benchmark import compare, picture, render
    from grader.cli.grade_job import progress
    from grader.core.system import write
    from grader.report.wording import show

    _writable(options.plot)
    if not sys.stderr.isatty():
        print("measuring searches: a minute or two", file=sys.stderr)
    with progress("measuring", "searches") as on_measured:
        found = compare(_only_path(options), on_measured)
    if options.plot:
        write(options.plot, picture(found))
    show(render(found))
    if options.plot:
        print(_("wrote {files}", files=options.plot), file=sys.stderr)
    return BELOW if found.notes else GRADED


def _only_path(options: argparse.Namespace) -> Path:
    """Return the one path that most jobs take."""
    if len(options.paths) > 1:
        raise UserError(_("this takes one path, not several"))
    return options.paths[0] if options.paths else DEFAULT_SUBMISSION


def _sandbox(options: argparse.Namespace) -> int:
    """Print the layers of this machine; return 0 when all are on. Or prepare WebAssembly for all users."""
    from grader.core import system
    from grader.grading.session import carrier
    from grader.report.wording import show
    from grader.sandbox import component
    from grader.sandbox.layers import ALWAYS, LAYERS, machine_layers, table

    why = component.missing()
    if options.prepare and why:
        raise UserError(_("the WebAssembly sandbox cannot be used: {why}", why=why))
    if options.prepare and not system.IS_LINUX:
        raise UserError(
            _("--prepare is for images of containers; on this system the first grade prepares it")
        )
    if options.prepare:
        from grader.sandbox.wasm import prepare_for_all

        show(_("WebAssembly is prepared for all users: {place}", place=prepare_for_all()))
        return GRADED
    has_workers = not system.lacks_workers()
    if why and not has_workers:
        carrier()  # says what to install
    found = machine_layers() if has_workers else {}
    if found:
        show(table({**ALWAYS, **LAYERS}, found))
    unusable = _("WebAssembly, for files with functions where a layer is off: {why}.", why=why)
    usable = _("WebAssembly, for files with functions where a layer is off: can be used.")
    print(f"\n{unusable if why else usable}")
    if not system.IS_LINUX:
        print("\n" + _("Programs in a terminal run on Linux alone."))
        return BELOW
    from grader.programs import wall

    print("\n" + _("A program in a terminal, and the compiler that builds it:") + "\n")
    of_programs = wall.layers()
    show(table(wall.LAYERS, of_programs))
    return BELOW if any((*found.values(), *of_programs.values())) else GRADED


def _class(options: argparse.Namespace) -> int:
    """Grade a class, mark it, show one student of it, or compare two runs; or write a pack for a place."""
    from grader.cli import class_jobs

    if options.job == "mark":
        return class_jobs.mark(options.folder, anonymous=options.anonymous)
    if options.job == "student":
        _writable(options.html)
        return class_jobs.student(options.folder, options.name, options.html, hidden=options.all)
    if options.job == "diff":
        return class_jobs.diff(options.old, options.new, options.student)
    if options.job == "pack":
        return class_jobs.run(options.place, options.out, _settings(options), options.pyodide)
    refuse_beside_class(options)
    return class_jobs.grade(options, _settings(options))


def _grade(options: argparse.Namespace) -> int:
    """Grade one submission, write what was asked for, and return the exit code."""
    from grader.cli.grade_job import exit_code, grade_one, watch

    if options.student and options.junitxml:
        raise UserError(_("--junitxml lists hidden cases, too: for students say '--write junit FILE'"))
    _writable(options.json, options.junitxml, options.html)
    writing = _writing(options)
    if writing:
        writing.begin()
    path, settings = _only_path(options), _settings(options)
    if options.job == "watch":
        return watch(path, lambda tell: grade_one(path, options, settings, writing, tell))
    return exit_code(grade_one(path, options, settings, writing), options.fail_under)


def _writable(*files: Path | None) -> None:
    """Refuse, before any work is done, a file that is to be written to a folder that is not there."""
    for file in files:
        if file and not file.resolve().parent.is_dir():
            raise UserError(_("no such folder to write to"), file=file)


def schema_text(name: str) -> str:
    """Return the JSON Schema of a rubric, a fixture, a grade, or a person's adjustments."""
    from grader.classroom.adjustments import Adjustment
    from grader.core.course.rubric import Rubric
    from grader.core.grade import Grade
    from grader.course import strict_yaml
    from grader.course.cases import Fixture

    kinds = {"rubric": Rubric, "fixture": Fixture, "grade": Grade, "adjustments": tuple[Adjustment, ...]}
    return strict_yaml.schema_text(kinds[name])


_RUN: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "grade": _grade,
    "watch": _grade,
    "play": _play,
    "class": _class,
    "student": _class,
    "diff": _class,
    "mark": _class,
    "course": _course,
    "pack": _class,
    "audit": _audit,
    "write": _grade,
    "benchmark": _benchmark,
    "sandbox": _sandbox,
}
"""What does each job."""
