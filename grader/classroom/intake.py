"""Turn the download of an LMS into entries, one for each student; the names in it say which LMS it is from.

In the name of a folder Moodle's part comes last, in that of a file first: so no student can choose another's.
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from grader.classroom import archives
from grader.classroom.archives import Refused
from grader.classroom.entries import (
    Entry,
    chosen,
    date_in,
    grouped,
    listed,
    read_roster,
    speaking_to,
    unreadable,
)
from grader.core.course.reading import NOTEBOOK_SUFFIX
from grader.core.course.rubric import Attempts, HandedIn, seconds_in
from grader.core.course.submission import (
    CLUTTER,
    FILE_NAME,
    collect,
    files_below,
    imported,
    is_plain_file,
    may_be_meant,
)
from grader.core.errors import UserError
from grader.core.messages import ENGLISH, _, in_language
from grader.core.values import lines_of, printable
from grader.programs.recipes import Recipe, is_source, recipe_for
from grader.sandbox import process

_MOODLE: Final = re.compile(r"\A(?P<name>.+)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>\w+?)_?", re.S)
_MOODLE_FILE: Final = re.compile(
    r"\A(?P<name>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>[a-z]+)_(?P<file>.+)", re.S
)
_CANVAS: Final = re.compile(
    r"\A(?P<name>[^_]+)(?P<late>_LATE)?_(?P<user>[0-9]+)_(?P<id>[0-9]+)_(?P<file>.+?)(?:-(?P<attempt>[0-9]+))?"
    r"(?P<suffix>\.tar\.gz|\.[^.]+)",
    re.S,
)
_MARK: Final = re.compile(r"_[0-9]+_assignsubmission_[a-z]+(?=_)")
_METADATA: Final = "submission_metadata.yml"
_TRY: Final = re.compile(
    r"(?:attempt|try|version|revision|submission|v)[ _.-]*(?P<number>[0-9]{1,9})"
    r"|(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}.*)",
    re.I | re.S,
)
"""Names of the folders of several submissions of a student."""

_MOST_READ: Final = 200_000  # bytes in which imports are searched
_SHOWN: Final = 100

Parts = dict[Path, re.Match[str]]
"""Files or folders that an LMS has named, with the parts of their names."""


def _named_by(paths: Iterable[Path], form: re.Pattern[str]) -> Parts:
    return {path: match for path in paths if (match := form.fullmatch(path.name))}


def _are_from(paths: Sequence[Path], form: re.Pattern[str]) -> bool:
    """Return whether at least half of the names are of a form: there is always a stray file."""
    return bool(paths) and 2 * len(_named_by(paths, form)) >= len(paths)


def _moodle_files(folders: Sequence[Path], files: Sequence[Path]) -> tuple[bool, Parts]:
    """Return whether a download is from Moodle, and the files in it that Moodle has named.

    Files alone are from there if they are of several people: one may be called so in a student's own folder.
    """
    ours, found = _named_by(folders, _MOODLE), _named_by(files, _MOODLE_FILE)
    most = 2 * len([*ours, *found]) >= len([*folders, *files])
    is_moodle = most and (bool(ours) or len({match["id"] for match in found.values()}) > 1)
    return is_moodle, found if is_moodle else {}


def _with_files(folders: list[Path]) -> list[Path]:
    """Return Moodle's folders without those of texts typed in, where the student has handed in files too."""
    matches = _named_by(folders, _MOODLE)
    files = {match.group("name", "id") for match in matches.values() if match["plugin"] == "file"}
    typed = {folder for folder, match in matches.items() if match["plugin"] != "file"}
    return [
        folder
        for folder in folders
        if folder not in typed or matches[folder].group("name", "id") not in files
    ]


def _number(digits: str) -> str:
    """Return an LMS's number as it writes it: it reads 007 as 7."""
    return digits.lstrip("0") or "0"


def _without_suffix(name: str) -> str:
    """Return the name of a file without its suffix."""
    return re.sub(rf"(\.py|{re.escape(NOTEBOOK_SUFFIX)})\Z", "", archives.stem(name), flags=re.I)


