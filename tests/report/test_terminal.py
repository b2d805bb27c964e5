"""The report in the terminal: checks with faces, and what is folded under what."""

from pathlib import Path

import pytest
from rich.text import Text

from grader.core.grade import Boundary, Sweep
from grader.core.scores import make_grade
from grader.course.courses import fixtures_of, rubric_of
from grader.grading.session import Settings
from grader.report import terminal_report
from grader.report.wording import as_text
from tests.judged import grade_submission
from tests.places.grades import RUBRIC, UNRUN, unrun, verdict
from tests.submissions.files import file_of


def report(file: Path) -> str:
    rubric_file = rubric_of("cs50ai")
    return as_text(
        terminal_report.render(grade_submission(file, Settings(rubric_file, fixtures_of(rubric_file))))
    )


def test_checks_have_faces() -> None:
    text = report(file_of("result_accepts_negative_indices"))
    assert ":) player: whose turn on every board\n" in text
    assert ":( result: refuses negative indices\n     (-1, 1) is off the board" in text
    assert "29 / 30" in text


def test_a_file_that_does_not_run_is_told_once() -> None:
    text = report(file_of("file_imports_numpy"))
    assert text.count("The file was not run.") == 1
    assert ":( " not in text and " checks need the file to run\n" in text
    assert text.count(":| ") == 1


def test_a_style_that_is_worth_nothing_is_a_note() -> None:
    text = report(file_of("code_is_untidy"))
    assert "30 / 30" in text
    assert "Style: " in text and "counted once" in text
    assert "line 6: `os` imported but unused" in text


def test_what_a_student_wrote_stays_as_it_is() -> None:
    """Given what other programs make pictures of."""
    assert (
        as_text("a cell is :x: or :o:, said with a :smile:") == "a cell is :x: or :o:, said with a :smile:\n"
    )


def test_a_file_that_does_not_run_has_its_line_and_no_bars() -> None:
    text = as_text(terminal_report.render(unrun(), every_case=True))
    assert "  3 | def winner(board)\n    |                  ^\n  Fix this first" in text
    assert text.count(UNRUN.sentence) == 1
    assert "░" not in text and "seen" not in text and "secret" not in text


def test_a_failed_case_explains_its_points() -> None:
    found = [("player", verdict("seen")), ("player", verdict("more", 0)), ("minimax", verdict("whole", 0.25))]
    given = make_grade(RUBRIC, "ada.py", found, seconds=1, submission_seconds=1)
    text = as_text(terminal_report.render(given))
    assert "1. player  -10\n" in text
    assert "1 case fails (points): more (0 of 10)." in text
    assert "1 case fails (points): whole (20 of 80)." in text
    assert "player/more  failed  0 of 10 points\n" in as_text(terminal_report.render(given, every_case=True))


def test_a_sweep_that_had_no_reason_to_be_plain_names_none() -> None:
    sweep = Sweep(asked=1_007, seconds=1, recalled=False)
    grade = make_grade(RUBRIC, "a.py", (), seconds=1, submission_seconds=1, sweep=sweep)
    assert "minimax was asked 1,007 boards without recall." in as_text(terminal_report.render(grade))


@pytest.mark.parametrize(("kind", "name"), [("native", "the native sandbox"), ("wasm", "WebAssembly")])
def test_the_report_says_in_what_a_file_ran(kind: str, name: str) -> None:
    ran_in = Boundary(kind=kind, python="3.13.1")
    grade = make_grade(RUBRIC, "a.py", (), seconds=1, submission_seconds=1, boundary=ran_in)
    assert as_text(terminal_report.render(grade)).endswith(f"It ran in {name}, by Python 3.13.1.\n")


def test_no_line_ends_at_a_blank_that_does_not_break() -> None:
    lines = as_text(Text("1\u202f188\u00a0:" + " 1\u202f188\u00a0:" * 40), width=50).splitlines()
    assert len(lines) > 3
    assert all(line.endswith(":") and line.startswith("1") for line in lines)
