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
from grader.classroom.entries import Entry, chosen, date_in, listed, read_roster, speaking_to, unreadable
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
    suffix = next((one for one in (".py", NOTEBOOK_SUFFIX) if stem.lower().endswith(one)), "")
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
    note = _("Attempt {number}; {earlier} earlier.", number=attempt + 1, earlier=earlier)
    notes = (note,) if earlier else ()
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
        raise UserError(_("is not YAML: {error}", error=lines_of(str(error))[0]), file=metadata) from None
    for name, about in data.items() if isinstance(data, dict) else ():
        given = about if isinstance(about, dict) else {}
        people = [one for one in given.get(":submitters") or () if isinstance(one, dict)] or [{}]
        late = str(given.get(":lateness", "")).strip()
        is_late, late_by = late not in ("00:00:00", ""), seconds_in(late) if late else None
        names = [str(one.get(":name", name)) for one in people]
        for person, who in zip(people, names, strict=True):
            ids = {key: str(person[f":{key}"]) for key in ("sid", "email") if person.get(f":{key}")}
            others = ", ".join(one for one in names if one != who)
            notes = (_("Handed in together with {names}.", names=others),) if others else ()
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
    """Return the problem of a submission in which more than one file could be meant."""
    return _("Several files could be meant: {files}.", files=", ".join(names[:5]))


def refusal(archive: str, refused: Refused) -> str:
    """Return the problem of an archive, or of a member of it, that was not unpacked."""
    member = refused.member if len(refused.member) <= _SHOWN else f"{refused.member[:_SHOWN]}…"
    if not member:
        return f"{archive}: {refused.why}."
    return _("{member!r} in {archive}: {why}.", member=member, archive=archive, why=refused.why)


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
    items = []
    for entry in found:
        problem = problems.pop(entry.submission, None)
        items.append(replace(entry, file=None, problem=refusal(archive, problem)) if problem else entry)
    for owner, problem in problems.items():
        items.append(Entry(student_of(owner) or archive, owner or archive, problem=refusal(archive, problem)))
    return items


_TRY: Final = re.compile(
    r"(?:attempt|try|version|revision|submission|v)[ _.-]*(?P<number>[0-9]{1,9})"
    r"|(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}.*)",
    re.I | re.S,
)
"""What the folders of several submissions are called."""

_MOST_READ: Final = 200_000  # bytes in which imports are searched


def folders_in(folder: Path) -> list[Path]:
    """Return the folders that may be students': no clutter, and not what the grader itself has written."""
    found = (one for one in _in(folder) if one.is_dir() and not one.is_symlink())
    return [one for one in found if one.name not in CLUTTER and not _is_written(one)]


def files_in(folder: Path) -> list[Path]:
    """Return the files right in a folder."""
    return [one for one in _in(folder) if is_plain_file(one)]


def odd_in(folder: Path) -> list[tuple[Path, str]]:
    """Return what is neither a file nor a folder, each with a sentence: it may be all that somebody has."""
    return [
        (one, _odd(one)) for one in _in(folder) if one.is_symlink() or not (one.is_dir() or one.is_file())
    ]


def _odd(place: Path) -> str:
    if place.is_symlink():
        return _("{file} is a link, which is not followed.", file=place.name)
    return _("{file} is no file.", file=place.name)


def _in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.name[0] != "." or _is_moodle_s(one))


def _is_moodle_s(folder: Path) -> bool:
    """Return whether Moodle has named a folder, after a student whose name may begin with a dot."""
    return "_assignsubmission_" in folder.name and folder.is_dir()


def _is_written(folder: Path) -> bool:
    """Return whether the grader itself has written a folder: its records are in it, and nothing to grade.

    A gradebook alone may be a student's.
    """
    if not is_plain_file(folder / "gradebook.csv") or any(Wanted("program").files(folder)):
        return False
    from grader.classroom import records  # much comes with it, and hardly ever is it needed here

    return records.are_in(folder)


def archives_in(folder: Path) -> list[Path]:
    """Return the archives right in a folder."""
    return [one for one in files_in(folder) if archives.is_archive(one)]