def _student_of(name: str) -> str:
    """Return the student's name in the name of a file or folder of any LMS."""
    match = _CANVAS.fullmatch(name) or _MOODLE_FILE.fullmatch(name) or _MOODLE.fullmatch(name)
    return match["name"] if match else _without_suffix(name)


def _folder_entry(folder: Path, prefix: str, *, moodle: bool) -> Entry:
    """Return the entry for a folder of a download."""
    match = _MOODLE.fullmatch(folder.name) if moodle else None
    if match:
        return Entry(match["name"], folder.name, ids={"moodle": _number(match["id"])})
    return Entry(folder.name.removeprefix(prefix), folder.name)


def _common_prefix(folders: list[Path]) -> str:
    """Return the assignment's name that GitHub Classroom puts before every username, with its hyphen.

    Two folders that happen to begin alike are no assignment, unless they are clones.
    """
    names = [folder.name for folder in folders]
    if len(names) < 3 and not all((folder / ".git").exists() for folder in folders):
        return ""
    first, last = min(names, default=""), max(names, default="")
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[: first.rfind("-", 0, same) + 1]


def _gradescope_entries(metadata: Path) -> Iterator[Entry]:
    """Yield an entry for each submitter of an export; its folder is called as the submission is."""
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # texts only: nothing is made of them
    try:
        data: Any = yaml.load(metadata.read_bytes(), loader)
    except yaml.YAMLError as error:
        raise UserError(_("is not YAML: {error}", error=lines_of(str(error))[0]), file=metadata) from None
    for submission, about in data.items() if isinstance(data, dict) else ():
        given = about if isinstance(about, dict) else {}
        people = [person for person in given.get(":submitters") or () if isinstance(person, dict)] or [{}]
        late = str(given.get(":lateness", "")).strip()
        is_late, late_by = late not in ("00:00:00", ""), seconds_in(late) if late else None
        names = [str(person.get(":name", submission)) for person in people]
        for person, name in zip(people, names, strict=True):
            ids = {key: str(person[f":{key}"]) for key in ("sid", "email") if person.get(f":{key}")}
            others = ", ".join(other for other in names if other != name)
            notes = (_("Handed in together with {names}.", names=others),) if others else ()
            yield Entry(name, submission, late=is_late, late_by=late_by, notes=notes, ids=ids)


def _ambiguity(names: list[str]) -> str:
    """Return the problem of a submission in which more than one file could be meant."""
    return _("Several files could be meant: {files}.", files=", ".join(names[:5]))


def _refusal(archive: str, refused: Refused) -> str:
    """Return the problem of an archive, or of a member of it, that was not unpacked."""
    member = refused.member if len(refused.member) <= _SHOWN else f"{refused.member[:_SHOWN]}…"
    if not member:
        return f"{archive}: {refused.why}."
    return _("{member!r} in {archive}: {why}.", member=member, archive=archive, why=refused.why)


def _with_refusals(found: list[Entry], refused: list[Refused], archive: str, root: str) -> list[Entry]:
    """Return the entries of a class's archive; a refused member is a problem of the student it belongs to."""
    problems: dict[str, str] = {}
    known = {entry.submission for entry in found}
    for member in sorted(refused, key=lambda member: not member.needed):
        inside = member.member.removeprefix("" if root == "." else root + "/")
        owner = next((part for part in inside.split("/") if part not in ("", "..")), "")
        if member.needed or owner not in known:
            problems.setdefault(owner, _refusal(archive, member))
    if "" in problems and not found:
        raise UserError(problems[""])
    entries = [
        replace(entry, file=None, problem=problems.pop(entry.submission))
        if entry.submission in problems
        else entry
        for entry in found
    ]
    others = (
        Entry(_student_of(owner) or archive, owner or archive, problem=problem)
        for owner, problem in problems.items()
    )
    return [*entries, *others]


