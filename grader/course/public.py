"""What of a course students may read: no hidden case, no hidden test, and nobody's comments."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.core.course.course import Listed
from grader.core.errors import UserError
from grader.course import rubric, strict_yaml
from grader.course.files import is_fixture
from grader.course.whole import FIXTURES, RUBRIC, Files, whole


def public(rubric_file: Path, fixtures: Path, listed: Sequence[Listed]) -> Files:
    """Return what students may read of a course in which so much is asked.

    Raises UserError where hidden and public cannot be told apart, or nothing public is left of a criterion.
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
    for criterion in rubric.load(rubric_file).all_criteria():
        if not criterion.by_hand and criterion.id not in shown:
            raise rubric.about_criterion(
                rubric_file,
                criterion,
                f"all cases of '{criterion.id}' are hidden, and students can read this pack: "
                "make one of them public, or pack for a place where they cannot",
            )


def _is_hidden(tests: Sequence[Listed]) -> bool:
    """Return whether a file holds hidden tests and no other; raise UserError for one that holds both."""
    hidden = [one for one in tests if one.hidden]
    if hidden and len(hidden) < len(tests):
        raise UserError(
            "this test is hidden and others in the file are not, and students can read this pack: "
            "put it into a file of its own",
            file=hidden[0].file,
            line=hidden[0].line,
        )
    return bool(hidden)


def _public_cases(content: bytes, file: Path) -> bytes:
    """Return a fixture with its public cases alone."""
    data: dict[str, Any] = strict_yaml.parsed(content, file).data
    cases = [one for one in data["cases"] if one.get("visibility", "public") == "public"]
    return strict_yaml.dump({**data, "cases": cases})
