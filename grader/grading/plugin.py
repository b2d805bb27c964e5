"""Pytest collects the cases of fixtures, and runs an instructor's own tests beside them.

An item's outcome becomes a verdict. The grader calls pytest where a course has Python tests;
`pytest fixtures` loads the same plugin.
"""

import math
import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable, Generator, Iterator
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final, NoReturn

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.checks.outcome import no_answer
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import Case, Course, Listed
from grader.core.errors import GraderError, GraderFault, UserError, together
from grader.core.game.board import from_lists
from grader.core.game.oracle import FUNCTIONS
from grader.core.grade import Status, Verdict, unjudged
from grader.core.judging import Judging
from grader.core.messages import _
from grader.core.values import lines_of, printable_lines
from grader.course import cases, loading, rubric_files
from grader.course.cases import MARK, wrong_arguments
from grader.course.courses import DEFAULT_RUBRIC, DEFAULT_SUBMISSION, is_fixture
from grader.course.loading import incomplete
from grader.grading.session import Settings, open_submission, read
from grader.report.wording import failure_text


class NoAnswer(AssertionError):
    """A call of the submission gave no value; the status says how."""

    def __init__(self, status: Status, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class SubmissionRaised(NoAnswer):
    """A call of the submission raised an exception."""


class _Function:
    """One function of a submission; in the words of a failed assertion it is what the test called."""

    def __init__(self, client: Client, name: str, sweeper: Sweeper | None) -> None:
        self._client, self._name, self._sweeper = client, name, sweeper

    def __repr__(self) -> str:
        return f"submission.{self._name}"

    def __call__(self, *arguments: object) -> Any:
        if not self._client.submission.is_gradable:
            pytest.skip(self._client.submission.problem or "")
        reply = self._swept(*arguments) or self._client.call(self._name, *arguments)
        if isinstance(reply, Returned):
            return deepcopy(reply.value)  # equal replies are one object, which a test must not change
        failure = no_answer(self._name, reply)
        assert failure
        status, reason = failure
        if isinstance(reply, Raised):
            raise SubmissionRaised(status, f"{reason}{self._place_elsewhere(reply.line)}")
        raise NoAnswer(status, str(reason))

    def _place_elsewhere(self, line: int) -> str:
        """Return a sentence on a line that is in another function of the assignment, or nothing."""
        outline = self._client.outline()
        found = outline.function_at(line, lines_of(self._client.submission.source.decode("utf-8", "replace")))
        if found not in FUNCTIONS or found == self._name or outline.helpers:
            return ""
        return " " + _("Line {line} is in `{function}`.", line=line, function=found)

    def _swept(self, *arguments: object) -> Reply | None:
        """Return the reply of minimax on a reachable board if the sweep has it with recall, else None."""
        if self._sweeper is None or self._name != "minimax" or len(arguments) != 1:
            return None
        board = from_lists(arguments[0])
        return self._sweeper.recalled_reply(board) if board else None


class Handle:
    """Calls a submission's functions by name: `submission.player(board)` gives plain data.

    With a sweeper, `minimax` replies what it replied in the sweep, if that was with recall.
    """

    Raised = SubmissionRaised

    def __init__(self, client: Client, sweeper: Sweeper | None = None) -> None:
        self._client, self._sweeper = client, sweeper

    def __repr__(self) -> str:
        return "submission"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Function(self._client, name, self._sweeper)


@dataclass(eq=False)
class Run:
    """What one run of pytest judges with."""

    judging: Judging
    rubric_file: Path
    embedded: bool = False
    """Whether a session of the grader started pytest: it has loaded the cases, and closes the submission."""
    error: GraderError | None = None
    listed: tuple[Listed, ...] = ()
    """Everything that is asked, the instructor's own tests too."""

    def loaded_cases(self, file: Path) -> list[Case]:
        """Return the cases of a fixture that the course holds; none if pytest was started by hand."""
        found = self.judging.course.cases
        same = {path for path in {case.file for case in found} if path.resolve() == file.resolve()}
        return [case for case in found if case.file in same]


RUN: Final = pytest.StashKey[Run]()
VERDICT: Final = pytest.StashKey[Verdict]()


def run_of(config: pytest.Config) -> Run:
    """Return the run, made from pytest's options unless a session of the grader has prepared it.

    Raises UserError for a bad rubric or submission, GraderFault for a machine that is not as it demands.
    """
    if RUN not in config.stash:
        file = config.getoption("--rubric")
        rubric = rubric_files.load(file)
        course = Course(rubric, (), loading.template(file, rubric))
        submission = read(config.getoption("--submission"), rubric)
        settings = Settings(file, recall=not config.getoption("--no-recall"))
        config.stash[RUN] = Run(open_submission(submission, course, settings).judging, file)
    return config.stash[RUN]


class FixtureFile(pytest.File):
    """A YAML file of cases."""

    def collect(self) -> "Iterator[CaseItem]":
        """Yield an item for each case; a mistake in the file is a collection error with its line."""
        try:
            run = run_of(self.config)
            found = run.loaded_cases(self.path) or cases.load(self.path, run.judging.course.rubric)
        except GraderError as error:
            raise self.CollectError(str(error)) from None
        for case in found:
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
            seconds = 10 * (limits.total + limits.load) + 300  # wall-clock time: a machine may be busy
            self.add_marker(pytest.mark.timeout(seconds))

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the grader's options."""
    group = parser.getgroup("tictactoe grader")
    group.addoption("--submission", type=Path, default=DEFAULT_SUBMISSION, help="the file or folder to grade")
    group.addoption("--rubric", type=Path, default=DEFAULT_RUBRIC, help="what is worth how much")
    group.addoption("--no-recall", action="store_true", help="ask minimax about every board without recall")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and store the run that a session of the grader has prepared."""
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
    """End the worker, unless a session of the grader does so."""
    if RUN in config.stash and not config.stash[RUN].embedded:
        config.stash[RUN].judging.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "FixtureFile | None":
    """Collect YAML files as fixtures."""
    return FixtureFile.from_parent(parent, path=file_path) if is_fixture(file_path) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Refuse a set of cases that cannot be scored, before anyone is graded."""
    is_scored = any(isinstance(item, CaseItem) or item.get_closest_marker(MARK) for item in items)
    if session.testsfailed or not is_scored:  # pytest itself reports a file that cannot be collected
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
        if RUN in config.stash:
            config.stash[RUN].error = error
        raise pytest.UsageError(str(error)) from None
    order = [criterion.id for criterion in rubric.all_criteria()]
    items.sort(key=lambda item: order.index(_scored(item)[0] or ""))
    run.judging.take([item.case for item in items if isinstance(item, CaseItem)], run.listed)


def _all_listed(items: list[pytest.Item]) -> tuple[tuple[Listed, ...], list[UserError]]:
    """Return items as they are going to be asked, and an error for each that cannot be scored."""
    found: list[Listed] = []
    wrong: list[UserError] = []
    for item in items:
        criterion, verdict = _scored(item)
        line = (item.reportinfo()[1] or 0) + 1
        problem = next(_problems(item, criterion, verdict), None)
        if problem:
            wrong.append(UserError(problem, file=item.path, line=line))
        else:
            hidden, weight = verdict.visibility != "public", float(verdict.weight)
            found.append(Listed(item.path, line, criterion or "", verdict.id, weight, hidden))
    return tuple(found), wrong


def _problems(item: pytest.Item, criterion: str | None, verdict: Verdict) -> Iterator[str]:
    """Yield why an item cannot be scored."""
    marker, weight = item.get_closest_marker(MARK), verdict.weight
    if criterion is None:
        mark = '@pytest.mark.criterion("minimax")'
        yield _("{test} names no criterion: mark it, as in {mark}", test=item.name, mark=mark)
    for message in wrong_arguments(len(marker.args), marker.kwargs) if marker else ():
        yield f"{item.name}: {message}"
    if verdict.visibility not in ("public", "hidden"):
        yield _(
            "{test}: a visibility is public or hidden, and not {visibility!r}",
            test=item.name,
            visibility=verdict.visibility,
        )
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
        yield _(
            "{test}: a weight is a number, 0 or more, and not {weight}", test=item.name, weight=repr(weight)
        )


def _scored(item: pytest.Item) -> tuple[str | None, Verdict]:
    """Return an item's criterion, and its verdict as it stands before it has run."""
    criterion: str | None
    if isinstance(item, CaseItem):
        question, criterion = item.case.question, item.case.criterion
        name, weight, visibility = question.id, question.weight, str(question.visibility)
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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record the verdict of a case or of a marked test, once, and add it to the report's properties."""
    report = yield
    is_scored = isinstance(item, CaseItem) or item.get_closest_marker(MARK)
    if is_scored and (report.when == "call" or (report.when == "setup" and not report.passed)):
        criterion, blank = _scored(item)
        assert criterion
        verdict = item.stash.get(VERDICT, None)
        if verdict is None:
            verdict = _verdict_of_call(blank, call, report, by_assertion=not isinstance(item, CaseItem))
        shown = {"status": verdict.status.value, "weight": verdict.weight, "earned": verdict.earned}
        item.user_properties += [("criterion", criterion), *shown.items()]
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
    code = f"test-{status.replace('_', '-')}"
    if status is Status.GRADER_ERROR:
        reason, code = f"{type(error).__name__}: {reason}", "grader-error"
    text = printable_lines(reason.strip())  # what a test compares may be the submission's
    return replace(blank, status=status, earned=earned, reason=text, code=code)


_NEVER_NEEDED: Final = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging", "pastebin",
    "setuponly", "setupplan", "stepwise", "terminal", "threadexception", "unraisableexception",
    "warnings",
)  # fmt: skip
"""Plugins of pytest that no grade has a use for: without them it starts sooner."""


