"""The command as people use it: exit codes, output, sentences."""

import json
import os
import pty
import shutil
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import jsonschema
import pytest

from grader.cli.jobs import JOBS
from grader.cli.main import main, schema_text
from grader.course.courses import ROOT
from tests.submissions.files import file_of

FAULTY = file_of("winner_misses_the_anti_diagonal")
UNRUN = file_of("file_raises_on_import")


def run(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command in this process: a start of Python for each test would take longer than the tests."""
    given = [str(word) for word in arguments]
    with chdir(cwd), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            code = main(given)
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(given, code, out.getvalue(), err.getvalue())


def refused(*arguments: object, cwd: Path = ROOT) -> str:
    """Run the command with something that it refuses; return what it says."""
    done = run(*arguments, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, "") and "Traceback" not in done.stderr
    return done.stderr


def course(folder: Path, criterion: str, fixture: str, test: str) -> None:
    """Write a course with a criterion, a case and an instructor's own test."""
    (folder / "fixtures").mkdir()
    (folder / "rubric.yaml").write_text(f"title: T\ncriteria:\n  - {criterion}\n")
    (folder / "fixtures" / "player.yaml").write_text(f"criterion: player\ncases:\n  - {fixture}\n")
    (folder / "fixtures" / "test_own.py").write_text(test)


def test_without_arguments_the_reference_is_graded() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Total  110 / 100" in done.stdout
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


@pytest.mark.parametrize("literal", [r"\udcff", r"\x1b[2J", r"\n", r"\x9b", r"\u202e"])
def test_what_a_submission_says_is_text_in_every_output(tmp_path: Path, literal: str) -> None:
    """Half a character in the name of a module ended `--json` with a traceback; the others came through."""
    name = "tic\x1b\x9b\u202e\n\udcff.py"
    source = f'def player(board):\n    """\\f"""\n    raise ValueError("{literal}")\n\n\ndef f():\n    __import__("{literal}")\n'
    (tmp_path / name).write_text(source)
    out = {kind: tmp_path / f"out.{kind}" for kind in ("json", "xml", "html")}
    options = ("--all", "--json", out["json"], "--junitxml", out["xml"], "--html", out["html"])
    done = run(name, *options, cwd=tmp_path)
    assert done.returncode == 0
    texts = [done.stdout, done.stderr, *(file.read_text() for file in out.values())]
    texts += [run(name, "--json", "-", cwd=tmp_path).stdout]
    assert all(not set(text) & set("\x1b\x9b\u202e\udcff") for text in texts)
    assert rf"line 7 imports {literal}" in done.stdout
    assert r"tic\x1b\x9b\u202e\n\udcff.py" in done.stdout
    assert json.loads(texts[2])["submission"] == r"tic\x1b\x9b\u202e\n\udcff.py"
    missing = run("no\x1b\u202e.py", cwd=tmp_path)
    assert missing.stderr == "error: no\\x1b\\u202e.py: no such file or folder\n"


def test_a_report_names_board_call_expectation_answer_and_reason() -> None:
    done = run(FAULTY)
    assert done.returncode == 0
    for piece in (
        "1. winner  never sees the anti-diagonal",
        "call      winner(board)",
        "expected  'X'",
        "got       None",
        "With a correct `winner` your `terminal`, `utility` and `minimax` are right too.",
    ):
        assert piece in done.stdout
    every = run(FAULTY, "--all").stdout
    reason = "O has three in a row: the anti-diagonal."
    for piece in ("winner/o-anti-diagonal  failed", "───┼───┼───", reason, "terminal/every-board"):
        assert piece in every and piece not in done.stdout


def test_students_see_public_cases_and_how_many_are_hidden() -> None:
    student = run(FAULTY, "--student", "--all").stdout
    for piece in ("terminal/every-board", " hidden cases", "never-loses-as-x"):
        assert piece in student
    assert "reply-right" not in student


def test_json_goes_to_a_file_or_down_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "grade.json"
    assert run(UNRUN, "--json", file).returncode == 0
    piped = run(UNRUN, "--json", "-")
    schema = json.loads(schema_text("grade"))
    for data in (json.loads(file.read_text()), json.loads(piped.stdout)):
        jsonschema.validate(data, schema)
        assert data["score"] == 5


def test_a_grade_that_falls_short_has_its_exit_code() -> None:
    assert run(UNRUN, "--fail-under", 5).returncode == 0
    assert run(UNRUN, "--fail-under", 5.5).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.py"], "error: nowhere.py: no such file or folder"),
        (["docs"], "error: docs: no tictactoe.py in this folder"),
        (["audit", "submission", "docs"], "this takes one path, not several"),
        (["--rubric", "nowhere.yaml"], "error: nowhere.yaml: cannot be read: No such file or directory"),
        (["--fixtures", "nowhere"], "error: nowhere: no such folder of fixtures"),
        (["--json", "/nowhere/x.json"], "error: /nowhere/x.json: no such folder to write to"),
        (["--fail-under", "nan"], "argument --fail-under: 'nan' is no number of points"),
        (["--colour"], "error: there is no option --colour"),
        (["--jsn", "x"], "error: there is no option --jsn; is --json meant?"),
        (["mark", ".", "--anonymos"], "error: there is no option --anonymos; is --anonymous meant?"),
        (["clas"], "error: there is no job and no file 'clas'; is the job class meant?"),
        (["course", "chek"], "invalid choice: 'chek'"),
        (["course"], "the following arguments are required"),
        (["diff", "docs"], "the following arguments are required: NEW"),
        (["student", "docs", "Ada"], "docs: there are no grades here"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_two(arguments: list[str], sentence: str) -> None:
    assert sentence in refused(*arguments)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "rubric.yaml:1: is empty"),
        ("title: T\ntitle: U\n", "rubric.yaml:2: the key 'title' is given twice"),
        ("a: &a [x]\nb: [*a, *a]\n", "rubric.yaml:2: aliases"),
        ("title: T\ncriteria:\n  - id: a\n    description: d\n    points: -5\n", "rubric.yaml:5: 'points'"),
        ("title: T\npoints: 3\n", "rubric.yaml:1: the key 'criteria' is missing"),
    ],
)
def test_a_broken_rubric_grades_nobody(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "rubric.yaml").write_text(text)
    assert sentence in refused("--rubric", tmp_path / "rubric.yaml")


