"""What every pack is made of: the wheel, the rubric and its cases, and what is said without a grade."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from grader.course import cases, extends, rubric
from grader.course.rubric import Rubric
from grader.errors import UserError
from grader.places.names import WRITTEN_FOR
from grader.places.told import UNFINISHED, Why, of_failure
from grader.places.wheel import Wheel, wheel
from grader.places.writers import text_for
from grader.report.text import number

Files = dict[str, bytes]
"""Contents by path."""

_PACKS: Final = Path(__file__).resolve().parent / "packs"
_HANDED_IN: Final = {
    "functions": "`tictactoe.py`, alone or with other files",
    "program": "a folder with the program",
}
_COMPILERS: Final = {"functions": "", "program": "default-jdk-headless nodejs g++ make"}
"""What students hand in, and what is installed for it, by the rubric's kind."""

_GRADED_BY: Final = (".yaml", ".py")


@dataclass(frozen=True)
class Material:
    """All that a pack is made of."""

    rubric: Rubric
    wheel: Wheel
    course: Files
    """The rubric, its cases and what it names, below `course/`."""

    not_graded: dict[str, str]
    """What each place is told if the grader does not finish."""

    def graded(self, place: str) -> Files:
        """Return what grades for a place: the script, the course, and what is said without a grade."""
        said = {f"not-graded/{place}": self.not_graded[place].encode()}
        return {"grade.sh": text("grade.sh"), **self.course, **said}

    def told(self, file: str) -> bytes:
        """Return one of our own files, with what the rubric says in it."""
        full = self.rubric.scale_to or self.rubric.points
        most = sum(one.points for one in self.rubric.all_criteria())
        known = {
            "title": self.rubric.title,
            "points": number(full),
            "most": number(most),
            "handed_in": _HANDED_IN[self.rubric.kind],
            "compilers": _COMPILERS[self.rubric.kind],
        }
        found = text(file).decode()
        for name, value in known.items():
            found = found.replace(f"{{{name}}}", value)
        return found.encode()


def text(file: str) -> bytes:
    """Return one of our own files as it is."""
    return (_PACKS / file).read_bytes()


def material(rubric_file: Path, fixtures: Path) -> Material:
    """Return everything for a pack that grades by this rubric and these cases."""
    loaded = rubric.load(rubric_file)
    found = [case for file in sorted(fixtures.glob("*.yaml")) for case in cases.load(file, loaded)]
    unfinished = of_failure(UNFINISHED, Why.GRADER, "", loaded, found)
    said = {place: text_for(place, unfinished) for place in WRITTEN_FOR}
    return Material(loaded, wheel(), _course(rubric_file, fixtures, loaded), said)


def _course(rubric_file: Path, fixtures: Path, loaded: Rubric) -> Files:
    files = {
        f"course/fixtures/{file.relative_to(fixtures).as_posix()}": file.read_bytes()
        for file in sorted(fixtures.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts and file.name[0] != "."
    }
    if not any(name.endswith(_GRADED_BY) for name in files):
        raise UserError("no cases in this folder", file=fixtures)
    whole = rubric.whole_text(rubric_file)
    if loaded.template:
        name = Path(loaded.template).name
        files[f"course/{name}"] = (rubric_file.parent / loaded.template).read_bytes()
        if name != loaded.template:
            data = {**extends.load(rubric_file).data, "template": name}
            whole = yaml.safe_dump(data, allow_unicode=True).encode()
    return {"course/rubric.yaml": whole, **files}
