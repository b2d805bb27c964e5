"""The files that come with the grader: at the top of a checkout, or inside the installed package."""

from pathlib import Path
from typing import Final

from grader.errors import UserError

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_INSTALLED: Final = _PACKAGE / "shipped"
"""Made when the package is built (see `pyproject.toml`); a checkout has none."""

ROOT: Final = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
DEFAULT_RUBRIC: Final = ROOT / "rubric.yaml"
DEFAULT_FIXTURES: Final = ROOT / "fixtures"
DEFAULT_SUBMISSION: Final = ROOT / "submission"
SCHEMAS: Final = _PACKAGE / "schemas"


def write_copy(folder: Path) -> list[Path]:
    """Write the rubric, the fixtures and their schemas to a folder, to be changed there; return the files.

    Raises UserError, before anything is written, if some of it is there already.
    """
    for name in (DEFAULT_RUBRIC.name, DEFAULT_FIXTURES.name):
        if (folder / name).exists():
            raise UserError("is there already, and is not overwritten: name a new folder", file=folder / name)
    texts = {folder / "rubric.yaml": DEFAULT_RUBRIC.read_text(encoding="utf-8")}
    for file in sorted(DEFAULT_FIXTURES.glob("*.yaml")):
        texts[folder / "fixtures" / file.name] = file.read_text(encoding="utf-8")
    texts = {file: text.replace("grader/schemas/", "schemas/", 1) for file, text in texts.items()}
    for name in ("rubric.json", "fixture.json"):
        texts[folder / "schemas" / name] = (SCHEMAS / name).read_text(encoding="utf-8")
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(error.filename or folder)) from None
    return list(texts)
