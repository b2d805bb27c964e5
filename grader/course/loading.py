"""A course, loaded: validated once, and kept as plain data until a byte of it, or of the grader, changes.

What is kept lies in the user's cache folder. It is data, never code, and nobody depends on it: where it
cannot be written, is damaged, or was made by another grader, the course is validated again.
"""

import hashlib
import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.core.course.course import Course, listed
from grader.core.course.questions import Case, Files
from grader.core.course.rubric import Rubric
from grader.core.course.template import DESCRIBED, Template
from grader.core.errors import UserError
from grader.core.plain import plain, value_of
from grader.course.complete import refuse_incomplete
from grader.course.files import files_in, has_tests, is_fixture

_NAME: Final = "tictactoe-grader"
_MOST_BYTES: Final = 5_000_000
_MOST_KEPT: Final = 50
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DECIDE: Final = ("course", "core/course", "core/game")
"""The rooms that decide what a validated course is."""


def load(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course; raise UserError, with file and line, for anything by which nobody could be graded."""
    kept = _kept_in(rubric_file, fixtures)
    course = _recalled(kept, fixtures) if kept else None
    if course is None:
        course = _validated(rubric_file, fixtures)
        if kept:
            _keep(kept, course, rubric_file, fixtures)
    return course


def _validated(rubric_file: Path, fixtures: Path) -> Course:
    """Return a course from its YAML; what is wrong with several fixtures is told together."""
    from grader.course import cases, rubric  # these take a while: most courses were validated before

    loaded = rubric.load(rubric_file)
    if not fixtures.is_dir():
        raise UserError("no such folder of fixtures", file=fixtures)
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


def _kept_in(rubric_file: Path, fixtures: Path) -> Path | None:
    """Return the file in which a course is kept, if there is a place for it."""
    root = os.environ.get("XDG_CACHE_HOME") or ""
    try:
        folder = Path(root) if os.path.isabs(root) else Path.home() / ".cache"  # noqa: PTH117
        name = hashlib.sha256(f"{rubric_file.resolve()}\n{fixtures.resolve()}".encode("utf-8", "replace"))
        return folder / _NAME / f"{name.hexdigest()[:32]}.json"
    except (OSError, RuntimeError):  # nobody is at home
        return None


def _recalled(kept: Path, fixtures: Path) -> Course | None:
    """Return a course as it is kept, if nothing has changed since."""
    try:
        about = kept.stat()
        if about.st_size > _MOST_BYTES or about.st_uid != os.getuid():
            return None
        data: Any = json.loads(kept.read_bytes())
        if data["grader"] != _grader() or data["fixtures"] != _digests(files_in(fixtures)):
            return None
        if data["others"] != _digests([Path(name) for name in data["others"]]):
            return None
        return value_of(Course, data["course"])
    except (OSError, UserError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _keep(kept: Path, course: Course, rubric_file: Path, fixtures: Path) -> None:
    """Keep a course, if that can be done; one that names copies, which may lie anywhere, is not kept."""
    from grader.course import extends

    if any(isinstance(case.question, Files) and case.question.unmodified for case in course.cases):
        return
    others = extends.chain(rubric_file)
    if course.rubric.template:
        others.append(rubric_file.parent / course.rubric.template)
    data = {
        "grader": _grader(),
        "fixtures": _digests(files_in(fixtures)),
        "others": _digests(others),
        "course": plain(course),
    }
    part = kept.with_name(f".{kept.name}.{os.getpid()}")
    with suppress(OSError, TypeError, ValueError):
        text = json.dumps(data, allow_nan=False)
        if value_of(Course, json.loads(text)["course"]) != course:  # something that JSON cannot say
            return
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            part.write_text(text)
            part.replace(kept)
            _tidy(kept.parent)
        finally:
            part.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    """Keep the newest of what is kept."""
    found = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in found[_MOST_KEPT:]:
        file.unlink(missing_ok=True)


def _digests(files: list[Path]) -> dict[str, str]:
    return {str(file.absolute()): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@cache
def _grader() -> str:
    """Return what changes whenever the grader might read a course otherwise."""
    found = hashlib.sha256(__version__.encode())
    for room in _DECIDE:
        for file in sorted((_PACKAGE / room).glob("*.py")):
            about = file.stat()
            found.update(f"{file.name} {about.st_size} {about.st_mtime_ns}\n".encode())
    return found.hexdigest()
