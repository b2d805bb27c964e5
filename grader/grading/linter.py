"""Ruff, which checks the text of a submission in a process of its own."""

import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import IO, Any, Final

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
"""The messages in other languages than English, by rule; ruff has English ones alone."""

_IN_BACKQUOTES: Final = re.compile("`([^`]*)`")
_IN_BRACKETS: Final = re.compile(r"\(([^()]*)\)\Z")

_MOST_FINDINGS: Final = 50_000
_OF_EACH_KIND: Final = 100
"""How many findings of one kind are kept: a report is for people."""


def ruff(
    source: bytes,
    rules: frozenset[str],
    style: StyleRules,
    file: str | None = None,
    has_helpers: bool = False,
) -> tuple[Finding, ...]:
    """Return what ruff finds in a source, the first of each kind; it reads the text only, no `noqa` counts.

    A text on which it gives up is a finding, too.
    """
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
    text = source_text(source)
    lines = lines_of(text) if has_helpers else []
    kept: list[Finding] = []
    counts: Counter[str] = Counter()
    with TemporaryFile() as given, TemporaryFile() as output:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        code = _run([_ruff_path(), "check", *options, "-"], given, output)
        output.seek(0)
        try:
            for line in islice(output, _MOST_FINDINGS):
                found = json.loads(line)
                rule = found["code"] or "syntax"
                if has_helpers and rule == _UNUSED and _marked_text(found, lines) in _ASKED_FOR:
                    continue
                counts[rule] += 1
                if counts[rule] <= _OF_EACH_KIND:
                    row, message = found["location"]["row"], _message(rule, found["message"])
                    kept.append(Finding(line=row, rule=rule, message=message, file=file))
        except ValueError:
            code = None
    for rule, count in counts.items():
        if count > _OF_EACH_KIND:
            last = max(number for number, finding in enumerate(kept) if finding.rule == rule)
            message, more = kept[last].message, count - _OF_EACH_KIND
            message = _("{finding} (and {more:,} more)", finding=message, more=more)
            kept[last] = replace(kept[last], message=message)
    if code not in _RUFF_CODES:
        message = _message("syntax", "the linter cannot read the file to its end")
        kept.append(Finding(line=1, rule="syntax", message=message, file=file))
    return tuple(kept)


def _run(command: list[str], text: IO[bytes], output: IO[bytes]) -> int | None:
    """Run a linter within limits, as far as the system has them; return its exit code, None if it is late."""
    try:
        process = Popen(command, stdin=text, stdout=output, stderr=DEVNULL)
    except OSError as error:
        raise GraderFault(_("ruff did not start: {error}", error=error)) from None
    with process:
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource  # Linux's alone lets another process be limited

            for kind, most in ((resource.RLIMIT_AS, _RUFF_MEMORY), (resource.RLIMIT_FSIZE, _RUFF_OUTPUT)):
                resource.prlimit(process.pid, kind, (most, most))
        try:
            return process.wait(_RUFF_SECONDS)
        except TimeoutExpired:
            return None
        finally:
            process.kill()


def _marked_text(found: dict[str, Any], lines: list[str]) -> str:
    """Return the text of a finding as it stands in the source; nothing if it has several lines."""
    start, end = found["location"], found["end_location"]
    lines = lines[start["row"] - 1 : end["row"]]
    return lines[0][start["column"] - 1 : end["column"] - 1] if len(lines) == 1 else ""


def _message(rule: str, message: str) -> str:
    """Return ruff's message in English, or our sentence on its rule in another language."""
    if active().code == ENGLISH or rule not in SENTENCES:
        return message
    name, figures = _IN_BACKQUOTES.search(message), _IN_BRACKETS.search(message)
    return _(SENTENCES[rule], name=name[1] if name else "?", figures=figures[1] if figures else "?")


@cache
def _ruff_path() -> str:
    """Return the ruff that was installed beside this Python."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]

    return str(Path(find_ruff_bin()))