class _CollectionErrors:
    """Collects what pytest could not collect: mistakes in fixtures, and tests that cannot be imported."""

    def __init__(self) -> None:
        self.found: list[UserError] = []

    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector, call: Any) -> None:
        if not isinstance(node, pytest.Collector):
            return
        error, file = call.excinfo.value, node.path
        cause = error.__cause__ if isinstance(error, pytest.Collector.CollectError) else error
        if cause is None:  # a sentence of our own
            self.found.append(UserError(str(error)))
            return
        walked = walk_tb(cause.__traceback__)
        lines = [line for frame, line in walked if frame.f_code.co_filename == str(file)]
        message = _("cannot be imported: {error}", error=f"{type(cause).__name__}: {cause}")
        self.found.append(UserError(message, file=file, line=lines[-1] if lines else None))


def _with_given_paths(error: UserError, fixtures: Path) -> UserError:
    """Return an error with the paths of fixtures as the user gave them; pytest's are absolute."""
    folder = fixtures.resolve()

    def given(file: Path | None) -> Path | None:
        return fixtures / file.relative_to(folder) if file and file.is_relative_to(folder) else file

    return together(
        [UserError(each.message, file=given(each.file), line=each.line) for each in error.each or (error,)]
    )


def judge_with_pytest(judging: Judging, settings: Settings) -> None:
    """Judge all cases, and run an instructor's own tests between them, in this process."""
    _run(Run(judging, settings.rubric_file, embedded=True), settings.fixtures)


