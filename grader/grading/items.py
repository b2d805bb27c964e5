"""A fixture file as pytest items: a case each, judged when it runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from grader.core.course.course import Course, Listed
from grader.core.course.questions import Case
from grader.core.errors import GraderError
from grader.core.grade import Status, Verdict
from grader.core.judging import Judging
from grader.course import cases, loading, rubric
from grader.grading.asking import read
from grader.grading.opening import open_submission
from grader.grading.settings import Settings
from grader.report.text import failure_text


@dataclass(eq=False)
class Run:
    """What one run of pytest judges with."""

    judging: Judging
    rubric_file: Path
    embedded: bool = False
    """Whether somebody else asked for the run, and closes what is open."""
    error: GraderError | None = None
    listed: tuple[Listed, ...] = ()
    """Everything that is asked, the instructor's own tests too."""


RUN: Final = pytest.StashKey[Run]()
VERDICT: Final = pytest.StashKey[Verdict]()


def run_of(config: pytest.Config) -> Run:
    """Return the run, made from the command line when nobody has prepared one.

    Raises UserError for a bad rubric or submission, GraderFault for a machine that is not as it demands.
    """
    if RUN not in config.stash:
        file = config.getoption("--rubric")
        loaded = rubric.load(file)
        course = Course(loaded, (), loading.template(file, loaded))
        found = read(config.getoption("--submission"), loaded)
        settings = Settings(file, recall=not config.getoption("--no-recall"))
        config.stash[RUN] = Run(open_submission(found, course, settings).judging, file)
    return config.stash[RUN]


class FixtureFile(pytest.File):
    """A YAML file of cases."""

    def collect(self) -> "Iterable[CaseItem]":
        """Return an item for each case; a mistake in the file is a collection error with its line."""
        try:
            loaded = cases.load(self.path, run_of(self.config).judging.course.rubric)
        except GraderError as error:
            raise self.CollectError(str(error)) from None
        for case in loaded:
            yield CaseItem.from_parent(self, name=case.question.id, case=case)


class CaseNotPassed(Exception):
    """A case did not pass; its verdict says why."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.reason)


class CaseItem(pytest.Item):
    """One case of a fixture."""

    def __init__(self, *, case: Case, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.case = case
        if any(map(self.config.pluginmanager.has_plugin, ("timeout", "pytest_timeout"))):
            limits = run_of(self.config).judging.course.rubric.limits
            backstop = 10 * (limits.total + limits.load) + 300  # of the wall's clock: a machine may be busy
            self.add_marker(pytest.mark.timeout(backstop))

    def runtest(self) -> None:
        """Judge the case."""
        judging = run_of(self.config).judging
        verdict = self.stash[VERDICT] = judging.verdict_on(self.case)
        if verdict.status is Status.SKIPPED:
            pytest.skip(verdict.reason)
        if verdict.status is Status.FAILED and judging.course.rubric.is_bonus(self.case.criterion):
            pytest.xfail(verdict.reason)  # nobody has to earn a bonus
        if verdict.status is not Status.PASSED:
            raise CaseNotPassed(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the failure in the game's words; only a fault of the grader has a traceback."""
        if isinstance(excinfo.value, CaseNotPassed):
            return failure_text(excinfo.value.verdict)
        if isinstance(excinfo.value, pytest.xfail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the case is written."""
        return self.path, self.case.line - 1, self.name


def quiet_report(item: pytest.Item, when: Literal["setup", "teardown"]) -> pytest.TestReport:
    """Return the report on a phase in which nothing happens."""
    return pytest.TestReport(
        item.nodeid, item.location, {}, "passed", None, when, user_properties=item.user_properties
    )
