"""What changed between two folders of grades: who, by how much, and by which cases."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.classroom import records


@dataclass(frozen=True)
class Change:
    """One student whose grade is another one now; a total of None stands for no grade."""

    student: str
    before: float | None
    after: float | None
    cases: tuple[str, ...]


def changes(old: Path, new: Path) -> list[Change]:
    """Return everybody whose total or whose cases changed, largest change first."""
    before = {data["key"]: data for data in records.load_all(old)}
    after = {data["key"]: data for data in records.load_all(new)}
    found = []
    for key in sorted(before | after):
        one, other = before.get(key), after.get(key)
        cases = tuple(_changed_cases(_cases(one), _cases(other)))
        change = Change(((other or one) or {})["student"], _total(one), _total(other), cases)
        if change.before != change.after or cases:
            found.append(change)
    return sorted(found, key=lambda change: -abs((change.after or 0) - (change.before or 0)))


def _total(data: dict[str, Any] | None) -> float | None:
    return data["grade"]["total"] if data and data["grade"] else None


def _cases(data: dict[str, Any] | None) -> dict[str, tuple[str, float | None]]:
    """Return the status of every case, and what share of its weight it earned."""
    if not data or not data["grade"]:
        return {}
    return {
        f"{criterion['id']}/{verdict['id']}": (verdict["status"], verdict["earned"])
        for criterion in data["grade"]["criteria"]
        for verdict in criterion["verdicts"]
    }


def _changed_cases(
    old: dict[str, tuple[str, float | None]], new: dict[str, tuple[str, float | None]]
) -> list[str]:
    if not old or not new:
        return []
    return [
        f"{name}: {old.get(name, ('not asked',))[0]} becomes {new.get(name, ('not asked',))[0]}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
