"""`--write PLACE FILE`: the file is there and valid, whatever becomes of the grade."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.course.courses import ROOT
from grader.grading.session import Settings
from grader.places import WRITTEN_FOR
from tests.classroom.conftest import WRONG
from tests.conftest import OUTSIDE
from tests.places.conftest import Refused
from tests.places.contracts import Classroom50, Gradescope, PrairieLearn, junit_outcomes, vpl_grade
from tests.submissions import PLAIN

Run = Callable[..., int]
NAMES = {"player/start", "player/hidden", "terminal/start"}


@pytest.fixture
def run(small: Settings) -> Run:
    """Give a function that runs the command with the small rubric."""

    def run(*arguments: str | Path) -> int:
        given = ["--rubric", small.rubric_file, "--fixtures", small.fixtures, *arguments]
        return main([str(argument) for argument in given])

    return run


def everywhere(folder: Path) -> list[str | Path]:
    return [argument for place in WRITTEN_FOR for argument in ("--write", place, folder / place)]


def numbers(folder: Path) -> tuple[float | None, float | None, float | None, tuple[int, int]]:
    """Return the score as Gradescope, VPL, PrairieLearn and Classroom 50 find it; all files must be valid."""
    gradescope = Gradescope.model_validate_json((folder / "gradescope").read_text())
    classroom = Classroom50.model_validate_json((folder / "classroom50").read_text())
    prairielearn = PrairieLearn.model_validate_json((folder / "prairielearn").read_text())
    assert (folder / "release-body.md").read_text() == (folder / "markdown").read_text()
    return (
        gradescope.score,
        vpl_grade((folder / "vpl").read_text()),
        prairielearn.score,
        (classroom.score, classroom.maximum),
    )


def test_one_grade_for_every_place(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bob.py").write_text(WRONG)
    assert run(tmp_path / "bob.py", *everywhere(tmp_path)) == 0
    assert numbers(tmp_path) == (6, 6, 0.6, (6, 10))
    assert "Total  6 / 10" in capsys.readouterr().out
    assert junit_outcomes((tmp_path / "junit").read_text()) == {
        "player/start": "failure",
        "player/hidden": "passed",
        "terminal/start": "passed",
    }
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(".part")]


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_standard_output_has_it_instead_of_the_report(
    run: Run, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ada.py").write_text(PLAIN)
    assert run(tmp_path / "ada.py", "--write", place, "-") == 0
    printed = capsys.readouterr().out
    assert "Graded in" not in printed
    if place == "vpl":
        assert vpl_grade(printed) == 10


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (["nowhere.py"], "This could not be graded: nowhere.py: no such file or folder"),
        (["--course", "cs51ai"], "This could not be graded: there is no course 'cs51ai'"),
    ],
)
def test_bad_input_is_told_and_is_no_zero(
    broken: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*broken, *map(str, everywhere(tmp_path))]) == 2
    assert numbers(tmp_path) == (None, None, None, (0, 0))
    for place in ("gradescope", "vpl", "prairielearn", "junit"):
        assert sentence in (tmp_path / place).read_text()
    assert "error: " in capsys.readouterr().err


def test_a_broken_rubric_is_told_too(run: Run, small: Settings, tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(PLAIN)
    small.rubric_file.write_text("title: T\ncriteria: 3\n")
    assert run(tmp_path / "ada.py", *everywhere(tmp_path)) == 2
    assert numbers(tmp_path) == (None, None, None, (0, 0))
    assert junit_outcomes((tmp_path / "junit").read_text()) == {"grading": "error"}


def test_names_stay_the_same_without_a_grade(run: Run, tmp_path: Path) -> None:
    assert run(tmp_path / "nobody.py", *everywhere(tmp_path)) == 2
    outcomes = junit_outcomes((tmp_path / "junit").read_text())
    assert set(outcomes) == NAMES and set(outcomes.values()) == {"error"}


def test_a_fault_of_the_grader_is_nobodys_zero(run: Run, small: Settings, tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(PLAIN)
    test = "import pytest\n@pytest.mark.criterion('terminal')\ndef test_broken(submission):\n    {}['key']\n"
    (small.fixtures / "test_own.py").write_text(test)
    assert run(tmp_path / "ada.py", *everywhere(tmp_path)) == 3
    assert numbers(tmp_path) == (None, None, None, (0, 0))
    assert "a person has to look" in (tmp_path / "vpl").read_text()


def test_a_crash_of_the_grader_is_nobodys_zero(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.py").write_text(PLAIN)

    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("grader.cli.grade_job.graded", crash)
    with pytest.raises(ZeroDivisionError):
        run(tmp_path / "ada.py", *everywhere(tmp_path))
    assert numbers(tmp_path) == (None, None, None, (0, 0))


def test_a_grader_that_is_killed_leaves_valid_files(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("while True: pass\n")
    command = [sys.executable, "run_grader.py", tmp_path / "slow.py", *everywhere(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=OUTSIDE, stdout=subprocess.DEVNULL) as child:
        deadline = time.monotonic() + 60
        while not (tmp_path / "markdown").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        child.kill()
    assert numbers(tmp_path) == (None, None, None, (0, 0))
    assert "The grader did not finish" in (tmp_path / "gradescope").read_text()


def test_a_folder_of_one_student_is_no_class(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "work" / name).mkdir(parents=True)
        (tmp_path / "work" / name / "other.py").write_text("x = 1\n")
    assert run(tmp_path / "work", "--write", "gradescope", tmp_path / "r.json") == 2
    assert "no tictactoe.py in this folder" in json.loads((tmp_path / "r.json").read_text())["output"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--write", "gradescop", "x"], "there is no place 'gradescop' to write for: there are gradescope, "),
        (["--write", "vpl", "/nowhere/x"], "/nowhere/x: no such folder to write to"),
        (["--write", "vpl", "-", "--json", "-"], "only one of --write and --json"),
        (["--write", "vpl", "-", "--write", "junit", "-"], "only one of --write and --json"),
        (["--write", "vpl", "."], ".: is a folder: name a file to write to"),
        (
            ["--write", "vpl", "x", "--write", "junit", "../{0}/x"],
            "x: cannot hold what two places read: name a file for each",
        ),
        (["--write", "vpl", "x", "--out", "grades"], "--write does not go with a class"),
    ],
)
def test_a_mistake_is_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, refused: Refused
) -> None:
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    assert sentence in refused("tictactoe.py", *(part.format(tmp_path.name) for part in arguments))


@pytest.mark.parametrize("bad", ["nowhere/x", ".", "folder"])
def test_a_bad_path_of_one_place_leaves_no_other_without_its_file(
    bad: str, tmp_path: Path, refused: Refused
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "tictactoe.py").write_text(PLAIN)
    refused("tictactoe.py", "--write", "vpl", bad, *everywhere(tmp_path))
    assert numbers(tmp_path) == (None, None, None, (0, 0))
