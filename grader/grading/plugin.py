"""The pytest plugin: a fixture file becomes items, and an item's outcome becomes a verdict.

`pytest fixtures --submission FILE` grades in the ordinary pytest way; a session uses the same path.
"""

import math
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from grader.core.course.course import Listed
from grader.core.errors import GraderError, UserError, together
from grader.core.grade import Status, Verdict, unjudged
from grader.core.text import printable_lines
from grader.course.files import is_fixture
from grader.course.loading import incomplete
from grader.course.own_tests import MARK, wrong_arguments
from grader.course.shipped import DEFAULT_RUBRIC, DEFAULT_SUBMISSION
from grader.grading.handle import Handle, NoAnswer
from grader.grading.items import RUN, VERDICT, CaseItem, FixtureFile, Run, quiet_report, run_of

_VISIBILITIES: Final = ("public", "hidden")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the grader's options."""
    group = parser.getgroup("tictactoe grader")
    group.addoption("--submission", type=Path, default=DEFAULT_SUBMISSION, help="the file or folder to grade")
    group.addoption("--rubric", type=Path, default=DEFAULT_RUBRIC, help="what is worth how much")
    group.addoption("--no-recall", action="store_true", help="ask minimax about every board without recall")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and take over the grading that a session has prepared."""
    config.addinivalue_line(
        "markers", "criterion(id, weight=1, visibility='public'): the criterion that a test is scored under"
    )
    config.addinivalue_line(
        "markers", "fresh: each call of minimax is made anew; a test without it gets the replies of the sweep"
    )
    for plugin in config.pluginmanager.get_plugins():
        if isinstance(plugin, Run):
            config.stash[RUN] = plugin


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the worker, unless whoever prepared the grading still needs it."""
    if RUN in config.stash and not config.stash[RUN].embedded:
        config.stash[RUN].judging.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "FixtureFile | None":
    """Collect YAML files as fixtures."""
    if is_fixture(file_path):
        return FixtureFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Refuse a set of cases that cannot be scored, before anyone is graded."""
    if session.testsfailed:  # a file could not be collected: pytest says so, and stops
        return
    if not any(isinstance(item, CaseItem) or item.get_closest_marker(MARK) for item in items):
        return
    try:
        run = run_of(config)
        rubric = run.judging.course.rubric
        run.listed, wrong = _all_listed(items)
        is_whole = not wrong and any(Path(argument).is_dir() for argument in config.args)
        wrong += incomplete(run.listed, rubric, run.rubric_file, set() if is_whole else None)
        if wrong:
            raise together(wrong)
    except GraderError as error:
        given = config.stash.get(RUN, None)
        if given is None or not given.embedded:
            raise pytest.UsageError(str(error)) from None
        given.error = error
        items.clear()
        return
    order = [criterion.id for criterion in rubric.all_criteria()]
    items.sort(key=lambda item: order.index(_scored(item)[0] or ""))
    run.judging.expect([item.case for item in items if isinstance(item, CaseItem)], run.listed)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Let the workers begin with what will be asked, while pytest and the judge do their part."""
    is_asked = any(isinstance(item, CaseItem) for item in session.items)
    if is_asked and not session.config.option.collectonly:
        run_of(session.config).judging.begin()


def _all_listed(items: Iterable[pytest.Item]) -> tuple[tuple[Listed, ...], list[UserError]]:
    """Return items as they are going to be asked, and the errors of those that cannot be scored."""
    found: list[Listed] = []
    wrong: list[UserError] = []
    for item in items:
        try:
            found.append(_listed(item))
        except UserError as error:
            wrong.append(error)
    return tuple(found), wrong


def _listed(item: pytest.Item) -> Listed:
    """Return an item as it is going to be asked; raise UserError for a test that cannot be scored."""
    criterion, verdict = _scored(item)
    line = (item.reportinfo()[1] or 0) + 1
    if criterion is None:
        mend = '@pytest.mark.criterion("minimax")'
        raise UserError(f"{item.name} names no criterion: mark it, as in {mend}", file=item.path, line=line)
    marker = item.get_closest_marker(MARK)
    for message in wrong_arguments(len(marker.args), marker.kwargs) if marker else ():
        raise UserError(f"{item.name}: {message}", file=item.path, line=line)
    if verdict.visibility not in _VISIBILITIES:
        message = f"{item.name}: a visibility is public or hidden, and not {verdict.visibility!r}"
        raise UserError(message, file=item.path, line=line)
    weight = verdict.weight
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
        message = f"{item.name}: a weight is a number, 0 or more, and not {weight!r}"
        raise UserError(message, file=item.path, line=line)
    hidden = verdict.visibility != "public"
    return Listed(item.path, line, criterion, verdict.id, float(weight), hidden)


