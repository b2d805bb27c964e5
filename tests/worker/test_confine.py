"""The layers: that each is tried and told, and that the filter of system calls says what it should on both machines."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.core.errors import GraderFault
from grader.course.courses import ROOT
from grader.sandbox import layers, process
from grader.sandbox.layers import LAYERS, machine_layers, require_all
from grader.worker import seccomp
from tests.conftest import started
from tests.worker import kernel
from tests.worker.kernel import ALLOW, ARCHITECTURE, NO_SUCH_CALL, REFUSE

CALLS = {
    "x86_64": {"read": 0, "write": 1, "openat": 257, "socket": 41, "clone": 56, "execve": 59, "ptrace": 101, "kill": 62, "prlimit64": 302, "prctl": 157, "rt_sigaction": 13},
    "aarch64": {"read": 63, "write": 64, "openat": 56, "socket": 198, "clone": 220, "execve": 221, "ptrace": 117, "kill": 129, "prlimit64": 261, "prctl": 167, "rt_sigaction": 134},
}  # fmt: skip
CLONE3 = 435


def verdict_of(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Return what the filter of a worker says about a call."""
    program = seccomp.program(machine, 1234)
    return kernel.verdict_of(program, architecture or ARCHITECTURE[machine], number, *arguments)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_of_system_calls(machine: str) -> None:
    calls = CALLS[machine]
    for name in ("read", "write", "openat"):
        assert verdict_of(machine, calls[name]) == ALLOW
    for name in ("socket", "clone", "execve", "ptrace", "rt_sigaction"):
        assert verdict_of(machine, calls[name]) == REFUSE
    assert verdict_of(machine, CLONE3) == NO_SUCH_CALL
    assert verdict_of(machine, calls["read"], architecture=0x40000003) == REFUSE
    assert verdict_of(machine, 0x40000000 + calls["read"]) == REFUSE
    assert verdict_of(machine, calls["kill"], 1234) == ALLOW
    assert verdict_of(machine, calls["kill"], 1) == REFUSE
    assert verdict_of(machine, calls["prlimit64"], 0, 7, 0) == ALLOW
    assert verdict_of(machine, calls["prlimit64"], 0, 7, 5) == REFUSE
    assert verdict_of(machine, calls["prlimit64"], 0, 7, 5 << 32) == REFUSE
    assert verdict_of(machine, calls["prctl"], 15) == ALLOW
    assert verdict_of(machine, calls["prctl"], 22) == REFUSE


def test_every_layer_is_on_here() -> None:
    assert machine_layers() == dict.fromkeys(LAYERS, "")
    require_all()


def test_a_missing_layer_keeps_a_demanding_rubric_from_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        layers, "machine_layers", lambda: {**dict.fromkeys(LAYERS, ""), "files": "no Landlock"}
    )
    with pytest.raises(GraderFault, match=r"lacks part of it \(files: no Landlock\)"):
        require_all()


def test_a_demanding_rubric_grades_where_all_layers_are_on(tmp_path: Path) -> None:
    text = (ROOT / "rubric.yaml").read_text().replace("sandbox: best_effort", "sandbox: required")
    (tmp_path / "rubric.yaml").write_text(text)
    done = subprocess.run(
        [sys.executable, "run_grader.py", "--rubric", str(tmp_path / "rubric.yaml")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "Total  110 / 100" in done.stdout


def test_a_grader_that_is_killed_takes_its_workers_along(tmp_path: Path) -> None:
    """Its private folders are removed by the next one."""
    (tmp_path / "tictactoe.py").write_text("while True:\n    pass\n")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(ROOT / "run_grader.py"), str(tmp_path / "tictactoe.py")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as grader:
        while not (workers := _children(grader.pid)):
            time.sleep(0.05)
        time.sleep(0.5)
        grader.send_signal(signal.SIGKILL)
    time.sleep(0.5)
    assert not any(_is_alive(worker) for worker in workers)
    subprocess.run([*command[:2], "sandbox"], env=environment, check=True, stdout=subprocess.DEVNULL)
    assert not list(tmp_path.glob("home-*"))


def test_an_interrupted_grader_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text("while True:\n    pass\n")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(ROOT / "run_grader.py"), str(tmp_path / "tictactoe.py")]
    with started(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as grader:
        while not _children(grader.pid):
            time.sleep(0.05)
        time.sleep(1.0)
        grader.send_signal(signal.SIGINT)
        _, said = grader.communicate(timeout=90)
    assert grader.returncode == 130
    assert b"Traceback" not in said
    assert not list(tmp_path.glob("home-*"))


def _children(parent: int) -> list[int]:
    """Return a grader's workers: they are forked from its template."""
    return [worker for template in _forked_by(parent) for worker in _forked_by(template)]


def _forked_by(parent: int) -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except OSError:
        return []


def _is_alive(process: int) -> bool:
    """Return whether a process runs; one that nobody has reaped yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_folders_of_running_graders_are_left_alone() -> None:
    mine = process.new_folder()
    subprocess.run(
        [sys.executable, "run_grader.py", "sandbox"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    assert mine.exists()
    mine.rmdir()