def tries_in(folder: Path) -> list[Path]:
    """Return a student's several submissions, the first one first: folders that are all numbered or dated."""
    folders = folders_in(folder)
    found = {one: match for one in folders if (match := _TRY.fullmatch(one.name))}
    if len(found) < max(2, len(folders)):
        return []
    return sorted(found, key=lambda one: (found[one]["date"] or "", int(found[one]["number"] or 0)))


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
        return sorted(one for one in folder.iterdir() if self.is_answer(one))

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that may be an answer; links are not followed."""
        yield from filter(self.is_answer, files_below(folder, CLUTTER))

    def is_answer(self, file: Path) -> bool:
        """Return whether a file may be what a student wrote."""
        if self.is_program:
            named = is_source(file.name) and file.name[0] != "."
        else:
            named = may_be_meant(file.name) or is_notebook(file)
        return named and is_plain_file(file)

    def meant(self, folder: Path) -> list[Path]:
        """Return the files below a student's folder that may be the one to grade.

        One of the assignment's name comes first, then what no other one imports; a notebook comes last. Of a
        program it is the one that a person would open first: how it is run is found out later.
        """
        found = list(self.files(folder))
        if self.is_program:
            recipe = recipe_for(collect(folder))
            named = {printable(file.relative_to(folder).as_posix()): file for file in found}
            return [named.get(recipe.main, folder / recipe.main)] if isinstance(recipe, Recipe) else found[:1]
        found = [one for one in found if not is_notebook(one)] or found
        return [one for one in found if one.name.lower() == FILE_NAME] or _not_imported(found)

    def is_one(self, folder: Path) -> bool:
        """Return whether a folder is one student's, and not several folders below it are."""
        if self.is_program:
            below = [one for one in folders_in(folder) if any(self.files(one))]
            if sum(map(_is_program, below)) > 1:
                return False
            alone = not below and any(one.name.lower().startswith("readme") for one in folder.iterdir())
            return _is_program(folder) or (alone and any(self.sources(folder)))
        if not self.is_answer(folder / FILE_NAME):
            return False
        return sum(is_plain_file(one / FILE_NAME) for one in folders_in(folder)) < 2


def is_notebook(file: Path) -> bool:
    """Return whether a file is named like a notebook."""
    return file.suffix.lower() == NOTEBOOK_SUFFIX and file.name[0] != "."


def _not_imported(files: list[Path]) -> list[Path]:
    """Return the files that no other one of them imports, or all if that leaves none."""
    if len(files) < 2:
        return files
    modules: set[str] = set()
    for file in files:
        with file.open("rb") as stream:
            modules |= imported(stream.read(_MOST_READ)) - {file.stem}
    return [one for one in files if one.stem not in modules] or files


def _is_program(folder: Path) -> bool:
    return isinstance(recipe_for(collect(folder)), Recipe)


_METADATA: Final = "submission_metadata.yml"
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
            found = [_held(entry) for path in paths for entry in intake.of(path)]
            found = listed(found)
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
    folders, sources = folders_in(path), wanted.sources(path)
    if (path / _METADATA).is_file() or named(folders, MOODLE) or named(sources, CANVAS):
        return True
    packed = [folder for folder in folders if archives_in(folder)]
    if not packed and sum(file.name.lower() == FILE_NAME for file in wanted.files(path)) == 1:
        return False  # one student's project, as far as the names show
    with_source = [folder for folder in folders if folder in packed or any(wanted.files(folder))]
    return len(with_source) + len(sources) + len(archives_in(path)) > 1


