"""Packs as their places run them: in their folders, with their environment, and when something goes wrong."""

import json
import os
import re
import sys
import zipfile
from dataclasses import replace
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.cli.main import main
from grader.core.course.rubric import Imports
from grader.course import cases, rubric_files
from grader.grading.session import Settings
from grader.places import PACKED_FOR, SITE
from grader.places.packers import PACKERS, remade, wheel
from grader.places.site import VERSION
from tests.classroom.conftest import WRONG
from tests.places.conftest import Refused
from tests.places.contracts import Classroom50, Gradescope, PrairieLearn, vpl_grade
from tests.places.packing import (
    course_options,
    installed,
    is_program,
    made,
    offline,
    packed,
    pips,
    program,
    published,
    run,
    this_grader,
    unzipped,
)
from tests.submissions import PLAIN

HANGS = "#!/bin/sh\nsleep 60\n"
CRASHES = "#!/bin/sh\nkill -9 $$\n"
SHOWS = "#!/bin/sh\nenv >> {0}\n"
CLASSROOM: dict[str, str] = {
    "CLASSROOM": "cs1", "ASSIGNMENT": "ttt", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://c",
    "RELEASE_URL": "https://r", "REVIEW_URL": "https://v", "GITHUB_TOKEN": "secret",
}  # fmt: skip


@pytest.fixture
def grader(tmp_path: Path) -> Path:
    return this_grader(tmp_path / "bin")


def test_there_is_a_packer_for_every_place() -> None:
    assert (*PACKERS, SITE) == PACKED_FOR


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize("place", PACKED_FOR)
def test_a_pack_holds_the_rubric_the_cases_and_three_steps(
    place: str, small: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = packed(place, small, tmp_path / ("pack.zip" if place == "gradescope" else "pack"))
    assert "README.md in it says what is left to do" in capsys.readouterr().out
    folder = unzipped(out, tmp_path / "unzipped") if place == "gradescope" else out
    names = {file.name: file for file in folder.rglob("*") if file.is_file() and "lib" not in file.parts}
    readme = names["README.md"].read_text()
    assert re.findall(r"^(\d)\. ", readme, re.MULTILINE) == ["1", "2", "3"]
    assert "A small one" in readme and "{" not in readme
    assert "**What students can read**" in readme
    if place == SITE:
        return
    if place in ("gradescope", "prairielearn"):
        assert names["rubric.yaml"].read_bytes() == small.rubric_file.read_bytes()
        assert names["player.yaml"].read_bytes() == (small.fixtures / "player.yaml").read_bytes()
    elif place != "vpl":
        assert rubric_files.load(names["rubric.yaml"]) == rubric_files.load(small.rubric_file)
        (case,) = cases.load(names["player.yaml"], rubric_files.load(small.rubric_file))
        assert case.question.id == "start" and "1 hidden case is left out, and" in readme
    assert any(name.endswith(".whl") for name in names) == (place != "check50")


def test_what_a_rubric_builds_on_and_names_goes_in(small: Settings, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "start.py").write_text("X = 1\n")
    own = small.rubric_file.with_name("own.yaml")
    own.write_text("extends: rubric.yaml\ntitle: Mine\ntemplate: ../given/start.py\n")
    course = made("gradescope", replace(small, rubric_file=own)).course
    for name, content in course.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    loaded = rubric_files.load(tmp_path / "course" / "rubric.yaml")
    assert (loaded.title, loaded.template, loaded.points) == ("Mine", "start.py", 10)
    assert course["course/start.py"] == b"X = 1\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("gradescop x.zip", "there is no place 'gradescop' to pack for: there are gradescope, "),
        ("sites out", "is site meant?"),
        ("gradescope x", "x: gradescope takes a zip: name a file that ends in .zip"),
        ("gradescope nowhere/x.zip", "no such folder to write to"),
        ("vpl there", "there: is there already, and is not overwritten"),
        ("site there", "there: is there already, and is not overwritten"),
        ("site out --student", "error: there is no option --student\n"),
        ("site out --json -", "error: there is no option --json\n"),
        ("site out --out grades", "error: there is no option --out\n"),
        ("site out vpl two", "error: unrecognized arguments: vpl two\n"),
        ("site out --pyodide nowhere", "nowhere/pyodide.mjs: cannot be read (No such file"),
        ("site out --pyodide there", f"there/pyodide.mjs: is not that of Pyodide {VERSION}: 'npm"),
        ("vpl out --pyodide there", "--pyodide goes with a site"),
        ("site out --course cpsc352", "so no program can be graded there"),
    ],
)
def test_a_mistake_is_a_sentence(command: str, sentence: str, tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "pyodide.mjs").write_text("another")
    assert sentence in refused("pack", *command.split())
    assert [file.name for file in tmp_path.iterdir()] == ["there"]


