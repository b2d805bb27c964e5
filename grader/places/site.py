"""A site on which students check themselves: static files, with the grader, and Python for the browser."""

import base64
import hashlib
import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup

from grader.core.course.course import Course, Listed, Question, Readme, Style, Template
from grader.core.course.course import Files as HandedIn
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.core.messages import (
    ENGLISH,
    FOLDER,
    Own,
    _,
    active,
    available,
    figure,
    in_language,
    language,
    later,
    listing,
    own_text,
)
from grader.core.values import plain
from grader.course.bundle import Files
from grader.places.packers import PACKS, filled, left_out_sentence, text, zipped
from grader.report.pages import SCRIPTS, as_json, digest, digests, environment, messages_in
from grader.report.wording import number
from grader.site import ASKED, PACE, Site, seconds

VERSION: Final = "314.0.7"  # the Pyodide (Python in WebAssembly) that sites are made for
_ADDRESS: Final = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_IN_BROWSER: Final = (
    "core/",
    "worker/",
    "site/",
    "report/__init__.py",
    "report/pages.py",
    "report/wording.py",
    "report/page/",
)
_NATIVE: Final = (
    *("confine", "guest", "launch", "package_finder", "printed"),
    *("program_filter", "seccomp", "serve", "system_calls", "template"),
)
# an instructor's page, and what workers need outside of a browser
_NOT_IN_BROWSER: Final = (
    *("report/page/class.html", "report/page/students.js"),
    *(f"worker/{name}.py" for name in _NATIVE),
)
_LIBRARIES: Final = ("jinja2", "markupsafe", "pygments")
_NOT_NEEDED: Final = {"pygments": ("formatters", "styles", "cmdline.py", "sphinxext.py")}
_LEXERS: Final = ("__init__.py", "_mapping.py", "python.py", "special.py")
_HERE: Final = ""  # what the points are for that a site can check; it sorts before everything else
_OWN: Final = ("start.js", "site.js", "python.js", "worker.js", "site.css")


class PyodideFile(NamedTuple):
    """A file of Pyodide: its size, and the digest by which a browser knows it."""

    name: str
    size: int
    digest: str


_PARTS: Final = (
    PyodideFile("pyodide.mjs", 17_931, "Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg"),
    PyodideFile(
        "pyodide.asm.mjs", 1_250_344, "/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa"
    ),
    PyodideFile(
        "pyodide.asm.wasm", 9_598_218, "y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu"
    ),
    PyodideFile(
        "python_stdlib.zip", 2_545_637, "xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767"
    ),
)


def site(course: Course, listed: Sequence[Listed], pyodide: Path | None) -> Files:
    """Return the files of a site by a course in which so much is asked; with a folder of Pyodide, it too."""
    python = _copied(pyodide) if pyodide else {}
    in_each: dict[str, str] = {}
    for code in available():
        with in_language(code):
            in_each[code] = elsewhere(course, listed)
    added: Own = in_each if any(in_each.values()) else ""
    in_all = {criterion.id: criterion.points for criterion in course.rubric.all_criteria()}
    archive = zipped(dict(_grader()))
    left_out = left_out_sentence(sum(case.hidden for case in listed))
    known = {
        "title": course.rubric.title,
        "left_out": f"{left_out}." if left_out else "No case is hidden.",
        "python": _about_python(pyodide is not None),
    }
    address = "python/" if pyodide else _ADDRESS
    integrity = {} if pyodide else {part.name: {"integrity": f"sha384-{part.digest}"} for part in _PARTS}
    files = [{"name": part.name, "size": part.size, **integrity.get(part.name, {})} for part in _PARTS]
    about = {
        "python": {"address": address, "version": VERSION, "files": files},
        "pace": PACE,
        "seconds": seconds(course.rubric.limits),
        "functions": ASKED,
        "size": len(archive),
        "check": plain(Site(_public(course, listed), in_all, added)),
    }
    page = _page(course.rubric, _policy(None if pyodide else _ADDRESS), added)
    return {
        "index.html": page.encode(),
        **_languages(page, added),
        "README.md": filled("site/README.md", known),
        "engine.html": _engine(),
        **{name: text(f"site/{name}") for name in _OWN},
        "messages.js": (_PACKAGE / "report" / "page" / "messages.js").read_bytes(),
        "style.css": (_PACKAGE / "report" / "page" / "style.css").read_bytes(),
        "site.json": json.dumps(about, separators=(",", ":")).encode(),
        "grader.zip": archive,
        **python,
    }


