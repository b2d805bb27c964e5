"""All that a grade, a class, marking, pages, packs and `play` need works with what Windows and macOS have.

Each command runs in a process of its own that lacks the rest (see lacking/sitecustomize.py), on a cp1252
console, where every file that is opened without a named encoding is an error.
"""

import html
import io
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import GRADED, GRADER_FAILED
from grader.course.courses import ROOT
from tests.submissions import PLAIN
from tests.system.running import GRADED_AS, LACKING, WRONG, pack_class, run, scores, small, told


@pytest.fixture(scope="module")
def of_class(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], str]:
    """Give a folder with a class that was graded by two clerks, how, and what was said."""
    folder = tmp_path_factory.mktemp("lacking")
    how = ["class", "class.zip", *small(folder), "--out", "grades", "--jobs", "2"]
    pack_class(folder)
    return folder, how, told(run(folder, *how))


def test_the_stand_in_lacks_what_it_says(tmp_path: Path) -> None:
    """Given a process with that folder in its path: modules, functions and names of files are gone."""
    program = "\n".join(
        f"try:\n    {line}\n    print({line!r})\nexcept (AssertionError, AttributeError, ImportError, OSError):\n    pass"
        for line in (
            "import fcntl", "import resource", "import termios", "import pwd", "import pty", "import os; os.fork()", "os.getuid()",
            "import socket; socket.AF_UNIX", "import select; select.poll()", "import signal; signal.SIGKILL", "open('/proc/self/stat')",
            "open('CON.json', 'w')", "open('a:b', 'w')", "import subprocess; subprocess.Popen(['true'], start_new_session=True)",
            "open('held', 'w', encoding='utf-8').close(); held = open('held', encoding='utf-8'); os.replace('.', 'held')",
        )
    )  # fmt: skip
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=LACKING, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_one_file_is_graded_and_shown_on_any_console(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(WRONG)
    words = ["tictactoe.py", *small(tmp_path), "--json", "grade.json", "--html", "page.html"]
    text = told(run(tmp_path, *words))
    grade = json.loads((tmp_path / "grade.json").read_text("utf-8"))
    assert grade["score"] == 6 and "Total  6 / 15" in text and "█" in text
    assert b"\r" not in (tmp_path / "grade.json").read_bytes() + (tmp_path / "page.html").read_bytes()
    assert "Total  6 / 15  " in run(tmp_path, *words, PYTHONIOENCODING="cp1252").stdout.decode("cp1252")


@pytest.mark.exhaustive
def test_a_class_is_graded_by_two_clerks_and_resumed(of_class: tuple[Path, list[str], str]) -> None:
    """Given students whose names are no names of files on Windows."""
    folder, how, said = of_class
    records = [json.loads(file.read_text("utf-8")) for file in (folder / "grades/grades").glob("*.json")]
    assert scores(folder / "grades") == GRADED_AS
    assert sorted(record["key"] for record in records) == ["Ada_Noon", "Bo", "_CON"]
    assert "Everything is in grades/" in said
    before = {file: file.read_bytes() for file in (folder / "grades").rglob("*") if file.is_file()}
    again = run(folder, *how)
    assert again.stderr.decode().count("(unchanged)") == 3 and told(again) == said
    assert {file: file.read_bytes() for file in before} == before


def test_a_member_of_the_class_and_a_comparison_are_shown(of_class: tuple[Path, list[str], str]) -> None:
    folder, _, _ = of_class
    said = told(run(folder, "student", "grades", "ada", "--html", "ada.html"))
    assert "Ada Noon" in said or (folder / "ada.html").is_file()
    assert told(run(folder, "diff", "grades", "grades"))


@pytest.mark.exhaustive
def test_marking_answers_and_keeps_a_decision(of_class: tuple[Path, list[str], str]) -> None:
    folder, _, _ = of_class
    command = [sys.executable, str(ROOT / "run_grader.py"), "mark", "grades"]
    with subprocess.Popen(
        command, cwd=folder, env=LACKING, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as serving:
        assert serving.stdout
        try:
            lines = iter(serving.stdout.readline, b"")
            address, _, key = (
                next(line for line in lines if line.startswith(b"http")).decode().strip().partition("#key=")
            )
            first = json.loads(asked(address, key, "start"))["first"]
            page = asked(address, key, f"students/{first}").decode()
            about = re.search(r'data-plain="([^"]*)"', page)
            form = re.search(
                r'data-criterion="design"[^>]*data-revision="([^"]*)"|data-revision="([^"]*)"[^>]*data-criterion="design"',
                page,
            )
            assert about and form
            wish = {
                "student": first,
                "kind": "points",
                "by": "Bob",
                "criterion": "design",
                "points": 5,
                "revision": html.unescape(form[1] or form[2]),
            }
            asked(address, key, "decide", wish)
        finally:
            serving.terminate()
            assert serving.wait(60) in (0, -15)
    assert "points: 5" in (folder / "grades/marks.yaml").read_text("utf-8")


def asked(address: str, key: str, path: str, body: Any = None) -> bytes:
    raw = None if body is None else json.dumps(body).encode()
    headers = {"x-marking-key": key, "origin": address.rstrip("/")}
    with urllib.request.urlopen(urllib.request.Request(address + path, raw, headers), timeout=60) as answer:
        return bytes(answer.read())


def test_the_site_is_packed_as_elsewhere(tmp_path: Path) -> None:
    """The archive for the browser has the same members, named with slashes, as one that is made on Linux."""
    told(run(tmp_path, "pack", "site", "site"))
    with zipfile.ZipFile(io.BytesIO((tmp_path / "site/grader.zip").read_bytes())) as packed:
        names = packed.namelist()
    assert "grader/core/judging.py" in names and not any("\\" in name for name in names)
    assert all(b"\r" not in file.read_bytes() for file in (tmp_path / "site").glob("*.js"))


@pytest.mark.exhaustive
def test_a_game_is_played_down_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    text = told(run(tmp_path, "play", "tictactoe.py", given="X\n5\nq\n"))
    assert "It takes" in text and "───┼───┼───" in text


def test_who_has_seen_enough_ends_the_output(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(ROOT / "run_grader.py"), "tictactoe.py", *small(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, env=LACKING, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert done.returncode == GRADED and b"Traceback" not in done.stderr


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    "more", [{}, {"GRADER_LACKING": "", "PYTHONPATH": str(ROOT)}], ids=["lacking", "here"]
)
def test_an_own_test_that_never_ends_is_ended_and_costs_nobody_a_point(
    more: dict[str, str], tmp_path: Path
) -> None:
    """Given an instructor's test that loops, with a timeout, on a system with and without an alarm."""
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    how = small(tmp_path)
    (tmp_path / "cases/test_own.py").write_text(OWN)
    said = told(run(tmp_path, "tictactoe.py", *how, **more), GRADER_FAILED)
    assert "player/test_endless: Failed: the test has not ended after 1 seconds" in said
    assert "1 not judged" in said and "test_after_it" not in said


OWN = """
import pytest

@pytest.mark.criterion("player")
@pytest.mark.timeout(1)
def test_endless(submission):
    while True:
        pass

@pytest.mark.criterion("player")
@pytest.mark.timeout(60)
def test_after_it(submission):
    pass
"""
NOTHING_RUNS = ["tictactoe.py"], ["class", "."], ["play", "tictactoe.py"], ["sandbox"]


@pytest.mark.parametrize("words", NOTHING_RUNS, ids=lambda words: words[0])
def test_without_anything_to_run_it_the_command_says_what_to_install(
    words: list[str], tmp_path: Path
) -> None:
    for name in ("tictactoe.py", "other.py"):
        (tmp_path / name).write_text(PLAIN)
    done = run(tmp_path, *words, GRADER_LACKING="nothing")
    assert told(done, GRADER_FAILED) == ""
    (said,) = done.stderr.decode().splitlines()
    assert said.startswith("error: no submission can be run on this system without WebAssembly (it lacks ")
    assert said.endswith("Nobody was graded: pip install 'tictactoe-grader[wasm]'")


@pytest.mark.parametrize("words", [["grade", "program"], ["class", "class"]], ids=["one", "class"])
def test_a_terminal_program_needs_linux(words: list[str], tmp_path: Path) -> None:
    """Given a course whose kind is `program`: nobody is graded, in one sentence."""
    for folder in ("program", "class/ada", "class/bo"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "game.py").write_text("print('Welcome')\n")
    done = run(tmp_path, *words, "--course", "cpsc352")
    assert told(done, GRADER_FAILED) == "" and not (tmp_path / "grades/grades").exists()
    (said,) = done.stderr.decode().splitlines()
    assert "run by Linux alone" in said and "WSL2" in said and "container" in said