def test_a_rubric_by_which_nobody_can_be_graded_is_not_packed(small: Settings, refused: Refused) -> None:
    (small.fixtures / "terminal.yaml").unlink()
    assert "the criterion 'terminal' has no case" in refused("pack", "vpl", "pack", *course_options(small))
    assert not Path("pack").exists()


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("place", PACKED_FOR)
def test_programs_are_packed_where_they_can_be_graded(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / ("pack.zip" if place == "gradescope" else "pack")
    code = main(["pack", place, str(out), "--course", "cpsc352"])
    if place in ("check50", "prairielearn", "vpl", SITE):
        assert code == 2 and not out.exists()
        assert f"{place} hands over one Python file and has no compilers" in capsys.readouterr().err
        return
    assert code == 0
    folder = unzipped(out, tmp_path / "unzipped") if place == "gradescope" else out
    (readme,) = folder.rglob("README.md")
    assert "a folder with the program" in readme.read_text() and "tictactoe.py" not in readme.read_text()
    if place == "gradescope":
        installs = "compilers=(default-jdk-headless nodejs g++ make)"
        assert installs in (folder / "setup.sh").read_text()
        assert run("bash", "-n", folder / "setup.sh", cwd=tmp_path).returncode == 0


def test_a_program_is_started_from_its_folder(tmp_path: Path, grader: Path) -> None:
    pack = tmp_path / "pack"
    assert main(["pack", "actions", str(pack), "--course", "cpsc352"]) == 0
    (pack / "game").mkdir()
    (pack / "game" / "game.py").write_text("print('Nothing here.')\n")
    script, result = pack / ".github/grader/grade.sh", tmp_path / "summary.md"
    done = run("bash", script, "markdown", pack, result, cwd=pack, GRADER=grader)
    assert done.returncode == 3, done.stderr
    assert "Nothing here" in result.read_text() and "it ended" in result.read_text()


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    ("changed", "extra"),
    [({}, "[wasm]"), ({"sandbox_kind": "native"}, ""), ({"imports": Imports(allowed=("numpy",))}, "")],
    ids=["auto", "native", "modules"],
)
def test_webassembly_is_installed_where_it_can_confine(
    changed: dict[str, Any], extra: str, small: Settings
) -> None:
    given = made("vpl", small)
    given = replace(given, rubric=replace(given.rubric, **changed))
    files = {place: PACKERS[place](given) for place in ("gradescope", "prairielearn", "vpl")}
    assert f"extra={extra}  #" in files["gradescope"]["setup.sh"].decode()
    assert f"$(echo /tmp/*.whl){extra}" in files["prairielearn"]["image/Dockerfile"].decode()
    assert f"$(echo server/*.whl){extra}" in files["vpl"]["README.md"].decode()


# Gradescope


def autograder(small: Settings, tmp_path: Path, source: str | None = PLAIN) -> Path:
    """Return the folder that Gradescope calls /autograder, with a submission in it."""
    root = tmp_path / "autograder"
    unzipped(packed("gradescope", small, tmp_path / "pack.zip"), root / "source")
    for name in ("submission", "results"):
        (root / name).mkdir()
    if source is not None:
        (root / "submission" / "tictactoe.py").write_text(source)
    assert is_program(root / "source" / "setup.sh") and is_program(root / "source" / "run_autograder")
    (root / "source" / "run_autograder").rename(root / "run_autograder")
    return root


