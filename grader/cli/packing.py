"""What `--pack` does: everything that a place needs, and a word on what is left to do."""

from pathlib import Path

from grader.core.errors import GRADED
from grader.course import rubric
from grader.grading.session import check_configuration
from grader.grading.settings import Settings
from grader.places.material import material
from grader.places.names import PACKED_FOR, unknown
from grader.places.pack import pack, refuse, refuse_kind


def run(place: str, out: Path, settings: Settings) -> int:
    """Write a pack and print what is in it; a rubric by which nobody could be graded is refused."""
    if place not in PACKED_FOR:
        raise unknown(place, PACKED_FOR, "pack")
    refuse(place, out)
    refuse_kind(place, rubric.load(settings.rubric_file))
    listed = check_configuration(settings)
    given = material(place, settings.rubric_file, settings.fixtures, listed)
    names = pack(place, given, out)
    print(f"wrote {out}: {', '.join(name for name in names if '/fixtures/' not in name)}")
    if given.left_out:
        print(f"{given.left_out_told}: students can read this pack")
    print("README.md in it says what is left to do, in three steps.")
    return GRADED
