"""The style of a submission's own lines: what a reader stumbles over, each habit charged once."""

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from grader.core.course.course import Template
from grader.core.course.rubric import StyleRules
from grader.core.course.submission import Folder
from grader.core.errors import GraderFault
from grader.core.grade import Finding
from grader.core.values import lines_of, source_text


class Linter(Protocol):
    """At work on a source: it reads the text only."""

    rules: frozenset[str]

    def findings(self) -> tuple[Finding, ...]:
        """Return what it finds."""

    def close(self) -> None:
        """End it, wanted or not."""


OpensLinter = Callable[[bytes, frozenset[str], StyleRules, str | None, bool], Linter]
"""Lets a linter look at a source for some rules; the helper module that it is, if it is one; and whether the
submission has such, of which a file may import names for the grader's use alone."""


class Stylist:
    """Finds what is to be improved in one submission; a linter runs once for all rules that are asked for."""

    def __init__(
        self,
        source: bytes,
        style: StyleRules,
        template: Template,
        opens: OpensLinter | None,
        helpers: Folder = (),
    ) -> None:
        self._style, self._template, self._opens = style, template, opens
        self._source, self._helpers = source, helpers
        self.has_source, self.can_look = bool(source), opens is not None
        self._rules: frozenset[str] = frozenset()
        self._found: dict[frozenset[str], tuple[Finding, ...]] = {}
        self._linter: Linter | None = None

    def expect(self, rules: tuple[str, ...]) -> None:
        """Be ready for the question about some rules."""
        self._rules |= set(rules)

    def begin(self) -> None:
        """Let the linter look for everything that is expected, beside whatever else is done."""
        is_at_it = self._linter is not None and self._linter.rules == self._rules
        if self._opens and self._rules and self._source and not is_at_it:
            self.close()
            with suppress(GraderFault):  # raised again where the findings are read
                self._linter = self._opened(self._source)

    def close(self) -> None:
        """End the linter, wanted or not."""
        if self._linter:
            self._linter.close()

    def findings(self, rules: tuple[str, ...]) -> tuple[Finding, ...]:
        """Return what these rules find in the lines that were not given."""
        self.expect(rules)
        if self._rules not in self._found:
            self.begin()
            found = (self._linter or self._opened(self._source)).findings()
            for one in self._helpers:
                found += self._opened(one.content, one.name).findings()
            self._found[self._rules] = found
        given = self._template.lines
        sources = {None: self._source} | {one.name: one.content for one in self._helpers}
        free = {
            (file, number)
            for file, source in sources.items()
            for number, line in enumerate(lines_of(source_text(source)), 1)
            if line in given
        }
        return tuple(
            one
            for one in self._found[self._rules]
            if (one.rule in rules or one.rule == "syntax") and (one.file, one.line) not in free
        )

    def _opened(self, source: bytes, file: str | None = None) -> Linter:
        assert self._opens
        return self._opens(source, self._rules, self._style, file, bool(self._helpers) and file is None)
