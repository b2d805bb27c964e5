"""Private folders: measured by the blocks they take, whatever hides in them, and removed whatever was done to them."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.core import system
from grader.core.asking.reply import Loss, Lost
from grader.sandbox import process
from tests.conftest import MakeClient


@pytest.fixture
def folder() -> Path:
    return process.new_folder()


def test_its_name_does_not_say_what_it_is_for(folder: Path) -> None:
    assert re.fullmatch(rf"home-{os.getpid()}-[0-9a-f]{{8}}-[0-9a-f]{{8}}", folder.name)
    assert folder in process.folders_of(os.getpid())
    process.remove(folder)
    assert folder not in process.folders_of(os.getpid())


def test_blocks_count_and_not_sizes(folder: Path) -> None:
    with (folder / "sparse").open("wb") as file:
        file.truncate(1_000_000_000)
    assert process.written(folder) < 100_000
    (folder / "full").write_bytes(b"x" * 1_000_000)
    assert process.written(folder) >= 1_000_000
    process.remove(folder)


def test_what_is_hidden_or_in_a_cache_counts(folder: Path) -> None:
    for name in (".cache", ".hidden", "deep/er"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_bytes(b"x" * 500_000)
    assert process.written(folder) >= 1_500_000
    process.remove(folder)
    assert not folder.exists()


LOCKED = (
    "import os, sys\nfrom pathlib import Path\nfrom grader.sandbox import process as private\n"
    "folder = private.new_folder()\n(folder / 'a').mkdir()\n(folder / 'a/file').write_bytes(bytes(range(250)) * 4000)\n"
    "os.mkdir(folder / 'a/b', 0)\nos.chmod(folder / 'a', 0)\n"
    "print(private.written(folder) >= 1_000_000)\nos.chmod(folder / 'a', 0)\nprivate.remove(folder)\nprint(folder.exists())\n"
)


def test_a_folder_without_rights_is_opened_counted_and_removed() -> None:
    done = subprocess.run([sys.executable, "-c", LOCKED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_a_deep_folder_is_removed(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(2_500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    process.remove(folder)
    assert not folder.exists()


def test_others_folders_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given folders of the same form that no grader has made, and one of a grader that is gone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    name = f"home-{gone.stdout.strip()}-00000000"
    ours, others = tmp_path / f"{name}-{process._checksum(name)}", tmp_path / f"{name}-12345678"
    ours.mkdir()
    others.mkdir()
    process._remove_abandoned.cache_clear()
    process._remove_abandoned()
    assert not ours.exists() and others.exists()


def test_who_writes_while_it_prints_is_stopped(make_client: MakeClient) -> None:
    """Given a file that is never quiet while it fills its folder."""
    source = (
        "def player(board):\n    number = 0\n    while True:\n        number += 1\n        print('x' * 1000)\n"
        "        with open(f'f{number}', 'wb') as file:\n            file.write(b'x' * 900_000)\n"
    )
    client = make_client(source)
    reply = client.call("player", [])
    assert isinstance(reply, Lost) and reply.loss is Loss.BREACH and "wrote too much" in reply.detail


def test_a_deep_locked_folder_is_removed_without_rm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch(mode=0o444)
    (folder / "a" / "b").chmod(0o500)
    (folder / "a").chmod(0)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    process.remove(folder)
    assert not folder.exists()


@pytest.mark.parametrize(("age", "runs"), [(0, True), (100_000, False)])
def test_where_no_process_can_be_asked_after_a_days_old_folder_is_nobodys(
    age: float, runs: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "is_running", lambda process: None)
    os.utime(folder, (time.time() - age,) * 2)
    assert process.is_running(os.getpid(), folder) is runs
