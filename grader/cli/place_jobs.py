"""What places get: a result file before, during and after a grade, whatever becomes of it; and packs."""

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.errors import GRADED, GraderError, NotGradable, UserError
from grader.core.grade import Grade
from grader.core.messages import _, ngettext
from grader.course import cases, rubric_files
from grader.grading.session import check_configuration, load_course
from grader.grading.settings import Settings
from grader.places import PACKED_FOR, SITE, WRITTEN_FOR, unknown
from grader.places.packers import PACKERS, material, pack, refuse, refuse_kind
from grader.places.place_report import UNFINISHED, PlaceReport, of_failure, of_grade
from grader.places.site import site
from grader.places.writers import text_for, write_for

_SPOKEN: Final = "-"


class Writing:
    """The files that were asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._wanted: list[tuple[str, str]] = [(place, file) for place, file in options.write]

    @property
    def files(self) -> list[Path]:
        """The files that are written."""
        return [Path(file) for _, file in self._wanted if file != _SPOKEN]

    @property
    def speaks(self) -> bool:
        """Whether standard output has a place's text instead of the report."""
        return any(file == _SPOKEN for _, file in self._wanted)

    def begin(self) -> None:
        """Refuse what cannot be written, and let every file say that there is no score yet."""
        for place, file in self._wanted:
            if place not in WRITTEN_FOR:
                raise unknown(place, WRITTEN_FOR, "write")
            if file != _SPOKEN and not Path(file).resolve().parent.is_dir():
                raise UserError(_("no such folder to write to"), file=Path(file))
            if file != _SPOKEN and Path(file).is_dir():
                raise UserError(_("is a folder: name a file to write to"), file=Path(file))
        if self._spoken_twice():
            raise UserError(_("only one of --write and --json can go to standard output: name files"))
        files = [file.resolve() for file in self.files]
        twice = [file for at, file in enumerate(files) if file in files[:at]]
        if twice:
            raise UserError(_("cannot hold what two places read: name a file for each"), file=twice[0])
        self._write(self._failure(UNFINISHED), files_only=True)

    def graded(self, grade: Grade, rubric: Rubric) -> None:
        """Write the grade."""
        self._write(of_grade(grade, rubric))

    def failed(self, error: Exception) -> None:
        """Write that there is no score, and why; a file that cannot be written is left out."""
        if isinstance(error, UserError | NotGradable):
            report = self._failure(_("This could not be graded: {error}", error=error))
        else:
            report = self._failure(_("The grader failed, so there is no score: a person has to look."))
        for place, file in self._wanted:
            with suppress(GraderError, OSError, ValueError):
                self._write_one(place, file, report, files_only=self._spoken_twice())

    def _write(self, report: PlaceReport, *, files_only: bool = False) -> None:
        for place, file in self._wanted:
            self._write_one(place, file, report, files_only=files_only)

    def _write_one(self, place: str, file: str, report: PlaceReport, *, files_only: bool) -> None:
        if place not in WRITTEN_FOR:
            return
        if file != _SPOKEN:
            write_for(place, report, Path(file))
        elif not files_only:
            print(text_for(place, report), end="")

    def _spoken_twice(self) -> bool:
        """Return whether two things would go to standard output, where nobody could tell them apart."""
        spoken = [place for place, file in self._wanted if file == _SPOKEN]
        return len(spoken) > 1 or bool(spoken and self._options.json == Path(_SPOKEN))

    def _failure(self, problem: str) -> PlaceReport:
        """Return that there is no score, with as much of the rubric and its cases as can be read."""
        paths, loaded, questions = self._options.paths, None, list[Case]()
        with suppress(GraderError, OSError):
            if self._options.rubric:
                loaded = rubric_files.load(self._options.rubric)
            if loaded and self._options.fixtures:
                questions = list(cases.load_all(self._options.fixtures, loaded))
        return of_failure(problem, str(paths[0]) if paths else "", loaded, questions)


def run(place: str, out: Path, settings: Settings, pyodide: Path | None) -> int:
    """Write a pack and print what is in it; a rubric by which nobody could be graded is refused."""
    if place not in PACKED_FOR:
        raise unknown(place, PACKED_FOR, "pack")
    if pyodide and place != SITE:
        raise UserError(_("--pyodide goes with a site"))
    refuse(place, out)
    refuse_kind(place, load_course(settings).rubric)
    listed = check_configuration(settings)
    if place == SITE:
        files, left_out = site(load_course(settings), listed, pyodide), sum(one.hidden for one in listed)
    else:
        given = material(place, settings.rubric_file, settings.fixtures, listed)
        files, left_out = PACKERS[place](given), given.left_out
    names = pack(place, files, out)
    shown = ", ".join(name for name in names if "/fixtures/" not in name)
    print(_("wrote {place}: {files}", place=out, files=shown))
    if left_out:
        told = ngettext(
            "{count} hidden case is left out: students can read this pack",
            "{count} hidden cases are left out: students can read this pack",
            left_out,
        )
        print(told)
    if place == SITE and not pyodide:
        print(_("Python is loaded from cdn.jsdelivr.net; with --pyodide DIR it is in the site."))
    if place == SITE:
        print(_("To look at it: {command}", command=f"python -m http.server -d {out}"))
    print(_("README.md in it says what is left to do, in three steps."))
    return GRADED
