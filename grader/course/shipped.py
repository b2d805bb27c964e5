"""The files that come with the grader: at the top of a checkout, or inside the installed package."""

from pathlib import Path
from typing import Final

from grader.core.errors import UserError, meant

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
    if name == "default":
        return ROOT
    if name not in course_names():
        known = course_names()
        raise UserError(f"there is no course '{name}': there are {', '.join(known)}{meant(name, known)}")
    return COURSES / name
