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
from collections.abc import Callable, Generator, Iterable
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
        nothing = no_answer(self._name, reply)
        assert nothing
        status, reason = nothing
        if isinstance(reply, Raised):
            raise SubmissionRaised(status, f"{reason}{self._elsewhere(reply.line)}")
        raise NoAnswer(status, str(reason))

    def _elsewhere(self, line: int) -> str:
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
        loaded = rubric_files.load(file)
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
    """End the worker, unless the grading was prepared elsewhere, and is closed there."""
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
    run.judging.take([item.case for item in items if isinstance(item, CaseItem)], run.listed)


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
        mark = '@pytest.mark.criterion("minimax")'
        message = _("{test} names no criterion: mark it, as in {mark}", test=item.name, mark=mark)
        raise UserError(message, file=item.path, line=line)
    marker = item.get_closest_marker(MARK)
    for message in wrong_arguments(len(marker.args), marker.kwargs) if marker else ():
        raise UserError(f"{item.name}: {message}", file=item.path, line=line)
    if verdict.visibility not in _VISIBILITIES:
        message = _(
            "{test}: a visibility is public or hidden, and not {visibility!r}",
            test=item.name,
            visibility=verdict.visibility,
        )
        raise UserError(message, file=item.path, line=line)
    weight = verdict.weight
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
        message = _(
            "{test}: a weight is a number, 0 or more, and not {weight}", test=item.name, weight=repr(weight)
        )
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
    text = printable_lines(reason.strip())  # what a test compares may be the submission's
    code = "grader-error" if status is Status.GRADER_ERROR else f"test-{status.replace('_', '-')}"
    return replace(blank, status=status, earned=earned, reason=text, code=code)


_NEVER_NEEDED: Final = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging", "pastebin",
    "setuponly", "setupplan", "stepwise", "terminal", "threadexception", "unraisableexception",
    "warnings",
)  # fmt: skip
"""Plugins of pytest that no grade has a use for: without them it starts sooner."""

_Handler = Callable[[int, Any], None]
"""What hears a signal."""


class _CollectionErrors:
    """Collects what pytest could not collect: mistakes in fixtures, and tests that cannot be imported."""

    def __init__(self) -> None:
        self.found: list[UserError] = []

    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector, call: Any) -> None:
        if isinstance(node, pytest.Collector):
            self.found.append(_not_collected(node.path, call.excinfo.value))


def _not_collected(file: Path, error: BaseException) -> UserError:
    """Return the error about a file: a sentence of our own, or what was raised when it was imported."""
    cause = error.__cause__ if isinstance(error, pytest.Collector.CollectError) else error
    if cause is None:
        return UserError(str(error))
    lines = [line for frame, line in walk_tb(cause.__traceback__) if frame.f_code.co_filename == str(file)]
    line = lines[-1] if lines else None
    return UserError(
        _("cannot be imported: {error}", error=f"{type(cause).__name__}: {cause}"), file=file, line=line
    )


def _as_named(error: GraderError, fixtures: Path) -> GraderError:
    """Return an error with the paths of fixtures as the user gave them; pytest's are absolute."""
    if not isinstance(error, UserError):
        return error
    folder = fixtures.resolve()

    def named(one: UserError) -> UserError:
        if one.file is None or not one.file.is_relative_to(folder):
            return one
        return UserError(one.message, file=fixtures / one.file.relative_to(folder), line=one.line)

    return together([named(one) for one in error.each or (error,)])


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
        "--confcutdir=" + str(fixtures),
        f"-c{os.devnull}",
        "-onorecursedirs=.* __pycache__",  # all else belongs to the course, whatever its name
        "--disable-plugin-autoload",
        "--capture=no",
        *(f"-pno:{name}" for name in _NEVER_NEEDED),
        *options,
    ]
    errors, said = _CollectionErrors(), StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main(arguments, plugins=[sys.modules[__name__], run, errors, *_backstop()])
    _forget_tests(fixtures)
    error = together(errors.found) if errors.found else run.error
    if error:
        raise _as_named(error, fixtures)
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise GraderFault(f"pytest ended with {code!r}:\n{said.getvalue().strip()}")


class _Alarm:
    """Ends a test that never ends, which is no fault of the submission; each call of that has a deadline."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_timeout_set_timer(self, item: Any, settings: Any) -> bool:
        """Let a test fail after so many seconds, unless it is over by then."""

        def late(number: int, frame: Any) -> NoReturn:
            pytest.fail(_("the test has not ended after {seconds:g} seconds", seconds=settings.timeout))

        timer = _by_signal if hasattr(signal, "setitimer") else _by_interrupt
        item.cancel_timeout = timer(settings.timeout, late)
        return True


def _by_signal(seconds: float, late: _Handler) -> Callable[[], None]:
    """Set a timer of the system; return what cancels it."""
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    return cancel


def _by_interrupt(seconds: float, late: _Handler) -> Callable[[], None]:
    """Set a timer where the system has none, which interrupts as Ctrl-C does; return what cancels it."""
    has_rung, is_over, lock = False, False, threading.Lock()

    def ring() -> None:
        nonlocal has_rung
        with lock:
            if not is_over:
                has_rung = True
                interrupt_main()

    def heard(number: int, frame: Any) -> None:
        if not has_rung:
            signal.default_int_handler(number, frame)
        elif not is_over:
            late(number, frame)

    def cancel() -> None:
        nonlocal is_over
        timer.cancel()
        with lock:
            is_over = True
        signal.signal(signal.SIGINT, before)

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    before = signal.signal(signal.SIGINT, heard)
    timer.start()
    return cancel


def _backstop() -> list[object]:
    """Return the plugins that end a test which never ends."""
    if threading.current_thread() is not threading.main_thread():  # an alarm works nowhere else
        return []
    import pytest_timeout  # type: ignore[import-untyped]

    return [pytest_timeout, _Alarm()]


def _forget_tests(fixtures: Path) -> None:
    """Forget an instructor's own tests: the next ones may have the same name in another folder."""
    folder = str(fixtures.resolve())
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and file.startswith(folder + os.sep):
            del sys.modules[name]
