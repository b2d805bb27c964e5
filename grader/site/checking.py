"""One check in the browser: a student's files in, the grade and the page about it out, as plain data."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from grader.core.course.rubric import Rubric
from grader.core.course.submission import FILE_NAME, Submission, read
from grader.core.errors import GraderError, UserError
from grader.core.grade import Grade, student_view
from grader.core.grading import Functions, grade_of, judging_of
from grader.core.judging import Judging
from grader.core.plain import plain, value_of
from grader.core.scores import make_grade
from grader.core.text import printable
from grader.report.pages import page as page_of
from grader.report.wording import changes
from grader.site.data import Site
from grader.site.watched import Heard, Page, Watching

_TAKEN_OVER: Final = (
    "deductions", "does_not_run", "instead", "machine_was_busy", "mistakes", "notes", "policy", "seconds",
    "show_mistakes", "submission_seconds", "tactics",
)  # fmt: skip
"""What a page says of a file beside its verdicts and scores."""


def checker(text: str) -> tuple[Callable[[str, Any, Page], str], Callable[[str, Any], str]]:
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
    """Looks on while Python gets warm."""

    def asking(self, *told: Any, **more: Any) -> None:
        """Look on."""

    heard = judged = asking


def check(site: Site, request: str, files: Mapping[str, bytes], page: Page) -> str:
    """Check files and return their grade as JSON; nothing where there is nothing to judge: `show` says why.

    The request, as JSON, has what was heard from carriers that were lost.
    """
    asked: dict[str, Any] = json.loads(request)
    known = {int(number): value_of(Heard, heard) for number, heard in asked["lost"].items()}
    try:
        found = _read(site, files)
    except GraderError:
        return ""
    judging = judging_of(found, site.course, Watching(page, known).opens, on_verdict=page.judged)
    if _absent(judging, site.course.rubric):
        return ""
    try:
        judging.judge_all()
        grade = student_view(grade_of(judging, Functions()))
    finally:
        judging.close()
    return json.dumps(plain(grade))


def show(site: Site, request: str, files: Mapping[str, bytes]) -> str:
    """Return, as JSON, the page about a grade, and what has changed since the one before.

    Where nothing can be judged it is a sentence, and nothing at all where the grade is none of this site. The
    grade comes from where the files have run, so it is whatever they wanted: JSON, perhaps.
    """
    asked: dict[str, Any] = json.loads(request)
    try:
        found = _read(site, files)
    except GraderError as error:
        return json.dumps({"problem": str(error)})
    judging = judging_of(found, site.course, Watching(_Nobody(), {}).opens)  # which runs nothing of it
    if absent := _absent(judging, site.course.rubric):
        return json.dumps({"note": absent})
    try:
        grade = _own(site, found, asked["grade"])
        before = value_of(Grade, json.loads(asked["before"])) if asked.get("before") else None
    except (ValueError, RecursionError):
        return json.dumps({})
    helpers = [(one.name, one.content) for one in found.helpers]
    told = {
        "name": found.name,
        "changes": changes(before, grade) if before else [],
        "grade": json.dumps(plain(grade)),
        "html": page_of(
            grade,
            found.source,
            name=found.path.name,
            helpers=helpers,
            in_all=site.in_all,
            elsewhere=site.elsewhere,
        ),
    }
    return json.dumps(told)


def _own(site: Site, found: Submission, text: str) -> Grade:
    """Return a grade made anew of the verdicts in one given as JSON; raise ValueError for a forged one.

    What it is called, what there is to earn and what that sums up to are the site's own.
    """
    told, rubric = value_of(Grade, json.loads(text)), site.course.rubric
    verdicts = [(criterion.id, one) for criterion in told.criteria for one in criterion.verdicts]
    cases = [(case.criterion, case.question.id, case.question.weight) for case in site.course.cases]
    if sorted((criterion, one.id, one.weight) for criterion, one in verdicts) != sorted(cases):
        raise ValueError("other cases than those of this site")
    if any((one.earned is not None) != one.status.counts for _, one in verdicts):
        raise ValueError("points for what does not count")
    if not all(0 <= (one.earned or 0) <= one.weight for _, one in verdicts):
        raise ValueError("more or less than there is to earn")
    kept = {name: getattr(told, name) for name in _TAKEN_OVER}
    problem = None if found.is_gradable else found.problem
    own = make_grade(rubric, found.name, verdicts, not_gradable=problem, **kept)
    if (
        told != own and not own.for_a_person
    ):  # where a person decides, the verdicts say what is earned till then
        raise ValueError("sums that do not add up, or words of nobody here")
    return own


def _read(site: Site, files: Mapping[str, bytes]) -> Submission:
    """Return the submission that some files are; raise UserError where nobody could say which is meant."""
    if len(files) > 1 and FILE_NAME not in files:
        raise UserError(f"{len(files)} files, and none is called {FILE_NAME}: call one so, or take one alone")
    folder = Path(mkdtemp())
    os.chdir(folder)
    for name, content in files.items():
        (folder / Path(name).name).write_bytes(content)
    path = next(folder.iterdir()) if len(files) == 1 else folder
    rubric = site.course.rubric
    return read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def _absent(judging: Judging, rubric: Rubric) -> str:
    """Return a sentence on packages that the course allows and a browser does not have; mostly nothing."""
    wanted = {module.partition(".")[0] for _, module, _ in judging.client.outline().imports}
    absent = ", ".join(printable(one) for one in rubric.imports.allowed if one.partition(".")[0] in wanted)
    sentence = (
        f"This file imports {absent}, which your course allows and Python in a browser does not have. That "
        "is no mistake: the file is judged when you hand it in."
    )
    return sentence if absent else ""
