"""The words that all reports share."""

from dataclasses import replace
from typing import Any

import pytest

from grader.core.course.rubric import GivenBack
from grader.core.course.submission import from_bytes
from grader.core.grade import Count, DoesNotRun, Grade, Mistake, Tactic, Tally, Unrun, student_view
from grader.report.pages import page
from grader.report.terminal_report import render
from grader.report.wording import (
    POINTS,
    as_text,
    beyond_title,
    cases_passed,
    changes,
    hidden_cost,
    in_scale,
    pointed_out,
    shares,
    shown_tactics,
    what_is_right,
)
from tests.judged import judged, judged_inside
from tests.places.grades import grade, unrun
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS


@pytest.mark.parametrize(
    ("public", "hidden", "words"),
    [
        ((27, 29, 2), (3, 5), "27 of 29 cases passed, 2 not judged, and 3 of 5 hidden cases"),
        ((1, 1), (0, 0), "1 of 1 case passed"),
        ((0, 2), (0, 1, 1), "0 of 2 cases passed, and 0 of 1 hidden case, 1 not judged"),
        ((0, 0), (2, 3), "2 of 3 hidden cases passed"),
        ((0, 0), (0, 0), ""),
    ],
)
def test_cases_are_counted_in_the_same_words(
    public: tuple[int, ...], hidden: tuple[int, ...], words: str
) -> None:
    names = ("passed", "cases", "not_judged")
    first, second = (Count(**dict(zip(names, case, strict=False))) for case in (public, hidden))
    assert cases_passed(Tally(public=first, hidden=second)) == words


@pytest.mark.parametrize(
    ("title", "sentence", "beyond"),
    [
        ("never sees the columns", "`f` never sees the columns.", ""),
        ("returns a list", "`f` returns a list; it must be a set.", "It must be a set."),
        ("returns a list", "`f` returns a list [i, j]; it must be a tuple.", "It must be a tuple."),
        ("uses another scale", "`f` uses another scale: 10 when X has won.", "10 when X has won."),
        ("answers 0", "`f` answers 0, whatever is on it.", ""),
        ("changes the board", "`f` changes the board (every board).", "Every board."),
        ("takes an empty line", "Three EMPTY cells count as a line.", "Three EMPTY cells count as a line."),
    ],
)
def test_a_title_is_not_said_twice(title: str, sentence: str, beyond: str) -> None:
    assert beyond_title(Mistake(function="f", id="i", title=title, sentence=sentence)) == beyond


def test_what_is_right_is_told_unless_all_or_nothing_is() -> None:
    assert what_is_right(grade(1, 0.5, 0)) == "Right: player (20 of 20)."
    assert what_is_right(grade(1, 1, 0)) == what_is_right(grade(0.9, 0, 1)) == ""


def test_what_hidden_cases_cost_is_told_to_those_who_do_not_see_them() -> None:
    given = grade(1, 0.5, 0)
    assert hidden_cost(given) == ""
    assert hidden_cost(student_view(given)) == "Hidden cases cost another 20 points."
    assert hidden_cost(student_view(grade(1, 1, 0))) == hidden_cost(student_view(unrun())) == ""


def test_points_say_what_was_given_back() -> None:
    assert shares(0, 4.8781, 0) == "0 of 4.88"
    assert shares(5, 5, 2.5, POINTS) == "5 of 5 points, 2.5 of them given back"


def test_tactics_of_who_only_wins_later_are_not_shown() -> None:
    slow = grade(1, 1, 1, tactics=(Tactic(name="wins in one", boards=5, done=3, as_good=2),))
    weak = grade(1, 1, 1, tactics=(Tactic(name="wins in one", boards=5, done=3, as_good=1),))
    assert shown_tactics(slow) == ()
    assert len(shown_tactics(weak)) == 1


@pytest.mark.parametrize(
    ("text", "column", "marks"),
    [
        ("def f(", 7, "10 | def f(\n   |       ^"),
        ("    x = 1", None, "10 |     x = 1\n   |     ^^^^^"),
        ("x = '三' +", 8, "10 | x = '三' +\n   |         ^"),
    ],
)
def test_a_caret_stands_under_the_place(text: str, column: int | None, marks: str) -> None:
    found = DoesNotRun(why=Unrun.RAISES, sentence="s", line=10, column=column, text=text)
    assert "\n".join(pointed_out(found)) == marks


