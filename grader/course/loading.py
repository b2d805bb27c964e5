"""Loads a course: from the cache if nothing has changed since, else from its YAML, validated.

The cache holds validated courses as plain data until a byte of them, or of the grader, changes. The shipped
ones are made when the package is built; others lie in the user's cache folder. They are data, never code.
Where one cannot be written, is damaged, or was made by another grader, the course is validated again.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.core import system
from grader.core.course.course import DESCRIBED, Case, Course, Files, Listed, Template, listed
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError, nearest, together
from grader.core.messages import _
from grader.core.system import write
from grader.core.values import plain, value_of
from grader.course.courses import ROOT, VALIDATED, files_in, has_tests, is_fixture


def load(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course; raise UserError, with file and line, for all that makes grading impossible."""
    course = cached(rubric_file, fixtures)
    if course is None:
        course = validated(rubric_file, fixtures)
        store(course, rubric_file, fixtures)
    return course


def validated(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course from its YAML; raise UserError for all that is wrong with it, file by file."""
    from grader.course import cases, rubric_files  # take a while: most courses are in the cache

    rubric, wrong = rubric_files.examined(rubric_file)
    found: list[Case] = []
    broken: set[str | None] = set()
    with_tests = False
    try:
        with_tests = has_tests(fixtures)
        for file in files_in(fixtures):
            if file.suffix == ".py":
                wrong += cases.wrong_in_tests(file, rubric)
            elif is_fixture(file):
                examined = cases.examined(file, rubric)
                found += examined.cases
                wrong += examined.wrong
                broken |= {examined.criterion} if examined.wrong else set()
    except UserError as error:
        wrong.append(error)
        broken.add(None)
    given = DESCRIBED
    if rubric:
        # with tests, or a broken file of no known criterion, criteria without cases are not known here
        known = not with_tests and None not in broken
        order = [criterion.id for criterion in rubric.all_criteria()]
        judged = {nearest(name, order) for name in broken if name}
        wrong += incomplete([listed(case) for case in found], rubric, rubric_file, judged if known else None)
        try:
            given = template(rubric_file, rubric)
        except UserError as error:
            wrong.append(error)
    if wrong or rubric is None:
        raise together(wrong)
    found.sort(key=lambda case: order.index(case.criterion))
    return Course(rubric, tuple(found), given, with_tests)


def template(rubric_file: Path, rubric: Rubric) -> Template:
    """Return the template that a rubric names, or what the assignment is known to give."""
    if rubric.template is None:
        return DESCRIBED
    file = rubric_file.parent / rubric.template
    try:
        return Template(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or _("it is not UTF-8 text")
        from grader.course import rubric_files  # takes a while, and is needed for this sentence alone

        message = _("the template {file} cannot be read: {why}", file=file, why=why)
        raise rubric_files.load_extended(rubric_file).error(message, ("template",)) from None


def incomplete(
    asked: Sequence[Listed], rubric: Rubric, rubric_file: Path, judged: set[str | None] | None
) -> list[UserError]:
    """Return the errors: a case of no criterion, two of one name, a criterion whose points nobody earns.

    The criteria that other cases beside these judge are given; None if nobody knows them.
    """
    wrong: list[UserError] = []
    weights: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for case in asked:
        messages = [] if rubric.criterion(case.criterion) else [rubric.unknown(case.criterion)]
        if (case.criterion, case.id) in seen:
            key = {"criterion": case.criterion, "id": case.id}
            messages += [_("the criterion '{criterion}' has two cases '{id}': give one another id", **key)]
        wrong += (UserError(message, file=case.file, line=case.line) for message in messages)
        seen.add((case.criterion, case.id))
        weights[case.criterion] += case.weight  # type: ignore[assignment]
    if judged is None:
        return wrong
    from grader.course.rubric_files import without_case  # takes a while, and most courses are complete

    for owner in rubric.all_criteria():
        is_judged = owner.by_hand or owner.id in judged
        if not is_judged and (owner.id not in weights or (owner.points and not weights[owner.id])):
            wrong.append(without_case(rubric_file, owner, weightless=owner.id in weights))
    return wrong


_NAME: Final = "tictactoe-grader"
_MOST_BYTES: Final = 5_000_000
_MOST: Final = 50
"""Courses of one user: those used last."""

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DECIDE: Final = ("course", "core/course", "core/game")
"""The packages that decide what a validated course is."""


def cached(rubric_file: Path, fixtures: Path) -> Course | None:
    """Return a course from the cache, if nothing has changed since."""
    places = _shipped_file(rubric_file, fixtures), _users_file(rubric_file, fixtures)
    for file in filter(None, places):
        with suppress(OSError, UserError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            about = file.stat()
            is_shipped = file.parent == VALIDATED
            if about.st_size <= _MOST_BYTES and (is_shipped or system.is_mine(about)):
                data: Any = json.loads(file.read_bytes())
                text = data.pop("course")
                if data == _about(data["others"], rubric_file, fixtures, text):
                    course = _at(value_of(Course, json.loads(text)), fixtures)
                    if not is_shipped:
                        with suppress(OSError):
                            os.utime(file)  # `store` removes the least recently used ones
                    return course
    return None


def store(course: Course, rubric_file: Path, fixtures: Path) -> None:
    """Write a course to the user's cache folder, if that can be done."""
    file = _users_file(rubric_file, fixtures)
    text = text_of(course, rubric_file, fixtures) if file else ""
    if file and text:
        with suppress(OSError, UserError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write(file, text)
            others = sorted(file.parent.glob("*.json"), key=lambda other: other.stat().st_mtime_ns)
            for old in others[:-_MOST]:
                old.unlink(missing_ok=True)


def text_of(course: Course, rubric_file: Path, fixtures: Path) -> str:
    """Return a course as the cache has it; nothing for one that names copies, which may lie anywhere."""
    from grader.course import rubric_files  # takes a while, and is needed when a course is written alone

    if any(isinstance(case.question, Files) and case.question.unmodified for case in course.cases):
        return ""
    others = rubric_files.chain(rubric_file)
    if course.rubric.template:
        others.append(rubric_file.parent / course.rubric.template)
    movable = _at(course, Path(), fixtures)
    with suppress(TypeError, ValueError):  # ValueError also for a file on another drive
        names = [_relative(file, rubric_file.parent) for file in others]
        text = json.dumps(plain(movable), allow_nan=False)
        if value_of(Course, json.loads(text)) == movable:  # else JSON cannot hold it
            return json.dumps({**_about(names, rubric_file, fixtures, text), "course": text})
    return ""


def _at(course: Course, fixtures: Path, before: Path = Path()) -> Course:
    """Return a course whose fixtures lie in another folder."""
    cases = (replace(case, file=fixtures / case.file.relative_to(before)) for case in course.cases)
    return replace(course, cases=tuple(cases))


def _shipped_file(rubric_file: Path, fixtures: Path) -> Path | None:
    """Return the file of a course that comes with the grader."""
    is_shipped = rubric_file.is_relative_to(ROOT) and fixtures.is_relative_to(ROOT)
    return VALIDATED / shipped_name(rubric_file, fixtures) if is_shipped else None


def _users_file(rubric_file: Path, fixtures: Path) -> Path | None:
    """Return the file of a course in the user's cache folder, which is made only in a home that exists."""
    root = os.environ.get("XDG_CACHE_HOME") or ""
    with suppress(OSError, RuntimeError):  # the user has no home folder
        folder = Path(root) if os.path.isabs(root) else Path.home() / ".cache"  # noqa: PTH117
        if folder.parent.is_dir():
            return folder / _NAME / _named(rubric_file.resolve(), fixtures.resolve())
    return None


def shipped_name(rubric_file: Path, fixtures: Path) -> str:
    """Return the name of the file that holds a shipped course."""
    return _named(rubric_file.relative_to(ROOT), fixtures.relative_to(ROOT))


def _named(rubric_file: Path, fixtures: Path) -> str:
    name = f"{rubric_file.as_posix()}\n{fixtures.as_posix()}"
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".json"


def _about(others: Iterable[str], rubric_file: Path, fixtures: Path, text: str) -> dict[str, Any]:
    """Return digests of a course's files, of the grader, and of the cached text.

    Files that are no fixtures are named relative to the rubric.
    """
    return {
        "grader": _grader(),
        "fixtures": _digests(files_in(fixtures), fixtures),
        "others": _digests([rubric_file.parent / name for name in others], rubric_file.parent),
        "digest": hashlib.sha256(text.encode()).hexdigest(),
    }


def _digests(files: Iterable[Path], folder: Path) -> dict[str, str]:
    return {_relative(file, folder): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _relative(file: Path, folder: Path) -> str:
    """Return a path relative to a folder, with slashes on every system: a package is built on one."""
    return Path(os.path.relpath(file, folder)).as_posix()


@cache
def _grader() -> str:
    """Return a digest of the code that decides what a validated course is."""
    found = hashlib.sha256(__version__.encode())
    for package in _DECIDE:
        for file in sorted((_PACKAGE / package).glob("*.py")):
            found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()
