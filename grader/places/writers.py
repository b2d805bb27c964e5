"""The writers by the names of their places, and the files that they make."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from grader.core.errors import UserError
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
        save(file.with_name(name), writer(told))
    save(file, text_for(place, told))


def save(file: Path, text: str) -> None:
    """Write a file so that it is whole at every moment."""
    part = file.with_name(f".{file.name}.part")
    try:
        if file.exists() and not file.is_file():  # a terminal or a pipe: there is nothing to put in its place
            file.write_text(text, encoding="utf-8")
            return
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(file)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=file) from None
