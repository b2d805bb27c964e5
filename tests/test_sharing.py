"""Which tests are left to CI, and which share something."""

import argparse
from dataclasses import dataclass
from itertools import chain

import pytest

from tests.sharing import ALL, Share, left_to_exhaustive, shared_by, without


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
    left = [item.nodeid for item in left_to_exhaustive(items)]  # type: ignore[arg-type]
    assert left == ["a.py::long", "a.py::long[1]", "a.py::many[2]", "a.py::many[3]", "a.py::many[4]"]


def test_the_grade_of_one_file_is_shared() -> None:
    first, second = (f"tests/test_planted_faults.py::{name}[winner-1]" for name in ("a", "b"))
    assert shared_by(first) == shared_by(second) != shared_by(first.replace("winner", "player"))
    assert shared_by("tests/test_cli.py::a") == "tests/test_cli.py::a"


def test_shares_are_the_whole_and_have_nothing_in_common() -> None:
    file = "tests/test_planted_faults.py"
    items = [Item(f"{file}::{name}[{fault}]") for name in ("loses", "named") for fault in "abcde"]
    items += [Item(f"a.py::many[{number}]") for number in range(10)]
    shares = [
        [item.nodeid for item in items if item not in without(items, Share(number, 4))]  # type: ignore[arg-type, comparison-overlap]
        for number in (1, 2, 3, 4)
    ]
    assert sorted(chain(*shares)) == sorted(item.nodeid for item in items)
    assert without(items, ALL) == []  # type: ignore[arg-type]
    assert [f"{file}::loses[b]", f"{file}::named[b]"] == [name for name in shares[1] if "planted" in name]
    assert max(map(len, shares)) <= 7


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4"])
def test_what_is_no_share_is_a_sentence(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no share such as 1/8"):
        Share.from_text(text)