def collected(judging: Judging, settings: Settings) -> tuple[Listed, ...]:
    """Return all that is asked, tests too; raise UserError for what cannot be scored."""
    run = Run(judging, settings.rubric_file, embedded=True)
    _run(run, settings.fixtures, "--collect-only")
    return run.listed


def _run(run: Run, fixtures: Path, *options: str) -> None:
    arguments = [
        str(fixtures),
        f"--rootdir={fixtures}",
        f"--confcutdir={fixtures}",
        f"-c{os.devnull}",
        "-onorecursedirs=.* __pycache__",  # all else belongs to the course, whatever its name
        "--disable-plugin-autoload",
        "--capture=no",
        *(f"-pno:{name}" for name in _NEVER_NEEDED),
        *options,
    ]
    errors, output = _CollectionErrors(), StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = pytest.main(arguments, plugins=[sys.modules[__name__], run, errors, *_timeout_plugins()])
    for name, module in list(sys.modules.items()):  # the next tests may have the same names
        if (getattr(module, "__file__", None) or "").startswith(f"{fixtures.resolve()}{os.sep}"):
            del sys.modules[name]
    error = together(errors.found) if errors.found else run.error
    if error:
        raise _with_given_paths(error, fixtures) if isinstance(error, UserError) else error
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise GraderFault(f"pytest ended with {code!r}:\n{output.getvalue().strip()}")


class _Alarm:
    """Ends a test that never ends, which is no fault of the submission; each call of that has a deadline."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_timeout_set_timer(self, item: Any, settings: Any) -> bool:
        """Let a test fail when its timeout is over."""

        def fail(number: int, frame: Any) -> NoReturn:
            pytest.fail(_("the test has not ended after {seconds:g} seconds", seconds=settings.timeout))

        has_alarm = hasattr(signal, "setitimer")
        number = signal.SIGALRM if has_alarm else signal.SIGTERM  # which Windows itself never sends
        before = signal.signal(number, fail)
        timer = threading.Timer(settings.timeout, interrupt_main, [number])
        timer.daemon = True
        if has_alarm:
            signal.setitimer(signal.ITIMER_REAL, settings.timeout)
        else:
            timer.start()

        def cancel() -> None:
            if has_alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
            timer.cancel()
            signal.signal(number, before)

        item.cancel_timeout = cancel
        return True


def _timeout_plugins() -> list[object]:
    """Return the plugins that end a test which never ends."""
    if threading.current_thread() is not threading.main_thread():  # only there can a signal be handled
        return []
    import pytest_timeout  # type: ignore[import-untyped]

    return [pytest_timeout, _Alarm()]
