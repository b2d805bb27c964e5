"""Courses: a rubric with its fixtures, by name; and the fixtures that go with any rubric."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.core.errors import UserError, meant
from grader.core.messages import _

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_INSTALLED: Final = _PACKAGE / "shipped"
"""Made when the package is built (see `pyproject.toml`); a checkout has none."""

ROOT: Final = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

DEFAULT_RUBRIC: Final = ROOT / "rubric.yaml"
DEFAULT_FIXTURES: Final = ROOT / "fixtures"
DEFAULT_SUBMISSION: Final = ROOT / "submission"
COURSES: Final = ROOT / "courses"
OWN: Final = _PACKAGE if _INSTALLED.is_dir() else ROOT
"""The folder with all that is the grader's: no submission may read there."""

FOR_STUDENTS: Final = not DEFAULT_RUBRIC.is_file()
"""Whether this is the grader that students may read, which has neither a course nor a reference."""

SCHEMAS: Final = _PACKAGE / "schemas"
VALIDATED: Final = _INSTALLED / "validated"
"""The shipped courses as plain data, made when the package is built."""


def course_names() -> list[str]:
    """Return the courses that come with the grader."""
    return sorted(file.parent.name for file in COURSES.glob("*/rubric.yaml"))


def course_folder(name: str) -> Path:
    """Return the folder of a course; raise UserError with the known ones for another."""
    known = course_names()
    if name not in ("default", *known):
        message = _("there is no course '{name}': there are {names}", name=name, names=", ".join(known))
        raise UserError(message + meant(name, known))
    return ROOT if name == "default" else COURSES / name


_CACHES: Final = "__pycache__"


def files_in(fixtures: Path) -> list[Path]:
    """Return the files of a folder of fixtures and below it, by path: no caches, nothing hidden by a dot."""
    if not fixtures.is_dir():
        raise UserError(_("no such folder of fixtures"), file=fixtures)
    found: list[Path] = []
    waiting, seen = [fixtures], set[Path]()
    while waiting:
        folder = waiting.pop()
        if folder.resolve() in seen:  # a link may lead in a circle
            continue
        seen.add(folder.resolve())
        try:
            inside = [path for path in folder.iterdir() if path.name != _CACHES and path.name[0] != "."]
        except OSError as error:
            raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=folder) from None
        waiting += filter(Path.is_dir, inside)
        found += filter(Path.is_file, inside)
    return sorted(found)


def is_fixture(file: Path) -> bool:
    """Return whether a file holds cases; any other is a test of the instructor's own, or what one reads."""
    return file.suffix == ".yaml"


def has_tests(fixtures: Path) -> bool:
    """Return whether a folder holds an instructor's own tests, which only pytest can run."""
    return any(file.suffix == ".py" for file in files_in(fixtures))


def all_courses() -> Iterator[str]:
    """Yield every course with what tells it from the others, in a line."""
    from grader.course import rubric_files  # reads YAML, which takes a while to import

    for name in course_names():
        loaded = rubric_files.load(rubric_of(name))
        bonus = sum(criterion.points for criterion in loaded.bonus)
        points = f"{loaded.points:g}" + (f" + {bonus:g}" if bonus else "")
        yield f"{name:10} {points:>9} points  {loaded.about or loaded.title}"


def rubric_of(name: str) -> Path:
    """Return the rubric of a course; raise UserError for one that is not known."""
    return course_folder(name) / "rubric.yaml"


def text_to_change(rubric_file: Path) -> str:
    """Return a rubric's text; one that builds on another also shows what it could change, as a comment."""
    from grader.course import rubric_files

    text = rubric_file.read_text(encoding="utf-8")
    if rubric_files.base_of(rubric_file) is None:
        return text
    rubric = rubric_files.load(rubric_file)
    lines = ["", "# What you could change, as it is now:"]
    for group, criteria in (("criteria", rubric.criteria), ("bonus", rubric.bonus)):
        lines += [f"# {group}:"] if criteria else []
        lines += [f"#   - id: {criterion.id}\n#     points: {criterion.points:g}" for criterion in criteria]
    back = rubric.follow_through
    most = "" if back.at_most is None else f", at_most: {back.at_most:g}"
    return text + "\n".join([*lines, f"# follow_through: {{share: {back.share:g}{most}}}", ""])


def fixtures_of(rubric_file: Path) -> Path:
    """Return the cases that go with a rubric: beside it, beside what it builds on, or the shipped ones."""
    beside = rubric_file.parent / "fixtures"
    if beside.is_dir():
        return beside
    if not rubric_file.is_file():
        return DEFAULT_FIXTURES
    from grader.course import rubric_files

    base = rubric_files.base_of(rubric_file)
    return fixtures_of(base) if base else DEFAULT_FIXTURES


def write_copy(folder: Path, rubric_text: str, fixtures: Path) -> list[Path]:
    """Write a rubric, its fixtures and their schemas to a folder, to be changed there; return the files.

    Raises UserError, before anything is written, if some of it is there already.
    """
    for target in (folder / DEFAULT_RUBRIC.name, folder / DEFAULT_FIXTURES.name):
        if target.exists():
            raise UserError(_("is there already, and is not overwritten: name a new folder"), file=target)
    from grader.course import bundle  # slow to import, and only needed here

    files = {bundle.RUBRIC: rubric_text.encode()}
    files |= {f"{bundle.FIXTURES}/{name}": content for name, content in bundle.all_in(fixtures).items()}
    for name, content in files.items():  # the first line names the schema for editors
        schemas = b"../" * name.count("/") + b"schemas/"
        files[name] = re.sub(rb"(?<=\$schema=)[./]*grader/schemas/", schemas, content, count=1)
    files |= {f"schemas/{name}": (SCHEMAS / name).read_bytes() for name in ("rubric.json", "fixture.json")}
    try:
        bundle.write(files, folder)
    except OSError as error:
        file = Path(error.filename or folder)
        raise UserError(_("cannot be written: {strerror}", strerror=error.strerror), file=file) from None
    return [folder / name for name in files]
