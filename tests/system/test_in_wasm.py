"""What Windows and macOS lack is lacking, and WebAssembly confines submissions: a file, and a class."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.submissions import PLAIN
from tests.system.running import GRADED_AS, LACKING, WRONG, pack_class, run, scores, small, told

pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
pytest.importorskip("componentize_py", reason="componentize-py is not installed: pip install -e '.[wasm]'")

from grader.sandbox.wasm import ready


@pytest.fixture(scope="module")
def lacking() -> dict[str, str]:
    """Give the environment of a system that has WebAssembly alone, with the component that all tests share."""
    ready()
    return {"GRADER_LACKING": "workers", "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}


@pytest.mark.parametrize("chosen", [[], ["--sandbox-kind", "wasm"]], ids=["auto", "wasm"])
def test_a_file_is_graded(chosen: list[str], lacking: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(WRONG)
    words = ["tictactoe.py", *small(tmp_path), *chosen, "--json", "grade.json"]
    assert "Total  6 / 15" in told(run(tmp_path, *words, **lacking))
    grade = json.loads((tmp_path / "grade.json").read_text("utf-8"))
    assert (grade["score"], grade["boundary"]["kind"]) == (6, "wasm")


@pytest.mark.exhaustive
def test_a_class_is_graded_by_two_clerks_and_resumed(lacking: dict[str, str], tmp_path: Path) -> None:
    pack_class(tmp_path)
    how = ["class", "class.zip", *small(tmp_path), "--sandbox-kind", "wasm", "--out", "grades", "--jobs", "2"]
    said = told(run(tmp_path, *how, **lacking))
    assert scores(tmp_path / "grades") == GRADED_AS
    (tmp_path / "grades/grades/Bo.json").unlink()
    again = run(tmp_path, *how, **lacking)
    assert again.stderr.decode().count("(unchanged)") == 2 and told(again) == said
    assert scores(tmp_path / "grades") == GRADED_AS


@pytest.mark.exhaustive
def test_a_game_is_played_down_a_pipe(lacking: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    assert "It takes" in told(run(tmp_path, "play", "tictactoe.py", given="X\n5\nq\n", **lacking))


def test_the_component_is_locked_and_kept_without_what_windows_lacks(tmp_path: Path) -> None:
    """Given two processes that start at once: one builds it, and the other finds it built."""
    program = (
        "import time\n"
        "from grader.sandbox import component\n"
        "def build(target):\n"
        "    time.sleep(0.5)\n"
        "    target.write_bytes(b'component')\n"
        "    print('built')\n"
        "component.build = build\n"
        "assert component.content() == b'component'\n"
    )
    env = {**LACKING, "GRADER_LACKING": "workers", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate(timeout=120)[0] for process in both) == ["", "built\n"]
    assert not any(process.returncode for process in both)
