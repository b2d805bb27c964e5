"""A course, loaded: from what is kept of it if nothing has changed since, else from its YAML, if whole."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.core.course.course import Course, Listed, listed
from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.course.template import DESCRIBED, Template
from grader.core.errors import UserError, nearest, together
from grader.course import cache
from grader.course.courses import files_in, has_tests, is_fixture


def load(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course; raise UserError, with file and line, for anything by which nobody could be graded."""
    course = cache.recalled(rubric_file, fixtures)
    if course is None:
        course = validated(rubric_file, fixtures)
        cache.keep(course, rubric_file, fixtures)
    return course


def validated(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course from its YAML; raise UserError for all that is wrong with it, file by file."""
    from grader.course import (
        cases,
        own_tests,
        rubric_files,  # these take a while: most courses are in the cache
    )

    loaded, wrong = rubric_files.examined(rubric_file)
    found: list[Case] = []
    broken: set[str | None] = set()
    with_tests = False
    try:
        with_tests = has_tests(fixtures)
        for file in files_in(fixtures):
            if file.suffix == ".py":
                wrong += own_tests.examined(file, loaded)
            if not is_fixture(file):
                continue
            examined = cases.examined(file, loaded)
            found += examined.cases
            wrong += examined.wrong
            broken |= {examined.criterion} if examined.wrong else set()
    except UserError as error:
        wrong.append(error)
        broken.add(None)
    given = DESCRIBED
    if loaded:
        # if there are tests, all that is asked is known when pytest has collected them
        known = not with_tests and None not in broken
        judged = {nearest(name, [one.id for one in loaded.all_criteria()]) for name in broken if name}
        wrong += incomplete([listed(case) for case in found], loaded, rubric_file, judged if known else None)
        try:
            given = template(rubric_file, loaded)
        except UserError as error:
            wrong.append(error)
    if wrong or loaded is None:
        raise together(wrong)
    order = [criterion.id for criterion in loaded.all_criteria()]
    found.sort(key=lambda case: order.index(case.criterion))
    return Course(loaded, tuple(found), given, with_tests)


def template(rubric_file: Path, rubric: Rubric) -> Template:
    """Return the template that a rubric names, or what the assignment is known to give."""
    if rubric.template is None:
        return DESCRIBED
    file = rubric_file.parent / rubric.template
    try:
        return Template(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        from grader.course import rubric_files  # takes a while, and is needed for this sentence alone

        document = rubric_files.load_extended(rubric_file)
        raise document.error(f"the template {file} cannot be read: {why}", ("template",)) from None


def incomplete(
    asked: Sequence[Listed], rubric: Rubric, rubric_file: Path, judged: set[str | None] | None
) -> list[UserError]:
    """Return the errors: a case of no criterion, two of one name, a criterion whose points nobody earns.

    The criteria that other cases beside these judge are given; None if nobody knows them.
    """
    wrong: list[UserError] = []
    weights: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for one in asked:
        if rubric.criterion(one.criterion) is None:
            wrong.append(UserError(rubric.unknown(one.criterion), file=one.file, line=one.line))
        if (one.criterion, one.id) in seen:
            message = f"the criterion '{one.criterion}' has two cases '{one.id}': give one another id"
            wrong.append(UserError(message, file=one.file, line=one.line))
        seen.add((one.criterion, one.id))
        weights[one.criterion] += one.weight  # type: ignore[assignment]
    if judged is None:
        return wrong
    from grader.course.rubric_files import without_case  # takes a while, and most courses are complete

    for owner in rubric.all_criteria():
        is_judged = owner.by_hand or owner.id in judged
        if not is_judged and (owner.id not in weights or (owner.points and not weights[owner.id])):
            wrong.append(without_case(rubric_file, owner, weightless=owner.id in weights))
    return wrong
