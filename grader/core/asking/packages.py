"""What submissions may import beside the standard library: where it is, and what it takes."""

from typing import Final

from grader.core.values import Frozen


class Place(Frozen):
    """Where a module is: its file, if there is one, and the folders of a package."""

    module: str
    file: str | None
    folders: tuple[str, ...] = ()


class Packages(Frozen):
    """What submissions may import: modules with all that they need, and what may be read of the disk."""

    places: tuple[Place, ...] = ()
    readable: tuple[str, ...] = ()
    memory_mb: int = 0
    """What they take of the address space, on top of what a submission may use."""


NONE: Final = Packages()
