"""The package as people install it: a wheel, in an environment of its own, run in an empty folder."""

import json
import site
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.courses import ROOT
from tests.conftest import OUTSIDE

REFERENCE = (ROOT / "submission" / "tictactoe.py").read_text()
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Give a function that runs a program of an environment into which the wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", symlinks=True)
    python = folder / "environment" / "bin" / "python"
    install = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    # What the grader depends on is borrowed; the checkout is not: a path file inside a borrowed folder is not read.
    (packages,) = (folder / "environment" / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()))

    def run(program: str, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
        command = [str(python.with_name(program)), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=OUTSIDE, check=False)
        assert done.returncode == 0, done.stderr
        return done

    return run


def test_it_runs_from_its_own_files(run: Run, tmp_path: Path) -> None:
    code = "import sys; from grader.course.courses import ROOT; print(ROOT, *sys.path, sep='\\n')"
    root, *paths = run("python", "-c", code, cwd=tmp_path).stdout.splitlines()
    assert Path(root).parts[-2:] == ("grader", "shipped")
    assert str(ROOT) not in paths


def test_a_file_in_an_empty_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "alice.py").write_text(REFERENCE)
    done = run("tictactoe-grader", "alice.py", cwd=tmp_path)
    assert "Total  110 / 100" in done.stdout
    assert sorted(file.name for file in tmp_path.iterdir()) == ["alice.py"]


def test_without_a_path_the_shipped_reference_is_graded(run: Run, tmp_path: Path) -> None:
    done = run("python", "-m", "grader", cwd=tmp_path)
    assert "Total  110 / 100" in done.stdout


@pytest.mark.exhaustive
def test_a_class(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ada/tictactoe.py", REFERENCE)
        archive.writestr("bob/tictactoe.py", "import nothing_there\n")
    run("tictactoe-grader", "class.zip", "--out", "grades", cwd=tmp_path)
    assert (tmp_path / "grades" / "gradebook.csv").read_text().count("\n") == 3


@pytest.mark.exhaustive
def test_a_wheel_carries_the_sandbox(run: Run, tmp_path: Path) -> None:
    """Given a new user's cache and no componentize-py: the component is the wheel's, and is compiled alone."""
    for module in ("wasmtime", "componentize_py"):
        pytest.importorskip(module, reason=f"{module} is not installed: pip install -e '.[wasm]'")
    (tmp_path / "alice.py").write_text(REFERENCE)
    code = (
        "import os, sys; sys.modules['componentize_py'] = None; os.environ['XDG_CACHE_HOME'] = os.getcwd(); "
        "from grader.__main__ import main; sys.exit(main())"
    )
    words = ("alice.py", "--sandbox-kind", "wasm", "--json", "grade.json")
    done = run("python", "-c", code, *words, cwd=tmp_path)
    assert "preparing the sandbox, once" in done.stderr and "Total  110 / 100" in done.stdout
    grade = json.loads((tmp_path / "grade.json").read_text())
    assert grade["boundary"]["kind"] == "wasm"
    assert not list((tmp_path / "tictactoe-grader" / "wasm").glob("*.wasm"))


@pytest.mark.exhaustive
def test_courses_and_pages_come_along(run: Run, tmp_path: Path) -> None:
    assert "cs50ai" in run("tictactoe-grader", "course", "list", cwd=tmp_path).stdout
    done = run("tictactoe-grader", "--course", "cs50ai", "--html", "page.html", cwd=tmp_path)
    assert "30 / 30" in done.stdout
    assert "Play against it" in (tmp_path / "page.html").read_text()


@pytest.mark.exhaustive
def test_it_packs_itself_for_a_place(run: Run, tmp_path: Path) -> None:
    run("tictactoe-grader", "pack", "gradescope", "autograder.zip", cwd=tmp_path)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive:
        (wheel,) = (name for name in archive.namelist() if name.endswith(".whl"))
        archive.extract(wheel, tmp_path)
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        assert {"grader/shipped/rubric.yaml", "grader/places/packs/grade.sh"} <= set(archive.namelist())


def test_a_copy_to_change(run: Run, tmp_path: Path) -> None:
    run("tictactoe-grader", "course", "init", "mine", cwd=tmp_path)
    rubric = tmp_path / "mine" / "rubric.yaml"
    text = rubric.read_text()
    assert "title: Tic-Tac-Toe with minimax" in text
    rubric.write_text(text.replace("title: Tic-Tac-Toe with minimax", "title: My own"))
    (tmp_path / "bob.py").write_text("def (\n")
    options = ("--rubric", str(rubric), "--fixtures", "mine/fixtures")
    done = run("tictactoe-grader", "bob.py", *options, cwd=tmp_path)
    assert done.stdout.startswith("My own · bob.py")


@pytest.mark.exhaustive
def test_the_benchmarks_come_along(run: Run, tmp_path: Path) -> None:
    code = (
        "import pytest; from grader.benchmark import BENCHMARKS; "
        "arguments = ['-pgrader.grading.plugin', '-c/dev/null', '-pno:cacheprovider', '-k', 'four']; "
        "pytest.main([str(BENCHMARKS), *arguments])"
    )
    done = run("python", "-c", code, cwd=tmp_path)
    assert "failed" not in done.stdout and "4 passed" in done.stdout, done.stdout
