from pathlib import Path

import pytest

from grader.core.course.course import Answer, Case, Play
from grader.core.errors import UserError
from grader.core.game.board import marks
from grader.core.game.oracle import FUNCTIONS
from grader.course import cases, rubric_files
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC

RUBRIC = rubric_files.load(DEFAULT_RUBRIC)
HEAD = "criterion: winner\ncases:\n"
CASE = "  - id: one\n    board: [XXX, OO., ...]\n    expect: X\n"


def load(tmp_path: Path, text: str) -> tuple[Case, ...]:
    file = tmp_path / "fixture.yaml"
    file.write_text(text)
    return cases.load(file, RUBRIC)


def test_four_lines_make_a_case(tmp_path: Path) -> None:
    text = (
        HEAD
        + CASE
        + "  - id: two\n    board: [XOX, XOO, OXX]\n    expect: None\n    hint: A tie is nobody's.\n"
    )
    one, two = load(tmp_path, text)
    assert isinstance(one.question, Answer)
    assert (one.criterion, one.question.function, one.question.board, one.line) == (
        "winner",
        "winner",
        "XXXOO....",
        3,
    )
    assert (two.question.id, two.question.hint, two.line) == ("two", "A tie is nobody's.", 6)


def test_a_board_may_be_drawn_as_a_block(tmp_path: Path) -> None:
    (case,) = load(tmp_path, HEAD + "  - id: one\n    board: |\n      X X X\n      O O .\n      . . .\n")
    assert isinstance(case.question, Answer) and case.question.board == "XXXOO...."


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "criterion: nobody\ncases:\n" + CASE,
            1,
            "unknown criterion 'nobody': the rubric has player, actions",
        ),
        (HEAD + CASE + CASE, 6, "the id 'one' is given twice"),
        (HEAD + CASE.replace("expect: X", "expect: O"), 5, "the right answer is 'X', not 'O'"),
        (HEAD + CASE.replace("expect: X", "expect: None"), 5, "the right answer is 'X', not None"),
        (HEAD + CASE.replace("OO.", "O.."), 4, "X has 3 marks and O has 1"),
        (HEAD + CASE.replace("OO., ...", "OOO, ..."), 4, "went on after the game was over"),
        (HEAD + CASE.replace("OO.", "OO"), 4, "three rows of three cells"),
        (HEAD + CASE.replace("board: [XXX, OO., ...]", "board: 5"), 4, "three rows of three cells"),
        (HEAD + CASE.replace("expect", "expected"), 5, "unknown key 'expected'"),
        (HEAD + CASE + "    weight: -1\n", 6, "greater than or equal to 0"),
        (HEAD + CASE + "    visibility: secret\n", 6, "'visibility': input should be 'public' or 'hidden'"),
        (HEAD + CASE + "    check: guess\n", 3, "unknown check 'guess'"),
        (HEAD + "  - id: one\n", 3, "give either 'board'"),
        (HEAD + CASE + "    boards: all\n", 3, "give either 'board'"),
        (HEAD + CASE + "    scoring: share\n", 3, "go with 'boards'"),
        (HEAD + "  - id: one\n    boards: some\n", 4, "'all', 'running' or 'finished'"),
        ("criterion: winner\ncases: []\n", 2, "at least 1 item"),
        ("criterion: quality\ncases:\n" + CASE, 3, "names no 'function'"),
        ("criterion: player\ncases:\n" + CASE, 4, "player may only be asked about running games"),
        (
            "criterion: utility\ncases:\n  - id: one\n    boards: all\n",
            4,
            "only be asked about finished games",
        ),
        (
            "criterion: winner\ncases:\n  - id: one\n    boards: finished\n    min_marks: 9\n    expect: X\n",
            4,
            "go with 'board'",
        ),
        (
            "criterion: player\ncases:\n  - id: one\n    boards: running\n    min_marks: 9\n",
            5,
            "no board has so many marks",
        ),
        (
            "criterion: minimax\ncases:\n  - id: one\n    board: [XX., OO., ...]\n    expect: [[2, 2]]\n",
            5,
            r"the right answer is \{\(0, 2\)\}, not \{\(2, 2\)\}",
        ),
        (
            "criterion: minimax\ncases:\n  - id: one\n    board: [X.., .O., ..X]\n    expect: [[0, 1]]\n",
            5,
            "the right answer is",
        ),
        (
            "criterion: result\ncases:\n  - id: one\n    board: [X.., ..., ...]\n    action: [0, 0]\n",
            5,
            "not valid on this board",
        ),
        (
            "criterion: result\ncases:\n  - id: one\n    board: [X.., ..., ...]\n",
            3,
            "'result' on one board needs it",
        ),
        (
            "criterion: result\ncases:\n  - id: one\n    check: reject\n    board: [X.., ..., ...]\n    action: [1, 1]\n",
            6,
            "is a valid action",
        ),
        (
            "criterion: player\ncases:\n  - id: one\n    check: reject\n    board: [X.., ..., ...]\n    action: [0, 0]\n",
            3,
            "only result has actions to reject",
        ),
        (
            "criterion: minimax\ncases:\n  - id: one\n    check: play\n    must: never_lose\n",
            3,
            "'side' goes with",
        ),
        (
            "criterion: terminal\ncases:\n  - id: one\n    board: [XXX, OO., ...]\n    expect: 1\n",
            5,
            "is True, not 1",
        ),
        (
            "criterion: utility\ncases:\n  - id: one\n    board: [XXX, OO., ...]\n    expect: true\n",
            5,
            "is 1, not True",
        ),
        (
            "criterion: winner\ncases:\n  - id: one\n    board: [XXX, OO., ...]\n    expect: optimal\n",
            5,
            "goes with minimax",
        ),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, text: str, line: int, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence) as caught:
        load(tmp_path, text)
    assert caught.value.line == line


