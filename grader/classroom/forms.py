"""What the names in a download tell: which LMS it is from, whose each file is, and whose what was refused.

Moodle calls a folder `Full name_number_assignsubmission_file_`: of a folder its part is read from the right
end. The name that the student gave a file stands behind that, so of a file Moodle's part is the first one:
nothing that a file is called makes it somebody else's. Canvas leaves no underscore in anybody's name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml

from grader.classroom import archives
from grader.classroom.archives import Refused
from grader.classroom.entries import Entry
from grader.core.course import notebook
from grader.core.course.late import seconds_in
from grader.core.errors import UserError
from grader.core.text import lines_of

MOODLE: Final = re.compile(r"\A(?P<name>.+)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>\w+?)_?", re.S)
MOODLE_FILE: Final = re.compile(
    r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>[a-z]+)_(?P<file>.+)", re.S
)
CANVAS: Final = re.compile(
    r"\A(?P<name>[^_]+)(?P<late>_LATE)?_(?P<user>[0-9]+)_(?P<id>[0-9]+)_(?P<file>.+?)(?:-(?P<attempt>[0-9]+))?"
    r"(?P<suffix>\.tar\.gz|\.[^.]+)",
    re.S,
)
Parts = dict[Path, re.Match[str]]
"""Files or folders that an LMS has named, with the parts of their names."""

Try = tuple[int, Path, re.Match[str]]
"""An attempt at a file in Canvas: its number, the file, and the parts of its name."""

_MARK: Final = re.compile(r"_[0-9]+_assignsubmission_[a-z]+(?=_)")


def named(paths: Sequence[Path], form: re.Pattern[str]) -> bool:
    """Return whether at least half of the names are of a form: there is always a stray file."""
    return bool(paths) and 2 * len(_of_form(paths, form)) >= len(paths)


def of_canvas(folders: Sequence[Path], files: Sequence[Path]) -> Parts:
    """Return the files that Canvas has named, if that is where a download is from."""
    return _of_form(files, CANVAS) if named([*folders, *files], CANVAS) else {}


def of_moodle(folders: Sequence[Path], files: Sequence[Path]) -> tuple[bool, Parts]:
    """Return whether a download is from Moodle, and the files in it that Moodle has named.

    Files alone are from there if they are of several people: one may be called so in a student's own folder.
    """
    ours, found = _of_form(folders, MOODLE), _of_form(files, MOODLE_FILE)
    numbers = {match["id"] for match in found.values()}
    most = 2 * len([*ours, *found]) >= len([*folders, *files])
    is_moodle = most and (bool(ours) or len(numbers) > 1)
    return is_moodle, found if is_moodle else {}


def _of_form(paths: Sequence[Path], form: re.Pattern[str]) -> Parts:
    return {path: match for path in paths if (match := form.fullmatch(path.name))}


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


def by_student(files: Parts) -> Iterable[tuple[Entry, dict[str, Path]]]:
    """Return whose files Moodle gave without folders, each student with the files under their own names.

    A name in which Moodle's part seems to stand twice is nobody else's: that file stands alone.
    """
    found: dict[tuple[str, str, str], tuple[Entry, dict[str, Path]]] = {}
    for file, match in files.items():
        alone = file.name if len(_MARK.findall(file.name)) > 1 else ""
        entry = Entry(match["name"], file.name, ids={"moodle": number(match["id"])})
        _, own = found.setdefault((match["name"], number(match["id"]), alone), (entry, {}))
        own[match["file"]] = file
    return found.values()


def tries_of(files: Parts) -> Iterable[tuple[str, dict[str, list[Try]]]]:
    """Return what Canvas has of each student: the number there, and the attempts at each file by its name."""
    by_user: dict[tuple[str, str], dict[str, list[Try]]] = {}
    for file, match in files.items():
        names = by_user.setdefault((number(match["user"]), match["name"]), {})
        name = f"{match['file']}{match['suffix']}".lower()
        names.setdefault(name, []).append((int(match["attempt"] or 0), file, match))
    return [(user, names) for (user, _), names in by_user.items()]


def canvas_try(user: str, one: Try, earlier: int) -> Entry:
    """Return an attempt at a file in Canvas, after so many earlier ones."""
    attempt, file, match = one
    notes = (f"Attempt {attempt + 1}; {earlier} earlier.",) if earlier else ()
    return Entry(match["name"], file.name, late=bool(match["late"]), notes=notes, ids={"canvas": user})


def by_own_names(tries: list[Try]) -> dict[str, Path]:
    """Return files by the names that they had before Canvas gave them others."""
    return {f"{match['file']}{match['suffix']}": file for _, file, match in tries}


def of_gradescope(metadata: Path) -> Iterator[Entry]:
    """Yield an entry for each submitter of an export; its folder is called as the submission is."""
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # texts only: nothing is made of them
    try:
        data: Any = yaml.load(metadata.read_bytes(), loader)
    except yaml.YAMLError as error:
        raise UserError(f"is not YAML: {lines_of(str(error))[0]}", file=metadata) from None
    for name, about in data.items() if isinstance(data, dict) else ():
        given = about if isinstance(about, dict) else {}
        people = [one for one in given.get(":submitters") or () if isinstance(one, dict)] or [{}]
        late = str(given.get(":lateness", "")).strip()
        is_late, late_by = late not in ("00:00:00", ""), seconds_in(late) if late else None
        names = [str(one.get(":name", name)) for one in people]
        for person, who in zip(people, names, strict=True):
            ids = {key: str(person[f":{key}"]) for key in ("sid", "email") if person.get(f":{key}")}
            others = ", ".join(one for one in names if one != who)
            notes = (f"Handed in together with {others}.",) if others else ()
            yield Entry(who, name, late=is_late, late_by=late_by, notes=notes, ids=ids)


def number(digits: str) -> str:
    """Return an LMS's number as it writes it: it reads 007 as 7."""
    return digits.lstrip("0") or "0"


