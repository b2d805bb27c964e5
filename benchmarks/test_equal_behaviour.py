"""The whole table of equal behaviour: every file in every way of writing it, and some with time enough."""

import pytest

from tests.test_equal_behaviour import SOURCES, WAYS, difference

pytestmark = pytest.mark.long


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SOURCES)
def test_no_way_of_writing_a_file_changes_its_grade(name: str, way: str) -> None:
    """Every status and point is the same, but for what a budget left out."""
    assert difference(name, way) == []


@pytest.mark.parametrize(
    "name", ["minimax_moves_on_a_finished_board", "plain_deepcopy", "minimax_stops_at_depth_two"]
)
def test_with_time_enough_no_point_differs(name: str) -> None:
    """Nothing is left out, and nothing differs."""
    assert difference(name, "without recall", whole=True) == []
