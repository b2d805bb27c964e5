"""What places read: every place has its file before, during and after a grade, whatever becomes of it."""

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.errors import GraderError, NotGradable, UserError
from grader.core.grade import Grade
from grader.course import cases, rubric
from grader.places.names import WRITTEN_FOR, unknown
from grader.places.told import UNFINISHED, Told, of_failure, of_grade
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
                raise UserError("no such folder to write to", file=Path(file))
            if file != _SPOKEN and Path(file).is_dir():
                raise UserError("is a folder: name a file to write to", file=Path(file))
        if self._spoken_twice():
            raise UserError("only one of --write and --json can go to standard output: name files")
        files = [file.resolve() for file in self.files]
        twice = [file for at, file in enumerate(files) if file in files[:at]]
        if twice:
            raise UserError("cannot hold what two places read: name a file for each", file=twice[0])
        self._write(self._failure(UNFINISHED), files_only=True)

    def graded(self, grade: Grade, rubric: Rubric) -> None:
        """Write the grade."""
        self._write(of_grade(grade, rubric))

    def failed(self, error: Exception) -> None:
        """Write that there is no score, and why; what cannot be written is left: the error is told anyhow."""
        if isinstance(error, UserError | NotGradable):
            told = self._failure(f"This could not be graded: {error}")
        else:
            told = self._failure("The grader failed, so there is no score: a person has to look.")
        for place, file in self._wanted:
            with suppress(GraderError, OSError, ValueError):
                self._write_one(place, file, told, files_only=self._spoken_twice())

    def _write(self, told: Told, *, files_only: bool = False) -> None:
        for place, file in self._wanted:
            self._write_one(place, file, told, files_only=files_only)

    def _write_one(self, place: str, file: str, told: Told, *, files_only: bool) -> None:
        if place not in WRITTEN_FOR:
            return
        if file != _SPOKEN:
            write_for(place, told, Path(file))
        elif not files_only:
            print(text_for(place, told), end="")

    def _spoken_twice(self) -> bool:
        """Return whether two things would go to standard output, where nobody could tell them apart."""
        spoken = [place for place, file in self._wanted if file == _SPOKEN]
        return len(spoken) > 1 or bool(spoken and self._options.json == Path(_SPOKEN))

    def _failure(self, problem: str) -> Told:
        """Return that there is no score, with as much of the rubric and its cases as can be read."""
        paths, loaded, questions = self._options.paths, None, list[Case]()
        with suppress(GraderError, OSError):
            if self._options.rubric:
                loaded = rubric.load(self._options.rubric)
            if loaded and self._options.fixtures:
                questions = list(cases.load_all(self._options.fixtures, loaded))
        return of_failure(problem, str(paths[0]) if paths else "", loaded, questions)
