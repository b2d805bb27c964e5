"""What takes long is made once, and of much that is alike some stand for all until somebody asks for all."""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

FILES = {
    "tests/audit/test_audit.py": "mutants",
    "tests/browser/test_marking.py": "a browser",
    "tests/browser/test_pages.py": "a browser",
    "tests/browser/test_site.py": "a site",
    "tests/browser/test_site_verdicts.py": "a site of its own",
    "tests/places/test_check50.py": "a wheel",
    "tests/places/test_packs.py": "a wheel",
    "tests/places/test_students.py": "a wheel",
    "tests/play/test_window.py": "a display",
    "tests/sandbox/test_wasm.py": "a component",
    "tests/system/test_in_wasm.py": "a component",
    "tests/test_structure.py": "the code of all files",
    "tests/test_installed.py": "an environment",
}
"""Files whose tests share something."""

BY_NAME = {"tests/grading/test_helpers.py", "tests/test_planted_faults.py"}
"""Files whose tests share something with those of the same first parameter: the grade of a file."""


def shared_by(test: str) -> str:
    """Return what a test shares with others, or its own name."""
    file, _, name = test.partition("::")
    if file in FILES:
        return FILES[file]
    if file in BY_NAME and "[" in name:
        return f"{file}: {name.partition('[')[2].rstrip(']').partition('-')[0]}"
    return test


def scheduler(config: Any, log: Any) -> Any:
    """Return what hands out tests to the workers of pytest-xdist.

    Its own mark for this, `xdist_group`, has no effect with pytest 9.2, which names tests in another way.
    """
    from xdist.scheduler import LoadScopeScheduling  # not everybody has it

    found = LoadScopeScheduling(config, log)
    found._split_scope = shared_by
    return found


def left_to_exhaustive(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that are marked as exhaustive, without the first few of each function that stay."""
    met: Counter[str] = Counter()
    found = []
    for item in items:
        if marker := item.get_closest_marker("exhaustive"):
            beyond = marker.kwargs.get("beyond", 0)
            function = item.nodeid.partition("[")[0]
            met[function] += bool(beyond)
            if not beyond or met[function] > beyond:
                found.append(item)
    return found


class Share(NamedTuple):
    """A part of what is exhaustive: the first of eight is 1/8."""

    number: int
    of: int

    @classmethod
    def from_text(cls, text: str) -> "Share":
        """Return the share that somebody has written."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise argparse.ArgumentTypeError(f"{text!r} is no share such as 1/8")
        return cls(int(found[1]), int(found[2]))

    def holds(self, position: int) -> bool:
        """Return whether it has the one at this position, counted from 0."""
        return position % self.of == self.number - 1


ALL = Share(1, 1)


def without(items: Iterable[pytest.Item], share: Share) -> list[pytest.Item]:
    """Return the tests that are not of a share; those that share a grade are in the same one."""
    places: dict[str, int] = {}
    found = []
    for item in items:
        together = shared_by(item.nodeid) if item.nodeid.partition("::")[0] in BY_NAME else item.nodeid
        if not share.holds(places.setdefault(together, len(places))):
            found.append(item)
    return found


def some(values: Iterable[Any], every: int, ids: Callable[[Any], str] = str) -> list[Any]:
    """Return parameters of which every so many run, and all with `--exhaustive`."""
    return [
        pytest.param(value, id=ids(value), marks=[pytest.mark.exhaustive] if number % every else [])
        for number, value in enumerate(values)
    ]
