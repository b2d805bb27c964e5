"""What the benchmarks share. Those that take many minutes run with `--long`, or when their file is named."""

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.core.course.submission import locate
from grader.course.courses import DEFAULT_SUBMISSION

BASELINE: dict[str, Any] = json.loads((Path(__file__).parent / "baseline.json").read_text())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what to measure, and on how many."""
    parser.addoption("--long", action="store_true", help="also what takes many minutes")
    parser.addoption("--class-size", type=int, default=300, help="students in benchmarks/test_class.py")
    parser.addoption("--real", help="folder of files that strangers wrote, for benchmarks/test_real.py")
    parser.addoption("--checks", help="folder of the checks that check50 runs on them")
    parser.addoption("--runs", type=int, default=10, help="runs of a class in benchmarks/test_sandbox.py")
    parser.addoption("--every", type=int, default=1, help="measure every n-th of these files")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes many minutes, unless somebody asks for it."""
    named = {Path(argument.partition("::")[0]).name for argument in config.args}
    left_out = [
        item
        for item in items
        if item.get_closest_marker("long") and item.path.name not in named and not config.getoption("--long")
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


Yardstick = Callable[[], float]


@pytest.fixture(scope="session")
def yardstick(reference: ModuleType) -> Yardstick:
    """Give what tells how fast this machine is now: the processor time of the reference's first move."""

    def measured() -> float:
        times = []
        for _ in range(10):
            started = time.process_time()
            reference.minimax(reference.initial_state())
            times.append(time.process_time() - started)
        return min(times)

    return measured


@pytest.fixture(scope="session")
def reference() -> ModuleType:
    """Give the reference engine as a module; a student's file in its place is never imported."""
    file = locate(DEFAULT_SUBMISSION)
    source = file.read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    if digest != BASELINE["reference"]:
        pytest.skip(f"not the reference (sha256 {digest}): measure another engine with --submission FILE")
    module = ModuleType("reference")
    exec(compile(source, str(file), "exec"), module.__dict__)
    return module
