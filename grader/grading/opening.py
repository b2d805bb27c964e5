"""A submission opened for judging: its client across the wall, the linter; a program, if it is one."""

from contextlib import closing
from typing import Final, NamedTuple

from grader.core import system
from grader.core.asking.client import Client
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import Course
from grader.core.course.questions import ProgramQuestion as Question
from grader.core.course.rubric import Limits, Rubric, with_commands
from grader.core.course.submission import Submission
from grader.core.errors import GraderFault, UserError
from grader.core.grading import Functions, Subject
from grader.core.judging import Checks, Judging
from grader.core.messages import _
from grader.grading.asking import open_client
from grader.grading.linter import Ruff
from grader.grading.settings import Settings

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
        raise UserError(
            _("--build, --run and --patient go with a program: this rubric says 'kind: functions'")
        )
    client = client or open_client(found, rubric, settings.rubric_file)
    stylist = Stylist(found.source, rubric.style, course.template, Ruff, found.helpers)
    judging = Judging(course, client, Sweeper(client, settings.recall), stylist, ahead=settings.ahead)
    return Opened(judging, Functions(time_first_move=settings.time_first_move))


def limits_of(rubric: Rubric, settings: Settings) -> Limits:
    """Return what a submission may take."""
    return rubric.limits.times(_PATIENT) if settings.patient else rubric.limits


def require_linux() -> None:
    """Raise GraderFault where terminal programs cannot be run."""
    if not system.IS_LINUX:
        raise GraderFault(
            _(
                "terminal programs ('kind: program') are confined and run by Linux alone. Nobody was graded: "
                "on Windows run the grader in WSL2, elsewhere in a container (docs/platforms.md)"
            )
        )


def _open_program(found: Submission, course: Course, settings: Settings) -> Opened:
    require_linux()
    from grader.programs.check import check_program  # these bring a terminal along
    from grader.programs.languages import main_source
    from grader.programs.program import Program
    from grader.programs.subject import Played

    rubric = with_commands(course.rubric, settings.build, settings.run)
    client = open_client(found, rubric, settings.rubric_file)
    name, source = main_source(found, rubric.program)
    stylist = Stylist(source if name.endswith(".py") else b"", rubric.style, course.template, Ruff)
    limits = limits_of(rubric, settings)
    program = Program(found.folder or (), limits, rubric.program)
    checks: Checks = {Question: lambda question, context: check_program(question, program)}
    return Opened(Judging(course, client, Sweeper(client), stylist, checks, ahead=False), Played(program))
