"""Every command in the README is run, and every claim of a file is true."""

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.cli.options import parser
from grader.course.shipped import ROOT
from tests.submissions import PLAIN

TEXT = (ROOT / "README.md").read_text()
COMMANDS = [
    line.partition("  #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.strip()
]
BY_CI = ["pip install -e . && python run_grader.py", "pip install -e '.[test]' && pytest"]
TOO_LONG = [
    "python run_grader.py --audit",
    "python run_grader.py --benchmark --plot searches.svg",
    "python run_grader.py --benchmark path/to/tictactoe.py",
    "python run_grader.py submissions.zip --out grades --cluster tcp://127.0.0.1:8786",
]
"""Minutes, or machines: tests/test_audit.py runs a sample, tests/classroom a cluster, and CI the benchmarks."""


def test_the_two_commands_come_first() -> None:
    assert COMMANDS[:2] == BY_CI
    script = (ROOT / ".ci" / "run").read_text()
    assert "pip install" in script and "-e '.[test]'" in script and "\npytest " in script


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder like a checkout, with a student's file and a class; the commands follow each other there."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "path" / "to").mkdir(parents=True)
    (folder / "path" / "to" / "tictactoe.py").write_text(PLAIN)
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr("ada/tictactoe.py", PLAIN)
        archive.writestr("bob/tictactoe.py", "def player(board):\n    return 1\n")
    for name in (
        "rubric.yaml",
        "fixtures",
        "conftest.py",
        "run_grader.py",
        "submission",
        "grader",
        "benchmarks",
    ):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in BY_CI + TOO_LONG])
def test_a_command_works_as_it_stands(command: str, checkout: Path) -> None:
    shell = f'PATH="{Path(sys.executable).parent}:$PATH"; {command}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", TOO_LONG)
def test_a_long_command_is_at_least_understood(command: str) -> None:
    parser().parse_args(shlex.split(command)[2:])


def test_files_that_are_named_exist() -> None:
    for name in re.findall(r"\]\(([^)]+)\)|`([\w./-]+/[\w./-]+|[A-Z]+\.md)`", TEXT):
        file = name[0] or name[1]
        if file not in ("path/to/tictactoe.py",):
            assert (ROOT / file).exists(), file


def test_every_dependency_has_its_reason() -> None:
    listed = (ROOT / "pyproject.toml").read_text()
    names = re.findall(r'"([A-Za-z-]+)>=', listed)
    assert {"pytest", "rich", "ruff"} <= set(names)
    for name in names:
        if name != "setuptools":
            assert name in TEXT, name
