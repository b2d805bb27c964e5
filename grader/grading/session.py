"""One submission in, one grade out: by the plain loop, or by pytest where a course has tests of its own."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from grader.core.asking.client import Client
from grader.core.asking.packages import NONE, Packages
from grader.core.checks.imports import refuse_forbidden_imports
from grader.core.checks.judge import Checks
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course import submission
from grader.core.course.course import Course, Listed, listed
from grader.core.course.questions import Program as Question
from grader.core.course.rubric import Rubric, with_commands
from grader.core.course.submission import Submission, from_bytes
from grader.core.errors import UserError, together
from grader.core.grade import Grade
from grader.core.grading import Functions, Subject, grade_of
from grader.core.judging import Judging
from grader.course import loading
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from grader.grading.linter import Ruff
from grader.sandbox.layers import require_all
from grader.sandbox.process import Process


@dataclass(frozen=True)
class Settings:
    """What to grade by, and what else to write on the way."""

    rubric_file: Path = DEFAULT_RUBRIC
    fixtures: Path = DEFAULT_FIXTURES
    junitxml: Path | None = None
    recall: bool = True
    ahead: bool = True
    """Whether the copy with recall begins before it is waited for; in a class all cores are busy."""
    time_first_move: bool = False
    build: str | None = None
    run: str | None = None
    """How a program is built and run, if a person says so."""
    patient: bool = False
    """Whether a program has ten times its limits of time."""
    rubric_named: bool = True
    """Whether somebody has named the rubric: if not, a class is graded by that of its last run."""
    fixtures_named: bool = True


def read(path: Path, rubric: Rubric) -> Submission:
    """Return the submission that a path means: a file with functions, or a program with all its files."""
    if rubric.kind == "program":
        return submission.read_program(path)
    return submission.read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def open_client(found: Submission, rubric: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, rubric.limits, Process, met(rubric, rubric_file))
    if rubric.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, rubric)
    return client


def met(loaded: Rubric, rubric_file: Path) -> Packages:
    """Return the packages that submissions may import.

    Raises UserError for a module that cannot be had, GraderFault for a layer of the sandbox that is missing.
    """
    if loaded.sandbox == "required":
        require_all()
    if not loaded.imports.allowed or loaded.kind != "functions":
        return NONE
    from grader.sandbox.packages import Unusable  # only needed where modules are allowed
    from grader.sandbox.trial import tried

    allowed = loaded.imports.allowed
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
    raise together(
        [
            document.error(
                f"'imports.allowed' names {module}, {wrong[module]}", ("imports", "allowed", number)
            )
            for number, module in enumerate(allowed)
            if module in wrong
        ]
    )


_PATIENT: Final = 10


class Opened(NamedTuple):
    """A submission that can be judged, and what it is."""

    judging: Judging
    subject: Subject

    def close(self) -> None:
        """End all that runs of it."""
        self.judging.close()
        self.subject.close()


def opened(
    found: Submission, course: Course, settings: Settings, client: Client | None = None
) -> closing[Opened]:
    """Give a submission that can be judged, by a client that is at work already perhaps; it ends here."""
    return closing(open_submission(found, course, settings, client))


def open_submission(
    found: Submission, course: Course, settings: Settings, client: Client | None = None
) -> Opened:
    """Return a submission that can be judged: whoever asks for it closes it.

    Raises UserError or GraderFault for what a rubric demands of the machine in vain, before anything runs.
    """
    rubric = course.rubric
    if rubric.kind == "program":
        return _open_program(found, course, settings)
    if settings.build or settings.run or settings.patient:
        raise UserError("--build, --run and --patient go with a program: this rubric says 'kind: functions'")
    client = client or open_client(found, rubric, settings.rubric_file)
    stylist = Stylist(found.source, rubric.style, course.template, Ruff, found.helpers)
    judging = Judging(course, client, Sweeper(client, settings.recall), stylist, ahead=settings.ahead)
    return Opened(judging, Functions(time_first_move=settings.time_first_move))


def _open_program(found: Submission, course: Course, settings: Settings) -> Opened:
    from grader.programs.check import check_program  # these bring a terminal along
    from grader.programs.languages import main_source
    from grader.programs.program import Program
    from grader.programs.subject import Played

    rubric = with_commands(course.rubric, settings.build, settings.run)
    client = open_client(found, rubric, settings.rubric_file)
    name, source = main_source(found, rubric.program)
    stylist = Stylist(source if name.endswith(".py") else b"", rubric.style, course.template, Ruff)
    limits = rubric.limits.times(_PATIENT) if settings.patient else rubric.limits
    program = Program(found.folder or (), limits, rubric.program)
    checks: Checks = {Question: lambda question, context: check_program(question, program)}
    return Opened(Judging(course, client, Sweeper(client), stylist, checks, ahead=False), Played(program))


def grade_submission(path: Path, settings: Settings) -> Grade:
    """Return the grade of the submission that a path means.

    Raises UserError for a bad path, rubric or fixture, before anything of the submission has run.
    """
    course = load_course(settings)
    return grade_found(read(path, course.rubric), course, settings)


def grade_found(found: Submission, course: Course, settings: Settings) -> Grade:
    """Return the grade of a submission by a course."""
    with opened(found, course, settings) as one:
        return graded(one, settings)


def load_course(settings: Settings) -> Course:
    """Return the course that settings name."""
    return loading.load(settings.rubric_file, settings.fixtures)


def set_to_work(one: Opened, settings: Settings) -> None:
    """Let a submission be at work from now on, beside whatever else is done before it is judged."""
    if not _needs_pytest(one, settings):
        one.judging.expect(one.judging.course.cases)
        one.judging.begin()


def _needs_pytest(one: Opened, settings: Settings) -> bool:
    return one.judging.course.has_tests or settings.junitxml is not None


def graded(one: Opened, settings: Settings) -> Grade:
    """Judge all cases and return the grade; raise NotGradable for a program that cannot be graded here."""
    judging, subject = one
    subject.prepare()
    if _needs_pytest(one, settings):
        from grader.grading.pytest_runner import (
            judge_with_pytest,  # only who has tests of their own needs pytest
        )

        judge_with_pytest(judging, settings)
    else:
        judging.judge_all()
    return grade_of(judging, subject)


def check_configuration(settings: Settings) -> tuple[Listed, ...]:
    """Return all that is asked; raise UserError for a rubric or fixtures by which nobody could be graded."""
    course = load_course(settings)
    nobody = from_bytes("nobody", b"", 0, course.rubric.limits.source_kb)
    with opened(nobody, course, settings) as one:  # what the rubric demands of the machine is tried, too
        if not course.has_tests:
            return tuple(map(listed, course.cases))
        from grader.grading.pytest_runner import collected

        return collected(one.judging, settings)
