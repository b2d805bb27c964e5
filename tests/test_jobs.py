"""The jobs of the command: their help, their examples, old spellings, and completion in a shell."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.jobs import JOBS, SHELLS
from grader.cli.main import main, options_of
from grader.course.courses import ROOT
from tests.classroom.conftest import contents, write_all
from tests.conftest import OUTSIDE

ENDLESS = ("audit", "benchmark", "mark", "watch")
"""Jobs of minutes, or until somebody ends them: tests/audit, CI, tests/browser and tests/test_watch.py run them."""


def help_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("job", JOBS)
def test_a_job_has_a_short_help_with_an_example(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys, job, "--help")
    options = [line for line in text.splitlines() if line.startswith("  -") and "-h, --help" not in line]
    assert len(options) <= 15
    assert f" {JOBS[job].example}\n" in text and JOBS[job].example.startswith(job)


def test_rare_options_are_in_the_whole_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--cluster" not in help_of(capsys, "class", "--help")
    assert "--cluster" in help_of(capsys, "class", "--help-all")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a student's file, and a class that was graded twice."""
    reference = (ROOT / "submission" / "tictactoe.py").read_text()
    folder = tmp_path_factory.mktemp("jobs")
    write_all(folder, {"path/to/tictactoe.py": reference, "in/ada/tictactoe.py": ""})
    shutil.make_archive(str(folder / "submissions"), "zip", folder / "in")
    for out in ("before", "grades"):
        assert main(["class", str(folder / "submissions.zip"), "--out", str(folder / out)]) == 0
    return folder


def typed(folder: Path, *words: str) -> str:
    """Run the command in a folder, as in a shell; return what it says beside its output."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_grader.py"), *words],
        cwd=folder, env=OUTSIDE, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("job", [job for job in JOBS if job not in ENDLESS])
def test_the_example_of_a_job_works_when_pasted(job: str, graded: Path) -> None:
    typed(graded, *shlex.split(JOBS[job].example))


@pytest.mark.parametrize("job", ENDLESS)
def test_the_example_of_an_endless_job_is_at_least_understood(job: str) -> None:
    assert options_of(shlex.split(JOBS[job].example)).job == job


def test_jobs_that_only_read_write_nothing(graded: Path) -> None:
    before = contents(graded)
    for words in (
        ["student", str(graded / "grades"), "ada"],
        ["diff", str(graded / "before"), str(graded / "grades")],
        ["course", "check"],
        ["course", "list"],
    ):
        assert main(words) == 0
    assert contents(graded) == before


def test_a_job_that_writes_says_what_it_wrote(graded: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("page.html", "grade.json", "junit.xml", "summary.md")]
    options = ["--html", "--json", "--junitxml", "--write markdown"]
    words = [word for pair in zip(options, files, strict=True) for word in (*pair[0].split(), str(pair[1]))]
    assert typed(graded, "path/to/tictactoe.py", *words).endswith(f"wrote {', '.join(map(str, files))}\n")
    assert all(file.is_file() for file in files)


def test_a_folder_with_the_name_of_a_job_is_written_with_a_dot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sandbox").mkdir()
    main(["sandbox"])
    assert "Landlock" in capsys.readouterr().out
    assert main(["./sandbox"]) == 2
    assert "no tictactoe.py in this folder" in capsys.readouterr().err


def test_the_same_by_every_name_of_the_command(tmp_path: Path) -> None:
    env = {**OUTSIDE, "PYTHONPATH": str(ROOT)}
    names = ([sys.executable, str(ROOT / "run_grader.py")], [sys.executable, "-m", "grader"])
    commands = [*names, [str(Path(sys.executable).parent / "tictactoe-grader")]]
    done = [
        subprocess.run([*name, "course", "list"], cwd=tmp_path, env=env, capture_output=True, check=True)
        for name in commands
    ]
    assert len({ended.stdout for ended in done}) == 1


@pytest.mark.parametrize(
    "line", ["--courses", "--play a.py", "grades --mark", "--pack site out", "--schema rubric"]
)
def test_an_old_spelling_is_an_unknown_option(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert "there is no option --" in capsys.readouterr().err


def completed(line: str, tmp_path: Path) -> set[str]:
    """Return what a shell would offer at the end of a command line."""
    file = tmp_path / "offered"
    environment = {
        **os.environ, "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(file), "COMP_LINE": line, "COMP_POINT": str(len(line)), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = [sys.executable, "-m", "grader"]
    subprocess.run(command, env=environment, cwd=tmp_path, check=False, capture_output=True)
    return {offer.strip() for offer in file.read_text().splitlines()}


def test_a_shell_completes_jobs_and_options(tmp_path: Path) -> None:
    assert "class" in completed("tictactoe-grader cl", tmp_path)
    assert completed("tictactoe-grader class --moo", tmp_path) == {"--moodle-worksheet"}
    assert {"list", "init", "check", "schema"} <= completed("tictactoe-grader course ", tmp_path)
    assert completed("tictactoe-grader pack grade", tmp_path) == {"gradescope"}
    assert completed("tictactoe-grader grade --course cs50", tmp_path) == {"cs50ai"}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--completion", shell]) == 0
    assert "tictactoe-grader" in capsys.readouterr().out


def test_words_that_a_newcomer_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a folder with a class in class/: the word help, a job without its path, a comparison with itself."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    assert main(["help"]) == 0
    assert capsys.readouterr().out.startswith("usage: ")
    assert main(["class"]) == 2
    assert "the folder of that name is ./class" in capsys.readouterr().err
    assert main(["class", "./class", "--out", "out", "--diff", "out"]) == 2
    assert "out: is written by this run: copy it first" in capsys.readouterr().err


def test_a_copy_of_the_rubric_is_named_by_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["course", "init", "mine"]) == 0
    assert "tictactoe.py --rubric mine\n" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path / "mine")
    assert main(["course", "check"]) == 0
    assert capsys.readouterr().out.startswith("rubric.yaml: no mistakes. ")
    fixture = tmp_path / "mine" / "fixtures" / "winner.yaml"
    fixture.write_text(fixture.read_text().replace("criterion: winner", "criterion: winer", 1))
    assert main(["course", "check", str(tmp_path / "mine")]) == 2
    assert "unknown criterion 'winer': the rubric has player, " in (said := capsys.readouterr().err)
    assert "; is winner meant?" in said


@pytest.mark.exhaustive
def test_who_has_a_file_here_is_told_that_the_reference_is_graded(graded: Path) -> None:
    assert typed(graded / "path" / "to").startswith("note: this is the reference; to grade your file: ")


def test_a_site_says_where_its_python_comes_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "site", str(tmp_path / "site")]) == 0
    said = capsys.readouterr().out
    assert "Python is loaded from cdn.jsdelivr.net" in said and f"http.server -d {tmp_path / 'site'}" in said
