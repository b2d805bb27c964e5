"""pytest as the engine: ids, failures in the game's words, selection, collection errors, instructors' tests."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from tests.submissions import PLAIN
from tests.submissions.files import file_of

FAULTY = file_of("winner_misses_the_anti_diagonal")
RUBRIC = """\
title: T
criteria:
  - id: winner
    description: d
    points: 10
"""
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Give a function that runs pytest with the plugin in a folder with a rubric and the cases of `winner`."""
    (pytester.path / "rubric.yaml").write_text(RUBRIC)
    (pytester.path / "fixtures").mkdir()
    shutil.copy(DEFAULT_FIXTURES / "winner.yaml", pytester.path / "fixtures")

    def runner(*arguments: str, submission: Path = FAULTY, apart: bool = False) -> pytest.RunResult:
        start = pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess
        options = ("-p", "grader.grading.plugin", "--rubric=rubric.yaml", f"--submission={submission}")
        return start(*options, *(arguments or ["fixtures"]))

    return runner


@pytest.fixture
def own_tests(pytester: pytest.Pytester, run: Run) -> Path:
    """Give the file of an instructor's tests, with no cases beside it."""
    (pytester.path / "fixtures" / "winner.yaml").unlink()
    return pytester.path / "fixtures" / "test_more.py"


