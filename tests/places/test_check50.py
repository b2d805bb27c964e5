"""check50 itself runs the package that is made for it, on right and wrong files."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.core.course.rubric import Criterion
from grader.grading.session import Settings
from grader.places.packers import Material, check50
from tests.classroom.conftest import WRONG
from tests.conftest import OUTSIDE
from tests.places.packing import made, packed
from tests.submissions import PLAIN

TOOL = shutil.which("check50", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


@pytest.fixture
def package(small: Settings, tmp_path: Path) -> Path:
    """Give a package of checks by the small rubric, with a bonus that nobody here earns."""
    if TOOL is None:
        if os.environ.get("GRADER_PLACES") == "required":
            pytest.fail("check50 is not installed")
        pytest.skip("check50 is not installed")
    bonus = "bonus:\n  - id: more\n    description: More\n    points: 1\n"
    small.rubric_file.write_text(small.rubric_file.read_text() + bonus)
    more = "criterion: more\ncases:\n  - id: start\n    function: utility\n    board: [XXX, OO., ...]\n"
    (small.fixtures / "more.yaml").write_text(more)
    return packed("check50", small, tmp_path / "package")


def checked(package: Path, tmp_path: Path, source: str | None, **around: str) -> tuple[int, dict[str, Any]]:
    """Return check50's exit code, and its results by name (or what it says instead)."""
    folder = tmp_path / "student"
    folder.mkdir()
    if source is not None:
        (folder / "tictactoe.py").write_text(source)
    assert TOOL
    command = [TOOL, "--dev", str(package), "-o", "json", "--output-file", str(tmp_path / "out.json")]
    how: dict[str, Any] = {
        "cwd": folder,
        "env": {**OUTSIDE, "CHECK50_WORKERS": "2", **around},
        "timeout": 120,
    }
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    assert (tmp_path / "out.json").exists(), done.stdout + done.stderr
    told = json.loads((tmp_path / "out.json").read_text())
    assert "Traceback" not in json.dumps(told.get("results", []))
    return done.returncode, {result["name"]: result for result in told.get("results", [])} or told


def test_a_right_file_passes_every_check(package: Path, tmp_path: Path) -> None:
    code, found = checked(package, tmp_path, PLAIN)
    assert code == 0
    assert [name for name, check in found.items() if check["passed"]] == [
        "graded",
        "player",
        "terminal",
        "more",
    ]
    assert len(found) == 4
    assert found["player"]["description"] == "player: Whose turn it is (8 points)"
    assert found["player"]["log"] == []
    assert found["player"]["data"] == {"points": 8.0, "max_points": 8.0}


def test_a_wrong_file_is_told_points_reason_and_nothing_hidden(package: Path, tmp_path: Path) -> None:
    head = "def utility(board):"
    broken = WRONG.replace(head, f"{head}\n    return 7\n\n\ndef other_utility(board):")
    code, found = checked(package, tmp_path, broken)
    assert code == 1
    passed = [name for name, check in found.items() if check["passed"]]
    assert passed == ["graded", "terminal", "more"]  # a bonus that is not earned is no failure
    assert found["player"]["passed"] is False
    assert found["player"]["cause"]["rationale"].startswith("0 of 8 points. ")
    assert found["player"]["data"] == {"points": 0.0, "max_points": 8.0}
    assert any(line.startswith("start: ") for line in found["player"]["log"])
    assert not any("late" in line for line in found["player"]["log"])
    assert any("bonus: 0 of 1 points" in line for line in found["more"]["log"])


def test_a_file_that_is_not_python_is_told_once(package: Path, tmp_path: Path) -> None:
    code, found = checked(package, tmp_path, "def (\n")
    assert code == 1
    assert found["graded"]["passed"] is False
    assert found["graded"]["cause"]["rationale"] == "The file is not valid Python: invalid syntax (line 1)."
    assert {check["passed"] for name, check in found.items() if name != "graded"} == {None}