def _scored(item: pytest.Item) -> tuple[str | None, Verdict]:
    """Return an item's criterion, and its verdict as it stands before it has run."""
    if isinstance(item, CaseItem):
        question = item.case.question
        name, weight, visibility = question.id, question.weight, str(question.visibility)
        criterion: str | None = item.case.criterion
    else:
        marker = item.get_closest_marker(MARK)
        arguments: dict[str, Any] = dict(marker.kwargs) if marker else {}
        criterion = marker.args[0] if marker and marker.args else arguments.get("id")
        name, weight = item.name, arguments.get("weight", 1.0)
        visibility = str(arguments.get("visibility", "public"))
    return criterion, unjudged(name, weight, visibility, "not judged", "not-judged")


@pytest.fixture(name="submission")
def _submission_fixture(request: pytest.FixtureRequest) -> Handle:
    """Hand a test the submission's functions, through the worker; with `fresh` nothing is from the sweep."""
    judging = run_of(request.config).judging
    is_fresh = request.node.get_closest_marker("fresh") is not None
    return Handle(judging.client, None if is_fresh else judging.sweeper)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a case: there is nothing to set up for it or to tear down, so that it takes a third of the time."""
    if not isinstance(item, CaseItem) or getattr(item.config.option, "usepdb", False):
        return None
    hooks = item.ihook
    is_watched = not run_of(item.config).embedded or item.config.getoption("xmlpath", None)
    if is_watched:
        hooks.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        hooks.pytest_runtest_logreport(report=quiet_report(item, "setup"))
    ended = (pytest.exit.Exception, KeyboardInterrupt)
    call = pytest.CallInfo.from_call(item.runtest, when="call", reraise=ended)
    report = hooks.pytest_runtest_makereport(item=item, call=call)
    hooks.pytest_runtest_logreport(report=report)
    if is_watched:
        hooks.pytest_runtest_logreport(report=quiet_report(item, "teardown"))
        hooks.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record the verdict of a case or of a marked test, once, and add it to the report's properties."""
    report = yield
    scored = isinstance(item, CaseItem) or item.get_closest_marker(MARK)
    if scored and (report.when == "call" or (report.when == "setup" and not report.passed)):
        criterion, blank = _scored(item)
        assert criterion
        verdict = item.stash.get(VERDICT, None)
        if verdict is None:
            verdict = _verdict_of_call(blank, call, report, by_assertion=not isinstance(item, CaseItem))
        item.user_properties += [
            ("criterion", criterion),
            ("status", verdict.status.value),
            ("weight", verdict.weight),
            ("earned", verdict.earned),
        ]
        report.user_properties = list(item.user_properties)
        run_of(item.config).judging.record(criterion, verdict)
    return report


def _verdict_of_call(
    blank: Verdict, call: pytest.CallInfo[None], report: pytest.TestReport, *, by_assertion: bool
) -> Verdict:
    """Return the verdict of an instructor's test (it judges by assertion) or of a check that broke."""
    error = call.excinfo.value if call.excinfo else None
    status, earned = Status.GRADER_ERROR, None
    if report.passed:
        status, earned = Status.PASSED, blank.weight
    elif report.skipped:
        status = Status.SKIPPED
    elif isinstance(error, NoAnswer):
        status, earned = error.status, 0.0
    elif by_assertion and isinstance(error, AssertionError):
        status, earned = Status.FAILED, 0.0
    reason = "passed" if error is None else str(error) or type(error).__name__
    if status is Status.GRADER_ERROR:
        reason = f"{type(error).__name__}: {reason}"
    told = printable_lines(reason.strip())  # what a test compares may be the submission's
    code = "grader-error" if status is Status.GRADER_ERROR else f"test-{status.replace('_', '-')}"
    return replace(blank, status=status, earned=earned, reason=told, code=code)
