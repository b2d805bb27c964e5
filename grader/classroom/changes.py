"""What changed between two folders of grades: who, by how much, and by which cases."""

from dataclasses import dataclass
from pathlib import Path

from grader.classroom import records
from grader.classroom.records import Record
from grader.core.grade import Status


@dataclass(frozen=True)
class Change:
    """One student whose grade is another one now; a total of None stands for no grade."""

    student: str
    before: float | None
    after: float | None
    cases: tuple[str, ...]


def changes(old: Path, new: Path) -> list[Change]:
    """Return everybody whose total or whose cases changed, largest change first."""
    before = {one.key: one for one in records.load_all(old)}
    after = {one.key: one for one in records.load_all(new)}
    found = []
    for key in sorted(before | after):
        one, other = before.get(key), after.get(key)
        cases = tuple(_changed_cases(_cases(one), _cases(other)))
        known = other or one
        assert known
        totals = one.total if one else None, other.total if other else None
        change = Change(known.student, *totals, cases)
        if change.before != change.after or cases:
            found.append(change)
    return sorted(found, key=lambda change: -abs((change.after or 0) - (change.before or 0)))


def _cases(record: Record | None) -> dict[str, tuple[Status, float | None]]:
    """Return the status of every case, and what share of its weight it earned."""
    return {
        f"{criterion.id}/{verdict.id}": (verdict.status, verdict.earned)
        for criterion in (record.criteria.values() if record else ())
        for verdict in criterion.verdicts
    }


def _changed_cases(
    old: dict[str, tuple[Status, float | None]], new: dict[str, tuple[Status, float | None]]
) -> list[str]:
    if not old or not new:
        return []
    return [
        f"{name}: {_told(old, name)} becomes {_told(new, name)}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def _told(cases: dict[str, tuple[Status, float | None]], name: str) -> str:
    return cases[name][0].value if name in cases else "not asked"