def student_of(name: str) -> str:
    """Return whose a file or folder of any LMS is, as far as its name tells."""
    match = CANVAS.fullmatch(name) or MOODLE_FILE.fullmatch(name) or MOODLE.fullmatch(name)
    return match["name"] if match else _bare(name)


def with_files(folders: list[Path]) -> list[Path]:
    """Return Moodle's folders without those of texts typed in, where the student has handed in files too."""
    matches = _of_form(folders, MOODLE)
    files = {match.group("name", "id") for match in matches.values() if match["plugin"] == "file"}
    typed = [one for one, match in matches.items() if match["plugin"] != "file"]
    beside = {one for one in typed if matches[one].group("name", "id") in files}
    return [one for one in folders if one not in beside]


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


_SHOWN: Final = 100


def several(names: list[str]) -> str:
    """Return the problem of a hand-in in which more than one file could be meant."""
    return f"Several files could be meant: {', '.join(names[:5])}."


def refusal(archive: str, refused: Refused) -> str:
    """Return the problem of an archive, or of a member of it, that was not unpacked."""
    member = refused.member if len(refused.member) <= _SHOWN else f"{refused.member[:_SHOWN]}…"
    what = f"{member!r} in {archive}" if member else archive
    return f"{what}: {refused.why}."


def blamed(found: list[Entry], refused: list[Refused], archive: str, root: str) -> list[Entry]:
    """Return the entries of a class's archive; a refused member is a problem of the student it belongs to."""
    problems: dict[str, Refused] = {}
    known = {entry.submission for entry in found}
    for one in sorted(refused, key=lambda one: not one.needed):
        inside = one.member.removeprefix("" if root == "." else root + "/")
        owner = next((part for part in inside.split("/") if part not in ("", "..")), "")
        if one.needed or owner not in known:
            problems.setdefault(owner, one)
    if "" in problems and not found:
        raise UserError(refusal(archive, problems[""]))
    told = []
    for entry in found:
        problem = problems.pop(entry.submission, None)
        told.append(replace(entry, file=None, problem=refusal(archive, problem)) if problem else entry)
    for owner, problem in problems.items():
        told.append(Entry(student_of(owner) or archive, owner or archive, problem=refusal(archive, problem)))
    return told
