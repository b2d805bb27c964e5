"""The same grades on a busy machine: a class with slow and hanging files, one at a time and eight at once."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import main
from tests.classroom.conftest import write_all
from tests.submissions import PLAIN

RUBRIC = """\
title: A busy one
criteria:
  - {id: player, description: whose turn it is, points: 10}
  - {id: winner, description: who has won, points: 10}
limits: {deadline: 1.2, load: 2, strikes: 1, sweep_budget: 6, total: 30}
"""
FIXTURES = {
    "player.yaml": "criterion: player\ncases:\n  - {id: start, board: [..., ..., ...]}\n"
    "  - {id: one, board: [X.., ..., ...]}\n",
    "winner.yaml": "criterion: winner\ncases:\n  - {id: x, board: [XXX, OO., ...]}\n  - {id: nobody, board: [..., ..., ...]}\n",
}
WORK = "\n    work = [number * number for number in range(3_000_000)]"
"""A third of a second or more on a core of its own: among eight on two cores, longer than the deadline."""

FILES = {
    "right": PLAIN,
    "slow": PLAIN.replace("    count_x = sum", f"{WORK}\n    count_x = sum"),
    "slow_too": PLAIN.replace("    count_x = sum", f"{WORK}\n    count_x = sum") + "\n# another one\n",
    "slow_to_load": PLAIN + "\n\nWORK = sum(number * number for number in range(5_000_000))\n",
    "hangs": PLAIN.replace("    count_x = sum", "    while True:\n        pass\n    count_x = sum"),
    "hangs_on_import": PLAIN + "\n\nwhile True:\n    pass\n",
    "sleeps": PLAIN.replace("    count_x = sum", "    __import__('time').sleep(600)\n    count_x = sum"),
}
TIMES = ("seconds", "submission_seconds")


def grades_of(folder: Path, out: Path, rubric: Path, jobs: int) -> dict[str, Any]:
    """Return everybody's grade, times aside."""
    fixtures = str(rubric.parent / "fixtures")
    options = ["--out", str(out), "--jobs", str(jobs), "--rubric", str(rubric), "--fixtures", fixtures]
    assert main([str(folder), *options]) == 0
    found = {}
    for file in sorted((out / "grades").glob("*.json")):
        grade = json.loads(file.read_text())["grade"]
        for key in TIMES:
            del grade[key]
        grade["notes"] = [note for note in grade["notes"] if "when it is imported" not in note]
        found[file.stem] = json.loads(re.sub(r"\d+\.\d s\b", "", json.dumps(grade)))
    return found


@pytest.mark.exhaustive
def test_one_at_a_time_and_eight_at_once(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text(RUBRIC)
    write_all(tmp_path / "fixtures", FIXTURES)
    folder = write_all(tmp_path / "class", {f"{name}.py": source for name, source in FILES.items()})
    alone = grades_of(folder, tmp_path / "alone", rubric, 1)
    together = grades_of(folder, tmp_path / "together", rubric, 8)
    assert alone == together
    scores = {name: grade["score"] for name, grade in together.items()}
    full = {"right", "slow", "slow_too", "slow_to_load"}
    assert {name for name, score in scores.items() if score == 20} == full
    assert scores["hangs"] == scores["sleeps"] == 10
    assert scores["hangs_on_import"] == 0
