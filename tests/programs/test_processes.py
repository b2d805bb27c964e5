import pytest

from grader.programs.processes import are_held


@pytest.mark.parametrize(
    ("states", "held"), [("D", True), ("SD", True), ("DR", False), ("S", False), ("R", False), ("", False)]
)
def test_who_waits_for_a_disk_is_held_unless_something_of_it_runs(states: str, held: bool) -> None:
    assert are_held(states) is held