@dataclass(frozen=True)
class _Intake:
    """Reads one path; archives are unpacked below the workplace."""

    workplace: Path
    wanted: Wanted
    out: Path | None = None

    def of(self, path: Path) -> list[Entry]:
        if not path.exists():
            raise UserError(_("no such file or folder"), file=path)
        if path.is_dir() and MOODLE.fullmatch(path.name):
            return [self._one(entry_of_folder(path, "", moodle=True), path.resolve())]
        if path.is_dir():
            return self._folder(path.resolve(), path.name)
        if archives.is_archive(path):
            return self._class_archive(path)
        if path.suffix.lower() == ".csv":
            return self._roster(path)
        student = path.stem if path.name != FILE_NAME else path.resolve().parent.name
        return [Entry(student, path.name, path)]

    def _class_archive(self, path: Path) -> list[Entry]:
        target, refused = self._unpacked(path)
        root = _without_wrapping(target, self.wanted)
        found = self._folder(root, path.name) if any(root.iterdir()) else []
        return blamed(found, refused, path.name, root.relative_to(target).as_posix())

    def _roster(self, path: Path) -> list[Entry]:
        found: dict[object, list[Entry]] = {}
        for place, line in enumerate(read_roster(path, self._place())):
            # a link in a roster is the user's own
            entry = self._one(line.entry, line.place.resolve()) if line.place else line.entry
            found.setdefault(line.who or place, []).append(entry)
        in_order = (sorted(tries, key=lambda one: one.date) for tries in found.values())
        return [chosen(tries, self.wanted.attempts) for tries in in_order]

    def _folder(self, folder: Path, name: str) -> list[Entry]:
        """Return the entries of a download, by its form."""
        metadata = folder / _METADATA
        if metadata.is_file():
            return self._gradescope(folder, metadata)
        folders = [one for one in folders_in(folder) if one != self.out]
        sources, odd = [*self.wanted.sources(folder), *archives_in(folder)], odd_in(folder)
        everything = files_in(folder)
        by_canvas = of_canvas(folders, everything)
        moodle, by_moodle = of_moodle(folders, everything) if not by_canvas else (False, {})
        if not (by_canvas or by_moodle) and (self.wanted.is_one(folder) or not (folders or sources or odd)):
            return [self._one(Entry(name, name), folder)]
        prefix = common_prefix(folders)
        found = [
            self._one(entry_of_folder(one, prefix, moodle=moodle), one)
            for one in (with_files(folders) if moodle else folders)
        ]
        known = {*by_canvas, *by_moodle}
        found += [self._one(entry_of_file(one), one) for one in sources if one not in known]
        found += [replace(entry_of_folder(one, prefix, moodle=moodle), problem=why) for one, why in odd]
        found += [self._by_moodle(entry, own) for entry, own in by_student(by_moodle)]
        return found + [self._by_canvas(user, names) for user, names in tries_of(by_canvas)]

    def _gradescope(self, folder: Path, metadata: Path) -> list[Entry]:
        """Return an entry for each submitter: those of a group have one file and a line each."""
        found, places = [], {one.name: one for one in folders_in(folder) if one != self.out}
        untold = dict(places)
        for entry in of_gradescope(metadata):
            untold.pop(entry.submission, None)
            place = places.get(entry.submission)
            missing = replace(entry, problem=_("The export has no folder for this student."))
            found.append(self._one(entry, place) if place else missing)
        return found + [self._one(Entry(name, name), place) for name, place in untold.items()]

    def _by_moodle(self, entry: Entry, own: dict[str, Path]) -> Entry:
        """Return the entry of a student whose files came without a folder."""
        (file, *others) = own.values()
        if not others and (archives.is_archive(file) or self._is_source(file)):
            return self._one(entry, file)
        return self._together(entry, own)

    def _by_canvas(self, user: str, names: dict[str, list[Try]]) -> Entry:
        """Return a student's entry: which of several attempts at a file counts, the rubric says."""
        last_tries = [max(tries, key=lambda one: one[0]) for tries in names.values()]
        if self.wanted.is_program:  # which all files are together
            late = any(match["late"] for _, _, match in last_tries)
            entry = replace(canvas_try(user, last_tries[0], 0), late=late)
            return self._together(entry, by_own_names(last_tries))
        graded = {
            name: tries
            for name, tries in names.items()
            if any(archives.is_archive(one) or self._is_source(one) for _, one, _ in tries)
        }
        usual = sorted((one for one in graded if one.startswith("tictactoe.")), key=FILE_NAME.__ne__)[:1]
        meant = {name: graded[name] for name in usual} or graded
        tries = sorted(next(iter((meant or names).values())), key=lambda one: one[0])
        entries = [canvas_try(user, one, earlier) for earlier, one in enumerate(tries)]
        entry, file = entries[-1], tries[-1][1]
        if not meant:
            return replace(entry, problem=_("There is no Python file, but {file}.", file=file.name), notes=())
        if len(names) > 1 and self._is_source(file):  # all of it is one submission, as if it lay in a folder
            notes = entry.notes if len(meant) == 1 else ()
            return self._together(replace(entry, notes=notes), by_own_names(last_tries))
        if len(meant) > 1:
            problem = several(sorted(tries[-1][1].name for tries in meant.values()))
            return replace(entry, problem=problem, notes=())
        found = [self._one(one, file) for one, (_, file, _) in zip(entries, tries, strict=True)]
        return chosen(found, self.wanted.attempts)

    def _together(self, entry: Entry, files: dict[str, Path]) -> Entry:
        """Return the entry of a student whose files are put into one folder, under the names they had."""
        place = self._place()
        for name, file in files.items():
            try:
                shutil.copyfile(file, place / (name if name.strip(".") else "unnamed"))
            except OSError as error:
                return unreadable(entry, file, error)
        return self._one(entry, place)

    def _is_source(self, file: Path) -> bool:
        if self.wanted.is_program:
            return is_source(file.name)
        return file.suffix.lower() == ".py" or is_notebook(file)

    def _one(self, entry: Entry, place: Path, depth: int = 0) -> Entry:
        """Return a student's entry with the file that is meant, or with why none is."""
        with speaking_to(entry):
            try:
                return self._meant(entry, place, depth)
            except (OSError, ValueError) as error:
                return unreadable(entry, place, error)

    def _meant(self, entry: Entry, place: Path, depth: int) -> Entry:
        if place.is_file() and archives.is_archive(place):
            if depth:
                problem = _("{file} is an archive within an archive within an archive.", file=place.name)
                return replace(entry, problem=problem)
            target, refused = self._unpacked(place)
            if needed := next((one for one in refused if one.needed), None):
                return replace(entry, problem=refusal(place.name, needed))
            return self._one(entry, target, depth + 1)
        if place.is_file():
            return replace(entry, file=place)
        if not self.wanted.is_program and self.wanted.is_answer(place / FILE_NAME):
            return replace(entry, file=place / FILE_NAME, folder=place)
        tries = tries_in(place) if not self.wanted.sources(place) else []
        if tries:
            return chosen([self._try(entry, one, depth) for one in tries], self.wanted.attempts)
        meant, packed = self.wanted.meant(place), archives_in(place)
        if not meant and len(packed) == 1:
            return self._one(entry, packed[0], depth)
        if not meant:
            functions = _("There is no {file}, and no other Python file.", file=FILE_NAME)
            problem = _("There is no source of a program.") if self.wanted.is_program else functions
            return replace(entry, problem=problem)
        names = sorted(file.relative_to(place).as_posix() for file in meant)
        if len(meant) > 1:
            return replace(entry, problem=several(names))
        note = _("The file is {file}.", file=names[0])
        notes = entry.notes if self.wanted.is_program else (*entry.notes, note)
        return replace(entry, file=meant[0], notes=notes, folder=place)

    def _try(self, entry: Entry, place: Path, depth: int) -> Entry:
        """Return one of a student's several submissions."""
        name, date = f"{entry.submission}/{place.name}", date_in(place.name[:10])
        return self._one(replace(entry, submission=name, date=date), place, depth)

    def _unpacked(self, archive: Path) -> tuple[Path, list[archives.Refused]]:
        """Unpack an archive; return where to, and what of it was refused."""
        target = self._place()
        return target, archives.unpack(archive, target, everything=self.wanted.is_program)

    def _place(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.workplace))


def _without_wrapping(folder: Path, wanted: Wanted) -> Path:
    """Return the folder itself, or the only one in it: archives are often wrapped once."""
    inside = [one for one in folder.iterdir() if one.name not in CLUTTER]
    wrapped = len(inside) == 1 and inside[0].is_dir() and is_class(inside[0], wanted)
    return inside[0] if wrapped else folder


def _held(entry: Entry) -> Entry:
    """Return an entry whose file can be read, or that says why it cannot."""
    try:
        if entry.file:
            entry.file.open("rb").close()
    except OSError as error:
        return unreadable(entry, entry.file, error)
    return entry