def _page(rubric: Rubric, policy: str, added: Own) -> str:
    """Return the page in the language of the course."""
    templates = environment(PACKS / "site")
    with in_language(rubric.language):
        return templates.get_template("index.html").render(
            title=own_text(rubric.title),
            policy=Markup(html.escape(policy)),
            elsewhere=own_text(added),
            language=active(),
            languages=[language(code) for code in available()],
            later=later,
        )


# A sentence in the page, in English: the page can be switched to another language
_SAID: Final = re.compile(r'data-say="([^"]*)"')


def _languages(page: str, added: Own) -> Files:
    """Return for each language what the page says, and the sentences of the grader."""
    own = [html.unescape(found) for found in _SAID.findall(page)]
    scripts = "".join(text(f"site/{name}").decode() for name in ("site.js", "python.js"))
    files = {}
    for code in available():
        with in_language(code):
            sentences = json.loads(messages_in(scripts) or "{}")
            if code != ENGLISH:
                sentences |= {".": figure("."), **{sentence: _(sentence) for sentence in own}}
                files[f"languages/{code}.mo"] = (FOLDER / f"{code}.mo").read_bytes()
            about = {"direction": active().direction, "elsewhere": own_text(added), "sentences": sentences}
            files[f"languages/{code}.json"] = as_json(about).encode()
    return files


def _public(course: Course, listed: Sequence[Listed]) -> Course:
    """Return what of a course can be checked in a browser and may be read there.

    Each case is worth what it is worth in the instructor's grade: a criterion has the points of those that
    are judged here. Nobody marks here, and a part of the points is neither rounded nor scaled.
    """
    points = _points_by_kind(course, listed)
    if not any(kinds.get(_HERE) for kinds in points.values()):
        raise UserError(
            _("no case of this course can be checked in a browser: all are hidden, or look at files")
        )

    def here(criterion: Criterion) -> Criterion:
        return replace(criterion, points=points[criterion.id].get(_HERE, 0.0), levels=(), checklist=())

    criteria, bonus = (tuple(map(here, some)) for some in (course.rubric.criteria, course.rubric.bonus))
    rubric = replace(course.rubric, criteria=criteria, bonus=bonus, rounding=None, scale_to=None)
    cases = tuple(
        replace(case, file=Path(case.file.name), line=0)
        for case in course.cases
        if case.question.visibility == "public" and not isinstance(case.question, HandedIn | Readme)
    )
    return replace(course, rubric=rubric, cases=cases, template=Template(""), has_tests=False)


def elsewhere(course: Course, listed: Sequence[Listed]) -> str:
    """Return how many points of the instructor's grade a site can check, and what the others are for.

    The figures add up as they are shown, and the first is the sum of the criteria's points on the site.
    """
    rubric, by_kind = course.rubric, _points_by_kind(course, listed)
    points: dict[str, float] = defaultdict(float)
    for owner in rubric.criteria:
        until = 0.0
        for kind, worth in sorted(by_kind[owner.id].items()):
            points[kind] += round(until + worth, 2) - round(until, 2)
            until += worth
    points |= {criterion.id: criterion.points for criterion in rubric.criteria if criterion.by_hand}
    here = points.pop(_HERE, 0.0)
    others = [
        _(kind, points=number(worth))
        if kind in (_HIDDEN, _STYLE, _FILES, _TESTS)
        else _("{points} for {criterion}", points=number(worth), criterion=kind)
        for kind, worth in points.items()
        if worth
    ]
    if not others:
        return ""
    return _(
        "This page can check {here} of {points} points. The others: {others}.",
        here=number(here),
        points=number(rubric.points),
        others=listing(others),
    )


_HIDDEN: Final = later("{points} for hidden tests")
_STYLE: Final = later("{points} for style")
_FILES: Final = later("{points} for the files beside it")
_TESTS: Final = later("{points} for tests of your instructor's")