def test_without_a_line_there_is_no_caret() -> None:
    assert pointed_out(DoesNotRun(why=Unrun.ENDLESS, sentence="s")) == []


def graded(source: str) -> Grade:
    return judged_inside(from_bytes("a", source.encode(), len(source), 1000), follow_through=GivenBack())


@pytest.mark.exhaustive
def test_what_was_mended_and_what_broke_is_told_with_its_points() -> None:
    right, wrong = graded(PLAIN), graded(FAULTS["winner_misses_columns"].source)
    total, winner = changes(wrong, right)
    assert total == f"{wrong.total:g} points became {right.total:g}"
    lost = right.total - wrong.total
    assert winner == f"`winner` fixed: +{lost:.2f}"
    assert changes(right, wrong)[1] == f"`winner`: -{lost:.2f}, look at it again"


@pytest.mark.exhaustive
def test_what_is_better_and_not_yet_right_says_so() -> None:
    wrong = graded(FAULTS["winner_misses_columns"].source)
    worse = replace(wrong, criteria=tuple(replace(criterion, score=0.0) for criterion in wrong.criteria))
    assert any("still to fix" in line and line.startswith("`winner`: +") for line in changes(worse, wrong))


@pytest.mark.exhaustive
def test_a_file_that_does_not_run_says_that_alone() -> None:
    right, unrun = graded(PLAIN), graded("def f(:")
    assert changes(right, unrun) == [
        f"{right.total:g} points became 0",
        "It does not run any more: fix that first.",
    ]
    assert changes(unrun, right) == [f"0 points became {right.total:g}", "It runs now."]


def test_what_is_no_python_does_not_run_either() -> None:
    """Given an empty file, then binary data: nothing runs now that did not run before."""
    empty, binary = graded(""), replace(graded(""), does_not_run=None, not_gradable="no text")
    assert changes(empty, binary) == ["Nothing changed in what is judged."]
    assert changes(binary, graded("def player(board):\n    return 'X'\n"))[-1] == "It runs now."


def test_nothing_is_a_sentence() -> None:
    right = graded(PLAIN)
    assert changes(right, right) == ["Nothing changed in what is judged."]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, ""),
        ({"rounding": 1.0}, "that is 53 of 100"),
        ({"scale_to": 10.0}, "that is 5.25 of 10"),
        ({"scale_to": 10.0, "rounding": 0.5}, "that is 5.5 of 10"),
        ({"rounding": 0.5}, ""),
    ],
)
def test_what_goes_back_is_told_where_it_is_not_the_total(more: dict[str, Any], words: str) -> None:
    """Given 52.5 of 100 points, on every page and in the terminal."""
    scaled = 5.25 if "scale_to" in more else None
    given = replace(grade(0, 0, 0), score=52.5, total=52.5, scaled=scaled, **more)
    assert in_scale(given) == words
    assert ("that is" in page(given, "")) == ("that is" in as_text(render(given))) == bool(words)
    assert words in page(given, "") and words in as_text(render(given))


def test_what_was_not_judged_is_not_called_right() -> None:
    """Given a right `player`, and another criterion of whose cases one could not be judged."""
    whole = grade(1, 0.5, 0)
    player, *others = whole.criteria
    partly = replace(player, tally=Tally(public=Count(passed=1, cases=2, not_judged=1)))
    assert what_is_right(replace(whole, criteria=(partly, *others))) == ""


def test_students_are_not_told_how_the_grader_asked() -> None:
    found = graded(PLAIN)
    assert "with recall" in as_text(render(found)) and "textbook" in as_text(render(found))
    told = as_text(render(student_view(found)))
    assert "recall" not in told and "textbook" not in told and "first move" not in told


def test_a_file_that_asks_for_input_is_told_what_to_do() -> None:
    source = f"name = input('Who are you? ')\n{PLAIN}".encode()
    found = judged(from_bytes("a", source, len(source), 1000))
    assert found.does_not_run
    assert found.does_not_run.sentence == (
        "The file asks for input while it is imported (line 1), and nobody is there to type. "
        'Call `input` inside a function, or below `if __name__ == "__main__":`.'
    )
