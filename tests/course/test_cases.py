from pathlib import Path

import pytest

from grader.core.course.course import Answer, Case, Play
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.core.game.board import marks
from grader.core.game.oracle import FUNCTIONS
from grader.course import cases, rubric_files
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC

RUBRIC = rubric_files.load(DEFAULT_RUBRIC)
HEAD = "criterion: winner\ncases:\n"
CASE = "  - id: one\n    board: [XXX, OO., ...]\n    expect: X\n"
WON = "board: [XXX, OO., ...]"
X_MOVED = "board: [X.., ..., ...]"


def fixture(criterion: str, *lines: str) -> str:
    """Return a fixture with one case."""
    return f"criterion: {criterion}\ncases:\n  - id: one\n" + "".join(f"    {line}\n" for line in lines)


def load(tmp_path: Path, text: str) -> tuple[Case, ...]:
    file = tmp_path / "fixture.yaml"
    file.write_text(text)
    return cases.load(file, RUBRIC)


def test_four_lines_make_a_case(tmp_path: Path) -> None:
    more = "  - id: two\n    board: [XOX, XOO, OXX]\n    expect: None\n    hint: A tie is nobody's.\n"
    first, second = load(tmp_path, HEAD + CASE + more)
    assert isinstance(first.question, Answer)
    assert (first.criterion, first.question.function, first.line) == ("winner", "winner", 3)
    assert first.question.board == "XXXOO...."
    assert (second.question.id, second.question.hint, second.line) == ("two", "A tie is nobody's.", 6)


def test_a_board_may_be_drawn_as_a_block(tmp_path: Path) -> None:
    (case,) = load(tmp_path, HEAD + "  - id: one\n    board: |\n      X X X\n      O O .\n      . . .\n")
    assert isinstance(case.question, Answer) and case.question.board == "XXXOO...."


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (fixture("nobody", WON), 1, "unknown criterion 'nobody': the rubric has player, actions"),
        (HEAD + CASE + CASE, 6, "the id 'one' is given twice"),
        (HEAD + CASE.replace("expect: X", "expect: O"), 5, "the right answer is 'X', not 'O'"),
        (HEAD + CASE.replace("expect: X", "expect: None"), 5, "the right answer is 'X', not None"),
        (HEAD + CASE.replace("OO.", "O.."), 4, "X has 3 marks and O has 1"),
        (HEAD + CASE.replace("OO., ...", "OOO, ..."), 4, "went on after the game was over"),
        (HEAD + CASE.replace("OO.", "OO"), 4, "three rows of three cells"),
        (HEAD + CASE.replace(WON, "board: 5"), 4, "three rows of three cells"),
        (HEAD + CASE.replace("expect", "expected"), 5, "unknown key 'expected'"),
        (HEAD + CASE + "    weight: -1\n", 6, "greater than or equal to 0"),
        (HEAD + CASE + "    visibility: secret\n", 6, "'visibility': input should be 'public' or 'hidden'"),
        (HEAD + CASE + "    check: guess\n", 3, "unknown check 'guess'"),
        (HEAD + "  - id: one\n", 3, "give either 'board'"),
        (HEAD + CASE + "    boards: all\n", 3, "give either 'board'"),
        (HEAD + CASE + "    scoring: share\n", 3, "go with 'boards'"),
        (fixture("winner", "boards: some"), 4, "'all', 'running' or 'finished'"),
        ("criterion: winner\ncases: []\n", 2, "at least 1 item"),
        (fixture("quality", WON, "expect: X"), 3, "names no 'function'"),
        (fixture("player", WON, "expect: X"), 4, "player may only be asked about running games"),
        (fixture("utility", "boards: all"), 4, "only be asked about finished games"),
        (fixture("winner", "boards: finished", "min_marks: 9", "expect: X"), 4, "go with 'board'"),
        (fixture("player", "boards: running", "min_marks: 9"), 5, "no board has so many marks"),
        (
            fixture("minimax", "board: [XX., OO., ...]", "expect: [[2, 2]]"),
            5,
            r"the right answer is \{\(0, 2\)\}, not \{\(2, 2\)\}",
        ),
        (fixture("minimax", "board: [X.., .O., ..X]", "expect: [[0, 1]]"), 5, "the right answer is"),
        (fixture("result", X_MOVED, "action: [0, 0]"), 5, "not valid on this board"),
        (fixture("result", X_MOVED), 3, "'result' on one board needs it"),
        (fixture("result", "check: reject", X_MOVED, "action: [1, 1]"), 6, "is a valid action"),
        (
            fixture("player", "check: reject", X_MOVED, "action: [0, 0]"),
            3,
            "only result has actions to reject",
        ),
        (fixture("minimax", "check: play", "must: never_lose"), 3, "'side' goes with"),
        (fixture("terminal", WON, "expect: 1"), 5, "is True, not 1"),
        (fixture("utility", WON, "expect: true"), 5, "is 1, not True"),
        (fixture("winner", WON, "expect: optimal"), 5, "goes with minimax"),
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
    lines = "top-row middle-row bottom-row left-column middle-column right-column diagonal anti-diagonal"
    ids = {question.id for question in shipped["winner"]}
    assert ids >= {f"{side}-{line}" for side in "xo" for line in lines.split()}
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


MARKED = "@pytest.mark.criterion({})\ndef test_it(submission):\n    pass\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (MARKED.format('"minimax", weight=2'), []),
        ('pytestmark = [mark.criterion(id="minimax", visibility="hidden")]\n', []),
        ("NAME = 'minimax'\n" + MARKED.format("NAME, **{}"), []),
        (
            MARKED.format('"minimax", weigth=2'),
            ["1: the mark 'criterion' takes no 'weigth'; is weight meant?"],
        ),
        (
            "\n" + MARKED.format('"minimax", 2, colour=1'),
            [
                "2: the mark 'criterion' takes no 'colour'",
                "2: the mark 'criterion' takes one id: name what else is given, as in weight=2",
            ],
        ),
        (
            'x = 1\nmark.criterion("minmax")\n',
            ["2: unknown criterion 'minmax': the rubric has minimax; is minimax meant?"],
        ),
        ("import pytest\ndef test_it()\n    pass\n", ["2: not valid Python: expected ':'"]),
    ],
)
def test_wrong_marks_in_an_instructors_own_tests(tmp_path: Path, text: str, wrong: list[str]) -> None:
    rubric = Rubric(title="T", criteria=(Criterion(id="minimax", description="Moves", points=5),))
    file = tmp_path / "test_own.py"
    file.write_text(text)
    found = cases.wrong_in_tests(file, rubric)
    assert [str(error).removeprefix(f"{file}:") for error in found] == wrong
