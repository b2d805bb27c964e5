"""What it costs to play a program to the end of all its games: `pytest benchmarks/test_programs.py`."""

import json
import shutil
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.costs import megabytes_of
from benchmarks.first_game import until_a_game
from grader.core.course.submission import Folder
from grader.course.courses import ROOT
from grader.programs.built import missing_tools
from grader.programs.recipes import Recipe, recipe_for
from tests.programs.catalog import FIXTURES, HANDED_IN
from tests.programs.talkers.manners import MANNERS, handed_in


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_every_game_of_a_program(benchmark: Any, tmp_path: Path) -> None:
    """A program in C++ that replies to the user: all its 447 positions, and what the grader adds."""
    grade = tmp_path / "grade.json"
    program = HANDED_IN / "row_and_column_from_zero"
    command = [
        sys.executable,
        str(ROOT / "run_grader.py"),
        str(program),
        "--course",
        "cpsc352",
        "--json",
        str(grade),
    ]

    peak = benchmark.pedantic(megabytes_of, (command,), rounds=1)
    data = json.loads(grade.read_text())
    optimal = next(case for case in data["criteria"][0]["verdicts"] if case["id"] == "optimal")
    benchmark.extra_info.update(
        positions_in_which_a_reply_can_be_wrong=optimal["asked"],
        times_the_programs_own=round(data["seconds"] / data["submission_seconds"], 1),
        peak_megabytes=round(peak),
    )
    assert optimal["asked"] == 382  # of all 447: in the others no reply can be wrong
    assert data["seconds"] / data["submission_seconds"] <= 12
    assert peak <= 150


def catalogue() -> dict[str, Folder]:
    """Return the programs of the catalogue that can be played, and for which this machine has the tools."""
    found = {case.name: case.files() for case in FIXTURES if case.outcome == "graded"}
    recipes = {name: recipe_for(folder) for name, folder in found.items()}
    return {
        name: found[name]
        for name, recipe in recipes.items()
        if isinstance(recipe, Recipe) and not missing_tools(recipe)
    }


def talkers() -> dict[str, Folder]:
    """Return programs that talk as real ones do."""
    return {name: handed_in(name) for name in MANNERS}


@pytest.mark.long
@pytest.mark.parametrize("programs", [catalogue, talkers], ids=["catalogue", "talkers"])
def test_how_many_programs_are_driven(benchmark: Any, programs: Callable[[], dict[str, Folder]]) -> None:
    """The share that is driven without configuration, and what it takes until the first game."""
    driven: dict[str, tuple[int, float]] = {}
    folders = programs()

    def every_one() -> None:
        for name, folder in folders.items():
            if found := until_a_game(folder):
                driven[name] = found

    benchmark.pedantic(every_one, rounds=1)
    starts, seconds = zip(*driven.values(), strict=True)
    benchmark.extra_info.update(
        driven=f"{len(driven)} of {len(folders)}",
        starts=f"{statistics.median(starts):g} in the median, {max(starts)} at most",
        seconds=f"{statistics.median(seconds):.1f} in the median, {max(seconds):.1f} at most",
    )
    assert len(driven) / len(folders) >= 0.9, set(folders) - set(driven)
