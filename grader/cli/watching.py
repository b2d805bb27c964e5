"""The job `watch`: a file is graded again whenever it is saved, and what changed since comes first."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.course.hand_in import files_below
from grader.core.errors import GRADED, GraderError
from grader.core.grade import Grade
from grader.core.text import printable_lines
from grader.report.words import changes

_LOOK: Final = 0.3
"""Seconds between two looks at the file."""

Grades = Callable[[Callable[[Grade], None]], Grade]
"""Grades once; what it is given is shown the grade before the report is."""


def watch(path: Path, grades: Grades) -> int:
    """Grade what a path means, and again when it changes, until somebody has seen enough."""
    before: Grade | None = None
    count = 0

    def tell(now: Grade) -> None:
        if before:
            print(*changes(before, now), "", sep="\n", flush=True)

    try:
        while True:
            seen = _state(path)
            try:
                before, count = grades(tell), count + 1
            except GraderError as error:
                if not count:
                    raise
                print(f"error: {printable_lines(str(error))}", file=sys.stderr)
            sys.stdout.flush()
            print(f"\nwatching {path}: save it to grade it again, Ctrl-C to end", file=sys.stderr, flush=True)
            while _state(path) == seen:
                time.sleep(_LOOK)
    except KeyboardInterrupt:
        print(f"\nwatched {path}: graded {count} time{'' if count == 1 else 's'}", file=sys.stderr)
        return GRADED


def _state(path: Path) -> list[tuple[str, int, int]]:
    """Return what changes whenever a file, or what lies beside it in its folder, is saved."""
    files = files_below(path, ()) if path.is_dir() else path.parent.glob("*.py")
    found = []
    for file in {path, *files}:
        with suppress(OSError):  # it is being saved
            about = file.stat()
            found.append((str(file), about.st_mtime_ns, about.st_size))
    return sorted(found)
