"""All files of a course, as one bundle, and the part of it that students may read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from grader.core.course.course import Listed
from grader.core.course.rubric import Rubric
from grader.core.course.submission import digest
from grader.core.errors import UserError
from grader.core.messages import _
from grader.course import rubric_files, strict_yaml
from grader.course.cases import Fixture
from grader.course.courses import files_in, is_fixture
from grader.course.strict_yaml import validated

Files = dict[str, bytes]
"""Contents by path."""

RUBRIC: Final = "rubric.yaml"
FIXTURES: Final = "fixtures"
_MOST_BYTES: Final = 10_000_000
_RUNS: Final = b"#!"


def whole(rubric_file: Path, fixtures: Path) -> Files:
    """Return a course as files that stand on their own: the rubric, its template, and all of the fixtures."""
    document = rubric_files.load_extended(rubric_file)
    files = {RUBRIC: rubric_files.whole_text(rubric_file)}
    template = validated(document, Rubric).template
    if template:
        name = Path(template).name
        files[name] = _content(rubric_file.parent / template)
        if name != template:
            files[RUBRIC] = strict_yaml.dump({**document.data, "template": name})
    files |= {f"{FIXTURES}/{name}": content for name, content in all_in(fixtures).items()}
    if sum(map(len, files.values())) > _MOST_BYTES:
        raise UserError(
            _("has more than {most:g} MB: leave files out", most=_MOST_BYTES / 1e6), file=fixtures
        )
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
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=file) from None


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


def public(rubric_file: Path, fixtures: Path, listed: Sequence[Listed]) -> Files:
    """Return what students may read of a course in which so much is asked.

    Raises UserError where hidden and public cannot be separated, or nothing public is left of a criterion.
    """
    _refuse_all_hidden(rubric_file, listed)
    asked: dict[str, list[Listed]] = {}
    for one in listed:
        name = one.file.resolve().relative_to(fixtures.resolve()).as_posix()
        asked.setdefault(f"{FIXTURES}/{name}", []).append(one)
    files: Files = {}
    for name, content in whole(rubric_file, fixtures).items():
        file = fixtures / name.removeprefix(f"{FIXTURES}/")
        if name == RUBRIC:
            files[name] = strict_yaml.dump(strict_yaml.parsed(content, rubric_file).data)
        elif not name.startswith(f"{FIXTURES}/"):
            files[name] = content
        elif is_fixture(file):
            if not all(one.hidden for one in asked.get(name, ())):
                files[name] = _public_cases(content, file)
        elif not _is_hidden(asked.get(name, ())):
            files[name] = content
    return files


def _refuse_all_hidden(rubric_file: Path, listed: Sequence[Listed]) -> None:
    shown = {one.criterion for one in listed if not one.hidden}
    for criterion in rubric_files.load(rubric_file).all_criteria():
        if not criterion.by_hand and criterion.id not in shown:
            raise rubric_files.about_criterion(
                rubric_file,
                criterion,
                _(
                    "all cases of '{criterion}' are hidden, and students can read this pack: "
                    "make one of them public, or pack for a place where they cannot",
                    criterion=criterion.id,
                ),
            )


def _is_hidden(tests: Sequence[Listed]) -> bool:
    """Return whether a file holds hidden tests and no other; raise UserError for one that holds both."""
    hidden = [one for one in tests if one.hidden]
    if hidden and len(hidden) < len(tests):
        raise UserError(
            _(
                "this test is hidden and others in the file are not, and students can read this pack: "
                "put it into a file of its own"
            ),
            file=hidden[0].file,
            line=hidden[0].line,
        )
    return bool(hidden)


def _public_cases(content: bytes, file: Path) -> bytes:
    """Return a fixture with its public cases alone."""
    data: dict[str, Any] = strict_yaml.parsed(content, file).data
    cases = [one for one in data["cases"] if one.get("visibility", "public") == "public"]
    return strict_yaml.dump({**data, "cases": cases})
