"""A roster: a CSV with a line for each student, and where the submission is: a path, or a git address.

Dates are read as people, rosters and LMSs write them.
"""

import csv
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from grader.classroom import gradebooks
from grader.classroom.adjustments import LateWork
from grader.classroom.entries import Entry
from grader.classroom.sheet import Sheet, matched
from grader.core.course.late import Late, seconds_in
from grader.core.errors import UserError
from grader.core.text import lines_of, printable

_LATE: Final = ("late", "lateness", "late by")
_DATES: Final = ("submitted", "submitted at", "submission date", "handed in", "date", "timestamp")
"""What a roster's columns may be called."""

_FORMS: Final = (
    "%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M",
    "%A, %B %d, %Y, %I:%M %p", "%d.%m.%Y %H:%M", "%d.%m.%Y, %H:%M", "%Y-%m-%d %H:%M:%S %z",
)  # fmt: skip
"""How dates are written, beside the way of programs: days before months, unless the month is a word."""

_NOT_LATE: Final = ("", "0", "no", "false", "00:00:00")


def date_in(text: str) -> str:
    """Return a date as programs write it, or nothing where none can be read."""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip()).isoformat()
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form).isoformat()
    return ""


def without_dates(columns: Mapping[str, str]) -> dict[str, str]:
    """Return columns but for those that tell when something was handed in."""
    return {name: value for name, value in columns.items() if _name(name) not in (*_LATE, *_DATES)}


def _name(column: str) -> str:
    return re.sub(r"[\W_]+", " ", column).strip().casefold()


def told_by(columns: Mapping[str, str]) -> tuple[bool, float | None, str]:
    """Return what columns tell, by their names: whether somebody was late, by how many seconds, and when."""
    named = {_name(name): value.strip() for name, value in columns.items()}
    late = next((named[name] for name in _LATE if name in named), "")
    dates = [date for name in _DATES if (date := date_in(named.get(name, "")))]
    is_late = late.casefold() not in _NOT_LATE
    return is_late, seconds_in(late) if is_late else None, dates[0] if dates else ""


_STUDENT: Final = ("student", "name", "full name", "username", "github_username", "login", "email", "id")
_PLACE: Final = (
    "repository", "repo", "student_repository_url", "git", "url", "address", "path", "file", "submission",
)  # fmt: skip
_GIT: Final = ("http://", "https://", "ssh://", "git://", "file://", "git@")
_TIMEOUT: Final = 120
_AT_ONCE: Final = 8


@dataclass(frozen=True)
class RosterRow:
    """One line of a roster: the entry, which says if its files are nowhere, and where they are now."""

    entry: Entry
    who: str = ""
    """The same for all lines of one student, where a column tells when each was handed in."""
    place: Path | None = None


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
                is_late, late_by, date = told_by(ids)
                ids = without_dates(ids)
                address = (row[where] or "").strip()
                entry = Entry(student, address, late=is_late, late_by=late_by, date=date, ids=ids)
                yield RosterRow(entry, " ".join([student, *ids.values()]) if date else "")
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"is not a CSV file in UTF-8: {error}", file=file) from None


def _placed(line: RosterRow, file: Path, target: Path) -> RosterRow:
    entry, address = line.entry, line.entry.submission
    if not address:
        problem = "The roster names no place for this student."
    elif address.startswith(_GIT) or address.endswith(".git"):
        problem = _clone(address, target)
        if not problem:
            return replace(line, place=target, entry=replace(entry, date=entry.date or _committed(target)))
    else:
        with suppress(OSError, ValueError):
            if (file.parent / address).exists():
                return replace(line, place=file.parent / address)
        problem = f"There is no {address}."
    return replace(line, entry=replace(entry, problem=problem))


def _git(*arguments: str, **around: str) -> subprocess.CompletedProcess[str]:
    command, env = ["git", *arguments], os.environ | around
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=_TIMEOUT, check=False)


def _committed(repository: Path) -> str:
    """Return when the last commit of a repository was made, as it says itself."""
    return date_in(_git("-C", str(repository), "log", "-1", "--format=%cI").stdout)


