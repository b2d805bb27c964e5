"""Grade one submission: find it, open it in its sandbox, judge it, return its grade.

It is judged by a plain loop, or by pytest where a course has tests of its own. What a rubric demands of the
machine is checked before the submission runs.
"""

import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from grader.core import system
from grader.core.asking.client import Client
from grader.core.asking.worker import NONE, Opens, Packages
from grader.core.checks.source import refuse_forbidden_imports
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course import submission
from grader.core.course.course import Course, Listed, ProgramQuestion, listed
from grader.core.course.rubric import Limits, Rubric, with_commands
from grader.core.course.submission import Submission
from grader.core.errors import GraderFault, UserError, together
from grader.core.grade import Boundary, Grade
from grader.core.grading import Subject, grade_of
from grader.core.judging import Checks, Judging
from grader.core.messages import _, in_language
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from grader.grading.linter import ruff
from grader.sandbox.layers import lacks_layers, require_all
from grader.sandbox.process import Process


@dataclass(frozen=True)
class Settings:
    """What to grade by."""

    rubric_file: Path = DEFAULT_RUBRIC
    fixtures: Path = DEFAULT_FIXTURES
    recall: bool = True
    time_first_move: bool = False
    build: str | None = None
    run: str | None = None
    """How a program is built and run; None: what the rubric says, or what is found."""
    patient: bool = False
    """Whether a program has ten times its limits of time."""
    rubric_named: bool = True
    """Whether the rubric was named: if not, a class is graded by that of its last run."""
    fixtures_named: bool = True
    sandbox_kind: str | None = None
    """What confines submissions; None: what the rubric says."""
    language: str | None = None
    """The language of grades; None: the rubric's."""


def load_course(settings: Settings) -> Course:
    """Return the course that settings name, with the fields that they set otherwise."""
    from grader.course import loading  # the command's options need no course yet

    course = loading.load(settings.rubric_file, settings.fixtures)
    chosen: dict[str, Any] = {"sandbox_kind": settings.sandbox_kind, "language": settings.language}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    return replace(course, rubric=replace(course.rubric, **chosen)) if chosen else course


def read(path: Path, rubric: Rubric) -> Submission:
    """Return the submission that a path means: a file with functions, or a program with all its files."""
    if rubric.kind == "program":
        return submission.read_program(path)
    return submission.read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def open_client(found: Submission, rubric: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    packages = allowed_packages(rubric, rubric_file)
    boundary = boundary_of(rubric, rubric_file)
    client = Client(found, rubric.limits, carrier(boundary.kind), packages)
    client.boundary = boundary
    if rubric.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, rubric)
    return client


def kind_of(rubric: Rubric, rubric_file: Path) -> str:
    """Return the kind of sandbox to use on this machine: native or wasm.

    Raises UserError where WebAssembly is asked for and cannot be had.
    """
    why = ""
    if rubric.kind != "functions":
        why = _("a program in a terminal is not run in WebAssembly")
    elif rubric.imports.allowed:
        allowed = ", ".join(rubric.imports.allowed)
        why = _("'imports.allowed' names {modules}, which cannot be had in WebAssembly", modules=allowed)
    is_demanded = rubric.sandbox_kind == "wasm"
    if rubric.sandbox_kind == "native" or (not is_demanded and (why or not lacks_layers())):
        return "native"
    from grader.sandbox import component  # takes a while, and only some machines need it

    why = why or component.missing()
    if why and is_demanded:
        raise UserError(_("'sandbox_kind: wasm' is not possible: {why}", why=why), file=rubric_file)
    return "native" if why else "wasm"


def boundary_of(rubric: Rubric, rubric_file: Path) -> Boundary:
    """Return the sandbox to use on this machine; WebAssembly is prepared if that has not been done.

    Where it cannot be prepared, `auto` is native, with the reason, unless the rubric demands a boundary.
    Raises UserError or GraderFault where nothing is left.
    """
    python, no_wasm = "{}.{}.{}".format(*sys.version_info), ""
    if kind_of(rubric, rubric_file) == "wasm":
        found = _in_wasm()
        if isinstance(found, Boundary):
            return found
        if rubric.sandbox_kind == "wasm" or rubric.sandbox == "required" or system.lacks_workers():
            raise found
        no_wasm = " ".join(str(found).split())
    return Boundary(kind="native", python=python, no_wasm=no_wasm)


@cache
def _in_wasm() -> Boundary | UserError | GraderFault:
    """Return WebAssembly as a boundary, or why it cannot be prepared: a process tries that once."""
    try:
        from grader.sandbox.wasm import ready  # wasmtime is there only where it is needed

        found = ready()
    except (UserError, GraderFault) as error:
        return error
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        return GraderFault(_("the WebAssembly sandbox cannot be prepared: {error}", error=error))
    return Boundary(kind="wasm", python=found.python, component=found.digest[:16])