def results(root: Path) -> Gradescope:
    assert [file.name for file in (root / "results").iterdir()] == ["results.json"]
    return Gradescope.model_validate_json((root / "results" / "results.json").read_text())


@pytest.mark.exhaustive
def test_gradescope_as_written_and_without_a_network(small: Settings, tmp_path: Path) -> None:
    root = autograder(small, tmp_path)
    if os.environ.get("GRADER_PLACES") == "required":  # a minute: everything is installed anew
        path = f"{Path(sys.executable).resolve().parent}:/usr/local/bin:/usr/bin:/bin"
        around = {**pips(), "AUTOGRADER_ROOT": str(root), "PATH": path}
        done = run("bash", root / "source" / "setup.sh", cwd=root, **around)
        assert done.returncode == 0, done.stderr
    else:
        installed(next((root / "source").glob("*.whl")), root / "grader")
    for source, score in ((PLAIN, 10), (WRONG, 6)):
        (root / "submission" / "tictactoe.py").write_text(source)
        done = run(*offline(), root / "run_autograder", cwd=root, AUTOGRADER_ROOT=root)
        assert done.returncode == 0
        assert results(root).score == score, done.stderr
    assert (root / "submission" / "tictactoe.py").read_text() == WRONG


@pytest.mark.exhaustive
def test_gradescope_prepares_webassembly_once_for_all_submissions(small: Settings, tmp_path: Path) -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
    with small.rubric_file.open("a") as rubric:
        rubric.write("sandbox_kind: wasm\n")
    root = autograder(small, tmp_path)
    path = f"{Path(sys.executable).resolve().parent}:/usr/local/bin:/usr/bin:/bin"
    around = {**pips(), "AUTOGRADER_ROOT": str(root), "PATH": path}
    done = run("bash", root / "source" / "setup.sh", cwd=root, **around)
    assert done.returncode == 0, done.stderr
    done = run(*offline(), root / "run_autograder", cwd=root, AUTOGRADER_ROOT=root)
    assert results(root).score == 10, done.stderr
    assert "preparing the sandbox" not in done.stderr


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("grader", [HANGS, CRASHES, None], ids=["hangs", "crashes", "missing"])
def test_gradescope_has_a_file_without_a_score_when_the_grader_fails(
    grader: str | None, small: Settings, tmp_path: Path
) -> None:
    root = autograder(small, tmp_path)
    (root / "results").rmdir()
    if grader:
        program(root / "grader" / "bin" / "tictactoe-grader", grader)
    done = run(root / "run_autograder", cwd=root, AUTOGRADER_ROOT=root, GRADER_SECONDS="1")
    assert done.returncode == 0
    assert results(root).score is None
    assert "a person has to look" in results(root).output


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("instead", ["link", "pipe"])
def test_gradescope_without_the_file(instead: str, small: Settings, tmp_path: Path) -> None:
    root = autograder(small, tmp_path, source=None)
    file = root / "submission" / "tictactoe.py"
    file.symlink_to("/etc/passwd") if instead == "link" else os.mkfifo(file)
    this_grader(root / "grader" / "bin")
    run(root / "run_autograder", cwd=root, AUTOGRADER_ROOT=root, GRADER_SECONDS="30")
    assert results(root).score is None
    assert "no tictactoe.py in this folder" in results(root).output


# Classroom 50


