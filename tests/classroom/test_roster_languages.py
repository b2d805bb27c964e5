"""A class whose students read several languages: the roster's column, and what it changes."""

import json
from pathlib import Path

import pytest

from grader.cli.main import main
from grader.course.courses import ROOT

REFERENCE = ROOT / "submission" / "tictactoe.py"


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    return tmp_path / "roster.csv"


def write(roster: Path, **languages: str) -> None:
    lines = [f"{student},{REFERENCE},{language}" for student, language in languages.items()]
    roster.write_text("\n".join(["student,path,Language", *lines]))


def graded(out: Path) -> dict[str, str]:
    """Return the language of each student's grade, which is that of the record, too."""
    found = {file.stem: json.loads(file.read_text()) for file in (out / "grades").glob("*.json")}
    assert all(record["language"] == record["grade"]["language"] for record in found.values())
    return {name: record["language"] for name, record in found.items()}


def test_each_student_has_a_language_and_only_who_has_another_one_is_graded_again(
    roster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "grades"
    command = ["class", str(roster), "--out", str(out), "--language", "fr", "--no-html", "--jobs", "1"]
    write(roster, ada="pt", bob="", cem="ar")
    assert main(command) == 0
    assert graded(out) == {"ada": "pt", "bob": "fr", "cem": "ar"}
    write(roster, ada="pt", bob="de", cem="ar")
    assert main(command) == 0
    assert graded(out) == {"ada": "pt", "bob": "de", "cem": "ar"}
    again = [line for line in capsys.readouterr().err.splitlines()[-3:] if "inchangé" not in line]
    assert len(again) == 1 and "bob" in again[0]


def test_an_unknown_language_is_refused_before_anybody_is_graded(
    roster: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(roster, ada="pt", bob="klingon")
    assert main(["class", str(roster), "--out", str(tmp_path / "grades")]) == 2
    said = capsys.readouterr().err
    assert said == f"error: {roster}:3: there is no language 'klingon': there are en, ar, de, es, fr, pt\n"
    assert not (tmp_path / "grades" / "grades").exists()


def test_an_option_with_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(REFERENCE), "--language", "xx"]) == 2
    assert "there is no language 'xx': there are en, ar, de, es, fr, pt" in capsys.readouterr().err
