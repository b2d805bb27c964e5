"""What a stranger's process may read of a folder in which the grader itself may be installed."""

from collections.abc import Iterable
from pathlib import Path

from grader.course.courses import OWN


def around_the_grader(folders: Iterable[Path | str]) -> tuple[list[str], list[str]]:
    """Return what may be read of some folders, and which can only be listed, for the grader is in them.

    What lies beside the grader is granted one by one.
    """
    readable: list[str] = []
    listable: list[str] = []
    waiting = list(dict.fromkeys(Path(one).resolve() for one in folders))
    while waiting:
        folder = waiting.pop()
        if not OWN.is_relative_to(folder):
            readable.append(str(folder))
        elif folder != OWN:
            listable.append(str(folder))
            waiting += folder.iterdir()
    return readable, listable
