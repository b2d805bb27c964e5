"""One student's before and after: totals with decisions, criteria, and cases with their reasons."""

from pathlib import Path

import pytest

from grader.classroom.class_summary import of_student, render_student
from grader.cli.main import main
from grader.core.errors import UserError
from grader.report.wording import as_text
from tests.marking.made import grade, record, written


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    before = written(tmp_path / "old", [record("s0", "Ada", grade("a")), record("s1", "Bob", grade("b"))])
    after = written(tmp_path / "new", [record("s0", "Ada", grade("a", wrong=False)), record("s1", "Bob", grade("b"))])  # fmt: skip
    (after / "adjustments.yaml").write_text("- student: Ada\n  criterion: design\n  points: 15\n  comment: c\n  by: B\n")  # fmt: skip
    return before, after


def test_a_student_s_before_and_after(both: tuple[Path, Path]) -> None:
    whole = of_student(*both, "Ada")
    assert whole.totals == (0, 25) and whole.criteria == (("player", 0, 10), ("design", 0, 15))
    assert [(one.name, one.before, one.after) for one in whole.cases] == [
        ("player/every-board", "failed: O begins.", "passed: right")
    ]
    text = as_text(render_student(whole))
    for words in ("Ada  0 becomes 25", "before: failed: O begins.", "after: passed: right", "Design: 15 of 20 (marked by B): c"):  # fmt: skip
        assert words in text


def test_nothing_and_nobody(both: tuple[Path, Path]) -> None:
    assert "Nothing changed." in as_text(render_student(of_student(*both, "s1")))
    with pytest.raises(UserError, match="there is no student 'Adda'; is Ada meant"):
        of_student(*both, "Adda")


def test_the_command(both: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    before, after = map(str, both)
    assert main(["diff", before, after, "--student", "Ada"]) == 0
    assert "Ada  0 becomes 25" in capsys.readouterr().out
    assert main(["diff", before, after, "--student"]) == 2
    assert main(["--out", after, "--student", "Ada"]) == 2


def test_grades_to_compare_with_are_missed_before_anybody_is_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ada.py").write_text("")
    out = tmp_path / "out"
    assert main([str(tmp_path), "--out", str(out), "--diff", str(tmp_path / "NOPE")]) == 2
    assert "NOPE: there are no grades here" in capsys.readouterr().err and not out.exists()