def _visible(folder: Path) -> list[Path]:
    """Return what is right in a folder, but for what is hidden: a student of Moodle may begin with a dot."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.name[0] != "." or ("_assignsubmission_" in path.name and path.is_dir())
    )


def _folders_in(folder: Path) -> list[Path]:
    """Return the folders that may be students': no clutter, and not what the grader itself has written."""
    found = (path for path in _visible(folder) if path.is_dir() and not path.is_symlink())
    return [path for path in found if path.name not in CLUTTER and not _is_written(path)]


def _files_in(folder: Path) -> list[Path]:
    return [path for path in _visible(folder) if is_plain_file(path)]


def _is_written(folder: Path) -> bool:
    """Return whether the grader itself has written a folder: its records are in it, and nothing to grade.

    A gradebook alone may be a student's.
    """
    if not is_plain_file(folder / "gradebook.csv") or any(Wanted("program").files(folder)):
        return False
    from grader.classroom import records  # takes long to import, and is hardly ever needed here

    return any(records.load(folder, file.stem) for file in (folder / records.FOLDER).glob("*.json"))


def _archives_in(folder: Path) -> list[Path]:
    return [file for file in _files_in(folder) if archives.is_archive(file)]


def _tries_in(folder: Path) -> list[Path]:
    """Return a student's several submissions, the first one first: folders that are all numbered or dated."""
    folders = _folders_in(folder)
    found = {path: match for path in folders if (match := _TRY.fullmatch(path.name))}
    if len(found) < max(2, len(folders)):
        return []
    return sorted(found, key=lambda path: (found[path]["date"] or "", int(found[path]["number"] or 0)))


def _is_notebook(file: Path) -> bool:
    return file.suffix.lower() == NOTEBOOK_SUFFIX and file.name[0] != "."


def _is_program(folder: Path) -> bool:
    return isinstance(recipe_for(collect(folder)), Recipe)


@dataclass(frozen=True)
class Wanted:
    """What is looked for: files with functions, or programs in any language; and which of several counts."""

    kind: HandedIn = "functions"
    attempts: Attempts = "last"

    @property
    def is_program(self) -> bool:
        """Whether programs are looked for."""
        return self.kind == "program"

    def sources(self, folder: Path) -> list[Path]:
        """Return the files right in a folder that may be an answer."""
        return sorted(filter(self.is_answer, folder.iterdir()))

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that may be an answer; links are not followed."""
        yield from filter(self.is_answer, files_below(folder, CLUTTER))

    def is_answer(self, file: Path) -> bool:
        """Return whether a file may be what a student wrote."""
        if self.is_program:
            named = is_source(file.name) and file.name[0] != "."
        else:
            named = may_be_meant(file.name) or _is_notebook(file)
        return named and is_plain_file(file)

    def has_suffix(self, file: Path) -> bool:
        """Return whether a file that an LMS has named may be graded, as far as its suffix tells."""
        return is_source(file.name) if self.is_program else file.suffix.lower() == ".py" or _is_notebook(file)

    def candidates(self, folder: Path) -> list[Path]:
        """Return the files below a student's folder that may be the one to grade.

        One of the assignment's name comes first, then what no other one imports; a notebook comes last. Of a
        program it is the one that a person would open first: how it is run is found out later.
        """
        found = list(self.files(folder))
        if self.is_program:
            recipe = recipe_for(collect(folder))
            named = {printable(file.relative_to(folder).as_posix()): file for file in found}
            return [named.get(recipe.main, folder / recipe.main)] if isinstance(recipe, Recipe) else found[:1]
        found = [file for file in found if not _is_notebook(file)] or found
        if usual := [file for file in found if file.name.lower() == FILE_NAME]:
            return usual
        modules: set[str] = set()
        for file in found if len(found) > 1 else ():
            with file.open("rb") as stream:
                modules |= imported(stream.read(_MOST_READ)) - {file.stem}
        return [file for file in found if file.stem not in modules] or found

    def is_one(self, folder: Path) -> bool:
        """Return whether a folder is one student's, and not several folders below it are."""
        if self.is_program:
            below = [path for path in _folders_in(folder) if any(self.files(path))]
            if sum(map(_is_program, below)) > 1:
                return False
            alone = not below and any(path.name.lower().startswith("readme") for path in folder.iterdir())
            return _is_program(folder) or (alone and any(self.sources(folder)))
        if not self.is_answer(folder / FILE_NAME):
            return False
        return sum(is_plain_file(path / FILE_NAME) for path in _folders_in(folder)) < 2