@pytest.mark.exhaustive
def test_classroom50_as_its_runner_runs_it(small: Settings, tmp_path: Path, grader: Path) -> None:
    bundle = published(packed("classroom50", small, tmp_path / "pack"), tmp_path, "ttt")
    checkout = tmp_path / "checkout"
    (checkout / ".git").mkdir(parents=True)
    (checkout / "tictactoe.py").write_text(WRONG)
    output = tmp_path / "output"
    around = {**CLASSROOM, "GRADER": str(grader), "GITHUB_OUTPUT": str(output)}
    if os.environ.get("GRADER_PLACES") == "required":  # it installs the grader itself
        around = {**around, **pips(), "GRADER": ""}
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, **around)
    assert done.returncode == 0, done.stderr
    result = Classroom50.model_validate_json((checkout / "result.json").read_text())
    assert (result.score, result.maximum, result.classroom, result.submission) == (2, 10, "cs1", "submit/1")
    assert result.review == "https://v"
    assert "**2 of 10 points. 1 of 2 cases passed." in (checkout / "release-body.md").read_text()
    assert output.read_text() == "summary=2 of 10 points\n"
    names = {"result.json", "release-body.md", ".git", "tictactoe.py"}
    assert {file.name for file in checkout.iterdir()} == names


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", [HANGS, CRASHES, PLAIN], ids=["hangs", "crashes", "no file"])
def test_classroom50_fails_when_there_is_no_score(
    text: str, small: Settings, tmp_path: Path, grader: Path
) -> None:
    bundle = packed("classroom50", small, tmp_path / "pack")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    if text != PLAIN:
        grader = program(tmp_path / "broken", text)
    around = {**CLASSROOM, "GRADER": str(grader), "GRADER_SECONDS": "20" if text == PLAIN else "1"}
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, **around)
    assert done.returncode != 0
    result = Classroom50.model_validate_json((checkout / "result.json").read_text())
    assert (result.score, result.maximum) == (0, 0)


HOSTILE = """import pathlib
pathlib.Path({0!r}).touch()
"""
MODULES = ("pip", "typing", "json", "sitecustomize", "usercustomize", "venv", "ensurepip", "subprocess")


def hostile(checkout: Path, tmp_path: Path) -> Path:
    """Put modules into a checkout that leave a mark when they are run; return the mark."""
    checkout.mkdir(parents=True, exist_ok=True)
    for name in MODULES:
        (checkout / f"{name}.py").write_text(HOSTILE.format(str(tmp_path / "mark")))
    return tmp_path / "mark"


@pytest.mark.exhaustive
def test_classroom50_runs_nothing_of_the_checkout(small: Settings, tmp_path: Path) -> None:
    bundle, checkout = packed("classroom50", small, tmp_path / "pack"), tmp_path / "checkout"
    mark = hostile(checkout, tmp_path)
    nothing_more = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}  # so the grader is there, and cannot start
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, **CLASSROOM, **nothing_more)
    assert done.returncode != 0 and "is not installed. Set the grader up first" in done.stderr
    assert not mark.exists()
    result = Classroom50.model_validate_json((checkout / "result.json").read_text())
    assert (result.score, result.maximum) == (0, 0)


@pytest.mark.exhaustive
def test_classroom50_says_in_a_sentence_that_the_grader_is_not_installed(
    small: Settings, tmp_path: Path
) -> None:
    bundle, checkout = packed("classroom50", small, tmp_path / "pack"), tmp_path / "checkout"
    (checkout / "result.json").mkdir(parents=True)
    next(bundle.glob("*.whl")).write_text("broken")
    around = {**CLASSROOM, "GITHUB_OUTPUT": str(tmp_path / "output"), "PIP_NO_INDEX": "1"}
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, **around)
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith("The grader could not be installed, so there is no score: ERROR: ")
    assert "0" not in (tmp_path / "output").read_text()
    result = Classroom50.model_validate_json((checkout / "result.json").read_text())
    assert (result.score, result.maximum) == (0, 0)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("kind", ["folder", "link to a file", "link to a folder", "link to nothing"])
def test_nothing_is_written_through_what_a_student_left(
    kind: str, small: Settings, tmp_path: Path, grader: Path
) -> None:
    bundle, checkout = packed("classroom50", small, tmp_path / "pack"), tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "tictactoe.py").write_text(PLAIN)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("mine")
    for name in ("result.json", "result.json.part", "release-body.md"):
        if kind == "folder":
            (checkout / name / "deep").mkdir(parents=True)
        else:
            targets = {"link to a file": "file", "link to a folder": ".", "link to nothing": "nothing"}
            (checkout / name).symlink_to(elsewhere / targets[kind])
    command: list[str | Path] = ["bash", bundle / "grade.sh", "classroom50", checkout]
    done = run(*command, checkout / "result.json", cwd=tmp_path, GRADER=grader)
    assert done.returncode == 0, done.stderr
    for name in ("result.json", "release-body.md"):
        assert (checkout / name).is_file() and not (checkout / name).is_symlink()
    assert Classroom50.model_validate_json((checkout / "result.json").read_text()).score == 10
    assert [(file.name, file.read_text()) for file in elsewhere.iterdir()] == [("file", "mine")]


