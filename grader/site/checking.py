"""A check in the browser: a student's files in, the grade and its page out, as plain data.

The submission runs in the page's worker; the page can end it and start Python anew. The page is informed of
each question before it is asked, and of each answer. If no answer comes in time, or the interpreter ends, the
page starts another one with the answers of the carrier that was lost: the same questions come in the same
order, so that carrier answers from memory, is lost in the same place, and all others are asked again.
"""

import json
import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from grader.core.asking.inside import InProcess, Request
from grader.core.asking.reply import Loss
from grader.core.asking.worker import Allowance, WorkerLost
from grader.core.course.rubric import Rubric
from grader.core.course.submission import FILE_NAME, Submission, read
from grader.core.errors import GraderError, UserError
from grader.core.grade import Grade, student_view
from grader.core.grading import Subject, grade_of, judging_of
from grader.core.judging import Judging
from grader.core.messages import ENGLISH, _, in_language, ngettext, own_text
from grader.core.scores import make_grade
from grader.core.values import Frozen, plain, printable, value_of
from grader.report.pages import page as page_of
from grader.report.wording import changes
from grader.site import PACE, Site

# what a submission would not find elsewhere either; of the grader it needs the worker's side
_HIDDEN: Final = ("grader", "js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "jinja2", "pygments")
_NEEDED: Final = "grader.worker"


class Heard(Frozen):
    """What the page received from a carrier before it was lost: answers in order, and how it ended."""

    # each by the token of its question, with the seconds taken until then; the last may be empty
    answers: tuple[tuple[str, str, float], ...]
    spent: float
    deadline: float | None = None  # what was over when it was ended; None where it ended by itself
    exit_code: int | None = None  # with which it did

    @property
    def lost(self) -> WorkerLost:
        """The loss as its client gets it."""
        if self.deadline is not None:
            why = _("no answer within {seconds:g} seconds", seconds=self.deadline)
            return WorkerLost(Loss.DEADLINE, why)
        if self.exit_code is None:
            return WorkerLost(Loss.DEATH, _("its process ended for lack of memory or stack"))
        return WorkerLost(Loss.DEATH, _("its process ended with exit code {code}", code=self.exit_code))


class Watched(InProcess):
    """Carries questions to a submission in the same worker, and informs the page before and after each.

    The page has `asking(carrier, function, board)`, `heard(carrier, token, answer, seconds)`, with an empty
    answer where no more comes, and `judged(cases, of_all)`; a call of it comes back at once.
    """

    def __init__(self, allowance: Allowance, page: Any, number: int, known: Heard | None) -> None:
        super().__init__(allowance, PACE)
        self._finders.insert(0, _Hider)
        self._page, self._number, self._known = page, number, known
        self._answers = iter(known.answers if known else ())

    def _answered(self, request: Request) -> bool:
        """Let a request go on to its next reply, from memory if this carrier was lost before."""
        if request.is_over:
            return False
        if self._known:
            return self._remembered(request, self._known)
        self._page.asking(self._number, *_described(request))
        try:
            found = super()._answered(request)
        except Exception:
            self._page.heard(self._number, request.token, "", self._clock.ran)
            raise
        self._page.heard(self._number, request.token, request.waiting[-1] if found else "", self._clock.ran)
        return found

    def _remembered(self, request: Request, known: Heard) -> bool:
        """Answer a request as before, and lose the carrier where it was lost."""
        token, text, self._clock.ran = next(self._answers, ("", "", known.spent))
        if token != request.token:
            raise known.lost
        if not text:
            request.is_over = True
            return False
        request.hear(text)
        return True

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Let the submission see neither the judge nor the page."""
        aside = {name: sys.modules.pop(name) for name in _hidden(len(sys.modules)) if name in sys.modules}
        try:
            with super()._in_place():
                yield
        finally:
            sys.modules.update(aside)


def _opening(page: Any, known: Mapping[int, Heard]) -> Callable[[Allowance], Watched]:
    """Return what opens the carriers of one check, some of which were lost before."""
    numbers = count(1)

    def opens(allowance: Allowance) -> Watched:
        number = next(numbers)
        return Watched(allowance, page, number, known.get(number))

    return opens


def _described(request: Request) -> tuple[str, str]:
    """Return what is asked, and on which board: a function by its name, or to read or to load the file."""
    match request.operation, request.arguments:
        case "ask", (str() as name, bytes() as packed, float() as patience):
            calls = [] if patience else _calls(packed)
            return name, str(calls[min(request.heard, len(calls) - 1)][0]) if calls else ""
        case "walk", _:
            return "minimax", ""
        case "call", (str() as name, *_):
            return name, ""
    return "read" if request.operation == "outline" else "load", ""


@lru_cache(maxsize=1)
def _calls(packed: bytes) -> Any:
    """Return the calls of a request: unpacked once, and not for each of its replies."""
    return marshal.loads(packed)


@lru_cache(maxsize=1)
def _hidden(loaded: int) -> tuple[str, ...]:
    """Return the modules to hide: looked for when their number has changed, for it is asked often."""
    return tuple(filter(_is_hidden, sys.modules))


def _is_hidden(name: str) -> bool:
    return name.partition(".")[0] in _HIDDEN and name != "grader" and not name.startswith(_NEEDED)


class _Hider:
    """A finder that is asked before the others, and refuses what a submission has no business with."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Refuse what is hidden."""
        if _is_hidden(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_TAKEN_OVER: Final = (
    "deductions", "does_not_run", "instead", "machine_was_busy", "mistakes", "notes", "policy", "seconds",
    "show_mistakes", "submission_seconds", "tactics",
)  # fmt: skip
"""What a page says of a file beside its verdicts and scores."""


def checker(text: str) -> tuple[Callable[[str, Any, Any], str], Callable[[str, Any], str]]:
    """Return what checks files for a site, given as JSON, and what shows a grade.

    All that any of them needs is there then. A grade is shown by a Python in which no file has run.
    """
    site = value_of(Site, json.loads(text))
    files = {"tictactoe.py": b"pass"}
    show(site, json.dumps({"grade": check(site, '{"lost": {}}', files, _Nobody())}), files)
    return (
        lambda request, files, page: check(site, request, files.to_py(), page),
        lambda request, files: show(site, request, files.to_py()),
    )


class _Nobody:
    """A page that does nothing, while Python gets warm."""

    def asking(self, *question: Any) -> None:
        """Do nothing."""

    heard = judged = asking


def check(site: Site, request: str, files: Mapping[str, bytes], page: Any) -> str:
    """Check files and return their grade as JSON; nothing where there is nothing to judge: `show` says why.

    The request, as JSON, has the answers of carriers that were lost, and the language of the grade.
    """
    asked: dict[str, Any] = json.loads(request)
    with in_language(asked.get("language", ENGLISH)):
        known = {int(number): value_of(Heard, heard) for number, heard in asked["lost"].items()}
        try:
            found = _read(site, files)
        except GraderError:
            return ""
        judging = judging_of(found, site.course, _opening(page, known), on_verdict=page.judged)
        if _absent(judging, site.course.rubric):
            return ""
        try:
            judging.judge_all()
            grade = student_view(grade_of(judging, Subject()))
        finally:
            judging.close()
        return json.dumps(plain(grade))


def show(site: Site, request: str, files: Mapping[str, bytes]) -> str:
    """Return, as JSON, the page about a grade, and what has changed since the one before.

    Where nothing can be judged it is a sentence, and nothing at all where the grade is none of this site. The
    grade comes from where the files have run, so it is whatever they wanted: JSON, perhaps.
    """
    asked: dict[str, Any] = json.loads(request)
    with in_language(asked.get("language", ENGLISH)):
        return json.dumps(_shown(site, asked, files))


def _shown(site: Site, asked: dict[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        found = _read(site, files)
    except GraderError as error:
        return {"problem": str(error)}
    judging = judging_of(found, site.course, _opening(_Nobody(), {}))  # which runs nothing of it
    if absent := _absent(judging, site.course.rubric):
        return {"note": absent}
    try:
        grade = _own(site, found, asked["grade"])
        before = value_of(Grade, json.loads(asked["before"])) if asked.get("before") else None
    except (ValueError, RecursionError):
        return {}
    helpers = [(helper.name, helper.content) for helper in found.helpers]
    about: dict[str, Any] = {"in_all": site.in_all, "elsewhere": own_text(site.elsewhere)}
    return {
        "name": found.name,
        "changes": changes(before, grade) if before else [],
        "grade": json.dumps(plain(grade)),
        "html": page_of(grade, found.source, found.path.name, helpers=helpers, **about),
    }


def _own(site: Site, found: Submission, text: str) -> Grade:
    """Return a grade made anew of the verdicts in one given as JSON; raise ValueError for a forged one.

    What it is called, what there is to earn and what that sums up to are the site's own.
    """
    given, rubric = value_of(Grade, json.loads(text)), site.course.rubric
    verdicts = [(criterion.id, verdict) for criterion in given.criteria for verdict in criterion.verdicts]
    cases = [(case.criterion, case.question.id, case.question.weight) for case in site.course.cases]
    if sorted((criterion, verdict.id, verdict.weight) for criterion, verdict in verdicts) != sorted(cases):
        raise ValueError("other cases than those of this site")
    for _criterion, verdict in verdicts:
        if (verdict.earned is not None) != verdict.status.counts:
            raise ValueError("points for what does not count")
        if not 0 <= (verdict.earned or 0) <= verdict.weight:
            raise ValueError("more or less than there is to earn")
    kept = {name: getattr(given, name) for name in _TAKEN_OVER}
    problem = None if found.is_gradable else found.problem
    own = make_grade(rubric, found.name, verdicts, not_gradable=problem, **kept)
    # where a person decides, the verdicts say what is earned till then
    if given != own and not own.for_a_person:
        raise ValueError("sums that do not add up, or words of nobody here")
    return own


def _read(site: Site, files: Mapping[str, bytes]) -> Submission:
    """Return the submission that some files are; raise UserError where it is unclear which of them is."""
    if len(files) > 1 and FILE_NAME not in files:
        raise UserError(
            ngettext(
                "{count} file, and none is called {name}: call one so, or take one alone",
                "{count} files, and none is called {name}: call one so, or take one alone",
                len(files),
                name=FILE_NAME,
            )
        )
    folder = Path(mkdtemp())
    os.chdir(folder)
    for name, content in files.items():
        (folder / Path(name).name).write_bytes(content)
    path = next(folder.iterdir()) if len(files) == 1 else folder
    rubric = site.course.rubric
    return read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def _absent(judging: Judging, rubric: Rubric) -> str:
    """Return a sentence on packages that the course allows and a browser does not have; mostly nothing."""
    wanted = judging.client.outline().imported
    absent = ", ".join(printable(name) for name in rubric.imports.allowed if name.partition(".")[0] in wanted)
    if not absent:
        return ""
    return _(
        "This file imports {modules}, which your course allows and Python in a browser does not have. That "
        "is no mistake: the file is judged when you hand it in.",
        modules=absent,
    )
