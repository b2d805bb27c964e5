"""The writers by the names of their places, and the files that they make."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from grader.core.files import write
from grader.places import classroom50, gradescope, junit, markdown, prairielearn, vpl
from grader.places.told import Told

WRITERS: Final[dict[str, Callable[[Told], str]]] = {
    "gradescope": gradescope.write,
    "classroom50": classroom50.write,
    "prairielearn": prairielearn.write,
    "vpl": vpl.write,
    "junit": junit.write,
    "markdown": markdown.write,
}


def text_for(place: str, told: Told) -> str:
    """Return what a place reads."""
    return WRITERS[place](told)


def write_for(place: str, told: Told, file: Path) -> None:
    """Write what a place reads, and what belongs beside it."""
    if place == "classroom50":
        write(file.with_name(classroom50.BODY), markdown.write(told))
    write(file, text_for(place, told))
