"""pytest as the engine: ids, failures in the game's words, selection, collection errors, instructors' tests."""

import shutil
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


@pytest.fixture
def run(pytester: pytest.Pytester) -> object:
    """Give a function that runs pytest with the plugin in a folder of its own; in this process, if nothing is said."""
    (pytester.path / "rubric.yaml").write_text(RUBRIC)
    (pytester.path / "fixtures").mkdir()

    def runner(*arguments: object, submission: Path = FAULTY, apart: bool = False) -> pytest.RunResult:
        start = pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess
        return start(
            "-p",
            "grader.grading.plugin",
            f"--rubric={pytester.path / 'rubric.yaml'}",
            f"--submission={submission}",
            *map(str, arguments),
        )

    return runner


def copy_winner(pytester: pytest.Pytester) -> None:
    shutil.copy(DEFAULT_FIXTURES / "winner.yaml", pytester.path / "fixtures")


def test_cases_are_items_with_readable_ids_and_failures(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    result = run("fixtures", "-v", apart=True)  # type: ignore[operator]
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


def test_selection_and_stopping_work_as_usual(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    run("fixtures", "-k", "anti-diagonal").assert_outcomes(failed=2, deselected=27)  # type: ignore[operator]
    run("fixtures", "-x").assert_outcomes(passed=8, failed=1)  # type: ignore[operator]
    run("fixtures", "--lf").assert_outcomes(failed=2)  # type: ignore[operator]
    run("fixtures/winner.yaml::x-top-row").assert_outcomes(passed=1)  # type: ignore[operator]


def test_junitxml_carries_the_verdict(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    run("fixtures", "--junitxml=out.xml")  # type: ignore[operator]
    text = (pytester.path / "out.xml").read_text()
    assert '<property name="criterion" value="winner"' in text
    assert '<property name="status" value="failed"' in text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "criterion: winner\ncases:\n  - id: a\n    board: [XXX, OO., ...]\n    expect: O\n",
            "fixtures/bad.yaml:5: the case 'a'",
        ),
        ("criterion: winner\ncases:\n  - id: a\n   board: x\n", "fixtures/bad.yaml:4: not valid YAML"),
        (
            "criterion: loser\ncases:\n  - id: a\n    boards: all\n",
            "fixtures/bad.yaml:1: unknown criterion 'loser'",
        ),
        ("", "fixtures/bad.yaml:1: is empty"),
    ],
)
def test_bad_yaml_is_a_collection_error_with_its_line(
    pytester: pytest.Pytester, run: object, text: str, sentence: str
) -> None:
    copy_winner(pytester)
    (pytester.path / "fixtures" / "bad.yaml").write_text(text)
    result = run("fixtures")  # type: ignore[operator]
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*{sentence}*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_bad_input_is_a_usage_error(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    result = run("fixtures", submission=Path("nowhere.py"))  # type: ignore[operator]
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["nowhere.py: no such file or folder"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_machine_without_a_layer_that_the_rubric_demands_grades_nobody(
    pytester: pytest.Pytester, run: object
) -> None:
    """Given a kernel without Landlock, as far as workers can tell."""
    copy_winner(pytester)
    (pytester.path / "rubric.yaml").write_text(RUBRIC + "sandbox: required\n")
    run("fixtures").assert_outcomes(passed=25, failed=3, skipped=1)  # type: ignore[operator]
    pytester.makeconftest("from grader.sandbox import process\n\nprocess.LANDLOCK = 0\n")
    result = run("fixtures", "--confcutdir=.", "--rootdir=.", apart=True)  # type: ignore[operator]
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["the rubric demands the whole sandbox, and this machine lacks part of it (files: *"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*layers.py*")


def test_a_module_that_cannot_be_had_is_told_before_anybody_is_graded(
    pytester: pytest.Pytester, run: object
) -> None:
    copy_winner(pytester)
    (pytester.path / "rubric.yaml").write_text(RUBRIC + "imports:\n  allowed:\n    - math\n    - nosuch\n")
    result = run("fixtures")  # type: ignore[operator]
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["*rubric.yaml:9: 'imports.allowed' names nosuch, which is not installed here*"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_criterion_without_a_case_is_an_error_for_the_whole_folder_only(
    pytester: pytest.Pytester, run: object
) -> None:
    copy_winner(pytester)
    more = RUBRIC + "  - id: lonely\n    description: d\n    points: 1\n"
    (pytester.path / "rubric.yaml").write_text(more)
    result = run("fixtures")  # type: ignore[operator]
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *rubric.yaml:6: the criterion 'lonely' has no case*"])
    assert run("fixtures/winner.yaml").ret == pytest.ExitCode.TESTS_FAILED  # type: ignore[operator]


def test_points_that_nobody_can_earn_are_an_error(pytester: pytest.Pytester, run: object) -> None:
    case = "  - id: start\n    board: [..., ..., ...]\n    weight: {}\n"
    for weight in ("0", "0.5"):
        fixture = f"criterion: winner\ncases:\n{case.format(weight)}"
        (pytester.path / "fixtures" / "winner.yaml").write_text(fixture)
        result = run("fixtures")  # type: ignore[operator]
        assert (result.ret == pytest.ExitCode.USAGE_ERROR) is (weight == "0")
        if weight == "0":
            told = "ERROR: *rubric.yaml:3: the criterion 'winner' has cases of weight 0 alone*: give one a weight*"
            result.stderr.fnmatch_lines([told])


def test_two_cases_of_one_criterion_need_two_ids(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    shutil.copy(DEFAULT_FIXTURES / "winner.yaml", pytester.path / "fixtures" / "again.yaml")
    result = run("fixtures")  # type: ignore[operator]
    result.stderr.fnmatch_lines(
        ["ERROR: * mistakes to fix:", "*: the criterion 'winner' has two cases 'declaration'*"]
    )


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


def test_an_instructors_tests_are_scored_like_the_rest(pytester: pytest.Pytester, run: object) -> None:
    (pytester.path / "fixtures" / "test_more.py").write_text(INSTRUCTOR)
    result = run("fixtures", "--junitxml=out.xml", submission=file_of("plain_deepcopy"))  # type: ignore[operator]
    result.assert_outcomes(passed=2, failed=3)
    text = (pytester.path / "out.xml").read_text()
    assert text.count('name="status" value="passed"') == 2
    assert text.count('name="status" value="failed"') == 2
    assert text.count('name="status" value="grader_error"') == 1


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


def test_minimax_is_called_anew_where_a_test_says_so(pytester: pytest.Pytester, run: object) -> None:
    """Given a function that gives any of the best moves, and a board on which all three are best."""
    (pytester.path / "fixtures" / "test_more.py").write_text(REPEATED)
    (pytester.path / "tictactoe.py").write_text(PLAIN + BY_CHANCE)
    file = pytester.path / "tictactoe.py"
    result = run("fixtures", "--strict-markers", submission=file)  # type: ignore[operator]
    result.assert_outcomes(passed=2)


def test_an_instructors_test_must_name_its_criterion(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    (pytester.path / "fixtures" / "test_more.py").write_text("def test_something():\n    pass\n")
    result = run("fixtures")  # type: ignore[operator]
    result.stderr.fnmatch_lines(["ERROR: *test_more.py:1: test_something names no criterion: mark it*"])


def test_all_tests_that_cannot_be_scored_are_named(pytester: pytest.Pytester, run: object) -> None:
    copy_winner(pytester)
    (pytester.path / "fixtures" / "test_more.py").write_text(
        "import pytest\n\ndef test_one():\n    pass\n\n"
        "@pytest.mark.criterion('winner', weight=-1)\ndef test_two():\n    pass\n\n"
        "@pytest.mark.criterion('loser')\ndef test_three():\n    pass\n"
    )
    result = run("fixtures")  # type: ignore[operator]
    result.stderr.fnmatch_lines(
        [
            "ERROR: 3 mistakes to fix:",
            "*test_more.py:3: test_one names no criterion: mark it*",
            "*test_more.py:*: test_two: a weight is a number, 0 or more, and not -1",
            "*test_more.py:*: unknown criterion 'loser': the rubric has *",
        ]
    )


def test_a_broken_check_is_the_graders_fault_and_shows_its_traceback(
    pytester: pytest.Pytester, run: object, tmp_path: Path
) -> None:
    copy_winner(pytester)
    (pytester.path / "broken_grader.py").write_text(
        "import grader.core.checks.functions as f\ndef boom(*a):\n    raise AssertionError('boom')\nf.value_text = boom\n"
        "import grader.core.judging as j\nimport grader.core.course.course as q\nj._CHECKS[q.Answer] = boom\n"
    )
    pytester.syspathinsert()
    result = run("fixtures", "-p", "broken_grader", "-k", "x-top-row", "--junitxml=out.xml", apart=True)  # type: ignore[operator]
    result.assert_outcomes(failed=1, deselected=28)
    result.stdout.fnmatch_lines(["*AssertionError: boom*"])
    assert 'name="status" value="grader_error"' in (pytester.path / "out.xml").read_text()


@pytest.mark.exhaustive
def test_the_shipped_fixtures_pass_for_a_correct_file(pytester: pytest.Pytester) -> None:
    file = pytester.path / "tictactoe.py"
    file.write_text(PLAIN)
    result = pytester.runpytest_subprocess(
        "-p",
        "grader.grading.plugin",
        f"--submission={file}",
        str(DEFAULT_FIXTURES),
        f"--rubric={DEFAULT_RUBRIC}",
    )
    result.assert_outcomes(passed=140, xfailed=1)  # no bonus
