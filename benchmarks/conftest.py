"""What the benchmarks share. Those that take many minutes run when they are named."""

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.course.shipped import DEFAULT_SUBMISSION
from grader.course.submission import locate

collect_ignore = ["test_recall.py", "test_class.py"]
BASELINE: dict[str, Any] = json.loads((Path(__file__).parent / "baseline.json").read_text())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the size of the class that `test_class.py` grades."""
    parser.addoption("--class-size", type=int, default=300, help="students in benchmarks/test_class.py")


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
