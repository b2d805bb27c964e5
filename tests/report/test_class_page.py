from grader.report.class_page import spread


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
