"""A grade as a page: to look at, to step through, and to play against, with nothing of it running."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.core.evidence import Comment
from grader.core.game import oracle
from grader.core.game.board import START, O, X
from grader.core.grade import Grade, Verdict
from grader.core.plain import plain
from grader.core.text import printable_lines
from grader.report import wording
from grader.report.agenda import agenda
from grader.report.source import highlighted
from grader.report.wording import number, pointed_out, worth

_FOLDER: Final = Path(__file__).parent / "page"


def rendered(template: str, scripts: tuple[str, ...], data: dict[str, str], **context: Any) -> str:
    """Return a page: a template with some of the scripts, and JSON texts by the ids of their elements."""
    of_look, of_script = digests(scripts)
    policy = (
        f"default-src 'none'; style-src '{of_look}'; script-src '{of_script}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = environment().get_template(template)
    return page.render(
        policy=policy,
        style=Markup(style()),
        script=Markup(_script(scripts)),
        data={name: Markup(_inert(text)) for name, text in data.items()},
        **context,
    )


def digests(scripts: tuple[str, ...]) -> tuple[str, str]:
    """Return what a policy calls the style of a page, and some of the scripts."""
    return digest(style()), digest(_script(scripts))


def _ticks(text: str) -> Markup:
    """Return a sentence as HTML, with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(printable_lines(text)))))


def _inert(text: str) -> str:
    """Return JSON that no HTML parser finds anything in."""
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def as_json(value: Any) -> str:
    """Return plain data as JSON text without blanks."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


@cache
def environment(*folders: Path) -> Environment:
    """Return our templates, and those of other folders: everything is escaped, and shown as what it is."""
    environment = Environment(
        loader=FileSystemLoader([*folders, _FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable_lines(value) if type(value) is str else value,
    )
    environment.filters["points"] = number
    environment.filters["ticks"] = _ticks
    return environment


@cache
def style() -> str:
    """Return the style of every page."""
    return (_FOLDER / "style.css").read_text(encoding="utf-8")


@cache
def _script(names: tuple[str, ...]) -> str:
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)


@cache
def digest(text: str) -> str:
    """Return what a policy calls a script or a style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


SCRIPTS: Final = ("game.js", "film.js", "play.js", "unfold.js", "fit.js")


def page(
    grade: Grade,
    source: bytes | str,
    name: str = "tictactoe.py",
    *,
    helpers: Iterable[tuple[str, bytes | str]] = (),
    in_all: Mapping[str, float] | None = None,
    elsewhere: str = "",
) -> str:
    """Return the page on one submission; a student's view of a grade gives the student's page.

    Helpers are modules that came with it, by name. Where a grade is only a part of the instructor's, `in_all`
    has the points of each criterion there, and `elsewhere` says what else counts.
    """
    lines = highlighted(source, name)
    known = frozenset(range(1, len(lines) + 1))
    return rendered(
        "report.html",
        SCRIPTS,
        {"grade": as_json(plain(grade)), "values": as_json(_values())},
        title=f"{grade.title}: {grade.submission}",
        grade=grade,
        items=agenda(grade),
        tactics=wording.shown_tactics(grade),
        searches=wording.search_sentences(grade),
        lines=lines,
        helpers=[(file, highlighted(text)) for file, text in helpers],
        known=known,
        marks=_marks(grade, known),
        comments=_comments(grade),
        closing=wording.closing(grade),
        plays_against=_plays_against(grade),
        knows_all=grade.policy is not None and "." not in grade.policy,
        told=[one for one in grade.criteria if not all(verdict.unrun for verdict in one.verdicts)],
        pointed=pointed_out(grade.does_not_run) if grade.does_not_run else (),
        right=wording.what_is_right(grade),
        that_is=wording.that_is(grade),
        hidden_cost=wording.hidden_cost(grade),
        passed=wording.cases_passed,
        worth=worth,
        beside_it=wording.beside_it,
        beyond_title=wording.beyond_title,
        in_all=in_all,
        elsewhere=elsewhere,
    )


def _plays_against(grade: Grade) -> str:
    """Return the side for a person to begin with: O where the submission was only seen to begin."""
    if grade.policy is None:
        return X
    known = dict(zip(oracle.boards(), grade.policy, strict=True))
    second = [known[board] for board in oracle.successors(START).values()]
    return O if known[START] != "." and set(second) == {"."} else X


@cache
def _values() -> str:
    """Return who wins each board under optimal play, a character each, in the order of the policy."""
    return "".join({1: "X", -1: "O", 0: "="}[oracle.value(board)] for board in oracle.boards())


def _comments(grade: Grade) -> dict[str, dict[int, list[Comment]]]:
    """Return what a person says of lines: by the module that they are in, and by their numbers."""
    found: dict[str, dict[int, list[Comment]]] = {}
    for one in grade.comments:
        if one.line:
            found.setdefault(one.file, {}).setdefault(one.line, []).append(one)
    return found


def _marks(grade: Grade, known: frozenset[int]) -> dict[int, list[tuple[str, str]]]:
    """Return what is said about each line of the source, with the element that says more; once each."""
    marks: dict[int, dict[str, str]] = {}
    unrun = grade.does_not_run
    if unrun and unrun.line in known:
        marks[unrun.line] = {unrun.sentence: "unrun"}
    for criterion in grade.criteria:
        for verdict in (one for one in criterion.verdicts if not one.unrun):
            for line, said in _about_lines(verdict):
                if line in known:
                    marks.setdefault(line, {}).setdefault(said, f"case-{criterion.id}-{verdict.id}")
    return {line: [(target, said) for said, target in found.items()] for line, found in marks.items()}


def _about_lines(verdict: Verdict) -> Iterable[tuple[int, str]]:
    for finding in verdict.findings or ():
        if finding.file is None:
            yield finding.line, f"{finding.message} ({finding.rule})"
    if verdict.line and verdict.status.is_bad:
        yield verdict.line, verdict.got or verdict.reason
