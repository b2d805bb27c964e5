"""The style of a submission's own lines: what a reader stumbles over, each habit charged once."""

import json
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import Final

from grader.course.given import Given
from grader.course.rubric import Rubric
from grader.errors import GraderFault
from grader.evidence import Finding
from grader.text import lines_of, source_text

_RUFF_SECONDS: Final = 120
_RUFF_MEMORY: Final = 4_000_000_000
_RUFF_OUTPUT: Final = 50_000_000
_RUFF_CODES: Final = (0, 1)
"""Nothing was found, or something was."""

_MOST_FINDINGS: Final = 50_000
_OF_EACH_KIND: Final = 100
"""How many findings of one kind are kept: a report is for people."""


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
        lines = lines_of(source_text(self._source))
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
            "--output-format=json-lines",
            f"--select={','.join(sorted(rules))}",
            f"--config=line-length={rubric.style.line_length}",
            f"--config=lint.pylint.max-statements={rubric.style.function_statements}",
            "--stdin-filename=tictactoe.py",
        )
        self._said = TemporaryFile()  # noqa: SIM115 - it is read when the linter has ended
        try:
            with TemporaryFile() as text:
                text.write(source_text(source).encode("utf-8", "replace"))
                text.seek(0)
                command = [_ruff_path(), "check", *options, "-"]
                self._ruff = Popen(command, stdin=text, stdout=self._said, stderr=DEVNULL)
        except OSError as error:
            self._said.close()
            raise GraderFault(f"ruff did not start: {error}") from None
        _bound(self._ruff.pid)

    def findings(self) -> tuple[Finding, ...]:
        """Return what it finds, the first of each kind; a text on which it gives up is a finding, too."""
        kept: list[Finding] = []
        counts: Counter[str] = Counter()
        try:
            code = self._ruff.wait(_RUFF_SECONDS)
            self._said.seek(0)
            for line in islice(self._said, _MOST_FINDINGS):
                one = json.loads(line)
                rule = one["code"] or "syntax"
                counts[rule] += 1
                if counts[rule] <= _OF_EACH_KIND:
                    kept.append(Finding(line=one["location"]["row"], rule=rule, message=one["message"]))
        except (TimeoutExpired, ValueError):
            code = None
        finally:
            self.close()
        if code not in _RUFF_CODES:
            kept.append(Finding(line=1, rule="syntax", message="the linter cannot read the file to its end"))
        return tuple(_with_more(kept, counts))

    def close(self) -> None:
        """End it, wanted or not."""
        with self._ruff:
            self._ruff.kill()
        self._said.close()


def _with_more(kept: list[Finding], counts: Counter[str]) -> Iterator[Finding]:
    """Yield the findings; the last of a kind that has more says how many."""
    seen: Counter[str] = Counter()
    for one in kept:
        seen[one.rule] += 1
        more = counts[one.rule] - _OF_EACH_KIND
        is_last = seen[one.rule] == _OF_EACH_KIND and more > 0
        yield one.model_copy(update={"message": f"{one.message} (and {more:,} more)"}) if is_last else one


def _bound(process: int) -> None:
    """Limit what a linter may use, where the system lets another process be limited."""
    with suppress(AttributeError, OSError, ValueError):
        for kind, most in ((resource.RLIMIT_AS, _RUFF_MEMORY), (resource.RLIMIT_FSIZE, _RUFF_OUTPUT)):
            resource.prlimit(process, kind, (most, most))


@cache
def _ruff_path() -> str:
    """Return the ruff that was installed beside this Python."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]

    return str(Path(find_ruff_bin()))
