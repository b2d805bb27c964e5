"""The command as it runs on a system that lacks what Windows and macOS lack, and a course that is quickly asked."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from grader.core.errors import GRADED
from grader.course.courses import ROOT
from tests.submissions import PLAIN

HERE = Path(__file__).parent
LACKING = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(HERE / "lacking"), str(ROOT)]),
    "GRADER_LACKING": "inside",
    "PYTHONWARNDEFAULTENCODING": "1",
    "PYTHONWARNINGS": "error::EncodingWarning",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "LC_ALL": "C",  # whose encoding holds no letter of a report
}
LACKING.pop("PYTHONIOENCODING", None)
GRADED_AS = {"Ada Noon": 10.0, "_CON": 10.0, "Bo_": 6.0}
WRONG = PLAIN.replace("return X if", "return O if")
RUBRIC = """
title: Small
criteria:
  - {id: player, points: 4, description: Whose turn it is}
  - {id: winner, points: 6, description: The winner}
  - {id: design, points: 5, description: How it is made, by_hand: true}
limits: {total: 60}
"""
FIXTURES = {
    "player": "criterion: player\nfunction: player\ncases:\n  - {id: start, board: [..., ..., ...], expect: X}\n",
    "winner": "criterion: winner\nfunction: winner\ncases:\n  - {id: row, board: [XXX, OO., ...], expect: X}\n",
}


def run(folder: Path, *words: str, given: str = "", **more: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the command in a folder on a system that lacks much."""
    command = [sys.executable, str(ROOT / "run_grader.py"), *words]
    env = {**LACKING, "XDG_CACHE_HOME": str(folder), **more}
    return subprocess.run(
        command, cwd=folder, env=env, input=given.encode(), capture_output=True, check=False, timeout=300
    )


def told(done: "subprocess.CompletedProcess[bytes]", code: int = GRADED) -> str:
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done.stdout.decode("utf-8")


def small(folder: Path) -> list[str]:
    """Write a course that is quickly asked; return the options that name it."""
    (folder / "cases").mkdir()
    (folder / "rubric.yaml").write_text(RUBRIC)
    for name, text in FIXTURES.items():
        (folder / "cases" / f"{name}.yaml").write_text(text)
    return ["--rubric", str(folder / "rubric.yaml"), "--fixtures", str(folder / "cases")]


def pack_class(folder: Path) -> None:
    """Write an archive of students whose names are no names of files on Windows."""
    with zipfile.ZipFile(folder / "class.zip", "w") as packed:
        for name, source in {"Ada Noon": PLAIN, "CON": PLAIN, "Bo?": WRONG}.items():
            packed.writestr(f"{name}/tictactoe.py", source)


def scores(grades: Path) -> dict[str, float]:
    """Return the score of each student of a graded class."""
    records = [json.loads(file.read_text("utf-8")) for file in (grades / "grades").glob("*.json")]
    return {record["student"]: record["grade"]["score"] for record in records}
