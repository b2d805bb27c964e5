"""The README's table of places: every command is understood, and no place is left out."""

import re
import shlex

from grader.cli.options import parser
from grader.course.shipped import ROOT
from grader.places.names import PACKED_FOR, WRITTEN_FOR

TABLE = re.findall(r"`python run_grader\.py ([^`]*--(?:write|pack|moodle-worksheet|canvas-gradebook)[^`]*)`", (ROOT / "README.md").read_text())  # fmt: skip


def test_the_table_has_every_place() -> None:
    options = [parser().parse_args(shlex.split(command)) for command in TABLE]
    assert {place for one in options for place, _ in one.write} == set(WRITTEN_FOR)
    assert {place for one in options for place, _ in one.pack} == set(PACKED_FOR)
    assert any(one.moodle_worksheet for one in options) and any(one.canvas_gradebook for one in options)


def test_the_page_says_what_each_place_is_told() -> None:
    page = (ROOT / "docs" / "places.md").read_text()
    for place in {*WRITTEN_FOR, *PACKED_FOR}:
        assert f"| `{place}` |" in page, place