@pytest.mark.exhaustive
def test_no_file_is_the_tools_own_error(package: Path, tmp_path: Path) -> None:
    code, told = checked(package, tmp_path, None)
    assert code == 1 and told["error"]["type"] == "MissingFilesError"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("around", "said"),
    [
        ({"GRADER_SECONDS": "0"}, "The grader did not finish within 0 seconds, so nothing is checked: "),
        ({}, "The grader itself failed, and that is not your fault: nothing is checked."),
    ],
)
def test_a_fault_of_the_grader_is_not_the_students(
    around: dict[str, str], said: str, package: Path, tmp_path: Path
) -> None:
    if not around:
        (package / "course" / "rubric.yaml").write_text("title: broken\n")
    code, found = checked(package, tmp_path, PLAIN, **around)
    assert code == 1
    error = found["graded"]["cause"]["error"]
    assert error["type"] == "NotGraded" and error["value"].startswith(said)
    assert {check["passed"] for check in found.values()} == {None}
    assert any("rubric.yaml" in line for line in found["graded"]["log"]) == (not around)


def test_points_that_were_given_back_are_said(package: Path, tmp_path: Path) -> None:
    tally = {"hidden": {"cases": 0}}
    criterion = {"id": "player", "points": 8, "score": 6, "given_back": 2, "verdicts": [], "tally": tally}
    others = [{**criterion, "id": name, "given_back": 0} for name in ("terminal", "more")]
    grade = {"criteria": [criterion, *others], "mistakes": [], "show_mistakes": True, "grader_errors": []}
    (package / "lib" / "grader" / "__main__.py").write_text(
        f"import sys; open(sys.argv[3], 'w').write({json.dumps(grade)!r})\n"
    )
    _, found = checked(package, tmp_path, PLAIN)
    assert found["player"]["log"] == ["2 points given back: the mistake is charged elsewhere"]
    assert found["terminal"]["log"] == []


def test_what_is_installed_for_the_user_is_found(small: Settings, tmp_path: Path) -> None:
    pack = packed("check50", small, tmp_path / "package")
    home, student = tmp_path / "home", tmp_path / "student"
    there = home / ".local" / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    there.mkdir(parents=True)
    (there / "only_here.py").write_text("")
    tool = "class Failure(Exception): pass\ndef check(*_, **__): return lambda body: body\nlog = print\n"
    (there / "check50.py").write_text(tool)
    grade = "import sys, only_here; open(sys.argv[3], 'w').write('{\"grader_errors\": []}')\n"
    (pack / "lib" / "grader" / "__main__.py").write_text(grade)
    student.mkdir()
    command = [sys._base_executable, "-c", "import checks; print(checks.run_grader())"]  # type: ignore[attr-defined]
    around = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(pack)}
    how: dict[str, Any] = {"env": around, "cwd": student, "timeout": 60}
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    assert done.stdout == "{'grader_errors': []}\n", done.stderr


def test_names_are_the_criteria_and_harmless(small: Settings) -> None:
    given = made("check50", small)
    odd = tuple(Criterion(id=name, description="d", points=1) for name in ("follow-through", "os", "class"))
    rubric = replace(given.rubric, criteria=odd)
    files = check50(Material(rubric, given.wheel, given.course, given.not_graded))
    names = [criterion["name"] for criterion in json.loads(files["criteria.json"])]
    assert names == ["follow_through", "os_", "class_"]


def test_the_tool_is_told_what_the_grader_needs(small: Settings) -> None:
    class Loader(yaml.SafeLoader):
        """Reads the tool's own tags as text."""

    for tag in ("!exclude", "!include", "!require"):
        Loader.add_constructor(tag, lambda loader, node: f"{node.tag} {node.value}")
    config = yaml.load(check50(made("check50", small))[".cs50.yaml"], Loader)["check50"]
    assert config["files"] == ["!exclude *", "!include *.py", "!require tictactoe.py"]
    assert any(name.startswith("pydantic") for name in config["dependencies"])
    assert not any("extra" in name for name in config["dependencies"])