_FUNCTIONS: Final = Wanted()


@contextmanager
def opened(
    paths: Sequence[Path], wanted: Wanted = _FUNCTIONS, out: Path | None = None, language: str = ENGLISH
) -> Iterator[list[Entry]]:
    """Give the entries of all paths; what was unpacked or cloned for them is removed afterwards.

    What is said of submissions is for students to read, in their language: the roster's, or the given one.
    The folder into which all of it is graded may lie beside the students', and is nobody's.
    """
    workplace = process.new_folder()  # which the next grader removes if this one is killed
    try:
        intake = _Intake(workplace, wanted, out.resolve() if out else None)
        with in_language(language):
            found = listed(entry for path in paths for entry in intake.of(path))
        if not found:
            raise UserError(_("there is no submission here"), file=paths[0] if paths else None)
        yield found
    finally:
        process.remove(workplace)


def is_class(path: Path, wanted: Wanted = _FUNCTIONS) -> bool:
    """Return whether a path holds many submissions, not one."""
    if path.is_file():
        return archives.is_archive(path) or path.suffix.lower() == ".csv"
    if not path.is_dir() or wanted.is_one(path):
        return False
    folders, sources = _folders_in(path), wanted.sources(path)
    if (path / _METADATA).is_file() or _are_from(folders, _MOODLE) or _are_from(sources, _CANVAS):
        return True
    packed = [folder for folder in folders if _archives_in(folder)]
    if not packed and sum(file.name.lower() == FILE_NAME for file in wanted.files(path)) == 1:
        return False  # one student's project, as far as the names show
    with_source = [folder for folder in folders if folder in packed or any(wanted.files(folder))]
    return len(with_source) + len(sources) + len(_archives_in(path)) > 1


