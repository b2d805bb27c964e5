"""Pages: one grade, a class, two files that are alike, and sources highlighted as HTML.

A page of a grade shows its games and can be played against; nothing of the submission runs.
"""

import base64
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path, PurePath
from statistics import quantiles
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escaped
from pygments import token as kinds
from pygments.lexer import Lexer
from pygments.lexers import PythonLexer, TextLexer, find_lexer_class_for_filename

from grader.core.game import oracle
from grader.core.game.board import START, O, X
from grader.core.grade import Comment, Grade, Verdict
from grader.core.messages import _, active, clauses, figure, in_language, listing, ngettext, pgettext
from grader.core.values import plain, printable_lines, source_text, with_plain_ends
from grader.report import wording
from grader.report.wording import number

_FOLDER: Final = Path(__file__).parent / "page"
# makes JSON a text that no HTML parser finds anything in
_INERT: Final = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def rendered(template: str, scripts: tuple[str, ...], data: dict[str, str], **context: Any) -> str:
    """Return a page: a template with some of the scripts, and JSON texts by the ids of their elements."""
    of_look, of_script = digests(scripts)
    policy = (
        f"default-src 'none'; style-src '{of_look}'; script-src '{of_script}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = environment().get_template(template)
    if spoken := messages_in(_script(scripts)):
        data = {"messages": spoken, **data}
    return page.render(
        language=active(),
        policy=policy,
        style=Markup(style()),
        script=Markup(_script(scripts)),
        data={name: Markup(text.translate(_INERT)) for name, text in data.items()},
        **context,
    )


# A sentence in a script, as all of them stand there: alone, with its plural, or after its context
_SPOKEN: Final = re.compile(r"""\b(_|[np]gettext)\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?""")


def messages_in(script: str) -> str:
    """Return as JSON the sentences of a script in the active language; nothing in English.

    Of a plural it has the forms, and which of them belongs to each count.
    """
    catalogue = active().catalogue
    if catalogue is None:
        return ""
    sentences: dict[str, object] = {}
    for function, *given in _SPOKEN.findall(script):
        first, second = (json.loads(literal or '""') for literal in given)
        if function == "ngettext":
            forms = [catalogue.ngettext(first, second, count) for count in range(_COUNTS)]
            distinct = list(dict.fromkeys(forms))
            sentences[first] = [distinct, "".join(str(distinct.index(form)) for form in forms)]
        elif function == "pgettext":
            sentences[f"{first}\n{second}"] = catalogue.pgettext(first, second)
        else:
            sentences[first] = catalogue.gettext(first)
    return as_json(sentences)


_COUNTS: Final = 200  # from here on hundreds make no difference to the form of a plural


def digests(scripts: tuple[str, ...]) -> tuple[str, str]:
    """Return what a policy calls the style of a page, and some of the scripts."""
    return digest(style()), digest(_script(scripts))


# cells as pairs, and numbers with a sign: from the left in every language
_FIGURES: Final = re.compile(r"\(-?\d+, -?\d+\)(?:, \(-?\d+, -?\d+\))*|(?<![\w.,])[-+]\d++(?:[.,]\d++)*+")


# what Python says: in English, in every language
_EXCEPTION: Final = re.compile(r"(\b[A-Z]\w*(?:Error|Exception): [^()\n]+?(?= \(|[.;)]?$|; ))", re.MULTILINE)


def _ticks(text: str) -> Markup:
    """Return a sentence as HTML: with code where it has backticks, and figures that are not turned around."""
    parts = list(map(str, map(escaped, _EXCEPTION.split(printable_lines(text)))))
    if active().figures:
        parts[1::2] = [f'<span lang="en" dir="ltr">{part}</span>' for part in parts[1::2]]
    html = "".join(parts)
    if active().direction == "rtl":
        html = _FIGURES.sub(r'<bdi dir="ltr">\g<0></bdi>', html)
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html))


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
    environment.globals |= {"_": _, "ngettext": ngettext, "pgettext": pgettext, "clauses": clauses}
    environment.globals["wording"] = wording
    environment.filters |= {
        "points": number,
        "signed": lambda points: figure(f"{points:+g}"),
        "count": lambda count: figure(f"{count:,}"),
        "value": _value,
        "outcome": wording.outcome,
        "ticks": _ticks,
    }
    return environment


def _value(points: float | None) -> Markup:
    """Return an attribute by which a column is sorted that no script can read as numbers."""
    return Markup(f' data-value="{points:g}"') if active().figures and points is not None else Markup("")


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