def test_the_environment_is_kept_from_the_grader(small: Settings, tmp_path: Path) -> None:
    bundle = packed("classroom50", small, tmp_path / "pack")
    seen = tmp_path / "seen"
    grader = program(tmp_path / "show", SHOWS.format(seen))
    run(sys.executable, bundle / "autograder.py", cwd=tmp_path, GRADER=grader, **CLASSROOM)
    around = dict(line.split("=", 1) for line in seen.read_text().splitlines() if "=" in line)
    assert "GITHUB_TOKEN" not in around and around["CLASSROOM"] == "cs1"
    assert around["HOME"].startswith(around["TMPDIR"]) and not Path(around["HOME"]).exists()


# PrairieLearn


@pytest.fixture
def grade(small: Settings, tmp_path: Path) -> Path:
    """Give the folder that PrairieLearn calls /grade; it has no folder of results."""
    pack, root = packed("prairielearn", small, tmp_path / "pack"), tmp_path / "grade"
    (root / "student").mkdir(parents=True)
    (root / "student" / "tictactoe.py").write_text(WRONG)
    (pack / "question" / "tests").rename(root / "tests")
    return root


def prairielearn(root: Path, grader: Path, seconds: str = "60") -> PrairieLearn:
    entrypoint = root / "tests" / "entrypoint.sh"
    assert is_program(entrypoint)
    done = run(entrypoint, cwd=root, GRADE_ROOT=root, GRADER=grader, GRADER_SECONDS=seconds)
    assert done.returncode == 0
    return PrairieLearn.model_validate_json((root / "results" / "results.json").read_text())


@pytest.mark.exhaustive
def test_prairielearn_in_its_folders(grade: Path, grader: Path) -> None:
    assert prairielearn(grade, grader).score == 0.6
    (grade / "student" / "tictactoe.py").write_text("def (\n")
    result = prairielearn(grade, grader)
    assert (
        result.format_errors
        and "The file is not valid Python: invalid syntax (line 1)." in result.format_errors[0]
    )


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("text", [HANGS, CRASHES], ids=["hangs", "crashes"])
def test_prairielearn_when_the_grader_fails(text: str, grade: Path, tmp_path: Path) -> None:
    result = prairielearn(grade, program(tmp_path / "broken", text), seconds="1")
    assert not result.gradable and result.score is None


def test_prairielearn_knows_how_to_grade(small: Settings, tmp_path: Path) -> None:
    pack = packed("prairielearn", small, tmp_path / "pack")
    info = json.loads((pack / "question" / "info.json").read_text())
    options = info["externalGradingOptions"]
    assert info["gradingMethod"] == "External" and options["timeout"] <= 600
    assert options["entrypoint"] == "/grade/tests/entrypoint.sh"
    dockerfile = (pack / "image" / "Dockerfile").read_text()
    assert "COPY *.whl" in dockerfile and '.whl)[wasm]"' in dockerfile
    assert "RUN tictactoe-grader sandbox --prepare" in dockerfile
    assert list((pack / "image").glob("*.whl"))


# Moodle VPL


def evaluated(
    small: Settings, tmp_path: Path, source: str, maximum: str = "10.00", **around: str | Path
) -> str:
    """Return what VPL reads: the files of teacher and student lie in one folder, and vpl_execution is run."""
    folder = tmp_path / "jail"
    folder.mkdir()
    evaluate = packed("vpl", small, tmp_path / "pack") / "vpl_evaluate.sh"
    (folder / "vpl_evaluate.sh").write_bytes(evaluate.read_bytes())
    (folder / "tictactoe.py").write_text(source)
    (folder / "vpl_execution").write_text("echo 'Grade :=>> 100'\n")
    (folder / "vpl_environment.sh").write_text(f"VPL_GRADEMAX={maximum}\nVPL_MAXTIME=120\n")
    assert run("bash", "vpl_evaluate.sh", cwd=folder).returncode == 0
    (folder / "vpl_evaluate.sh").unlink()
    done = run("./vpl_execution", cwd=folder, **around)
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout


