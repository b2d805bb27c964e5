"""The summary of a class: each figure is of those who have one, and the page of the class says the same."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from grader.classroom import adjustments, records
from grader.classroom.outputs import Closing
from tests.marking.made import RUBRIC, grade, record, written


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Give a class of one whose grade is known, one without a file and one for whom the grader failed."""
    made = [
        record("ada", "Ada", grade("a", wrong=False)),
        record("bob", "Bob", None, why="It is a notebook."),
        record("cy", "Cy", grade("c"), status="grader_error", why="it broke"),
    ]
    return written(tmp_path / "out", made)


def closed(out: Path, marks: str = "") -> tuple[str, str]:
    """Return the summary and the page of a class with these marks."""
    (out / "marks.yaml").write_text(marks)
    kept = records.load_class(out)
    closing, found = Closing(out, kept), list(records.students(out, kept))
    decisions = adjustments.load_all(out, RUBRIC, [(record.student, record.key) for record in found])
    closing.books([closing.decided(record, decisions) for record in found])
    return (out / "summary.txt").read_text(), (out / "index.html").read_text()


def mark(student: str, what: str) -> str:
    return f"- {{student: {student}, {what}, by: B, id: '{student.encode().hex():0<8}', at: '2026-03-01'}}\n"


def test_who_has_no_score_in_a_criterion_counts_in_no_mean(out: Path) -> None:
    summary, page = closed(out)
    assert "1 of 3 graded, median 10, mean 10 of 30" in summary and "1 of 3 graded" in page
    assert ["player", "100%", "10", "of", "10"] in [line.split() for line in summary.splitlines()]
    summary, page = closed(out, mark("bob", "points: 20"))
    assert "2 of 3 graded, median 15, mean 15 of 30" in summary and "2 of 3 graded" in page
    assert ["player", "100%", "10", "of", "10"] in [line.split() for line in summary.splitlines()]


def test_whom_to_look_at_is_the_same_in_the_summary_and_on_the_page(out: Path) -> None:
    for marks, left in (
        ("", {"It is a notebook", "it broke"}),
        (mark("bob", "points: 20"), {"it broke"}),
        (mark("bob", "seen: true") + mark("cy", "points: 1"), set()),
    ):
        for text in closed(out, marks):
            _, heading, listed = text.partition("To look at")
            assert {why for why in ("It is a notebook", "it broke") if heading and why in listed} == left


@pytest.mark.parametrize("kind", ["program", "functions"])
def test_what_a_busy_machine_cut_off_is_counted_with_how_to_go_on(
    tmp_path: Path, kind: Literal["program", "functions"]
) -> None:
    """Given a grade with games missing, a submission without a grade for that reason, and two others."""
    made = [
        record("ada", "Ada", replace(grade("a"), machine_was_busy=True)),
        replace(record("bob", "Bob", None, why="no time"), machine_was_busy=True),
        record("cy", "Cy", None, why="It is a notebook."),
        record("dee", "Dee", grade("d")),
    ]
    out = written(tmp_path / "out", made)
    kept = records.load_class(out)
    kept = replace(kept, rubric=replace(kept.rubric, kind=kind))
    told = {
        "program": "2 programs waited for a processor most of the time, and games are missing. Run the same command "
        "again: it goes on with the games that were not seen. --patient gives ten times the time.",
        "functions": "This machine was too busy to ask everything of 2 submissions. Run the same command again.",
    }[kind]
    Closing(out, kept).books(made)
    assert (
        told in " ".join((out / "summary.txt").read_text().split())
        and told in (out / "index.html").read_text()
    )
    Closing(out, kept).books(made[2:])
    assert "again" not in (out / "summary.txt").read_text() + (out / "index.html").read_text()