def test_the_shipped_fixtures_ask_what_the_assignment_asks() -> None:
    shipped = {
        file.stem: [case.question for case in cases.load(file, RUBRIC)]
        for file in sorted(DEFAULT_FIXTURES.glob("*.yaml"))
    }
    assert set(shipped) - {"hand_in"} == {criterion.id for criterion in RUBRIC.all_criteria()}
    turns = [q for q in shipped["player"] if isinstance(q, Answer) and q.board]
    assert sorted(marks(q.board) for q in turns if q.board) == list(range(9))
    ids = [question.id for question in shipped["winner"]]
    lines = [
        "top-row",
        "middle-row",
        "bottom-row",
        "left-column",
        "middle-column",
        "right-column",
        "diagonal",
    ]
    for side in "xo":
        assert {f"{side}-{line}" for line in [*lines, "anti-diagonal"]} <= set(ids)
    kinds = {question.must for question in shipped["minimax"] if isinstance(question, Play)}
    assert kinds == {"optimal", "legal", "none_at_end", "never_lose"}
    hidden = sum(question.visibility == "hidden" for questions in shipped.values() for question in questions)
    assert hidden > 20


def test_every_board_is_asked_where_the_question_is_allowed() -> None:
    for name in ("player", "actions", "result", "winner", "terminal", "utility"):
        questions = [case.question for case in cases.load(DEFAULT_FIXTURES / f"{name}.yaml", RUBRIC)]
        families = [q.boards for q in questions if isinstance(q, Answer) and q.boards]
        assert [family.value for family in families] == [FUNCTIONS[name].domain.value]


def test_boards_with_enough_marks_only(tmp_path: Path) -> None:
    (case,) = load(tmp_path, HEAD + "  - id: late\n    boards: all\n    min_marks: 7\n")
    assert isinstance(case.question, Answer)
    assert min(map(marks, case.question.chosen())) == 7
