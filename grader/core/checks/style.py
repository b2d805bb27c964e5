"""The style of a submission's own lines: what a reader stumbles over, each habit charged once."""

from collections.abc import Callable

from grader.core.course.course import Template
from grader.core.course.rubric import StyleRules
from grader.core.course.submission import Folder
from grader.core.grade import Finding
from grader.core.values import lines_of, source_text

Linter = Callable[[bytes, frozenset[str], StyleRules, str | None, bool], tuple[Finding, ...]]
"""Finds breaches of some rules in a source.

The other arguments: the name of a helper module, and whether the submission has helper modules, of which a
file may import names for the grader's use alone.
"""


class Stylist:
    """Finds what is to be improved in one submission; a linter runs once for all rules that are asked for."""

    def __init__(
        self,
        source: bytes,
        style: StyleRules,
        template: Template,
        linter: Linter | None,
        helpers: Folder = (),
    ) -> None:
        self._style, self._template, self._linter = style, template, linter
        self._source, self._helpers = source, helpers
        self.has_source, self.can_look = bool(source), linter is not None
        self._rules: frozenset[str] = frozenset()
        self._found: dict[frozenset[str], tuple[Finding, ...]] = {}

    def add(self, rules: tuple[str, ...]) -> None:
        """Add rules for the one run of the linter."""
        self._rules |= set(rules)

    def findings(self, rules: tuple[str, ...]) -> tuple[Finding, ...]:
        """Return what these rules find in the lines that were not given."""
        self.add(rules)
        sources = {None: self._source} | {helper.name: helper.content for helper in self._helpers}
        if self._rules not in self._found:
            assert self._linter
            self._found[self._rules] = tuple(
                finding
                for file, source in sources.items()
                for finding in self._linter(
                    source, self._rules, self._style, file, len(sources) > 1 and not file
                )
            )
        given = self._template.lines
        free = {
            (file, number)
            for file, source in sources.items()
            for number, line in enumerate(lines_of(source_text(source)), 1)
            if line in given
        }
        return tuple(
            finding
            for finding in self._found[self._rules]
            if (finding.rule in rules or finding.rule == "syntax")
            and (finding.file, finding.line) not in free
        )