@pytest.mark.parametrize("words", ["tictactoe.py", "./class", "./class --out out", "class class", "audit"])
def test_all_mistakes_of_a_course_are_told_by_every_job(tmp_path: Path, words: str) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    for name in ("class/ada/tictactoe.py", "tictactoe.py"):
        (tmp_path / name).write_text("")
    criterion = "{id: player, description: d, ponits: 5}\nbonus: 3"
    course(tmp_path, criterion, "{id: a, boards: most}", "import pytest\n\ndef test_it(:\n    pass\n")
    head, *lines = refused(*words.split(), "--rubric", "rubric.yaml", cwd=tmp_path).splitlines()
    assert head == "error: 4 mistakes to fix:"
    places = ["rubric.yaml:3", "rubric.yaml:4", "fixtures/player.yaml:3", "fixtures/test_own.py:3"]
    assert [line.split(": ")[0] for line in lines] == places
    assert not (tmp_path / "out").exists() and not (tmp_path / "grades").exists()


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("def test_it()\n    pass\n", "1: not valid Python: expected ':'"),
        ("\nNOTHING\n", "2: cannot be imported: NameError: name 'NOTHING' is not defined"),
        ("import nosuch\n", "1: cannot be imported: ModuleNotFoundError: No module named 'nosuch'"),
        ("def test_it(): pass\n", "1: test_it names no criterion: mark it, as in "),
    ],
)
def test_a_mistake_in_an_own_test_is_a_sentence_with_its_place(tmp_path: Path, test: str, told: str) -> None:
    course(tmp_path, "{id: player, description: d, points: 5}", "{id: a, boards: running}", test)
    said = refused(UNRUN, "--rubric", "rubric.yaml", cwd=tmp_path)
    assert said.startswith(f"error: fixtures/test_own.py:{told}") and len(said.splitlines()) == 1


def test_a_fault_of_the_grader_has_its_own_exit_code(tmp_path: Path) -> None:
    test = "import pytest\n@pytest.mark.criterion('quality')\ndef test_broken(submission):\n    {}['key']\n"
    fixtures = tmp_path / "fixtures"
    shutil.copytree(ROOT / "fixtures", fixtures, ignore=shutil.ignore_patterns("*.py"))
    (fixtures / "test_own.py").write_text(test)
    done = run(UNRUN, "--fixtures", fixtures)
    assert done.returncode == 3
    assert "The grader failed here" in done.stdout
    assert "quality/test_broken: KeyError: 'key'" in done.stdout


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("ValueError('strange')", ["Traceback", "ValueError: strange", "error: the grader itself failed"]),
        ("ModuleNotFoundError(name='yaml')", ["yaml is not installed. Set the grader up first"]),
    ],
)
def test_an_unexpected_error_is_not_taken_for_a_grade_that_falls_short(error: str, told: list[str]) -> None:
    code = (
        "import sys, grader.cli.main as cli, grader.__main__ as start\n"
        f"def fail(*given): raise {error}\n"
        "cli.main, sys.argv = fail, ['grader', '--schema', 'rubric']\n"
        "start.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert all(piece in done.stderr for piece in told)


@pytest.mark.parametrize("name", ["rubric", "fixture", "grade", "adjustments"])
def test_the_schema_is_printed_and_shipped(name: str) -> None:
    done = run("course", "schema", name)
    assert done.returncode == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(done.stdout))
    assert (ROOT / "grader" / "schemas" / f"{name}.json").read_text() == done.stdout


