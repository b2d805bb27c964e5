"""The places by name: those that read a file, and those that something is uploaded to."""

from typing import Final

WRITTEN_FOR: Final = ("gradescope", "classroom50", "prairielearn", "vpl", "junit", "markdown")
PACKED_FOR: Final = ("gradescope", "classroom50", "check50", "prairielearn", "vpl", "actions")
FOR_PROGRAMS: Final = ("gradescope", "classroom50", "actions")
"""Those that hand over a whole folder, to a machine that has compilers or gets them."""
