"""The job `pack`: everything that a place needs, and a word on what is left to do."""

from pathlib import Path

from grader.core.errors import GRADED, UserError
from grader.grading.session import check_configuration, load_course
from grader.grading.settings import Settings
from grader.places.material import left_out_told, material
from grader.places.names import PACKED_FOR, SITE, unknown
from grader.places.packers import PACKERS, pack, refuse, refuse_kind
from grader.places.site import site


def run(place: str, out: Path, settings: Settings, pyodide: Path | None) -> int:
    """Write a pack and print what is in it; a rubric by which nobody could be graded is refused."""
    if place not in PACKED_FOR:
        raise unknown(place, PACKED_FOR, "pack")
    if pyodide and place != SITE:
        raise UserError("--pyodide goes with a site")
    refuse(place, out)
    refuse_kind(place, load_course(settings).rubric)
    listed = check_configuration(settings)
    if place == SITE:
        files, left_out = site(load_course(settings), listed, pyodide), sum(one.hidden for one in listed)
    else:
        given = material(place, settings.rubric_file, settings.fixtures, listed)
        files, left_out = PACKERS[place](given), given.left_out
    names = pack(place, files, out)
    print(f"wrote {out}: {', '.join(name for name in names if '/fixtures/' not in name)}")
    if left_out:
        print(f"{left_out_told(left_out)}: students can read this pack")
    if place == SITE and not pyodide:
        print("Python is loaded from cdn.jsdelivr.net; with --pyodide DIR it is in the site.")
    if place == SITE:
        print(f"To look at it: python -m http.server -d {out}")
    print("README.md in it says what is left to do, in three steps.")
    return GRADED
