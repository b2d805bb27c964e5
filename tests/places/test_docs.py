"""The README's table of places: every command is understood, and no place is left out."""

import re
import shlex

from grader.cli.main import options_of
from grader.course.courses import ROOT
from grader.places import PACKED_FOR, WRITTEN_FOR

TABLE = re.findall(r"\| `python run_grader\.py ([^`]*)`", (ROOT / "README.md").read_text())


def test_the_table_has_every_place() -> None:
    jobs = [vars(options_of(shlex.split(command))) for command in TABLE]
    assert {place for job in jobs for place, _ in job.get("write", ())} == set(WRITTEN_FOR)
    assert {job["place"] for job in jobs if job["job"] == "pack"} == set(PACKED_FOR)
    assert any(job.get("moodle_worksheet") for job in jobs)
    assert any(job.get("canvas_gradebook") for job in jobs)


def test_the_page_says_what_each_place_is_told() -> None:
    page = (ROOT / "docs" / "places.md").read_text()
    for place in {*WRITTEN_FOR, *PACKED_FOR}:
        assert f"| `{place}` |" in page, place
