"""What the names in a download tell: which LMS it is from, and whose each file or folder is."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.classroom import archives
from grader.classroom.entries import Entry

MOODLE: Final = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+?_?$")
_MOODLE_FILE: Final = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_file_.+")
CANVAS: Final = re.compile(
    r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<id>\d+)_(?P<file>.+?)(?:-(?P<attempt>\d+))?"
    r"(?P<suffix>\.tar\.gz|\.[^.]+)"
)


def named(paths: Sequence[Path], form: re.Pattern[str]) -> bool:
    """Return whether at least half of the names are of a form: there is always a stray file."""
    return bool(paths) and 2 * sum(bool(form.fullmatch(path.name)) for path in paths) >= len(paths)


def of_form(files: list[Path], form: re.Pattern[str]) -> list[Path]:
    """Return the files of a form, if most are."""
    return [file for file in files if form.fullmatch(file.name)] if named(files, form) else []


def entry_of_folder(folder: Path, prefix: str) -> Entry:
    """Return the entry that a folder of a download is."""
    moodle = MOODLE.fullmatch(folder.name)
    if moodle:
        return Entry(moodle["name"], folder.name, ids={"moodle": moodle["id"]})
    return Entry(folder.name.removeprefix(prefix), folder.name)


def entry_of_file(file: Path) -> Entry:
    """Return the entry that a file of a download is."""
    moodle = _MOODLE_FILE.fullmatch(file.name)
    if moodle:
        return Entry(moodle["name"], file.name, ids={"moodle": moodle["id"]})
    stem = archives.stem(file.name)
    return Entry(stem[:-3] if stem.lower().endswith(".py") else stem, file.name)


def without_online_texts(folders: list[Path]) -> list[Path]:
    """Return Moodle's folders without those of texts typed in, where the student has handed in files too."""
    typed, files = "_assignsubmission_onlinetext", "_assignsubmission_file"
    with_files = {one.name.partition(files)[0] for one in folders if files in one.name}
    return [one for one in folders if typed not in one.name or one.name.partition(typed)[0] not in with_files]


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
