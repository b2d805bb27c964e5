"""A rubric may allow modules beside the standard library: they work in every job, or nobody is graded."""

import json
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.core.errors import BAD_INPUT, GRADED, UserError
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from grader.course.rubric_files import load
from grader.grading.session import allowed_packages
from tests.submissions import CORRECT
from tests.submissions.faults import body

BY_NUMPY = """\
    grid = np.array([[{X: 1, O: -1, EMPTY: 0}[cell] for cell in row] for row in board])
    sums = [*grid.sum(axis=0), *grid.sum(axis=1), np.trace(grid), np.trace(np.fliplr(grid))]
    if 3 in sums:
        return X
    return O if -3 in sums else None
"""


@pytest.fixture
def with_numpy(tmp_path: Path) -> Path:
    """Give an engine with a winner that is found by numpy, and answered as plain data."""
    pytest.importorskip("numpy")
    file = tmp_path / "class" / "ada" / "tictactoe.py"
    file.parent.mkdir(parents=True)
    source = body("winner", *(line[4:] for line in BY_NUMPY.splitlines()))(CORRECT["alpha_beta"])
    file.write_text(source.replace("import math\n", "import math\n\nimport numpy as np\n", 1))
    return file


def rubric_allowing(tmp_path: Path, modules: str) -> Path:
    text = DEFAULT_RUBRIC.read_text()
    assert "allowed: []" in text
    (tmp_path / "rubric.yaml").write_text(text.replace("allowed: []", f"allowed: {modules}"))
    return tmp_path / "rubric.yaml"


@pytest.mark.exhaustive
@pytest.mark.parametrize("recall", [(), ("--no-recall",)])
def test_a_file_that_uses_an_allowed_module_inside_has_full_marks(
    with_numpy: Path, tmp_path: Path, recall: tuple[str, ...]
) -> None:
    rubric, out = rubric_allowing(tmp_path, "[numpy]"), tmp_path / "grade.json"
    assert main([str(with_numpy), "--rubric", str(rubric), "--json", str(out), *recall]) == GRADED
    grade = json.loads(out.read_text())
    assert (grade["score"], grade["total"]) == (100, 110)
    assert grade["sweep"]["recalled"] is not bool(recall)
    assert not any("runs code when it is imported" in note for note in grade["notes"])


@pytest.mark.exhaustive
def test_a_class_that_uses_an_allowed_module_is_graded(with_numpy: Path, tmp_path: Path) -> None:
    rubric, out = rubric_allowing(tmp_path, "[numpy]"), tmp_path / "out"
    arguments = [str(with_numpy.parents[1]), "--rubric", str(rubric), "--out", str(out)]
    assert main([*arguments, "--jobs", "1", "--no-html"]) == GRADED
    (grade,) = (json.loads(file.read_text()) for file in (out / "grades").glob("*.json"))
    assert '"total": 110' in json.dumps(grade)


@pytest.mark.exhaustive
def test_pytest_grades_a_file_that_uses_an_allowed_module(
    with_numpy: Path, tmp_path: Path, pytester: pytest.Pytester
) -> None:
    rubric = rubric_allowing(tmp_path, "[numpy]")
    options = ("-p", "grader.grading.plugin", f"--rubric={rubric}", f"--submission={with_numpy}")
    assert pytester.runpytest_subprocess(*options, str(DEFAULT_FIXTURES)).ret == pytest.ExitCode.OK


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize("job", [["grade"], ["class", "--out", "out", "--jobs", "1"], ["play"]])
@pytest.mark.parametrize(
    ("modules", "told"),
    [
        ("[numpy, nosuch]", "names nosuch, which is not installed here: pip install nosuch, or take it out"),
        ("[distributed]", "names distributed, which does not work inside the sandbox ("),
        ("[numpy.linalg]", "names numpy.linalg, which is no name of a module"),
    ],
)
def test_what_cannot_be_had_is_told_with_its_line_before_anybody_is_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], modules: str, told: str, job: list[str]
) -> None:
    pytest.importorskip("numpy")
    (tmp_path / "class" / "ada").mkdir(parents=True)
    file = tmp_path / "class" / "ada" / "tictactoe.py"
    file.write_text("open('/tmp/never', 'w')\n")
    rubric = rubric_allowing(tmp_path, modules)
    line = 1 + rubric.read_text().splitlines().index(
        f"  allowed: {modules}           # modules beside the standard library"
    )
    path = tmp_path / "class" if "--out" in job else file
    options = [str(tmp_path / option) if option == "out" else option for option in job[1:]]
    assert main([job[0], str(path), "--rubric", str(rubric), *options]) == BAD_INPUT
    said = " ".join(capsys.readouterr().err.split())
    assert f"rubric.yaml:{line}: 'imports.allowed' {told}" in said
    assert "Traceback" not in said


def test_all_modules_that_cannot_be_had_are_told_at_once(tmp_path: Path) -> None:
    rubric = rubric_allowing(tmp_path, "[nosuch, math, neither]")
    with pytest.raises(UserError) as caught:
        allowed_packages(load(rubric), rubric)
    names = [line.rpartition("names ")[2].partition(",")[0] for line in str(caught.value).splitlines()[1:]]
    assert names == ["nosuch", "neither"]
