"""A submission is put to work before its rubric is validated, where that cannot be against the rubric."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course import rubric
from grader.course.shipped import DEFAULT_FIXTURES, DEFAULT_RUBRIC, DEFAULT_SUBMISSION, ROOT
from grader.grading.begin import begin
from grader.grading.early import start_early
from grader.grading.session import grade_submission
from grader.grading.settings import Settings
from tests.submissions import PLAIN

LIMITS = "limits:\n  deadline: 5 "


def settings_with(tmp_path: Path, old: str, new: str) -> Settings:
    """Return settings with the shipped rubric, changed at one place."""
    text = DEFAULT_RUBRIC.read_text()
    assert old in text
    (tmp_path / "rubric.yaml").write_text(text.replace(old, new))
    return Settings(tmp_path / "rubric.yaml", DEFAULT_FIXTURES)


def test_what_was_started_early_is_graded() -> None:
    settings = Settings()
    early = start_early(DEFAULT_SUBMISSION, settings)
    assert early and early.client.limits == rubric.load(DEFAULT_RUBRIC).limits
    begun = begin(DEFAULT_SUBMISSION, settings, early)
    assert begun and begun.client is early.client and begun.sweeper is early.sweeper and begun.is_told
    grade = grade_submission(DEFAULT_SUBMISSION, settings, begun=begun)
    assert grade.total == 110 and grade.seconds is not None and grade.sweep is not None
    assert grade.seconds >= grade.sweep.seconds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sandbox: best_effort", "sandbox: required"),
        ("title:", "kind: program\ntitle:"),
        (LIMITS, "limits:\n  deadline: soon "),
        (LIMITS, "limits:\n  deadline: -1 "),
        (LIMITS, "limits:\n  deadlin: 5 "),
        (LIMITS, "limits: 7\nother:\n  deadline: 5 "),
        ("title:", "- title:"),
    ],
    ids=[
        "sandbox required",
        "a program",
        "no number",
        "below nothing",
        "unknown limit",
        "no limits",
        "not YAML",
    ],
)
def test_nothing_is_started_where_the_rubric_might_not_want_it(tmp_path: Path, old: str, new: str) -> None:
    assert start_early(DEFAULT_SUBMISSION, settings_with(tmp_path, old, new)) is None


@pytest.mark.parametrize(
    "source", ["import numpy\n" + PLAIN, "name = 'os'\n__import__(name)\n" + PLAIN, "def player(:\n", "", "a\0b"]
)  # fmt: skip
def test_nothing_is_started_of_a_file_that_may_not_be_run(tmp_path: Path, source: str) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(source)
    assert start_early(file, Settings()) is None


def test_nothing_is_started_without_a_file_or_fixtures(tmp_path: Path) -> None:
    assert start_early(tmp_path / "nobody.py", Settings()) is None
    assert start_early(DEFAULT_SUBMISSION, Settings(fixtures=tmp_path / "nowhere")) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [("allowed: []", "allowed: [yaml]"), (LIMITS, "limits:\n  source_kb: 999\n  deadline: 5 ")],
    ids=["allowed imports", "other limits"],
)
def test_what_proves_to_be_otherwise_is_started_anew(tmp_path: Path, old: str, new: str) -> None:
    """Given a start by one rubric, and a rubric that says otherwise when it is validated."""
    early = start_early(DEFAULT_SUBMISSION, Settings())
    begun = begin(DEFAULT_SUBMISSION, settings_with(tmp_path, old, new), early)
    assert early and begun and begun.client is not early.client
    begun.close()


def test_a_bad_rubric_ends_what_was_started(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, "points: 10\n", "points: many\n")
    early = start_early(DEFAULT_SUBMISSION, settings)
    assert early
    early.close()
    command = [sys.executable, str(ROOT / "run_grader.py"), "--rubric", str(settings.rubric_file)]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "'points': input should be a valid number" in done.stderr
    assert not list(tmp_path.glob("home-*"))


def test_the_start_needs_nothing_that_takes_long_to_import() -> None:
    code = "import sys, grader.__main__, grader.cli.main, grader.grading.early; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert {"pydantic", "pytest", "rich"}.isdisjoint(done.stdout.split())
