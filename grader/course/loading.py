"""A course, loaded: from what is kept of it if nothing has changed since, else from its YAML, if whole."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.core.course.course import Course, Listed, listed
from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.course.template import DESCRIBED, Template
from grader.core.errors import UserError
from grader.course import kept
from grader.course.files import files_in, has_tests, is_fixture


def load(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course; raise UserError, with file and line, for anything by which nobody could be graded."""
    course = kept.recalled(rubric_file, fixtures)
    if course is None:
        course = validated(rubric_file, fixtures)
        kept.keep(course, rubric_file, fixtures)
    return course


def validated(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course from its YAML; what is wrong with several fixtures is told together."""
    from grader.course import cases, rubric  # these take a while: most courses were validated before

    loaded = rubric.load(rubric_file)
    found: list[Case] = []
    wrong: list[str] = []
    for file in filter(is_fixture, files_in(fixtures)):
        try:
            found += cases.load(file, loaded)
        except UserError as error:
            wrong.append(str(error))
    if wrong:
        raise UserError("\n".join(wrong))
    with_tests = has_tests(fixtures)
    if not with_tests:  # if there are tests, all that is asked is known when pytest has collected them
        refuse_incomplete([listed(case) for case in found], loaded, rubric_file, all_of_it=True)
    order = [criterion.id for criterion in loaded.all_criteria()]
    found.sort(key=lambda case: order.index(case.criterion))
    return Course(loaded, tuple(found), template(rubric_file, loaded), with_tests)


def template(rubric_file: Path, rubric: Rubric) -> Template:
    """Return the template that a rubric names, or what the assignment is known to give."""
    if rubric.template is None:
        return DESCRIBED
    file = rubric_file.parent / rubric.template
    try:
        return Template(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        from grader.course import strict_yaml

        document = strict_yaml.load(rubric_file)
        raise document.error(f"the template {file} cannot be read: {why}", ("template",)) from None


def refuse_incomplete(asked: Sequence[Listed], rubric: Rubric, rubric_file: Path, *, all_of_it: bool) -> None:
    """Raise UserError for a case of no criterion, two of one name, or a criterion whose points nobody earns.

    The last only if these are all cases there are.
    """
    weights: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for one in asked:
        if rubric.criterion(one.criterion) is None:
            raise UserError(rubric.unknown(one.criterion), file=one.file, line=one.line)
        if (one.criterion, one.id) in seen:
            message = f"the criterion '{one.criterion}' has two cases '{one.id}': give one another id"
            raise UserError(message, file=one.file, line=one.line)
        seen.add((one.criterion, one.id))
        weights[one.criterion] += one.weight  # type: ignore[assignment]
    if not all_of_it:
        return
    from grader.course.rubric import without_case  # takes a while, and most courses are complete

    for owner in rubric.all_criteria():
        if not owner.by_hand and (owner.id not in weights or (owner.points and not weights[owner.id])):
            raise without_case(rubric_file, owner, weightless=owner.id in weights)
