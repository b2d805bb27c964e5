"""The pytest plugin: a fixture file becomes items, and an item's outcome becomes a verdict.

`pytest fixtures --submission FILE` grades in the ordinary pytest way; a session uses the same path.
"""

from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.core.checks.functions import calls_of
from grader.core.course.questions import FollowThrough, Reject, Style
from grader.core.errors import GraderError, GraderFault, UserError
from grader.core.grade import Status, Verdict
from grader.core.text import printable_lines
from grader.course import rubric
from grader.course.public import Listed
from grader.course.shipped import DEFAULT_RUBRIC, DEFAULT_SUBMISSION
from grader.course.whole import is_fixture
from grader.grading.ahead import tell
from grader.grading.grading import Grading
from grader.grading.handle import Handle, NoAnswer
from grader.grading.items import GRADING, VERDICT, CaseItem, FixtureFile, grading_of, quiet_report


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the grader's options."""
    group = parser.getgroup("tictactoe grader")
    group.addoption("--submission", type=Path, default=DEFAULT_SUBMISSION, help="the file or folder to grade")
    group.addoption("--rubric", type=Path, default=DEFAULT_RUBRIC, help="what is worth how much")
    group.addoption("--no-recall", action="store_true", help="ask minimax about every board without recall")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and take over the grading that a session has prepared."""
    config.addinivalue_line(
        "markers",
        "criterion(id, weight=1, visibility='public'): the criterion that a test is scored under",
    )
    for plugin in config.pluginmanager.get_plugins():
        if isinstance(plugin, Grading):
            config.stash[GRADING] = plugin


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the worker, unless whoever prepared the grading still needs it."""
    if GRADING in config.stash and not config.stash[GRADING].embedded:
        config.stash[GRADING].close()


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
    if not any(isinstance(item, CaseItem) or item.get_closest_marker("criterion") for item in items):
        return
    try:
        grading = grading_of(config)
        _check_items(config, grading, items)
    except GraderError as error:
        given = config.stash.get(GRADING, None)
        if given is None or not given.embedded:
            raise pytest.UsageError(str(error)) from None
        given.error = error
        items.clear()
        return
    order = [criterion.id for criterion in grading.rubric.all_criteria()]
    items.sort(key=lambda item: order.index(_scored(item)[0] or ""))
    grading.listed = tuple(map(_listed, items))
    grading.asked = [item.case for item in items if isinstance(item, CaseItem)]
    grading.total = len(items)
    for case in grading.asked:
        if isinstance(case.question, Style):
            grading.stylist.expect(case.question.rules)
        if isinstance(case.question, Reject):
            grading.blamer.must_refuse(calls_of(case.question))
        if isinstance(case.question, FollowThrough):
            grading.blamer.expect(case.question.function or "minimax")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Let the workers begin with what will be asked, while pytest and the judge do their part."""
    questions = [item.case.question for item in session.items if isinstance(item, CaseItem)]
    if not questions or session.config.option.collectonly:
        return
    grading = grading_of(session.config)
    if grading.stylist.has_source:
        with suppress(GraderFault):  # whoever asks for its findings will be told
            grading.stylist.begin()
    if grading.ahead:
        tell(grading.client, grading.sweeper, questions)


def _check_items(config: pytest.Config, grading: Grading, items: Iterable[pytest.Item]) -> None:
    """Count the weights of each criterion; raise UserError for a test or a criterion that stands alone."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        criterion, verdict = _scored(item)
        place = {"file": item.path, "line": (item.reportinfo()[1] or 0) + 1}
        if criterion is None:
            mend = '@pytest.mark.criterion("minimax")'
            raise UserError(f"{item.name} names no criterion: mark it, as in {mend}", **place)  # type: ignore[arg-type]
        if grading.rubric.criterion(criterion) is None:
            raise UserError(grading.rubric.unknown(criterion), **place)  # type: ignore[arg-type]
        if (criterion, verdict.id) in seen:
            message = f"the criterion '{criterion}' has two cases '{verdict.id}': give one another id"
            raise UserError(message, **place)  # type: ignore[arg-type]
        seen.add((criterion, verdict.id))
        grading.weights[criterion] += verdict.weight  # type: ignore[assignment]
    if any(Path(argument).is_dir() for argument in config.args):
        for owner in grading.rubric.all_criteria():
            if not owner.by_hand and not any(criterion == owner.id for criterion, _ in seen):
                raise rubric.without_case(grading.rubric_file, owner)
            if not owner.by_hand and owner.points and not grading.weights[owner.id]:
                raise rubric.without_case(grading.rubric_file, owner, weightless=True)


def _listed(item: pytest.Item) -> Listed:
    """Return an item as it is going to be asked."""
    criterion, verdict = _scored(item)
    line = (item.reportinfo()[1] or 0) + 1
    return Listed(item.path, line, criterion or "", hidden=verdict.visibility != "public")


def _scored(item: pytest.Item) -> tuple[str | None, Verdict]:
    """Return an item's criterion, and its verdict as it stands before it has run."""
    if isinstance(item, CaseItem):
        question = item.case.question
        name, weight, visibility = question.id, question.weight, question.visibility
        criterion: str | None = item.case.criterion
    else:
        marker = item.get_closest_marker("criterion")
        arguments: dict[str, Any] = dict(marker.kwargs) if marker else {}
        criterion = marker.args[0] if marker and marker.args else arguments.get("id")
        name, weight = item.name, arguments.get("weight", 1.0)
        visibility = arguments.get("visibility", "public")
    return criterion, Verdict(
        id=name,
        status=Status.GRADER_ERROR,
        weight=weight,
        earned=None,
        reason="not judged",
        code="not-judged",
        visibility=visibility,
    )


@pytest.fixture(name="submission")
def _submission_fixture(request: pytest.FixtureRequest) -> Handle:
    """Hand a test the submission's functions, through the worker."""
    return Handle(grading_of(request.config).client)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a case: there is nothing to set up for it or to tear down, so that it takes a third of the time."""
    if not isinstance(item, CaseItem) or getattr(item.config.option, "usepdb", False):
        return None
    hooks = item.ihook
    is_watched = not grading_of(item.config).embedded or item.config.getoption("xmlpath", None)
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
    scored = isinstance(item, CaseItem) or item.get_closest_marker("criterion")
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
        grading_of(item.config).record(criterion, verdict)
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
