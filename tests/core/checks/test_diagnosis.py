"""What is said of files with unusual or several mistakes: nothing that is not true of them."""

from functools import cache
from pathlib import Path

import pytest

from grader.core.course.submission import from_bytes
from grader.core.grade import Grade, Status, student_view, to_json
from grader.grading.session import Settings
from tests.judged import grade_submission, judged
from tests.submissions import PLAIN
from tests.submissions.faults import body, swap

UPSIDE_DOWN = body("utility", "return {X: -1, O: 1, None: 0}[winner(board)]")
ROWS_AND_COLUMNS = (
    "lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]",
    "found = [m for m in (X, O) for line in lines if all(board[i][j] == m for i, j in line)]",
)
CHANGES_THE_BOARD = body(
    "minimax",
    "if terminal(board):",
    "    return None",
    "choose, value = (max, min_value) if player(board) == X else (min, max_value)",
    "best = choose(sorted(actions(board)), key=lambda action: value(result(board, action)))",
    "board[best[0]][best[1]] = player(board)",
    "return best",
)
WON = """

def won(board, m):
    lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
    lines += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    return any(all(board[i][j] == m for i, j in line) for line in lines)
"""
SOURCES = {
    "two mistakes of which one changes the board": CHANGES_THE_BOARD(UPSIDE_DOWN(PLAIN)),
    "no tie, and nothing returned": body("terminal", "if winner(board) is not None:", "    return True")(PLAIN),
    "a copy of the mistake": body(
        "utility", *ROWS_AND_COLUMNS, "return 0 if not found else 1 if found[0] == X else -1"
    )(body("winner", *ROWS_AND_COLUMNS, "return found[0] if found else None")(PLAIN)),
    "winner asks terminal": body(
        "terminal", *ROWS_AND_COLUMNS, "return bool(found) or not any(EMPTY in row for row in board)"
    )(swap("    for mark in (X, O):\n", "    if not terminal(board):\n        return None\n    for mark in (X, O):\n")(PLAIN)),
    "accepts what only hidden cases ask": swap(
        "    if action not in actions(board):",
        "    if action == 5 or action == (1,):\n        return [row[:] for row in board]\n    if action not in actions(board):",
    )(PLAIN),
    "raises for one player": body("winner", "return X if won(board, X) else o if won(board, O) else None")(PLAIN) + WON,
    "X unless O": body("winner", "return O if won(board, O) else X")(PLAIN) + WON,
    "raises for O, and a wrong row": body(
        "winner",
        "if board[0] == [X, X, X] and board[1][1] != board[2][1]:",
        "    return O",
        "return X if won(board, X) else o if won(board, O) else None",
    )(PLAIN) + WON,
    "winner asks utility": body("winner", "return {1: X, -1: O, 0: None}[utility(board)]")(
        body("utility", *ROWS_AND_COLUMNS, "return 0 if not found else 1 if found[0] == X else -1")(PLAIN)
    ),
    "the cells of X": swap("if board[i][j] == EMPTY:", "if board[i][j] == X:")(PLAIN),
    "other words for the turns": swap("return X if count_x == count_o else O", "return 1 if count_x == count_o else -1")(PLAIN),
}  # fmt: skip


@cache
def grade_of(name: str) -> Grade:
    source = SOURCES[name].encode()
    return judged(from_bytes(name, source, len(source), 1000))


def titles(name: str) -> list[str]:
    return [f"{mistake.function} {mistake.title}" for mistake in grade_of(name).mistakes]


def given_back(name: str) -> set[str]:
    return {row.id for row in grade_of(name).criteria if row.given_back}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "expected", "back"),
    [
        (
            "two mistakes of which one changes the board",
            ["utility has the signs swapped", "minimax changes the board it is given"],
            {"minimax"},  # its moves are right with a right utility; what it does to the board is its own
        ),
        (
            "no tie, and nothing returned",
            ["terminal returns None, not a boolean", "terminal does not see ties"],
            {"minimax"},
        ),
        (
            "a copy of the mistake",
            ["winner never sees the diagonals", "utility repeats the mistake of `winner`"],
            {"terminal", "minimax"},
        ),
        ("accepts what only hidden cases ask", [], set()),
        ("the cells of X", None, {"result", "minimax"}),
        ("other words for the turns", ["player answers 1 for X and -1 for O"], {"result", "minimax"}),
        (
            "X unless O",
            ["winner answers 'X' on boards that nobody has won"],
            {"terminal", "utility", "minimax"},
        ),
    ],
)
def test_what_is_named_is_true_and_what_is_given_back_is_due(
    name: str, expected: list[str] | None, back: set[str]
) -> None:
    if expected is None:
        assert "actions includes cells that X has taken" in titles(name)
    else:
        assert titles(name) == expected
    assert given_back(name) == back


@pytest.mark.exhaustive
def test_who_follows_is_found_either_way() -> None:
    grade = grade_of("winner asks terminal")
    follows = {v.function: v.follows for row in grade.criteria for v in row.verdicts if v.follows}
    assert follows["winner"] == ("terminal",)
    assert "winner" not in {mistake.function for mistake in grade.mistakes}


def test_what_only_hidden_cases_show_is_not_told() -> None:
    text = to_json(student_view(grade_of("accepts what only hidden cases ask")))
    assert "(1,)" not in text and "result(board, 5)" not in text


def test_an_exception_on_a_set_of_boards_has_its_line() -> None:
    (mistake,) = [
        mistake for mistake in grade_of("raises for one player").mistakes if mistake.function == "winner"
    ]
    assert mistake.id == "raises-on"
    assert "raises NameError: name 'o' is not defined (line " in mistake.sentence
    assert "on boards that O has won" in mistake.sentence


@pytest.mark.exhaustive
def test_an_exception_that_comes_first_explains_no_other_answers() -> None:
    name = "raises for O, and a wrong row"
    assert titles(name) == ["winner raises NameError on 316 of 5,478 boards"]
    verdicts = [verdict for criterion in grade_of(name).criteria for verdict in criterion.verdicts]
    own = [verdict for verdict in verdicts if verdict.function == "winner" and verdict.status.is_bad]
    assert {verdict.status is Status.CRASHED for verdict in own if verdict.explained_by} == {True}


@pytest.mark.exhaustive
def test_a_function_that_winner_asks_does_not_repeat_its_mistake() -> None:
    assert titles("winner asks utility") == ["utility never sees the diagonals"]


def test_a_name_that_is_no_text_is_no_crash(tmp_path: Path) -> None:
    file = tmp_path / b"tic\xff.py".decode("utf-8", "surrogateescape")
    file.write_text("x = 1\n")
    assert r"tic\\udcff.py" in to_json(grade_submission(file, Settings()))
