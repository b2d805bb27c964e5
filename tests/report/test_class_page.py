from grader.report.pages import ClassPage, StudentRow, class_page, spread
from grader.report.wording import Quoted


def test_totals_are_counted_in_tenths_of_the_full_marks() -> None:
    found = spread([0, 4.9, 5, 49.9, 50, 55, 80], 50)
    assert found == [
        (0, 2),
        (5, 1),
        (10, 0),
        (15, 0),
        (20, 0),
        (25, 0),
        (30, 0),
        (35, 0),
        (40, 0),
        (45, 1),
        (50, 3),
    ]


def test_nobody_is_spread_over_nothing() -> None:
    assert [count for _, count in spread([], 100)] == [0] * 11


def test_a_criterion_that_waits_for_everybody_is_one_line() -> None:
    rows = tuple(
        StudentRow(f"Student {number}", 5.0, (), "graded", waits=("design",)) for number in range(120)
    )
    shown = ClassPage(
        "T", 10, (), rows, 120, 0, 0, [], [], [(rows[7], [Quoted("line 3 is no Python", "en")])]
    )
    text = class_page(shown)
    assert text.count("design waits for 120 students") == 1
    look = text.partition('id="look"')[2].partition("</section>")[0]
    assert "Student 7</strong>: line 3 is no Python" in look and "Student 8" not in look
