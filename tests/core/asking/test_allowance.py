"""What a submission may take over all, and when a busy machine ends it."""

from typing import Any

import pytest

from grader.core.asking.worker import Allowance, TimePoint


class Simulated:
    """A clock that tells what it is set to."""

    def __init__(self) -> None:
        self.moment = TimePoint(0.0, 0.0, 0.0)

    def now(self) -> TimePoint:
        return self.moment

    def slept(self, start: TimePoint, end: TimePoint) -> float:
        return 0.0

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("wall", "ran", "used_up", "was_busy"),
    [
        (9, 9, False, False),
        (10, 10, True, False),  # it has taken what it may
        (49, 1, False, False),
        (50, 1, True, True),  # five times that has passed
        (50, 10, True, False),  # it has taken it itself, on a busy machine too
    ],
)
def test_a_wall_clock_ends_what_a_busy_machine_delays(
    monkeypatch: pytest.MonkeyPatch, wall: float, ran: float, used_up: bool, was_busy: bool
) -> None:
    now = [1_000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    clock: Any = Simulated()
    given = Allowance(10.0)
    given.meter(clock)
    now[0] += wall
    clock.moment = TimePoint(wall, ran, wall - ran)
    assert (given.used_up, given.was_busy) == (used_up, was_busy)
    assert ("busy" in given.sentence) == was_busy
