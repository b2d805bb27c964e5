"""What the names in a download tell: which LMS it is from, and whose each file or folder is.

Moodle calls a folder `Full name_number_assignsubmission_file_`: of a folder its part is read from the right
end. The name that the student gave a file stands behind that, so of a file Moodle's part is the first one:
nothing that a file is called makes it somebody else's. Canvas leaves no underscore in anybody's name.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from grader.classroom import archives
from grader.classroom.entries import Entry
from grader.core.course import notebook

MOODLE: Final = re.compile(r"\A(?P<name>.+)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>\w+?)_?", re.S)
MOODLE_FILE: Final = re.compile(
    r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>[a-z]+)_(?P<file>.+)", re.S
)
CANVAS: Final = re.compile(
    r"\A(?P<name>[^_]+)(?P<late>_LATE)?_(?P<user>[0-9]+)_(?P<id>[0-9]+)_(?P<file>.+?)(?:-(?P<attempt>[0-9]+))?"
    r"(?P<suffix>\.tar\.gz|\.[^.]+)",
    re.S,
)
_MARK: Final = re.compile(r"_[0-9]+_assignsubmission_[a-z]+(?=_)")


def named(paths: Sequence[Path], form: re.Pattern[str]) -> bool:
    """Return whether at least half of the names are of a form: there is always a stray file."""
    return bool(paths) and 2 * len(_of_form(paths, form)) >= len(paths)


def of_canvas(folders: Sequence[Path], files: Sequence[Path]) -> list[Path]:
    """Return the files that Canvas has named, if that is where a download is from."""
    return _of_form(files, CANVAS) if named([*folders, *files], CANVAS) else []


def of_moodle(folders: Sequence[Path], files: Sequence[Path]) -> tuple[bool, list[Path]]:
    """Return whether a download is from Moodle, and the files in it that Moodle has named.

    Files alone are from there if they are of several people: one may be called so in a student's own folder.
    """
    ours, found = _of_form(folders, MOODLE), _of_form(files, MOODLE_FILE)
    numbers = {match["id"] for file in found if (match := MOODLE_FILE.fullmatch(file.name))}
    most = 2 * len([*ours, *found]) >= len([*folders, *files])
    is_moodle = most and (bool(ours) or len(numbers) > 1)
    return is_moodle, found if is_moodle else []


def _of_form(paths: Sequence[Path], form: re.Pattern[str]) -> list[Path]:
    return [path for path in paths if form.fullmatch(path.name)]


def entry_of_folder(folder: Path, prefix: str, *, moodle: bool) -> Entry:
    """Return the entry that a folder of a download is."""
    match = MOODLE.fullmatch(folder.name) if moodle else None
    if match:
        return Entry(match["name"], folder.name, ids={"moodle": number(match["id"])})
    return Entry(folder.name.removeprefix(prefix), folder.name)


def entry_of_file(file: Path) -> Entry:
    """Return the entry that a file of a download is, whose name is no LMS's."""
    return Entry(_bare(file.name), file.name)


def _bare(name: str) -> str:
    """Return the name of a file without what tells its kind."""
    stem = archives.stem(name)
    suffix = next((one for one in (".py", notebook.SUFFIX) if stem.lower().endswith(one)), "")
    return stem[: len(stem) - len(suffix)]


def by_student(files: Iterable[Path]) -> Iterable[tuple[Entry, dict[str, Path]]]:
    """Return whose files Moodle gave without folders, each student with the files under their own names.

    A name in which Moodle's part seems to stand twice is nobody else's: that file stands alone.
    """
    found: dict[tuple[str, str, str], tuple[Entry, dict[str, Path]]] = {}
    for file in files:
        match = MOODLE_FILE.fullmatch(file.name)
        assert match
        alone = file.name if len(_MARK.findall(file.name)) > 1 else ""
        entry = Entry(match["name"], file.name, ids={"moodle": number(match["id"])})
        _, own = found.setdefault((match["name"], number(match["id"]), alone), (entry, {}))
        own[match["file"]] = file
    return found.values()


def number(digits: str) -> str:
    """Return an LMS's number as it writes it: it reads 007 as 7."""
    return digits.lstrip("0") or "0"


def student_of(name: str) -> str:
    """Return whose a file or folder of any LMS is, as far as its name tells."""
    match = CANVAS.fullmatch(name) or MOODLE_FILE.fullmatch(name) or MOODLE.fullmatch(name)
    return match["name"] if match else _bare(name)


def with_files(folders: list[Path]) -> list[Path]:
    """Return Moodle's folders without those of texts typed in, where the student has handed in files too."""
    matches = {one: MOODLE.fullmatch(one.name) for one in folders}
    files = {(m["name"], m["id"]) for m in matches.values() if m and m["plugin"] == "file"}
    return [
        one
        for one, match in matches.items()
        if not match or match["plugin"] == "file" or (match["name"], match["id"]) not in files
    ]


def common_prefix(folders: list[Path]) -> str:
    """Return the assignment's name that GitHub Classroom puts before every username, with its hyphen.

    Two folders that happen to begin alike are no assignment, unless they are clones.
    """
    names = [folder.name for folder in folders]
    if len(names) < 3 and not all((folder / ".git").exists() for folder in folders):
        return ""
    first, last = min(names, default=""), max(names, default="")
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[: first.rfind("-", 0, same) + 1]
