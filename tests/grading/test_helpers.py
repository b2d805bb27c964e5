"""A submission in several files is graded like the same code in one, wherever it lies."""

from functools import cache
from pathlib import Path

import pytest

from grader.core.grade import Grade
from grader.course.courses import DEFAULT_FIXTURES, rubric_of
from grader.grading.session import Settings
from tests.classroom.conftest import write_all
from tests.judged import grade_submission
from tests.submissions import CORRECT
from tests.submissions.files import file_of

WRONG_RULE = "winner_misses_the_anti_diagonal"


def apart(source: str) -> dict[str, dict[str, str]]:
    """Return ways to put one source into several files."""
    start = source.index("def minimax(")
    rules, search = source[:start].rstrip() + "\n", source[start:]
    head = '"""The search."""\n\nimport math\n\n'
    taken = "EMPTY, O, X, actions, initial_state, player, result, terminal, utility, winner"
    return {
        "all of it in a module": {"tictactoe.py": '"""All is there."""\n\nfrom engine import *\n', "engine.py": source},
        "rules and search": {
            "tictactoe.py": f'"""Both."""\n\nfrom rules import {taken}\nfrom search import minimax\n',
            "rules.py": rules,
            "search.py": f"{head}from rules import *\n\n\n{search}",
        },
        "a package": {
            "tictactoe.py": f'"""Both."""\n\nfrom game.rules import {taken}\nfrom game.search import minimax\n',
            "game/__init__.py": "",
            "game/rules.py": rules,
            "game/search.py": f"{head}from .rules import *\n\n\n{search}",
        },
        "the rules are the file's": {
            "tictactoe.py": f"{rules}\n\nfrom search import minimax\n",
            "search.py": f"{head}import tictactoe\nfrom tictactoe import *\n\n\n{search}",
        },
    }  # fmt: skip


def behaviour(grade: Grade) -> dict[str, tuple[float, list[tuple[str, str]]]]:
    """Return what each criterion earned and what came of its cases; of style only that it was read."""
    return {
        criterion.id: (
            criterion.score,
            [(verdict.id, verdict.status.value) for verdict in criterion.verdicts],
        )
        for criterion in grade.criteria
        if criterion.id != "quality"
    }


@cache
def in_one_file(source: str) -> Grade:
    return grade_submission(file_of(source), Settings())


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("source", ["alpha_beta", WRONG_RULE])
def test_several_files_are_graded_like_one(tmp_path: Path, source: str, way: int) -> None:
    whole, files = in_one_file(source), list(apart(file_of(source).read_text()).values())[way]
    folder = write_all(tmp_path, files)
    grade = grade_submission(folder if way % 2 else folder / "tictactoe.py", Settings())
    assert behaviour(grade) == behaviour(whole)
    assert grade.sweep and whole.sweep and grade.sweep.recalled == whole.sweep.recalled
    told = ", ".join(sorted(set(files) - {"tictactoe.py"}))
    assert f"It imports what came with it: {told}." in grade.notes
    assert [mistake.title for mistake in grade.mistakes] == [mistake.title for mistake in whole.mistakes]


@pytest.mark.exhaustive
def test_a_helper_that_counts_its_calls_is_swept_plainly(tmp_path: Path) -> None:
    files = apart(CORRECT["alpha_beta"])["rules and search"]
    counting = "CALLS = []\n\n\ndef minimax(board):\n    CALLS.append(1)\n    assert len(CALLS)"
    files["search.py"] = files["search.py"].replace("def minimax(board):", counting, 1)
    grade = grade_submission(write_all(tmp_path, files), Settings())
    assert grade.sweep and not grade.sweep.recalled
    assert grade.sweep.why_plain.startswith("it writes to CALLS, which outlives the call (line")


@pytest.mark.exhaustive
def test_the_style_of_helpers_is_read_and_what_is_handed_on_is_used(tmp_path: Path) -> None:
    files = apart(CORRECT["alpha_beta"])["rules and search"]
    files["rules.py"] += "\n\nimport os\n"
    grade = grade_submission(write_all(tmp_path, files), Settings())
    (quality,) = [criterion for criterion in grade.criteria if criterion.id == "quality"]
    findings = [finding for verdict in quality.verdicts for finding in verdict.findings or ()]
    found = {(finding.file, finding.rule, finding.message) for finding in findings}
    assert ("rules.py", "F401", "`os` imported but unused") in found
    assert None not in {file for file, _rule, _message in found}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (
            {
                "tictactoe.py": "import math\nfrom helpers import best\n\n\ndef player(board):\n    return best\n"
            },
            "It imports `helpers` (line 2), which is not among the files that were handed in. The file was not run.",
        ),
        (
            {"tictactoe.py": "import one\n", "one.py": "import math\nimport two\n"},
            "It imports `two` (one.py, line 2), which is not among the files that were handed in.",
        ),
        (
            {"tictactoe.py": "import one\n", "one.py": "import numpy\nnumpy.x\n"},
            "Only the standard library may be imported: one.py, line 1 imports numpy.",
        ),
    ],
)
def test_a_module_that_is_not_there_is_told_as_missing(
    tmp_path: Path, files: dict[str, str], reason: str
) -> None:
    grade = grade_submission(write_all(tmp_path, files), Settings())
    reasons = {verdict.reason for criterion in grade.criteria for verdict in criterion.verdicts}
    assert any(found.startswith(reason) for found in reasons), reasons


@pytest.mark.exhaustive
def test_what_else_was_handed_in_is_told(tmp_path: Path) -> None:
    others = ("tictactoe_final.py", "old/tictactoe.py", "test_it.py", "notes.txt")
    files = {"tictactoe.py": CORRECT["alpha_beta"], "runner.py": "import tictactoe\n"}
    folder = write_all(tmp_path, {**files, **dict.fromkeys(others, "")})
    assert grade_submission(folder, Settings()).notes == (
        "Graded was tictactoe.py; also there, and not used by it: tictactoe_final.py, old/tictactoe.py.",
    )
    assert grade_submission(folder / "tictactoe.py", Settings()).notes == ()


@pytest.mark.exhaustive
def test_files_that_a_course_asks_for_are_found_beside_helpers(tmp_path: Path) -> None:
    files = apart(CORRECT["alpha_beta"])["rules and search"] | {"README.md": "Name: Ada, id 12345\n"}
    grade = grade_submission(write_all(tmp_path, files), Settings(rubric_of("cs3081"), DEFAULT_FIXTURES))
    assert "The submission: requirements.txt is missing." in grade.notes
