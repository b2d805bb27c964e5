"""Which tests are left to CI, and which share something."""

from dataclasses import dataclass

import pytest

from tests.sharing import left_to_ci, shared_by


@dataclass
class Item:
    nodeid: str
    mark: pytest.MarkDecorator | None = None

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        assert name == "exhaustive"
        return self.mark.mark if self.mark else None


def test_what_takes_long_is_left_but_for_a_sample_of_each_function() -> None:
    whole, few = pytest.mark.exhaustive, pytest.mark.exhaustive(beyond=2)
    items = [
        Item("a.py::light"), Item("a.py::long", whole), Item("a.py::long[1]", whole),
        *(Item(f"a.py::many[{number}]", few) for number in range(4)), Item("a.py::many[4]", whole),
        Item("b.py::many[0]", few),
    ]  # fmt: skip
    left = [item.nodeid for item in left_to_ci(items)]  # type: ignore[arg-type]
    assert left == ["a.py::long", "a.py::long[1]", "a.py::many[2]", "a.py::many[3]", "a.py::many[4]"]


def test_the_grade_of_one_file_is_shared() -> None:
    one, other = (f"tests/test_planted_faults.py::{name}[winner-1]" for name in ("a", "b"))
    assert shared_by(one) == shared_by(other) != shared_by(one.replace("winner", "player"))
    assert shared_by("tests/test_cli.py::a") == "tests/test_cli.py::a"
