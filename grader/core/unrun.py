"""Why a submission does not run at all: one sentence, and the place in its source; told once."""

from dataclasses import replace
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Loss
from grader.core.checks.imports import unreadable
from grader.core.course.questions import Files, Readme, Style
from grader.core.evidence import DoesNotRun, Unrun
from grader.core.grade import Status, Verdict
from grader.core.judging import Judging
from grader.core.text import lines_of, printable, source_text

_ABOUT_TEXT: Final = Style, Files, Readme
"""What can be judged of a submission that does not run."""

_WIDEST: Final = 100
_TAB: Final = 4


def marked(judging: Judging, why: DoesNotRun) -> list[tuple[str, Verdict]]:
    """Return the verdicts of a submission that does not run: those that it spoils say so, without a hint."""
    spoilt: dict[str, Any] = {
        "unrun": True,
        "reason": why.sentence,
        "code": "does-not-run",
        "parameters": {"why": why.sentence},
        "hint": None,
        "line": why.line,
    }
    others = {
        (case.criterion, case.question.id) for case in judging.asked if isinstance(case.question, _ABOUT_TEXT)
    }
    return [
        (criterion, verdict)
        if (criterion, verdict.id) in others or verdict.status in (Status.PASSED, Status.GRADER_ERROR)
        else (criterion, replace(verdict, **spoilt))
        for criterion, verdict in judging.verdicts
    ]


def does_not_run(client: Client) -> DoesNotRun | None:
    """Return why a file does not run, and where, or None if it does."""
    if client.looks_runnable():
        return None
    source, problem = client.submission.source, unreadable(client)
    if problem:
        outline = client.outline()
        return _at(source, Unrun.NOT_PYTHON, problem, outline.line, outline.column)
    failure = client.load_failure()
    assert failure
    why = Unrun.RAISES if failure.raised else Unrun.REFUSED
    if failure.loss:
        why = Unrun.ENDLESS if failure.loss is Loss.DEADLINE else Unrun.DIES
    return _at(source, why, failure.why, failure.line)


def _at(source: bytes, why: Unrun, sentence: str, line: int, column: int = 0) -> DoesNotRun:
    """Return the sentence with the line of the source; of one that is too wide, the part around the place."""
    lines = lines_of(source_text(source))
    if not 1 <= line <= len(lines):
        return DoesNotRun(why=why, sentence=sentence)
    text = lines[line - 1]
    before = _shown(text[: max(0, column - 1)])
    shown = _shown(text.rstrip())
    start = max(0, len(before) - _WIDEST // 2) if len(shown) > _WIDEST else 0
    place = len(before) - start + 1 if column and len(before) <= len(shown) else None
    return DoesNotRun(
        why=why, sentence=sentence, line=line, column=place, text=shown[start : start + _WIDEST] or None
    )


def _shown(text: str) -> str:
    return printable(text.expandtabs(_TAB))