def _clone(address: str, target: Path) -> str:
    """Clone a repository shallowly; nothing in it is run. Return what went wrong, or nothing."""
    how = ["-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false", "clone", "--quiet"]
    how += ["--depth", "1", "--no-tags", "--no-recurse-submodules", "--", address, str(target)]
    protocols = "file:git:http:https:ssh"
    try:
        done = _git(*how, GIT_TERMINAL_PROMPT="0", GIT_LFS_SKIP_SMUDGE="1", GIT_ALLOW_PROTOCOL=protocols)
    except FileNotFoundError:
        return "git is not installed, so the repository cannot be cloned."
    except subprocess.TimeoutExpired:
        return f"{address} could not be cloned within {_TIMEOUT} seconds."
    if done.returncode == 0:
        return ""
    said = lines_of(done.stderr)
    why = next((line for line in said if line.startswith("fatal: ")), "git failed").removeprefix("fatal: ")
    return f"{address} cannot be cloned: {why.rstrip('.')}."


_LATE_BY: Final = re.compile(r"(\d[\w ,:.]{0,60}?)\s{1,9}late\b")


def late_work(
    rule: Late | None,
    entries: Sequence[Entry],
    sheet: Sheet | None,
    before: Mapping[str, LateWork] | None = None,
) -> tuple[dict[str, LateWork], list[str]]:
    """Return who was late, by their keys, and what a person should know about that.

    `before` is what an earlier run found: it holds for students of whom nothing is known now.
    """
    if rule is None:
        return {}, []
    in_sheet = _of_worksheet(sheet, entries) if sheet else {}
    found, known, dated = {}, False, False
    for entry in entries:
        if (
            before
            and entry.key in before
            and not (entry.late or entry.late_by or entry.date or in_sheet.get(entry.key))
        ):
            found[entry.key], known = before[entry.key], True
            continue
        is_late, late_by, date = in_sheet.get(entry.key, (False, None, ""))
        is_late, date = is_late or entry.late, entry.date or date
        late_by = entry.late_by if entry.late_by is not None else late_by
        known = known or bool(is_late or late_by is not None or (date and rule.due))
        dated = dated or bool(date and not rule.due and late_by is None)
        if late_by is None:
            late_by = rule.seconds_after(date)
        if is_late if late_by is None else late_by > 0:
            found[entry.key] = LateWork(by=late_by)
    if not known:
        why = "the rubric does not say when it was due (late: due)" if dated else "no date is known"
        return found, [f"Nothing was taken off for late work: {why}."]
    unknown = [printable(one.student) for one in entries if one.key in found and found[one.key].by is None]
    day = f"one day's {rule.per_day}" if isinstance(rule.per_day, str) else f"{rule.per_day:g} points"
    note = f"Late, but nobody knows by how much, so {day} was taken off: {'; '.join(unknown)}."
    return found, [note] if unknown else []


def with_lateness(rule: Late | None, entries: Sequence[Entry], late: Mapping[str, LateWork]) -> list[Entry]:
    """Return the entries, late as the rule says; without one, as they say themselves."""
    if rule is None:
        return list(entries)
    are_late = {key for key, work in late.items() if not rule.is_in_time(work.by)}
    return [replace(one, late=one.key in are_late) for one in entries]


def _of_worksheet(sheet: Sheet, entries: Sequence[Entry]) -> dict[str, tuple[bool, float | None, str]]:
    """Return what Moodle's worksheet tells of everybody who is in it."""
    found, columns, rows = {}, gradebooks.columns_of(sheet), sheet.rows[1:]
    for position, entry in matched(
        entries, rows, gradebooks.ways(columns), (), gradebooks.NUMBERS
    ).of_row.items():
        row = rows[position]
        status = row[columns.status] if columns.status is not None else ""
        late = _LATE_BY.search(status)
        date = date_in(row[columns.submitted]) if columns.submitted is not None else ""
        is_late = re.search(r"\blate\b", status) is not None
        found[entry.key] = is_late, seconds_in(late[1]) if late else None, date
    return found
