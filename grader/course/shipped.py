"""The files that come with the grader: at the top of a checkout, or inside the installed package."""

import re
from pathlib import Path
from typing import Final

from grader.errors import UserError, meant

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

SCHEMAS: Final = _PACKAGE / "schemas"


def course_names() -> list[str]:
    """Return the courses that come with the grader."""
    return sorted(folder.name for folder in COURSES.iterdir() if (folder / "rubric.yaml").is_file())


def course_folder(name: str) -> Path:
    """Return the folder of a course; raise UserError with the known ones for another."""
    if name == "default":
        return ROOT
    if name not in course_names():
        known = course_names()
        raise UserError(f"there is no course '{name}': there are {', '.join(known)}{meant(name, known)}")
    return COURSES / name


def write_copy(folder: Path, rubric_text: str, fixtures: Path) -> list[Path]:
    """Write a rubric, its fixtures and their schemas to a folder, to be changed there; return the files.

    Raises UserError, before anything is written, if some of it is there already.
    """
    for name in (DEFAULT_RUBRIC.name, DEFAULT_FIXTURES.name):
        if (folder / name).exists():
            raise UserError("is there already, and is not overwritten: name a new folder", file=folder / name)
    texts = {folder / "rubric.yaml": rubric_text}
    for file in sorted(fixtures.glob("*.yaml")):
        texts[folder / "fixtures" / file.name] = file.read_text(encoding="utf-8")
    texts = {file: _with_schema(file, text, folder) for file, text in texts.items()}
    for name in ("rubric.json", "fixture.json"):
        texts[folder / "schemas" / name] = (SCHEMAS / name).read_text(encoding="utf-8")
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(error.filename or folder)) from None
    return list(texts)


def _with_schema(file: Path, text: str, folder: Path) -> str:
    """Return a copied file whose first line names the copied schema, for editors."""
    up = "../" * (len(file.relative_to(folder).parts) - 1)
    return re.sub(r"(?<=\$schema=)[./]*grader/schemas/", f"{up}schemas/", text, count=1)
