"""The style of a submission's own lines: what a reader stumbles over, each habit charged once."""

import json
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import Final

from grader.course.given import Given
from grader.course.rubric import Rubric
from grader.errors import GraderFault
from grader.evidence import Finding
from grader.text import lines_of

_RUFF_SECONDS: Final = 30


class Stylist:
    """Finds what is to be improved in one source; the linter runs once for all rules that are asked for."""

    def __init__(self, source: bytes, rubric: Rubric, given: Given) -> None:
        self._source, self._rubric, self._given = source, rubric, given
        self._rules: frozenset[str] = frozenset()
        self._found: dict[frozenset[str], tuple[Finding, ...]] = {}
        self._linter: _Linter | None = None

    @property
    def has_source(self) -> bool:
        """Whether there is anything to read."""
        return bool(self._source)

    def expect(self, rules: tuple[str, ...]) -> None:
        """Be ready for the question about some rules."""
        self._rules |= set(rules)

    def begin(self) -> None:
        """Let the linter look for everything that is expected, beside whatever else is done."""
        if self._rules and (self._linter is None or self._linter.rules != self._rules):
            self.close()
            self._linter = _Linter(self._source, self._rules, self._rubric)

    def close(self) -> None:
        """End the linter, wanted or not."""
        if self._linter:
            self._linter.close()

    def findings(self, rules: tuple[str, ...]) -> tuple[Finding, ...]:
        """Return what these rules find in the lines that were not given."""
        self.expect(rules)
        if self._rules not in self._found:
            self.begin()
            assert self._linter
            self._found[self._rules] = self._linter.findings()
        given = self._given.lines
        lines = lines_of(self._source.decode("utf-8", "replace"))
        free = {number for number, line in enumerate(lines, 1) if line in given}
        return tuple(
            one
            for one in self._found[self._rules]
            if (one.rule in rules or one.rule == "syntax") and one.line not in free
        )


class _Linter:
    """Ruff at work on a source: it reads the text only, and no `noqa` hides anything."""

    def __init__(self, source: bytes, rules: frozenset[str], rubric: Rubric) -> None:
        self.rules = rules
        options = (
            "--isolated",
            "--ignore-noqa",
            "--no-cache",
            "--output-format=json",
            f"--select={','.join(sorted(rules))}",
            f"--config=line-length={rubric.style.line_length}",
            f"--config=lint.pylint.max-statements={rubric.style.function_statements}",
            "--stdin-filename=tictactoe.py",
        )
        try:
            with TemporaryFile() as text:
                text.write(source)
                text.seek(0)
                self._ruff = Popen(
                    [_ruff_path(), "check", *options, "-"], stdin=text, stdout=PIPE, stderr=PIPE
                )
        except OSError as error:
            raise _silent(error) from None

    def findings(self) -> tuple[Finding, ...]:
        """Return what it finds."""
        try:
            said, _ = self._ruff.communicate(timeout=_RUFF_SECONDS)
            found = json.loads(said)
        except (TimeoutExpired, ValueError) as error:
            raise _silent(error) from None
        finally:
            self.close()
        return tuple(
            Finding(line=one["location"]["row"], rule=one["code"] or "syntax", message=one["message"])
            for one in found
        )

    def close(self) -> None:
        """End it, wanted or not."""
        with self._ruff:
            self._ruff.kill()


def _silent(error: Exception) -> GraderFault:
    return GraderFault(f"ruff did not answer: {error}")


@cache
def _ruff_path() -> str:
    """Return the ruff that was installed beside this Python."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]

    return str(Path(find_ruff_bin()))
