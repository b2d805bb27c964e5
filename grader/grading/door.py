"""Pytest as a door to the loop: for an instructor's own tests, and for its JUnit report."""

import os
import sys
import threading
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from grader.core.course.course import Listed
from grader.core.errors import GraderFault, UserError
from grader.core.judging import Judging
from grader.grading import plugin
from grader.grading.items import Run
from grader.grading.settings import Settings

_NEVER_NEEDED: Final = (
    "cacheprovider", "debugging", "doctest", "faulthandler", "legacypath", "logging", "pastebin",
    "setuponly", "setupplan", "stepwise", "terminal", "threadexception", "unraisableexception",
    "warnings",
)  # fmt: skip
"""Plugins of pytest that no grade has a use for: without them it starts sooner."""


class _CollectionErrors:
    """Collects what pytest could not collect: mistakes in fixtures."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.found.append(report.longreprtext)


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
        "-c/dev/null",
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
    if run.error:
        raise run.error
    if errors.found:
        raise UserError("\n".join(errors.found))
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise GraderFault(f"pytest ended with {code!r}:\n{said.getvalue().strip()}")


def _backstop() -> list[ModuleType]:
    """Return the plugin that ends a test which never ends."""
    if threading.current_thread() is not threading.main_thread():  # its alarm works nowhere else
        return []
    import pytest_timeout  # type: ignore[import-untyped]

    return [pytest_timeout]


def _forget_tests(fixtures: Path) -> None:
    """Forget an instructor's own tests: the next ones may have the same name in another folder."""
    folder = str(fixtures.resolve())
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and file.startswith(folder + os.sep):
            del sys.modules[name]