@dataclass(frozen=True)
class _Intake:
    """Reads one path; archives are unpacked below the workplace."""

    workplace: Path
    wanted: Wanted
    out: Path | None = None

    def of(self, path: Path) -> list[Entry]:
        """Return the entries of a path."""
        if not path.exists():
            raise UserError(_("no such file or folder"), file=path)
        if path.is_dir() and _MOODLE.fullmatch(path.name):
            return [self._located(_folder_entry(path, "", moodle=True), path.resolve())]
        if path.is_dir():
            return self._folder(path.resolve(), path.name)
        if archives.is_archive(path):
            target, refused = self._unpacked(path)
            root = _without_wrapping(target, self.wanted)
            found = self._folder(root, path.name) if any(root.iterdir()) else []
            return _with_refusals(found, refused, path.name, root.relative_to(target).as_posix())
        if path.suffix.lower() == ".csv":
            return self._roster(path)
        student = path.stem if path.name != FILE_NAME else path.resolve().parent.name
        return [self._located(Entry(student, path.name), path)]

    def _roster(self, path: Path) -> list[Entry]:
        found: dict[object, list[Entry]] = {}
        for number, line in enumerate(read_roster(path, self._place())):
            # a link in a roster is the user's own
            entry = self._located(line.entry, line.place.resolve()) if line.place else line.entry
            found.setdefault(line.who or number, []).append(entry)
        in_order = (sorted(tries, key=lambda entry: entry.date) for tries in found.values())
        return [chosen(tries, self.wanted.attempts) for tries in in_order]

    def _folder(self, folder: Path, name: str) -> list[Entry]:
        """Return the entries of a download, by its form."""
        folders = [path for path in _folders_in(folder) if path != self.out]
        if (folder / _METADATA).is_file():
            return self._gradescope(folders, folder / _METADATA)
        sources, everything = [*self.wanted.sources(folder), *_archives_in(folder)], _files_in(folder)
        # neither a file nor a folder: it may be all that somebody has
        odd = [
            path for path in _visible(folder) if path.is_symlink() or not (path.is_dir() or path.is_file())
        ]
        canvas = _named_by(everything, _CANVAS) if _are_from([*folders, *everything], _CANVAS) else {}
        moodle, by_moodle = _moodle_files(folders, everything) if not canvas else (False, {})
        if not (canvas or by_moodle) and (self.wanted.is_one(folder) or not (folders or sources or odd)):
            return [self._located(Entry(name, name), folder)]
        prefix = _common_prefix(folders)
        found = [
            self._located(_folder_entry(path, prefix, moodle=moodle), path)
            for path in (_with_files(folders) if moodle else folders)
        ]
        others = (file for file in sources if file not in canvas and file not in by_moodle)
        found += [self._located(Entry(_without_suffix(file.name), file.name), file) for file in others]
        for path in odd:
            link = _("{file} is a link, which is not followed.", file=path.name)
            problem = link if path.is_symlink() else _("{file} is no file.", file=path.name)
            found.append(replace(_folder_entry(path, prefix, moodle=moodle), problem=problem))
        return found + self._moodle(by_moodle) + self._canvas(canvas)

    def _gradescope(self, folders: list[Path], metadata: Path) -> list[Entry]:
        """Return an entry for each submitter: those of a group have one file and a line each."""
        found, places = [], {path.name: path for path in folders}
        for entry in _gradescope_entries(metadata):
            place = places.get(entry.submission)
            missing = replace(entry, problem=_("The export has no folder for this student."))
            found.append(self._located(entry, place) if place else missing)
        listed = {entry.submission for entry in found}
        others = (path for path in folders if path.name not in listed)
        return found + [self._located(Entry(path.name, path.name), path) for path in others]

    def _moodle(self, files: Parts) -> list[Entry]:
        """Return the entries of students whose files Moodle gave without folders.

        A name in which Moodle's part seems to stand twice is nobody else's: that file stands alone.
        """
        by_student = grouped(
            (
                (match["name"], _number(match["id"]), file.name if len(_MARK.findall(file.name)) > 1 else ""),
                (match["file"], file),
            )
            for file, match in files.items()
        )
        found = []
        for (name, number, _alone), own in by_student.items():
            file = own[0][1]
            entry = Entry(name, file.name, ids={"moodle": number})
            is_alone = len(dict(own)) == 1 and (archives.is_archive(file) or self.wanted.has_suffix(file))
            found.append(self._located(entry, file) if is_alone else self._combined(entry, dict(own)))
        return found

    def _canvas(self, files: Parts) -> list[Entry]:
        by_user = grouped(
            ((_number(match["user"]), match["name"]), (file, match)) for file, match in files.items()
        )
        return [self._canvas_entry(user, dict(own)) for (user, _name), own in by_user.items()]

    def _canvas_entry(self, user: str, own: Parts) -> Entry:
        """Return a student's entry: which of several attempts at a file counts, the rubric says."""
        named = {file: f"{match['file']}{match['suffix']}" for file, match in own.items()}
        names = grouped((named[file].lower(), file) for file in own)
        for tries in names.values():
            tries.sort(key=lambda file: int(own[file]["attempt"] or 0))
        last_tries = {named[tries[-1]]: tries[-1] for tries in names.values()}

        def entry_for(file: Path, earlier: int) -> Entry:
            number = int(own[file]["attempt"] or 0) + 1
            notes = (
                (_("Attempt {number}; {earlier} earlier.", number=number, earlier=earlier),)
                if earlier
                else ()
            )
            late = bool(own[file]["late"])
            return Entry(own[file]["name"], file.name, late=late, notes=notes, ids={"canvas": user})

        if self.wanted.is_program:  # which all files are together
            first, *_others = last_tries.values()
            late = any(own[file]["late"] for file in last_tries.values())
            return self._combined(replace(entry_for(first, 0), late=late), last_tries)
        graded = {
            name: tries
            for name, tries in names.items()
            if archives.is_archive(tries[-1]) or self.wanted.has_suffix(tries[-1])
        }
        usual = sorted((name for name in graded if name.startswith("tictactoe.")), key=FILE_NAME.__ne__)[:1]
        meant = {name: graded[name] for name in usual} or graded
        tries = next(iter((meant or names).values()))
        entries = [entry_for(file, earlier) for earlier, file in enumerate(tries)]
        entry, file = entries[-1], tries[-1]
        if not meant:
            return replace(entry, problem=_("There is no Python file, but {file}.", file=file.name), notes=())
        if len(names) > 1 and self.wanted.has_suffix(file):  # all of it is one submission, as if in a folder
            return self._combined(entry if len(meant) == 1 else replace(entry, notes=()), last_tries)
        if len(meant) > 1:
            return replace(
                entry, problem=_ambiguity(sorted(each[-1].name for each in meant.values())), notes=()
            )
        found = [self._located(entry, file) for entry, file in zip(entries, tries, strict=True)]
        return chosen(found, self.wanted.attempts)

    def _combined(self, entry: Entry, files: dict[str, Path]) -> Entry:
        """Return the entry of a student whose files are put into one folder, under the names they had."""
        place = self._place()
        for name, file in files.items():
            try:
                shutil.copyfile(file, place / (name if name.strip(".") else "unnamed"))
            except OSError as error:
                return unreadable(entry, file, error)
        return self._located(entry, place)

    def _located(self, entry: Entry, place: Path, depth: int = 0) -> Entry:
        """Return a student's entry with the file that is meant, or with why none is."""
        with speaking_to(entry):
            try:
                found = self._with_file(entry, place, depth)
                place = found.file or place
                if found.file:
                    found.file.open("rb").close()
                return found
            except (OSError, ValueError) as error:
                return unreadable(entry, place, error)

    def _with_file(self, entry: Entry, place: Path, depth: int) -> Entry:
        if place.is_file() and archives.is_archive(place):
            if depth:
                problem = _("{file} is an archive within an archive within an archive.", file=place.name)
                return replace(entry, problem=problem)
            target, refused = self._unpacked(place)
            if needed := next((member for member in refused if member.needed), None):
                return replace(entry, problem=_refusal(place.name, needed))
            return self._located(entry, target, depth + 1)
        if place.is_file():
            return replace(entry, file=place)
        if not self.wanted.is_program and self.wanted.is_answer(place / FILE_NAME):
            return replace(entry, file=place / FILE_NAME, folder=place)
        if tries := _tries_in(place) if not self.wanted.sources(place) else []:
            found = []
            for folder in tries:
                name, date = f"{entry.submission}/{folder.name}", date_in(folder.name[:10])
                found.append(self._located(replace(entry, submission=name, date=date), folder, depth))
            return chosen(found, self.wanted.attempts)
        meant, packed = self.wanted.candidates(place), _archives_in(place)
        if not meant and len(packed) == 1:
            return self._located(entry, packed[0], depth)
        if not meant:
            functions = _("There is no {file}, and no other Python file.", file=FILE_NAME)
            problem = _("There is no source of a program.") if self.wanted.is_program else functions
            return replace(entry, problem=problem)
        names = sorted(file.relative_to(place).as_posix() for file in meant)
        if len(meant) > 1:
            return replace(entry, problem=_ambiguity(names))
        note = _("The file is {file}.", file=names[0])
        notes = entry.notes if self.wanted.is_program else (*entry.notes, note)
        return replace(entry, file=meant[0], notes=notes, folder=place)

    def _unpacked(self, archive: Path) -> tuple[Path, list[Refused]]:
        """Unpack an archive; return where to, and what of it was refused."""
        target = self._place()
        return target, archives.unpack(archive, target, everything=self.wanted.is_program)

    def _place(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.workplace))


def _without_wrapping(folder: Path, wanted: Wanted) -> Path:
    """Return the folder itself, or the only one in it: archives are often wrapped once."""
    inside = [path for path in folder.iterdir() if path.name not in CLUTTER]
    wrapped = len(inside) == 1 and inside[0].is_dir() and is_class(inside[0], wanted)
    return inside[0] if wrapped else folder
