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
    """Return a file's content; in a fixture, digests replace copies outside the folder of fixtures."""
    if fixtures and is_fixture(file):
        document = strict_yaml.load(file)
        validated(document, Fixture)
        found = False
        for question in document.data["cases"]:
            copies: dict[str, str] = question.get("unmodified") or {}
            for name, given in copies.items():
                copy = file.parent / given
                if copy.is_file() and not copy.resolve().is_relative_to(fixtures.resolve()):
                    copies[name] = digest(copy.read_bytes())
                    found = True
        if found:
            return strict_yaml.dump(document.data)
    try:
        return file.read_bytes()
    except OSError as error:
        raise UserError(_("cannot be read: {strerror}", strerror=error.strerror), file=file) from None


def write(files: Files, folder: Path) -> None:
    """Write files below a folder; those that are run are executable."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(mode(content))


def mode(content: bytes) -> int:
    """Return the permissions of a file."""
    return 0o755 if content.startswith(b"#!") else 0o644


def public(rubric_file: Path, fixtures: Path, asked: Sequence[Listed]) -> Files:
    """Return the files of a course that students may read; `asked` has all of its cases.

    Raises UserError where hidden and public cannot be separated, or nothing public is left of a criterion.
    """
    _refuse_all_hidden(rubric_file, asked)
    cases_of: dict[str, list[Listed]] = {}
    for case in asked:
        name = case.file.resolve().relative_to(fixtures.resolve()).as_posix()
        cases_of.setdefault(f"{FIXTURES}/{name}", []).append(case)
    files: Files = {}
    for name, content in whole(rubric_file, fixtures).items():
        file, cases = fixtures / name.removeprefix(f"{FIXTURES}/"), cases_of.get(name, ())
        if name == RUBRIC:
            files[name] = strict_yaml.dump(strict_yaml.parsed(content, rubric_file).data)
        elif not name.startswith(f"{FIXTURES}/"):
            files[name] = content
        elif is_fixture(file):
            if not all(case.hidden for case in cases):
                files[name] = _public_cases(content, file)
        elif not _is_hidden(cases):
            files[name] = content
    return files


def _refuse_all_hidden(rubric_file: Path, asked: Sequence[Listed]) -> None:
    shown = {case.criterion for case in asked if not case.hidden}
    for criterion in rubric_files.load(rubric_file).all_criteria():
        if not criterion.by_hand and criterion.id not in shown:
            message = _(
                "all cases of '{criterion}' are hidden, and students can read this pack: "
                "make one of them public, or pack for a place where they cannot",
                criterion=criterion.id,
            )
            raise rubric_files.about_criterion(rubric_file, criterion, message)


def _is_hidden(tests: Sequence[Listed]) -> bool:
    """Return whether a file holds hidden tests and no other; raise UserError for one that holds both."""
    hidden = [test for test in tests if test.hidden]
    if hidden and len(hidden) < len(tests):
        message = _(
            "this test is hidden and others in the file are not, and students can read this pack: "
            "put it into a file of its own"
        )
        raise UserError(message, file=hidden[0].file, line=hidden[0].line)
    return bool(hidden)


def _public_cases(content: bytes, file: Path) -> bytes:
    """Return a fixture with its public cases alone."""
    data: dict[str, Any] = strict_yaml.parsed(content, file).data
    cases = [case for case in data["cases"] if case.get("visibility", "public") == "public"]
    return strict_yaml.dump({**data, "cases": cases})