SCRIPTS: Final = ("messages.js", "game.js", "film.js", "play.js", "unfold.js", "fit.js")


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
    with in_language(grade.language):
        lines = highlighted(source, name)
        known = frozenset(range(1, len(lines) + 1))
        comments: dict[tuple[str, int], list[Comment]] = {}
        for comment in grade.comments:
            if comment.line:
                comments.setdefault((comment.file, comment.line), []).append(comment)
        ran = [
            criterion for criterion in grade.criteria if not all(case.unrun for case in criterion.verdicts)
        ]
        return rendered(
            "report.html",
            SCRIPTS,
            {"grade": as_json(plain(grade)), "values": as_json(_values())},
            title=f"{grade.title}: {grade.submission}",
            grade=grade,
            items=wording.agenda(grade),
            tactics=wording.shown_tactics(grade),
            searches=wording.search_sentences(grade),
            right=wording.what_is_right(grade),
            lines=lines,
            helpers=[(file, highlighted(text)) for file, text in helpers],
            known=known,
            marks=_marks(grade, known),
            comments=comments,
            plays_against=_plays_against(grade),
            judged=ran,
            in_all=in_all,
            elsewhere=elsewhere,
        )


def _plays_against(grade: Grade) -> str:
    """Return the side for a person to begin with: O where the submission was only seen to begin."""
    if grade.policy is None:
        return X
    known = dict(zip(oracle.boards(), grade.policy, strict=True))
    second = {known[board] for board in oracle.successors(START).values()}
    return O if known[START] != "." and second == {"."} else X


@cache
def _values() -> str:
    """Return who wins each board under optimal play, a character each, in the order of the policy."""
    return "".join({1: "X", -1: "O", 0: "="}[oracle.value(board)] for board in oracle.boards())


def _marks(grade: Grade, known: frozenset[int]) -> dict[int, list[tuple[str, str]]]:
    """Return the texts about each line of the source, once each, with the element that has more."""
    marks: dict[int, dict[str, str]] = {}
    unrun = grade.does_not_run
    if unrun and unrun.line in known:
        marks[unrun.line] = {unrun.sentence: "unrun"}
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            for line, text in _about_lines(verdict):
                if line in known:
                    marks.setdefault(line, {}).setdefault(text, f"case-{criterion.id}-{verdict.id}")
    return {line: [(target, text) for text, target in found.items()] for line, found in marks.items()}


def _about_lines(verdict: Verdict) -> Iterator[tuple[int, str]]:
    if verdict.unrun:
        return
    for finding in verdict.findings or ():
        if finding.file is None:
            yield finding.line, f"{finding.message} ({finding.rule})"
    if verdict.line and verdict.status.is_bad:
        yield verdict.line, verdict.got or verdict.reason


_MOST: Final = 30_000  # characters of a source that are shown
_WIDEST: Final = 500
_SECONDS: Final = 1.0  # of processor time, for one source: some lexers take the square of what they are given
_PYTHON: Final = (".py", ".ipynb")  # suffixes of what is Python: of a notebook the code of its cells is shown
# kinds of tokens that stand out; everything else is plain, which keeps pages small
_CLASSES: Final = {
    kinds.Keyword: "k",
    kinds.Operator.Word: "k",
    kinds.String: "s",
    kinds.Comment: "c",
    kinds.Number: "m",
    kinds.Name.Function: "d",
    kinds.Name.Class: "d",
}


def highlighted(source: bytes | str, name: str = "tictactoe.py") -> tuple[Markup, ...]:
    """Return the lines of a source; what is too long is cut, and says so."""
    return highlighted_lines(source, name, _("… (the rest is not shown)"))


@lru_cache(maxsize=16)
def highlighted_lines(source: bytes | str, name: str, rest: str) -> tuple[Markup, ...]:
    """Return the lines; a submission gets two pages, so the last ones are remembered."""
    text = with_plain_ends(source if isinstance(source, str) else source_text(source))
    lines = [line[:_WIDEST] + "…" * (len(line) > _WIDEST) for line in text[:_MOST].split("\n")]
    if len(text) > _MOST:
        lines.append(rest)
    html = "".join(_marked("\n".join(map(printable_lines, lines)), name))
    return tuple(Markup(line) for line in html.split("\n"))


def _marked(text: str, name: str) -> Iterator[str]:
    """Yield the text as HTML; a token of several lines is marked on each."""
    styled = ((_style(kind), value) for kind, value in tokens(text, name))
    for style, together in groupby(styled, key=itemgetter(0)):
        whole = "".join(value for _, value in together)
        for at, part in enumerate(escape(whole, quote=False).split("\n")):
            if at:
                yield "\n"
            if part:
                yield f'<span class="{style}">{part}</span>' if style else part


