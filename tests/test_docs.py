"""Every command in the README and, by CI, in docs/ is run, and every claim of a file is true."""

import re
import shlex
import subprocess
import sys
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import options_of
from grader.core.grade import Grade, Verdict
from grader.course.courses import ROOT
from tests.conftest import OUTSIDE

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text()
REFERENCE = (ROOT / "submission" / "tictactoe.py").read_text()
"""A student's file that takes little time."""

BY_CI = ["pip install -e . && python run_grader.py", "pip install -e '.[test]' && pytest"]
INSTALLED = [
    "pip install .",
    "pip install hatchling componentize-py",
    "pip wheel --no-build-isolation --no-deps .",
]
"""Run by tests/test_installed.py, as a wheel."""

TOO_LONG = [
    "python run_grader.py audit",
    "python run_grader.py benchmark --plot searches.svg",
    "python run_grader.py benchmark path/to/tictactoe.py",
    "python run_grader.py mark grades",
    "python run_grader.py mark grades --anonymous",
    "python run_grader.py watch path/to/tictactoe.py",
    "python run_grader.py class submissions.zip --out grades --cluster tcp://127.0.0.1:8786",
    "python run_grader.py class submissions.zip --out grades --moodle-worksheet worksheet.csv",
    "python run_grader.py class submissions.zip --out grades --canvas-gradebook gradebook.csv",
    "python run_grader.py pack site site --pyodide package",
]
"""Minutes, machines, people or files of others: tests/audit runs a sample, tests/classroom a cluster, tests/browser marks a class, and CI the benchmarks."""


def commands_of(block: str) -> list[str]:
    return [line.partition("  #")[0].strip() for line in block.splitlines() if line.strip()]


BLOCKS = [
    (page.stem, commands_of(block))
    for page in PAGES
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
]


def test_the_two_commands_come_first() -> None:
    assert [commands for _, commands in BLOCKS[:2]] == [[command] for command in BY_CI]
    script = (ROOT / ".ci" / "run").read_text()
    for part in ("pip install", "-e '.[test]'", "\nstep pytest --exhaustive --share "):
        assert part in script
    assert "--last-failed" not in script  # nothing gets a second chance


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Give a folder like a checkout, with a student's file and a class; a block's commands follow each other there."""
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "tictactoe.py").write_text(REFERENCE)
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        archive.writestr("ada/tictactoe.py", REFERENCE)
        archive.writestr("bob/tictactoe.py", "def player(board):\n    return 1\n")
    (tmp_path / "tests" / "programs").mkdir(parents=True)
    names = (
        "rubric.yaml fixtures conftest.py run_grader.py submission grader benchmarks tests/programs/handed_in"
    )
    for name in names.split():
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


RUN = [
    (page, [command for command in commands if command not in BY_CI + INSTALLED + TOO_LONG])
    for page, commands in BLOCKS
    if not any(set(commands) < set(others) for _, others in BLOCKS)  # it is run with the longer one
]


MARKS: dict[str, Any] = {PAGES[0].stem: ()}


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(commands, id=f"{page}: {commands[0]}", marks=MARKS.get(page, pytest.mark.exhaustive))
        for page, commands in RUN
        if commands
    ],
)
def test_commands_work_as_they_stand(commands: list[str], checkout: Path) -> None:
    for command in commands:
        shell = f'PATH="{Path(sys.executable).parent}:$PATH"; {command}'
        bash: list[str | Path] = ["bash", "-o", "pipefail", "-c", shell]
        how: dict[str, Any] = {"cwd": checkout, "env": OUTSIDE, "stdin": subprocess.DEVNULL}
        done = subprocess.run(bash, capture_output=True, text=True, check=False, **how)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("command", TOO_LONG)
def test_a_long_command_is_shown_and_at_least_understood(command: str) -> None:
    assert any(command in commands for _, commands in BLOCKS)
    options_of(shlex.split(command)[2:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert (page.parent / link).exists(), link
    for file in re.findall(
        r"`((?:grader|tests|benchmarks|docs|fixtures|submission)/[\w./-]*|[A-Z]+\.md)`", text
    ):
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_brackets_are_short(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", page.read_text(), flags=re.DOTALL)
    assert [bracket for bracket in re.findall(r"\(([^()]*)\)", text) if len(bracket.split()) > 10] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    for page in PAGES[1:]:
        assert f"(docs/{page.name}" in README


def test_every_field_of_the_json_is_explained() -> None:
    text = (ROOT / "docs" / "json.md").read_text()
    for field in [*fields(Grade), *fields(Verdict)]:
        assert f"`{field.name}`" in text, field.name


def test_every_dependency_has_its_reason() -> None:
    listed = (ROOT / "pyproject.toml").read_text()
    explained = (ROOT / "docs" / "dependencies.md").read_text()
    names = re.findall(r'"([A-Za-z_-]+)>=', listed)
    assert {"pytest", "rich", "ruff", "hatchling"} <= set(names)
    for name in names:
        assert name in explained, name
