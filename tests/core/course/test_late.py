"""Late work: how times are written, and what is taken off."""

import pytest

from grader.core.course.rubric import Late, seconds_in

DAY = 86_400.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("15m", 900), ("36h", 1.5 * DAY), ("7d", 7 * DAY), ("2 days 3 hours late", 2 * DAY + 10_800), ("1 day 1 min", DAY + 60),
        ("26:30:00", 26.5 * 3600), ("00:00:01", 1), ("1.5h", 5400), ("soon", None), ("", None), ("12", None), ("3 dogs", None),
    ],
)  # fmt: skip
def test_a_time_in_seconds(text: str, seconds: float | None) -> None:
    assert seconds_in(text) == seconds


RULE = Late(due="2026-03-01 23:59", per_day="10%", grace="15m", at_most="50%", not_after="7d")


@pytest.mark.parametrize(
    ("late_by", "taken"),
    [
        (-DAY, 0), (0, 0), (900, 0), (901, 10), (DAY, 10), (DAY + 1, 20), (4.5 * DAY, 50), (7 * DAY, 50), (7 * DAY + 1, 80), (None, 10),
    ],
)  # fmt: skip
def test_what_is_taken_off_80_of_100(late_by: float | None, taken: float) -> None:
    assert RULE.taken_off(late_by, 80, 100)[0] == taken


def test_points_are_points_and_never_more_than_there_are() -> None:
    rule = Late(per_day=4)
    assert rule.taken_off(3 * DAY, 30, 40) == (
        12,
        "Handed in 3 days late: 4 points per day or part of a day.",
    )


@pytest.mark.parametrize(
    ("total", "taken", "why"),
    [
        (80, 50, ""),
        (20, 20, " That would be 50 points: all that there were are taken off."),
        (0, 0, " There was nothing to take off."),
    ],
)
def test_what_is_taken_off_follows_from_the_sentence(total: float, taken: float, why: str) -> None:
    rule = Late(per_day="10%", at_most="50%")
    each = "Handed in 8 days late: 10% of 100 points per day or part of a day, at most 50%."
    assert rule.taken_off(8 * DAY, total, 100) == (taken, each + why)


def test_a_date_is_held_against_the_day_on_which_it_was_due() -> None:
    assert RULE.seconds_after("2026-03-02T23:59:00") == DAY
    assert RULE.seconds_after("") is None
    assert Late(per_day=1).seconds_after("2026-03-02") is None
    zoned = Late(per_day=1, due="2026-03-01 23:59+01:00")
    assert zoned.seconds_after("2026-03-01T23:59:00+00:00") == 3600
