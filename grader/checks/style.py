"""The style of a submission's own lines: what a reader stumbles over, each habit charged once."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from grader.course.given import Given
from grader.course.rubric import Rubric
from grader.errors import GraderFault
from grader.evidence import Finding

_RUFF_SECONDS: Final = 30


class Stylist:
    """Finds what is to be improved in one source; the linter runs once for all rules that are asked for."""

    def __init__(self, source: bytes, rubric: Rubric, given: Given) -> None:
        self._source, self._rubric, self._given = source, rubric, given
        self._rules: frozenset[str] = frozenset()
        self._found: dict[frozenset[str], tuple[Finding, ...]] = {}

    @property
    def has_source(self) -> bool:
        """Whether there is anything to read."""
        return bool(self._source)

    def expect(self, rules: tuple[str, ...]) -> None:
        """Be ready for the question about some rules."""
        self._rules |= set(rules)

    def findings(self, rules: tuple[str, ...]) -> tuple[Finding, ...]:
        """Return what these rules find in the lines that were not given."""
        self.expect(rules)
        if self._rules not in self._found:
            self._found[self._rules] = _ruff(self._source, self._rules, self._rubric)
        given = self._given.lines
        lines = self._source.decode("utf-8", "replace").splitlines()
        free = {number for number, line in enumerate(lines, 1) if line in given}
        return tuple(
            one
            for one in self._found[self._rules]
            if (one.rule in rules or one.rule == "syntax") and one.line not in free
        )


def _ruff(source: bytes, rules: frozenset[str], rubric: Rubric) -> tuple[Finding, ...]:
    """Return what ruff finds in a source; it reads the text only, and no `noqa` hides anything."""
    command = [
        _ruff_path(),
        "check",
        "--isolated",
        "--ignore-noqa",
        "--no-cache",
        "--output-format=json",
        f"--select={','.join(sorted(rules))}",
        f"--config=line-length={rubric.style.line_length}",
        f"--config=lint.pylint.max-statements={rubric.style.function_statements}",
        "--stdin-filename=tictactoe.py",
        "-",
    ]
    try:
        done = subprocess.run(command, input=source, capture_output=True, timeout=_RUFF_SECONDS, check=False)
        found = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise GraderFault(f"ruff did not answer: {error}") from None
    return tuple(
        Finding(line=one["location"]["row"], rule=one["code"] or "syntax", message=one["message"])
        for one in found
    )


@cache
def _ruff_path() -> str:
    """Return the ruff that was installed beside this Python."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]

    return str(Path(find_ruff_bin()))