def test_cases_are_items_with_readable_ids_and_failures(run: Run) -> None:
    result = run("fixtures", "-v", apart=True)
    result.assert_outcomes(passed=25, failed=3, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "fixtures/winner.yaml::o-anti-diagonal FAILED*",
            "*___ o-anti-diagonal ___*",
            "O has three in a row: the anti-diagonal.",
            " X │   │ O*",
            "call:     winner(board)",
            "expected: 'O'",
            "got:      None",
            "FAILED fixtures/winner.yaml::o-anti-diagonal - O has three in a row: the*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_selection_and_stopping_work_as_usual(run: Run) -> None:
    run("fixtures", "-k", "anti-diagonal").assert_outcomes(failed=2, deselected=27)
    run("fixtures", "-x").assert_outcomes(passed=8, failed=1)
    run("fixtures", "--lf").assert_outcomes(failed=2)
    run("fixtures/winner.yaml::x-top-row").assert_outcomes(passed=1)


def test_junitxml_carries_the_verdict(pytester: pytest.Pytester, run: Run) -> None:
    run("fixtures", "--junitxml=out.xml")
    text = (pytester.path / "out.xml").read_text()
    assert '<property name="criterion" value="winner"' in text
    assert '<property name="status" value="failed"' in text


BAD = "fixtures/bad.yaml"
CASE = "criterion: winner\ncases:\n  - id: a\n    "
LONELY = RUBRIC + "  - id: lonely\n    description: d\n    points: 1\n"
NOT_SCORED = """\
import pytest

def test_one():
    pass

@pytest.mark.criterion('winner', weight=-1)
def test_two():
    pass

@pytest.mark.criterion('loser')
def test_three():
    pass
"""
IN_COLLECTION, USAGE = pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("name", "text", "code", "sentences"),
    [
        (BAD, f"{CASE}board: [XXX, OO., ...]\n    expect: O\n", IN_COLLECTION, [f"{BAD}:5: the case 'a'"]),
        (BAD, f"{CASE[:-1]}board: x\n", IN_COLLECTION, [f"{BAD}:4: not valid YAML"]),
        (
            BAD,
            f"{CASE}boards: all\n".replace("winner", "loser"),
            IN_COLLECTION,
            [f"{BAD}:1: unknown criterion 'loser'"],
        ),
        (BAD, "", IN_COLLECTION, [f"{BAD}:1: is empty"]),
        (
            "rubric.yaml",
            f"{RUBRIC}imports:\n  allowed:\n    - math\n    - nosuch\n",
            IN_COLLECTION,
            ["rubric.yaml:9: 'imports.allowed' names nosuch, which is not installed here"],
        ),
        ("rubric.yaml", LONELY, USAGE, ["ERROR: rubric.yaml:6: the criterion 'lonely' has no case"]),
        (
            "fixtures/winner.yaml",
            f"{CASE}board: [..., ..., ...]\n    weight: 0\n",
            USAGE,
            ["ERROR: rubric.yaml:3: the criterion 'winner' has cases of weight 0 alone*: give one a weight"],
        ),
        (
            "fixtures/again.yaml",
            (DEFAULT_FIXTURES / "winner.yaml").read_text(),
            USAGE,
            ["ERROR: * mistakes to fix:", ": the criterion 'winner' has two cases 'declaration'"],
        ),
        (
            "fixtures/test_more.py",
            "def test_something():\n    pass\n",
            USAGE,
            ["test_more.py:1: test_something names no criterion: mark it"],
        ),
        (
            "fixtures/test_more.py",
            NOT_SCORED,
            USAGE,
            [
                "ERROR: 3 mistakes to fix:",
                "test_more.py:3: test_one names no criterion: mark it",
                "test_more.py:*: test_two: a weight is a number, 0 or more, and not -1",
                "test_more.py:*: unknown criterion 'loser': the rubric has ",
            ],
        ),
    ],
)
def test_a_mistake_of_the_instructor_is_named_before_anybody_is_graded(  # noqa: PLR0917
    pytester: pytest.Pytester, run: Run, name: str, text: str, code: int, sentences: list[str]
) -> None:
    (pytester.path / name).write_text(text)
    result = run()
    assert result.ret == code
    stream = result.stdout if code == IN_COLLECTION else result.stderr
    stream.fnmatch_lines([f"*{sentence}*" for sentence in sentences])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_submission_that_is_not_there_is_a_sentence(run: Run) -> None:
    result = run(submission=Path("nowhere.py"))
    assert result.ret == IN_COLLECTION
    result.stdout.fnmatch_lines(["nowhere.py: no such file or folder"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_machine_without_a_layer_that_the_rubric_demands_grades_nobody(
    pytester: pytest.Pytester, run: Run
) -> None:
    """Given a kernel without Landlock, as far as workers can tell."""
    (pytester.path / "rubric.yaml").write_text(RUBRIC + "sandbox: required\n")
    run().assert_outcomes(passed=25, failed=3, skipped=1)
    pytester.makeconftest("from grader.sandbox import process\n\nprocess.LANDLOCK = 0\n")
    result = run("fixtures", "--confcutdir=.", "--rootdir=.", apart=True)
    assert result.ret == IN_COLLECTION
    result.stdout.fnmatch_lines(
        ["the rubric demands the whole sandbox, and this machine lacks part of it (files: *"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*layers.py*")


def test_a_criterion_without_a_case_is_an_error_for_the_whole_folder_only(
    pytester: pytest.Pytester, run: Run
) -> None:
    (pytester.path / "rubric.yaml").write_text(LONELY)
    assert run("fixtures/winner.yaml").ret == pytest.ExitCode.TESTS_FAILED


def test_a_weight_below_one_is_enough(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "fixtures/winner.yaml").write_text(f"{CASE}board: [..., ..., ...]\n    weight: 0.5\n")
    assert run().ret == pytest.ExitCode.OK


INSTRUCTOR = """\
import pytest

EMPTY = [[None] * 3 for _ in range(3)]

@pytest.mark.criterion("winner", weight=2, visibility="hidden")
def test_nobody_wins_at_once(submission):
    assert submission.winner(EMPTY) is None

@pytest.mark.criterion("winner")
def test_wrong_on_purpose(submission):
    assert submission.winner(EMPTY) == "X", "X should have won"

@pytest.mark.criterion("winner")
def test_rejects(submission):
    with pytest.raises(submission.Raised):
        submission.result(EMPTY, (5, 5))

@pytest.mark.criterion("winner")
def test_calls_what_is_not_there(submission):
    submission.nothing(EMPTY)

@pytest.mark.criterion("winner")
def test_is_itself_broken(submission):
    {}["key"]
"""


def test_an_instructors_tests_are_scored_like_the_rest(
    pytester: pytest.Pytester, run: Run, own_tests: Path
) -> None:
    own_tests.write_text(INSTRUCTOR)
    result = run("fixtures", "--junitxml=out.xml", submission=file_of("plain_deepcopy"))
    result.assert_outcomes(passed=2, failed=3)
    text = (pytester.path / "out.xml").read_text()
    counts = {"passed": 2, "failed": 2, "grader_error": 1}
    assert {status: text.count(f'name="status" value="{status}"') for status in counts} == counts


REPEATED = """\
import pytest

ALL_WIN = [["X", "O", "X"], ["O", "X", "O"], [None, None, None]]

@pytest.mark.criterion("winner")
def test_from_the_sweep(submission):
    assert len({submission.minimax(ALL_WIN) for _ in range(50)}) == 1

@pytest.mark.fresh
@pytest.mark.criterion("winner")
def test_fresh(submission):
    assert len({submission.minimax(ALL_WIN) for _ in range(50)}) == 3
"""
BY_CHANCE = """
import random


def value(board):
    if terminal(board):
        return utility(board)
    best = max if player(board) == X else min
    return best(value(result(board, action)) for action in actions(board))


def minimax(board):
    if terminal(board):
        return None
    moves = sorted(actions(board))
    random.shuffle(moves)
    best = max if player(board) == X else min
    return best(moves, key=lambda action: value(result(board, action)))
"""


def test_minimax_is_called_anew_where_a_test_says_so(
    pytester: pytest.Pytester, run: Run, own_tests: Path
) -> None:
    """Given a function that gives any of the best moves, and a board on which all three are best."""
    own_tests.write_text(REPEATED)
    file = pytester.path / "tictactoe.py"
    file.write_text(PLAIN + BY_CHANCE)
    run("fixtures", "--strict-markers", submission=file).assert_outcomes(passed=2)


def test_a_broken_check_is_the_graders_fault_and_shows_its_traceback(
    pytester: pytest.Pytester, run: Run
) -> None:
    (pytester.path / "broken_grader.py").write_text(
        "import grader.core.checks.functions as f\ndef boom(*a):\n    raise AssertionError('boom')\nf.value_text = boom\n"
        "import grader.core.judging as j\nimport grader.core.course.course as q\nj._CHECKS[q.Answer] = boom\n"
    )
    pytester.syspathinsert()
    result = run("fixtures", "-p", "broken_grader", "-k", "x-top-row", "--junitxml=out.xml", apart=True)
    result.assert_outcomes(failed=1, deselected=28)
    result.stdout.fnmatch_lines(["*AssertionError: boom*"])
    assert 'name="status" value="grader_error"' in (pytester.path / "out.xml").read_text()


@pytest.mark.exhaustive
def test_the_shipped_fixtures_pass_for_a_correct_file(pytester: pytest.Pytester, run: Run) -> None:
    file = pytester.path / "tictactoe.py"
    file.write_text(PLAIN)
    result = run(str(DEFAULT_FIXTURES), f"--rubric={DEFAULT_RUBRIC}", submission=file, apart=True)
    result.assert_outcomes(passed=140, xfailed=1)  # no bonus
