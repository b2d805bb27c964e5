"""Pages that need nothing: one file with its style, its scripts and its data in it, and a strict policy."""

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.core.text import printable_lines
from grader.report.text import number

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
