"""What became of each student: a JSON file each, written whole or not at all, and a line to remember."""

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from grader.classroom.entries import Entry
from grader.classroom.task import Done
from grader.core.errors import UserError
from grader.core.text import printable, printable_lines

SCHEMA: Final = "tictactoe-record/1"
FOLDER: Final = "grades"
_PART: Final = ".part"

Status = Literal["graded", "not_graded", "grader_error"]


class Earned(NamedTuple):
    """What one criterion earned and is worth, if it is a bonus, and if a person has still to judge it."""

    score: float
    points: float
    bonus: bool
    by_hand: bool = False


@dataclass(frozen=True)
class Record:
    """One student's line: who, what, the scores, the failed cases, and why there is no grade if so."""

    key: str
    student: str
    submission: str
    status: Status
    why: str = ""
    late: bool = False
    notes: tuple[str, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    fingerprint: str = ""
    score: float | None = None
    points: float | None = None
    bonus: float | None = None
    total: float | None = None
    scaled: float | None = None
    scale_to: float | None = None
    criteria: dict[str, Earned] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    """What was named, each as the function and what it does."""
    shows_mistakes: bool = True
    """Whether the student may know them."""
    unrun: str = ""
    """Why the file does not run, if it does not."""
    for_a_person: tuple[str, ...] = ()
    undecided: bool = False
    """Whether the probe leaves the bonus to a person."""
    feedback: str = ""
    adjusted: bool = False

    @property
    def in_short(self) -> str:
        """Why there is no grade, in a line: the last one of a traceback, else the first."""
        lines = self.why.strip().splitlines() or [self.status.replace("_", " ")]
        return lines[-1] if self.status == "grader_error" else lines[0]


def record_of(entry: Entry, done: Done | None, fingerprint: str) -> tuple[Record, dict[str, Any]]:
    """Return the line of an entry, and all that its file holds."""
    grade = json.loads(done.grade) if done and done.grade else None
    status: Status = "graded"
    why = entry.problem
    if grade is None:
        status = "grader_error" if done and done.fault else "not_graded"
        why = (done.fault or done.not_gradable) if done else why
    elif grade["grader_errors"]:
        status, why = "grader_error", "; ".join(grade["grader_errors"])
    data = {
        "schema": SCHEMA,
        "key": entry.key,
        "student": entry.student,
        "submission": entry.submission,
        "status": status,
        "why": why,
        "late": entry.late,
        "notes": list(entry.notes),
        "ids": entry.ids,
        "fingerprint": fingerprint,
        "grade": grade,
        "feedback": done.feedback if done else "",
    }
    data = _as_text(data)
    return line_of(data), data


def _as_text(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a file holds, with all that a stranger wrote as text; the grade is that already."""
    try:
        return data | {
            **{name: printable(data[name]) for name in ("student", "submission")},
            **{name: printable_lines(data[name]) for name in ("why", "feedback")},
            "notes": [printable(note) for note in data["notes"]],
            "ids": {printable(name): printable(value) for name, value in data["ids"].items()},
        }
    except (KeyError, TypeError, AttributeError):
        raise ValueError("no record") from None


def line_of(data: dict[str, Any]) -> Record:
    """Return the line in what a file holds."""
    grade = data["grade"]
    about = {name: data[name] for name in ("key", "student", "submission", "status", "why", "late")}
    record = Record(
        **about,
        notes=tuple(data["notes"]),
        ids=data["ids"],
        fingerprint=data["fingerprint"],
        feedback=data["feedback"],
    )
    if grade is None:
        return record
    scores = {name: grade[name] for name in ("score", "points", "bonus", "total", "scaled", "scale_to")}
    return replace(
        record,
        **scores,
        criteria={
            one["id"]: Earned(one["score"], one["points"], one["bonus"], one.get("by_hand", False))
            for one in grade["criteria"]
        },
        failed=tuple(
            f"{one['id']}/{verdict['id']}"
            for one in grade["criteria"]
            for verdict in one["verdicts"]
            if not one["bonus"] and _costs(verdict) and not _follows(verdict)
        ),
        unrun=(grade.get("does_not_run") or {}).get("sentence", ""),
        shows_mistakes=grade.get("show_mistakes", True),
        for_a_person=tuple(grade.get("for_a_person", ())),
        undecided=(grade.get("search") or {}).get("pruning") == "undecided",
        mistakes=tuple(f"{one['function']} {one['title']}" for one in grade.get("mistakes", ())),
    )


def _costs(verdict: dict[str, Any]) -> bool:
    return verdict["status"] in ("failed", "crashed", "timed_out") and bool(verdict["weight"])


def _follows(verdict: dict[str, Any]) -> bool:
    """Return whether another function's mistake explains a failure."""
    return str(verdict.get("explained_by") or verdict.get("function") or "").partition("/")[0] != (
        verdict.get("function") or ""
    )


def mistakes_of(found: Iterable[Record]) -> list[tuple[str, list[str]]]:
    """Return the mistakes that were named, the most frequent first, with who made them."""
    made: dict[str, list[str]] = {}
    for one in found:
        for mistake in one.mistakes:
            made.setdefault(mistake, []).append(one.student)
    return sorted(made.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def most_failed(found: Iterable[Record], most: int = 10) -> list[tuple[str, int]]:
    """Return the cases that most submissions fail, with how many do; those that do not run are told apart."""
    return Counter(case for one in found if not one.unrun for case in one.failed).most_common(most)


def save(out: Path, data: dict[str, Any]) -> None:
    """Write one student's file."""
    write(out / FOLDER / f"{data['key']}.json", json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def load(out: Path, key: str) -> dict[str, Any] | None:
    """Return what a student's file holds, or None when there is none that can be used."""
    file = out / FOLDER / f"{key}.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return _as_text(data) if isinstance(data, dict) and data.get("schema") == SCHEMA else None
    except (OSError, ValueError, RecursionError):  # none, or a file of some other program: grade again
        return None


def are_in(out: Path) -> bool:
    """Return whether grades were written into a folder."""
    return any(load(out, file.stem) for file in (out / FOLDER).glob("*.json"))


def load_all(out: Path) -> Iterator[dict[str, Any]]:
    """Yield what the files of all students hold, by name."""
    folder = out / FOLDER
    if not folder.is_dir():
        raise UserError(f"there are no grades here: it has no folder {FOLDER}/", file=out)
    for file in sorted(folder.glob("*.json")):
        data = load(out, file.stem)
        if data:
            yield data


def tidy(out: Path) -> None:
    """Remove what a run that was killed had begun to write."""
    for file in (out / FOLDER).glob(f".*{_PART}"):
        file.unlink(missing_ok=True)


def write(file: Path, text: str, *, durable: bool = True) -> None:
    """Write a file so that it is whole at every moment, unless it says so already.

    One that is durable is on the disk then, even if the power goes; what can be made again need not be.
    """
    try:
        if file.is_file() and file.read_bytes() == text.encode():
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=_PART)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
                stream.flush()
                if durable:
                    os.fsync(stream.fileno())
            os.chmod(name, 0o644)  # noqa: PTH101 - a temporary file is its owner's alone otherwise
            os.replace(name, file)  # noqa: PTH105
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=file) from None
