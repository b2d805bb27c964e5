"""Pytest as a door to the loop: for an instructor's own tests, and for its JUnit report."""

import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final, NoReturn

import pytest

from grader.core.course.course import Listed
from grader.core.errors import GraderError, GraderFault, UserError, together
from grader.core.judging import Judging
from grader.core.messages import _
from grader.grading import plugin
from grader.grading.plugin import Run
from grader.grading.session import Settings

_NEVER_NEEDED: Final = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "legacypath", "logging", "pastebin",
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
    report = [f"--junitxml={settings.junitxml.resolve()}"] if settings.junitxml else ["-pno:junitxml"]
    _run(Run(judging, settings.rubric_file, embedded=True), settings.fixtures, *report)


def collected(judging: Judging, settings: Settings) -> tuple[Listed, ...]:
    """Return all that is asked, tests too; raise UserError for what cannot be scored."""
    run = Run(judging, settings.rubric_file, embedded=True)
    _run(run, settings.fixtures, "-pno:junitxml", "--collect-only")
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
        code = pytest.main(arguments, plugins=[plugin, run, errors, *_backstop()])
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
