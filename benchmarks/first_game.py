"""What it takes until a game can be played with a terminal program."""

import time
from contextlib import suppress

from grader.core.course.rubric import HowToRun, Limits
from grader.core.course.submission import Folder
from grader.core.errors import NotGradable
from grader.programs.program import Program


def until_a_game(folder: Folder) -> tuple[int, float] | None:
    """Return how many times a program is started until then, and the seconds; None if there is no game."""
    program = Program(folder, Limits(load=60, deadline=20, memory_mb=1024), HowToRun())
    start = time.monotonic()
    try:
        with suppress(NotGradable):
            if program.discover() == "":
                return program.built.count, time.monotonic() - start
        return None
    finally:
        program.close()