def tokens(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """Yield the text in parts, each with its kind; what a lexer takes too long for is plain text."""
    began, done = time.process_time(), 0
    for at, kind, value in _lexer(PurePath(name).suffix).get_tokens_unprocessed(text):
        yield kind, value
        done = at + len(value)
        if time.process_time() - began > _SECONDS:
            break
    yield kinds.Text, text[done:]


@cache
def _lexer(suffix: str) -> Lexer:
    """Return what knows the words of a language."""
    kind = PythonLexer if suffix in _PYTHON else find_lexer_class_for_filename(f"source{suffix}") or TextLexer
    lexer: Lexer = kind(stripnl=False, ensurenl=False)
    return lexer


@cache
def _style(kind: Any) -> str:
    return next((name for family, name in _CLASSES.items() if kind in family), "")


_BINS: Final = 10
_HIGHEST: Final = 110  # the tallest bar of the histogram, in units of its drawing


def spread(totals: Iterable[float], points: float) -> list[tuple[float, int]]:
    """Return a histogram: ten bins of the full marks and one for more, each from where on, and how many."""
    width = points / _BINS
    counts = [0] * (_BINS + 1)
    for total in totals:
        counts[min(_BINS, int(total / width))] += 1
    return [(number * width, count) for number, count in enumerate(counts)]


@dataclass(frozen=True)
class StudentRow:
    """One student in the table: what each criterion earned (as a share, and in points), and the pages."""

    student: str
    total: float | None
    cells: tuple[tuple[float | None, float | None], ...]
    status: str
    page: str = ""
    feedback: str = ""
    mistakes: tuple[str, ...] = ()
    section: str = ""
    ran: bool = True  # whether the file runs
    waits: tuple[str, ...] = ()  # the criteria that a person has still to judge

    @property
    def groups(self) -> list[str]:
        """What the page can show this student among."""
        section = [f"section {self.section}"] if self.section else []
        waits = [f"waits {criterion}" for criterion in self.waits]
        mistakes = [f"mistake {mistake}" for mistake in self.mistakes]
        return [*mistakes, *section, *waits, *([] if self.ran else ["unrun"])]


@dataclass(frozen=True)
class TotalFigures:
    """How the totals of some students are spread: of everybody who has a total."""

    students: int
    mean: float
    quartiles: tuple[float, ...]

    @property
    def median(self) -> float:
        """The total in the middle."""
        return self.quartiles[1]


def figures_of(totals: Sequence[float]) -> TotalFigures | None:
    """Return the figures of some totals; None where there are none."""
    if not totals:
        return None
    found = quantiles(totals, n=4, method="inclusive") if len(totals) > 1 else (totals[0],) * 3
    return TotalFigures(len(totals), sum(totals) / len(totals), tuple(found))


@dataclass(frozen=True)
class PairRow:
    """Two students whose files are alike, how unusual that is, and the page that shows them."""

    first: str
    second: str
    shares: tuple[float, float]
    rarity: str
    page: str

    @property
    def title(self) -> str:
        """Both names."""
        return listing([self.first, self.second])


@dataclass(frozen=True)
class AlikeFiles:
    """The pairs of a class, and what to know about them."""

    title: str
    pairs: Sequence[PairRow]
    words: Sequence[str]


@dataclass(frozen=True)
class ClassPage:
    """All that the page of a class shows."""

    title: str
    points: float
    criteria: tuple[str, ...]
    rows: tuple[StudentRow, ...]
    total: int
    late: int
    adjusted: int
    mistakes: Sequence[tuple[wording.Quoted, list[str]]]
    failed: Sequence[tuple[str, int]]
    look: Sequence[tuple[StudentRow, Sequence[wording.Quoted]]]
    alike: AlikeFiles | None = None
    warnings: Sequence[str] = ()


def class_page(shown: ClassPage) -> str:
    """Return the page of a class; while it is being graded, it says how far that is."""
    totals: dict[str, list[float]] = {}
    for row in shown.rows:
        if row.total is not None:
            totals.setdefault(row.section, []).append(row.total)
    everybody = [row.total for row in shown.rows if row.total is not None]
    counts = spread(everybody, shown.points) if everybody else []
    most = max((count for _, count in counts), default=1)
    bins = [(f"{number(low)}+", count, round(_HIGHEST * count / most)) for low, count in counts]
    spoken = [_("{count} at {total}", count=count, total=label) for label, count, _height in bins if count]
    return rendered(
        "class.html",
        ("messages.js", "students.js", "unfold.js"),
        {},
        **vars(shown),
        done=len(shown.rows),
        totals=figures_of(everybody),
        unrun=[row for row in shown.rows if not row.ran],
        sections=[(name, figures_of(totals[name])) for name in sorted(totals) if name],
        waiting=Counter(name for row in shown.rows for name in row.waits),
        bins=bins,
        spoken=_("Totals: {counts}", counts=", ".join(spoken)),
    )


# what a student handed in: the file and its helpers, each with its name and text
Files = Sequence[tuple[str, str]]


def pair_page(pair: PairRow, files: Sequence[Files], words: Sequence[str]) -> str:
    """Return the page on two students' files that are alike, and what to know about that."""
    students = [
        (student, share, [(name, highlighted(text, name)) for name, text in own])
        for student, share, own in zip((pair.first, pair.second), pair.shares, files, strict=True)
    ]
    return rendered("pair.html", ("unfold.js",), {}, title=pair.title, students=students, words=words)
