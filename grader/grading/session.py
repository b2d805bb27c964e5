"""One submission in, one grade out: runs pytest with the plugin over the fixtures, in this process."""

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import pytest

from grader.collector import without_collector
from grader.core.checks.play import instead
from grader.core.checks.timing import first_move
from grader.core.course import submission
from grader.core.course import template as given
from grader.core.course.questions import Play
from grader.core.course.rubric import Rubric, with_commands
from grader.core.errors import GraderFault, UserError
from grader.core.evidence import Mistake, Sweep, Tactic
from grader.core.game.policy import Policy, packed
from grader.core.grade import Grade, Verdict
from grader.core.scores import make_grade
from grader.course import rubric
from grader.course.public import Listed
from grader.grading import plugin
from grader.grading.begin import Begun, begin_with
from grader.grading.grading import Grading, OnVerdict, new_grading, no_news
from grader.grading.notes import deductions_of, for_instructors, notes_of
from grader.grading.settings import Settings
from grader.grading.unrun import does_not_run, marked

if TYPE_CHECKING:
    from grader.programs.program import Program


def grade_submission(
    path: Path, settings: Settings, on_verdict: OnVerdict = no_news, begun: Begun | None = None
) -> Grade:
    """Return the grade of the submission that a path means, which may be at work already.

    Raises UserError for a bad path, rubric or fixture, before anything of the submission has run.
    """
    loaded = begun.rubric if begun else rubric.load(settings.rubric_file)
    if begun:
        found = begun.client.submission
    else:
        found = submission.read_as(loaded.kind, path, loaded.limits.source_kb, notebooks=loaded.notebooks)
    with prepared(found, loaded, settings, on_verdict, begun) as grading:
        return graded(grading, settings)


@contextmanager
def prepared(
    found: submission.Submission,
    loaded: Rubric,
    settings: Settings,
    on_verdict: OnVerdict = no_news,
    begun: Begun | None = None,
) -> Iterator[Grading]:
    """Give everything that grading a submission needs; its workers end with the context."""
    if not settings.fixtures.is_dir():
        raise UserError("no such folder of fixtures", file=settings.fixtures)
    if (settings.build or settings.run) and loaded.kind != "program":
        raise UserError("--build and --run go with a program: this rubric says 'kind: functions'")
    loaded = with_commands(loaded, settings.build, settings.run)
    grading = new_grading(
        settings.rubric_file,
        begun or begin_with(found, loaded, settings.rubric_file, recall=settings.recall),
        given.load(settings.rubric_file, loaded),
        embedded=True,
        ahead=settings.ahead and loaded.kind == "functions" and not (begun and begun.is_told),
        on_verdict=on_verdict,
    )
    try:
        yield grading
    finally:
        grading.close()


def graded(grading: Grading, settings: Settings) -> Grade:
    """Judge all cases and return the grade."""
    if grading.ahead:
        grading.sweeper.begin()  # most of the work, so first of all, beside everything else
    if grading.program:
        grading.program.failure  # noqa: B018 - what cannot be graded is told before anybody is judged
    _run_pytest(grading, settings)
    about = _about_program(grading.program) if grading.program else _about_minimax(grading, settings)
    found = grading.client.submission
    unrun = does_not_run(grading) if found.is_gradable else None
    verdicts: Sequence[tuple[str, Verdict]] = marked(grading, unrun) if unrun else grading.verdicts
    mistakes: tuple[Mistake, ...] = ()
    is_wrong = any(one.function and one.status.is_bad for _, one in verdicts)
    if is_wrong and not grading.program and not unrun:
        from grader.core.checks.diagnosis import diagnosed  # who makes no mistake never needs it

        sweep = grading.sweeper.sweep() if about else None
        verdicts, mistakes = diagnosed(grading.client, sweep, grading.asked, grading.verdicts)
    return make_grade(
        grading.rubric,
        found.name,
        verdicts,
        deductions=deductions_of(grading),
        **about,
        does_not_run=unrun,
        mistakes=mistakes,
        show_mistakes=grading.rubric.mistakes == "shown",
        not_gradable=None if found.is_gradable else found.problem,
        for_instructors=for_instructors(grading),
        notes=notes_of(grading),
        seconds=round(time.perf_counter() - grading.started, 3),
        submission_seconds=round(grading.program.seconds if grading.program else grading.client.seconds, 3),
    )


