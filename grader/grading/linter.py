"""Ruff, at work on a submission's text in a process of its own."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import Any, Final

from grader.core.course.rubric import StyleRules
from grader.core.errors import GraderFault
from grader.core.game.oracle import CONSTANTS, FUNCTIONS
from grader.core.grade import Finding
from grader.core.messages import ENGLISH, _, active, later
from grader.core.values import lines_of, source_text

_RUFF_SECONDS: Final = 120
_RUFF_MEMORY: Final = 4_000_000_000
_RUFF_OUTPUT: Final = 50_000_000
_RUFF_CODES: Final = (0, 1)
"""Nothing was found, or something was."""

_UNUSED: Final = "F401"
_ASKED_FOR: Final = frozenset((*FUNCTIONS, *CONSTANTS, "initial_state"))
"""Names that a file may import from a helper module for the grader's use alone."""

SENTENCES: Final = {
    "F401": later("`{name}` is imported and never used"),
    "F811": later("`{name}` is defined twice, and the first one is never used"),
    "F841": later("the variable `{name}` is given a value and never used"),
    "E501": later("the line is too long to read ({figures})"),
    "E701": later("two statements on one line: give each a line of its own"),
    "E702": later("two statements on one line, with a semicolon: give each a line of its own"),
    "E711": later("a comparison with `None` by `==`: write `is None` or `is not None`"),
    "E712": later("a comparison with `True` or `False` by `==`: test the value itself"),
    "E722": later("an `except:` that hides every mistake: name the exception"),
    "E741": later("`{name}` is easily taken for a digit: give the variable a longer name"),
    "W291": later("blanks at the end of the line"),
    "W191": later("tabs for indentation: use blanks"),
    "N802": later("the name of the function `{name}` should be in lower case"),
    "N803": later("the name of the argument `{name}` should be in lower case"),
    "N806": later("the name of the variable `{name}` should be in lower case"),
    "B006": later("a list or dict as a default argument is shared by all calls: use `None`"),
    "A001": later("the variable `{name}` hides a builtin of Python: give it another name"),
    "SIM103": later("return the condition itself, instead of `True` or `False` by it"),
    "PLR1704": later("the argument `{name}` is overwritten by a loop or a `with`"),
    "D103": later("the function has no docstring"),
    "D419": later("the docstring is empty"),
    "PLR0915": later("the function has too many statements ({figures})"),
    "C901": later("the function `{name}` has too many branches ({figures})"),
    "syntax": later("the linter cannot read the file to its end"),
}
"""What is said of a finding in other languages than English, by the rule; ruff speaks English alone."""

_IN_BACKQUOTES: Final = re.compile("`([^`]*)`")
_IN_BRACKETS: Final = re.compile(r"\(([^()]*)\)\Z")

_MOST_FINDINGS: Final = 50_000
_OF_EACH_KIND: Final = 100
"""How many findings of one kind are kept: a report is for people."""


class Ruff:
    """Ruff at work on a source: it reads the text only, and no `noqa` hides anything."""

    def __init__(
        self,
        source: bytes,
        rules: frozenset[str],
        style: StyleRules,
        file: str | None = None,
        has_helpers: bool = False,
    ) -> None:
        self.rules, self._file, self._has_helpers = rules, file, has_helpers
        self._lines = lines_of(source_text(source)) if has_helpers else []
        options = (
            "--isolated",
            "--ignore-noqa",
            "--no-cache",
            "--output-format=json-lines",
            f"--select={','.join(sorted(rules))}",
            f"--config=line-length={style.line_length}",
            f"--config=lint.pylint.max-statements={style.function_statements}",
            f"--stdin-filename={(file or 'tictactoe.py').rpartition('/')[2]}",
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
            raise GraderFault(_("ruff did not start: {error}", error=error)) from None
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
                if self._has_helpers and rule == _UNUSED and self._text(one) in _ASKED_FOR:
                    continue
                counts[rule] += 1
                if counts[rule] <= _OF_EACH_KIND:
                    kept.append(self._finding(one["location"]["row"], rule, one["message"]))
        except (TimeoutExpired, ValueError):
            code = None
        finally:
            self.close()
        if code not in _RUFF_CODES:
            kept.append(self._finding(1, "syntax", "the linter cannot read the file to its end"))
        return tuple(_with_more(kept, counts))

    def _text(self, one: dict[str, Any]) -> str:
        """Return what a finding is about, as it stands in the source; nothing if that is not needed."""
        start, end = one["location"], one["end_location"]
        lines = self._lines[start["row"] - 1 : end["row"]]
        return lines[0][start["column"] - 1 : end["column"] - 1] if len(lines) == 1 else ""

    def _finding(self, line: int, rule: str, message: str) -> Finding:
        return Finding(line=line, rule=rule, message=_said(rule, message), file=self._file)

    def close(self) -> None:
        """End it, wanted or not."""
        with self._ruff:
            self._ruff.kill()
        self._said.close()


def _said(rule: str, message: str) -> str:
    """Return what ruff says of a finding in English, or our sentence on its rule in another language."""
    if active().code == ENGLISH or rule not in SENTENCES:
        return message
    name, figures = _IN_BACKQUOTES.search(message), _IN_BRACKETS.search(message)
    return _(SENTENCES[rule], name=name[1] if name else "?", figures=figures[1] if figures else "?")


def _with_more(kept: list[Finding], counts: Counter[str]) -> Iterator[Finding]:
    """Yield the findings; the last of a kind that has more says how many."""
    seen: Counter[str] = Counter()
    for one in kept:
        seen[one.rule] += 1
        more = counts[one.rule] - _OF_EACH_KIND
        is_last = seen[one.rule] == _OF_EACH_KIND and more > 0
        message = (
            _("{finding} (and {more:,} more)", finding=one.message, more=more) if is_last else one.message
        )
        yield replace(one, message=message) if is_last else one


def _bound(process: int) -> None:
    """Limit what a linter may use, where the system lets another process be limited."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource  # Linux's alone lets another process be limited

        for kind, most in ((resource.RLIMIT_AS, _RUFF_MEMORY), (resource.RLIMIT_FSIZE, _RUFF_OUTPUT)):
            resource.prlimit(process, kind, (most, most))


@cache
def _ruff_path() -> str:
    """Return the ruff that was installed beside this Python."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]

    return str(Path(find_ruff_bin()))
