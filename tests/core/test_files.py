"""A file is whole at every moment, waits for its reader where it has to, and can be locked on every system."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.core import system
from grader.core.errors import UserError
from grader.core.system import locked, write


def in_use(times: int) -> Any:
    """Return `os.replace` of a system on which the file is open during the first attempts."""
    replace, tries = os.replace, iter(range(times))

    def refused(*names: Any) -> None:
        if next(tries, None) is not None:
            raise PermissionError(13, "Permission denied")
        replace(*names)

    return refused


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "HAS_WINDOWS_FILES", True)
    monkeypatch.setattr(system, "_PAUSE", 0.0)


@pytest.mark.usefixtures("windows")
def test_a_file_that_is_open_is_replaced_when_its_reader_has_closed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", in_use(3))
    write(tmp_path / "grades.csv", "a\nb\n")
    assert (tmp_path / "grades.csv").read_bytes() == b"a\nb\n"


@pytest.mark.usefixtures("windows")
def test_a_file_that_stays_open_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", in_use(1_000))
    sentence = "cannot be written: Permission denied; close the program in which it is open"
    with pytest.raises(UserError, match=sentence):
        write(tmp_path / "grades.csv", "a\n")
    assert list(tmp_path.iterdir()) == []


def test_where_open_files_can_be_replaced_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", in_use(1))
    with pytest.raises(UserError, match=r"cannot be written: Permission denied$"):
        write(tmp_path / "grades.csv", "a\n")


HOLDS = """
import sys
from pathlib import Path
from grader.core.system import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_keeps_other_processes_out_and_ends_with_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given another process that holds the lock and is killed; the file had been written by an older version."""
    file = tmp_path / ".lock"
    file.touch()
    command = [sys.executable, "-c", HOLDS, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline() == b"held\n"
        monkeypatch.setattr(system, "_SILENT", 0.01)
        monkeypatch.setattr(system, "_FOREVER", 10)
        with pytest.raises(UserError, match="cannot be locked: database is locked"), locked(file):
            pass
        sentence = f"waiting for another process of the grader that has locked {file}\n"
        assert capsys.readouterr().err == sentence
        other.kill()
    monkeypatch.undo()
    with locked(file):
        assert file.read_bytes() == b"" and list(tmp_path.iterdir()) == [file]
    assert capsys.readouterr().err == ""


def test_a_lock_in_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be locked"), locked(tmp_path / "missing" / "lock"):
        pass
