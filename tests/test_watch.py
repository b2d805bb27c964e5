"""`watch FILE`: a file is graded again when it is saved, and what changed comes first."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from grader.cli.main import main
from grader.course.courses import ROOT
from tests.conftest import OUTSIDE, started
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS


def until(stream: IO[str], words: str) -> list[str]:
    """Return the lines of a stream up to one that holds some words."""
    lines = []
    for line in stream:
        lines.append(line.rstrip("\n"))
        if words in line:
            return lines
    raise AssertionError(lines)


@pytest.mark.exhaustive
def test_what_was_mended_comes_first_and_ctrl_c_ends_it_with_a_line(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(FAULTS["winner_misses_columns"].source)
    command = [sys.executable, "run_grader.py", "watch", str(file), "--student"]
    watching = started(
        command, cwd=ROOT, env=OUTSIDE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert watching.stdout
    try:
        first = until(watching.stdout, "save it to grade it again")
        assert any("What to fix first" in line for line in first)
        saved = tmp_path / "saved"
        saved.write_text(PLAIN)
        os.replace(saved, file)  # noqa: PTH105 - as editors do
        again = until(watching.stdout, "save it to grade it again")
        changes = [line for line in again if line]
        assert "points became" in changes[0] and changes[1].startswith("`winner` fixed: +")
        assert changes[2].startswith("Tic-Tac-Toe with minimax")
        watching.send_signal(signal.SIGINT)
        assert until(watching.stdout, "watched") == ["", f"watched {file}: graded 2 times"]
        assert watching.wait(60) == 0
    finally:
        watching.kill()
        watching.stdout.close()
        watching.wait()


def test_a_class_is_not_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ada", "bob"):
        (tmp_path / f"{name}.py").write_text(PLAIN)
    assert main(["watch", str(tmp_path)]) == 2
    assert "no tictactoe.py in this folder" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_not_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "nowhere.py"]) == 2
    assert "no such file" in capsys.readouterr().err
