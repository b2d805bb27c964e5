"""The writers by the names of their places, and the files that they make."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from grader.core.files import write
from grader.places import classroom50, gradescope, junit, markdown, prairielearn, vpl
from grader.places.told import Told

Writer = Callable[[Told], str]


def writers(around: Mapping[str, str], now: datetime) -> dict[str, Writer]:
    """Return the writer of each place; one of them needs the environment and the time."""
    return {
        "gradescope": gradescope.write,
        "classroom50": lambda told: classroom50.write(told, around, now),
        "prairielearn": prairielearn.write,
        "vpl": vpl.write,
        "junit": junit.write,
        "markdown": markdown.write,
    }


BESIDE: Final[dict[str, tuple[str, Writer]]] = {"classroom50": (classroom50.BODY, markdown.write)}
"""What is written beside a place's file, under a name of its own."""


def text_for(place: str, told: Told) -> str:
    """Return what a place reads."""
    return writers(os.environ, datetime.now(UTC))[place](told)


def write_for(place: str, told: Told, file: Path) -> None:
    """Write what a place reads, and what belongs beside it."""
    if place in BESIDE:
        name, writer = BESIDE[place]
        write(file.with_name(name), writer(told))
    write(file, text_for(place, told))
