"""Which tests run on one worker, for they share what takes long to make; all others go wherever there is time."""

from typing import Any

FILES = {
    "tests/audit/test_audit.py": "mutants",
    "tests/audit/test_mutants.py": "mutants",
    "tests/browser/test_pages.py": "a browser",
    "tests/places/test_packs.py": "a wheel",
    "tests/places/test_students.py": "a wheel",
    "tests/play/test_window.py": "a display",
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
    """Return what hands out tests to the workers of pytest-xdist."""
    from xdist.scheduler import LoadScopeScheduling  # not everybody has it

    found = LoadScopeScheduling(config, log)
    found._split_scope = shared_by
    return found
