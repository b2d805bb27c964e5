"""The folder of a graded class: all that is needed to write what goes back again, without grading again."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from grader.classroom import records
from grader.classroom.adjustments import LateWork
from grader.classroom.entries import Entry
from grader.classroom.records import FaultyTest, Record
from grader.core.course.reading import read_source
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.core.files import write
from grader.core.plain import plain, value_of
from grader.core.text import printable, printable_lines, source_text
from grader.core.values import OneLine, Value, said
from grader.course.courses import course_names, fixtures_of, rubric_of

STATE: Final = "class.json"
LIGHT: Final = ".light.json"
SOURCES: Final = "sources"
GIVEN: Final = "given"
"""Copies of the files that the class was graded with: another run uses them again."""

MOODLE, CANVAS, TEMPLATES, COURSE = "moodle.csv", "canvas.csv", "templates", "course.json"

_MOST_SOURCE: Final = 5_000_000
_MOST_SHOWN: Final = 100_000


class AlikePair(Value):
    """Two students whose files are alike, by their keys, and which share of each is in the other."""

    keys: tuple[str, str]
    shares: tuple[float, float]
    one_in: int = said("Of how many pairs of strangers' files one is at least as alike.")


class Alike(Value):
    """The files of a class that are strikingly alike, and what was compared."""

    files: int = said("How many files were compared.")
    pairs: tuple[AlikePair, ...] = ()
    left_out: int = said("How many pairs more there are.", default=0)
    too_short: int = said("How many have too little of their own to be compared.", default=0)
    not_graded: int = said("How many were not compared, for they were not graded.", default=0)
    beyond_template: bool = said("Whether an instructor's own template was left out.", default=False)


class Kept(Value):
    """What a class was graded by, and what is known of it beside the grades."""

    schema: Literal["tictactoe-class/1"] = "tictactoe-class/1"
    rubric: Rubric
    keys: tuple[str, ...]
    html: bool = True
    assignment: str | None = None
    late: dict[str, LateWork] = said(default_factory=dict)
    alike: Alike | None = None
    notes: tuple[OneLine, ...] = ()
    faulty_tests: tuple[FaultyTest, ...] = ()


class GivenCourse(Value):
    """Which rubric and fixtures a class is graded by: a shipped course by its name, else files."""

    course: str = ""
    rubric: str = ""
    fixtures: str = said("Nothing where they are those that go with the rubric.", default="")

    @property
    def rubric_file(self) -> Path:
        """The rubric; a file that is not there for a course that is not shipped any more."""
        is_shipped = self.course in ("default", *course_names())
        return rubric_of(self.course) if is_shipped else Path(self.rubric or self.course)


@dataclass(frozen=True)
class ClassResult:
    """What became of a class: a record for each student, with a person's decisions and lateness in it."""

    kept: Kept
    out: Path
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    """What to know about the gradebooks."""

    def totals(self) -> list[float]:
        """Return the totals of everybody who has one."""
        return [record.total for record in self.records if record.total is not None]


class Source(Value):
    """What was handed in, to be shown: the file, and the modules that came with it."""

    name: OneLine
    text: str
    helpers: tuple[tuple[str, str], ...] = ()
    since: str = said("When it replaced another one, as marks say times; nothing for the first.", default="")

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """All of them, each with its name and text."""
        return (self.name, self.text), *self.helpers


def save(out: Path, kept: Kept) -> None:
    """Write what a class was graded by."""
    write(out / STATE, json.dumps(plain(kept), ensure_ascii=False) + "\n", durable=True, into_new=True)


def load(out: Path) -> Kept:
    """Return what a class was graded by; raise UserError for a folder in which there is none."""
    try:
        told = json.loads((out / STATE).read_text(encoding="utf-8"))
        if isinstance(told, dict):
            told.pop("pairs", None)  # of an older version, which measured otherwise
        return value_of(Kept, told)
    except OSError:
        why = "there is no graded class in it" if not (out / records.FOLDER).is_dir() else "is an older one"
    except (ValueError, RecursionError):
        why = f"cannot be read: {STATE} is not what this grader writes"
    raise UserError(f"{why}: grade the class first, with --out {out}", file=out)


def load_if_graded(out: Path) -> Kept | None:
    """Return what a class was graded by before, or None for a folder in which nothing of this was written."""
    return load(out) if (out / STATE).is_file() else None