def _points_by_kind(course: Course, listed: Sequence[Listed]) -> dict[str, dict[str, float]]:
    """Return the points of each criterion by what they are for."""
    questions = {(case.criterion, case.question.id): case.question for case in course.cases}
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for case in listed:
        weights[case.criterion][_kind(case, questions.get((case.criterion, case.id)))] += case.weight
    found: dict[str, dict[str, float]] = {}
    for criterion in course.rubric.all_criteria():
        own = {kind: weight for kind, weight in weights[criterion.id].items() if weight}
        whole = sum(own.values())
        found[criterion.id] = {kind: criterion.points * weight / whole for kind, weight in own.items()}
    return found


def _kind(case: Listed, question: Question | None) -> str:
    """Return what the points of a case are for if a site does not check it, or that it does."""
    if case.hidden:
        return _HIDDEN
    if isinstance(question, Style):
        return _STYLE
    if isinstance(question, HandedIn | Readme):
        return _FILES
    return _HERE if question else _TESTS


def _policy(address: str | None) -> str:
    """Return what the page may do: it talks to its own server, and to the one that Python comes from."""
    style, script = digests(SCRIPTS)
    return (
        f"default-src 'none'; script-src 'self' '{script}'; style-src 'self' '{style}'; img-src data:; "
        f"worker-src 'none'; frame-src 'self'; connect-src 'self'{f' {address}' if address else ''}; "
        "base-uri 'none'; form-action 'none'"
    )


def _engine() -> bytes:
    """Return the frame in which Python runs: code of its own alone, no connection, no frame, no page."""
    script = text("site/engine.js").decode()
    policy = (
        f"default-src 'none'; script-src '{digest(script)}' blob: 'wasm-unsafe-eval'; worker-src blob:; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    return filled("site/engine.html", {"engine_policy": policy, "engine": script})


def _about_python(is_inside: bool) -> str:
    what = f"Python for the browser (Pyodide {VERSION})"
    if is_inside:
        return f"{what} is in `python/`: the page asks no other server for anything."
    return (
        f"{what} comes from {_ADDRESS}, and browsers check that it is that very version. To have it in this "
        f"folder: `npm pack pyodide@{VERSION}`, unpack it, and make the site with `--pyodide package`."
    )


def _copied(pyodide: Path) -> Files:
    """Return what of an unpacked Pyodide a site needs; raise UserError for another version, or no Pyodide."""
    pack, folder = f"npm pack pyodide@{VERSION}", "package"
    fix = _("'{pack}' gets it, and its folder '{folder}' is what to name here", pack=pack, folder=folder)
    files = {}
    for part in _PARTS:
        file = pyodide / part.name
        try:
            content = file.read_bytes()
        except OSError as error:
            why = _("cannot be read ({why}): {fix}", why=error.strerror, fix=fix)
            raise UserError(why, file=file) from None
        if base64.b64encode(hashlib.sha384(content).digest()).decode() != part.digest:
            raise UserError(_("is not that of Pyodide {version}: {fix}", version=VERSION, fix=fix), file=file)
        files[f"python/{part.name}"] = content
    return files


def runs_in_browser(name: str) -> bool:
    """Return whether a file of the package is part of a site for students."""
    return name.startswith(_IN_BROWSER) and name not in _NOT_IN_BROWSER


def _grader() -> Iterator[tuple[str, bytes]]:
    """Yield what of the grader, and of the libraries that make its pages, runs in the browser."""
    yield "grader/__init__.py", (_PACKAGE / "__init__.py").read_bytes()
    for file in sorted(_PACKAGE.rglob("*")):
        path = file.relative_to(_PACKAGE).as_posix()
        if runs_in_browser(path) and file.is_file() and file.suffix != ".pyc":
            yield f"grader/{path}", file.read_bytes()
    for library in _LIBRARIES:
        found = find_spec(library)
        assert found and found.origin
        folder = Path(found.origin).parent
        for file in sorted(folder.rglob("*.py")):
            name = file.relative_to(folder)
            is_lexer = name.parts[0] == "lexers" and name.name not in _LEXERS
            if not is_lexer and name.parts[0] not in _NOT_NEEDED.get(library, ()):
                yield f"{library}/{name.as_posix()}", file.read_bytes()
