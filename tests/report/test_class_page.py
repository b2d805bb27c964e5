from grader.report.pages import ClassPage, StudentRow, class_page, spread
from grader.report.wording import Quoted


def test_totals_are_counted_in_tenths_of_the_full_marks() -> None:
    found = spread([0, 4.9, 5, 49.9, 50, 55, 80], 50)
    assert [low for low, _ in found] == list(range(0, 55, 5))
    assert [count for _, count in found] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 3]
    assert [count for _, count in spread([], 100)] == [0] * 11


def test_a_criterion_that_waits_for_everybody_is_one_line() -> None:
    names = [f"Student {number}" for number in range(120)]
    rows = tuple(StudentRow(name, 5.0, (), "graded", waits=("design",)) for name in names)
    look = [(rows[7], [Quoted("line 3 is no Python", "en")])]
    text = class_page(ClassPage("T", 10, (), rows, 120, 0, 0, [], [], look))
    assert text.count("design waits for 120 students") == 1
    section = text.partition('id="look"')[2].partition("</section>")[0]
    assert "Student 7</strong>: line 3 is no Python" in section and "Student 8" not in section
