"""A roster: a CSV with a line for each student, and where the submission is: a path, or a git address."""

import csv
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from grader.core.errors import UserError
from grader.core.text import lines_of

_STUDENT: Final = ("student", "name", "full name", "username", "github_username", "login", "email", "id")
_PLACE: Final = (
    "repository",
    "repo",
    "student_repository_url",
    "git",
    "url",
    "address",
    "path",
    "file",
    "submission",
)
_GIT: Final = ("http://", "https://", "ssh://", "git://", "file://", "git@")
_PATIENCE: Final = 120
_AT_ONCE: Final = 8


@dataclass(frozen=True)
class RosterRow:
    """One student of a roster; `place` is where the files are now, `problem` why they are nowhere."""

    student: str
    address: str
    ids: dict[str, str]
    place: Path | None = None
    problem: str = ""


def read(file: Path, workplace: Path) -> list[RosterRow]:
    """Return the lines of a roster; repositories are cloned below the workplace."""
    lines = list(_lines(file))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda pair: _placed(pair[1], file, workplace / str(pair[0])), enumerate(lines)))


def _lines(file: Path) -> Iterator[RosterRow]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            columns = {name.strip().casefold(): name for name in rows.fieldnames or ()}
            who = next((columns[name] for name in _STUDENT if name in columns), None)
            where = next((columns[name] for name in _PLACE if name in columns), None)
            if who is None or where is None:
                wanted = _STUDENT if who is None else _PLACE
                raise UserError(
                    f"a roster needs a column named one of: {', '.join(wanted)}", file=file, line=1
                )
            for row in rows:
                ids = {key: value for key, value in row.items() if key and value and key != where}
                student = (row[who] or "").strip()
                if not student:
                    raise UserError("a line without a student", file=file, line=rows.line_num)
                yield RosterRow(student, (row[where] or "").strip(), ids)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"is not a CSV file in UTF-8: {error}", file=file) from None


def _placed(line: RosterRow, file: Path, target: Path) -> RosterRow:
    if not line.address:
        return replace(line, problem="The roster names no place for this student.")
    if line.address.startswith(_GIT) or line.address.endswith(".git"):
        problem = _clone(line.address, target)
        return replace(line, place=None if problem else target, problem=problem)
    place = file.parent / line.address
    try:
        there = place.exists()
    except (OSError, ValueError):
        there = False
    return replace(line, place=place) if there else replace(line, problem=f"There is no {line.address}.")


def _clone(address: str, target: Path) -> str:
    """Clone a repository shallowly; nothing in it is run. Return what went wrong, or nothing."""
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false", "clone", "--quiet"]
    command += ["--depth", "1", "--no-tags", "--no-recurse-submodules", "--", address, str(target)]
    allowed = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    }
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **allowed},
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        return "git is not installed, so the repository cannot be cloned."
    except subprocess.TimeoutExpired:
        return f"{address} could not be cloned within {_PATIENCE} seconds."
    if done.returncode == 0:
        return ""
    said = lines_of(done.stderr)
    why = next((line for line in said if line.startswith("fatal: ")), "git failed").removeprefix("fatal: ")
    return f"{address} cannot be cloned: {why.rstrip('.')}."