def check_configuration(settings: Settings) -> tuple[Listed, ...]:
    """Return all that is asked; raise UserError for a rubric or fixtures by which nobody could be graded."""
    loaded = rubric.load(settings.rubric_file)
    nobody = submission.from_bytes("nobody", b"", 0, loaded.limits.source_kb)
    with prepared(nobody, loaded, settings) as grading:
        _run_pytest(grading, replace(settings, junitxml=None), "--collect-only")
        return grading.listed


_NEVER_NEEDED: Final = (
    "cacheprovider",
    "debugging",
    "doctest",
    "faulthandler",
    "legacypath",
    "logging",
    "pastebin",
    "setuponly",
    "setupplan",
    "stepwise",
    "terminal",
    "threadexception",
    "unraisableexception",
    "warnings",
)
"""Plugins of pytest that no grade has a use for: without them it starts sooner."""

_FOR_TESTS: Final = ("freeze_support", "monkeypatch", "recwarn", "subtests", "tmpdir", "unittest")
"""Those that an instructor's own tests in Python may use, and cases in YAML never do."""


class _CollectionErrors:
    """Collects what pytest could not collect: mistakes in fixtures."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.found.append(report.longreprtext)


def _run_pytest(grading: Grading, settings: Settings, *options: str) -> None:
    """Run all fixtures; afterwards the grading holds a verdict for each case."""
    unneeded = [*_NEVER_NEEDED]
    if not any(settings.fixtures.rglob("*.py")):
        unneeded += _FOR_TESTS
    if not settings.junitxml:
        unneeded.append("junitxml")
    arguments = [
        str(settings.fixtures),
        f"--rootdir={settings.fixtures}",
        "--confcutdir=" + str(settings.fixtures),
        "-c/dev/null",
        "-onorecursedirs=.* __pycache__",  # all else belongs to the course, whatever its name
        "--disable-plugin-autoload",
        "--capture=no",
        *(f"-pno:{name}" for name in unneeded),
        *options,
    ]
    if settings.junitxml:
        arguments.append(f"--junitxml={settings.junitxml.resolve()}")
    errors, said = _CollectionErrors(), StringIO()
    collector = nullcontext() if grading.program else without_collector()  # a terminal is a lot to keep
    with redirect_stdout(said), redirect_stderr(said), collector:
        code = pytest.main(arguments, plugins=[plugin, grading, errors, *_backstop()])
    _forget_tests(settings.fixtures)
    if grading.error:
        raise grading.error
    if errors.found:
        raise UserError("\n".join(errors.found))
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise GraderFault(f"pytest ended with {code!r}:\n{said.getvalue().strip()}")


def _backstop() -> list[ModuleType]:
    """Return the plugin that ends a case which never ends."""
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


def _about_program(program: "Program") -> dict[str, Any]:
    """Return what is known of a program beside its verdicts: its moves, as far as they were seen."""
    from grader.programs.told import policy_of

    if program.failure:
        return {}
    return {"policy": packed(policy_of(program))}


def _about_minimax(grading: Grading, settings: Settings) -> dict[str, Any]:
    """Return what is known of minimax beside its verdicts, if a case made the grader find out."""
    swept = any(isinstance(case.question, Play) for case in grading.asked)
    if not swept or not grading.client.looks_runnable():
        return {}
    found = grading.sweeper.sweep()
    if found.absent:
        return {}
    return {
        "policy": packed(found.policy),
        "instead": instead(found),
        "tactics": _tactics(found.policy) if found.faults else (),
        "sweep": Sweep(
            asked=len(found.replies),
            seconds=round(found.seconds, 3),
            recalled=found.recalled,
            why_plain=found.why_plain,
        ),
        "first_move": first_move(grading.client, for_real=settings.time_first_move),
    }


def _tactics(policy: Policy) -> tuple[Tactic, ...]:
    from grader.core.mistakes.tactics import tactics_of  # who makes no mistake never needs it

    return tactics_of(policy)