def keep_light(out: Path, found: Sequence[Record]) -> None:
    """Write down the records of a class as light as they are: reading all of each takes long."""
    light = {one.key: [_written_at(out, one.key), plain(one)] for one in found}
    write(out / LIGHT, json.dumps(light, ensure_ascii=False), into_new=True)


def students(out: Path, kept: Kept) -> Iterator[Record]:
    """Yield the records of a class, as light as they can be, in its order."""
    light = remembered(out / LIGHT)
    for key in kept.keys:
        record = _light(out, key, light.get(key)) or records.load(out, key)
        if record is None:
            raise UserError("is damaged or missing: grade the class again", file=records.file_of(out, key))
        yield record.lighter().without_faulty_tests(kept.faulty_tests)


def remembered(file: Path) -> dict[str, Any]:
    """Return what was written down to save work; nothing where that cannot be read."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _light(out: Path, key: str, told: Any) -> Record | None:
    """Return a record as it was written down, unless its file has changed since."""
    try:
        when, data = told
        return value_of(Record, data) if when == _written_at(out, key) else None
    except (TypeError, ValueError):
        return None


def _written_at(out: Path, key: str) -> int:
    try:
        return records.file_of(out, key).stat().st_mtime_ns
    except OSError:
        return 0


def keep_source(out: Path, entry: Entry, rubric: Rubric) -> str:
    """Write down what a student handed in, for whoever looks at it later; return since when it is that."""
    file, before = out / SOURCES / f"{entry.key}.json", source_of(out, entry.key)
    if entry.file is None:
        return before.since if before else ""
    raw = entry.file.read_bytes()[:_MOST_SOURCE]
    source, helpers = raw, list[tuple[str, str]]()
    if rubric.kind == "functions":
        source = read_source(raw, len(raw), _MOST_SOURCE // 1000, notebooks=rubric.notebooks).source
        helpers = [(printable(one.name), _shown(one.content)) for one in entry.helpers(raw)]
    found = Source(name=entry.file.name, text=_shown(source), helpers=tuple(helpers))
    if before and [text for _, text in before.files] == [text for _, text in found.files]:
        return before.since
    found = replace(found, since=datetime.now(UTC).isoformat(timespec="seconds") if before else "")
    write(file, json.dumps(plain(found), ensure_ascii=False) + "\n", into_new=True)
    return found.since


def _shown(source: bytes) -> str:
    """Return a source as text; of more than anybody reads, the beginning."""
    return printable_lines(source_text(source)[:_MOST_SHOWN])


def source_of(out: Path, key: str) -> Source | None:
    """Return what a student handed in, or None if that was nothing."""
    try:
        return value_of(Source, json.loads((out / SOURCES / f"{key}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def keep_given(out: Path, name: str, file: Path) -> bool:
    """Keep a copy of a file that the class is graded with; return whether it replaces another one."""
    copy, new = out / GIVEN / name, file.read_bytes()
    replaces = copy.is_file() and copy.read_bytes() != new
    write(copy, new, into_new=True)
    return replaces


def given(out: Path, name: str) -> Path | None:
    """Return the copy of a file that the class was graded with, if there is one."""
    file = out / GIVEN / name
    return file if file.is_file() else None


def keep_course(out: Path, rubric: Path, fixtures: Path) -> None:
    """Write down which rubric and fixtures a class is graded by."""
    rubric, fixtures = rubric.resolve(), fixtures.resolve()
    course = next((one for one in ("default", *course_names()) if rubric_of(one).resolve() == rubric), "")
    belong = fixtures_of(rubric).resolve() == fixtures
    given = GivenCourse(
        course=course, rubric="" if course else str(rubric), fixtures="" if belong else str(fixtures)
    )
    write(out / GIVEN / COURSE, json.dumps(plain(given), ensure_ascii=False) + "\n", into_new=True)


def given_course(out: Path) -> GivenCourse | None:
    """Return which rubric and fixtures a class was graded by; None where nothing says so."""
    try:
        return value_of(GivenCourse, json.loads((out / GIVEN / COURSE).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def keep_templates(out: Path, files: Sequence[Path]) -> None:
    """Keep copies of the code that everybody was given, in the place of any earlier ones."""
    contents = [file.read_bytes() for file in files]
    for old in given_templates(out):
        old.unlink()
    for number, content in enumerate(contents, 1):
        write(out / GIVEN / TEMPLATES / f"{number}.py", content, into_new=True)


def given_templates(out: Path) -> tuple[Path, ...]:
    """Return the copies of the code that everybody was given."""
    return tuple(sorted((out / GIVEN / TEMPLATES).glob("*.py")))
