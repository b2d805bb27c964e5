"""What the benchmarks share. `test_recall.py` takes many minutes: it runs when it is named."""

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.grading import DEFAULT_SUBMISSION
from grader.submission import locate

collect_ignore = ["test_recall.py", "test_class.py"]
BASELINE: dict[str, Any] = json.loads((Path(__file__).parent / "baseline.json").read_text())


@pytest.fixture(scope="session")
def reference() -> ModuleType:
    """Give the reference engine as a module; a student's file in its place is never imported."""
    file = locate(DEFAULT_SUBMISSION)
    source = file.read_bytes()
    if hashlib.sha256(source).hexdigest() != BASELINE["reference"]:
        pytest.skip(f"{file} is not the reference: measure another engine with --submission FILE")
    module = ModuleType("reference")
    exec(compile(source, str(file), "exec"), module.__dict__)
    return module
