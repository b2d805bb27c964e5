"""What changed between two folders of grades: who, by how much, and by which cases."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grader.classroom import adjustments, folder, records
from grader.classroom.adjustments import decided
from grader.classroom.records import Record
from grader.core.errors import UserError, meant
from grader.core.grade import Verdict

One = TypeVar("One")


@dataclass(frozen=True)
class Change:
    """One student whose grade is another one now; a total of None stands for no grade."""

    student: str
    before: float | None
    after: float | None
    cases: tuple[str, ...]


def changes(old: Path, new: Path) -> list[Change]:
    """Return everybody whose final total or whose cases changed, largest change first."""
    before, after = finals(old), finals(new)
    found = []
    for key, known in sorted((before | after).items()):
        one, other = before.get(key), after.get(key)
        totals, cases = _totals(one, other), tuple(_changed_cases(_verdicts(one), _verdicts(other)))
        if totals[0] != totals[1] or cases:
            found.append(Change(known.student, *totals, cases))
    return sorted(found, key=lambda change: -abs((change.after or 0) - (change.before or 0)))


@dataclass(frozen=True)
class Case:
    """A case that became another one: what came of it then and now, each with its reason."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Whole:
    """All that changed about one student: totals and criteria with all decisions, and single cases."""

    student: str
    totals: tuple[float | None, float | None]
    criteria: tuple[tuple[str, float | None, float | None], ...]
    cases: tuple[Case, ...]
    decisions: tuple[tuple[str, ...], tuple[str, ...]]


def of_student(old: Path, new: Path, student: str) -> Whole:
    """Return what changed about one student, called by name or as grades/ names the file."""
    folders = finals(old), finals(new)
    before, after = (named(student, folder) for folder in folders)
    known = after or before
    if known is None:
        raise unknown(student, *folders)
    reasons = _both(_verdicts(before), _verdicts(after))
    cases = (Case(name, _reason(then), _reason(now)) for name, then, now in reasons)
    return Whole(
        known.student,
        _totals(before, after),
        tuple(one for one in _both(_scores(before), _scores(after)) if one[1] != one[2]),
        tuple(one for one in cases if _timeless(one.before) != _timeless(one.after)),
        (_decisions(before), _decisions(after)),
    )


def _totals(before: Record | None, after: Record | None) -> tuple[float | None, float | None]:
    return before.total if before else None, after.total if after else None


def _both(old: Mapping[str, One], new: Mapping[str, One]) -> list[tuple[str, One | None, One | None]]:
    """Return what either side has by name, with what both have under it."""
    return [(name, old.get(name), new.get(name)) for name in dict.fromkeys([*old, *new])]


def finals(out: Path) -> dict[str, Record]:
    """Return the records of a class by their keys, with decisions and lateness where its folder has them."""
    everybody = {record.key: record for record in records.load_all(out)}
    kept = folder.load_if_graded(out)
    if kept is None:
        return everybody
    decisions = adjustments.load_all(out, kept.rubric, [(one.student, key) for key, one in everybody.items()])
    return {
        key: decided(
            record.without_faulty_tests(kept.faulty_tests), decisions, kept.rubric, kept.late.get(key)
        )
        for key, record in everybody.items()
    }


def named(student: str, everybody: Mapping[str, Record]) -> Record | None:
    """Return the record of a student, called by name or by key; None if there is none."""
    fitting = [record for key, record in everybody.items() if student in (key, record.student)]
    if len(fitting) > 1:
        keys = " or ".join(record.key for record in fitting)
        raise UserError(f"several students are called {student}: say {keys}")
    return fitting[0] if fitting else None


def unknown(student: str, *folders: Mapping[str, Record]) -> UserError:
    """Return the error for a name that nobody has."""
    names = [record.student for everybody in folders for record in everybody.values()]
    return UserError(f"there is no student '{student}'{meant(student, names)}")


def _verdicts(record: Record | None) -> dict[str, Verdict]:
    scores = record.criteria if record else {}
    return {f"{name}/{one.id}": one for name, score in scores.items() for one in score.verdicts}


def _scores(record: Record | None) -> dict[str, float]:
    return {name: one.score for name, one in record.criteria.items()} if record else {}


def _reason(verdict: Verdict | None) -> str:
    return f"{verdict.status.value.replace('_', ' ')}: {verdict.reason}" if verdict else "not asked"


def _timeless(reason: str) -> str:
    """Return a reason without the seconds in it: these differ with every run."""
    return re.sub(r"(?<![0-9.,])[0-9][0-9.,]*+ (?:s|ms|seconds)\b", "", reason)


def _decisions(record: Record | None) -> tuple[str, ...]:
    if not record or not record.grade:
        return ()
    late = (f"-{one.points:g}: {one.reason}" for one in record.grade.deductions if one.late)
    return (*record.grade.decisions, *late)


def _changed_cases(old: dict[str, Verdict], new: dict[str, Verdict]) -> list[str]:
    """Return the cases that ended otherwise, or earned another share of their weight."""
    if not old or not new:
        return []
    return [
        f"{name}: {_status(then)} becomes {_status(now)}"
        for name, then, now in _both(old, new)
        if not then or not now or (then.status, then.earned) != (now.status, now.earned)
    ]


def _status(verdict: Verdict | None) -> str:
    return verdict.status.value if verdict else "not asked"
