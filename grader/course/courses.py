"""Courses: a rubric with its fixtures, by name; and the fixtures that go with any rubric."""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.core.errors import UserError
from grader.course.shipped import DEFAULT_FIXTURES, DEFAULT_RUBRIC, SCHEMAS, course_folder, course_names


def all_courses() -> Iterator[str]:
    """Yield every course with what tells it from the others, in a line."""
    from grader.course import rubric  # takes a while, and is needed for this list alone

    for name in course_names():
        loaded = rubric.load(rubric_of(name))
        bonus = sum(criterion.points for criterion in loaded.bonus)
        points = f"{loaded.points:g}" + (f" + {bonus:g}" if bonus else "")
        yield f"{name:10} {points:>9} points  {loaded.about or loaded.title}"


def rubric_of(name: str) -> Path:
    """Return the rubric of a course; raise UserError for one that is not known."""
    return course_folder(name) / "rubric.yaml"


def text_to_change(rubric_file: Path) -> str:
    """Return a rubric's text; one that builds on another also shows what it could change, as a comment."""
    from grader.course import extends, rubric

    text = rubric_file.read_text(encoding="utf-8")
    if extends.base_of(rubric_file) is None:
        return text
    loaded = rubric.load(rubric_file)
    lines = ["", "# What you could change, as it is now:"]
    for group, criteria in (("criteria", loaded.criteria), ("bonus", loaded.bonus)):
        lines += [f"# {group}:"] if criteria else []
        lines += [f"#   - id: {one.id}\n#     points: {one.points:g}" for one in criteria]
    back = loaded.follow_through
    most = "" if back.at_most is None else f", at_most: {back.at_most:g}"
    return text + "\n".join([*lines, f"# follow_through: {{share: {back.share:g}{most}}}", ""])


def fixtures_of(rubric_file: Path) -> Path:
    """Return the cases that go with a rubric: beside it, beside what it builds on, or the shipped ones."""
    beside = rubric_file.parent / "fixtures"
    if beside.is_dir():
        return beside
    if not rubric_file.is_file():
        return DEFAULT_FIXTURES
    from grader.course import extends  # reads YAML, which takes a while to import

    base = extends.base_of(rubric_file)
    return fixtures_of(base) if base else DEFAULT_FIXTURES


def write_copy(folder: Path, rubric_text: str, fixtures: Path) -> list[Path]:
    """Write a rubric, its fixtures and their schemas to a folder, to be changed there; return the files.

    Raises UserError, before anything is written, if some of it is there already.
    """
    for name in (DEFAULT_RUBRIC.name, DEFAULT_FIXTURES.name):
        if (folder / name).exists():
            raise UserError("is there already, and is not overwritten: name a new folder", file=folder / name)
    from grader.course import whole  # slow to import, and only needed here

    files = {whole.RUBRIC: rubric_text.encode()}
    files |= {f"{whole.FIXTURES}/{name}": content for name, content in whole.all_in(fixtures).items()}
    files = {name: _with_schema(name, content) for name, content in files.items()}
    files |= {f"schemas/{name}": (SCHEMAS / name).read_bytes() for name in ("rubric.json", "fixture.json")}
    try:
        whole.write(files, folder)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(error.filename or folder)) from None
    return [folder / name for name in files]


def _with_schema(name: str, content: bytes) -> bytes:
    """Return a copied file whose first line names the copied schema, for editors."""
    schemas = b"../" * name.count("/") + b"schemas/"
    return re.sub(rb"(?<=\$schema=)[./]*grader/schemas/", schemas, content, count=1)