def test_the_shipped_files_point_to_their_schema() -> None:
    for file in [ROOT / "rubric.yaml", *(ROOT / "fixtures").glob("*.yaml")]:
        first = file.read_text().splitlines()[0]
        schema = first.removeprefix("# yaml-language-server: $schema=")
        assert (file.parent / schema).is_file(), file


def test_help_teaches() -> None:
    done = run("--help")
    assert "exit codes:" in done.stdout
    assert all(f"\n  {name} " in done.stdout for name in JOBS)


def test_a_reader_who_leaves_early_gets_no_traceback() -> None:
    command = f"{sys.executable} run_grader.py {UNRUN} --json - | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_terminal_gets_colour_and_progress() -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "run_grader.py", str(UNRUN)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    terminal = (follower,) * 3  # standard input, output and error
    with subprocess.Popen(command, -1, None, *terminal, cwd=ROOT, env=environment) as child:
        os.close(follower)
        output = b""
        with suppress(OSError):  # when the command has ended
            while part := os.read(leader, 65536):
                output += part
    os.close(leader)
    assert child.returncode == 0
    assert b"\x1b[" in output
    assert b"judging" in output


def test_an_engine_without_full_marks_is_no_reference() -> None:
    said = refused("audit", UNRUN)
    assert "has 5 of 100 points: only an engine with full marks can be the reference" in said


def test_pytests_own_report_is_not_for_students(tmp_path: Path) -> None:
    said = refused(FAULTY, "--student", "--junitxml", tmp_path / "x.xml")
    assert "--junitxml lists hidden cases, too: for students say '--write junit FILE'" in said
    assert not (tmp_path / "x.xml").exists()


def test_who_has_no_minimax_is_not_played_against(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def player(board):\n    return 'X'\n")
    run(tmp_path / "a.py", "--json", tmp_path / "a.json")
    grade = json.loads((tmp_path / "a.json").read_text())
    assert (grade["policy"], grade["sweep"], grade["first_move"]) == (None, None, None)
    (minimax,) = (criterion for criterion in grade["criteria"] if criterion["id"] == "minimax")
    assert {case["code"] for case in minimax["verdicts"] if case["weight"]} == {"missing"}


NOTEBOOK = {"cells": [{"cell_type": "code", "source": "def player(board):\n    return 'X'\n"}], "nbformat": 4}


@pytest.mark.parametrize("name", ["tictactoe.py", "work.ipynb"])
def test_what_is_no_python_file_is_not_gradable_and_not_0(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps(NOTEBOOK))
    out = {kind: tmp_path / f"out.{kind}" for kind in ("json", "html", "gradescope", "prairielearn", "vpl")}
    places = [
        part for place in ("gradescope", "prairielearn", "vpl") for part in ("--write", place, out[place])
    ]
    for path in (tmp_path / name, tmp_path):
        done = run(path, "--json", out["json"], "--html", out["html"], *places)
        assert done.returncode == 3 and done.stderr.startswith("wrote ")
        assert "Total  not gradable: a person has to look" in done.stdout
        assert "The file is a notebook" in done.stdout and " / 100" not in done.stdout
    grade = json.loads(out["json"].read_text())
    jsonschema.validate(grade, json.loads(schema_text("grade")))
    assert grade["not_gradable"].startswith("The file is a notebook")
    junit = run(tmp_path, "--write", "junit", "-").stdout
    assert 'failures="0"' in junit and 'skipped="0"' in junit and 'errors="0"' not in junit
    assert {case["status"] for criterion in grade["criteria"] for case in criterion["verdicts"]} == {
        "skipped"
    }
    assert "Not gradable" in out["html"].read_text()
    told = json.loads(out["gradescope"].read_text())
    assert "score" not in told and len(told["tests"]) == 1
    assert json.loads(out["prairielearn"].read_text())["gradable"] is False
    assert "Grade :=>>" not in out["vpl"].read_text()


def test_a_notebook_is_graded_by_its_cells_if_the_rubric_says_so(tmp_path: Path) -> None:
    (tmp_path / "work.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "rubric.yaml").write_text("extends: default\nnotebooks: true\n")
    done = run(tmp_path / "work.ipynb", "--rubric", tmp_path / "rubric.yaml", "--html", tmp_path / "out.html")
    assert done.returncode == 0 and "Total  not gradable" not in done.stdout
    assert "The file is a notebook: its code cells were graded" in done.stdout
    assert "# Cell 1" in (tmp_path / "out.html").read_text()


def test_helpers_are_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text("from extra import player\n")
    (tmp_path / "extra.py").write_text("import os\n\n\ndef player(board):\n    return 'X'\n")
    done = run(tmp_path / "tictactoe.py", "--html", tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text()
    assert "<h3>extra.py</h3>" in page and page.count('id="L1"') == 1
    assert "extra.py, line 1: `os` imported but unused (F401)" in done.stdout
    assert '<a href="#L1">extra.py' not in page