def carrier(kind: str = "native") -> Opens:
    """Return the class that starts workers, `Process` or `Wasm`; raise GraderFault if there is neither."""
    if kind == "wasm":
        from grader.sandbox.wasm import Wasm  # wasmtime is there only where it is needed

        return Wasm
    if missing := system.lacks_workers():
        message = _(
            "no submission can be run on this system without WebAssembly (it lacks {missing}). "
            "Nobody was graded: {command}",
            missing=", ".join(missing),
            command="pip install 'tictactoe-grader[wasm]'",
        )
        raise GraderFault(message)
    return Process


def allowed_packages(rubric: Rubric, rubric_file: Path) -> Packages:
    """Return the packages that submissions may import.

    Raises UserError for a module that cannot be had, GraderFault for a layer of the sandbox that is missing.
    """
    if rubric.sandbox == "required" and kind_of(rubric, rubric_file) == "native":
        require_all()
    allowed = rubric.imports.allowed
    if not allowed or rubric.kind != "functions":
        return NONE
    from grader.sandbox.packages import Unusable, tried

    try:
        return tried(allowed)
    except Unusable as error:
        wrong = {error.module: error.why}
    for module in allowed:
        try:
            tried((module,))
        except Unusable as error:
            wrong[module] = error.why
    from grader.course import rubric_files  # takes a while, and is needed for these sentences alone

    document = rubric_files.load_extended(rubric_file)
    places = {module: ("imports", "allowed", number) for number, module in enumerate(allowed)}
    raise together([document.error(wrong[module], places[module]) for module in allowed if module in wrong])


_PATIENT: Final = 10


class Opened(NamedTuple):
    """A submission that can be judged, and what it is."""

    judging: Judging
    subject: Subject

    def close(self) -> None:
        """End all that runs of it."""
        self.judging.close()
        self.subject.close()


def opened(found: Submission, course: Course, settings: Settings) -> closing[Opened]:
    """Return a context manager for a submission that can be judged; it closes the submission."""
    return closing(open_submission(found, course, settings))


def open_submission(found: Submission, course: Course, settings: Settings) -> Opened:
    """Return a submission that can be judged; the caller closes it.

    Raises UserError or GraderFault, before anything runs, if the machine lacks what the rubric demands.
    """
    rubric, template = course.rubric, course.template
    if rubric.kind != "program":
        if settings.build or settings.run or settings.patient:
            raise UserError(
                _("--build, --run and --patient go with a program: this rubric says 'kind: functions'")
            )
        client = open_client(found, rubric, settings.rubric_file)
        stylist = Stylist(found.source, rubric.style, template, ruff, found.helpers)
        judging = Judging(course, client, Sweeper(client, settings.recall), stylist)
        return Opened(judging, Subject(time_first_move=settings.time_first_move))
    require_linux()
    from grader.programs.check import Played, check_program  # these bring a terminal along
    from grader.programs.program import Program
    from grader.programs.recipes import main_source

    rubric = with_commands(rubric, settings.build, settings.run)
    client = open_client(found, rubric, settings.rubric_file)
    name, source = main_source(found, rubric.program)
    stylist = Stylist(source if name.endswith(".py") else b"", rubric.style, template, ruff)
    program = Program(found.folder or (), limits_of(rubric, settings), rubric.program)
    checks: Checks = {ProgramQuestion: lambda question, context: check_program(question, program)}
    return Opened(Judging(course, client, Sweeper(client), stylist, checks), Played(program))


def limits_of(rubric: Rubric, settings: Settings) -> Limits:
    """Return what a submission may take."""
    return rubric.limits.times(_PATIENT) if settings.patient else rubric.limits


def require_linux() -> None:
    """Raise GraderFault where terminal programs cannot be run."""
    if not system.IS_LINUX:
        message = _(
            "terminal programs ('kind: program') are confined and run by Linux alone. Nobody was graded: "
            "on Windows run the grader in WSL2, elsewhere in a container (docs/platforms.md)"
        )
        raise GraderFault(message)


def grade_found(found: Submission, course: Course, settings: Settings) -> Grade:
    """Return the grade of a submission by a course."""
    with in_language(course.rubric.language), opened(found, course, settings) as submission:
        return graded(submission, settings)


def graded(opened: Opened, settings: Settings) -> Grade:
    """Judge all cases and return the grade; raise NotGradable for a program that cannot be graded here."""
    judging, subject = opened
    subject.prepare()
    if judging.course.has_tests:
        from grader.grading.plugin import judge_with_pytest

        judge_with_pytest(judging, settings)
    else:
        judging.judge_all()
    return grade_of(judging, subject)


def check_configuration(settings: Settings) -> tuple[Listed, ...]:
    """Return all cases and tests; raise UserError for a rubric or fixtures that cannot be used."""
    course = load_course(settings)
    empty = submission.from_bytes("nobody", b"", 0, course.rubric.limits.source_kb)
    with opened(empty, course, settings) as found:  # what the rubric demands of the machine is tried, too
        if not course.has_tests:
            return tuple(map(listed, course.cases))
        from grader.grading.plugin import collected

        return collected(found.judging, settings)
