"""Loads a course: from the cache if nothing has changed since, else from its YAML, validated.

The cache holds validated courses as plain data until a byte of them, or of the grader, changes. The shipped
ones are made when the package is built; others lie in the user's cache folder. They are data, never code.
Where one cannot be written, is damaged, or was made by another grader, the course is validated again.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    """Return a course; raise UserError, with file and line, for anything by which nobody could be graded."""
    course = recalled(rubric_file, fixtures)
    if course is None:
        course = validated(rubric_file, fixtures)
        keep(course, rubric_file, fixtures)
    return course


def validated(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course from its YAML; raise UserError for all that is wrong with it, file by file."""
    from grader.course import cases, rubric_files  # take a while: most courses are in the cache

    loaded, wrong = rubric_files.examined(rubric_file)
    found: list[Case] = []
    broken: set[str | None] = set()
    with_tests = False
    try:
        with_tests = has_tests(fixtures)
        for file in files_in(fixtures):
            if file.suffix == ".py":
                wrong += cases.wrong_in_tests(file, loaded)
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
        why = getattr(error, "strerror", None) or _("it is not UTF-8 text")
        from grader.course import rubric_files  # takes a while, and is needed for this sentence alone

        document = rubric_files.load_extended(rubric_file)
        raise document.error(
            _("the template {file} cannot be read: {why}", file=file, why=why), ("template",)
        ) from None


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
            message = _(
                "the criterion '{criterion}' has two cases '{id}': give one another id",
                criterion=one.criterion,
                id=one.id,
            )
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


_NAME: Final = "tictactoe-grader"
_MOST_BYTES: Final = 5_000_000
_MOST: Final = 50
"""Courses of one user: those used last."""

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DECIDE: Final = ("course", "core/course", "core/game")
"""The rooms that decide what a validated course is."""


def recalled(rubric_file: Path, fixtures: Path) -> Course | None:
    """Return a course as it is kept, if nothing has changed since."""
    for file in _places(rubric_file, fixtures):
        with suppress(OSError, UserError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            about = file.stat()
            is_ours = system.is_mine(about) or file.parent == VALIDATED
            if about.st_size <= _MOST_BYTES and is_ours:
                data: Any = json.loads(file.read_bytes())
                text = data.pop("course")
                if data == _about(data["others"], rubric_file, fixtures, text):
                    course = _at(value_of(Course, json.loads(text)), fixtures)
                    _note_use(file)
                    return course
    return None


def _note_use(file: Path) -> None:
    """Let a course that is used stay: when there are many, those go that nobody has used for longest."""
    if file.parent != VALIDATED:
        with suppress(OSError):
            os.utime(file)


def keep(course: Course, rubric_file: Path, fixtures: Path) -> None:
    """Keep a course in the user's cache folder, if that can be done."""
    file = next((one for one in _places(rubric_file, fixtures) if one.parent != VALIDATED), None)
    text = text_of(course, rubric_file, fixtures) if file else ""
    if file and text:
        with suppress(OSError, UserError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write(file, text)
            kept = sorted(file.parent.glob("*.json"), key=lambda one: one.stat().st_mtime_ns, reverse=True)
            for old in kept[_MOST:]:
                old.unlink(missing_ok=True)


def text_of(course: Course, rubric_file: Path, fixtures: Path) -> str:
    """Return what is kept of a course; nothing of one that names copies, which may lie anywhere."""
    from grader.course import rubric_files  # takes a while, and is needed when something is kept alone

    if any(isinstance(case.question, Files) and case.question.unmodified for case in course.cases):
        return ""
    others = rubric_files.chain(rubric_file)
    if course.rubric.template:
        others.append(rubric_file.parent / course.rubric.template)
    try:
        names = [_way(file, rubric_file.parent) for file in others]
    except ValueError:  # on another drive
        return ""
    movable = _at(course, Path(), fixtures)
    with suppress(TypeError, ValueError):
        text = json.dumps(plain(movable), allow_nan=False)
        if value_of(Course, json.loads(text)) == movable:  # else it says what JSON cannot
            return json.dumps({**_about(names, rubric_file, fixtures, text), "course": text})
    return ""


def _at(course: Course, fixtures: Path, before: Path = Path()) -> Course:
    """Return a course whose fixtures lie in another folder."""
    cases = (replace(case, file=fixtures / case.file.relative_to(before)) for case in course.cases)
    return replace(course, cases=tuple(cases))


def _places(rubric_file: Path, fixtures: Path) -> Iterator[Path]:
    """Yield where a course may be kept: where it is shipped, and in the user's cache folder."""
    if rubric_file.is_relative_to(ROOT) and fixtures.is_relative_to(ROOT):
        yield VALIDATED / shipped_name(rubric_file, fixtures)
    root = os.environ.get("XDG_CACHE_HOME") or ""
    with suppress(OSError, RuntimeError):  # nobody is at home
        folder = Path(root) if os.path.isabs(root) else Path.home() / ".cache"  # noqa: PTH117
        if folder.parent.is_dir():  # nobody's home is made for this
            yield folder / _NAME / _named(rubric_file.resolve(), fixtures.resolve())


def shipped_name(rubric_file: Path, fixtures: Path) -> str:
    """Return the name of the file in which a shipped course is kept."""
    return _named(rubric_file.relative_to(ROOT), fixtures.relative_to(ROOT))


def _named(rubric_file: Path, fixtures: Path) -> str:
    name = f"{rubric_file.as_posix()}\n{fixtures.as_posix()}"
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".json"


def _about(others: Iterable[str], rubric_file: Path, fixtures: Path, text: str) -> dict[str, Any]:
    """Return what changes whenever a course does: its files, the grader, and what is kept itself.

    Other files than the fixtures are named by their way from the rubric.
    """
    return {
        "grader": _grader(),
        "fixtures": _digests(files_in(fixtures), fixtures),
        "others": _digests([rubric_file.parent / name for name in others], rubric_file.parent),
        "digest": hashlib.sha256(text.encode()).hexdigest(),
    }


def _digests(files: Iterable[Path], folder: Path) -> dict[str, str]:
    return {_way(file, folder): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _way(file: Path, folder: Path) -> str:
    """Return the way from a folder to a file, written as on every system: a package is built on one."""
    return Path(os.path.relpath(file, folder)).as_posix()


@cache
def _grader() -> str:
    """Return what changes whenever the grader might read a course otherwise."""
    found = hashlib.sha256(__version__.encode())
    for room in _DECIDE:
        for file in sorted((_PACKAGE / room).glob("*.py")):
            found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()
