"""A fixture file as pytest items: a case each, judged when it runs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from grader.core.checks.judge import judge
from grader.core.course import submission
from grader.core.course import template as given
from grader.core.course.questions import Case
from grader.core.errors import GraderError
from grader.core.grade import Status, Verdict
from grader.course import cases, rubric
from grader.grading.begin import begin_with
from grader.grading.grading import Grading, new_grading
from grader.report.text import failure_text

GRADING: Final = pytest.StashKey[Grading]()
VERDICT: Final = pytest.StashKey[Verdict]()


def grading_of(config: pytest.Config) -> Grading:
    """Return the run's grading, made from the command line when no session has prepared one.

    Raises UserError for a bad rubric or submission, GraderFault for a machine that is not as it demands.
    """
    if GRADING not in config.stash:
        file = config.getoption("--rubric")
        loaded = rubric.load(file)
        path, most = config.getoption("--submission"), loaded.limits.source_kb
        found = submission.read_as(loaded.kind, path, most, notebooks=loaded.notebooks)
        templates, recall = given.load(file, loaded), not config.getoption("--no-recall")
        config.stash[GRADING] = new_grading(file, begin_with(found, loaded, file, recall=recall), templates)
    return config.stash[GRADING]


class FixtureFile(pytest.File):
    """A YAML file of cases."""

    def collect(self) -> "Iterable[CaseItem]":
        """Return an item for each case; a mistake in the file is a collection error with its line."""
        try:
            loaded = cases.load(self.path, grading_of(self.config).rubric)
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
            limits = grading_of(self.config).rubric.limits
            backstop = 10 * (limits.total + limits.load) + 300  # of the wall's clock: a machine may be busy
            self.add_marker(pytest.mark.timeout(backstop))

    def runtest(self) -> None:
        """Judge the case."""
        grading = grading_of(self.config)
        context = grading.context(self.case.criterion, self.case.question.weight)
        verdict = self.stash[VERDICT] = judge(self.case, context)
        if verdict.status is Status.SKIPPED:
            pytest.skip(verdict.reason)
        if verdict.status is Status.FAILED and grading.rubric.is_bonus(self.case.criterion):
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
