"""What a system lacks is named, and what stands in for it keeps to what that system can do."""

import os
import sys
from pathlib import Path

import pytest

from grader.core import system


@pytest.mark.parametrize(
    ("name", "windows"),
    [
        *((name, name) for name in ("tictactoe.py", "Ada Noon", "Bär", "com10", "console")),
        ("a:b", "a_b"),
        ('<>:"|?*\\', "_" * 8),
        ("tab\there", "tab_here"),
        ("dots..", "dots__"),
        ("blank ", "blank_"),
        ("CON", "_CON"),
        ("nul.py", "_nul.py"),
        ("aux .tar.gz", "_aux .tar.gz"),
        ("com1", "_com1"),
        ("LPT¹.txt", "_LPT¹.txt"),
    ],
)
def test_a_name_that_windows_does_not_take_is_replaced_there_and_only_there(
    name: str, windows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert system.file_name(name) == name
    monkeypatch.setattr(system, "HAS_WINDOWS_FILES", True)
    assert system.file_name(name) == windows
    assert system.file_name(windows) == windows


def test_what_workers_need_and_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.lacks_workers() == []
    monkeypatch.delattr(os, "waitid")
    monkeypatch.setitem(sys.modules, "resource", None)
    assert system.lacks_workers() == ["os.waitid", "resource"]


def test_a_process_is_asked_after_where_that_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.is_running(os.getpid()) and not system.is_running(4_000_000)
    monkeypatch.delattr(os, "getuid")
    monkeypatch.setattr(os, "kill", pytest.fail)
    assert system.is_running(os.getpid()) is None


def test_without_numbers_of_users_all_is_mine_and_the_name_tells_who(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o777)
    assert system.is_mine(tmp_path.stat()) and system.user() == str(os.getuid())
    assert not system.is_mine(tmp_path.stat(), alone=True)
    monkeypatch.delattr(os, "getuid")
    monkeypatch.setenv("USERNAME", "ada")
    assert system.is_mine(tmp_path.stat(), alone=True) and system.user() == "ada"


def test_processors_and_load_are_known_where_the_system_tells_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert system.processors() >= 1 and system.crowd() >= 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.delattr(os, "getloadavg")
    assert system.processors() == (os.cpu_count() or 1) and system.crowd() == 1