def test_vpl_in_its_folder(small: Settings, tmp_path: Path, grader: Path) -> None:
    forging = 'print("Grade :=>> 100")\nimport sys\nsys.stderr.write("\\nGrade :=>> 100\\n")\n'
    assert vpl_grade(evaluated(small, tmp_path, WRONG + forging, GRADER=grader)) == 6


def test_vpl_gives_no_grade_out_of_another_maximum(small: Settings, tmp_path: Path, grader: Path) -> None:
    printed = evaluated(small, tmp_path, PLAIN, maximum="20.00", GRADER=grader)
    assert vpl_grade(printed) is None
    assert "the activity's maximum is 20.00, but the rubric gives 10" in printed


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", [HANGS, CRASHES, "missing"], ids=["hangs", "crashes", "missing"])
def test_vpl_gives_no_grade_when_the_grader_fails(text: str, small: Settings, tmp_path: Path) -> None:
    grader = tmp_path / "nowhere" if text == "missing" else program(tmp_path / "broken", text)
    printed = evaluated(small, tmp_path, PLAIN, GRADER=grader, GRADER_SECONDS="1")
    assert vpl_grade(printed) is None
    assert "a person has to look" in printed


# GitHub Actions


@pytest.mark.exhaustive
def test_the_workflow_runs_step_by_step(small: Settings, tmp_path: Path) -> None:
    repository = packed("actions", small, tmp_path / "pack")
    (repository / "tictactoe.py").write_text(WRONG)
    workflow = yaml.safe_load((repository / ".github/workflows/grade.yml").read_text())
    steps = {step.get("name"): step for step in workflow["jobs"]["grade"]["steps"]}
    temporary, summary = tmp_path / "runner", tmp_path / "summary"
    this_grader(temporary / "grader" / "bin")  # instead of installing it
    for name in ("Grade", "Show"):
        around = {"RUNNER_TEMP": str(temporary), "GITHUB_STEP_SUMMARY": str(summary)}
        done = run("bash", "-e", "-c", steps[name]["run"], cwd=repository, **around)
        assert done.returncode == 0, done.stderr
    assert "**2 of 10 points. 1 of 2 cases passed." in summary.read_text()
    hostile(repository, tmp_path)
    around = {"RUNNER_TEMP": str(tmp_path / "new"), "GITHUB_WORKSPACE": str(repository), "PIP_NO_INDEX": "1"}
    (tmp_path / "new").mkdir()
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    install = steps["Install the grader"]["run"]
    done = run("bash", "-e", "-c", install, cwd=repository, **around, PIP_NO_DEPS="1", PATH=path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new/grader/bin/tictactoe-grader").exists() and not (tmp_path / "mark").exists()
    assert workflow["permissions"] == {"contents": "read"}


# The wheel


@pytest.mark.exhaustive
def test_the_wheel_is_built_with_nothing_of_the_folder_one_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = hostile(tmp_path / "here", tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    assert wheel.__wrapped__().name == wheel().name
    assert not mark.exists()


@pytest.mark.exhaustive
def test_an_installed_grader_makes_its_own_wheel_again(tmp_path: Path) -> None:
    built = wheel()
    with zipfile.ZipFile(_saved(tmp_path, built.content)) as archive:
        archive.extractall(tmp_path / "packages")
        before = {name: archive.read(name) for name in archive.namelist()}
    (info,) = (tmp_path / "packages").glob("*.dist-info")
    (info / "INSTALLER").write_text("pip\n")
    again = remade(Distribution.at(info))
    assert again.name == built.name
    with zipfile.ZipFile(_saved(tmp_path, again.content)) as archive:
        after = {name: archive.read(name) for name in archive.namelist()}
        assert archive.testzip() is None
    record = next(name for name in before if name.endswith("RECORD"))
    assert sorted(after.pop(record).splitlines()) == sorted(before.pop(record).splitlines())
    assert after == before


def _saved(folder: Path, content: bytes) -> Path:
    (folder / "some.whl").write_bytes(content)
    return folder / "some.whl"
