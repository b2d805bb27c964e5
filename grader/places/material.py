"""What every pack is made of: the wheel, the rubric and its cases, and what is said without a grade."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.core.course.course import Listed
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError
from grader.course import cases, rubric
from grader.course.public import public
from grader.course.whole import Files, whole
from grader.places.names import FOR_INSTRUCTORS, HIDES_CASES, WRITTEN_FOR
from grader.places.told import UNFINISHED, of_failure
from grader.places.wheel import Wheel, for_students, wheel
from grader.places.writers import text_for
from grader.report.text import number

_COURSE: Final = "course"
_PACKS: Final = Path(__file__).resolve().parent / "packs"
_HANDED_IN: Final = {
    "functions": "`tictactoe.py`, alone or with other files",
    "program": "a folder with the program",
}
_COMPILERS: Final = {"functions": "", "program": "default-jdk-headless nodejs g++ make"}
"""What students hand in, and what is installed for it, by the rubric's kind."""


@dataclass(frozen=True)
class Material:
    """All that a pack is made of."""

    rubric: Rubric
    wheel: Wheel
    course: Files
    """The rubric, its cases and what it names, below `course/`."""

    not_graded: dict[str, str]
    """What each place is told if the grader does not finish."""

    left_out: int = 0
    """How many hidden cases are not in it, because students can read it."""

    def graded(self, place: str) -> Files:
        """Return what grades for a place: the script, the course, and what is said without a grade."""
        said = {f"not-graded/{place}": self.not_graded[place].encode()}
        return {"grade.sh": text("grade.sh"), **self.course, **said}

    def told(self, file: str) -> bytes:
        """Return one of our own files, with what the rubric says in it."""
        full = self.rubric.scale_to or self.rubric.points
        told = left_out_told(self.left_out)
        most = sum(one.points for one in self.rubric.all_criteria())
        known = {
            "title": self.rubric.title,
            "points": number(full),
            "most": number(most),
            "handed_in": _HANDED_IN[self.rubric.kind],
            "compilers": _COMPILERS[self.rubric.kind],
            "left_out": f"{told}, and the points are given for the others." if told else "No case is hidden.",
            "beside": self._beside(),
        }
        return filled(file, known)

    def _beside(self) -> str:
        """Return what else lies in the course: an instructor's own tests, and what they read."""
        others = [f"`{name}`" for name in self.course if Path(name).suffix != ".yaml"]
        return f", {', '.join(others)}" if others else ""


def filled(file: str, known: Mapping[str, str]) -> bytes:
    """Return one of our own files with values in the places of their names in braces."""
    found = text(file).decode()
    for name, value in known.items():
        found = found.replace(f"{{{name}}}", value)
    return found.encode()


def left_out_told(hidden: int) -> str:
    """Return how many hidden cases are not in a pack, as the beginning of a sentence; nothing if none are."""
    cases = "1 hidden case is" if hidden == 1 else f"{hidden} hidden cases are"
    return f"{cases} left out" if hidden else ""


def text(file: str) -> bytes:
    """Return one of our own files as it is."""
    return (_PACKS / file).read_bytes()


def material(place: str, rubric_file: Path, fixtures: Path, listed: Sequence[Listed]) -> Material:
    """Return everything for a pack that grades by this rubric and these cases, as they were listed."""
    loaded = rubric.load(rubric_file)
    if not listed:
        raise UserError("no cases in this folder", file=fixtures)
    found = list(cases.load_all(fixtures, loaded))
    if place in HIDES_CASES:
        course, left_out = whole(rubric_file, fixtures), 0
    else:
        course, left_out = public(rubric_file, fixtures, listed), sum(one.hidden for one in listed)
        found = [case for case in found if case.question.visibility == "public"]
    unfinished = of_failure(UNFINISHED, "", loaded, found)
    return Material(
        loaded,
        wheel() if place in FOR_INSTRUCTORS else for_students(wheel()),
        {f"{_COURSE}/{name}": content for name, content in course.items()},
        {name: text_for(name, unfinished) for name in WRITTEN_FOR},
        left_out,
    )
