"""A whole course: every file that belongs to it, so that it grades alike wherever it is taken.

One submission is graded where the course lies; a class and a pack take it along. What they take is said here,
and nowhere else.
"""

from pathlib import Path
from typing import Any, Final

from grader.core.course.hand_in import digest
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.course import extends, rubric, strict_yaml
from grader.course.files import files_in, is_fixture
from grader.course.fixture import Fixture
from grader.course.validation import validated

Files = dict[str, bytes]
"""Contents by path."""

RUBRIC: Final = "rubric.yaml"
FIXTURES: Final = "fixtures"
_MOST_BYTES: Final = 10_000_000
_RUNS: Final = b"#!"


def whole(rubric_file: Path, fixtures: Path) -> Files:
    """Return a course as files that stand on their own: the rubric, its template, and all of the fixtures."""
    document = extends.load(rubric_file)
    files = {RUBRIC: rubric.whole_text(rubric_file)}
    template = validated(document, Rubric).template
    if template:
        name = Path(template).name
        files[name] = _content(rubric_file.parent / template)
        if name != template:
            files[RUBRIC] = strict_yaml.dump({**document.data, "template": name})
    files |= {f"{FIXTURES}/{name}": content for name, content in all_in(fixtures).items()}
    if sum(map(len, files.values())) > _MOST_BYTES:
        raise UserError(f"has more than {_MOST_BYTES / 1e6:g} MB: leave files out", file=fixtures)
    return files


def all_in(fixtures: Path) -> Files:
    """Return the contents of a folder of fixtures, by path in it."""
    return {file.relative_to(fixtures).as_posix(): _content(file, fixtures) for file in files_in(fixtures)}


def _content(file: Path, fixtures: Path | None = None) -> bytes:
    """Return a file's content; a fixture names no file that does not lie in the folder with it."""
    if fixtures and is_fixture(file):
        document = strict_yaml.load(file)
        validated(document, Fixture)
        data = document.data
        if _take_in(data, file.parent, fixtures.resolve()):
            return strict_yaml.dump(data)
    try:
        return file.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=file) from None


def _take_in(data: Any, beside: Path, fixtures: Path) -> bool:
    """Put digests in place of copies that lie elsewhere; return whether there were any."""
    found = False
    for question in data["cases"]:
        copies: dict[str, str] = question.get("unmodified") or {}
        for name, given in copies.items():
            copy = beside / given
            if copy.is_file() and not copy.resolve().is_relative_to(fixtures):
                copies[name] = digest(copy.read_bytes())
                found = True
    return found


def write(files: Files, folder: Path) -> None:
    """Write files below a folder, those that are run with leave to be."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(mode(content))


def mode(content: bytes) -> int:
    """Return who may do what with a file."""
    return 0o755 if content.startswith(_RUNS) else 0o644
